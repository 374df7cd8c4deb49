import {
  isOnTheRoad,
  maxStops,
  stopRefusals,
  type MoveStopsInput,
  type StopRefusal,
  type StopsResult,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { markNextStop } from '../packages/next-stop.ts';
import { lockOnRoutes, setRoute } from '../packages/on-routes.ts';
import { recordPackages } from '../packages/package-event.ts';
import { stopMs } from '../packages/rounds.ts';
import { isWithdrawnStatus, type PackageRow } from '../packages/row.ts';
import { changePackages, type Transition } from '../packages/transitions.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { findNamedRoutes, lockRoutes, setRouteRow, whichArePlanned, type RouteRow } from './queries.ts';
import { assertLegal, lockRoute, recordRoute } from './service.ts';
import { openStopsOf } from './stops.ts';

/** Sorts the packages of a request into those that are done and those that are refused, in the order of the request. */
export function decideEach(
  packageIds: string[],
  packages: Map<string, PackageRow>,
  decide: (pkg: PackageRow) => StopRefusal | null,
): { chosen: PackageRow[]; refused: StopsResult['refused'] } {
  const chosen: PackageRow[] = [];
  const refused: StopsResult['refused'] = [];
  for (const packageId of packageIds) {
    const pkg = packages.get(packageId.toLowerCase());
    const code = !pkg || isWithdrawnStatus(pkg.status) ? 'gone' : decide(pkg);
    if (code) refused.push({ packageId, code, message: stopRefusals[code] });
    else if (pkg) chosen.push(pkg);
  }
  return { chosen, refused };
}

/** Names the routes that have what was refused, so that a dispatcher finds them. */
export async function withRoutes(
  tx: Tx,
  refused: StopsResult['refused'],
  packages: Map<string, PackageRow>,
): Promise<StopsResult['refused']> {
  const routeOf = ({ packageId, code }: StopsResult['refused'][number]) =>
    code === 'on_other_route' || code === 'started' ? packages.get(packageId.toLowerCase())?.route_id : null;
  const ids = new Set(refused.flatMap((one) => routeOf(one) ?? []));
  if (ids.size === 0) return refused;
  const named = new Map((await findNamedRoutes(tx, [...ids])).map((row) => [row.id, row]));
  return refused.map((one) => {
    const route = named.get(routeOf(one) ?? '');
    return route
      ? { ...one, route: { id: route.id, day: route.day, depotId: route.depot_id, driver: route.driver } }
      : one;
  });
}

const idsOf = (packages: PackageRow[]) => packages.map(({ id }) => id);

/** Plans waiting packages as the last stops of a planned route, also those that failed on a route that is not finished. */
export const addStops = (ctx: Ctx, actor: Actor, id: string, packageIds: string[]): Promise<StopsResult> =>
  ctx.db.transaction((tx) => addStopsIn(ctx, tx, actor, id, packageIds));

export async function addStopsIn(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  id: string,
  packageIds: string[],
): Promise<StopsResult> {
  const route = await lockRoute(tx, actor, id, 'deliveries.assign');
  assertLegal('addStops', route, 'stops are added to a planned route');
  const packages = await lockOnRoutes(tx, [route.id], packageIds);
  const open = idsOf(openStopsOf(route, packages.values()));
  const others = [...packages.values()].flatMap((pkg) => (pkg.planned && pkg.route_id) || []);
  const planned = await whichArePlanned(tx, [...new Set(others)]);
  let count = open.length;
  const { chosen, refused } = decideEach(packageIds, packages, (pkg) => {
    if (isOnTheRoad(pkg.status)) return 'started';
    if (pkg.status !== 'processing') return 'not_waiting';
    if (pkg.route_id === route.id) return null;
    if (pkg.route_id && planned.has(pkg.route_id)) return 'on_other_route';
    // Its recipient comes for it.
    if (pkg.next_step === 'collect') return 'not_waiting';
    return ++count > maxStops ? 'full' : null;
  });
  const added = idsOf(chosen.filter((pkg) => pkg.route_id !== route.id));
  if (added.length > 0) {
    await setRoute(tx, added, route.id, ctx.now());
    await setRouteRow(tx, { ...route, stop_ids: [...open, ...added] }, actor.id, ctx.now());
    await recordRoute(ctx, tx, actor, 'route.changed', route, { added: [[], added] });
  }
  return { done: idsOf(chosen), refused: await withRoutes(tx, refused, packages) };
}

/** Moves open stops to another route, or to the depot. */
export const moveStops = (ctx: Ctx, actor: Actor, id: string, input: MoveStopsInput): Promise<StopsResult> =>
  ctx.db.transaction((tx) => moveStopsIn(ctx, tx, actor, id, input));

export async function moveStopsIn(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  id: string,
  { packageIds, to }: MoveStopsInput,
): Promise<StopsResult> {
  const routes = await lockRoutes(tx, to === null ? [id] : [id, to]);
  const from = routes.get(id.toLowerCase());
  if (!from) throw notFound('route');
  assertLegal('move', from, 'its stops cannot be moved');
  const target = to === null ? null : targetOf(from, routes.get(to.toLowerCase()));
  const packages = await lockOnRoutes(tx, [...routes.keys()], packageIds);
  const open = new Set(openStopsOf(from, packages.values()));
  const there = target ? idsOf(openStopsOf(target, packages.values())) : [];
  let count = there.length;
  const { chosen, refused } = decideEach(packageIds, packages, (pkg) => {
    if (!open.has(pkg)) return refusalOf(from, pkg);
    return target && ++count > maxStops ? 'full' : null;
  });
  if (chosen.length > 0) await carryOut(ctx, tx, actor, { from, target, there, chosen });
  return { done: idsOf(chosen), refused: await withRoutes(tx, refused, packages) };
}

/** Why a package that is no open stop of the route is not moved. */
function refusalOf(from: RouteRow, pkg: PackageRow): StopRefusal {
  if (pkg.route_id === from.id || pkg.status === 'delivered') return 'not_waiting';
  if (pkg.route_id !== null && (pkg.planned || isOnTheRoad(pkg.status))) return 'on_other_route';
  return isOnTheRoad(pkg.status) ? 'started' : 'not_waiting';
}

/** @throws invalid for a route to which stops of `from` cannot be moved */
function targetOf(from: RouteRow, target: RouteRow | undefined): RouteRow {
  if (!target) throw invalid({ to: 'This route does not exist' });
  if (target.id === from.id) throw invalid({ to: 'Please choose another route' });
  assertLegal('move', target, 'no stops can be moved to it');
  if (from.state === 'started' && target.state === 'planned')
    throw invalid({ to: 'This route has started: its stops can go to another started route, or back to the depot' });
  if (target.state === 'started' && !target.driver_active)
    throw new AppError('no_driver', 'This route has no active driver');
  return target;
}

export interface Move {
  from: RouteRow;
  target: RouteRow | null;
  /** The open stops of the target. */
  there: string[];
  chosen: PackageRow[];
}

/** Moves open stops of a locked route to the end of another one, or to the depot. */
export async function carryOut(
  ctx: Ctx,
  tx: Tx,
  actor: { id: string | null },
  { from, target, there, chosen }: Move,
): Promise<void> {
  const moved = idsOf(chosen);
  if (from.state === 'planned' && target?.state !== 'started') await setRoute(tx, moved, target?.id ?? null, ctx.now());
  else {
    const changed = await changePackages(
      ctx,
      tx,
      chosen.map((pkg, index) => ({
        pkg,
        to: transitionTo(ctx, from, target, there.length + index + 1),
        actorId: actor.id,
      })),
    );
    await recordPackages(
      tx,
      changed.map(({ event }) => event),
    );
  }
  const without = (ids: string[]) => ids.filter((id) => !moved.includes(id));
  const at = ctx.now();
  await setRouteRow(
    tx,
    { ...from, stop_ids: without(from.stop_ids), locked_ids: without(from.locked_ids) },
    actor.id,
    at,
  );
  await recordRoute(ctx, tx, actor, 'route.changed', from, { removed: [moved, []] });
  if (from.state === 'started') await markNextStop(ctx, tx, from.id, actor.id);
  if (!target) return;
  await setRouteRow(tx, { ...target, stop_ids: [...without(target.stop_ids), ...moved] }, actor.id, at);
  await recordRoute(ctx, tx, actor, 'route.changed', target, { added: [[], moved] });
  if (target.state === 'started') await markNextStop(ctx, tx, target.id, actor.id);
}

/** @param position of the stop among the open ones of the target, from 1 */
function transitionTo(ctx: Ctx, from: RouteRow, target: RouteRow | null, position: number): Transition {
  if (!target?.driver_id) return { kind: 'release', location: from.depot, depotId: from.depot_id };
  const arrivesAt = new Date(ctx.now().getTime() + position * stopMs(ctx));
  return {
    kind: from.state === 'started' ? 'assign' : 'start',
    driverId: target.driver_id,
    stop: { routeId: target.id, arrivesAt },
  };
}
