import {
  isOnTheRoad,
  maxStops,
  stopRefusals,
  type Insertion,
  type Insertions,
  type InsertInput,
  type Route,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { placeStop } from '../optimizer/changes.ts';
import type { Problem } from '../optimizer/problem.ts';
import { markNextStop } from '../packages/next-stop.ts';
import { findOnRoutes, lockOnRoutes, setRoute } from '../packages/on-routes.ts';
import { recordPackages } from '../packages/package-event.ts';
import { stopMs } from '../packages/rounds.ts';
import type { PackageRow } from '../packages/row.ts';
import { changePackages } from '../packages/transitions.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { decideEach, withRoutes } from './planning.ts';
import { evaluate, readRound, type Round } from './optimize.ts';
import { findRoutesOfDay, setRouteRow, whichArePlanned, type RouteRow } from './queries.ts';
import { assertLegal, lockRoute, readChanged, recordRoute } from './service.ts';
import { findStopPlaces } from './stop-places.ts';
import { openStopsOf } from './stops.ts';

const unplaced = 'This package has no place yet. Please put its pin on the map first.';

/**
 * Finds for each route of a day that is not finished where one more stop costs least, the cheapest first: one that makes nobody late comes
 * before one that does. Routes whose vehicle cannot take it are left out, and so are those whose start is not known.
 * @throws no_place, not_found
 */
export async function findInsertions(
  ctx: Ctx,
  actor: Actor,
  { packageId, day, depotId }: { packageId: string; day: string; depotId: string },
): Promise<Insertions> {
  const [pkg] = await findOnRoutes(ctx.db, [], [packageId]);
  if (!pkg || pkg.status !== 'processing') throw notFound('package');
  if (!(await findStopPlaces(ctx.db, [pkg.id])).has(pkg.id)) throw new AppError('no_place', unplaced);
  const seesAll = actor.permissions.includes('packages.view_all');
  const found: (Insertion & { cost: number; lateness: number })[] = [];
  let travelTimes: Insertions['travelTimes'] = 'router';
  for (const route of await findRoutesOfDay(ctx.db, day, depotId)) {
    if (route.state === 'started' && !route.driver_active) continue;
    const packages = await findOnRoutes(ctx.db, [route.id], []);
    const open = openStopsOf(route, packages);
    if (pkg.route_id === route.id || open.length >= maxStops) continue;
    const round = await readRound(ctx, route, packages, open, [pkg]).catch(nullIfUnplaced);
    if (!round) continue;
    if (round.travelTimes === 'estimated') travelTimes = 'estimated';
    const insertion = insertionInto(route, round, pkg, seesAll);
    if (insertion) found.push(insertion);
  }
  found.sort((one, other) => one.lateness - other.lateness || one.cost - other.cost);
  return { insertions: found.map(({ cost: _cost, lateness: _lateness, ...shown }) => shown), travelTimes };
}

const nullIfUnplaced = (error: unknown): null => {
  if (error instanceof AppError && error.code === 'no_place') return null;
  throw error;
};

/** @returns null if the vehicle cannot take it */
function insertionInto(route: RouteRow, round: Round, pkg: PackageRow, seesAll: boolean) {
  const { driven, origin } = round;
  const order = driven.map(({ id }) => id);
  const placement = placeStop(withVehicle(route, round), { [route.id]: order }, pkg.id);
  if (!placement) return null;
  const [before, after] = [evaluate(round, driven), evaluate(round, driven.toSpliced(placement.position, 0, pkg))];
  const following = driven[placement.position];
  const instant = (seconds: number) => new Date(origin.getTime() + Math.round(seconds) * 1000).toISOString();
  const windowEnds = new Map(round.problem.stops.map(({ id, windows }) => [id, windows[0]?.[1]]));
  const rows = new Map([...driven, pkg].map((one) => [one.id, one]));
  const position = following ? round.open.findIndex(({ id }) => id === following.id) : round.open.length;
  return {
    routeId: route.id,
    driverId: route.driver_id,
    state: route.state === 'started' ? ('started' as const) : ('planned' as const),
    version: route.version,
    before: following?.id ?? null,
    position: route.stop_ids.length - round.open.length + position + 1,
    arrivesAt: instant(after.arrivals.get(pkg.id) ?? 0),
    endsAt: instant(after.end),
    metres: after.metres - before.metres,
    seconds: after.end - before.end,
    late: after.late
      .filter((id) => !before.late.includes(id))
      .map((id) => {
        const row = rows.get(id);
        return {
          packageId: id,
          name: (seesAll ? row?.address_street : null) ?? row?.name ?? '',
          seconds: Math.max(0, Math.round((after.arrivals.get(id) ?? 0) - (windowEnds.get(id) ?? 0))),
        };
      }),
    cost: placement.cost,
    lateness: placement.lateness,
  };
}

/** With what the vehicle can carry: a route that gets another stop must have room for it. */
const withVehicle = (route: RouteRow, { problem }: Round): Problem => ({
  ...problem,
  vehicles: problem.vehicles.map((vehicle) => ({
    ...vehicle,
    capacityKg: route.vehicle_capacity_kg,
    maxStops: route.vehicle_max_stops,
    skills: route.vehicle_skills ?? [],
  })),
});

/**
 * Puts a waiting package on a route, before an open stop of it or at its end. On a started route it is in transit at once.
 * @throws stale if the route has changed since its version was read, or has no such stop any more; illegal_step if the package does not wait
 */
export async function insertStop(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { packageId, before, version }: InsertInput,
): Promise<Route> {
  return ctx.db.transaction(async (tx) => {
    const route = await lockRoute(tx, actor, id, 'deliveries.assign');
    assertLegal('change', route, 'it gets no more stops');
    const packages = await lockOnRoutes(tx, [route.id], [packageId]);
    const open = openStopsOf(route, packages.values()).map((pkg) => pkg.id);
    // A repetition of what is done already.
    if (open.includes(packageId.toLowerCase())) return readChanged(ctx, tx, actor, route.id);
    const at = before === null ? open.length : open.indexOf(before.toLowerCase());
    if (route.version !== version || at < 0)
      throw new AppError('stale', 'This route was changed in the meantime. Please look for the best place again.');
    const others = [...packages.values()].flatMap((pkg) => (pkg.planned && pkg.route_id) || []);
    const planned = await whichArePlanned(tx, [...new Set(others)]);
    const { chosen, refused } = decideEach([packageId], packages, (pkg) => {
      if (isOnTheRoad(pkg.status)) return 'started';
      if (pkg.status !== 'processing' || pkg.next_step === 'collect') return 'not_waiting';
      if (pkg.route_id && planned.has(pkg.route_id)) return 'on_other_route';
      return open.length >= maxStops ? 'full' : null;
    });
    const [pkg] = chosen;
    if (!pkg) {
      const [why] = await withRoutes(tx, refused, packages);
      const of = why?.route && `: ${why.route.driver ?? 'without a driver'}, ${why.route.day}`;
      throw new AppError('illegal_step', `${why?.message ?? stopRefusals.gone}${of ?? ''}`);
    }
    if (route.state === 'planned') await setRoute(tx, [pkg.id], route.id, ctx.now());
    else {
      if (!route.driver_id || !route.driver_active) throw new AppError('no_driver', 'This route has no active driver');
      const arrivesAt = new Date(ctx.now().getTime() + (at + 1) * stopMs(ctx));
      const to = { kind: 'start' as const, driverId: route.driver_id, stop: { routeId: route.id, arrivesAt } };
      const changed = await changePackages(ctx, tx, [{ pkg, to, actorId: actor.id }]);
      await recordPackages(
        tx,
        changed.map(({ event }) => event),
      );
    }
    const done = route.stop_ids.filter((one) => !open.includes(one) && one !== pkg.id);
    const order = open.toSpliced(at, 0, pkg.id);
    await setRouteRow(tx, { ...route, stop_ids: [...done, ...order] }, actor.id, ctx.now());
    await recordRoute(ctx, tx, actor, 'route.changed', route, { added: [[], [pkg.id]], order: [open, order] });
    if (route.state === 'started') await markNextStop(ctx, tx, route.id, actor.id);
    return readChanged(ctx, tx, actor, route.id);
  });
}
