// The specification's formats. Instants are shown in the viewer's time zone; a calendar day (`YYYY-MM-DD`) has no zone and never shifts.

import { formatLocale } from './format-language.ts';

// Formatted by hand: creating the Intl formatters takes a phone 0.1 s while it hydrates a public page.
const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const formatters = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string | null, Intl.NumberFormat>();

/** A date in a language other than English; null in English. Each formatter is made once, when it is needed first. */
function localized(date: Date, options: Intl.DateTimeFormatOptions): string | null {
  if (formatLocale === null) return null;
  const key = `${formatLocale} ${Object.entries(options).join(' ')}`;
  let formatter = formatters.get(key);
  if (!formatter) formatters.set(key, (formatter = new Intl.DateTimeFormat(formatLocale, options)));
  return formatter.format(date);
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
const timeOf = (date: Date) => `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
const shortMonthOf = (date: Date) => months[date.getMonth()]?.slice(0, 3);

const isDay = (value: string) => value.length === 10;

/** A calendar day as midnight of that day in the viewer's zone; an instant unchanged. */
const asDate = (value: string) => (isDay(value) ? new Date(`${value}T00:00:00`) : new Date(value));

/** 31/01/2026 */
export function formatDay(value: string): string {
  const date = asDate(value);
  return (
    localized(date, { day: '2-digit', month: '2-digit', year: 'numeric' }) ??
    `${twoDigits(date.getDate())}/${twoDigits(date.getMonth() + 1)}/${date.getFullYear()}`
  );
}

/** 31/01/2026 14:05 */
export const formatDayTime = (value: string): string => `${formatDay(value)} ${timeOf(asDate(value))}`;

/** 14:05 */
export const formatTime = (value: string): string => timeOf(asDate(value));

/** Jan 31, 2026 14:05, as on the dashboards. */
export const formatMoment = (value: string | Date): string => {
  const date = typeof value === 'string' ? asDate(value) : value;
  const day = localized(date, { day: 'numeric', month: 'short', year: 'numeric' });
  if (day !== null) return `${day} ${timeOf(date)}`;
  return `${shortMonthOf(date)} ${date.getDate()}, ${date.getFullYear()} ${timeOf(date)}`;
};

/** Jan 2026 */
export function formatMonth(value: string): string {
  const date = asDate(value);
  return localized(date, { month: 'short', year: 'numeric' }) ?? `${shortMonthOf(date)} ${date.getFullYear()}`;
}

/** October 2026, from `2026-10` */
export const formatLongMonth = (month: string): string =>
  localized(asDate(`${month}-01`), { month: 'long', year: 'numeric' }) ??
  `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

/** Tue 24 Nov, with the year unless it is the current one. */
export function formatShortDay(value: string, today = new Date()): string {
  const date = asDate(value);
  const named = localized(date, { weekday: 'short', ...dayAndMonth('short', date, today) });
  if (named !== null) return named;
  const day = `${weekdays[date.getDay()]?.slice(0, 3)} ${date.getDate()} ${shortMonthOf(date)}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** 14:05 today, Fri 14:05 in the last six days, else 14 Nov; for narrow columns. */
export function formatBrief(value: string, now: Date): string {
  const date = asDate(value);
  const days = Math.abs(daysBetween(localDay(date), localDay(now)));
  if (days === 0) return timeOf(date);
  if (days < 7)
    return `${localized(date, { weekday: 'short' }) ?? weekdays[date.getDay()]?.slice(0, 3)} ${timeOf(date)}`;
  return localized(date, { day: 'numeric', month: 'short' }) ?? `${date.getDate()} ${shortMonthOf(date)}`;
}

/** Tuesday 24 November, with the year unless it is the current one. */
export function formatLongDay(value: string, today = new Date()): string {
  const date = asDate(value);
  const named = localized(date, { weekday: 'long', ...dayAndMonth('long', date, today) });
  if (named !== null) return named;
  const day = `${weekdays[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** Today, Tomorrow, Yesterday, Wed 25 Nov; with the year unless it is the current one. */
export function formatDayWord(value: string, today = new Date()): string {
  const date = asDate(value);
  const distance = daysBetween(localDay(today), localDay(date));
  const near = nearDay(distance);
  if (near) return near.charAt(0).toUpperCase() + near.slice(1);
  const named = localized(date, { weekday: 'short', ...dayAndMonth('short', date, today) });
  if (named !== null) return named;
  const day = `${weekdays[date.getDay()]?.slice(0, 3)} ${date.getDate()} ${shortMonthOf(date)}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

const nearDays = ['yesterday', 'today', 'tomorrow'];

/** 'yesterday', 'today' or 'tomorrow' in the language of the page; null for other distances in days. */
export function nearDay(distance: number): string | null {
  const english = nearDays[distance + 1];
  if (english === undefined || formatLocale === null) return english ?? null;
  return new Intl.RelativeTimeFormat(formatLocale, { numeric: 'auto' }).format(distance, 'day');
}

const dayAndMonth = (month: 'short' | 'long', date: Date, today: Date): Intl.DateTimeFormatOptions => ({
  day: 'numeric',
  month,
  ...(date.getFullYear() !== today.getFullYear() && { year: 'numeric' }),
});

/** 12,345 */
export const formatCount = (count: number): string => count.toLocaleString(formatLocale ?? 'en');

/** 1 driver, 1,200 drivers */
export const formatCountOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** 2.5, with at most three decimals */
export function formatNumber(value: number): string {
  let format = numberFormats.get(formatLocale);
  if (!format)
    numberFormats.set(
      formatLocale,
      (format = new Intl.NumberFormat(formatLocale ?? 'en', { maximumFractionDigits: 3 })),
    );
  return format.format(value);
}

/** 2.5 kg */
export const formatWeight = (kg: number): string => `${formatNumber(kg)} kg`;

/** 4.5/5.0 */
export const formatRating = (rating: number): string => `${rating.toFixed(1)}/5.0`;

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
  if (distance < 60) return formatLocale === null ? 'just now' : formatDistance(0, 'second');
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
function formatDistance(count: number, unit: 'second' | 'minute' | 'hour' | keyof typeof namedDistances): string {
  if (formatLocale !== null) return new Intl.RelativeTimeFormat(formatLocale, { numeric: 'auto' }).format(count, unit);
  const distance = Math.abs(count);
  if (distance === 1 && unit in namedDistances)
    return namedDistances[unit as keyof typeof namedDistances][count < 0 ? 0 : 1] ?? '';
  const words = `${distance} ${unit}${distance === 1 ? '' : 's'}`;
  return count < 0 ? `${words} ago` : `in ${words}`;
}
