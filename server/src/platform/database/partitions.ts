import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../errors.ts';
import type { Db, Queryable, Tx } from './db.ts';

/**
 * The tables with one partition per UTC day or month, by a time or by a UUID of version 7, which begins with its time. Each also has a
 * default partition, which takes the rows of days without one: if the next partitions were not created in time, writes still succeed.
 */
const partitioned = {
  idempotency_keys: { period: 'day', by: 'time' },
  outbox: { period: 'day', by: 'time' },
  notifications: { period: 'month', by: 'time' },
  notification_deliveries: { period: 'month', by: 'time' },
  messages: { period: 'month', by: 'time' },
  positions: { period: 'day', by: 'time' },
  package_events: { period: 'month', by: 'uuid' },
  delivery_attempts: { period: 'month', by: 'uuid' },
} as const;
type Period = 'day' | 'month';

/** How many partitions there are from now on. Few, since a lookup by key searches every partition. */
const ahead: Record<Period, number> = { day: 3, month: 2 };

/** The lowest value of this time, as SQL text. */
const boundAt = {
  time: (start: Date) => start.toISOString(),
  uuid: (start: Date) => start.getTime().toString(16).padStart(12, '0').padEnd(32, '0'),
};

/** The start of the period that is `n` after that of `now`. */
const startOf = (period: Period, now: Date, n: number): Date =>
  period === 'day'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + n))
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n));

/** Lock time-out, and how often to try: whoever queues behind the request for a lock waits no longer than that. */
const lockTimeout = '300ms';
const maxTries = 5;

/**
 * Creates the partitions of the day or month of `now` and of the next ones where they are missing. One whose rows are already in the
 * default partition is not created: moving them would block writers.
 * @param back how many earlier ones to create as well
 */
export async function createPartitions(db: Queryable, now: Date, back = 0): Promise<void> {
  const tables = await db.query<{ name: keyof typeof partitioned }>(
    `select relname as name from pg_class
     where relkind = 'p' and relname = any($1) and relnamespace = current_schema()::regnamespace`,
    [Object.keys(partitioned)],
  );
  for (const { name } of tables) {
    const { period, by } = partitioned[name];
    for (let n = -back; n < ahead[period]; n++) {
      const [start, end] = [startOf(period, now, n), startOf(period, now, n + 1)];
      const digits = start.toISOString().slice(0, period === 'day' ? 10 : 7);
      const partition = `${name}_${digits.replaceAll('-', '')}`;
      await retryLocks(() =>
        db.query('select create_partition($1, $2, $3, $4)', [name, partition, boundAt[by](start), boundAt[by](end)]),
      );
    }
  }
}

/**
 * How many relations a statement over all months of events and attempts locks while it is planned: the tables that are kept for good, with
 * their partitions and all indexes.
 */
export async function countRelationsOfAllMonths(db: Queryable): Promise<number> {
  const names = Object.entries(partitioned).flatMap(([name, { by }]) => (by === 'uuid' ? name : []));
  const [row] = await db.query<{ relations: number }>(
    `with tables as materialized (select relid from unnest($1::text[]) as name, pg_partition_tree(to_regclass(name)))
     select ((select count(*) from tables) + (select count(*) from pg_index where indrelid in (select relid from tables)))::int as relations`,
    [names],
  );
  return row?.relations ?? 0;
}

interface Partition {
  name: string;
  /** As of the last vacuum or analyze; 0 if unknown. */
  estimatedRows: number;
  /** Null: it has no lower bound. */
  lowerBound: string | null;
  upperBound: string;
}

/** The partitions by time that ended at least this many seconds ago. */
export const listPartitionsOlderThan = (db: Queryable, table: string, seconds: number): Promise<Partition[]> =>
  db.query<Partition>(
    // Materialized: else the planner may read bounds of other tables as times, which are UUIDs.
    `with partition as materialized (
       select c.relname as name, greatest(c.reltuples, 0)::float8 as "estimatedRows",
         substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('([^']+)'\\)$$) as "lowerBound",
         substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']+)'\\)$$) as "upperBound"
       from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = to_regclass($1))
     select * from partition where "upperBound"::timestamptz <= now() - make_interval(secs => $2)
     order by name`,
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
