/** Far below what anybody types, and above what adding fractions of ten leaves over. */
const tolerance = 1e-6;
const rounded = (value: number) => Number(value.toFixed(6));

const isOnStep = (value: number, min: number, step: number): boolean => {
  const steps = (value - min) / step;
  return Math.abs(steps - Math.round(steps)) < tolerance;
};

/** What the browser's slider moves by. It shows a number that was typed between two steps rounded, unless its own steps are as small. */
export const stepFor = (value: number, min: number, step: number): number =>
  isOnStep(value, min, step) ? step : step / 1000;

/** Where a move leads: from a number between two steps to the next step in its direction. */
export function nextStep(moved: number, from: number, min: number, step: number): number {
  if (isOnStep(moved, min, step)) return moved;
  const steps = (moved - min) / step;
  return rounded(min + (moved > from ? Math.ceil(steps) : Math.floor(steps)) * step);
}
