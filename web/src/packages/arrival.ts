import { dayIn, isOnTheRoad } from '@waybill/contract';
import type { Package, PackageStatus } from '@waybill/contract';
import { daysBetween, formatLongDay, formatShortDay, formatTime, localDay, nearDay } from '../platform/formats.ts';

interface Arrival extends Pick<
  Package,
  'eta' | 'estimatedDeliveryTime' | 'arrivalWindow' | 'completedAt' | 'lastUpdate'
> {
  status: string;
  /** Waiting after a failed delivery attempt. */
  failed: boolean;
}

/** Who reads it, and when: decides the wording. */
export interface Reader {
  /** Null during server-side rendering: the viewer's zone is unknown, so no day is called today or tomorrow. */
  now: Date | null;
  /** Without `now`: times are formatted in this zone and name it. Default UTC. */
  zone?: string;
  /** Without `now`: the organisation's zone, which decides what day it is. */
  dayZone?: string;
  isRecipient?: boolean;
  /** Days as 'Tue 24 Nov', for large type. */
  shortDay?: boolean;
}

/**
 * The headline of the tracker and the line under it. On the road, only the driver's estimate counts, not the ETA; no estimate means the
 * driver is no longer available.
 */
export function arrivalOf(arrival: Arrival, reader: Reader): { headline: string; detail: string | null } {
  const { eta, completedAt, lastUpdate, estimatedDeliveryTime: expected, failed } = arrival;
  const status = arrival.status.toLowerCase();
  const result = (headline: string, detail: string | null = null) => ({ headline, detail });
  switch (status) {
    case 'delivered': {
      if (!reader.now) return result('Delivered');
      const { day, time } = momentOf(completedAt ?? lastUpdate, reader);
      return result(`Delivered ${day} at ${time}`);
    }
    case 'cancelled':
      return result('This delivery was cancelled');
    case 'in transit':
    case 'out for delivery': {
      if (!expected) return result('A new delivery is being arranged', 'The driver who has it is no longer available.');
      const { arrivalWindow } = arrival;
      const text = capitalized(arrivalWindow ? within(arrivalWindow, reader) : expectedText(expected, reader));
      if (status === 'in transit')
        return arrivalWindow
          ? result(`Arriving ${within(arrivalWindow, reader)}`)
          : result(isOver(expected) ? text : `Arriving ${by(expected, reader)}`);
      return result(
        reader.isRecipient ? "You are the driver's next stop" : "Your package is the driver's next stop",
        text,
      );
    }
    case 'processing':
      if (failed) return result('The last attempt failed', 'A new one is being arranged.');
      if (!eta) return result('Getting ready to ship');
      return result(`${isPast(eta, reader) ? 'Was expected' : 'Arriving'} ${nameOfDay(eta, reader)}`);
    default:
      return result('No longer tracked');
  }
}

/** An arrival as name and value: `at` is a day or instant, `text` replaces it where it reads better or there is no date. */
export interface ArrivalItem {
  name: string;
  at: string | null;
  text: string | null;
}

/** The arrival for a description list; null when cancelled or deleted. */
export function arrivalItem(arrival: Arrival, reader: Reader): ArrivalItem | null {
  const { status, eta, completedAt, lastUpdate, estimatedDeliveryTime: expected } = arrival;
  const name = 'Estimated Arrival';
  if (status === 'delivered') return { name: 'Delivered', at: completedAt ?? lastUpdate, text: null };
  if (status === 'cancelled' || status === 'inactive') return null;
  const isUnderWay = isOnTheRoad(status as PackageStatus);
  if (isUnderWay && expected) {
    const distance = reader.now ? daysBetween(localDay(reader.now), localDay(new Date(expected))) : null;
    const isNear = distance !== null && Math.abs(distance) <= 1;
    const { arrivalWindow } = arrival;
    if (arrivalWindow && reader.now) return { name, at: expected, text: capitalized(within(arrivalWindow, reader)) };
    return { name, at: expected, text: isNear ? capitalized(by(expected, reader)) : null };
  }
  if (isUnderWay || arrival.failed) return { name, at: null, text: 'Being arranged' };
  return { name, at: eta, text: eta ? null : 'Not specified' };
}

export const toArrival = (pkg: Package): Arrival => ({ ...pkg, failed: pkg.failedAttempt !== null });

/** 'today, by 16:45' */
export function by(instant: string, reader: Reader): string {
  const { day, time } = momentOf(instant, reader);
  return `${day}, by ${time}`;
}

/** 'today, 14:10 – 14:40' */
function within({ from, to }: NonNullable<Arrival['arrivalWindow']>, reader: Reader): string {
  const { day } = momentOf(from, reader);
  return `${day}, ${timesWithin({ from, to }, reader)}`;
}

/** '14:10 – 14:40' */
export function timesWithin({ from, to }: NonNullable<Arrival['arrivalWindow']>, reader: Reader): string {
  // A zone is named once.
  const begins = momentOf(from, reader).time.replace(/ [^ ]+$/, '');
  return `${begins} – ${momentOf(to, reader).time}`;
}

export const expectedText = (instant: string, reader: Reader): string =>
  isOver(instant) ? `was expected ${by(instant, reader)}` : by(instant, reader);

/** 'Expected today, by 16:45', on a round 'Expected today, 14:10 – 14:40' */
export function expectation(instant: string, reader: Reader, window: Arrival['arrivalWindow'] = null): string {
  const text = window ? within(window, reader) : by(instant, reader);
  return `${isOver(window?.to ?? instant) ? 'Was expected' : 'Expected'} ${text}`;
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isOver = (instant: string): boolean => Date.parse(instant) < Date.now();

/** The day and the time of an instant, as the reader names them. */
export function momentOf(instant: string, reader: Reader): { day: string; time: string } {
  const { now, zone } = reader;
  if (now) return { day: nameOfDay(localDay(new Date(instant)), reader), time: formatTime(instant) };
  if (zone === undefined) return { day: nameOfDay(instant.slice(0, 10), reader), time: `${instant.slice(11, 16)} UTC` };
  const day = dayIn(zone, new Date(instant));
  const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  return { day: nameOfDay(day, reader), time: new Intl.DateTimeFormat('en-GB', clock).format(new Date(instant)) };
}

/** Compares with the viewer's day, else with the organisation's. */
function isPast(day: string, { now, zone, dayZone = zone }: Reader): boolean {
  return day < (now ? localDay(now) : dayIn(dayZone ?? 'UTC', new Date()));
}

/** 'today', 'tomorrow', 'yesterday', else the date. */
export function nameOfDay(day: string, { now, shortDay = false }: Reader): string {
  const distance = now ? daysBetween(localDay(now), day) : null;
  const near = distance === null ? null : nearDay(distance);
  if (near !== null) return near;
  return (shortDay ? formatShortDay : formatLongDay)(day, now ?? new Date());
}
