import type { Db, Queryable, Tx } from '../platform/database/db.ts';
import { dropPartition, listPartitionsOlderThan } from '../platform/database/partitions.ts';

/** The time after which a silent process expires as a reader, and the minimum age of a row to remove. */
const retentionSeconds = 600;

/** Rows per statement. */
const batchSize = 5000;

/** The oldest rows of the default partition that are due and that every process has read. Examines one batch only. */
const due = `select id from (select id, xid, at from outbox_default order by id limit ${batchSize}) oldest
  where at < now() - make_interval(secs => ${retentionSeconds})
    and not exists (select from outbox_readers where not pg_visible_in_snapshot(xid, seen))`;

/**
 * Removes expired readers, then what all others have read: partitions whose day has ended, and rows of the default partition, which has
 * few. Both lock `outbox_readers`, so that no reader starts meanwhile at a position before rows that are removed.
 *
 * @returns the number of dropped partitions and deleted rows
 */
export async function sweepOutbox(db: Db): Promise<{ partitions: number; rows: number }> {
  let partitions = 0;
  for (const { name } of await listPartitionsOlderThan(db, 'outbox', retentionSeconds)) {
    if (await dropPartition(db, 'outbox', name, async (tx) => isReadByAll(tx, name))) partitions++;
  }
  for (let rows = 0; ;) {
    const removed = await db.transaction(async (tx) => {
      await removeExpiredReaders(tx);
      return (await tx.query(`delete from outbox_default where id = any(array(${due})) returning 1`)).length;
    });
    rows += removed;
    if (removed < batchSize) return { partitions, rows };
  }
}

async function removeExpiredReaders(tx: Tx): Promise<void> {
  await tx.query('lock table outbox_readers in share row exclusive mode');
  await tx.query(`delete from outbox_readers where heard_at < now() - make_interval(secs => ${retentionSeconds})`);
}

/** Whether every transaction up to the last one of the partition had ended when each reader last reported. Reads one row by its index. */
async function isReadByAll(tx: Tx, partition: string): Promise<boolean> {
  await removeExpiredReaders(tx);
  const behind = await tx.query(
    `select from outbox_readers where pg_snapshot_xmin(seen) <= (select max(xid) from ${partition}) limit 1`,
  );
  return behind.length === 0;
}

/** Seconds since the oldest row was written; null if there is none. */
export async function readOldestInOutbox(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ seconds: number }>(
    'select extract(epoch from clock_timestamp() - at)::float8 as seconds from outbox order by id limit 1',
  );
  return row?.seconds ?? null;
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
