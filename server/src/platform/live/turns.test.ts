import { afterEach, expect, test, vi } from 'vitest';
import { openTurns } from './turns.ts';

afterEach(() => vi.useRealTimers());

test('every callback is called once in each interval, but only a few of them at a time', () => {
  vi.useFakeTimers();
  const turns = openTurns(6400, 64);
  const counts = Array.from({ length: 320 }, () => 0);
  let calls = 0;
  const removes = counts.map((_, index) =>
    turns.add(() => {
      counts[index] = (counts[index] ?? 0) + 1;
      calls++;
    }),
  );
  /** The calls of each turn. */
  const run = (intervals: number) =>
    Array.from({ length: intervals * 64 }, () => {
      calls = 0;
      vi.advanceTimersByTime(100);
      return calls;
    });

  expect(new Set(run(2))).toEqual(new Set([5]));
  expect(new Set(counts)).toEqual(new Set([2]));

  removes.slice(1).forEach((remove) => remove());
  run(1);
  expect(counts.slice(0, 3)).toEqual([3, 2, 2]);
  turns.close();
});
