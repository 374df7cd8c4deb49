import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../errors.ts';
import type { Db, Queryable, Tx } from './db.ts';

/**
 * The tables with one partition per UTC day. Each also has a default partition, which takes the rows of days without one: if the partitions
 * of the next days were not created in time, writes still succeed.
 */
const dailyTables = ['idempotency_keys', 'outbox'];

/** Today's partition and those of the next days. Few, since a lookup by key searches every partition. */
const daysCreated = 3;

const dayMs = 86_400_000;

/** Lock time-out, and how often to try: whoever queues behind the request for a lock waits no longer than that. */
const lockTimeout = '300ms';
const maxTries = 5;

/**
 * Creates the partitions of the day of `now` and of the next ones where they are missing. A day whose rows are already in the default
 * partition gets none: moving them would block writers.
 */
export async function createPartitions(db: Queryable, now: Date): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'p' and relname = any($1) and relnamespace = current_schema()::regnamespace`,
    [dailyTables],
  );
  const day = (n: number) => new Date(Math.floor(now.getTime() / dayMs + n) * dayMs).toISOString();
  for (const { name } of tables) {
    for (let n = 0; n < daysCreated; n++) {
      const partition = `${name}_${day(n).slice(0, 10).replaceAll('-', '')}`;
      await retryLocks(() =>
        db.query('select create_partition($1, $2, $3, $4)', [name, partition, day(n), day(n + 1)]),
      );
    }
  }
}

interface Partition {
  name: string;
  /** As of the last vacuum or analyze; 0 if unknown. */
  estimatedRows: number;
}

/** The partitions whose days all ended at least this many seconds ago. */
export const listPartitionsOlderThan = (db: Queryable, table: string, seconds: number): Promise<Partition[]> =>
  db.query<Partition>(
    `select c.relname as name, greatest(c.reltuples, 0)::float8 as "estimatedRows"
     from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = to_regclass($1)
       and substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']+)'\\)$$)::timestamptz <= now() - make_interval(secs => $2)
     order by c.relname`,
    [table, seconds],
  );

/** Where rows of any age may be: the default partition, one without a lower bound, or the table itself before it is partitioned. */
export async function listUnbounded(db: Queryable, table: string): Promise<string[]> {
  const partitions = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = to_regclass($1) and pg_get_expr(c.relpartbound, c.oid) !~ $$FROM \\('$$`,
    [table],
  );
  return partitions.length > 0 ? partitions.map(({ name }) => name) : [table];
}

/**
 * Drops a partition: unlike a delete, in milliseconds and without dead rows.
 * @param mayDrop called once nobody can write to the table; false keeps the partition
 * @returns whether it was dropped; not if `mayDrop` said so, nor if a long transaction holds the table, so call it again later
 */
export const dropPartition = (
  db: Db,
  table: string,
  partition: string,
  mayDrop: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<boolean> =>
  retryLocks(() =>
    db.transaction(async (tx) => {
      await tx.query("select set_config('lock_timeout', $1, true)", [lockTimeout]);
      // The table first, as queries do: locking the partition first could deadlock with them.
      await tx.query(`lock table ${table} in access exclusive mode`);
      if (!(await mayDrop(tx))) return false;
      await tx.query('select drop_partition($1)', [partition]);
      return true;
    }),
  ).then((dropped) => dropped ?? false);

/** Tries again while others hold a lock. @returns null if they still do after the last try */
async function retryLocks<T>(work: () => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      if (tries === maxTries) return null;
      await sleep(100 + Math.random() * 400);
    }
  }
}
