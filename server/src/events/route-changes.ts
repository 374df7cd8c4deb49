import type { Queryable } from '../platform/database/db.ts';

/** SQL that logs a change of these routes, in the transaction that changes what a lookup of their stops shows. @param routeIds SQL, each once */
export const logRouteChanges = (routeIds: string): string =>
  `insert into route_changes (route_id) ${routeIds} on conflict do nothing`;

/** SQL of the started routes of these drivers. @param drivers SQL: their ids */
export const startedRoutesOf = (drivers: string): string =>
  `select id from routes where state = 'started' and driver_id in (${drivers})`;

/** What has changed since a snapshot. */
export interface RouteChanges {
  /** Some of them several times. */
  routeIds: string[];
  /** The present snapshot. */
  seen: string;
}

const changedWhere = (condition: string) =>
  `(select string_agg(route_id::text, ' ') from route_changes where ${condition})`;

/**
 * SQL of the text that `asRouteChanges` takes: the present snapshot, and which routes have changed since one of the past: by later
 * transactions, and by those that were open then, as in `openEventFeed`. Null on a standby, which may show a commit before the primary does,
 * and does not know which transactions are open.
 * @param seen SQL of that snapshot
 */
export const routeChangesSince = (seen: string): string => `
  case when not pg_is_in_recovery() then concat_ws(' ', pg_current_snapshot(), ${changedWhere(`xid >= pg_snapshot_xmax(${seen}::pg_snapshot)`)},
    ${changedWhere(`xid = any(array(select pg_snapshot_xip(${seen}::pg_snapshot)))`)}) end`;

export function asRouteChanges(text: string): RouteChanges {
  const [seen = '', ...routeIds] = text.split(' ');
  return { seen, routeIds };
}

/** The present snapshot; null on a standby. */
export async function presentSnapshot(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ seen: string | null }>(
    'select case when not pg_is_in_recovery() then pg_current_snapshot() end::text as seen',
  );
  return row?.seen ?? null;
}

/** Those that nobody looks for any more. */
export const removeOldRouteChanges = (db: Queryable): Promise<unknown> =>
  db.query("delete from route_changes where at < now() - interval '5 minutes'");
