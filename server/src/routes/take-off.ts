import { isOnTheRoad } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { lockOnRoutes } from '../packages/on-routes.ts';
import { recordPackages } from '../packages/package-event.ts';
import type { PackageRow } from '../packages/row.ts';
import { changePackages } from '../packages/transitions.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { carryOut } from './planning.ts';
import { lockRoutes, type RouteRow } from './queries.ts';
import { openStopsOf } from './stops.ts';

interface Locked {
  pkg: PackageRow;
  /** The route that has it, or had it last. */
  route: RouteRow | null;
  /** All packages of the route. */
  packages: Map<string, PackageRow>;
}

/** Locks a package with the route that has it, in the order in which everybody locks them. */
export async function lockWithRoute(tx: Tx, seen: Pick<PackageRow, 'id' | 'route_id'>): Promise<Locked> {
  const routes = await lockRoutes(tx, seen.route_id === null ? [] : [seen.route_id]);
  const packages = await lockOnRoutes(tx, [...routes.keys()], [seen.id]);
  const pkg = packages.get(seen.id);
  if (!pkg) throw notFound('package');
  // Repeats the transaction.
  if (pkg.route_id !== null && pkg.route_id !== seen.route_id)
    throw Object.assign(new Error('the package got on another route meanwhile'), { code: '40001' });
  return { pkg, route: routes.get(pkg.route_id ?? '') ?? null, packages };
}

/**
 * Takes a package off its route, or from its driver, without an attempt, as its recipient wishes.
 * @param day a route that is planned for this day keeps it
 * @returns its present state
 */
export async function takeOff(
  ctx: Ctx,
  tx: Tx,
  { pkg, route, packages }: Locked,
  day: string | null,
): Promise<PackageRow> {
  const isOpenStop = route !== null && openStopsOf(route, packages.values()).some(({ id }) => id === pkg.id);
  if (isOpenStop && !(route.state === 'planned' && route.day === day)) {
    await carryOut(ctx, tx, { id: null }, { from: route, target: null, there: [], chosen: [pkg] });
  } else if (isOnTheRoad(pkg.status)) {
    const changed = await changePackages(ctx, tx, [{ pkg, to: { kind: 'release' }, actorId: null }]);
    await recordPackages(
      tx,
      changed.map(({ event }) => event),
    );
  } else return pkg;
  const now = (await lockOnRoutes(tx, [], [pkg.id])).get(pkg.id);
  if (!now) throw notFound('package');
  return now;
}
