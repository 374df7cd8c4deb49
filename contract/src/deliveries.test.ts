import { expect, test } from 'vitest';
import { estimateDelivery } from './deliveries.ts';

const started = new Date('2026-11-22T10:00:00.000Z');

test.each([
  ['without a window within six hours', null, '2026-11-22T16:00:00.000Z'],
  [
    'not before the window begins',
    ['2026-11-25T08:00:00.000Z', '2026-11-25T12:00:00.000Z'],
    '2026-11-25T08:00:00.000Z',
  ],
  ['not after the window ends', ['2026-11-22T09:00:00.000Z', '2026-11-22T12:30:00.000Z'], '2026-11-22T12:30:00.000Z'],
  [
    'within six hours where those end in the window',
    ['2026-11-22T15:00:00.000Z', '2026-11-22T18:00:00.000Z'],
    '2026-11-22T16:00:00.000Z',
  ],
  [
    'within six hours once the window is over',
    ['2026-11-22T08:00:00.000Z', '2026-11-22T10:00:00.000Z'],
    '2026-11-22T16:00:00.000Z',
  ],
] as const)('a delivery is expected %s', (_, window, expected) => {
  const preferred = window && { from: window[0], to: window[1] };
  expect(estimateDelivery(started, preferred).toISOString()).toBe(expected);
});
