import { costOfDrive, gramsPerKmOf, isOpenStop, type CostRates, type Route } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { nextFirst } from '../packages/rounds.ts';
import { destinationOf, type PackageRow, type PlaceColumns } from '../packages/row.ts';
import { ratesOf } from '../settings/effective-settings.ts';
import type { Point } from '../travel/estimate.ts';
import { findUnmeasured, setMeasured, type RouteRow } from './queries.ts';
import { endOf, findStops, type StopRow } from './stop-rows.ts';

const exactPlaceOf = (at: PlaceColumns): Point | null =>
  at.place_lon === null || at.place_lat === null || at.place_accuracy === 'town'
    ? null
    : { lon: at.place_lon, lat: at.place_lat };

/** Where a package goes: to its recipient, or back to its owner. */
export const placeOf = (pkg: PackageRow): Point | null => exactPlaceOf(destinationOf(pkg));

/** Of a stop: what failed was tried at the recipient's, whatever becomes of it. */
const placeOfStop = ({ pkg, state }: StopRow) => (state === 'failed' ? exactPlaceOf(pkg) : placeOf(pkg));

export const pointAt = (lon: number | null, lat: number | null, otherwise: Point | null): Point | null =>
  lon === null || lat === null ? otherwise : { lon, lat };

interface RouteWay {
  points: Point[];
  /** Stops whose place is not known: they are left out. */
  withoutPlace: number;
}

/**
 * Where a route leads: from its start through what is done, by the time, and what is open, in order, to its end. Stops that were not reached
 * before its end are no part of it. Null if there is nothing to drive to.
 */
function wayOf(route: RouteRow, stops: StopRow[]): RouteWay | null {
  const depot = pointAt(route.depot_lon, route.depot_lat, null);
  const done = stops
    .flatMap((stop) => (endOf(stop) ? [{ stop, at: endOf(stop)?.getTime() ?? 0 }] : []))
    .toSorted((a, b) => a.at - b.at)
    .map(({ stop }) => stop);
  const open = stops.filter(({ state }) => isOpenStop(state));
  const ahead = nextFirst(open, ({ pkg }) => pkg.status === 'out for delivery');
  const visited = [...done, ...(route.state === 'finished' ? [] : ahead)].map(placeOfStop);
  const known = visited.filter((place) => place !== null);
  if (known.length === 0) return null;
  const ends = [
    pointAt(route.start_lon, route.start_lat, depot),
    ...known,
    pointAt(route.end_lon, route.end_lat, depot),
  ];
  const points = ends.filter((place) => place !== null);
  // Several packages of one door are one drive.
  const isNew = (place: Point, index: number) =>
    index === 0 || place.lon !== points[index - 1]?.lon || place.lat !== points[index - 1]?.lat;
  return { points: points.filter(isNew), withoutPlace: visited.length - known.length };
}

const gramsPerKm = (route: RouteRow) =>
  gramsPerKmOf({ type: route.vehicle_type, gramsPerKm: route.vehicle_grams_per_km });

/** Distance, driving time, CO2 and cost of a whole route. Does not wait for a router. @param rates null: without the cost */
export function driveOf(
  ctx: Pick<Ctx, 'travel'>,
  route: RouteRow,
  stops: StopRow[],
  rates: CostRates | null,
): Route['drive'] {
  if (route.metres !== null && route.drive_seconds !== null)
    return {
      metres: route.metres,
      seconds: route.drive_seconds,
      co2Kg: (route.co2_grams ?? 0) / 1000,
      withoutPlace: 0,
      travelTimes: 'router',
      cost: rates && route.cost !== null ? { amount: route.cost, currency: rates.currency } : null,
    };
  const way = wayOf(route, stops);
  if (!way) return null;
  const { metres, seconds, travelTimes } = ctx.travel.routeNow(way.points);
  const co2Kg = Math.round((metres / 1000) * gramsPerKm(route)) / 1000;
  const cost = rates && { amount: costOfDrive({ metres, seconds }, rates), currency: rates.currency };
  return { metres, seconds, co2Kg, withoutPlace: way.withoutPlace, travelTimes, cost };
}

/** The routes of one run. */
const batch = 100;

/** A job: stores how far finished routes were, for the figures. What is due is done, whichever event it was. */
export async function measureRoutes(ctx: Pick<Ctx, 'db' | 'travel' | 'settings'>): Promise<void> {
  const routes = await findUnmeasured(ctx.db, batch);
  if (routes.length === 0) return;
  const stops = await findStops(ctx.db, routes);
  const rates = ratesOf(await ctx.settings.find());
  for (const route of routes) {
    const way = wayOf(route, stops.get(route.id) ?? []);
    const driven = way && (await ctx.travel.route(way.points));
    await setMeasured(ctx.db, route.id, {
      metres: driven?.metres ?? null,
      seconds: driven?.seconds ?? 0,
      cost: driven && rates ? costOfDrive(driven, rates) : null,
      grams: driven ? Math.round((driven.metres / 1000) * gramsPerKm(route)) : null,
    });
  }
  if (routes.length === batch) await measureRoutes(ctx);
}
