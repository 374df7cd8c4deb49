import {
  channels,
  dayIn,
  isOnByDefault,
  type NotificationKind,
  type QuietHours,
  type SlowChannel,
  type SuppressionReason,
} from '@waybill/contract';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The limit of messages to a user about one package by one channel, in 24 hours. */
export const maxPerPackage = 6;

/** How long after its event a message is still true; `day`: until the end of the event's day. Seven days where nothing is said. */
const lifetimes: Record<string, number | 'day'> = {
  'delivery.next': 30 * minuteMs,
  // Its link.
  'password.link-sent': 60 * minuteMs,
  'delivery.started': 'day',
  'delivery.assigned': 'day',
  'delivery.released': 'day',
  'offer.declined': 'day',
  'offer.expired': 'day',
};

/** @param zone the organisation's, whose days count */
export function endOfLife(type: string, at: Date, zone: string): Date {
  const lifetime = lifetimes[type] ?? 7 * dayMs;
  return lifetime === 'day' ? endOfDay(at, zone) : new Date(at.getTime() + lifetime);
}

/** The last answer: thousands of messages about one change ask for the same moment. */
let lastDay = { zone: '', at: NaN, end: NaN };

function endOfDay(at: Date, zone: string): Date {
  if (lastDay.zone !== zone || lastDay.at !== at.getTime())
    lastDay = { zone, at: at.getTime(), end: startOfDay(nextDay(dayIn(zone, at)), zone).getTime() };
  return new Date(lastDay.end);
}

const nextDay = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/** The first instant of a calendar day in a zone. */
export function startOfDay(day: string, zone: string): Date {
  // No zone is further than 14 hours from UTC. Halving finds the change of the day whatever clocks are put forward or back.
  let [before, start] = [Date.parse(day) - 15 * 3_600_000, Date.parse(day) + 15 * 3_600_000];
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (dayIn(zone, new Date(middle)) < day) before = middle;
    else start = middle;
  }
  return new Date(start);
}

/** The quiet hours of recipients, in the organisation's zone; null: there are none. */
export function recipientQuietHours(
  { RECIPIENT_QUIET_HOURS: hours }: { RECIPIENT_QUIET_HOURS: string },
  timeZone: string,
): QuietHours | null {
  const [from = '', to = ''] = hours.split('-');
  return hours === 'off' ? null : { from, to, timeZone };
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** By zone: making one takes 30 µs. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hour12: false });
  if (clocks.size >= 600) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}

/** Remembered for the same reason: messages about one change ask for the same few moments. */
const minutesAt = new Map<string, number>();

function localMinutes(zone: string, at: Date): number {
  const key = `${at.getTime()} ${zone}`;
  const known = minutesAt.get(key);
  if (known !== undefined) return known;
  const minutes = minutesOf(clockOf(zone).format(at)) % 1440;
  if (minutesAt.size >= 100) minutesAt.clear();
  minutesAt.set(key, minutes);
  return minutes;
}

export function isQuiet({ from, to, timeZone }: QuietHours, at: Date): boolean {
  const [start, end, now] = [minutesOf(from), minutesOf(to), localMinutes(timeZone, at)];
  return start <= end ? now >= start && now < end : now >= start || now < end;
}

/** The first full minute from `at` on outside of the quiet hours; `at` itself if they have not begun. */
export function endOfQuietHours(quiet: QuietHours, at: Date): Date {
  if (!isQuiet(quiet, at)) return at;
  const left = (minutesOf(quiet.to) - localMinutes(quiet.timeZone, at) + 1440) % 1440;
  const minute = Math.floor(at.getTime() / minuteMs) * minuteMs;
  let end = minute + left * minuteMs;
  // Clocks were changed meanwhile. If put forward, it ended up to an hour earlier, and the next quiet hours may have begun.
  if (localMinutes(quiet.timeZone, new Date(end)) !== minutesOf(quiet.to)) end = Math.max(minute, end - 60 * minuteMs);
  while (end > minute && !isQuiet(quiet, new Date(end - minuteMs))) end -= minuteMs;
  while (isQuiet(quiet, new Date(end))) end += minuteMs;
  return new Date(end);
}

/** The next time after `after` that clocks of the zone show this. */
export function nextTimeOfDay({ at, timeZone }: { at: string; timeZone: string }, after: Date): Date {
  const minute = Math.floor(after.getTime() / minuteMs) * minuteMs;
  const left = (minutesOf(at) - localMinutes(timeZone, after) + 1440) % 1440 || 1440;
  const time = new Date(minute + left * minuteMs);
  // Clocks were changed meanwhile; a time that was skipped comes an hour later.
  const off = ((minutesOf(at) - localMinutes(timeZone, time) + 2160) % 1440) - 720;
  const corrected = new Date(time.getTime() + off * minuteMs);
  return corrected > after ? corrected : time;
}

export interface DeliveryFacts {
  channel: SlowChannel;
  /** Null: it cannot be turned off, and does not wait for quiet hours to end. */
  kind: NotificationKind | null;
  /** The user's choice for kind and channel; null without one. */
  enabled: boolean | null;
  address: string | null;
  quietHours: QuietHours | null;
  endsAt: Date;
  /** How many messages the user has had about the package by this channel in 24 hours. */
  sent: number;
  now: Date;
}

/** `send`: not before `at`. `none`: nothing is recorded, since the user never asked for it. */
export type Decision = { is: 'send'; at: Date } | { is: 'suppressed'; reason: SuppressionReason } | { is: 'none' };

/** Whether and when a message is sent. The only place with these rules: applied when it is queued, and again before each attempt. */
export function decide({ channel, kind, enabled, address, quietHours, endsAt, sent, now }: DeliveryFacts): Decision {
  const suppressed = (reason: SuppressionReason): Decision => ({ is: 'suppressed', reason });
  if (kind === null && !channels[channel].essentials) return { is: 'none' };
  // Without an address nothing is off but what the user wants by this channel. Push is off where no browser is subscribed.
  if (!address) return enabled === true && channel !== 'push' ? suppressed('no_address') : { is: 'none' };
  if (kind !== null && enabled === false) return suppressed('opted_out');
  if (kind !== null && enabled === null && !isOnByDefault(channel, kind)) return { is: 'none' };
  if (endsAt <= now) return suppressed('late');
  if (sent >= maxPerPackage) return suppressed('limit');
  const at = kind === null || !quietHours ? now : endOfQuietHours(quietHours, now);
  return at < endsAt ? { is: 'send', at } : suppressed('quiet_hours');
}
