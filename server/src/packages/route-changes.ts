import type { Queryable } from '../platform/database/db.ts';

/** SQL that logs a change of these routes, in the statement that changes them or their packages. @param routeIds SQL, each once */
export const logRouteChanges = (routeIds: string): string =>
  `insert into route_changes (route_id) ${routeIds} on conflict do nothing`;

/** What has changed since a snapshot. */
export interface RouteChanges {
  routeIds: string[];
  /** The present snapshot. */
  seen: string;
}

/** Before everything. */
export const nothingSeen = '1:1:';

/**
 * SQL of the text that `asRouteChanges` takes: the present snapshot, and which routes have changed since one of the past. Null on a standby,
 * which may show a commit before the primary does, and does not know which transactions are open.
 * @param seen SQL of that snapshot
 */
export const routeChangesSince = (seen: string): string => `
  select concat_ws(' ', now, (
    select string_agg(route_id::text, ' ') from (
      select route_id from route_changes where xid >= pg_snapshot_xmax(${seen}::pg_snapshot)
      union select route_id from route_changes where xid = any(array(select pg_snapshot_xip(${seen}::pg_snapshot)))
    ) changed
  )) from pg_current_snapshot() now where not pg_is_in_recovery()`;

export function asRouteChanges(text: string): RouteChanges {
  const [seen = nothingSeen, ...routeIds] = text.split(' ');
  return { seen, routeIds };
}

/** Those that nobody looks for any more. */
export const removeOldRouteChanges = (db: Queryable): Promise<unknown> =>
  db.query("delete from route_changes where at < now() - interval '5 minutes'");
