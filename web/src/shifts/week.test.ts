import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

// A zone with daylight saving time. Intl formats keep the zone they were created in, hence the module reset.
const zone = process.env.TZ;
let week: typeof import('./week.ts');
beforeAll(async () => {
  process.env.TZ = 'Europe/Berlin';
  vi.resetModules();
  week = await import('./week.ts');
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  vi.resetModules();
});

test('any day selects its week, an invalid one the current week', () => {
  expect(week.mondayOf('2026-11-25', '2026-01-01')).toBe('2026-11-23');
  expect(week.mondayOf('2026-11-23')).toBe('2026-11-23');
  expect(week.mondayOf('2026-11-29')).toBe('2026-11-23');
  expect(week.mondayOf('2026-01-01')).toBe('2025-12-29');
  for (const none of [undefined, 'soon', '2026-99-99', '0001-01-01'])
    expect(week.mondayOf(none, '2026-11-29')).toBe('2026-11-23');
});

test('its days are consecutive across clock changes, months and years', () => {
  expect(week.daysOf('2026-03-23').at(-1)).toBe('2026-03-29');
  expect(week.daysOf('2025-12-29').slice(2, 5)).toEqual(['2025-12-31', '2026-01-01', '2026-01-02']);
  expect(week.addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(week.formatWeek('2025-12-29')).toBe('29\u00a0December to 4\u00a0January 2026');
  expect(week.formatWeek('2026-11-23')).toBe('23 to 29\u00a0November 2026');
});

describe('where the clocks change', () => {
  test('a week is an hour shorter or longer', () => {
    const hours = (monday: string) => {
      const { from, to } = week.boundsOf(monday);
      return (Date.parse(to) - Date.parse(from)) / 3_600_000;
    };
    expect([hours('2026-03-16'), hours('2026-03-23'), hours('2026-10-19')]).toEqual([168, 167, 169]);
  });

  test('a night shift counts the hours that really pass', () => {
    const length = (day: string) => {
      const { startsAt, endsAt } = week.timesOf(day, '22:00', '06:00');
      return week.formatLength(startsAt, endsAt);
    };
    expect([length('2026-03-27'), length('2026-03-28'), length('2026-10-24')]).toEqual(['8 h', '7 h', '9 h']);
  });

  test('a time skipped by the clock change becomes the one shown instead', () => {
    expect(week.timeOf(week.timesOf('2026-03-29', '02:30', '06:00').startsAt)).toBe('03:30');
  });
});

test('a shift whose end time is not later than its start ends on the next day', () => {
  expect(week.timesOf('2026-11-24', '08:00', '16:30')).toEqual({
    startsAt: '2026-11-24T07:00:00.000Z',
    endsAt: '2026-11-24T15:30:00.000Z',
  });
  expect(week.timesOf('2026-11-30', '22:00', '06:00').endsAt).toBe('2026-12-01T05:00:00.000Z');
  expect(week.timesOf('2026-11-30', '16:00', '00:00').endsAt).toBe('2026-11-30T23:00:00.000Z');
});

test('a night shift is listed on its start day, one that started on Sunday also on Monday of the next week', () => {
  const sunday = { startsAt: '2026-11-22T21:00:00.000Z', endsAt: '2026-11-23T05:00:00.000Z' };
  expect(week.dayOf(sunday, '2026-11-16')).toBe('2026-11-22');
  expect(week.dayOf(sunday, '2026-11-23')).toBe('2026-11-23');
  expect(week.crossesMidnight(sunday, '2026-11-22')).toBe(true);
  expect(week.crossesMidnight(sunday, '2026-11-23')).toBe(false);
  // Ending at midnight is not crossing it.
  expect(week.crossesMidnight({ endsAt: '2026-11-22T23:00:00.000Z' }, '2026-11-22')).toBe(false);
});

test('lengths are formatted in hours and minutes', () => {
  expect(week.formatLength('2026-01-01T08:00:00Z', '2026-01-01T15:30:00Z')).toBe('7 h 30 min');
  expect(week.formatLength('2026-01-01T08:00:00Z', '2026-01-01T08:45:00Z')).toBe('45 min');
});
