/** Returns the p-quantile; p is from 0 to 1. */
export function quantile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The median of the ratios of each round, which cancels out slow phases of the machine. */
export const ratioOf = (ours: number[], theirs: number[]): number =>
  median(ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN)));
