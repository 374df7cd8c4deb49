import type { FinishRouteInput, Route, StartRouteInput } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { reportOnPackages } from '../incidents/service.ts';
import { lockOnRoutes, setRoute } from '../packages/on-routes.ts';
import { recordPackages } from '../packages/package-event.ts';
import { stopMs } from '../packages/rounds.ts';
import type { PackageRow } from '../packages/row.ts';
import { changePackages, type Transition } from '../packages/transitions.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, isUniqueViolation } from '../platform/errors.ts';
import { isActiveDriver } from '../users/active-driver.ts';
import { hasStartedRoute, setRouteRow } from './queries.ts';
import { assertLegal, lockRoute, readChanged, recordRoute } from './service.ts';
import { openStopsOf } from './stops.ts';
import { putAtDepot } from './receiving.ts';

const idsOf = (packages: PackageRow[]) => packages.map(({ id }) => id);

const pick = (packages: PackageRow[], ids: string[] | undefined): PackageRow[] => {
  const wanted = new Set(ids?.map((id) => id.toLowerCase()));
  return packages.filter(({ id }) => wanted.has(id));
};

const otherRoute = () =>
  new AppError('other_route', 'This driver has another started route. Please finish that one first.');

/**
 * Starts all deliveries of a planned route in one transaction; the first one is out for delivery. Missing packages leave the route, each
 * with an incident. A repeated start gets the present state.
 */
export async function startRoute(ctx: Ctx, actor: Actor, id: string, input: StartRouteInput): Promise<Route> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const route = await lockRoute(tx, actor, id, 'deliveries.claim');
      if (route.state === 'started') return readChanged(ctx, tx, actor, route.id);
      assertLegal('start', route, 'it cannot be started');
      const driverId = route.driver_id;
      // Guards against a concurrent suspension of the driver.
      if (driverId === null || !(await isActiveDriver(tx, driverId)))
        throw new AppError('no_driver', 'This route has no active driver');
      if (await hasStartedRoute(tx, driverId)) throw otherRoute();
      const open = openStopsOf(route, (await lockOnRoutes(tx, [route.id], [])).values());
      const missing = pick(open, input?.missing);
      const starting = open.filter((pkg) => !missing.includes(pkg));
      if (starting.length === 0) throw new AppError('empty', 'No package is left on this route');
      const at = ctx.now();
      const stopIds = idsOf(starting);
      await setRouteRow(tx, { ...route, state: 'started', started_at: at, stop_ids: stopIds }, actor.id, at);
      await setRoute(tx, idsOf(missing), null, at);
      await reportOnPackages(ctx, tx, actor, missing, 'Missing at the start of the route');
      await carryOut(ctx, tx, actor, starting, (index) => ({
        kind: 'start',
        driverId,
        stop: { routeId: route.id, arrivesAt: new Date(at.getTime() + (index + 1) * stopMs(ctx)), isNext: index === 0 },
      }));
      await recordRoute(ctx, tx, actor, 'route.started', route, { stops: [idsOf(open), stopIds] });
      return readChanged(ctx, tx, actor, route.id);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'routes_started')) throw otherRoute();
    throw error;
  }
}

/**
 * Finishes a started route. The returned packages wait again, at its depot; other open ones stay with the driver, each with an incident.
 * Those that failed can be started again, and are at the depot if they were counted, too. A repeated finish gets the present state.
 */
export async function finishRoute(ctx: Ctx, actor: Actor, id: string, input: FinishRouteInput): Promise<Route> {
  return ctx.db.transaction(async (tx) => {
    const route = await lockRoute(tx, actor, id, 'deliveries.update');
    if (route.state === 'finished') return readChanged(ctx, tx, actor, route.id);
    assertLegal('finish', route, 'it cannot be finished');
    const packages = [...(await lockOnRoutes(tx, [route.id], [])).values()];
    const open = openStopsOf(route, packages);
    const returned = pick(open, input?.returned);
    const uncounted = open.filter((pkg) => !returned.includes(pkg));
    const at = ctx.now();
    const left = idsOf(returned);
    // Its driver has claimed the others on the way. Those that do not stay on it are stops of it all the same.
    const claimed = idsOf(packages)
      .filter((packageId) => !route.stop_ids.includes(packageId))
      .toSorted();
    await setRouteRow(
      tx,
      { ...route, state: 'finished', finished_at: at, stop_ids: [...route.stop_ids, ...claimed], left_ids: left },
      actor.id,
      at,
    );
    const failed = packages.filter(({ status }) => status === 'processing');
    await setRoute(tx, idsOf(failed), null, at);
    await putAtDepot(ctx, tx, actor, pick(failed, input?.returned), { depotId: route.depot_id, name: route.depot });
    await carryOut(ctx, tx, actor, returned, () => ({
      kind: 'release',
      location: route.depot,
      depotId: route.depot_id,
    }));
    await reportOnPackages(ctx, tx, actor, uncounted, 'Not counted at the end of the route');
    await recordRoute(ctx, tx, actor, 'route.finished', route, { returned: [[], left] });
    return readChanged(ctx, tx, actor, route.id);
  });
}

async function carryOut(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  packages: PackageRow[],
  transitionOf: (index: number) => Transition,
): Promise<void> {
  if (packages.length === 0) return;
  const changed = await changePackages(
    ctx,
    tx,
    packages.map((pkg, index) => ({ pkg, to: transitionOf(index), actorId: actor.id })),
  );
  await recordPackages(
    tx,
    changed.map(({ event }) => event),
  );
}
