import { v7 as uuid } from 'uuid';
import type { Pool } from '../platform/database/db.ts';
import { sqlState } from '../platform/errors.ts';

/** A row of the outbox, as live streams and caches need it. */
export interface FeedEvent {
  id: string;
  type: string;
  package_id: string | null;
  tracking_id: string | null;
  owner_id: string | null;
  driver_id: string | null;
  previous_driver_id: string | null;
  incident_number: number | null;
  /** Who reported that incident. */
  reporter_id: string | null;
  user_id: string | null;
  session_id: string | null;
  import_id: string | null;
}

export interface EventFeed {
  /** Reads what became visible since the last reading and tells it to every subscriber. */
  read(): Promise<void>;
  subscribe(listener: (events: FeedEvent[]) => void): void;
  /**
   * Calls when nobody can say what was missed, so that whatever was read before has to be read anew: the database is another one, or went
   * back, or this process was not heard of for so long that it was no longer waited for.
   */
  onRestart(listener: (why: string) => void): void;
  /** Is waited for no longer. */
  close(): Promise<void>;
}

/** Up to where a reading came, on which server. */
interface Cursor {
  server: string;
  snapshot: string;
  /** The number that the server would have given to the next transaction. */
  xmax: string;
}

/** A promoted standby has the system identifier of its old primary, and a timeline of its own. */
const identityAndTimeline =
  "(select system_identifier from pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)";

/** For services that keep those to themselves: also a restart counts as another server then, which only costs each stream a reconnection. */
const startTime = 'pg_postmaster_start_time()::text';

/** A right that is missing, a function that is missing, one that is not supported. */
const refusals = new Set(['42501', '42883', '0A000']);

/** How often a process says what it has read. */
const reportEveryMs = 30_000;

/**
 * Every committed row of the outbox exactly once, in each process by itself.
 *
 * Ids are assigned before the commit, so `id > last` would lose the rows of transactions that overlap. The cursor is a snapshot
 * instead: what the last reading could not see and this one can is precisely what was committed in between. What a snapshot cannot see are
 * the transactions from its xmax on, and the few below that were under way: asked for like this, a transaction that stays open for
 * hours costs nothing, where everything behind it would have to be looked at again each time.
 *
 * A snapshot means something on its own server only. After a failover that lost transactions their numbers are given out again, and
 * the old snapshot takes them for seen; so each reading brings along which server answered, and starts anew on another. Rows that
 * pg_restore or logical replication brought carry numbers of their old server: one that this server has not given out yet is no news.
 *
 * Each process keeps what it has seen in `outbox_readers`, so that nothing goes that it has yet to read. One that was not heard of for
 * so long that its row is gone cannot know what it missed, and starts anew as well.
 */
export function openEventFeed(pool: Pool, everyMs = reportEveryMs): EventFeed {
  const id = uuid();
  const listeners: ((events: FeedEvent[]) => void)[] = [];
  const restartListeners: ((why: string) => void)[] = [];
  let seen: Cursor | null = null;
  let saidAt = 0;
  let server: string | null = null;

  const begin = async (): Promise<Cursor | null> => {
    server ??= await isAnswered(pool, identityAndTimeline).then((is) => (is ? identityAndTimeline : startTime));
    const [cursor] = await pool.query<Cursor>(
      `insert into outbox_readers (id, seen) values ($1, pg_current_snapshot())
       on conflict (id) do update set seen = excluded.seen, heard_at = excluded.heard_at
       returning ${server} as server, seen::text as snapshot, pg_snapshot_xmax(seen)::text as xmax`,
      [id],
    );
    saidAt = performance.now();
    return cursor ?? null;
  };

  const sayWhatIsSeen = async (snapshot: string) => {
    if (performance.now() - saidAt < everyMs) return;
    saidAt = performance.now();
    await pool.query('update outbox_readers set seen = $2, heard_at = now() where id = $1', [id, snapshot]);
  };

  return {
    subscribe: (listener) => void listeners.push(listener),
    onRestart: (listener) => void restartListeners.push(listener),
    async read() {
      // A new process has no streams yet: its past is nobody's news.
      if (seen === null) return void (seen = await begin());
      const rows = await pool.query<FeedEvent & Cursor & { is_known: boolean }>(
        `select now.server, now.snapshot::text as snapshot, pg_snapshot_xmax(now.snapshot)::text as xmax, now.is_known,
                o.id, o.type, o.package_id, p.tracking_id, o.owner_id, o.driver_id,
                o.previous_driver_id, o.incident_number, i.reporter_id, o.user_id, o.session_id, o.import_id
         from (select ${server} as server, pg_current_snapshot() as snapshot,
                 exists (select from outbox_readers where id = $2) as is_known) now
         left join lateral (
           select * from outbox where xid >= pg_snapshot_xmax($1::pg_snapshot) and xid < pg_snapshot_xmax(now.snapshot)
           union all
           select * from outbox where xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))
         ) o on true
         left join packages p on p.id = o.package_id
         left join incidents i on i.number = o.incident_number
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
      await sayWhatIsSeen(seen.snapshot);
    },
    async close() {
      await pool.query('delete from outbox_readers where id = $1', [id]).catch(() => {});
    },
  };
}

async function isAnswered(pool: Pool, expression: string): Promise<boolean> {
  try {
    await pool.query(`select ${expression}`);
    return true;
  } catch (error) {
    if (refusals.has(sqlState(error) ?? '')) return false;
    throw error;
  }
}
