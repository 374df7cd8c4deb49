import type { Pool } from '../platform/db.ts';
import { sqlState } from '../platform/errors.ts';

/** An event as the live streams need it. */
export interface FedEvent {
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

export interface Feed {
  /** Reads what became visible since the last reading and tells it to every subscriber. */
  read(): Promise<void>;
  subscribe(listener: (events: FedEvent[]) => void): void;
  /** Calls when the database is another one, or went back: nobody can say what was missed, so whatever was read before is to be read anew. */
  onRestart(listener: () => void): void;
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

/**
 * Every committed event exactly once, in each process by itself.
 *
 * Ids are drawn before the commit, so `id > last` would lose the events of transactions that overlap. The cursor is a snapshot
 * instead: what the last reading could not see and this one can is precisely what was committed in between. Nothing waits for
 * a transaction that is still open, and no process has to number events for the others.
 *
 * A snapshot means something on its own server only. After a failover that lost transactions the numbers of the lost ones are given
 * out again, and the old snapshot takes them for seen; so each reading brings along which server answered, and starts anew on another.
 * Rows that pg_restore or logical replication brought carry numbers of their old server: one that this server has not given out yet is
 * no news.
 */
export function openFeed(pool: Pool): Feed {
  const listeners: ((events: FedEvent[]) => void)[] = [];
  const restartListeners: (() => void)[] = [];
  let seen: Cursor | null = null;
  let server: string | null = null;

  const begin = async (): Promise<Cursor | null> => {
    server ??= await isAnswered(pool, identityAndTimeline).then((is) => (is ? identityAndTimeline : startTime));
    const [cursor] = await pool.query<Cursor>(
      `select server, snapshot::text as snapshot, pg_snapshot_xmax(snapshot)::text as xmax
       from (select ${server} as server, pg_current_snapshot() as snapshot) now`,
    );
    return cursor ?? null;
  };

  return {
    subscribe: (listener) => void listeners.push(listener),
    onRestart: (listener) => void restartListeners.push(listener),
    async read() {
      // On start-up, skip history: no stream is connected yet.
      if (seen === null) return void (seen = await begin());
      const rows = await pool.query<FedEvent & Cursor>(
        `select now.server, now.snapshot::text as snapshot, pg_snapshot_xmax(now.snapshot)::text as xmax,
                e.id, e.type, e.package_id, p.tracking_id, e.owner_id, e.driver_id,
                e.previous_driver_id, e.incident_number, i.reporter_id, e.user_id, e.session_id, e.import_id
         from (select ${server} as server, pg_current_snapshot() as snapshot) now
         left join events e on e.xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(e.xid, $1::pg_snapshot)
           and e.xid < pg_snapshot_xmax(now.snapshot)
         left join packages p on p.id = e.package_id
         left join incidents i on i.number = e.incident_number
         order by e.id`,
        [seen.snapshot],
      );
      const [now] = rows;
      if (!now) return;
      const before = seen;
      seen = { server: now.server, snapshot: now.snapshot, xmax: now.xmax };
      if (now.server !== before.server || BigInt(now.xmax) < BigInt(before.xmax)) {
        for (const listener of restartListeners) listener();
        return;
      }
      const events = rows.filter((row) => row.id !== null);
      if (events.length > 0) for (const listener of listeners) listener(events);
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
