import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { countExpired, purge } from '../../privacy/retention.ts';
import { cloneDatabase, createUpgradingDatabase } from '../../testing/postgres.ts';
import { runsAll } from '../../testing/suite.ts';
import { openTestProduct, packageInput, type TestProduct } from '../../testing/test-product.ts';
import type { Connection } from './db.ts';
import { listMigrations, migrate, migrateWithin } from './migrate.ts';
import { createPartitions, dropPartition, listPartitionsOlderThan } from './partitions.ts';

const dayMs = 86_400_000;
const owner = '00000000-0000-7000-8000-000000000001';
const addOwner = `insert into users (id, name, email, password_hash, role, status)
  values ('${owner}', 'Olga', 'olga@example.com', 'x', 'owner', 'active')`;

async function open(): Promise<TestProduct> {
  const product = await openTestProduct({ runsJobs: false });
  onTestFinished(() => product.close());
  return product;
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
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

test.each([
  [
    'idempotency_keys',
    `insert into idempotency_keys (user_id, path, key, body_hash, reply, created_at)
     select '${owner}', '/api/packages', gen_random_uuid(), '\\x00', repeat('x', 200), at`,
  ],
  ['outbox', "insert into outbox (type, at) select 'late job', at"],
])(
  'each day of %s is dropped in under a second, while the table is written',
  async (table, insert) => {
    const [days, rowsADay] = runsAll ? [30, 100_000] : [5, 2000];
    const earlier = await openTestProduct({ runsJobs: false });
    const { connection } = earlier;
    await earlier.ctx.db.query(addOwner);
    for (let n = days; n > 0; n--) await createPartitions(earlier.ctx.db, new Date(Date.now() - n * dayMs));
    // It would read these rows of the outbox, which are new to it, while they are dropped. The days of a real one have been read.
    await earlier.close();
    const filler = await connect(connection);
    for (let n = 1; n <= days; n++)
      await filler.query(
        `${insert} from (select now() - make_interval(days => $1) - n * interval '1 microsecond' as at from generate_series(1, $2::int) n) rows`,
        [n, rowsADay],
      );
    await filler.query(`analyze ${table}`);
    const product = await openTestProduct({ connection, runsJobs: false });
    onTestFinished(() => product.close());
    const { ctx } = product;
    const writing = repeat(await connect(connection), `${insert} from (select now() as at) rows`);
    const msEach: number[] = [];
    let rows = 0;
    for (const { name, estimatedRows } of await listPartitionsOlderThan(ctx.db, table, 0)) {
      const startedAt = performance.now();
      expect(await dropPartition(ctx.db, table, name)).toBe(true);
      msEach.push(performance.now() - startedAt);
      rows += estimatedRows;
    }
    const { errors, slowestMs } = await writing.stop();
    expect(errors).toEqual([]);
    expect(msEach.length).toBeGreaterThanOrEqual(days - 1);
    expect(rows).toBeGreaterThan((days - 1.1) * rowsADay);
    expect(Math.max(...msEach)).toBeLessThan(1000);
    expect(slowestMs).toBeLessThan(1000);
    console.log(
      `${msEach.length} days of ${table}, ${rowsADay} rows each: the slowest drop ${Math.max(...msEach).toFixed(0)} ms, the slowest write ${slowestMs.toFixed(0)} ms`,
    );
  },
  120_000,
);

const packageId = '00000000-0000-7000-8000-000000000002';
const addPackage = `insert into packages
    (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, handling, status, created_at, updated_at)
  values ('${packageId}', '${owner}', 'PKG-AAAAAAAA', 'Lamp', 'A lamp', 'Other', 1, 'Anna', '{}', 'processing', now(), now())`;

/** Repeats a statement until it is stopped. @returns how often it succeeded, the slowest in ms, and the errors */
function repeat(client: pg.Client, sql: string, { params = (_n: number): unknown[] => [], pauseMs = 2 } = {}) {
  const done = { count: 0, slowestMs: 0, errors: [] as string[] };
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      const startedAt = performance.now();
      try {
        await client.query(sql, params(done.count));
        done.count++;
      } catch (error) {
        done.errors.push(String(error));
      }
      done.slowestMs = Math.max(done.slowestMs, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await running;
      return done;
    },
  };
}

test.runIf(runsAll)(
  'the notifications of version 0.2.0 become the first partition while servers write: none is lost, copied or told twice',
  async () => {
    const connection = await databaseBefore('_outbox.sql');
    const older = await connect({ ...connection, application_name: 'waybill requests' });
    await older.query(addOwner);
    await older.query(addPackage);
    // Two years of them, half of them read.
    await older.query(`insert into events (type, at, package_id, owner_id)
    select 'package.updated', now() - n * interval '1 hour', '${packageId}', '${owner}' from generate_series(0, 17519) n order by n desc`);
    await older.query(`insert into notifications (id, user_id, event_id, package_id, type, title, body, created_at, read_at)
    select gen_random_uuid(), '${owner}', id, '${packageId}', type, 'Title', 'Body', at, case when id % 2 = 0 then at end from events`);
    const told = async () =>
      (await older.query<{ count: number }>('select count(*)::int as count from notifications')).rows[0]?.count;

    // As a server of that version tells of an event, again and again, since its jobs may run twice.
    const writing = await connect({ ...connection, application_name: 'waybill requests' });
    const olderServer = repeat(
      writing,
      `with event as (
       insert into events (type, at, package_id, owner_id) values ('package.updated', now(), '${packageId}', '${owner}') returning id, at
     ), told as (select id, at from event union all select 17000, now())
     insert into notifications (id, user_id, event_id, package_id, type, title, body, created_at)
     select gen_random_uuid(), '${owner}', id, '${packageId}', 'package.updated', 'Title', 'Body', at from told
     on conflict (user_id, event_id) do nothing returning user_id`,
      { pauseMs: 50 },
    );
    const waiting = await migrate(connection, () => {});
    expect(waiting).toEqual(expect.arrayContaining([expect.stringMatching(/_notifications_by_month\.sql$/)]));
    const byOlder = await olderServer.stop();
    expect(byOlder.errors).toEqual([]);
    expect(await told()).toBe(17_520 + byOlder.count);
    const fileOf = (table: string) => `select pg_relation_filepath('${table}') as file`;
    const [file] = (await older.query<{ file: string }>(fileOf('notifications'))).rows;

    // A server of this version, with the statement of its channel, while the tables are switched.
    const current = await connect({ ...connection, application_name: 'waybill requests' });
    await current.query("set waybill.writes_outbox = 'on'");
    const currentServer = repeat(
      current,
      `with event as (
       insert into package_events (type, at, package_id, owner_id) values ('package.updated', now(), '${packageId}', '${owner}') returning id, at
     ), told as (select id, at from event union all select id, at from package_events where id = 17000)
     insert into notifications (id, user_id, event_id, package_id, type, title, body, created_at)
     select gen_random_uuid(), '${owner}', id, '${packageId}', 'package.updated', 'Title', 'Body', at from told
     on conflict do nothing returning id`,
    );
    await migrate(connection, () => {}, { postDeployment: true });
    const byCurrent = await currentServer.stop();
    expect(byCurrent.errors).toEqual([]);
    expect(byCurrent.slowestMs).toBeLessThan(5000);
    expect(await told()).toBe(17_520 + byOlder.count + byCurrent.count);
    expect((await older.query<{ file: string }>(fileOf('notifications_before'))).rows).toEqual([file]);
    const deliveries = 'select count(*)::int as count from notification_deliveries';
    expect((await older.query(deliveries)).rows).toEqual([{ count: 17_520 + byOlder.count }]);

    // The one partition has rows of all ages: those that have expired go one by one, with their deliveries.
    const product = await openTestProduct({ connection, runsJobs: false });
    onTestFinished(() => product.close());
    const removed = (await purge(product.ctx))?.removed ?? {};
    // Read more than 180 days ago; unread for more than 365.
    expect(removed['read notifications']).toBeGreaterThan(6500);
    expect(removed['unread notifications']).toBeGreaterThan(4300);
    const left = 17_520 + byOlder.count - (removed['read notifications'] ?? 0) - (removed['unread notifications'] ?? 0);
    expect((await older.query(deliveries)).rows).toEqual([{ count: left }]);
    expect(await told()).toBe(left + byCurrent.count);
  },
);

test('months of notifications are removed whole, with their deliveries; meanwhile others are told', async () => {
  // 365 days ago it was the month 12 before this one, or none earlier.
  const [oldest, rowsAMonth] = runsAll ? [25, 100_000] : [16, 2000];
  const { ctx, connection } = await open();
  const { query } = ctx.db;
  await query(addOwner);
  await createPartitions(ctx.db, new Date(), oldest);
  const filler = await connect(connection);
  await filler.query(
    `insert into notifications (id, user_id, event_id, type, title, body, created_at)
     select gen_random_uuid(), $1, m * $3::int + n, 'package.updated', '', '',
       date_trunc('month', now(), 'UTC') - make_interval(months => m) + n * interval '20 seconds'
     from generate_series(12, $2::int) m, generate_series(1, $3) n`,
    [owner, oldest, rowsAMonth],
  );
  await filler.query(`insert into notification_deliveries (id, channel, event_id, type, at, user_id, notification_id, state)
    select id, 'in-app', event_id, type, created_at, user_id, id, 'delivered' from notifications`);
  await filler.query('analyze notifications');
  const writing = repeat(
    await connect(connection),
    `insert into notifications (id, user_id, event_id, type, title, body, created_at)
     values (gen_random_uuid(), $1, $2, 'package.updated', '', '', now())`,
    { params: (n) => [owner, 1e9 + n] },
  );
  const startedAt = performance.now();
  const done = await purge(ctx);
  const ms = performance.now() - startedAt;
  const { errors, slowestMs } = await writing.stop();
  expect(errors).toEqual([]);
  expect(done?.faults).toEqual([]);
  const due = oldest - 12;
  expect(done?.removed['unread notifications']).toBe(due * rowsAMonth);
  expect(done?.removed['read notifications']).toBe(0);
  expect(ms / due).toBeLessThan(1000);
  expect(slowestMs).toBeLessThan(1000);
  const rowsBefore = (table: string, column: string) =>
    query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${column} < date_trunc('month', now() - interval '365 days', 'UTC')`,
    );
  for (const [table, column] of [
    ['notifications', 'created_at'],
    ['notification_deliveries', 'at'],
  ] as const)
    expect([table, await rowsBefore(table, column)]).toEqual([table, [{ count: 0 }]]);
  const [dead] = await query<{ dead: number }>(
    "select sum(n_dead_tup)::int as dead from pg_stat_all_tables where relname like 'notification%'",
  );
  expect(dead?.dead).toBe(0);
  console.log(
    `${due} months of ${rowsAMonth} rows in two tables: ${(ms / due).toFixed(0)} ms a month, slowest write ${slowestMs.toFixed(0)} ms`,
  );
}, 120_000);

test('of a month in which something was read lately, what nobody has read is removed as well, and the month once nothing stays', async () => {
  const { ctx } = await open();
  const { query } = ctx.db;
  await query(addOwner);
  await createPartitions(ctx.db, new Date(), 14);
  // More than are deleted at once.
  await query(
    `insert into notifications (id, user_id, event_id, type, title, body, created_at)
     select gen_random_uuid(), $1, n, 'package.updated', '', '', date_trunc('month', now(), 'UTC') - interval '14 months' + n * interval '20 seconds'
     from generate_series(1, 1200) n`,
    [owner],
  );
  await query(`insert into notification_deliveries (id, channel, event_id, type, at, user_id, notification_id, state)
    select id, 'in-app', event_id, type, created_at, user_id, id, 'delivered' from notifications`);
  const readBefore = (days: number) =>
    query('update notifications set read_at = now() - make_interval(days => $2) where user_id = $1 and event_id = 7', [
      owner,
      days,
    ]);
  await readBefore(1);
  const left = () =>
    query(
      'select (select array_agg(event_id::int) from notifications) as told, array_agg(event_id::int) as delivered from notification_deliveries',
    );
  expect((await countExpired(ctx))['unread notifications']).toBe(1199);
  const done = await purge(ctx);
  expect(done?.faults).toEqual([]);
  expect(done?.removed['unread notifications']).toBe(1199);
  expect(await left()).toEqual([{ told: [7], delivered: [7] }]);
  await readBefore(181);
  expect((await purge(ctx))?.faults).toEqual([]);
  expect(await left()).toEqual([{ told: null, delivered: null }]);
  const months = await query(
    "select from pg_inherits join pg_class c on c.oid = inhrelid where relname ~ to_char(now() - interval '14 months', '\"notification.*_\"YYYYMM')",
  );
  expect(months).toEqual([]);
});

test.runIf(runsAll)(
  'the attempts of version 0.2.0 become the first partition while servers write; those of later packages go to the month of their package',
  async () => {
    const connection = await databaseBefore('_outbox.sql');
    const client = await connect({ ...connection, application_name: 'waybill requests' });
    await client.query(addOwner);
    const [present, later] = [0, 70].map((days) => uuid({ msecs: Date.now() + days * dayMs }));
    await client.query(
      `insert into packages (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, handling, status, created_at, updated_at)
     select id::uuid, $2, 'PKG-' || lpad(n::text, 8, '0'), 'Lamp', 'A lamp', 'Other', 1, 'Anna', '{}', 'processing', now(), now()
     from unnest($1::text[]) with ordinality as given (id, n)`,
      [[present, later], owner],
    );
    // As both versions write them.
    const insert = `insert into delivery_attempts
      (number, package_id, driver_id, started_at, ended_at, outcome, eta, estimated_delivery_at)
    select 1 + count(*), $1, $2, now(), now(), 'failed', current_date, now() from delivery_attempts where package_id = $1
    returning id, number`;
    await client.query(
      `insert into delivery_attempts (number, package_id, driver_id, started_at, ended_at, outcome, estimated_delivery_at)
     select n, $1, $2, now(), now(), 'failed', now() from generate_series(1, 20000) n`,
      [present, owner],
    );
    const file = async (table: string) =>
      (await client.query<{ file: string }>(`select pg_relation_filepath('${table}') as file`)).rows[0]?.file;
    const before = await file('delivery_attempts');
    const writing = await connect({ ...connection, application_name: 'waybill requests' });
    const params = () => [present, owner];
    const olderServer = repeat(writing, insert, { params, pauseMs: 50 });
    const waiting = await migrate(connection, () => {});
    expect(waiting).toEqual(expect.arrayContaining([expect.stringMatching(/_attempts_by_month\.sql$/)]));
    const byOlder = await olderServer.stop();
    const currentServer = repeat(writing, insert, { params });
    await migrate(connection, () => {}, { postDeployment: true });
    const byCurrent = await currentServer.stop();
    expect([byOlder.errors, byCurrent.errors]).toEqual([[], []]);
    expect(byCurrent.slowestMs).toBeLessThan(5000);
    const total = 20_000 + byOlder.count + byCurrent.count;
    expect(
      (
        await client.query(
          `select count(*)::int as count, count(distinct id)::int as ids, max(number) as last, min(tableoid::regclass::text) as partition
         from delivery_attempts`,
        )
      ).rows,
    ).toEqual([{ count: total, ids: total, last: total, partition: 'delivery_attempts_before' }]);
    expect(await file('delivery_attempts_before')).toBe(before);
    // Once their month has been created.
    await createPartitions(
      { query: async (sql, values) => (await client.query(sql, values)).rows as never },
      new Date(Date.now() + 70 * dayMs),
    );
    for (const number of [1, 2]) expect((await client.query(insert, [later, owner])).rows).toMatchObject([{ number }]);
    const month = new Date(Date.now() + 70 * dayMs).toISOString().slice(0, 7).replace('-', '');
    expect(
      (
        await client.query(
          'select distinct tableoid::regclass::text as name from delivery_attempts where package_id = $1',
          [later],
        )
      ).rows,
    ).toEqual([{ name: `delivery_attempts_${month}` }]);
    // One partition for each package, whose attempts are numbered by the primary key.
    const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select from delivery_attempts where package_id = '${present}'`,
    );
    expect(plan.filter((row) => /Append/.test(row['QUERY PLAN']))).toEqual([]);
    await expect(
      client.query(
        `insert into delivery_attempts (number, package_id, started_at, ended_at, outcome, estimated_delivery_at) values (1, $1, now(), now(), 'failed', now())`,
        [later],
      ),
    ).rejects.toThrow(/duplicate key/);
  },
);

test('the events of an older database become the first partition while servers write; those of later packages go to the month of their package', async () => {
  const connection = await databaseBefore('_events_by_month_bound.sql');
  const client = await connect(connection);
  const sql = async <Row extends object>(text: string, values?: unknown[]) =>
    (await client.query<Row>(text, values)).rows;
  await sql(addOwner);
  const [present, later] = [0, 70].map((days) => uuid({ msecs: Date.now() + days * dayMs }));
  await sql(
    `insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, status, created_at, updated_at)
     select id::uuid, $2, 'PKG-' || lpad(n::text, 8, '0'), 'Lamp', 'A lamp', 'Other', 1, 'Anna', 'processing', now(), now()
     from unnest($1::text[]) with ordinality as given (id, n)`,
    [[present, later], owner],
  );
  const insert = `insert into package_events (type, at, package_id, actor_id, owner_id)
    values ('package.updated', now(), $1, '${owner}', '${owner}') returning tableoid::regclass::text as partition`;
  await sql(
    `insert into package_events (type, at, package_id) select 'package.updated', now(), $1 from generate_series(1, 20000)`,
    [present],
  );
  const file = (table: string) => sql(`select pg_relation_filepath('${table}') as file`);
  const before = await file('package_events');
  const writing = repeat(await connect(connection), insert, { params: () => [present] });
  await migrate(connection, () => {}, { postDeployment: true });
  const written = await writing.stop();
  expect(written.errors).toEqual([]);
  expect(written.slowestMs).toBeLessThan(5000);
  const total = 20_000 + written.count;
  expect(
    await sql(
      'select count(*)::int as count, count(distinct id)::int as ids, min(tableoid::regclass::text) as partition from package_events',
    ),
  ).toEqual([{ count: total, ids: total, partition: 'package_events_before' }]);
  expect(await file('package_events_before')).toEqual(before);
  // A new month locks nothing that writers of events, packages, users and incidents hold.
  const writer = await connect(connection);
  await writer.query('begin');
  await writer.query(insert, [present]);
  for (const table of ['users', 'packages', 'incidents'])
    await writer.query(`lock table ${table} in row exclusive mode`);
  await createPartitions(
    { query: async (text, values) => (await sql(text, values)) as never },
    new Date(Date.now() + 70 * dayMs),
  );
  await writer.query('commit');
  const month = new Date(Date.now() + 70 * dayMs).toISOString().slice(0, 7).replace('-', '');
  expect(await sql(insert, [later])).toEqual([{ partition: `package_events_${month}` }]);
  // Ids of another kind.
  expect(await sql(insert, ['ffffffff-0000-4000-8000-000000000000'])).toEqual([
    { partition: 'package_events_default' },
  ]);
  const plan = await sql<{ 'QUERY PLAN': string }>(
    `explain select from package_events where package_id = '${later}' order by id desc`,
  );
  expect(plan.filter((row) => row['QUERY PLAN'].includes('Append'))).toEqual([]);
  expect(plan[0]?.['QUERY PLAN']).toContain(`package_events_${month}`);
});
