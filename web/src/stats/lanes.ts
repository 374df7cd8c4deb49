import { isOpenStop } from '@waybill/contract';
import type { Lane, LaneStop } from '@waybill/contract';

/** Further ones are shown on demand: those with late stops are first. */
export const lanesShown = 30;

const hourMs = 3_600_000;
const fewestHours = 6;
const mostHours = 24;

/** The hours that the lanes show, as full hours in ms. */
export interface Span {
  from: number;
  to: number;
}

export const timeIn = (timeZone: string, moment: string | number): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    new Date(moment),
  );

/** Where a moment stands, in percent of the span; outside of it at its edge. */
export const percentOf = ({ from, to }: Span, moment: number): number =>
  Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100));

/**
 * The hours of all stops and shifts. A route that goes on since yesterday does not shrink those of today: at most a day, which ends with
 * the last one.
 */
export function spanOf(lanes: readonly Lane[], now: number): Span {
  const moments = lanes.flatMap(({ startsAt, shift, stops }) => [
    startsAt,
    shift?.from ?? null,
    shift?.to ?? null,
    ...stops.map(({ at }) => at),
  ]);
  const known = [now, ...moments.flatMap((moment) => (moment === null ? [] : Date.parse(moment)))];
  const first = Math.floor(Math.min(...known) / hourMs) * hourMs;
  const to = Math.max(Math.ceil(Math.max(...known) / hourMs) * hourMs, first + fewestHours * hourMs);
  return { from: Math.max(first, to - mostHours * hourMs), to };
}

/** The full hours of a span, so few that their texts do not touch. */
export function hoursOf({ from, to }: Span): number[] {
  const count = Math.round((to - from) / hourMs);
  const step = count > 16 ? 4 : count > 10 ? 2 : 1;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => from + index * step * hourMs);
}

/** When the driver is through with the last open stop; null where that is not known. */
export const endOf = ({ stops }: Lane): string | null =>
  stops.flatMap(({ state, at }) => (isOpenStop(state) && at !== null ? at : [])).at(-1) ?? null;

/** Whether the last stop is expected after the end of the shift. */
export function isOverShift(lane: Lane): boolean {
  const end = endOf(lane);
  return lane.shift !== null && end !== null && Date.parse(end) > Date.parse(lane.shift.to);
}

export const lateOf = ({ stops }: Lane): LaneStop[] => stops.filter(({ late }) => late);

/** Where the driver goes now: the next stop, else the first open one. */
export const nextOf = ({ stops }: Lane): LaneStop | undefined =>
  stops.find(({ state }) => state === 'next' || state === 'arrived') ?? stops.find(({ state }) => isOpenStop(state));

/** Most late stops first, then what is on the road, then by name. */
export const inTrouble = (lanes: readonly Lane[]): Lane[] =>
  lanes.toSorted(
    (one, other) =>
      lateOf(other).length - lateOf(one).length ||
      Number(other.state === 'started') - Number(one.state === 'started') ||
      one.driver.localeCompare(other.driver),
  );
