import { expect, test } from 'vitest';
import { chosenDays, daysBefore, isDays, isMonth } from './periods.ts';

test('chosen days are two days that exist, in order', () => {
  expect(chosenDays('2026-10-10..2026-11-05')).toEqual({ from: '2026-10-10', to: '2026-11-05' });
  for (const period of [
    '2026-11-05..2026-10-10',
    '2026-02-30..2026-03-01',
    '2026-13-01..2026-13-02',
    '2026-10',
    '30',
    'a..b',
  ])
    expect(chosenDays(period), period).toBeUndefined();
});

test('a period is either of the last days, or a month, or chosen days', () => {
  const kinds = ['30', '2026-10', '2026-10-10..2026-11-05'].map((period) => [
    isDays(period),
    isMonth(period),
    chosenDays(period) !== undefined,
  ]);
  expect(kinds).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
});

test('the days before a period are as many, across a month and a leap day', () => {
  expect(daysBefore('2024-03-01', 2)).toBe('2024-02-28..2024-02-29');
});
