import { expect, test } from 'vitest';
import { msUntilNext } from './time-until-next.ts';

const now = Date.parse('2026-11-24T08:00:00.000Z');
const at = (time: string) => `2026-11-24T${time}.000Z`;

test('who is on duty is read again when the next shift begins or ends, and not before', () => {
  expect(msUntilNext([at('16:00:00'), null, at('09:30:00')], now)).toBe(90 * 60_000);
});

test('without a shift ahead nothing is read again by the clock', () => {
  expect(msUntilNext([], now)).toBe(false);
  expect(msUntilNext([null, at('07:00:00')], now)).toBe(false);
});

test('a clock that is a little ahead of the server asks again, but not at once', () => {
  expect(msUntilNext([at('07:59:50')], now)).toBe(5000);
});
