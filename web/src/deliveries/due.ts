import type { Delivery } from '@waybill/contract';
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

/** Empty for today; 'Mon' within six days, else '24 Nov'. */
function dayName(instant: string, now: Date): string {
  const date = new Date(instant);
  const distance = daysBetween(localDay(now), localDay(date));
  if (distance === 0) return '';
  return Math.abs(distance) < 7
    ? (weekdays[date.getDay()] ?? '')
    : `${date.getDate()} ${months[date.getMonth()] ?? ''}`;
}

/** '14:10 – 14:35' or 'by 05:33', with the day unless it is today; null without any time. */
export function dueText({ arrivalWindow, window: wish, estimatedDeliveryTime }: Times, now: Date): string | null {
  const window = arrivalWindow ?? wish;
  if (window) {
    const hours = texts.window(formatTime(window.from), formatTime(window.to));
    const [first, last] = [dayName(window.from, now), dayName(window.to, now)];
    if (first === last) return first ? texts.windowOn(first, hours) : hours;
    return texts.window(`${first} ${formatTime(window.from)}`.trim(), `${last} ${formatTime(window.to)}`.trim());
  }
  if (!estimatedDeliveryTime) return null;
  const day = dayName(estimatedDeliveryTime, now);
  const time = formatTime(estimatedDeliveryTime);
  return day ? texts.byOn(day, time) : texts.by(time);
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
  if (left < 0) return { text: left < -longMinutes ? texts.late : texts.lateBy(-left), tone: 'yellow' };
  const until = window ? minutesTo(window.from) : left;
  if (until > 24 * 60) return null;
  if (until > longMinutes) return { text: texts.inHours(Math.round(until / 60)), tone: 'blue' };
  if (until > 0) return { text: texts.inMinutes(until), tone: 'blue' };
  return { text: left > longMinutes ? texts.now : texts.minutesLeft(left), tone: 'blue' };
}
