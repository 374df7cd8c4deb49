import { createHash } from 'node:crypto';
import { maxLiveDrivers, maxLiveStops, type LiveDrivers, type LiveMap, type LiveStops } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findLiveDrivers, findLiveStops, type LiveDriverRow, type LiveStopRow } from './queries.ts';
import { shownMs } from './service.ts';

interface State {
  map: LiveMap;
  drivers: LiveDrivers;
  stops: LiveStops;
}

/** However many dispatchers look at the map, and however often: each process reads it once in this time. */
const keptMs = 1000;
/** Older than this, a position says where a driver was, and no more where they are. */
const staleMs = 180_000;
/** Initials of more drivers would cover each other, and the page places each of them anew when it moves. */
const mostInitials = 150;
/** Some meters: more digits only make the answer longer. */
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

/** What the map of Live Operations shows, at most a second old. */
export function openLiveMap(ctx: Ctx): () => Promise<State> {
  let state: Promise<State> | null = null;
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (state && now - readAt < keptMs) return state;
    readAt = now;
    const read = readState(ctx);
    state = read;
    // Nobody gets the failure of an earlier read.
    read.catch(() => {
      if (state === read) state = null;
    });
    return read;
  };
}

async function readState(ctx: Ctx): Promise<State> {
  const now = ctx.now();
  const [drivers, stops] = await Promise.all([
    findLiveDrivers(ctx.reads, new Date(now.getTime() - shownMs), now, maxLiveDrivers + 1),
    findLiveStops(ctx.reads, maxLiveStops + 1),
  ]);
  const more = drivers.length > maxLiveDrivers || stops.length > maxLiveStops;
  const shown = { drivers: drivers.slice(0, maxLiveDrivers), stops: stops.slice(0, maxLiveStops) };
  const withTexts = shown.drivers.length <= mostInitials;
  const points = shown.drivers.map((row) => asPoint(row, now, withTexts));
  const features = shown.stops.map(asFeature);
  return {
    map: {
      drivers: points.length,
      stale: points.filter(({ properties }) => properties.stale).length,
      driversVersion: versionOf(points),
      stops: features.length,
      stopsVersion: versionOf(features),
      bounds: boundsOf([...shown.drivers, ...shown.stops]),
      more,
    },
    drivers: { type: 'FeatureCollection', features: points },
    stops: { type: 'FeatureCollection', features },
  };
}

const versionOf = (features: object[]) =>
  createHash('sha256').update(JSON.stringify(features)).digest('base64url').slice(0, 16);

const asPoint = (
  { driver_id: id, name, at, lon, lat }: LiveDriverRow,
  now: Date,
  withText: boolean,
): LiveDrivers['features'][number] => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [rounded(lon), rounded(lat)] },
  properties: { id, name, text: withText ? initials(name) : '', stale: now.getTime() - at.getTime() > staleMs },
});

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase();

const asFeature = ({ id, lon, lat, state, route_id: routeId }: LiveStopRow): LiveStops['features'][number] => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [rounded(lon), rounded(lat)] },
  properties: { id, state: state === 'next' || state === 'arrived' ? state : 'open', routeId },
});

function boundsOf(points: (LiveDriverRow | LiveStopRow)[]): number[] | null {
  if (points.length === 0) return null;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { lon, lat } of points) {
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return [west, south, east, north];
}
