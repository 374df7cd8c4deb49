import type { Db, Queryable } from '../platform/database/db.ts';

/** How long a row stays at least, and how long a process that says nothing is waited for. */
const kept = "interval '10 minutes'";

/** Rows in one statement. */
const batchSize = 5000;

/** The oldest rows that are due and that every process has read. Deleted from the start: what is left is never read to the end. */
const due = `select id from (select id, xid, at from outbox order by id limit ${batchSize}) oldest
  where at < now() - ${kept} and not exists (select from outbox_readers where not pg_visible_in_snapshot(xid, seen))`;

/** Forgets who was not heard of for too long, then removes what all others have read. @returns how many rows went */
export async function sweepOutbox(db: Db): Promise<number> {
  for (let total = 0; ;) {
    const removed = await db.transaction(async (tx) => {
      // A process that begins to read now waits, and sees what is left: nobody takes for granted what goes in this moment.
      await tx.query('lock table outbox_readers in share row exclusive mode');
      await tx.query(`delete from outbox_readers where heard_at < now() - ${kept}`);
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

/** A transaction that has written something and is open for more than so many seconds: it holds up the clean-up of every table. */
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
