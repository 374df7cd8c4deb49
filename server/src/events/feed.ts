import type { Pool } from '../platform/db.ts';

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
}

/**
 * Every committed event exactly once, in each process by itself.
 *
 * Ids are drawn before the commit, so `id > last` would lose the events of transactions that overlap. The cursor is a snapshot
 * instead: what the last reading could not see and this one can is precisely what was committed in between. Nothing waits for
 * a transaction that is still open, and no process has to number events for the others.
 */
export function openFeed(pool: Pool): Feed {
  const listeners: ((events: FedEvent[]) => void)[] = [];
  let seen: string | null = null;
  return {
    subscribe: (listener) => void listeners.push(listener),
    async read() {
      if (seen === null) {
        // A new process has no streams yet: its past is nobody's news.
        const [now] = await pool.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
        seen = now?.snapshot ?? null;
        return;
      }
      const rows = await pool.query<FedEvent & { snapshot: string }>(
        `select now.snapshot::text as snapshot, e.id, e.type, e.package_id, p.tracking_id, e.owner_id, e.driver_id,
                e.previous_driver_id, e.incident_number, i.reporter_id, e.user_id, e.session_id, e.import_id
         from (select pg_current_snapshot() as snapshot) now
         left join events e on e.xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(e.xid, $1::pg_snapshot)
         left join packages p on p.id = e.package_id
         left join incidents i on i.number = e.incident_number
         order by e.id`,
        [seen],
      );
      seen = rows[0]?.snapshot ?? seen;
      const events = rows.filter((row) => row.id !== null);
      if (events.length > 0) for (const listener of listeners) listener(events);
    },
  };
}
