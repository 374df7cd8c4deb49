import type { Queryable } from '../platform/database/db.ts';

/** SQL that logs a change of these routes, in the statement that changes them or their packages. @param routeIds SQL, each once */
export const logRouteChanges = (routeIds: string): string =>
  `insert into route_changes (route_id) ${routeIds} on conflict do nothing`;

/** SQL of the started routes of these drivers. @param drivers SQL: their ids */
export const startedRoutesOf = (drivers: string): string =>
  `select id from routes where state = 'started' and driver_id in (${drivers})`;

/** What has changed since a snapshot. */
export interface RouteChanges {
  routeIds: string[];
  /** The present snapshot. */
  seen: string;
}

/** Before everything. */
export const nothingSeen = '1:1:';

/**
 * SQL of the text that `asRouteChanges` takes: the present snapshot, and which routes have changed since one of the past: by a transaction
 * that it does not show, be it later or still open then. Null on a standby, which may show a commit before the primary does, and does not
 * know which transactions are open.
 * @param seen SQL of that snapshot
 */
export const routeChangesSince = (seen: string): string => `
  case when not pg_is_in_recovery() then concat_ws(' ', pg_current_snapshot(), array_to_string(array(
    select route_id from route_changes where xid >= pg_snapshot_xmin(${seen}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${seen}::pg_snapshot)), ' ')) end`;

export function asRouteChanges(text: string): RouteChanges {
  const [seen = nothingSeen, ...routeIds] = text.split(' ');
  return { seen, routeIds };
}

/** Those that nobody looks for any more. */
export const removeOldRouteChanges = (db: Queryable): Promise<unknown> =>
  db.query("delete from route_changes where at < now() - interval '5 minutes'");
