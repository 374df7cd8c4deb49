import { expect, test } from 'vitest';
import { msUntilNext } from './time-until-next.ts';

const now = Date.parse('2026-11-24T08:00:00.000Z');
const at = (time: string) => `2026-11-24T${time}.000Z`;

test('who is on duty is refetched when the next shift starts or ends, not before', () => {
  expect(msUntilNext([at('16:00:00'), null, at('09:30:00')], now)).toBe(90 * 60_000);
});

test('without a shift ahead there is no timed refetch', () => {
  expect(msUntilNext([], now)).toBe(false);
  expect(msUntilNext([null, at('07:00:00')], now)).toBe(false);
});

test('a browser clock slightly ahead of the server refetches after the minimum pause', () => {
  expect(msUntilNext([at('07:59:50')], now)).toBe(5000);
});
