import type { Absence, Depot, Route, Shift, Stop } from '@waybill/contract';
import { dayIn, isOpenStop, readAddressLine } from '@waybill/contract';

/** The zone of the browser. */
export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** 09:05 in a zone. */
export function timeIn(zone: string, moment: string | number): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(new Date(moment));
}

/** 09–12, or 09:30–12 */
export function windowIn(zone: string, window: { from: string; to: string } | null): string | null {
  if (!window) return null;
  const short = (moment: string) => timeIn(zone, moment).replace(/:00$/, '');
  return `${short(window.from)}–${short(window.to)}`;
}

export const openStops = ({ stops }: Route): Stop[] => stops.filter(({ state }) => isOpenStop(state));

/**
 * The routes whose open stops others get when a driver falls ill, as the server chooses them: those of the day, and what is on the road from
 * any day unless the day is still to come in the zone of its depot.
 */
export const givenAway = (
  driverId: string | null,
  { day, now }: { day: string; now: Date },
  routes: Iterable<Route>,
  depots: readonly Pick<Depot, 'id' | 'timeZone'>[],
): Route[] =>
  [...routes].filter((one) => {
    if (one.driverId !== driverId || one.state === 'finished') return false;
    const zone = depots.find(({ id }) => id === one.depotId)?.timeZone ?? viewerZone();
    return one.day === day || (one.state === 'started' && day <= dayIn(zone, now));
  });

/** It has not started, and has stops: a plan may put them elsewhere. */
export const isReplannable = (route: Route): boolean => route.state === 'planned' && openStops(route).length > 0;

/** The street of a stop, or what is known instead. */
export const streetOf = ({ delivery }: Stop): string =>
  readAddressLine(delivery.recipientAddress).street ?? delivery.location ?? delivery.packageName;

export const placeOf = ({ delivery }: Stop): string => {
  const { postalCode, town } = readAddressLine(delivery.recipientAddress);
  return postalCode ?? town ?? '';
};

/** Expected after the end of the recipient's window. */
export const isLate = ({ arrivesAt, delivery }: Stop): boolean =>
  arrivesAt !== null && delivery.window !== null && Date.parse(arrivesAt) > Date.parse(delivery.window.to);

/** When the last stop is expected; null without a start or stops. The next stop comes first, wherever it stands in the order. */
export const endOf = (route: Route): string | null =>
  openStops(route)
    .flatMap(({ arrivesAt }) => arrivesAt ?? [])
    .toSorted()
    .at(-1) ?? null;

/** A driver's first shift of a day at the depot that is worked. */
export const shiftOfDriver = (
  id: string,
  day: string,
  shifts: readonly Shift[],
  { timeZone }: Depot,
): Shift | undefined =>
  shifts.find(
    ({ driverId, startsAt, absence }) =>
      driverId === id && absence === null && dayIn(timeZone, new Date(startsAt)) === day,
  );

/** 07:00 to 15:00, and whether these hours have passed. */
export const hoursOfShift = ({ startsAt, endsAt }: Shift, { timeZone }: Depot, now: Date): string =>
  `${timeIn(timeZone, startsAt)} to ${timeIn(timeZone, endsAt)}${isOver({ endsAt }, now) ? ', over' : ''}`;

/** Nobody is proposed for hours that have passed. */
export const isOver = ({ endsAt }: Pick<Shift, 'endsAt'>, now: Date): boolean => Date.parse(endsAt) <= now.getTime();

/** The absence of a driver on a day. */
export const absenceOf = (id: string | null, day: string, absences: readonly Absence[]): Absence | undefined =>
  absences.find(({ driverId, from, to }) => driverId === id && from <= day && day <= to);

/** The shift of its driver in which a route starts, else the first one of its day. */
export function shiftOf({ driverId, startsAt, day }: Route, shifts: readonly Shift[], depot: Depot): Shift | undefined {
  if (driverId === null) return undefined;
  const running = shifts.find(
    (shift) =>
      shift.driverId === driverId &&
      shift.absence === null &&
      startsAt !== null &&
      shift.startsAt <= startsAt &&
      startsAt < shift.endsAt,
  );
  return running ?? shiftOfDriver(driverId, day, shifts, depot);
}

/** The instant of a time of day (HH:MM) in a zone. One that a clock change skips is an hour later. */
export function momentIn(zone: string, day: string, time: string): string {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  const shownAt = (ms: number) => Date.parse(`${dayIn(zone, new Date(ms))}T${timeIn(zone, ms)}:00Z`);
  const guess = wanted - (shownAt(wanted) - wanted);
  return new Date(guess - (shownAt(guess) - wanted)).toISOString();
}

/** How many minutes after the end of the shift the route ends; 0 before it. */
export const minutesOver = (route: Route, shift: Shift | undefined): number => {
  const end = endOf(route);
  return shift && end ? Math.max(0, Math.ceil((Date.parse(end) - Date.parse(shift.endsAt)) / 60_000)) : 0;
};

/** The share of the shift that the route takes, at most 1; null where one of both is unknown. */
export function loadOf(route: Route, shift: Shift | undefined): number | null {
  const end = endOf(route);
  if (!shift || !end) return null;
  const [from, to] = [Date.parse(shift.startsAt), Date.parse(shift.endsAt)];
  return Math.min(1, Math.max(0, (Date.parse(end) - from) / (to - from)));
}

/** The minutes between two stops, read off the arrivals that the server expects; null where they are unknown. */
export function minutesPerStop(route: Route): number | null {
  const [first, second] = openStops(route);
  if (first?.arrivesAt && second?.arrivesAt)
    return (Date.parse(second.arrivesAt) - Date.parse(first.arrivesAt)) / 60_000;
  if (first?.arrivesAt && route.startsAt && route.state === 'planned')
    return (Date.parse(first.arrivesAt) - Date.parse(route.startsAt)) / 60_000;
  return null;
}

/** The open stops in the order of an insertion: `ids` before the stop that is now at `at` (from 0, among the open ones). */
export function insertedAt(order: readonly string[], ids: readonly string[], at: number): string[] {
  const moved = new Set(ids);
  const before = order.slice(0, at).filter((id) => !moved.has(id));
  const after = order.slice(at).filter((id) => !moved.has(id));
  return [...before, ...ids, ...after];
}
