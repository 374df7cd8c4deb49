import type { Shift } from '@waybill/contract';
import { localDay } from '../platform/formats.ts';

// A week starts on Monday. Days are calendar days `YYYY-MM-DD`; instants are computed in the viewer's zone.

const dayMs = 86_400_000;
const headFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Calendar arithmetic in UTC, where every day has 24 hours. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The Monday of the week of `day`; of the current week if that is no valid day. */
export function mondayOf(day: string | undefined, today = localDay()): string {
  const valid = day !== undefined && /^[2-9]\d{3}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : today;
  return addDays(valid, -((new Date(valid).getUTCDay() + 6) % 7));
}

export const daysOf = (monday: string): string[] => Array.from({ length: 7 }, (_, index) => addDays(monday, index));

/** A local time on a day. One skipped by a clock change becomes the time shown instead. */
export const momentOf = (day: string, time = '00:00'): Date => new Date(`${day}T${time}:00`);

/** Start and end of a week as instants: an hour shorter or longer when the clocks change. */
export const boundsOf = (monday: string) => ({
  from: momentOf(monday).toISOString(),
  to: momentOf(addDays(monday, 7)).toISOString(),
});

/** Start and end as instants; an end not later than the start is on the next day. */
export function timesOf(day: string, from: string, to: string): { startsAt: string; endsAt: string } {
  const endDay = to > from ? day : addDays(day, 1);
  return { startsAt: momentOf(day, from).toISOString(), endsAt: momentOf(endDay, to).toISOString() };
}

export const timeOf = (moment: string): string => timeFormat.format(new Date(moment));

/** Mon 24 Nov */
export const formatHead = (day: string): string => headFormat.format(momentOf(day)).replace(',', '');

/** 23 to 29 November 2026, or 30 November to 6 December 2026. No line ends between a day and its month. */
export function formatWeek(monday: string): string {
  const sunday = addDays(monday, 6);
  const [first, last] = [monday, sunday].map((day) => dateFormat.format(momentOf(day)).replace(' ', '\u00a0'));
  const isOneMonth = monday.slice(0, 7) === sunday.slice(0, 7);
  return `${isOneMonth ? Number(monday.slice(8)) : first} to ${last} ${sunday.slice(0, 4)}`;
}

/** 8 h, 7 h 30 min */
export function formatLength(startsAt: string, endsAt: string): string {
  const minutes = Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000);
  const parts = [
    Math.floor(minutes / 60) > 0 && `${Math.floor(minutes / 60)} h`,
    minutes % 60 > 0 && `${minutes % 60} min`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** The day that lists a shift: its start day, or Monday if it started before the week. */
export function dayOf({ startsAt }: Pick<Shift, 'startsAt'>, monday: string): string {
  const day = localDay(new Date(startsAt));
  return day < monday ? monday : day;
}

/** Whether a shift ends after the midnight that ends `day`. One that ends at midnight does not cross it. */
export const crossesMidnight = ({ endsAt }: Pick<Shift, 'endsAt'>, day: string): boolean =>
  localDay(new Date(Date.parse(endsAt) - 1)) > day;
