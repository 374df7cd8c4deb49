import { dayIn, isOpenStop, type Delivery, type Route, type Stop } from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { asDelivery, asFormerDelivery, asPlannedDelivery, hasStarted } from '../deliveries/view.ts';
import { findChangedSincePlanned } from '../packages/on-routes.ts';
import {
  arrivalAt,
  arrivalIn,
  asArrival,
  findArrivalModel,
  findPaces,
  findRounds,
  stopMs,
  type Arrival,
  type Round,
} from '../packages/rounds.ts';
import { windowsOf, type PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { ratesOf } from '../settings/effective-settings.ts';
import type { Point } from '../travel/estimate.ts';
import { coldModel, forecast, type ArrivalModel } from '../travel/forecast.ts';
import { driveOf, placeOf, pointAt } from './drive.ts';
import { findRoutes, type RouteRow } from './queries.ts';
import { findDepotPlace } from './stop-places.ts';
import { endOf, findStops, stopsOf, type StopRow } from './stop-rows.ts';

/** The open stops of a route among its packages, in their order. */
export const openStopsOf = (route: RouteRow, packages: Iterable<PackageRow>): PackageRow[] =>
  stopsOf(route, packages, []).flatMap(({ pkg, state }) => (isOpenStop(state) ? pkg : []));

/** The expected arrivals of the open stops, by package: of a started route, and of a planned one with a start time. */
function arrivalsOf(
  ctx: Ctx,
  route: RouteRow,
  stops: StopRow[],
  round: Round | undefined,
  planned: PlannedTerms,
): Map<string, Arrival> {
  const open = stops.filter(({ state }) => isOpenStop(state)).map(({ pkg }) => pkg);
  const found: (readonly [string, Arrival | null])[] = [];
  if (route.state === 'started') {
    for (const { id } of open) found.push([id, arrivalIn(round, id, stopMs(ctx), ctx.now())]);
  } else if (route.state === 'planned' && route.starts_at !== null) {
    const startsAt = beginOf(route.starts_at, ctx.now());
    const forecasts = forecast(
      {
        now: startsAt.getTime(),
        since: startsAt.getTime(),
        from: planned.depots.get(route.depot_id) ?? null,
        position: null,
        atDoor: false,
        zoneMs: zoneMsOf(route.time_zone, startsAt),
        stops: open.map((pkg) => ({ place: placeOf(pkg), opensAt: windowsOf(pkg)[0]?.[0].getTime() ?? null })),
        pace: planned.paces.get(route.driver_id ?? '') ?? planned.model.pace ?? 1,
        msPerStop: stopMs(ctx),
        isPlanned: true,
      },
      planned.model,
    );
    for (const [index, { id }] of open.entries())
      found.push([id, asArrival(forecasts[index], index) ?? arrivalAt(startsAt, index, stopMs(ctx), null)]);
  }
  return new Map(found.flatMap(([id, arrival]) => (arrival ? [[id, arrival] as const] : [])));
}

/** Whoever should have started in the last 12 hours starts now: no arrival of a route that is still to be driven is in the past. */
const beginOf = (startsAt: Date, now: Date): Date =>
  startsAt < now && now.getTime() - startsAt.getTime() <= lateStartMs ? now : startsAt;

const lateStartMs = 12 * 3_600_000;

interface PlannedTerms {
  depots: Map<string, Point>;
  model: ArrivalModel;
  /** By driver. */
  paces: Map<string, number>;
}

/** Where planned routes begin, and what was learned about arrivals. */
async function findPlannedRounds(db: Queryable, routes: RouteRow[]): Promise<PlannedTerms> {
  const timed = routes.filter(({ state, starts_at: at }) => state === 'planned' && at !== null);
  const depotIds = new Set(timed.map(({ depot_id: id }) => id));
  const depots = new Map<string, Point>();
  if (depotIds.size === 0) return { depots, model: coldModel, paces: new Map() };
  for (const id of depotIds) {
    const place = await findDepotPlace(db, id);
    if (place) depots.set(id, place);
  }
  const [model, paces] = await Promise.all([
    findArrivalModel(db),
    findPaces(
      db,
      timed.flatMap(({ driver_id: id }) => id ?? []),
    ),
  ]);
  return { depots, model, paces };
}

/** How far a zone is ahead of UTC at a time, in ms. */
function zoneMsOf(timeZone: string, at: Date): number {
  const local = at.toLocaleString('sv-SE', { timeZone });
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(at.getTime() / 1000) * 1000;
}

/**
 * A route and its stops are two statements: one that was started between them would have no stop, so planned routes that lack some of
 * their stops are read anew.
 */
async function findCurrentStops(
  db: Queryable,
  listed: RouteRow[],
): Promise<{ routes: RouteRow[]; stops: Map<string, StopRow[]> }> {
  const stops = await findStops(db, listed);
  const lacking = listed.filter(
    ({ id, state, stop_ids: ids }) => state === 'planned' && ids.length > (stops.get(id)?.length ?? 0),
  );
  if (lacking.length === 0) return { routes: listed, stops };
  const again = await findRoutes(
    db,
    lacking.map(({ id }) => id),
  );
  const rows = new Map(again.map((row) => [row.id, row]));
  return {
    routes: listed.map((row) => rows.get(row.id) ?? row),
    stops: new Map([...stops, ...(await findStops(db, again))]),
  };
}

/** The names of those who send the packages of these stops. */
async function findSenders(db: Queryable, stops: StopRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(stops.map(({ pkg }) => pkg.owner_id))];
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(
    'select id, name from users where id = any($1::uuid[]) and deleted_at is null',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A route with its stops, and when the open ones are expected, by package. */
interface Timetable {
  route: RouteRow;
  stops: StopRow[];
  arrivals: Map<string, Arrival>;
}

/** The timetables of routes, without whatever is known of the packages besides. */
export async function findTimetables(ctx: Ctx, db: Queryable, listed: RouteRow[]): Promise<Timetable[]> {
  const { routes, stops } = await findCurrentStops(db, listed);
  const rounds = await findRounds(
    db,
    routes.flatMap(({ id, state }) => (state === 'started' ? id : [])),
  );
  const planned = await findPlannedRounds(db, routes);
  return routes.map((route) => {
    const ofRoute = stops.get(route.id) ?? [];
    return { route, stops: ofRoute, arrivals: arrivalsOf(ctx, route, ofRoute, rounds.get(route.id), planned) };
  });
}

/** Composes routes as the caller may see them. Records which recipients staff have seen. */
export async function asRoutes(ctx: Ctx, db: Queryable, actor: Actor, listed: RouteRow[]): Promise<Route[]> {
  const timetables = await findTimetables(ctx, db, listed);
  const all = timetables.flatMap(({ stops }) => stops);
  const changed = await findChangedSincePlanned(
    db,
    all.flatMap(({ pkg, state }) => (isOpenStop(state) ? pkg.id : [])),
  );
  const seen: PackageRow[] = [];
  const senders = await findSenders(db, all);
  const plansRoutes = actor.permissions.includes('deliveries.assign');
  const rates = plansRoutes ? ratesOf(await ctx.settings.find()) : null;
  const composed = timetables.map(({ route, stops, arrivals }) => ({
    ...asRoute(ctx, route, stops, changed, viewFor(ctx, actor, route, seen), seesEnds(actor, route), arrivals, senders),
    drive: driveOf(ctx, route, stops, rates),
  }));
  await auditContactViews(db, actor, seen);
  return composed;
}

/** Where a driver sets out may be where they live. */
const seesEnds = (actor: Actor, route: RouteRow): boolean =>
  route.driver_id === actor.id || actor.permissions.includes('packages.view_all');

/** How the caller sees the packages of a route. @param seen gets those whose recipient staff see */
function viewFor(ctx: Ctx, actor: Actor, route: RouteRow, seen: PackageRow[]): (pkg: PackageRow) => Delivery {
  if (route.driver_id === actor.id) {
    const isShown = route.released || dayIn(route.time_zone, ctx.now()) >= route.day;
    return (pkg) => {
      if (pkg.driver_id !== actor.id && pkg.route_id !== route.id) return asFormerDelivery(pkg);
      return route.state === 'planned' && !isShown ? asDelivery(pkg) : asPlannedDelivery(pkg);
    };
  }
  const seesAll = actor.permissions.includes('packages.view_all');
  return (pkg) => {
    if (seesAll || hasStarted(pkg.status)) seen.push(pkg);
    return seesAll ? asPlannedDelivery(pkg) : asDelivery(pkg);
  };
}

function asRoute(
  ctx: Ctx,
  route: RouteRow,
  stops: StopRow[],
  changed: Set<string>,
  view: (pkg: PackageRow) => Delivery,
  withEnds: boolean,
  arrivals: Map<string, Arrival>,
  senders: Map<string, string>,
): Omit<Route, 'drive'> {
  const open = stops.filter(({ state }) => isOpenStop(state));
  const shown = stops.map((stop, index): Stop => {
    const arrival = arrivals.get(stop.pkg.id);
    const delivery = view(stop.pkg);
    return {
      packageId: stop.pkg.id,
      position: index + 1,
      state: stop.state,
      locked: route.locked_ids.includes(stop.pkg.id),
      changed: changed.has(stop.pkg.id),
      arrivesAt: arrival?.estimatedDeliveryTime ?? null,
      arrivalWindow: arrival?.arrivalWindow ?? null,
      endedAt: endOf(stop)?.toISOString() ?? null,
      sender: delivery.trackingId === stop.pkg.tracking_id ? (senders.get(stop.pkg.owner_id) ?? null) : null,
      delivery: route.state === 'started' && !stop.pkg.stranded ? { ...delivery, ...arrival } : delivery,
    };
  });
  const driverId = route.state === 'planned' && !route.driver_active ? null : route.driver_id;
  return {
    id: route.id,
    day: route.day,
    depotId: route.depot_id,
    driverId,
    state: route.state,
    version: route.version,
    startsAt: (route.started_at ?? route.starts_at)?.toISOString() ?? null,
    released: route.released,
    stops: shown,
    // In whole grams: sums of fractions would not be exact.
    kilograms: open.reduce((grams, { pkg }) => grams + Math.round(pkg.weight * 1000), 0) / 1000,
    start: withEnds && driverId !== null ? pointAt(route.start_lon, route.start_lat, null) : null,
    end: withEnds && driverId !== null ? pointAt(route.end_lon, route.end_lat, null) : null,
    vehicle:
      driverId === null
        ? null
        : {
            capacityKg: route.vehicle_capacity_kg,
            maxStops: route.vehicle_max_stops,
            skills: route.vehicle_skills ?? [],
          },
  };
}
