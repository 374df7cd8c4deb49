import { readCpuTimes, shareOfOthers } from './machine.ts';

/** Rounds during which other processes took a larger share of the CPUs are disturbed. */
export const disturbedShare = 0.05;

/** Measurements since the last report. */
export interface Disturbances {
  rounds: number;
  repeated: number;
  /** Disturbed rounds that count, because their repeats were disturbed too or there was no time for repeats; their largest share of others. */
  kept: number;
  largestShare: number;
}

export interface Rounds {
  /**
   * Measures contenders interleaved, round by round, so that other load on the machine affects all of them alike.
   * A warm-up round before the first is not counted. Disturbed rounds are repeated.
   * @returns each contender's figures, in the order of the rounds
   */
  interleave<Name extends string, Figure>(
    count: number,
    contenders: Record<Name, () => Promise<Figure>>,
  ): Promise<Record<Name, Figure[]>>;
  /** Measures something that takes too long to be repeated, and only notes whether it was disturbed. */
  once<Figure>(work: () => Promise<Figure>): Promise<Figure>;
  /** Returns the disturbances since the last call. */
  takeDisturbances(): Disturbances;
}

interface Terms {
  /** Repeats in one measurement, and the time that all repeats of a run may take together, in s. */
  maxRepeats: number;
  repeatSeconds: number;
}

const none: Disturbances = { rounds: 0, repeated: 0, kept: 0, largestShare: 0 };

/** @param readTimes injected by tests */
export function openRounds({ maxRepeats, repeatSeconds }: Terms, readTimes = readCpuTimes): Rounds {
  let seconds = repeatSeconds;
  let seen = none;
  const note = (shares: number[], kept: number[]) => {
    const disturbed = kept.filter((share) => share > disturbedShare);
    seen = {
      rounds: seen.rounds + kept.length,
      repeated: seen.repeated + shares.length - kept.length,
      kept: seen.kept + disturbed.length,
      largestShare: Math.max(seen.largestShare, ...disturbed),
    };
  };
  async function measure<Result>(work: () => Promise<Result>) {
    const before = await readTimes();
    const startedAt = performance.now();
    const result = await work();
    const took = (performance.now() - startedAt) / 1000;
    return { result, took, share: shareOfOthers(before, await readTimes()) };
  }
  return {
    async interleave<Name extends string, Figure>(count: number, contenders: Record<Name, () => Promise<Figure>>) {
      const names = Object.keys(contenders) as Name[];
      for (const name of names) await contenders[name]();
      const rounds: { share: number; result: Map<Name, Figure> }[] = [];
      let wanted = count;
      for (let round = 0; round < wanted; round++) {
        const order = orderOf(names, round);
        const { result, share, took } = await measure(async () => {
          const figures = new Map<Name, Figure>();
          for (const name of order) figures.set(name, await contenders[name]());
          return figures;
        });
        rounds.push({ share, result });
        if (share <= disturbedShare || wanted >= count + maxRepeats || took > seconds) continue;
        wanted++;
        seconds -= took;
      }
      const shares = rounds.map(({ share }) => share);
      const kept = quietest(shares, count).flatMap((index) => rounds[index] ?? []);
      note(
        shares,
        kept.map(({ share }) => share),
      );
      const figuresOf = (name: Name) => kept.map(({ result }) => result.get(name));
      return Object.fromEntries(names.map((name) => [name, figuresOf(name)])) as Record<Name, Figure[]>;
    },
    async once(work) {
      const { result, share } = await measure(work);
      note([share], [share]);
      return result;
    },
    takeDisturbances() {
      const taken = seen;
      seen = none;
      return taken;
    },
  };
}

/**
 * Every other round is in reverse order, and each pair of rounds begins with the next name. Without that the same contender would always
 * end one round and begin the next, with all its caches warm.
 */
export function orderOf<Name>(names: Name[], round: number): Name[] {
  const first = Math.floor(round / 2) % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  return round % 2 === 0 ? order : order.toReversed();
}

/**
 * Chooses the rounds that count: undisturbed ones first, in their order, then those with the least disturbance.
 * @param shares of others in each round
 * @returns the indices of `count` rounds, ascending
 */
export function quietest(shares: number[], count: number): number[] {
  const excess = (share: number) => Math.max(0, share - disturbedShare);
  return shares
    .map((share, index) => ({ index, excess: excess(share) }))
    .toSorted((a, b) => a.excess - b.excess || a.index - b.index)
    .slice(0, count)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b);
}
