import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { purge } from '../../privacy/retention.ts';
import { cloneDatabase, createUpgradingDatabase } from '../../testing/postgres.ts';
import { runsAll } from '../../testing/suite.ts';
import { openTestProduct, packageInput, type TestProduct } from '../../testing/test-product.ts';
import type { Connection } from './db.ts';
import { listMigrations, migrate, migrateWithin } from './migrate.ts';
import { createPartitions } from './partitions.ts';

const dayMs = 86_400_000;
const owner = '00000000-0000-7000-8000-000000000001';
const addOwner = `insert into users (id, name, email, password_hash, role, status)
  values ('${owner}', 'Olga', 'olga@example.com', 'x', 'owner', 'active')`;

async function open(): Promise<TestProduct> {
  const product = await openTestProduct({ runsJobs: false });
  onTestFinished(() => product.close());
  return product;
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A database as before the first of these migrations, by the end of its name. */
async function databaseBefore(ending: string): Promise<Connection> {
  const beside = await cloneDatabase();
  const database = `${beside.database ?? ''}_older`;
  const connection = { ...beside, database };
  await (await connect(beside)).query(`create database ${database} template template0`);
  const names = await listMigrations();
  const client = await connect(connection);
  await client.query('begin');
  await migrateWithin(
    client,
    names.slice(
      0,
      names.findIndex((name) => name.endsWith(ending)),
    ),
  );
  await client.query('commit');
  return connection;
}

const partitionsOf = (table: string) =>
  `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = '${table}'::regclass order by 1`;

test('days that were not created in time do not refuse a write, and get no partition that would block writers', async () => {
  const { ctx } = await open();
  const { query } = ctx.db;
  const later = new Date(Date.now() + 10 * dayMs);
  await query('insert into outbox (type, at) values ($1, $2)', ['late job', later]);
  await createPartitions(ctx.db, later);
  await createPartitions(ctx.db, later);
  const name = (n: number) =>
    `outbox_${new Date(later.getTime() + n * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const partitions = (await query<{ name: string }>(partitionsOf('outbox'))).map((row) => row.name);
  expect(partitions).not.toContain(name(0));
  expect(partitions).toEqual(expect.arrayContaining([name(1), name(2)]));
  await query('insert into outbox (type, at) values ($1, $2)', ['late job', later]);
});

test('several processes create the same partitions at once', async () => {
  const { ctx } = await open();
  const later = new Date(Date.now() + 20 * dayMs);
  await Promise.all(Array.from({ length: 5 }, () => createPartitions(ctx.db, later)));
  const partitions = await ctx.db.query(partitionsOf('idempotency_keys'));
  expect(partitions).toHaveLength(7);
});

test('the stored replies of an older database become the first partition: repeats find them, and it is dropped when all have expired', async () => {
  const connection = await databaseBefore('_keys_by_day_bound.sql');
  const client = await connect(connection);
  await client.query(addOwner);
  await client.query(`insert into idempotency_keys (user_id, path, key, body_hash, reply, created_at)
    select '${owner}', '/', 'key-' || n, '', '{}', now() - n * interval '1 minute' + interval '30 s' from generate_series(1, 12000) n`);
  const [file] = (await client.query<{ file: string }>("select pg_relation_filepath('idempotency_keys') as file")).rows;
  await migrate(connection, () => {}, { postDeployment: true });
  const [kept] = (
    await client.query<{ file: string }>(
      "select pg_relation_filepath('idempotency_keys_before') as file, (select count(*) from idempotency_keys)::int as rows",
    )
  ).rows;
  // The same file: not rewritten.
  expect(kept).toEqual({ file: file?.file, rows: 12_000 });
  const product = await openTestProduct({ connection, runsJobs: false });
  onTestFinished(() => product.close());
  // 1,920 rows are older than 7 days.
  expect(await purge(product.ctx)).toMatchObject({ removed: { 'idempotency keys': 1920 }, faults: [] });
  const [bound] = (
    await client.query<{ days: number }>(
      `select extract(day from substring(pg_get_expr(relpartbound, oid) from $$TO \\('([^']+)'\\)$$)::timestamptz - date_trunc('day', now(), 'UTC'))::int as days
       from pg_class where relname = 'idempotency_keys_before'`,
    )
  ).rows;
  expect(bound?.days).toBe(8);
});

test('before its post-deployment migrations a repeat replaces an expired reply that is not purged yet', async () => {
  const connection = await createUpgradingDatabase();
  const product = await openTestProduct({ connection, runsJobs: false });
  onTestFinished(() => product.close());
  const user = await product.register('owner');
  const create = () => user.api.packages.create({ body: packageInput(), idempotencyKey: 'old' });
  const first = await create();
  expect(await create()).toEqual(first);
  await product.ctx.db.query("update idempotency_keys set created_at = now() - interval '8 days'");
  const second = await create();
  expect(second.id).not.toBe(first.id);
  expect(await create()).toEqual(second);
  expect(await purge(product.ctx)).toMatchObject({ removed: { 'idempotency keys': 0 }, faults: [] });
});

test('a day is removed whole: at once, without dead rows, while the table is written', async () => {
  const [days, rowsADay] = runsAll ? [30, 100_000] : [10, 2000];
  const { ctx, connection } = await open();
  const { query } = ctx.db;
  await query(addOwner);
  const filler = await connect(connection);
  for (let n = days; n > 0; n--) await createPartitions(ctx.db, new Date(Date.now() - n * dayMs));
  for (let n = 0; n < days; n++)
    await filler.query(
      `insert into idempotency_keys (user_id, path, key, body_hash, reply, created_at)
       select $1, '/api/packages', gen_random_uuid(), '\\x00', repeat('x', 200), now() - make_interval(days => $2) - n * interval '1 microsecond'
       from generate_series(1, $3::int) n`,
      [owner, n, rowsADay],
    );
  await filler.query('analyze idempotency_keys');
  const writes: number[] = [];
  let writing = true;
  const writer = (async () => {
    while (writing) {
      const startedAt = performance.now();
      await query(
        `insert into idempotency_keys (user_id, path, key, body_hash) values ($1, '/', gen_random_uuid(), '')`,
        [owner],
      );
      writes.push(performance.now() - startedAt);
    }
  })();
  const startedAt = performance.now();
  const done = await purge(ctx);
  const ms = performance.now() - startedAt;
  writing = false;
  await writer;
  // Of the days that ended more than 7 days ago.
  const expired = days - 8;
  expect(done?.faults).toEqual([]);
  expect(done?.removed['idempotency keys']).toBeGreaterThan((expired - 1.1) * rowsADay);
  expect(ms / expired).toBeLessThan(1000);
  expect(Math.max(...writes)).toBeLessThan(1000);
  const [left] = await query<{ rows: number; dead: number }>(
    `select (select count(*)::int from idempotency_keys where created_at < now() - interval '8 days') as rows,
       (select sum(n_dead_tup)::int from pg_stat_all_tables where relname like 'idempotency_keys%') as dead`,
  );
  expect(left).toEqual({ rows: 0, dead: 0 });
  console.log(
    `${expired} days of ${rowsADay} rows: ${(ms / expired).toFixed(0)} ms a day, slowest write ${Math.max(...writes).toFixed(0)} ms`,
  );
}, 120_000);
