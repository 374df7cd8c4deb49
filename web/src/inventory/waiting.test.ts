import { expect, test } from 'vitest';
import { formatWait } from './waiting.ts';

test('a wait is told in the unit that fits it, and never in the future', () => {
  const since = '2026-03-01T10:00:00.000Z';
  const after = (minutes: number) => formatWait(since, Date.parse(since) + minutes * 60_000);
  expect([0, 59, 60, 119, 47 * 60 + 59, 48 * 60, 100 * 24 * 60].map(after)).toEqual([
    '0 min',
    '59 min',
    '1 h',
    '1 h',
    '47 h',
    '2 days',
    '100 days',
  ]);
  expect(after(-5)).toBe('0 min');
});
