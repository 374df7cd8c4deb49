import { estimateLeg, type Point } from './estimate.ts';
import { serviceTimes } from './service-times.ts';

/** Stops to go, this one included: 1, 2-3, 4-8, 9-20, 21 and more. */
export const horizons = [1, 2, 4, 9, 21] as const;

/** @param stopsAhead the stops before it */
export const horizonOf = (stopsAhead: number): number => horizons.findLastIndex((least) => stopsAhead + 1 >= least);

/** What was learned from the past: how much longer legs take than estimated, and how far forecasts are from what happened. */
export interface ArrivalModel {
  /** By hour band and distance band: actual driving time as a part of the estimate. */
  ratios: number[][];
  /** By horizon: the 10 %, 50 % and 90 % quantiles of the actual time until the arrival as a part of the forecast. */
  quantiles: [low: number, median: number, high: number][];
  /** The pace of a driver of whom nothing was learned. */
  pace?: number;
}

/** Night, morning rush, day, evening rush, evening. */
const hourBands = [0, 7, 10, 16, 19];
/** In m of road. */
const distanceBands = [0, 1000, 3000, 10_000];

const bandOf = (bands: readonly number[], value: number) =>
  Math.max(
    0,
    bands.findLastIndex((least) => value >= least),
  );

/** Before anything was learned. */
export const coldModel: ArrivalModel = {
  ratios: hourBands.map(() => distanceBands.map(() => 1)),
  quantiles: horizons.map(() => [0.7, 1, 1.45]),
};

const hourMs = 3_600_000;
const minuteMs = 60_000;
const dayMs = 24 * hourMs;

/** The hour of the day at a place that is this much ahead of UTC. */
const hourAt = (ms: number, zoneMs: number) => ((((ms + zoneMs) % dayMs) + dayMs) % dayMs) / hourMs;

const legMs = (from: Point, to: Point, at: number, zoneMs: number, { ratios }: ArrivalModel): number => {
  const { metres, seconds } = estimateLeg(from, to);
  const ratio = ratios[bandOf(hourBands, hourAt(at, zoneMs))]?.[bandOf(distanceBands, metres)] ?? 1;
  return seconds * 1000 * ratio;
};

export interface ForecastStop {
  place: Point | null;
  /** The recipient's wish, in ms: whoever is early waits. */
  opensAt: number | null;
}

/** A route under way, or planned. Times in ms. */
export interface ForecastRound {
  now: number;
  /** When the last stop was done, or the route began; of a planned one when it is to begin. */
  since: number;
  /** Where that was. */
  from: Point | null;
  /** Where the driver was last. */
  position: (Point & { at: number }) | null;
  /** The open ones, in the order in which they are driven. */
  stops: readonly ForecastStop[];
  /** The driver is at the door of the first one. */
  atDoor: boolean;
  /** The zone's distance from UTC. */
  zoneMs: number;
  /** How long this round has taken so far, as a part of what was expected (`paceOf`): the driver, the weather, the traffic of the day. */
  pace: number;
  /** From one stop to the next where nothing better is known. */
  msPerStop: number;
  isPlanned: boolean;
}

export interface Forecast {
  /** The forecast before the quantiles, from which they are learned. */
  expected: number;
  /** The median, and the window in which it is at four of five. Null where only the number of stops is known. */
  window: { from: number; median: number; to: number } | null;
}

/** A position says where the driver is for this long. */
const positionMs = 15 * minuteMs;
/** An older one widens the window. */
const freshMs = 3 * minuteMs;
/** Nobody waits longer for a window: the driver comes back, or does not keep to it. */
const longestWaitMs = 2 * hourMs;
const stepMs = 5 * minuteMs;
const narrowestMs = 10 * minuteMs;

const nearest = (ms: number) => Math.round(ms / stepMs) * stepMs;

/** When the driver is at each of the stops: legs by learned driving times, times at doors, waiting for windows. */
export function forecast(round: ForecastRound, model: ArrivalModel): Forecast[] {
  const { now, stops, position, zoneMs, msPerStop, pace } = round;
  const first = stops[0]?.place ?? null;
  const age = position ? now - position.at : Infinity;
  const starts = position && first && age < positionMs ? { place: position, at: position.at } : null;
  const service = timesAtDoors(stops);
  const reference = round.isPlanned ? round.since : now;
  let clock = starts?.at ?? round.since;
  let place: Point | null = starts?.place ?? round.from;
  let isKnown = false;
  return stops.map((stop, index) => {
    const isHere = index === 0 && round.atDoor;
    if (place && stop.place) {
      clock += isHere ? 0 : legMs(place, stop.place, clock, zoneMs, model) * pace;
      isKnown = true;
    } else clock += msPerStop;
    if (index === 0) clock = isHere ? now : Math.max(clock, reference);
    if (stop.opensAt !== null && stop.opensAt - clock < longestWaitMs) clock = Math.max(clock, stop.opensAt);
    const expected = clock;
    place = stop.place;
    clock += (service[index] ?? 0) * pace;
    if (!isKnown) return { expected, window: null };
    // Of a position that stays away nobody knows how far it has gone.
    const staleMs = position ? Math.max(0, Math.min(age, hourMs) - freshMs) / 2 : 0;
    return { expected, window: windowOf(expected - reference, reference, model.quantiles[horizonOf(index)], staleMs) };
  });
}

function windowOf(
  restMs: number,
  reference: number,
  [low, median, high]: readonly [number, number, number] = [0.7, 1, 1.45],
  staleMs: number,
) {
  const at = Math.ceil((reference + restMs * median) / minuteMs) * minuteMs;
  // A minute away is nearer than the next full 5 minutes: nobody is expected before the window begins.
  const from = Math.max(
    reference - (reference % minuteMs),
    Math.min(nearest(reference + restMs * low - staleMs), at - (at % stepMs)),
  );
  const to = Math.max(nearest(reference + restMs * high + staleMs), from + narrowestMs);
  return { from, median: Math.min(at, to), to };
}

/** A stop that was done, at the end of the time there, in ms. */
export interface DoneStop {
  place: Point | null;
  at: number;
}

/** So much time at the expected pace is believed beside what was seen. */
const believedMs = 20 * minuteMs;
/** Whoever takes longer has a break, or waits for a window. */
const longestPace = 2.5;

/** What a round took beside what was expected of it, in ms. */
interface RoundTime {
  expected: number;
  actual: number;
}

/** @param done in the order in which it was done. @param from the begin of the round, or the stop before */
function timeOf(done: readonly DoneStop[], from: DoneStop, zoneMs: number, model: ArrivalModel): RoundTime {
  const service = timesAtDoors(done);
  const time = { expected: 0, actual: 0 };
  let before = from;
  for (const [index, stop] of done.entries()) {
    if (before.place && stop.place) {
      const ms = legMs(before.place, stop.place, before.at, zoneMs, model) + (service[index] ?? 0);
      time.expected += ms;
      time.actual += bounded(stop.at - before.at, 0, longestPace * ms);
    }
    before = stop;
  }
  return time;
}

/**
 * @param done in the order in which it was done, from the begin of the round
 * @param usual the driver's own pace (`learnPaces`), which counts before anything was done
 */
export function paceOf(
  done: readonly DoneStop[],
  from: DoneStop,
  zoneMs: number,
  model: ArrivalModel,
  usual = model.pace ?? 1,
): number {
  const { expected, actual } = timeOf(done, from, zoneMs, model);
  return (believedMs * usual + actual) / (believedMs + expected);
}

/** In ms; a stop whose place is unknown has its time at the door in the time for a stop. */
function timesAtDoors(stops: readonly { place: Point | null }[]): number[] {
  const times = serviceTimes(stops.flatMap(({ place }) => place ?? []));
  let next = 0;
  return stops.map(({ place }) => (place ? (times[next++] ?? 0) * 1000 : 0));
}

/** A leg that was driven. */
export interface DrivenLeg {
  from: Point;
  to: Point;
  /** When it began, in ms. */
  at: number;
  seconds: number;
}

/** A forecast that came true: how long it was expected to take, and took. */
export interface Outcome {
  horizon: number;
  expectedMs: number;
  actualMs: number;
}

/** This many facts count as much as what is believed without them. */
const weight = 30;
const shrunk = (own: number, count: number, parent: number) => (count * own + weight * parent) / (count + weight);

const quantile = (sorted: readonly number[], part: number): number => {
  const position = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(position)] ?? 1, sorted[Math.ceil(position)] ?? 1];
  return below + (above - below) * (position - Math.floor(position));
};
const ascending = (values: number[]) => values.toSorted((a, b) => a - b);
const medianOf = (values: number[]) => (values.length === 0 ? 1 : quantile(ascending(values), 0.5));
const bounded = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Legs shorter than this say more about parking than about driving. */
const leastSeconds = 20;
/** Nearer arrivals have no ratio that means anything. */
const leastExpectedMs = 2 * minuteMs;

/** Learns driving times: the median of each hour and distance, drawn to that of the distance, and that to all. */
export function learnRatios(legs: readonly DrivenLeg[], zoneMs: number): number[][] {
  const facts = legs.flatMap(({ from, to, at, seconds }) => {
    const estimate = estimateLeg(from, to);
    if (estimate.seconds < leastSeconds || seconds <= 0) return [];
    const hour = bandOf(hourBands, hourAt(at, zoneMs));
    return {
      hour,
      distance: bandOf(distanceBands, estimate.metres),
      ratio: bounded(seconds / estimate.seconds, 0.2, 5),
    };
  });
  const ratiosOf = (chosen: typeof facts) => chosen.map(({ ratio }) => ratio);
  const overall = shrunk(medianOf(ratiosOf(facts)), facts.length, 1);
  const parents = distanceBands.map((_, distance) => {
    const own = ratiosOf(facts.filter((fact) => fact.distance === distance));
    return shrunk(medianOf(own), own.length, overall);
  });
  return hourBands.map((_hour, hour) =>
    distanceBands.map((_, distance) => {
      const own = ratiosOf(facts.filter((fact) => fact.hour === hour && fact.distance === distance));
      return shrunk(medianOf(own), own.length, parents[distance] ?? overall);
    }),
  );
}

/** A round of the past: its stops in the order in which they were done. */
export interface DrivenRound {
  driverId: string;
  done: readonly DoneStop[];
}

/** So much time of other drivers counts as much as that of the driver. */
const othersMs = 2 * hourMs;

/**
 * Learns how long each driver takes, as a part of what is expected of all: some drive faster, or know the doors. Only the time from one stop
 * to the next counts, as the first leg begins with loading.
 */
export function learnPaces(
  rounds: readonly DrivenRound[],
  zoneMs: number,
  model: ArrivalModel,
): { all: number; byDriver: Map<string, number> } {
  const times = new Map<string, RoundTime>();
  for (const { driverId, done } of rounds) {
    const [first, ...rest] = done;
    if (!first) continue;
    const { expected, actual } = timeOf(rest, first, zoneMs, model);
    if (expected === 0) continue;
    const before = times.get(driverId) ?? { expected: 0, actual: 0 };
    times.set(driverId, { expected: before.expected + expected, actual: before.actual + actual });
  }
  const drawnTo = (parent: number, { expected, actual }: RoundTime) =>
    bounded((othersMs * parent + actual) / (othersMs + expected), 0.5, 2);
  const sum = { expected: 0, actual: 0 };
  for (const { expected, actual } of times.values()) {
    sum.expected += expected;
    sum.actual += actual;
  }
  const all = drawnTo(1, sum);
  return { all, byDriver: new Map([...times].map(([driverId, time]) => [driverId, drawnTo(all, time)])) };
}

/** Windows are to be right this often. */
const wantedShare = 0.8;
/** So many outcomes of a horizon say how often its windows are right. */
const mostJudged = 2000;

/**
 * Learns how wide windows are, by the number of stops to go. Rounding to 5 minutes and the least width matter where arrivals are near, so
 * quantiles are chosen by how often the windows made from them would have been right.
 */
export const learnQuantiles = (outcomes: readonly Outcome[]): ArrivalModel['quantiles'] =>
  coldModel.quantiles.map((cold, horizon) => {
    const own = outcomes.filter((outcome) => outcome.horizon === horizon);
    const ratios = ascending(
      own
        .filter(({ expectedMs }) => expectedMs >= leastExpectedMs)
        .map(({ actualMs, expectedMs }) => bounded(actualMs / expectedMs, 0, 10)),
    );
    if (ratios.length === 0) return cold;
    const learned = (part: number, parent: number) => shrunk(quantile(ratios, part), ratios.length, parent);
    const leavingOut = (part: number): ArrivalModel['quantiles'][number] => [
      learned(part, cold[0]),
      learned(0.5, cold[1]),
      learned(1 - part, cold[2]),
    ];
    const every = Math.ceil(own.length / mostJudged);
    const judged = own.filter((_, index) => index % every === 0);
    // The smaller the part on either side, the wider.
    let [wide, narrow] = [0.01, 0.2];
    for (let step = 0; step < 8; step++) {
      const middle = (wide + narrow) / 2;
      if (shareInside(judged, leavingOut(middle)) < wantedShare) narrow = middle;
      else wide = middle;
    }
    return leavingOut(wide);
  });

/** @returns the part of the arrivals in windows by these quantiles, forecast at any minute */
const shareInside = (outcomes: readonly Outcome[], quantiles: ArrivalModel['quantiles'][number]): number =>
  outcomes.filter(({ expectedMs, actualMs }, index) => {
    const reference = (index % 5) * minuteMs + minuteMs / 2;
    const { from, to } = windowOf(expectedMs, reference, quantiles, 0);
    return reference + actualMs >= from && reference + actualMs <= to;
  }).length / outcomes.length;
