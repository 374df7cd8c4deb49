import type { Db, Queryable } from '../platform/database/db.ts';

/** The minimum age of a row to delete, and the time after which a silent process expires as a reader. */
const retention = "interval '10 minutes'";

/** Rows per statement. */
const batchSize = 5000;

/** The oldest rows that are due and that every process has read. Examines one batch only, however large the table is. */
const due = `select id from (select id, xid, at from outbox order by id limit ${batchSize}) oldest
  where at < now() - ${retention} and not exists (select from outbox_readers where not pg_visible_in_snapshot(xid, seen))`;

/** Removes expired readers, then the rows that all others have read. @returns the number of deleted rows */
export async function sweepOutbox(db: Db): Promise<number> {
  for (let total = 0; ;) {
    const removed = await db.transaction(async (tx) => {
      // Blocks new readers until the commit, so that none starts at a position before rows that are deleted here.
      await tx.query('lock table outbox_readers in share row exclusive mode');
      await tx.query(`delete from outbox_readers where heard_at < now() - ${retention}`);
      return (await tx.query(`delete from outbox where id = any(array(${due})) returning 1`)).length;
    });
    total += removed;
    if (removed < batchSize) return total;
  }
}

export interface OutboxState {
  rows: number;
  /** Seconds since the oldest row was written. */
  oldest: number;
}

export async function readOutboxState(db: Queryable): Promise<OutboxState> {
  const [row] = await db.query<OutboxState>(
    `select count(*)::int as rows, coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as oldest from outbox`,
  );
  return row ?? { rows: 0, oldest: 0 };
}

export interface OpenWrite {
  pid: number;
  name: string;
  seconds: number;
}

/** The oldest transaction that has written and has been open longer than `seconds`, or null: it prevents vacuum in every table. */
export async function findLongWrite(db: Queryable, seconds: number): Promise<OpenWrite | null> {
  const [row] = await db.query<OpenWrite>(
    `select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
     from pg_stat_activity
     where datname = current_database() and backend_xid is not null and clock_timestamp() - xact_start > make_interval(secs => $1)
     order by xact_start limit 1`,
    [seconds],
  );
  return row ?? null;
}
