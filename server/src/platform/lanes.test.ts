import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { openLanes, type Lane } from './lanes.ts';

afterEach(() => vi.useRealTimers());

test('lanes are run once in each interval at different times, and not while they still run', async () => {
  vi.useFakeTimers();
  const begun: string[] = [];
  const lane = (name: string, work = async () => {}): Lane => [
    [
      'it failed',
      () => {
        begun.push(`${name} ${performance.now() - from}`);
        return work();
      },
    ],
  ];
  const from = performance.now();
  const failing = () => Promise.reject(new Error('no connection'));
  const stop = openLanes(
    [lane('a'), lane('slow', () => new Promise(() => {})), lane('failing', failing)],
    20_000,
    pino({ level: 'silent' }),
  );

  await vi.advanceTimersByTimeAsync(19_999);
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(begun).toEqual(['a 20250', 'slow 21500', 'failing 22750', 'a 40250', 'failing 42750']);

  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(5);
});
