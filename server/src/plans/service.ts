import { maxPlanPackages, maxStops, stopRefusals, type Plan, type PlanChange, type PlanInput } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { findOnRoutes } from '../packages/on-routes.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound, unavailable } from '../platform/errors.ts';
import { lockWaiting, planNewRoute } from '../routes/new-routes.ts';
import {
  findPlannedRoutes,
  lockPlannedRoutes,
  replaceStops,
  type PlannedRoute,
  type Replanned,
} from '../routes/replan.ts';
import { findDepotPlace, findStopPlaces } from '../routes/stop-places.ts';
import { findSelected } from '../routes/waiting.ts';
import { ratesOf } from '../settings/effective-settings.ts';
import { isActiveDriver, requireActiveDriver } from '../users/active-driver.ts';
import { findNewlyAbsent, requireOnDuty } from '../users/on-duty.ts';
import { costOf, dayProblem, placesOfDay, routeByHand } from './day-problem.ts';
import {
  countSolving,
  deleteOldPlans,
  deletePlan,
  findDepotZone,
  findDriversOfDay,
  findPlan,
  findEnds,
  findPlannedPackages,
  insertPlan,
  lockPlan,
  setApplied,
  setChanged,
  type PlanResult,
  type PlanRow,
  type StoredRoute,
} from './queries.ts';

const defaultSeconds = 10;
/** Plans that may wait for their turn. */
const maxSolving = 10;
const keptMs = 30 * 86_400_000;

/** Starts the search for the best routes of a day. */
export async function createPlan(ctx: Ctx, actor: Actor, input: PlanInput): Promise<Plan> {
  const { day, depotId, limitSeconds = defaultSeconds } = input;
  const timeZone = await findDepotZone(ctx.db, depotId);
  if (timeZone === null) throw invalid({ depotId: 'This depot does not exist' });
  if (!(await findDepotPlace(ctx.db, depotId)))
    throw new AppError('no_place', 'The depot has no place yet. Please give it an address or a pin first.');
  const replanned = await chooseRoutes(ctx, input);
  const driverIds = await chooseDrivers(ctx, input);
  const chosen = input.packageIds && { packageIds: input.packageIds };
  const selection = input.selection ?? chosen ?? { all: true, filter: { day }, dueBy: day };
  const selected = await findSelected(ctx, ctx.db, selection, maxPlanPackages);
  if (selected.length > maxPlanPackages)
    throw invalid({ packageIds: `These are more than ${maxPlanPackages} packages. Please choose fewer.` });
  const packageIds = [...new Set([...selected.map(({ id }) => id), ...replanned.flatMap(({ stopIds }) => stopIds)])];
  if (packageIds.length > maxPlanPackages)
    throw invalid({ routeIds: `These are more than ${maxPlanPackages} packages. Please choose fewer.` });
  if (packageIds.length === 0)
    throw new AppError(
      'empty',
      input.selection || chosen
        ? 'None of these packages waits to be planned'
        : 'Nothing that waits is due by this day. Please select packages to plan them all the same.',
    );
  if ((await findStopPlaces(ctx.db, packageIds)).size === 0)
    throw new AppError('no_place', 'None of these packages has a place yet. Please put their pins on the map first.');
  if ((await countSolving(ctx.db)) >= maxSolving) throw unavailable(10);
  const id = uuid();
  const plan = await ctx.db.transaction(async (tx) => {
    for (const driverId of input.driverIds ?? []) {
      await requireActiveDriver(tx, driverId, 'driverIds');
      if (!input.confirm) await requireOnDuty(tx, driverId, { day, from: null, timeZone });
    }
    await deleteOldPlans(tx, new Date(ctx.now().getTime() - keptMs));
    await insertPlan(
      tx,
      { id, day, depotId, createdBy: actor.id, limitSeconds, driverIds, packageIds, routes: replanned },
      ctx.now(),
    );
    return compose(ctx, tx, actor, await requirePlan(findPlan(tx, id)));
  });
  ctx.wakePlanner();
  return plan;
}

/** @throws invalid for a route that is not planned on that day at that depot */
async function chooseRoutes(ctx: Ctx, { day, depotId, routeIds = [] }: PlanInput): Promise<PlannedRoute[]> {
  const routes = await findPlannedRoutes(ctx.db, routeIds);
  const isOther = (route: PlannedRoute) => route.day !== day || route.depotId !== depotId.toLowerCase();
  if (routes.length < routeIds.length || routes.some(isOther))
    throw invalid({ routeIds: 'One of these routes is not planned any more. Please load the day again.' });
  return routes;
}

/** @throws no_driver if nobody is left; invalid for a driver who has a route on that day */
async function chooseDrivers(ctx: Ctx, { day, depotId, driverIds, routeIds = [] }: PlanInput): Promise<string[]> {
  const drivers = await findDriversOfDay(ctx.db, day, depotId, driverIds ?? null, routeIds);
  const busy = drivers.filter(({ has_route: has }) => has).map(({ name }) => name);
  if (driverIds && busy.length > 0)
    throw invalid({
      driverIds: `${busy.join(', ')} ${busy.length === 1 ? 'has a route' : 'have routes'} on that day already, maybe from another depot. Please leave them out.`,
    });
  const free = drivers.filter(({ has_route: has }) => !has);
  const onShift = free.filter(({ has_shift: has }) => has);
  const chosen = driverIds || onShift.length === 0 ? free : onShift;
  if (chosen.length === 0) throw new AppError('no_driver', 'No driver is free on that day');
  return chosen.map(({ id }) => id);
}

async function requirePlan(found: Promise<PlanRow | null>): Promise<PlanRow> {
  const plan = await found;
  if (!plan) throw notFound('plan');
  return plan;
}

export const readPlan = async (ctx: Ctx, actor: Actor, id: string): Promise<Plan> =>
  compose(ctx, ctx.db, actor, await requirePlan(findPlan(ctx.db, id)));

export async function removePlan(ctx: Ctx, id: string): Promise<void> {
  if (!(await deletePlan(ctx.db, id))) throw notFound('plan');
}

const asPosition = (lon: number | null = null, lat: number | null = null) =>
  lon === null || lat === null ? null : { lon, lat };

async function compose(ctx: Pick<Ctx, 'settings'>, db: Queryable, actor: Actor, row: PlanRow): Promise<Plan> {
  const { routes = [], unassigned = [], cost = null, split = null } = row.result ?? {};
  const ids = [...routes.flatMap(({ stops }) => stops), ...unassigned].map(({ packageId }) => packageId);
  const packages = new Map((await findPlannedPackages(db, ids)).map((pkg) => [pkg.id, pkg]));
  const seesAll = actor.permissions.includes('packages.view_all');
  const driverIds = routes.map(({ driverId }) => driverId);
  const ends = new Map((seesAll ? await findEnds(db, driverIds) : []).map((driver) => [driver.id, driver]));
  const describe = (packageId: string) => {
    const pkg = packages.get(packageId);
    return {
      packageId,
      name: pkg?.name ?? '',
      street: seesAll ? (pkg?.address_street ?? null) : null,
      postalCode: pkg?.address_postal_code ?? null,
      town: pkg?.address_city ?? null,
      place: seesAll && pkg && pkg.lon !== null && pkg.lat !== null ? { lon: pkg.lon, lat: pkg.lat } : null,
      window:
        pkg?.window_from && pkg.window_to
          ? { from: pkg.window_from.toISOString(), to: pkg.window_to.toISOString() }
          : null,
    };
  };
  return {
    id: row.id,
    day: row.day,
    depotId: row.depot_id,
    state: row.state,
    limitSeconds: row.limit_seconds,
    createdAt: row.created_at.toISOString(),
    version: row.version,
    driverIds: row.driver_ids,
    routes: routes.map((route) => ({
      ...route,
      faults: route.faults ?? [],
      start: asPosition(ends.get(route.driverId)?.start_lon, ends.get(route.driverId)?.start_lat),
      end: asPosition(ends.get(route.driverId)?.end_lon, ends.get(route.driverId)?.end_lat),
      stops: route.stops.map(({ packageId, arrivesAt }) => ({ ...describe(packageId), arrivesAt })),
    })),
    unassigned: unassigned.map(({ packageId, reason }) => ({ ...describe(packageId), reason })),
    cost,
    best: row.best,
    split,
    present: row.result?.present ?? [],
    rates: ratesOf(await ctx.settings.find()),
    travelTimes: row.result?.travelTimes ?? 'estimated',
    optimizer: row.result?.optimizer ?? 'built-in',
    missed: row.result?.missed ?? [],
    failure: row.failure,
  };
}

/**
 * Gives the routes of a plan other stops, in another order, timed at once: only the routes that differ. Packages on none of them are left out.
 * @throws illegal_step while it is searched, or once it is applied; stale if it was changed meanwhile; invalid for what it does not have
 */
export async function changePlan(ctx: Ctx, actor: Actor, id: string, input: PlanChange): Promise<Plan> {
  const plan = await requirePlan(findPlan(ctx.db, id));
  const present = requireChangeable(plan, input.version);
  const wanted = input.routes
    .map(({ driverId, packageIds }) => ({
      driverId: driverId.toLowerCase(),
      packageIds: packageIds.map((one) => one.toLowerCase()),
    }))
    .filter(({ packageIds }) => packageIds.length > 0);
  await requireKnown(ctx, plan, wanted);
  const routes: StoredRoute[] = [];
  for (const { driverId, packageIds } of wanted) {
    const same = present.routes.find(
      (route) =>
        route.driverId === driverId && route.stops.map(({ packageId }) => packageId).join() === packageIds.join(),
    );
    routes.push(same ?? (await timeByHand(ctx, plan, driverId, packageIds)));
  }
  const assigned = new Set(wanted.flatMap(({ packageIds }) => packageIds));
  const reasons = new Map(present.unassigned.map(({ packageId, reason }) => [packageId, reason]));
  const unassigned = plan.package_ids
    .filter((packageId) => !assigned.has(packageId))
    .map((packageId) => ({ packageId, reason: reasons.get(packageId) ?? ('taken_out' as const) }));
  const result = { ...present, routes, unassigned, cost: costOf(routes, unassigned.length) };
  return ctx.db.transaction(async (tx) => {
    const locked = await requirePlan(lockPlan(tx, id));
    requireChangeable(locked, input.version);
    await setChanged(tx, id, result);
    return compose(ctx, tx, actor, { ...locked, version: locked.version + 1, result });
  });
}

function requireChangeable({ state, version, result }: PlanRow, read: number): PlanResult {
  if (state !== 'ready' || !result) throw new AppError('illegal_step', `This plan is ${state}: it cannot be changed`);
  if (version !== read) throw new AppError('stale', 'This plan was changed in the meantime. Please load it again.');
  return result;
}

/** @throws invalid for a driver or package that the plan was not made for, one that stands there twice, or one without a place */
async function requireKnown(
  ctx: Ctx,
  plan: PlanRow,
  wanted: { driverId: string; packageIds: string[] }[],
): Promise<void> {
  const driverIds = wanted.map(({ driverId }) => driverId);
  if (new Set(driverIds).size < driverIds.length) throw invalid({ routes: 'Each driver only once' });
  if (!driverIds.every((one) => plan.driver_ids.includes(one)))
    throw invalid({ routes: 'This plan was not made for one of these drivers' });
  const ids = wanted.flatMap(({ packageIds }) => packageIds);
  if (new Set(ids).size < ids.length) throw invalid({ routes: 'Each package only once' });
  const known = new Set(plan.package_ids);
  if (!ids.every((one) => known.has(one))) throw invalid({ routes: 'This plan does not have one of these packages' });
  const places = await findStopPlaces(ctx.db, ids);
  if (!ids.every((one) => places.has(one)))
    throw invalid({ routes: 'One of these packages has no place. Please put its pin on the map first.' });
}

async function timeByHand(ctx: Ctx, plan: PlanRow, driverId: string, packageIds: string[]): Promise<StoredRoute> {
  const depot = await findDepotPlace(ctx.db, plan.depot_id);
  const drivers = await findDriversOfDay(ctx.db, plan.day, plan.depot_id, [driverId], plan.route_ids);
  if (!depot || drivers.length === 0)
    throw new AppError('stale', 'This driver is not active any more. Please make another plan.');
  const packages = await findOnRoutes(ctx.db, [], packageIds);
  const day = placesOfDay(depot, drivers, packages, await findStopPlaces(ctx.db, packageIds));
  const { matrix } = await ctx.travel.matrix(day.points);
  return routeByHand(dayProblem(day, matrix, drivers, false), packageIds);
}

/**
 * Makes the planned routes of a plan, all or nothing. A repetition gets what is there.
 * @throws stale with what has changed since, by the id of the package or driver
 */
export async function applyPlan(ctx: Ctx, actor: Actor, id: string): Promise<Plan> {
  return ctx.db.transaction(async (tx) => {
    const plan = await requirePlan(lockPlan(tx, id));
    if (plan.state === 'applied') return compose(ctx, tx, actor, plan);
    const { result } = plan;
    if (plan.state !== 'ready' || !result || result.routes.length === 0)
      throw new AppError('illegal_step', `This plan is ${plan.state}: it has no routes to apply`);
    const replanned = await requireUnchanged(tx, plan);
    const orders = result.routes.map(({ driverId, startsAt, stops }) => ({
      driverId,
      startsAt: new Date(startsAt),
      stopIds: stops.map(({ packageId }) => packageId),
    }));
    const kept = await replaceStops(ctx, tx, actor, replanned, orders);
    const routes = [];
    for (const [at, route] of result.routes.entries()) {
      const { driverId, startsAt, stopIds = [] } = orders[at] ?? {};
      const own = kept.get(route.driverId);
      if (own !== undefined || !driverId || !startsAt) {
        routes.push({ ...route, routeId: own ?? null });
        continue;
      }
      const routeId = uuid();
      const planned = { id: routeId, day: plan.day, depotId: plan.depot_id, driverId, startsAt };
      if (!(await planNewRoute(ctx, tx, actor, planned, stopIds)))
        throw new AppError('stale', 'The depot of this plan was deleted. Please make another plan.');
      routes.push({ ...route, routeId });
    }
    const applied = { ...result, routes };
    await setApplied(tx, plan.id, applied);
    return compose(ctx, tx, actor, { ...plan, state: 'applied', result: applied });
  });
}

/**
 * Locks the routes that are planned anew, and the packages of a plan.
 * @returns the routes
 * @throws stale if a route, a driver or a package is not what the plan was made for
 */
async function requireUnchanged(tx: Tx, plan: PlanRow): Promise<Replanned> {
  const read = plan.route_ids.map((id, index) => ({ id, version: plan.route_versions[index] ?? 0 }));
  const { routes: replanned, changed } = await lockPlannedRoutes(tx, read);
  const routes = plan.result?.routes ?? [];
  for (const { driverId, stops } of routes.toSorted((a, b) => (a.driverId < b.driverId ? -1 : 1))) {
    if (!(await isActiveDriver(tx, driverId))) changed[driverId] = 'This driver is not active any more';
    if (stops.length > maxStops) changed[driverId] = stopRefusals.full;
  }
  const driverIds = routes.map(({ driverId }) => driverId);
  const drivers = await findDriversOfDay(tx, plan.day, plan.depot_id, driverIds, plan.route_ids);
  for (const { id, has_route: has } of drivers) if (has) changed[id] = 'This driver has a route on that day by now';
  for (const id of await findNewlyAbsent(tx, driverIds, plan.day, plan.created_at))
    changed[id] = 'This driver is absent on that day by now';
  const ids = routes.flatMap(({ stops }) => stops.map(({ packageId }) => packageId));
  const { refused } = await lockWaiting(tx, ids, plan.route_ids);
  for (const { packageId, message } of refused) changed[packageId] = message;
  const count = Object.keys(changed).length;
  if (count > 0)
    throw new AppError(
      'stale',
      count === 1
        ? 'One package or driver has changed since this plan was made. Please make another plan.'
        : `${count} packages or drivers have changed since this plan was made. Please make another plan.`,
      { fields: changed },
    );
  return replanned;
}
