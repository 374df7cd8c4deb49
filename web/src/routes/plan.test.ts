import { expect, test } from 'vitest';
import { insertedAt, momentIn, windowIn } from './plan.ts';

test.each([
  ['Europe/Berlin', '2026-06-10', '08:00', '2026-06-10T06:00:00.000Z'],
  ['Europe/Berlin', '2026-01-10', '00:30', '2026-01-09T23:30:00.000Z'],
  ['America/New_York', '2026-03-08', '09:00', '2026-03-08T13:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '09:00', '2026-10-25T08:00:00.000Z'],
])('in %s on %s %s is %s', (zone, day, time, moment) => {
  expect(momentIn(zone, day, time)).toBe(moment);
});

test('a window is as short as it can be read', () => {
  expect(windowIn('Europe/Berlin', { from: '2026-06-10T07:30:00Z', to: '2026-06-10T10:00:00Z' })).toBe('09:30–12');
  expect(windowIn('Europe/Berlin', null)).toBeNull();
});

test('stops are inserted before the one at their place, also further down the same route', () => {
  expect(insertedAt(['a', 'b', 'c'], ['x'], 1)).toEqual(['a', 'x', 'b', 'c']);
  expect(insertedAt(['a', 'b', 'c'], ['a'], 3)).toEqual(['b', 'c', 'a']);
  expect(insertedAt(['a', 'b', 'c'], ['c'], 0)).toEqual(['c', 'a', 'b']);
});
