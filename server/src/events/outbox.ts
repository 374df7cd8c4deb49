import { v7 as uuid } from 'uuid';
import type { FeedEvent } from './feed-event.ts';
import { driversOfSteps, findNearer } from './nearer-stops.ts';
import type { Pool } from '../platform/database/db.ts';
import { sqlState } from '../platform/errors.ts';

export type { FeedEvent } from './feed-event.ts';

export interface EventFeed {
  /** Reads the rows that became visible since the last poll and passes them to every subscriber. */
  poll(): Promise<void>;
  subscribe(listener: (events: FeedEvent[]) => void): void;
  /**
   * Called when rows may have been missed, so that everything cached must be invalidated: the database is a different one or has lost
   * transactions, or this process reported nothing for so long that its reader row was removed.
   */
  onRestart(listener: (why: string) => void): void;
  /** Removes the reader row, so that the sweep no longer waits for this process. */
  close(): Promise<void>;
}

/** The position of the last poll, valid on one server. */
interface Cursor {
  server: string;
  snapshot: string;
  /** The snapshot's xmax: the next transaction id that the server would have assigned. */
  xmax: string;
}

/** A promoted standby has the system identifier of its former primary, but a new timeline. */
const identityAndTimeline =
  "(select system_identifier from pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)";

/** For managed services that forbid these functions. A restart then counts as another server, which only makes each stream reconnect. */
const startTime = 'pg_postmaster_start_time()::text';

/** Insufficient privilege, undefined function, feature not supported. */
const unsupported = new Set(['42501', '42883', '0A000']);

/** How often a process stores its position. */
const reportEveryMs = 30_000;

/**
 * Delivers every committed row of the outbox exactly once to this process.
 *
 * Ids are assigned before the commit, so `id > last` would lose rows of concurrent transactions. The cursor is a snapshot instead: what
 * the previous snapshot could not see and the current one can is exactly what was committed in between. A snapshot cannot see the
 * transactions from its xmax on, nor those that were in progress below it (xip). Querying these two sets keeps a poll cheap while a
 * transaction stays open for hours; a cursor at the snapshot's xmin would read everything after that transaction again on each poll.
 *
 * A snapshot is only valid on its own server. After a failover that lost transactions, their ids are assigned again, and the old snapshot
 * would count them as seen. So each poll also reads the identity of the server, and the feed restarts on another one. Rows from pg_restore
 * or logical replication carry transaction ids of their old server; ids that this server has not assigned yet are ignored.
 *
 * Each process stores its position in `outbox_readers`, so that the sweep keeps the rows it has not read. A process whose reader row has
 * expired cannot know what it missed, so its feed restarts as well.
 */
export function openEventFeed(pool: Pool, everyMs = reportEveryMs): EventFeed {
  const id = uuid();
  const listeners: ((events: FeedEvent[]) => void)[] = [];
  const restartListeners: ((why: string) => void)[] = [];
  let seen: Cursor | null = null;
  let reportedAt = 0;
  /** Drivers with steps of which the other stops were not read yet: that is repeated after a failure. */
  const moved = new Set<string>();
  let serverIdentity: string | null = null;

  const begin = async (): Promise<Cursor | null> => {
    serverIdentity ??= await isSupported(pool, identityAndTimeline).then((is) =>
      is ? identityAndTimeline : startTime,
    );
    const [cursor] = await pool.query<Cursor>(
      `insert into outbox_readers (id, seen) values ($1, pg_current_snapshot())
       on conflict (id) do update set seen = excluded.seen, heard_at = excluded.heard_at
       returning ${serverIdentity} as server, seen::text as snapshot, pg_snapshot_xmax(seen)::text as xmax`,
      [id],
    );
    reportedAt = performance.now();
    return cursor ?? null;
  };

  const reportPosition = async (snapshot: string) => {
    if (performance.now() - reportedAt < everyMs) return;
    reportedAt = performance.now();
    await pool.query('update outbox_readers set seen = $2, heard_at = now() where id = $1', [id, snapshot]);
  };

  return {
    subscribe: (listener) => void listeners.push(listener),
    onRestart: (listener) => void restartListeners.push(listener),
    async poll() {
      // On start-up, skip history: no stream is connected yet.
      if (seen === null) return void (seen = await begin());
      const rows = await pool.query<FeedEvent & Cursor & { is_known: boolean }>(
        `select now.server, now.snapshot::text as snapshot, pg_snapshot_xmax(now.snapshot)::text as xmax, now.is_known,
                o.id, o.type, o.package_id,
                (select tracking_id from packages where id = o.package_id) as tracking_id, o.owner_id, o.driver_id,
                o.previous_driver_id, o.incident_number,
                (select reporter_id from incidents where package_id = o.package_id and number = o.incident_number) as reporter_id,
                o.user_id, o.session_id, o.import_id
         from (select ${serverIdentity} as server, pg_current_snapshot() as snapshot,
                 exists (select from outbox_readers where id = $2) as is_known) now
         left join lateral (
           select * from outbox where xid >= pg_snapshot_xmax($1::pg_snapshot) and xid < pg_snapshot_xmax(now.snapshot)
           union all
           select * from outbox where xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))
         ) o on true
         order by o.id`,
        [seen.snapshot, id],
      );
      const [now] = rows;
      if (!now) return;
      if (!now.is_known || now.server !== seen.server || BigInt(now.xmax) < BigInt(seen.xmax)) {
        const isBehind = !now.is_known && now.server === seen.server && BigInt(now.xmax) >= BigInt(seen.xmax);
        seen = await begin();
        const why = isBehind
          ? 'this process was silent for so long that it was no longer waited for'
          : 'the database is another one, or has lost transactions';
        for (const listener of restartListeners) listener(why);
        return;
      }
      seen = { server: now.server, snapshot: now.snapshot, xmax: now.xmax };
      const events = rows.filter((row) => row.id !== null);
      if (events.length > 0) for (const listener of listeners) listener(events);
      for (const driverId of driversOfSteps(events)) moved.add(driverId);
      if (moved.size > 0) {
        const nearer = await findNearer(pool, [...moved]);
        moved.clear();
        if (nearer.length > 0) for (const listener of listeners) listener(nearer);
      }
      await reportPosition(seen.snapshot);
    },
    async close() {
      await pool.query('delete from outbox_readers where id = $1', [id]).catch(() => {});
    },
  };
}

async function isSupported(pool: Pool, expression: string): Promise<boolean> {
  try {
    await pool.query(`select ${expression}`);
    return true;
  } catch (error) {
    if (unsupported.has(sqlState(error) ?? '')) return false;
    throw error;
  }
}
