import pg from 'pg';
import { openEventFeed } from '../server/src/events/outbox.ts';
import type { Pool } from '../server/src/platform/database/db.ts';
import { openEventsBySnapshot } from './baselines/events-by-snapshot.ts';
import type { BenchContext } from './bench.ts';
import { median, ratioOf } from './quantiles.ts';
import { smallTable } from './sizes.ts';

/** Rows committed while a transaction that has written stays open. */
const rowsBehind = 100_000;

/** Polls in one round. */
const polls = 20;

/** The cost of polling the event feed while a long transaction stays open and many rows are committed beside it. */
export async function benchOutbox({ databases, size, rounds, report }: BenchContext): Promise<void> {
  const { connection } = await databases.copy('bench_outbox', smallTable);
  const pool = openPool(connection);
  const open = new pg.Client(connection);
  const writer = new pg.Client(connection);
  await Promise.all([open.connect(), writer.connect()]);
  try {
    const product = openEventFeed(pool);
    const baseline = openEventsBySnapshot(pool);
    await open.query('begin; select pg_current_xact_id()');
    for (const feed of [product, baseline]) await feed.poll();
    await writer.query("insert into outbox (type) select 'bench' from generate_series(1, $1::int)", [rowsBehind]);
    await writer.query('analyze outbox');
    for (const feed of [product, baseline]) await feed.poll();
    const measure = async (feed: { poll(): Promise<void> }) => {
      const took: number[] = [];
      for (let poll = 0; poll < polls; poll++) {
        await writer.query("insert into outbox (type) values ('bench')");
        const startedAt = performance.now();
        await feed.poll();
        took.push(performance.now() - startedAt);
      }
      return median(took);
    };
    const took = await rounds.interleave(size.rounds, {
      product: () => measure(product),
      baseline: () => measure(baseline),
    });
    report({
      measure: `a poll of the event feed, ${rowsBehind.toLocaleString('en')} rows after the start of a transaction that stays open`,
      unit: 'ms',
      product: median(took.product),
      baseline: { name: 'check the visibility of every event since then', figure: median(took.baseline) },
      ratio: ratioOf(took.product, took.baseline),
      goal: { of: 'product', is: 'at most', bound: 20 },
    });
  } finally {
    await Promise.all([open.end(), writer.end()]);
    await pool.close();
  }
}

function openPool(connection: pg.PoolConfig): Pool {
  const pool = new pg.Pool({ ...connection, max: 2 });
  return {
    pool,
    query: async <Row extends object>(sql: string, params?: unknown[]) => (await pool.query<Row>(sql, params)).rows,
    close: () => pool.end(),
  };
}
