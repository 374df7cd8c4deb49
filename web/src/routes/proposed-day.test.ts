import { expect, test } from 'vitest';
import { proposedDayOf } from './proposed-day.ts';

const row = (id: string, proposedDay: string | null) => ({ id, proposedDay });

test('a selection of packages that were tried is proposed for the last of their days', () => {
  const rows = [row('a', '2026-03-10'), row('b', '2026-03-12')];
  expect(proposedDayOf(rows, 2, '2026-03-09')).toBe('2026-03-12');
  // A row that two lists have loaded counts once.
  expect(proposedDayOf([...rows, row('a', '2026-03-10')], 3, '2026-03-09')).toBeNull();
});

test('nothing is proposed where a package was not tried, is not loaded, or can go on the day that is shown', () => {
  expect(proposedDayOf([row('a', '2026-03-10'), row('b', null)], 2, '2026-03-09')).toBeNull();
  expect(proposedDayOf([row('a', '2026-03-10')], 2, '2026-03-09')).toBeNull();
  expect(proposedDayOf([row('a', '2026-03-10')], 1, '2026-03-10')).toBeNull();
  expect(proposedDayOf([], 0, '2026-03-09')).toBeNull();
});
