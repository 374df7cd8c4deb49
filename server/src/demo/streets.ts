import { buildTown, townBounds } from '../maps/town.ts';
import { straightMetres, type Point } from '../travel/estimate.ts';

/** Points from one place to another, both included. */
export type Way = readonly Point[];

interface Network {
  crossings: Point[];
  /** By crossing: the next ones, and how far they are. */
  next: { to: number; metres: number }[][];
}

let network: Network | null = null;

function networkOfTown(): Network {
  if (network) return network;
  const { crossings, roads } = buildTown();
  const points = crossings.map(([lon, lat]) => ({ lon, lat }));
  const next: Network['next'] = points.map(() => []);
  for (const { from, to, metres } of roads) {
    next[from]?.push({ to, metres });
    next[to]?.push({ to: from, metres });
  }
  network = { crossings: points, next };
  return network;
}

const isInTown = ({ lon, lat }: Point): boolean => {
  const [west, south, east, north] = townBounds;
  return lon >= west && lon <= east && lat >= south && lat <= north;
};

/** Along the streets of the demo's town; elsewhere a straight line. */
export function wayBetween(from: Point, to: Point): Way {
  if (!isInTown(from) || !isInTown(to) || straightMetres(from, to) < 60) return [from, to];
  const { crossings, next } = networkOfTown();
  const nearest = (point: Point) =>
    crossings.reduce(
      (best, crossing, index) => {
        const metres = straightMetres(point, crossing);
        return metres < best.metres ? { index, metres } : best;
      },
      { index: 0, metres: Infinity },
    ).index;
  const [start, end] = [nearest(from), nearest(to)];
  const target = crossings[end] ?? to;
  // A*: the straight line is never longer than the streets.
  const metresTo = new Map([[start, 0]]);
  const before = new Map<number, number>();
  const open = new Map([[start, 0]]);
  while (open.size > 0) {
    let [current, least] = [start, Infinity];
    for (const [crossing, estimate] of open) if (estimate < least) [current, least] = [crossing, estimate];
    if (current === end) break;
    open.delete(current);
    for (const road of next[current] ?? []) {
      const metres = (metresTo.get(current) ?? 0) + road.metres;
      if (metres >= (metresTo.get(road.to) ?? Infinity)) continue;
      metresTo.set(road.to, metres);
      before.set(road.to, current);
      open.set(road.to, metres + straightMetres(crossings[road.to] ?? target, target));
    }
  }
  const way: Point[] = [];
  for (let at: number | undefined = end; at !== undefined; at = before.get(at)) way.unshift(crossings[at] ?? to);
  return [from, ...way, to];
}

export const lengthOf = (way: Way): number =>
  way.slice(1).reduce((sum, to, index) => sum + straightMetres(way[index] ?? to, to), 0);

/** As often as a phone reports on the road. */
const betweenReportsMs = 10_000;

/** How long a way takes at a speed, and how often a phone reports on it. */
export function drivingOf(way: Way, kmh: number): { ms: number; reports: number } {
  const ms = (lengthOf(way) / (kmh / 3.6)) * 1000;
  return { ms, reports: Math.max(1, Math.ceil(ms / betweenReportsMs)) };
}

/** Where somebody is who has gone this part of a way. @param part from 0 to 1 */
export function pointOn(way: Way, part: number): Point {
  const legs = way.slice(1).map((to, index) => ({ from: way[index] ?? to, to }));
  const lengths = legs.map(({ from, to }) => straightMetres(from, to));
  let rest = lengths.reduce((sum, metres) => sum + metres, 0) * part;
  for (const [index, { from, to }] of legs.entries()) {
    const metres = lengths[index] ?? 0;
    if (rest <= metres && metres > 0) {
      const share = rest / metres;
      return { lon: from.lon + (to.lon - from.lon) * share, lat: from.lat + (to.lat - from.lat) * share };
    }
    rest -= metres;
  }
  const end = way.at(-1);
  if (!end) throw new Error('a way has points');
  return end;
}
