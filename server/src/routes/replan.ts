import { findOnRoutes, lockOnRoutes, setRoute } from '../packages/on-routes.ts';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { deleteRoute, findRoute, lockRoutes, setRouteRow, type RouteRow } from './queries.ts';
import { recordRoute } from './service.ts';
import { openStopsOf } from './stops.ts';

/** A planned route, for a plan of its day. */
export interface PlannedRoute {
  id: string;
  day: string;
  depotId: string;
  driverId: string | null;
  version: number;
  startsAt: Date | null;
  /** The open stops in their order. */
  stopIds: string[];
  lockedIds: string[];
}

/** Those of these routes that are planned and not started, in the order of the ids. */
export async function findPlannedRoutes(db: Queryable, ids: readonly string[]): Promise<PlannedRoute[]> {
  const found: PlannedRoute[] = [];
  for (const id of ids) {
    const route = await findRoute(db, id);
    if (route?.state !== 'planned') continue;
    const open = openStopsOf(route, await findOnRoutes(db, [route.id], []));
    found.push({
      id: route.id,
      day: route.day,
      depotId: route.depot_id,
      driverId: route.driver_id,
      version: route.version,
      startsAt: route.starts_at,
      stopIds: open.map((pkg) => pkg.id),
      lockedIds: route.locked_ids,
    });
  }
  return found;
}

/** Locked routes that are planned anew. */
export type Replanned = readonly RouteRow[];

/** Locks routes that are to be planned anew. @returns by id what has happened to those that are not as they were read */
export async function lockPlannedRoutes(
  tx: Tx,
  read: readonly { id: string; version: number }[],
): Promise<{ routes: Replanned; changed: Record<string, string> }> {
  const rows = await lockRoutes(
    tx,
    read.map(({ id }) => id),
  );
  const changed: Record<string, string> = {};
  for (const { id, version } of read) {
    const route = rows.get(id);
    if (!route) changed[id] = 'This route was deleted';
    else if (route.state !== 'planned') changed[id] = 'This route was started';
    else if (route.version !== version) changed[id] = 'This route was changed';
  }
  return { routes: [...rows.values()], changed };
}

/** What a route that is planned anew becomes. */
export interface NewOrder {
  driverId: string;
  startsAt: Date;
  stopIds: string[];
}

/**
 * Gives locked planned routes the stops of a plan: each keeps its driver. Routes whose driver the plan has no stops for, and those without
 * a driver, are deleted; their stops wait, unless the plan has them.
 * @returns the routes that were kept, by their driver; orders for other drivers are left to new routes
 */
export async function replaceStops(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  routes: Replanned,
  orders: readonly NewOrder[],
): Promise<Map<string, string>> {
  const at = ctx.now();
  const packages = await lockOnRoutes(
    tx,
    routes.map(({ id }) => id),
    [],
  );
  const kept = new Map<string, string>();
  const before = new Map(
    routes.map((route) => [route.id, openStopsOf(route, packages.values()).map((pkg) => pkg.id)] as const),
  );
  await setRoute(tx, leavingOf(routes, orders, before), null, at);
  for (const route of routes) {
    const open = before.get(route.id) ?? [];
    const order = orders.find(({ driverId }) => driverId === route.driver_id);
    if (!order || kept.has(order.driverId)) {
      await deleteRoute(tx, route.id);
      await recordRoute(ctx, tx, actor, 'route.deleted', route, { stops: [open, []] });
      continue;
    }
    kept.set(order.driverId, route.id);
    const { stopIds } = order;
    // What stays keeps the time of its planning, so that a change of it since then is still told.
    await setRoute(
      tx,
      stopIds.filter((id) => !open.includes(id)),
      route.id,
      at,
    );
    const changed: RouteRow = {
      ...route,
      starts_at: order.startsAt,
      stop_ids: [...route.stop_ids.filter((id) => !open.includes(id)), ...stopIds],
      locked_ids: route.locked_ids.filter((id) => stopIds.includes(id)),
    };
    await setRouteRow(tx, changed, actor.id, at);
    await recordRoute(ctx, tx, actor, 'route.changed', changed, { order: [open, stopIds] });
  }
  return kept;
}

/** The stops that stay on none of the routes that they are on now. */
function leavingOf(
  routes: Replanned,
  orders: readonly NewOrder[],
  before: ReadonlyMap<string, readonly string[]>,
): string[] {
  return routes.flatMap((route) => {
    const stays = new Set(orders.find(({ driverId }) => driverId === route.driver_id)?.stopIds);
    return (before.get(route.id) ?? []).filter((id) => !stays.has(id));
  });
}
