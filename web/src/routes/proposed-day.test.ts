import { expect, test } from 'vitest';
import { proposedDayOf, wishedTimes } from './proposed-day.ts';

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

test('the wished times of a selection are said once each, by the day of the depot, and a row that two lists have loaded counts once', () => {
  const window = { from: '2026-03-11T23:00:00Z', to: '2026-03-12T01:00:00Z' };
  const early = { from: '2026-03-10T08:00:00Z', to: '2026-03-10T10:30:00Z' };
  const rows = [
    { id: 'a', window },
    { id: 'a', window },
    { id: 'b', window },
    { id: 'c', window: null },
    { id: 'd', window: early },
  ];
  expect(wishedTimes(rows, 'Europe/Berlin')).toEqual([
    { day: '2026-03-10', lastDay: '2026-03-10', time: '09–11:30', packages: 1 },
    { day: '2026-03-12', lastDay: '2026-03-12', time: '00–02', packages: 2 },
  ]);
});
