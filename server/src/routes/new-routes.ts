import { isOnTheRoad, type StopsResult } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { lockOnRoutes, setRoute } from '../packages/on-routes.ts';
import type { PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { decideEach, withRoutes } from './planning.ts';
import { insertRoute, lockRoutes, setRouteRow, whichArePlanned, type NewRoute } from './queries.ts';
import { recordRoute } from './service.ts';

/**
 * Locks packages that are to be planned on new routes, and says which of them do not wait for that.
 * @param replanned routes whose stops are planned anew: they count as waiting
 */
export async function lockWaiting(
  tx: Tx,
  ids: string[],
  replanned: readonly string[] = [],
): Promise<{ chosen: PackageRow[]; refused: StopsResult['refused'] }> {
  const packages = await lockOnRoutes(tx, [], ids);
  const others = [...packages.values()].flatMap((pkg) => (pkg.planned && pkg.route_id) || []);
  const planned = await whichArePlanned(tx, [...new Set(others)]);
  const { chosen, refused } = decideEach(ids, packages, (pkg) => {
    if (isOnTheRoad(pkg.status)) return 'started';
    if (pkg.status !== 'processing' || pkg.next_step === 'collect') return 'not_waiting';
    return pkg.route_id && planned.has(pkg.route_id) && !replanned.includes(pkg.route_id) ? 'on_other_route' : null;
  });
  return { chosen, refused: await withRoutes(tx, refused, packages) };
}

/** Plans a new route with these stops, which `lockWaiting` has locked. @returns false if its depot does not exist */
export async function planNewRoute(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  route: NewRoute,
  stopIds: string[],
): Promise<boolean> {
  if (!(await insertRoute(tx, route, ctx.now()))) return false;
  const row = (await lockRoutes(tx, [route.id])).get(route.id);
  if (!row) return false;
  await setRoute(tx, stopIds, route.id, ctx.now());
  await setRouteRow(tx, { ...row, stop_ids: stopIds }, actor.id, ctx.now());
  await recordRoute(ctx, tx, actor, 'route.created', row, { day: [null, route.day], added: [[], stopIds] });
  return true;
}
