import { afterEach, expect, test, vi } from 'vitest';
import { startPoll } from './polls.ts';

afterEach(() => vi.useRealTimers());

test('polls of any interval look at times at least 250 ms apart, until they are stopped', async () => {
  vi.useFakeTimers();
  const from = performance.now();
  const looks: number[] = [];
  const stops = [2000, 5000, 5000, 3000].map((everyMs) =>
    startPoll(() => looks.push(performance.now() - from), everyMs),
  );

  await vi.advanceTimersByTimeAsync(61_000);
  expect(looks).toHaveLength(30 + 12 + 12 + 20);
  const gaps = looks.slice(1).map((at, n) => at - Number(looks[n]));
  expect(Math.min(...gaps)).toBe(250);

  for (const stop of stops) stop();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(looks).toHaveLength(74);
});
