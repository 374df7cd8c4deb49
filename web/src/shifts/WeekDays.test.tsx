import type { Shift } from '@waybill/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WeekDays } from './WeekDays.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-27T02:00:00') }));
afterEach(() => vi.useRealTimers());

const driver = { id: 'dana', name: 'Dana Driver', active: true, onDuty: false, until: null, absence: null };
const shift = (day: string, onDuty: boolean) => {
  const startsAt = new Date(`${day}T20:00:00`).toISOString();
  const endsAt = new Date(`${day}T23:00:00`).toISOString();
  return { id: day, driverId: 'dana', driver: 'Dana Driver', startsAt, endsAt, onDuty, absence: null, note: null };
};
const nothing = () => {};
/** Heads of the days that are folded, and of those that are not. */
function drawn(monday: string, shifts: unknown[] = []) {
  const html = renderToStaticMarkup(
    <WeekDays
      monday={monday}
      rows={[driver]}
      shifts={shifts as Shift[]}
      absences={[]}
      onAdd={nothing}
      onEdit={nothing}
      onEditAbsence={nothing}
    />,
  );
  const headsOf = (part: string) => [...part.matchAll(/<h3[^>]*>(\w+ \d+)/g)].map(([, head]) => head);
  const end = html.lastIndexOf('</details>');
  return [headsOf(html.slice(0, Math.max(0, end))), headsOf(html.slice(Math.max(0, end)))];
}

test('this week begins with today, and the days that are over are folded before it', () => {
  expect(drawn('2026-11-23')).toEqual([
    ['Mon 23', 'Tue 24', 'Wed 25', 'Thu 26'],
    ['Fri 27', 'Sat 28', 'Sun 29'],
  ]);
});

test('the day of a night shift that still runs is not over', () => {
  expect(drawn('2026-11-23', [shift('2026-11-25', false), shift('2026-11-26', true)])).toEqual([
    ['Mon 23', 'Tue 24', 'Wed 25'],
    ['Thu 26', 'Fri 27', 'Sat 28', 'Sun 29'],
  ]);
});

test('no day of another week is folded', () => {
  for (const monday of ['2026-11-16', '2026-11-30']) expect(drawn(monday).map((days) => days.length)).toEqual([0, 7]);
});
