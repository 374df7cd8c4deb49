import { createHash } from 'node:crypto';
import { maxLiveDrivers, maxLiveStops, type LiveMap, type LiveStops } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findLiveDrivers, findLiveStops, type LiveDriverRow, type LiveStopRow } from './queries.ts';
import { shownMs } from './service.ts';

interface State {
  map: LiveMap;
  stops: LiveStops;
}

/** However many dispatchers look at the map, and however often: each process reads it once in this time. */
const keptMs = 1000;
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
  const features = shown.stops.map(asFeature);
  return {
    map: {
      drivers: shown.drivers.map((row) => ({
        driverId: row.driver_id,
        name: row.name,
        lon: rounded(row.lon),
        lat: rounded(row.lat),
        ageSeconds: Math.max(0, Math.round((now.getTime() - row.at.getTime()) / 1000)),
      })),
      stops: features.length,
      stopsVersion: createHash('sha256').update(JSON.stringify(features)).digest('base64url').slice(0, 16),
      bounds: boundsOf([...shown.drivers, ...shown.stops]),
      more,
    },
    stops: { type: 'FeatureCollection', features },
  };
}

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
