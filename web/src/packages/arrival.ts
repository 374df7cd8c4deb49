import { dayIn, isOnTheRoad } from '@waybill/contract';
import type { Package, PackageStatus } from '@waybill/contract';
import { daysBetween, formatLongDay, formatTime, localDay } from '../platform/formats.ts';

interface Arrival extends Pick<Package, 'eta' | 'estimatedDeliveryTime' | 'completedAt' | 'lastUpdate'> {
  status: string;
  /** It waits because the last attempt to deliver it failed. */
  failed: boolean;
}

/** Who reads it, and when. */
export interface Reader {
  /** Null where the viewer's day is not known yet, on the server: then no day is called today or tomorrow. */
  now: Date | null;
  /** Where the viewer is not known, the zone that times are told in, with its name; left out: UTC. */
  zone?: string;
  /** Where the viewer is not known, the zone whose day it is: the organisation's. */
  dayZone?: string;
  isRecipient?: boolean;
}

/**
 * The one sentence that everybody came for, and what stands under it. Once a driver has it, what the driver expects is what counts;
 * without that the driver can bring it no longer.
 */
export function arrivalOf(arrival: Arrival, reader: Reader): { headline: string; detail: string | null } {
  const { eta, completedAt, lastUpdate, estimatedDeliveryTime: expected, failed } = arrival;
  const status = arrival.status.toLowerCase();
  const say = (headline: string, detail: string | null = null) => ({ headline, detail });
  switch (status) {
    case 'delivered': {
      if (!reader.now) return say('Delivered');
      const { day, time } = momentOf(completedAt ?? lastUpdate, reader);
      return say(`Delivered ${day} at ${time}`);
    }
    case 'cancelled':
      return say('This delivery was cancelled');
    case 'in transit':
    case 'out for delivery': {
      if (!expected) return say('A new delivery is being arranged', 'The driver who has it is no longer available.');
      const words = capitalized(expectedText(expected, reader));
      if (status === 'in transit') return say(isOver(expected) ? words : `Arriving ${by(expected, reader)}`);
      return say(
        reader.isRecipient ? "You are the driver's next stop" : "Your package is the driver's next stop",
        words,
      );
    }
    case 'processing':
      if (failed) return say('The last attempt failed', 'A new one is being arranged.');
      if (!eta) return say('Getting ready to ship');
      return say(`${isPast(eta, reader) ? 'Was expected' : 'Arriving'} ${nameOfDay(eta, reader.now)}`);
    default:
      return say('No longer tracked');
  }
}

/** A day or moment by its name; `words` say it better than its date does, or there is none. */
export interface ArrivalItem {
  name: string;
  at: string | null;
  words: string | null;
}

/** The same beside its name; null where nothing is to arrive any more, nor has. */
export function arrivalItem(arrival: Arrival, reader: Reader): ArrivalItem | null {
  const { status, eta, completedAt, lastUpdate, estimatedDeliveryTime: expected } = arrival;
  const name = 'Estimated Arrival';
  if (status === 'delivered') return { name: 'Delivered', at: completedAt ?? lastUpdate, words: null };
  if (status === 'cancelled' || status === 'inactive') return null;
  const isUnderWay = isOnTheRoad(status as PackageStatus);
  if (isUnderWay && expected) {
    const distance = reader.now ? daysBetween(localDay(reader.now), localDay(new Date(expected))) : null;
    const isNear = distance !== null && Math.abs(distance) <= 1;
    return { name, at: expected, words: isNear ? capitalized(by(expected, reader)) : null };
  }
  if (isUnderWay || arrival.failed) return { name, at: null, words: 'Being arranged' };
  return { name, at: eta, words: eta ? null : 'Not specified' };
}

/** Of a package as its owner sees it. */
export const toArrival = (pkg: Package): Arrival => ({ ...pkg, failed: pkg.failedAttempt !== null });

/** Of what it says without the viewer's day and with it, give or take a zone: what stands below must not move. */
export function longerHeadline(arrival: Arrival, reader: Reader): string {
  const [without, within] = [null, new Date()].map((now) => arrivalOf(arrival, { ...reader, now }).headline);
  return (within ?? '').length > (without ?? '').length ? (within ?? '') : (without ?? '');
}

/** 'today, by 16:45' */
export function by(instant: string, reader: Reader): string {
  const { day, time } = momentOf(instant, reader);
  return `${day}, by ${time}`;
}

export const expectedText = (instant: string, reader: Reader): string =>
  isOver(instant) ? `was expected ${by(instant, reader)}` : by(instant, reader);

/** 'Expected today, by 16:45' */
export const expectation = (instant: string, reader: Reader): string =>
  isOver(instant) ? capitalized(expectedText(instant, reader)) : `Expected ${by(instant, reader)}`;

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const isOver = (instant: string): boolean => Date.parse(instant) < Date.now();

function momentOf(instant: string, { now, zone }: Reader): { day: string; time: string } {
  if (now) return { day: nameOfDay(localDay(new Date(instant)), now), time: formatTime(instant) };
  if (zone === undefined) return { day: formatLongDay(instant.slice(0, 10)), time: `${instant.slice(11, 16)} UTC` };
  const day = dayIn(zone, new Date(instant));
  const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  return { day: formatLongDay(day), time: new Intl.DateTimeFormat('en-GB', clock).format(new Date(instant)) };
}

/** By the viewer's day, else by the organisation's. */
function isPast(day: string, { now, zone, dayZone = zone }: Reader): boolean {
  return day < (now ? localDay(now) : dayIn(dayZone ?? 'UTC', new Date()));
}

function nameOfDay(day: string, now: Date | null): string {
  const distance = now ? daysBetween(localDay(now), day) : null;
  if (distance === 0) return 'today';
  if (distance === 1) return 'tomorrow';
  if (distance === -1) return 'yesterday';
  return formatLongDay(day, now ?? new Date());
}
