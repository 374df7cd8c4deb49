/** The p-th quantile, 0 to 1. */
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
 * Measures contenders in turn, round after round, so that what disturbs the machine disturbs all of them alike.
 * Every other round goes backwards, and a round before the first warms everything up and does not count.
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

/** The median of the rounds' own ratios: a slow minute of the machine falls out of each. */
export const ratioOf = (ours: number[], theirs: number[]): number =>
  median(ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN)));
