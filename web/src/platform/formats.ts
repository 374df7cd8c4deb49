// The specification's formats. Days and times are the viewer's; a calendar day (`YYYY-MM-DD`) is nobody's and never shifts.

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const shortDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric' });
const longDayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const weightFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

const isDay = (value: string) => value.length === 10;

/** A calendar day as the same day in the viewer's zone; an instant as itself. */
const asDate = (value: string) => (isDay(value) ? new Date(`${value}T00:00:00`) : new Date(value));

/** 31/01/2026 */
export const formatDay = (value: string): string => dayFormat.format(asDate(value));

/** 31/01/2026 14:05 */
export const formatDayTime = (value: string): string => `${formatDay(value)} ${timeFormat.format(asDate(value))}`;

/** Jan 31, 2026 14:05 - the dashboards' form. */
export const formatMoment = (value: string | Date): string => {
  const date = typeof value === 'string' ? asDate(value) : value;
  return `${shortDayFormat.format(date)} ${timeFormat.format(date)}`;
};

/** Jan 2026 */
export const formatMonth = (value: string): string => monthFormat.format(asDate(value));

/** Tuesday 24 November, with the year when it is not this one. */
export function formatLongDay(value: string, today = new Date()): string {
  const date = asDate(value);
  const day = longDayFormat.format(date).replace(',', '');
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** 12,345 */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** 1 driver, 1,200 drivers */
export const formatCountOf = (count: number, thing: string): string =>
  `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;

/** 2.5 kg */
export const formatWeight = (kg: number): string => `${weightFormat.format(kg)} kg`;

/** 4.5/5.0 */
export const formatRating = (rating: number): string => `${rating.toFixed(1)}/5.0`;

/** In the viewer's zone. */
export const currentYear = (): number => new Date().getFullYear();

/** Today as `YYYY-MM-DD` in the viewer's zone, to compare with an eta. */
export function localDay(date = new Date()): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Calendar days from one day to another: 1 is tomorrow. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/** '5 minutes ago', 'in 2 hours', 'yesterday'; below a minute 'just now'. */
export function formatRelative(value: string, now = Date.now()): string {
  const seconds = Math.round((asDate(value).getTime() - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 60) return 'just now';
  if (distance < 3600) return relativeFormat.format(Math.trunc(seconds / 60), 'minute');
  if (distance < 86_400) return relativeFormat.format(Math.trunc(seconds / 3600), 'hour');
  if (distance < 30 * 86_400) return relativeFormat.format(Math.trunc(seconds / 86_400), 'day');
  if (distance < 365 * 86_400) return relativeFormat.format(Math.trunc(seconds / (30 * 86_400)), 'month');
  return relativeFormat.format(Math.trunc(seconds / (365 * 86_400)), 'year');
}
