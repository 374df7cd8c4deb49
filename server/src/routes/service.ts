import {
  isLegalForRoute,
  type OwnRoutesQuery,
  type Permission,
  type Route,
  type RouteAction,
  type RouteInput,
  type RouteListQuery,
  type RouteUpdateInput,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import type { Changes, RouteEvent } from '../events/event-types.ts';
import { record } from '../events/record.ts';
import { findOnRoutes, lockOnRoutes, setRoute } from '../packages/on-routes.ts';
import type { PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { filterList, keysOf, type ListFilter, type ListOrder } from '../platform/database/keyset-lists.ts';
import { AppError, forbidden, invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { assertCurrent, type EditedVersion } from '../platform/http/optimistic-lock.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import { requireOnDuty } from '../users/on-duty.ts';
import {
  deleteRoute,
  findLastChange,
  findRoute,
  fromRoutes,
  insertRoute,
  lockRoutes,
  routeColumns,
  setRouteRow,
  type RouteRow,
} from './queries.ts';
import { proposeOrder } from './proposed-order.ts';
import { asRoutes, openStopsOf } from './stops.ts';

const mayDispatch = ({ permissions }: Actor) => permissions.includes('deliveries.assign');
const maySeeAll = (actor: Actor) => mayDispatch(actor) || actor.permissions.includes('deliveries.view_all');

/** Finds a route that the caller may see: dispatchers every one, a driver their own. @throws not_found otherwise */
async function findVisible(db: Queryable, actor: Actor, id: string): Promise<RouteRow> {
  const route = await findRoute(db, id);
  if (!route || (!maySeeAll(actor) && route.driver_id !== actor.id)) throw notFound('route');
  return route;
}

/**
 * Locks a route that the caller may change: dispatchers every one, its driver with this permission.
 * @throws not_found for another driver's
 */
export async function lockRoute(tx: Tx, actor: Actor, id: string, ofDriver: Permission): Promise<RouteRow> {
  const [route] = (await lockRoutes(tx, [id])).values();
  const isOwn = route?.driver_id === actor.id && actor.permissions.includes(ofDriver);
  if (!route || (!mayDispatch(actor) && !isOwn)) throw notFound('route');
  return route;
}

/** Finds a route that the caller may change, without locking it. @throws not_found for another driver's */
export async function findChangeable(db: Queryable, actor: Actor, id: string, ofDriver: Permission): Promise<RouteRow> {
  const route = await findRoute(db, id);
  const isOwn = route?.driver_id === actor.id && actor.permissions.includes(ofDriver);
  if (!route || (!mayDispatch(actor) && !isOwn)) throw notFound('route');
  return route;
}

/** @throws illegal_step, telling the present state */
export function assertLegal(action: RouteAction, { state }: RouteRow, consequence: string): void {
  if (!isLegalForRoute(action, state)) throw new AppError('illegal_step', `This route is ${state}: ${consequence}`);
}

/** Checked before a stored reply is replayed for its Idempotency-Key: the route must still be the caller's to see. */
export async function requireVisible(tx: Tx, actor: Actor, reply: unknown): Promise<void> {
  if (!maySeeAll(actor)) await findVisible(tx, actor, (reply as Route).id);
}

async function listPage(
  ctx: Ctx,
  actor: Actor,
  query: OwnRoutesQuery,
  filter: ListFilter,
  order?: ListOrder,
): Promise<Page<Route>> {
  const rows = await ctx.db.query<RouteRow>(
    `select ${routeColumns} from ${fromRoutes} ${filter.page(order)}`,
    filter.values(),
  );
  const count = query.count ? await filter.count(ctx.db, fromRoutes) : null;
  const page = pageOf(
    rows,
    query.limit,
    count,
    (row) => row.id,
    (row) => row,
  );
  return { ...page, items: await asRoutes(ctx, ctx.db, actor, page.items) };
}

export function listRoutes(ctx: Ctx, actor: Actor, query: RouteListQuery): Promise<Page<Route>> {
  const filter = filterList({ id: 'r.id' }, { cursor: query.cursor, limit: query.limit });
  if (!maySeeAll(actor)) filter.where(`r.driver_id = ${filter.value(actor.id)}`);
  if (query.day) filter.where(`r.day = ${filter.value(query.day)}`);
  if (query.driverId) filter.where(`r.driver_id = ${filter.value(query.driverId)}`);
  if (query.depotId) filter.where(`r.depot_id = ${filter.value(query.depotId)}`);
  if (query.unfinished) filter.where("r.state <> 'finished'");
  return listPage(ctx, actor, query, filter);
}

const startedFirst = ["case r.state when 'started' then 0 else 1 end", 'r.day', 'r.id'];

export function listOwnRoutes(ctx: Ctx, driver: Actor, query: OwnRoutesQuery): Promise<Page<Route>> {
  const filter = filterList({ id: 'r.id' }, { cursor: query.cursor, limit: query.limit });
  filter.where(`r.driver_id = ${filter.value(driver.id)}`);
  const { day, finishedOn } = query;
  const isOpen = "r.state <> 'finished'";
  if (day) filter.where(`r.day = ${filter.value(day)}`);
  else filter.where(finishedOn ? `(${isOpen} or r.day = ${filter.value(finishedOn)})` : isOpen);
  return listPage(ctx, driver, query, filter, { keys: startedFirst, last: keysOf(startedFirst, 'routes r', 'r.id') });
}

export async function readRoute(ctx: Ctx, actor: Actor, id: string): Promise<Route> {
  return compose(ctx, ctx.db, actor, await findVisible(ctx.db, actor, id));
}

async function compose(ctx: Ctx, db: Queryable, actor: Actor, row: RouteRow): Promise<Route> {
  const [route] = await asRoutes(ctx, db, actor, [row]);
  if (!route) throw notFound('route');
  return route;
}

/** The route as the transaction has it. */
export async function readChanged(ctx: Ctx, tx: Tx, actor: Actor, id: string): Promise<Route> {
  const row = await findRoute(tx, id);
  if (!row) throw notFound('route');
  return compose(ctx, tx, actor, row);
}

export const recordRoute = (
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actor: { id: string | null },
  type: RouteEvent['type'],
  route: Pick<RouteRow, 'id' | 'driver_id'>,
  changes: Changes,
  previousDriverId: string | null = null,
): Promise<void> =>
  record(tx, {
    type,
    at: ctx.now(),
    actorId: actor.id,
    driverId: route.driver_id,
    previousDriverId,
    changes: { route: [route.id, route.id], ...changes },
  });

const changedMeanwhile = 'This route was changed in the meantime. Please load it again.';

const timeOf = (given: string | null | undefined): Date | null => (given ? new Date(given) : null);

export async function createRoute(ctx: Ctx, actor: Actor, input: RouteInput): Promise<Route> {
  return ctx.db.transaction(async (tx) => {
    const { day, depotId, driverId = null } = input;
    const id = uuid();
    const route = { id, day, depotId, driverId, startsAt: timeOf(input.startsAt) };
    if (driverId) await requireActiveDriver(tx, driverId);
    const depot = await insertRoute(tx, route, ctx.now());
    if (!depot) throw invalid({ depotId: 'This depot does not exist' });
    if (driverId && !input.confirm)
      await requireOnDuty(tx, driverId, { day, from: route.startsAt, timeZone: depot.time_zone });
    await recordRoute(ctx, tx, actor, 'route.created', { id, driver_id: driverId }, { day: [null, day] });
    return readChanged(ctx, tx, actor, id);
  });
}

/**
 * Changes a route. Its driver may change the order alone.
 * @throws stale or precondition_failed when `version` or `ifMatch` is outdated; invalid for an order that has not every open stop once
 */
export async function updateRoute(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { version, confirm, ...input }: RouteUpdateInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<Route> {
  return ctx.db.transaction(async (tx) => {
    const route = await lockRoute(tx, actor, id, 'deliveries.update');
    const fields = Object.keys(input);
    if (!mayDispatch(actor) && fields.some((field) => field !== 'order')) throw forbidden();
    assertLegal('change', route, 'it cannot be changed any more');
    if (version === undefined && ifMatch === null)
      throw invalid({ version: 'Please send the version that you have read' });
    await assertCurrentRoute(tx, actor, route, { version, ifMatch });
    if (route.state === 'started' && (input.driverId !== undefined || input.startsAt !== undefined))
      throw new AppError('illegal_step', 'This route is started: its driver and start stay. Move its stops instead.');
    if (input.driverId && input.driverId !== route.driver_id) {
      await requireActiveDriver(tx, input.driverId);
      const from = input.startsAt === undefined ? route.starts_at : timeOf(input.startsAt);
      if (!confirm) await requireOnDuty(tx, input.driverId, { day: route.day, from, timeZone: route.time_zone });
    }
    const open = openStopsOf(route, await findOnRoutes(tx, [route.id], [])).map((pkg) => pkg.id);
    const changed: RouteRow = {
      ...route,
      driver_id: input.driverId === undefined ? route.driver_id : input.driverId,
      starts_at: input.startsAt === undefined ? route.starts_at : timeOf(input.startsAt),
      released: input.released ?? route.released,
      stop_ids: input.order ? ordered(route, open, input.order) : route.stop_ids,
      locked_ids: input.locked ? lockedOf(open, input.locked) : route.locked_ids,
    };
    const changes = changesOf(route, changed);
    if (Object.keys(changes).length > 0) {
      await setRouteRow(tx, changed, actor.id, ctx.now());
      await recordRoute(ctx, tx, actor, 'route.changed', changed, changes, route.driver_id);
    }
    return readChanged(ctx, tx, actor, route.id);
  });
}

/**
 * Stores an order of the open stops that was found outside of the transaction.
 * @param read the route as it was read for that
 * @throws stale if the route, or what is open on it, is another one by now
 */
export async function storeOrder(ctx: Ctx, tx: Tx, actor: Actor, read: RouteRow, order: string[]): Promise<void> {
  const route = await lockRoute(tx, actor, read.id, 'deliveries.update');
  assertLegal('change', route, 'it cannot be changed any more');
  const open = openStopsOf(route, await findOnRoutes(tx, [route.id], [])).map((pkg) => pkg.id);
  const isSame =
    route.version === read.version && open.length === order.length && open.every((id) => order.includes(id));
  if (!isSame) throw new AppError('stale', changedMeanwhile);
  if (order.every((one, index) => one === open[index])) return;
  const changed: RouteRow = { ...route, stop_ids: ordered(route, open, order) };
  await setRouteRow(tx, changed, actor.id, ctx.now());
  await recordRoute(ctx, tx, actor, 'route.changed', changed, changesOf(route, changed), route.driver_id);
}

/** @throws stale or precondition_failed, with the name of who has changed the route */
async function assertCurrentRoute(tx: Tx, actor: Actor, route: RouteRow, edited: EditedVersion): Promise<void> {
  try {
    assertCurrent(route.version, edited, changedMeanwhile);
  } catch (error) {
    const last = await findLastChange(tx, route.id);
    if (!(error instanceof AppError) || !last || last.by === actor.id) throw error;
    throw new AppError(error.code, `${last.name} changed this route in the meantime. Please load it again.`);
  }
}

/** Sorts the open stops by their addresses. A repeated call changes nothing. */
export async function sortStops(ctx: Ctx, actor: Actor, id: string): Promise<Route> {
  return ctx.db.transaction(async (tx) => {
    const route = await lockRoute(tx, actor, id, 'deliveries.update');
    assertLegal('change', route, 'it cannot be changed any more');
    const open = openStopsOf(route, await findOnRoutes(tx, [route.id], []));
    const isKept = (pkg: PackageRow) => pkg.status === 'out for delivery' || route.locked_ids.includes(pkg.id);
    const order = proposeOrder(open, isKept).map((pkg) => pkg.id);
    const changed: RouteRow = { ...route, stop_ids: ordered(route, order, order) };
    if (order.some((one, index) => one !== open[index]?.id)) {
      await setRouteRow(tx, changed, actor.id, ctx.now());
      await recordRoute(ctx, tx, actor, 'route.changed', changed, changesOf(route, changed), route.driver_id);
    }
    return readChanged(ctx, tx, actor, route.id);
  });
}

/** The stops that are done keep their places before the open ones. */
function ordered(route: RouteRow, open: string[], given: string[]): string[] {
  const order = given.map((one) => one.toLowerCase());
  const isComplete = order.length === open.length && new Set([...order, ...open]).size === open.length;
  if (!isComplete) throw invalid({ order: 'The order must have every open stop once' });
  return [...route.stop_ids.filter((stop) => !order.includes(stop)), ...order];
}

function lockedOf(open: string[], given: string[]): string[] {
  const locked = given.map((one) => one.toLowerCase());
  if (!locked.every((one) => open.includes(one))) throw invalid({ locked: 'Only open stops can be locked' });
  return locked;
}

function changesOf(before: RouteRow, after: RouteRow): Changes {
  const values = (row: RouteRow) => ({
    driverId: row.driver_id,
    startsAt: row.starts_at?.toISOString() ?? null,
    released: row.released,
    order: row.stop_ids,
    locked: row.locked_ids,
  });
  const [old, now] = [values(before), values(after)];
  const names = Object.keys(old) as (keyof typeof old)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, [old[name], now[name]]]),
  );
}

export async function removeRoute(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const route = await lockRoute(tx, actor, id, 'deliveries.assign');
    assertLegal('remove', route, 'it cannot be deleted');
    const open = openStopsOf(route, (await lockOnRoutes(tx, [route.id], [])).values()).map((pkg) => pkg.id);
    await setRoute(tx, open, null, ctx.now());
    await deleteRoute(tx, route.id);
    await recordRoute(ctx, tx, actor, 'route.deleted', route, { stops: [open, []] });
  });
}
