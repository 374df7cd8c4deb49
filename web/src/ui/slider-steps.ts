/** Below any typed precision, and above the floating-point error of adding decimal fractions. */
const tolerance = 1e-6;
const rounded = (value: number) => Number(value.toFixed(6));

const isOnStep = (value: number, min: number, step: number): boolean => {
  const steps = (value - min) / step;
  return Math.abs(steps - Math.round(steps)) < tolerance;
};

/**
 * The `step` of the range input. The browser rounds a value that lies between two steps, so such a value gets a step 1,000
 * times smaller.
 */
export const stepFor = (value: number, min: number, step: number): number =>
  isOnStep(value, min, step) ? step : step / 1000;

/** The value after a move. From a value between two steps it goes to the next step in the direction of the move. */
export function nextStep(moved: number, from: number, min: number, step: number): number {
  if (isOnStep(moved, min, step)) return moved;
  const steps = (moved - min) / step;
  return rounded(min + (moved > from ? Math.ceil(steps) : Math.floor(steps)) * step);
}
