import { expect, test } from 'vitest';
import { restOf } from './drag-sheet.ts';

/** Full, half, and a line at the bottom, of a window of 800 px. */
const points = [0, 400, 736];

test.each([
  { offset: 120, speed: 0, rest: 0, what: 'near the top' },
  { offset: 260, speed: 0, rest: 1, what: 'near the middle' },
  { offset: 600, speed: 0, rest: 2, what: 'near the bottom' },
  { offset: 380, speed: -2, rest: 0, what: 'flicked up from the middle' },
  { offset: 420, speed: 2, rest: 2, what: 'flicked down from the middle' },
  { offset: 700, speed: -1.5, rest: 1, what: 'flicked up from the bottom' },
])('a sheet that is let go $what rests at the nearest point', ({ offset, speed, rest }) => {
  expect(restOf(offset, speed, points)).toBe(rest);
});

test('a dialog that is drawn down a little stays, and farther closes', () => {
  expect([restOf(100, 0, [0, 500]), restOf(300, 0, [0, 500]), restOf(60, 1.5, [0, 500])]).toEqual([0, 1, 1]);
});

test('a panel as high as the window closes by a calm flick', () => {
  expect([restOf(200, 0.7, [0, 844]), restOf(60, 0.7, [0, 844])]).toEqual([1, 0]);
});
