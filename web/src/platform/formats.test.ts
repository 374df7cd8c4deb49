import { expect, test } from 'vitest';
import {
  daysBetween,
  formatDay,
  formatDayTime,
  formatLongDay,
  formatMoment,
  formatMonth,
  formatRating,
  formatRelative,
  formatWeight,
  localDay,
} from './formats.ts';

// Without a zone suffix these are local times in any time zone the test runs in.
const local = (text: string) => new Date(text).toISOString();

test('a day is formatted as dd/mm/yyyy', () => {
  expect(formatDay('2026-01-05')).toBe('05/01/2026');
  expect(formatDay(local('2026-01-05T23:59:00'))).toBe('05/01/2026');
});

test('a creation or update time is formatted as dd/mm/yyyy hh:mm', () => {
  expect(formatDayTime(local('2026-11-21T09:05:00'))).toBe('21/11/2026 09:05');
  expect(formatDayTime(local('2026-11-21T00:05:00'))).toBe('21/11/2026 00:05');
});

test('dashboards format times as MMM d, yyyy HH:mm', () => {
  expect(formatMoment(local('2026-09-03T18:30:00'))).toBe('Sep 3, 2026 18:30');
});

test('the names of days and months match those of Intl', () => {
  for (let day = 1; day <= 366; day += 13) {
    const date = new Date(2028, 0, day, 12);
    const parts = (locale: string, options: Intl.DateTimeFormatOptions) => date.toLocaleDateString(locale, options);
    const long = parts('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }).replace(',', '');
    expect(formatLongDay(date.toISOString(), date)).toBe(long);
    expect(formatMonth(date.toISOString())).toBe(parts('en-US', { month: 'short', year: 'numeric' }));
  }
});

test('the month of registration is formatted as MMM yyyy', () => {
  expect(formatMonth(local('2026-09-03T18:30:00'))).toBe('Sep 2026');
});

test('a long day includes the year only if it is not the current one', () => {
  const today = new Date('2026-11-21T12:00:00');
  expect(formatLongDay('2026-11-24', today)).toBe('Tuesday 24 November');
  expect(formatLongDay('2027-01-04', today)).toBe('Monday 4 January 2027');
});

test('weights have their unit and no trailing digits', () => {
  expect(formatWeight(2.5)).toBe('2.5 kg');
  expect(formatWeight(0.1 + 0.2)).toBe('0.3 kg');
  expect(formatWeight(50)).toBe('50 kg');
});

test('a rating is formatted as x/5.0', () => {
  expect(formatRating(4)).toBe('4.0/5.0');
  expect(formatRating(4.25)).toBe('4.3/5.0');
});

test('days are counted as calendar days', () => {
  expect(daysBetween('2026-02-28', '2026-03-01')).toBe(1);
  expect(daysBetween('2026-11-21', '2026-11-21')).toBe(0);
  expect(localDay(new Date('2026-03-09T23:30:00'))).toBe('2026-03-09');
});

test.each([
  [30, 'just now'],
  [90, '1 minute ago'],
  [2 * 3600, '2 hours ago'],
  [25 * 3600, 'yesterday'],
  [3 * 86_400, '3 days ago'],
  [40 * 86_400, 'last month'],
  [3 * 365 * 86_400, '3 years ago'],
  [-60, 'in 1 minute'],
  [-3 * 3600, 'in 3 hours'],
  [-25 * 3600, 'tomorrow'],
])('%i seconds ago is formatted as %s', (seconds, text) => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(formatRelative(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});
