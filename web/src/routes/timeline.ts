import { dayIn, isAfterDue, isOpenStop } from '@waybill/contract';
import type { Depot, Route, Shift, Stop } from '@waybill/contract';
import { momentIn, timeIn } from './plan.ts';

const hourMs = 3_600_000;
const fewestHours = 8;
const mostHours = 36;

/** The hours that a timeline shows, as full hours in ms. */
export interface Span {
  from: number;
  to: number;
}

/** Where a moment stands, in percent of the span; outside of it at its edge. */
export const percentOf = ({ from, to }: Span, moment: number): number =>
  Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100));

/** Where a stop stands on the timeline: when it ended, else when its driver is expected. */
export function momentOf({ endedAt, arrivesAt }: Stop): number | null {
  const moment = endedAt ?? arrivesAt;
  return moment === null ? null : Date.parse(moment);
}

/** From the first start or shift to the last arrival or end of a shift, in full hours. */
export function spanOf(routes: readonly Route[], shifts: readonly Shift[], day: string, { timeZone }: Depot): Span {
  const moments = [
    ...shifts.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt)]),
    ...routes.flatMap(({ startsAt, stops }) => [
      startsAt === null ? null : Date.parse(startsAt),
      ...stops.flatMap((stop) => [momentOf(stop), stop.arrivalWindow && Date.parse(stop.arrivalWindow.to)]),
    ]),
  ].filter((moment) => moment !== null);
  const morning = Date.parse(momentIn(timeZone, day, '08:00'));
  const first = moments.length > 0 ? Math.min(...moments) : morning;
  const from = Math.floor(first / hourMs) * hourMs;
  const last = Math.ceil(Math.max(...moments, from + fewestHours * hourMs) / hourMs) * hourMs;
  return { from, to: Math.min(last, from + mostHours * hourMs) };
}

/** The full hours of a span, so few that their texts touch neither each other nor that of the present, if there is one among them. */
export function hoursOf({ from, to }: Span, now: number | null = null): number[] {
  const count = Math.round((to - from) / hourMs);
  const step = (count > 24 ? 4 : count > 12 ? 2 : 1) * hourMs;
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step).filter(
    (hour) => now === null || Math.abs(hour - now) >= step,
  );
}

/**
 * Why a stop will be late, or null: expected after the end of the recipient's window, or on a day after its due day. Known as soon as the
 * order or the clock makes it so, which is before it is late.
 */
export function latenessOf({ state, arrivesAt, delivery }: Stop, zone: string): string | null {
  if (!isOpenStop(state) || arrivesAt === null) return null;
  const arrives = Date.parse(arrivesAt);
  if (delivery.window && arrives > Date.parse(delivery.window.to)) {
    const minutes = Math.ceil((arrives - Date.parse(delivery.window.to)) / 60_000);
    return minutes < 120 ? `${minutes} min late` : `late, window to ${timeIn(zone, delivery.window.to)}`;
  }
  const due = delivery.returnDue ? null : delivery.eta;
  if (isAfterDue(arrives, { window: delivery.window, eta: due }, (at) => dayIn(zone, at))) return 'after its day';
  return null;
}
