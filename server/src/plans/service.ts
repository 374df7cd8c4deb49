import { maxPlanPackages, maxStops, stopRefusals, type Plan, type PlanInput } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound, unavailable } from '../platform/errors.ts';
import { lockWaiting, planNewRoute } from '../routes/new-routes.ts';
import { findDepotPlace, findStopPlaces } from '../routes/stop-places.ts';
import { findSelected } from '../routes/waiting.ts';
import { isActiveDriver, requireActiveDriver } from '../users/active-driver.ts';
import { requireOnDuty } from '../users/on-duty.ts';
import {
  countSolving,
  deleteOldPlans,
  deletePlan,
  findDepotZone,
  findDriversOfDay,
  findPlan,
  findPlannedPackages,
  insertPlan,
  lockPlan,
  setApplied,
  type PlanRow,
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
  const driverIds = await chooseDrivers(ctx, input);
  const chosen = input.packageIds && { packageIds: input.packageIds };
  const selection = input.selection ?? chosen ?? { all: true, filter: { day } };
  const selected = await findSelected(ctx, ctx.db, selection, maxPlanPackages);
  if (selected.length > maxPlanPackages)
    throw invalid({ packageIds: `These are more than ${maxPlanPackages} packages. Please choose fewer.` });
  const packageIds = selected.map(({ id }) => id);
  if (packageIds.length === 0) throw new AppError('empty', 'None of these packages waits to be planned');
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
    await insertPlan(tx, { id, day, depotId, createdBy: actor.id, limitSeconds, driverIds, packageIds }, ctx.now());
    return compose(tx, actor, await requirePlan(findPlan(tx, id)));
  });
  ctx.wakePlanner();
  return plan;
}

/** @throws no_driver if nobody is left; invalid for a driver who has a route on that day */
async function chooseDrivers(ctx: Ctx, { day, depotId, driverIds }: PlanInput): Promise<string[]> {
  const drivers = await findDriversOfDay(ctx.db, day, depotId, driverIds ?? null);
  const busy = drivers.find(({ has_route: has }) => has);
  if (driverIds && busy) throw invalid({ driverIds: 'One of these drivers has a route on that day already' });
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
  compose(ctx.db, actor, await requirePlan(findPlan(ctx.db, id)));

export async function removePlan(ctx: Ctx, id: string): Promise<void> {
  if (!(await deletePlan(ctx.db, id))) throw notFound('plan');
}

async function compose(db: Queryable, actor: Actor, row: PlanRow): Promise<Plan> {
  const { routes = [], unassigned = [], cost = null, split = null } = row.result ?? {};
  const ids = [...routes.flatMap(({ stops }) => stops), ...unassigned].map(({ packageId }) => packageId);
  const packages = new Map((await findPlannedPackages(db, ids)).map((pkg) => [pkg.id, pkg]));
  const seesAll = actor.permissions.includes('packages.view_all');
  const describe = (packageId: string) => {
    const pkg = packages.get(packageId);
    return {
      packageId,
      name: pkg?.name ?? '',
      street: seesAll ? (pkg?.address_street ?? null) : null,
      postalCode: pkg?.address_postal_code ?? null,
      town: pkg?.address_city ?? null,
    };
  };
  return {
    id: row.id,
    day: row.day,
    depotId: row.depot_id,
    state: row.state,
    limitSeconds: row.limit_seconds,
    createdAt: row.created_at.toISOString(),
    routes: routes.map((route) => ({
      ...route,
      stops: route.stops.map(({ packageId, arrivesAt }) => ({ ...describe(packageId), arrivesAt })),
    })),
    unassigned: unassigned.map(({ packageId, reason }) => ({ ...describe(packageId), reason })),
    cost,
    best: row.best,
    split,
    travelTimes: row.result?.travelTimes ?? 'estimated',
    optimizer: row.result?.optimizer ?? 'built-in',
    missed: row.result?.missed ?? [],
    failure: row.failure,
  };
}

/**
 * Makes the planned routes of a plan, all or nothing. A repetition gets what is there.
 * @throws stale with what has changed since, by the id of the package or driver
 */
export async function applyPlan(ctx: Ctx, actor: Actor, id: string): Promise<Plan> {
  return ctx.db.transaction(async (tx) => {
    const plan = await requirePlan(lockPlan(tx, id));
    if (plan.state === 'applied') return compose(tx, actor, plan);
    const { result } = plan;
    if (plan.state !== 'ready' || !result || result.routes.length === 0)
      throw new AppError('illegal_step', `This plan is ${plan.state}: it has no routes to apply`);
    await requireUnchanged(tx, plan);
    const routes = [];
    for (const route of result.routes) {
      const routeId = uuid();
      const { driverId, stops } = route;
      const startsAt = new Date(route.startsAt);
      const stopIds = stops.map(({ packageId }) => packageId);
      const planned = { id: routeId, day: plan.day, depotId: plan.depot_id, driverId, startsAt };
      if (!(await planNewRoute(ctx, tx, actor, planned, stopIds)))
        throw new AppError('stale', 'The depot of this plan was deleted. Please make another plan.');
      routes.push({ ...route, routeId });
    }
    const applied = { ...result, routes };
    await setApplied(tx, plan.id, applied);
    return compose(tx, actor, { ...plan, state: 'applied', result: applied });
  });
}

/** Locks the packages of a plan. @throws stale if a driver or a package is not what the plan was made for */
async function requireUnchanged(tx: Tx, plan: PlanRow): Promise<void> {
  const changed: Record<string, string> = {};
  const routes = plan.result?.routes ?? [];
  for (const { driverId, stops } of routes.toSorted((a, b) => (a.driverId < b.driverId ? -1 : 1))) {
    if (!(await isActiveDriver(tx, driverId))) changed[driverId] = 'This driver is not active any more';
    if (stops.length > maxStops) changed[driverId] = stopRefusals.full;
  }
  const drivers = await findDriversOfDay(
    tx,
    plan.day,
    plan.depot_id,
    routes.map(({ driverId }) => driverId),
  );
  for (const { id, has_route: has } of drivers) if (has) changed[id] = 'This driver has a route on that day by now';
  const ids = routes.flatMap(({ stops }) => stops.map(({ packageId }) => packageId));
  const { refused } = await lockWaiting(tx, ids);
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
}
