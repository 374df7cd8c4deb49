import type { Place } from '@waybill/contract';
import { straightMetres, type Point } from './estimate.ts';

/** Where a driver's phone was, by its own clock. */
export interface TrackPoint extends Point {
  /** In ms. */
  at: number;
  /** In m; null where the device does not know. */
  accuracy: number | null;
  /** In m/s; null where the device does not know. */
  speed: number | null;
}

/** A time near a door, in ms. */
export interface Stay {
  from: number;
  until: number;
}

export type Door = Point & { accuracy: Place['accuracy'] };

/** In m, by how exactly the place of the door is known: the van stops in front of the house, or somewhere in the street. */
const reaches: Record<Place['accuracy'], number | null> = { rooftop: 40, pin: 40, street: 120, town: null };
/** Less exact points say nothing. */
const worstAccuracy = 100;
/** What is believed of a device that does not say. */
const usualAccuracy = 30;
/** So much of a point's own accuracy is added to the reach. */
const mostAdded = 50;
/** Whoever is faster, in m/s, drives past. */
const passingSpeed = 4;
/** Fewer points, or a shorter time, may be a traffic light. */
const leastPoints = 3;
const leastMs = 45_000;
/** Of a longer gap between two points nobody knows. */
const longestGapMs = 5 * 60_000;
/** One point elsewhere is a wild one; the second one says that the driver has gone. */
const strayPoints = 2;

/** Points near a door, one after another. */
interface Run extends Stay {
  points: number;
  /** Elsewhere, since the last point near the door. */
  strays: number;
}

/**
 * When the driver came near a door and stayed: several points in a row, by the time of the device in whatever order they came.
 * A single point neither begins nor ends a stay.
 */
export function staysAt(points: readonly TrackPoint[], door: Door): Stay[] {
  const reach = reaches[door.accuracy];
  if (reach === null) return [];
  const runs: Run[] = [];
  let run: Run | null = null;
  for (const point of points.toSorted((a, b) => a.at - b.at)) {
    const accuracy = point.accuracy ?? usualAccuracy;
    if (accuracy > worstAccuracy || (point.speed ?? 0) > passingSpeed) continue;
    if (run && point.at - run.until > longestGapMs) run = null;
    const isNear = straightMetres(point, door) <= reach + Math.min(accuracy, mostAdded);
    if (!run && isNear) runs.push((run = { from: point.at, until: point.at, points: 1, strays: 0 }));
    else if (run && isNear) Object.assign(run, { until: point.at, points: run.points + 1, strays: 0 });
    else if (run && (run.points === 1 || ++run.strays >= strayPoints)) run = null;
  }
  return runs
    .filter(({ from, until, points: seen }) => seen >= leastPoints && until - from >= leastMs)
    .map(({ from, until }) => ({ from, until }));
}

/** What a driver said of the time may be off by this much. */
const toleranceMs = 2 * 60_000;

/** The stay that a driver's word belongs to: the one at that time, or else the longest. @param saidAt in ms */
export function stayOf(stays: readonly Stay[], saidAt: number): Stay | null {
  const then = stays.find(({ from, until }) => from - toleranceMs <= saidAt && saidAt <= until + toleranceMs);
  return then ?? stays.toSorted((a, b) => b.until - b.from - (a.until - a.from))[0] ?? null;
}
