import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { formatLocale } from '../platform/format-language.ts';
import { daysBetween, formatTime, localDay } from '../platform/formats.ts';
import type { Tone } from '../ui/tone.ts';
import { texts } from './texts.ts';

/** `arrivalWindow`: when the driver of a round is expected. It counts before the recipient's wish, which is no promise. */
type Times = Pick<Delivery, 'window' | 'estimatedDeliveryTime'> & { arrivalWindow?: Delivery['window'] };

const minuteMs = 60_000;
/** Beyond this many minutes hours are said. */
const longMinutes = 90;

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const formatters = new Map<string, Intl.DateTimeFormat>();

/** In a language other than English; making a formatter takes long, and lists have many days. */
function localized(locale: string, date: Date, isNear: boolean): string {
  const key = `${locale} ${isNear}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locale, isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' });
    formatters.set(key, formatter);
  }
  return formatter.format(date);
}

/** Empty for today; 'Mon' within six days, else '24 Nov'. */
function dayName(instant: string, now: Date): string {
  const date = new Date(instant);
  return localDay(date) === localDay(now) ? '' : nameOfDate(date, now);
}

/** A day as 'Mon', or as '30 Nov' once it is a week away. */
export const weekdayOf = (day: string, now: Date): string => nameOfDate(new Date(`${day}T12:00`), now);

function nameOfDate(date: Date, now: Date): string {
  const isNear = Math.abs(daysBetween(localDay(now), localDay(date))) < 7;
  if (formatLocale !== null) return localized(formatLocale, date, isNear);
  return isNear ? (weekdays[date.getDay()] ?? '') : `${date.getDate()} ${months[date.getMonth()] ?? ''}`;
}

/** '14:10 – 14:35' or 'by 05:33', with the day unless it is today; null without any time. */
export function dueText({ arrivalWindow, window: wish, estimatedDeliveryTime }: Times, now: Date): string | null {
  const window = arrivalWindow ?? wish;
  if (window) {
    const hours = fill(texts.window, { from: formatTime(window.from), to: formatTime(window.to) });
    const [first, last] = [dayName(window.from, now), dayName(window.to, now)];
    if (first === last) return first ? fill(texts.windowOn, { day: first, window: hours }) : hours;
    return fill(texts.window, {
      from: `${first} ${formatTime(window.from)}`.trim(),
      to: `${last} ${formatTime(window.to)}`.trim(),
    });
  }
  if (!estimatedDeliveryTime) return null;
  const day = dayName(estimatedDeliveryTime, now);
  const time = formatTime(estimatedDeliveryTime);
  return day ? fill(texts.byOn, { day, time }) : fill(texts.by, { time });
}

/** How it stands against the clock: 'in 12 min', '20 min left', '5 min late'; null while it is more than a day away. */
export function dueState(
  { arrivalWindow, window: wish, estimatedDeliveryTime }: Times,
  now: Date,
): { text: string; tone: Tone } | null {
  const window = arrivalWindow ?? wish;
  const end = window?.to ?? estimatedDeliveryTime;
  if (!end) return null;
  const minutesTo = (instant: string) => Math.round((Date.parse(instant) - now.getTime()) / minuteMs);
  const left = minutesTo(end);
  if (left < 0)
    return { text: left < -longMinutes ? texts.late : fill(texts.lateBy, { minutes: -left }), tone: 'yellow' };
  const until = window ? minutesTo(window.from) : left;
  if (until > 24 * 60) return null;
  if (until > longMinutes) return { text: fill(texts.inHours, { hours: Math.round(until / 60) }), tone: 'blue' };
  if (until > 0) return { text: fill(texts.inMinutes, { minutes: until }), tone: 'blue' };
  return { text: left > longMinutes ? texts.now : fill(texts.minutesLeft, { minutes: left }), tone: 'blue' };
}
