// The specification's formats. Instants are shown in the viewer's time zone; a calendar day (`YYYY-MM-DD`) has no zone and never shifts.

// Formatted by hand: creating the Intl formatters takes a phone 0.1 s while it hydrates a public page.
const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const twoDigits = (value: number) => String(value).padStart(2, '0');
const timeOf = (date: Date) => `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
const shortMonthOf = (date: Date) => months[date.getMonth()]?.slice(0, 3);

let weightFormat: Intl.NumberFormat | undefined;

const isDay = (value: string) => value.length === 10;

/** A calendar day as midnight of that day in the viewer's zone; an instant unchanged. */
const asDate = (value: string) => (isDay(value) ? new Date(`${value}T00:00:00`) : new Date(value));

/** 31/01/2026 */
export function formatDay(value: string): string {
  const date = asDate(value);
  return `${twoDigits(date.getDate())}/${twoDigits(date.getMonth() + 1)}/${date.getFullYear()}`;
}

/** 31/01/2026 14:05 */
export const formatDayTime = (value: string): string => `${formatDay(value)} ${timeOf(asDate(value))}`;

/** 14:05 */
export const formatTime = (value: string): string => timeOf(asDate(value));

/** Jan 31, 2026 14:05, as on the dashboards. */
export const formatMoment = (value: string | Date): string => {
  const date = typeof value === 'string' ? asDate(value) : value;
  return `${shortMonthOf(date)} ${date.getDate()}, ${date.getFullYear()} ${timeOf(date)}`;
};

/** Jan 2026 */
export function formatMonth(value: string): string {
  const date = asDate(value);
  return `${shortMonthOf(date)} ${date.getFullYear()}`;
}

/** October 2026, from `2026-10` */
export const formatLongMonth = (month: string): string => `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

/** Tue 24 Nov, with the year unless it is the current one. */
export function formatShortDay(value: string, today = new Date()): string {
  const date = asDate(value);
  const day = `${weekdays[date.getDay()]?.slice(0, 3)} ${date.getDate()} ${shortMonthOf(date)}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** 14:05 today, Fri 14:05 in the last six days, else 14 Nov; for narrow columns. */
export function formatBrief(value: string, now: Date): string {
  const date = asDate(value);
  const days = Math.abs(daysBetween(localDay(date), localDay(now)));
  if (days === 0) return timeOf(date);
  if (days < 7) return `${weekdays[date.getDay()]?.slice(0, 3)} ${timeOf(date)}`;
  return `${date.getDate()} ${shortMonthOf(date)}`;
}

/** Tuesday 24 November, with the year unless it is the current one. */
export function formatLongDay(value: string, today = new Date()): string {
  const date = asDate(value);
  const day = `${weekdays[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** Today, Tomorrow, Yesterday, Wed 25 Nov; with the year unless it is the current one. */
export function formatDayWord(value: string, today = new Date()): string {
  const date = asDate(value);
  const distance = daysBetween(localDay(today), localDay(date));
  const near = ['Yesterday', 'Today', 'Tomorrow'][distance + 1];
  if (near) return near;
  const day = `${weekdays[date.getDay()]?.slice(0, 3)} ${date.getDate()} ${shortMonthOf(date)}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** 12,345 */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** 1 driver, 1,200 drivers */
export const formatCountOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** 2.5 kg */
export function formatWeight(kg: number): string {
  weightFormat ??= new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
  return `${weightFormat.format(kg)} kg`;
}

/** 4.5/5.0 */
export const formatRating = (rating: number): string => `${rating.toFixed(1)}/5.0`;

/** This year in the viewer's zone. */
export const currentYear = (): number => new Date().getFullYear();

/** The time of day as a time input holds it: 08:05. */
export const localTime = (date: Date): string => timeOf(date);

/** A date, by default today, as `YYYY-MM-DD` in the viewer's zone, to compare with an ETA. */
export const localDay = (date = new Date()): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;

/** The number of calendar days from one `YYYY-MM-DD` to another: 1 if `to` is the next day. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/** '5 minutes ago', 'in 2 hours', 'yesterday'; 'just now' below one minute. */
export function formatRelative(value: string, now = Date.now()): string {
  const seconds = Math.round((asDate(value).getTime() - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 60) return 'just now';
  if (distance < 3600) return formatDistance(Math.trunc(seconds / 60), 'minute');
  if (distance < 86_400) return formatDistance(Math.trunc(seconds / 3600), 'hour');
  if (distance < 30 * 86_400) return formatDistance(Math.trunc(seconds / 86_400), 'day');
  if (distance < 365 * 86_400) return formatDistance(Math.trunc(seconds / (30 * 86_400)), 'month');
  return formatDistance(Math.trunc(seconds / (365 * 86_400)), 'year');
}

const namedDistances = {
  day: ['yesterday', 'tomorrow'],
  month: ['last month', 'next month'],
  year: ['last year', 'next year'],
};

/** -2 days is '2 days ago', +1 day is 'tomorrow'. */
function formatDistance(count: number, unit: 'minute' | 'hour' | keyof typeof namedDistances): string {
  const distance = Math.abs(count);
  if (distance === 1 && unit in namedDistances)
    return namedDistances[unit as keyof typeof namedDistances][count < 0 ? 0 : 1] ?? '';
  const words = `${distance} ${unit}${distance === 1 ? '' : 's'}`;
  return count < 0 ? `${words} ago` : `in ${words}`;
}
