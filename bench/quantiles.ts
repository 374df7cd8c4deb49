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

/**
 * Measures contenders interleaved, round by round, so that other load on the machine affects all of them alike.
 * Every other round is in reverse order; a warm-up round before the first is not counted.
 * @returns each contender's figures, in the order of the rounds
 */
export async function interleave<Name extends string, Figure>(
  rounds: number,
  contenders: Record<Name, () => Promise<Figure>>,
): Promise<Record<Name, Figure[]>> {
  const names = Object.keys(contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figure[]>;
  for (const name of names) await contenders[name]();
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) figures[name].push(await contenders[name]());
  }
  return figures;
}

/** The median of the ratios of each round, which cancels out slow phases of the machine. */
export const ratioOf = (ours: number[], theirs: number[]): number =>
  median(ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN)));
