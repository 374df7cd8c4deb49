import { dayIn, isOpenStop, type Delivery, type Route, type Stop } from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { asDelivery, asFormerDelivery, asPlannedDelivery, hasStarted } from '../deliveries/view.ts';
import { findChangedSincePlanned } from '../packages/on-routes.ts';
import { arrivalAt, countsFrom, nextFirst, stopMs } from '../packages/rounds.ts';
import type { PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { driveOf } from './drive.ts';
import type { RouteRow } from './queries.ts';
import { endOf, findStops, stopsOf, type StopRow } from './stop-rows.ts';

/** The open stops of a route among its packages, in their order. */
export const openStopsOf = (route: RouteRow, packages: Iterable<PackageRow>): PackageRow[] =>
  stopsOf(route, packages, []).flatMap(({ pkg, state }) => (isOpenStop(state) ? pkg : []));

/**
 * The time from which arrivals are counted, or null without a start time: the planned start; on the road the last stop that was done. The
 * next stop is never expected in the past.
 */
function arrivalsFrom(route: RouteRow, stops: StopRow[]): Date | null {
  if (route.state === 'planned' || route.started_at === null) return route.starts_at;
  const own = stops.filter(({ pkg }) => pkg.route_id === route.id);
  return countsFrom(
    route.started_at,
    own.flatMap(({ pkg }) => [pkg.completed_at, pkg.failed_at, pkg.returned_at]),
  );
}

/** Composes routes as the caller may see them. Records which recipients staff have seen. */
export async function asRoutes(ctx: Ctx, db: Queryable, actor: Actor, routes: RouteRow[]): Promise<Route[]> {
  const stops = await findStops(db, routes);
  const open = [...stops.values()].flat().filter(({ state }) => isOpenStop(state));
  const changed = await findChangedSincePlanned(
    db,
    open.map(({ pkg }) => pkg.id),
  );
  const seen: PackageRow[] = [];
  const composed = routes.map((route) =>
    asRoute(ctx, route, stops.get(route.id) ?? [], changed, viewFor(ctx, actor, route, seen)),
  );
  await auditContactViews(db, actor, seen);
  return composed;
}

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
): Route {
  const from = arrivalsFrom(route, stops);
  const open = stops.filter(({ state }) => isOpenStop(state));
  const ahead = nextFirst(open, ({ pkg }) => pkg.status === 'out for delivery');
  const earliest = route.state === 'started' ? ctx.now() : null;
  const arrivalOf = (stop: StopRow) => {
    if (from === null || route.state === 'finished' || !isOpenStop(stop.state)) return null;
    return arrivalAt(from, ahead.indexOf(stop), stopMs(ctx), earliest);
  };
  const shown = stops.map((stop, index): Stop => {
    const arrival = arrivalOf(stop);
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
    drive: driveOf(ctx, route, stops),
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
