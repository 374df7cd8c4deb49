import { expect, test } from 'vitest';
import { proposeDay, type TriedPackage, type WorkingDay } from './proposed-day.ts';

// 6 March 2026 is a Friday.
const friday = new Date('2026-03-06T15:00:00Z');
const propose = (
  fields: Partial<TriedPackage> = {},
  days: (string | WorkingDay)[] = [],
  { now = friday, timeZone = 'Europe/Berlin' } = {},
) => {
  const workingDays = days.map((day) => (typeof day === 'string' ? { day, kilograms: Infinity } : day));
  const pkg = { since: friday, returns: false, wish: null, window: null, weight: 5, ...fields };
  return proposeDay(pkg, { now, timeZone, workingDays });
};
const windowOn = (day: string, to = `${day}T12:00:00Z`) => ({
  from: new Date(`${day}T10:00:00Z`),
  to: new Date(to),
});

test('the next day that somebody works on is proposed, a Sunday only if somebody does', () => {
  expect(propose({}, ['2026-03-06', '2026-03-09', '2026-03-10'])).toBe('2026-03-09');
  expect(propose({}, ['2026-03-08', '2026-03-09'])).toBe('2026-03-08');
});

test('where the schedule says nothing it is the next day, but no Sunday', () => {
  expect(propose()).toBe('2026-03-07');
  expect(propose({ since: new Date('2026-03-07T15:00:00Z') })).toBe('2026-03-09');
  expect(propose({}, ['2026-03-06'])).toBe('2026-03-07');
});

test('no day before the one that the owner or the recipient chose, and one that is worked on', () => {
  expect(propose({ wish: '2026-03-12' }, ['2026-03-09', '2026-03-13'])).toBe('2026-03-13');
  expect(propose({ wish: '2026-03-02' }, ['2026-03-09'])).toBe('2026-03-09');
  expect(propose({ wish: '2026-06-14' }, ['2026-03-09'])).toBe('2026-06-15');
});

test('the day of a window that is still ahead, not of one that has passed', () => {
  expect(propose({ window: windowOn('2026-03-11') }, ['2026-03-09', '2026-03-11'])).toBe('2026-03-11');
  expect(propose({ window: windowOn('2026-03-06') }, ['2026-03-09'])).toBe('2026-03-09');
});

test('no day after a window that can still be kept, whoever works then and whatever is full', () => {
  expect(propose({ window: windowOn('2026-03-11') }, ['2026-03-09', '2026-03-12'])).toBe('2026-03-11');
  const full = { day: '2026-03-11', kilograms: 0 };
  expect(propose({ window: windowOn('2026-03-11') }, [full, '2026-03-12'])).toBe('2026-03-11');
  expect(propose({ window: windowOn('2026-03-08') })).toBe('2026-03-08');
  const long = windowOn('2026-03-11', '2026-03-13T12:00:00Z');
  expect(propose({ window: long }, [full, '2026-03-13', '2026-03-14'])).toBe('2026-03-13');
  // The owner has chosen a day after it since.
  expect(propose({ window: windowOn('2026-03-11'), wish: '2026-03-16' }, ['2026-03-17'])).toBe('2026-03-17');
});

test('what goes back to its owner waits for nobody’s wish', () => {
  const wishes = { wish: '2026-03-12', window: windowOn('2026-03-11') };
  expect(propose({ ...wishes, returns: true }, ['2026-03-09', '2026-03-12'])).toBe('2026-03-09');
});

test('what was tried days ago can go today, by the day of the depot', () => {
  const now = new Date('2026-03-09T05:00:00Z');
  expect(propose({}, ['2026-03-09'], { now })).toBe('2026-03-09');
  // There it is still Sunday.
  expect(propose({}, ['2026-03-09'], { now, timeZone: 'America/Los_Angeles' })).toBe('2026-03-09');
  expect(propose({}, ['2026-03-08', '2026-03-09'], { now, timeZone: 'America/Los_Angeles' })).toBe('2026-03-08');
});

test('a day on which it fits, else the first that is worked on', () => {
  const full = { day: '2026-03-09', kilograms: 0 };
  const small = { day: '2026-03-10', kilograms: 4.9 };
  const large = { day: '2026-03-11', kilograms: 5 };
  expect(propose({}, [full, small, large, '2026-03-12'])).toBe('2026-03-11');
  expect(propose({ weight: 4 }, [large, small, full])).toBe('2026-03-10');
  expect(propose({ weight: 30 }, [full, small, large])).toBe('2026-03-09');
});
