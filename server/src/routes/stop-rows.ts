import { isOnTheRoad, type StopState } from '@waybill/contract';
import { findOnRoutes } from '../packages/on-routes.ts';
import { hasArrived, type PackageRow } from '../packages/row.ts';
import type { Queryable } from '../platform/database/db.ts';
import { findFailedAttempts, type FailedAttempt, type RouteRow } from './queries.ts';

/** A package as a stop of a route. */
export interface StopRow {
  pkg: PackageRow;
  state: StopState;
}

/**
 * The state of a package on a route, or null if it is no stop of it. Derived from the package and its attempts, so that whatever else
 * changes a package (its owner, an administrator, a server of an older version) cannot contradict the route.
 */
function stateOf(route: RouteRow, pkg: PackageRow, failed: FailedAttempt[]): StopState | null {
  const isOn = pkg.route_id === route.id;
  if (route.state === 'planned') return isOn && pkg.status === 'processing' ? 'open' : null;
  if (isOn && pkg.status === 'delivered') return 'delivered';
  if (isOn && pkg.returned_at !== null) return 'returned';
  if (isOn && isOnTheRoad(pkg.status) && pkg.driver_id === route.driver_id) {
    if (hasArrived(pkg)) return 'arrived';
    return pkg.status === 'out for delivery' ? 'next' : 'open';
  }
  if (route.left_ids.includes(pkg.id)) return 'left';
  const hasFailed = failed.some(
    (attempt) =>
      attempt.package_id === pkg.id &&
      attempt.driver_id === route.driver_id &&
      route.started_at !== null &&
      attempt.ended_at >= route.started_at &&
      (route.finished_at === null || attempt.ended_at <= route.finished_at),
  );
  return hasFailed ? 'failed' : null;
}

/** The stops of routes in their order, those that were added by starting a delivery last. */
export async function findStops(db: Queryable, routes: RouteRow[]): Promise<Map<string, StopRow[]>> {
  const begun = routes.filter(({ state }) => state !== 'planned');
  const packages = await findOnRoutes(
    db,
    routes.map(({ id }) => id),
    begun.flatMap(({ stop_ids: ids }) => ids),
  );
  const failed = begun.length === 0 ? [] : await findFailedAttempts(db, packages.map(idOf));
  return new Map(routes.map((route) => [route.id, stopsOf(route, packages, failed)]));
}

const idOf = ({ id }: PackageRow) => id;

/** The packages that are stops of a route, in its order. */
export function stopsOf(route: RouteRow, packages: Iterable<PackageRow>, failed: FailedAttempt[]): StopRow[] {
  const positions = new Map(route.stop_ids.map((id, index) => [id, index]));
  const positionOf = ({ pkg }: StopRow) => positions.get(pkg.id) ?? positions.size;
  return [...packages]
    .filter(({ id, route_id: routeId }) => routeId === route.id || positions.has(id))
    .flatMap((pkg) => {
      const state = stateOf(route, pkg, failed);
      return state ? { pkg, state } : [];
    })
    .toSorted((a, b) => positionOf(a) - positionOf(b) || (a.pkg.id < b.pkg.id ? -1 : 1));
}

/** When a stop was delivered, failed or given back. */
export function endOf({ pkg, state }: StopRow): Date | null {
  if (state === 'delivered') return pkg.completed_at;
  if (state === 'failed') return pkg.failed_at;
  return state === 'returned' ? pkg.returned_at : null;
}
