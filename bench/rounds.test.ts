import { expect, test } from 'vitest';
import { descendantsOf, parseProcess, parseStat, shareOfOthers, type CpuTimes } from './machine.ts';
import { median, quantile, ratioOf } from './quantiles.ts';
import { openRounds, orderOf, quietest } from './rounds.ts';

test('the median of an even number of values lies between the middle ones, and a quantile is one of the values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(quantile([5, 1, 4, 2, 3], 0.99)).toBe(5);
  expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(median([])).toBeNaN();
});

test('the ratio is the median of the ratios of each round, not the ratio of the medians', () => {
  expect(ratioOf([10, 20, 90], [10, 10, 100])).toBe(1);
});

test('undisturbed rounds count first, then those with the least disturbance, in their order', () => {
  expect(quietest([0, 0.3, 0.01, 0.2, 0.04], 3)).toEqual([0, 2, 4]);
  expect(quietest([0.5, 0.3, 0.01, 0.2], 3)).toEqual([1, 2, 3]);
  expect(quietest([0.04, 0, 0.02], 2)).toEqual([0, 1]);
});

test('CPU time of others is what neither this process and its descendants nor idling took', () => {
  const times = (all: number, own: number, stolen: number, capacity: number): CpuTimes => ({
    all,
    own,
    stolen,
    capacity,
  });
  expect(shareOfOthers(times(500, 100, 0, 1000), times(1300, 690, 0, 2000))).toBe(0.2);
  expect(shareOfOthers(times(0, 0, 0, 0), times(500, 500, 110, 1000))).toBe(0.1);
  // Less than the rounding of the kernel's counters is not taken for a disturbance.
  expect(shareOfOthers(times(0, 0, 0, 0), times(9, 0, 0, 20))).toBe(0);
  expect(shareOfOthers(null, null)).toBe(0);
});

test('reads /proc/stat without idle time and interrupts, and the ticks of a process with those of its children', () => {
  expect(parseStat('cpu  10 20 30 400 50 6 7 8 0 0\ncpu0 1 2 3 4\n')).toEqual({ all: 60, stolen: 8, capacity: 531 });
  const stat = '42 (a (strange) name) S 7 1 1 0 -1 4194560 1 2 3 4 100 20 3 1 20 0 1 0';
  expect(parseProcess(stat)).toEqual({ pid: 42, parent: 7, ticks: 124 });
});

test('descendants are found at any depth and in any order', () => {
  const processes = [
    { pid: 5, parent: 4 },
    { pid: 4, parent: 2 },
    { pid: 3, parent: 1 },
    { pid: 2, parent: 1 },
  ];
  expect([...descendantsOf(2, processes)]).toEqual([2, 4, 5]);
});

/** A machine on which others take these shares of the CPU, one in each round. */
function disturbedMachine(shares: number[]) {
  const now: CpuTimes = { all: 0, own: 0, stolen: 0, capacity: 0 };
  let isRunning = false;
  return async () => {
    if (isRunning) {
      now.all += 10 + (shares.shift() ?? 0) * 1000;
      now.capacity += 1000;
    }
    isRunning = !isRunning;
    return { ...now };
  };
}

function countingContenders() {
  const order: string[] = [];
  const contender = (name: string) => async () => {
    order.push(name);
    return order.length;
  };
  return { order, contenders: { a: contender('a'), b: contender('b') } };
}

test('rounds alternate their order after a warm-up that does not count', async () => {
  const rounds = openRounds({ maxRepeats: 2, repeatSeconds: 60 }, disturbedMachine([]));
  const { order, contenders } = countingContenders();
  expect(await rounds.interleave(2, contenders)).toEqual({ a: [3, 6], b: [4, 5] });
  expect(order.join('')).toBe('ababba');
  expect(rounds.takeDisturbances()).toEqual({ rounds: 2, repeated: 0, kept: 0, largestShare: 0 });
});

test('no contender is always the one that ends a round and begins the next', () => {
  const rounds = Array.from({ length: 6 }, (_, round) => orderOf(['a', 'b', 'c'], round).join(''));
  expect(rounds).toEqual(['abc', 'cba', 'bca', 'acb', 'cab', 'bac']);
});

test('a disturbed round is repeated, and the repeat counts in its place', async () => {
  const rounds = openRounds({ maxRepeats: 2, repeatSeconds: 60 }, disturbedMachine([0, 0.4, 0, 0]));
  const { contenders } = countingContenders();
  // The second round, with the figures 6 and 5, does not count.
  expect(await rounds.interleave(3, contenders)).toEqual({ a: [3, 8, 9], b: [4, 7, 10] });
  expect(rounds.takeDisturbances()).toEqual({ rounds: 3, repeated: 1, kept: 0, largestShare: 0 });
  expect(rounds.takeDisturbances()).toEqual({ rounds: 0, repeated: 0, kept: 0, largestShare: 0 });
});

test('on a machine that never gets quiet the repeats end, and the least disturbed rounds count', async () => {
  const rounds = openRounds({ maxRepeats: 1, repeatSeconds: 60 }, disturbedMachine([0.5, 0.2, 0.3]));
  const { contenders } = countingContenders();
  expect(await rounds.interleave(2, contenders)).toEqual({ a: [6, 8], b: [5, 7] });
  const { largestShare, ...counts } = rounds.takeDisturbances();
  expect(counts).toEqual({ rounds: 2, repeated: 1, kept: 2 });
  expect(largestShare).toBeCloseTo(0.3);
});

test('without time for repeats no round is repeated', async () => {
  const rounds = openRounds({ maxRepeats: 5, repeatSeconds: 0 }, disturbedMachine([0.5, 0.5]));
  await rounds.interleave(2, countingContenders().contenders);
  expect(rounds.takeDisturbances()).toMatchObject({ rounds: 2, repeated: 0, kept: 2 });
});

test('a failing contender fails the measurement', async () => {
  const rounds = openRounds({ maxRepeats: 1, repeatSeconds: 60 }, disturbedMachine([]));
  const broken = { a: async () => Promise.reject(new Error('broken')) };
  await expect(rounds.interleave(1, broken)).rejects.toThrow('broken');
});
