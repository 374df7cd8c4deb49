import pg from 'pg';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { openPool, type Connection, type Db, type Pool } from '../platform/database/db.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { migrate } from '../platform/database/migrate.ts';
import { countStreams } from '../platform/live/sse.ts';
import { cloneDatabase } from '../testing/postgres.ts';
import { runsAll } from '../testing/suite.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  watch,
  type TestProduct,
  type Watcher,
} from '../testing/test-product.ts';
import { openEventFeed, type EventFeed } from './outbox.ts';
import { findLongWrite, sweepOutbox } from './outbox-sweep.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  await eventually('no stream left', () => countStreams() === 0);
});

async function run<Row extends object>(connection: Connection, sql: string, params?: unknown[]): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql, params)).rows;
  } finally {
    await client.end();
  }
}

async function open(options: Parameters<typeof openTestProduct>[0]): Promise<TestProduct> {
  const product = await openTestProduct(options);
  cleanUps.push(() => product.close());
  return product;
}

async function follow(product: TestProduct, path: string, token: string | null = null): Promise<Watcher> {
  const watcher = await watch(product, path, token);
  cleanUps.push(() => watcher.stop());
  return watcher;
}

/** Events of accounts, as `record` stores them. */
const insertEvents = (type: string, count = 1) =>
  `with event as (insert into account_events (type, at) select '${type}', now() from generate_series(1, ${count}) returning id, type)
   insert into outbox (event_id, type) select id, type from event returning event_id as id`;

/** As after pg_restore or logical replication: transaction ids of a server that was further ahead. */
const fromElsewhere = "update outbox set xid = (xid::text::bigint + 900000000)::text::xid8 where type <> 'later'";

describe('events with transaction ids of another server', () => {
  test('are never delivered; those of this server are delivered once', async () => {
    const connection = await cloneDatabase();
    const pool = openPool(connection, 18, pino({ level: 'silent' }), 2);
    cleanUps.push(() => pool.close());
    const feed = openEventFeed(pool);
    const delivered: string[] = [];
    feed.subscribe((events) => delivered.push(...events.map(({ type }) => type)));
    await feed.poll();
    await run(connection, insertEvents('before'));
    await run(connection, fromElsewhere);
    for (let polls = 0; polls < 3; polls++) await feed.poll();
    await run(connection, insertEvents('later'));
    for (let polls = 0; polls < 3; polls++) await feed.poll();
    expect(delivered).toEqual(['later']);
  });

  test('do not close the streams of users they concern', async () => {
    const product = await open({ live: { pollMs: 20 } });
    const owner = await product.register('owner');
    await owner.api.users.updateProfile({ body: { name: 'Another Name' } });
    await eventually('a stream that stays', async () => {
      const early = await follow(product, '/live', owner.token);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return !early.ended();
    });
    await run(product.connection, fromElsewhere);
    const watcher = await follow(product, '/live', owner.token);
    for (let polls = 0; polls < 5; polls++) await product.ctx.feed.poll();
    await owner.api.notifications.readAll();
    await eventually(
      'a hint or the end',
      () => watcher.ended() || watcher.events.some(({ event }) => event === 'hint'),
    );
    expect(watcher.bye()).toBeNull();
  });

  test('are not delivered after the next migration, and are kept in history', async () => {
    const connection = await cloneDatabase();
    await run(connection, insertEvents('before', 30));
    await run(connection, insertEvents('later'));
    await run(connection, fromElsewhere);
    const lines: string[] = [];
    await migrate(connection, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining('30 events')]);
    expect(
      await run(
        connection,
        'select e.type, count(*)::int as count, count(o.xid)::int as told from account_events e left join outbox o on event_id = e.id group by 1 order by 1',
      ),
    ).toEqual([
      { type: 'before', count: 30, told: 0 },
      { type: 'later', count: 1, told: 1 },
    ]);
    await migrate(connection, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });

  test('do not collide with new ids where replication has not advanced the sequence', async () => {
    const connection = await cloneDatabase();
    await run(
      connection,
      "insert into account_events (id, type, at) select number, 'before', now() from generate_series(1, 30) number",
    );
    const lines: string[] = [];
    await migrate(connection, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining('events.id goes on after 30')]);
    expect(await run(connection, insertEvents('later'))).toEqual([{ id: '31' }]);
    await migrate(connection, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });
});

/**
 * A database that can simulate a change of its server: the functions that identify it are shadowed by fakes. Real changes of servers are
 * tested in storm/failover.storm.ts.
 */
async function openChangeable(): Promise<Connection> {
  const connection = await cloneDatabase();
  await run(
    connection,
    `create schema shadow;
     create table shadow.server (system bigint, wal text, xmax_back int);
     insert into shadow.server values (1, '00000001', 0);
     create function shadow.pg_control_system() returns table (system_identifier bigint) stable language sql
       as 'select system from shadow.server';
     create function shadow.pg_walfile_name(pg_lsn) returns text stable language sql as 'select wal from shadow.server';
     create function shadow.pg_current_snapshot() returns pg_snapshot stable language sql as $$
       select case when xmax_back = 0 then pg_catalog.pg_current_snapshot()
         else format('%s:%s:', old, old)::pg_snapshot end
       from shadow.server, lateral (select pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint - xmax_back as old) $$;
     alter database ${connection.database ?? ''} set search_path = shadow, pg_catalog, public`,
  );
  return connection;
}

describe('a database that was replaced', () => {
  test.each([
    ['another server', 'system = 2'],
    ['another timeline', "wal = '00000002'"],
    ['a server that has lost transactions', 'xmax_back = 500'],
  ])('%s: all streams are closed, the caches are cleared, and the feed continues', async (_what, change) => {
    const connection = await openChangeable();
    const product = await open({ connection, live: { pollMs: 2 ** 30, wakeUps: false } });
    const owner = await product.register('owner');
    const pkg = await createPackage(owner);
    await product.ctx.feed.poll();
    const streams = [
      await follow(product, `/track/${pkg.trackingId}/live`),
      await follow(product, '/live', owner.token),
    ];
    await owner.api.users.me();
    await product.ctx.settings.find();
    // Changes without an event, like those that a lost transaction would have announced.
    await run(connection, "update users set status = 'suspended'");
    await run(connection, "update settings set organisation_name = 'Other Couriers'");
    await run(connection, `update shadow.server set ${change}`);
    await product.ctx.feed.poll();
    await eventually('both streams have ended', () => streams.every((stream) => stream.ended()));
    expect(streams.map((stream) => stream.bye())).toEqual(['drain', 'drain']);
    await expect(owner.api.packages.listOfUser({ params: { id: owner.id } })).rejects.toMatchObject({ status: 403 });
    expect((await product.ctx.settings.find()).organisationName).toBe('Other Couriers');

    // From now on it polls as usual and closes no stream.
    await run(connection, 'update shadow.server set xmax_back = 0');
    const driver = await product.register('driver');
    const again = await follow(product, `/track/${pkg.trackingId}/live`);
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await product.ctx.feed.poll();
    await eventually('the change', () => JSON.stringify(again.events.at(-1)).includes('in transit'));
    expect(again.bye()).toBeNull();
  });

  test('is detected by its start time where the server forbids reading its identity', async () => {
    const connection = await openChangeable();
    await run(
      connection,
      `create function shadow.pg_postmaster_start_time() returns timestamptz stable language sql
         as $$ select timestamptz '2026-01-01' + system * interval '1 day' from shadow.server $$;
       create or replace function shadow.pg_walfile_name(pg_lsn) returns text language plpgsql
         as $$ begin raise 'not supported here' using errcode = '0A000'; end $$`,
    );
    const product = await open({ connection, live: { pollMs: 2 ** 30, wakeUps: false } });
    const pkg = await createPackage(await product.register('owner'));
    const stream = await follow(product, `/track/${pkg.trackingId}/live`);
    await product.ctx.feed.poll();
    expect(stream.ended()).toBe(false);
    await run(connection, 'update shadow.server set system = 2');
    await product.ctx.feed.poll();
    await eventually('the end', () => stream.ended());
    expect(stream.bye()).toBe('drain');
  });
});

function openReader(connection: Connection): { pool: Pool; feed: EventFeed; delivered: string[] } {
  const pool = openPool(connection, 18, pino({ level: 'silent' }), 2);
  cleanUps.push(() => pool.close());
  const feed = openEventFeed(pool, 0);
  const delivered: string[] = [];
  feed.subscribe((events) => delivered.push(...events.map(({ type }) => type)));
  return { pool, feed, delivered };
}

const openClient = async (connection: Connection, role = 'test'): Promise<DatabaseClient> => {
  const client = new DatabaseClient({ ...connection, role });
  await client.connect();
  cleanUps.push(() => client.end());
  return client;
};

describe('polls', () => {
  const writers = 16;
  const each = runsAll ? 700 : 40;

  test(`deliver the events of ${writers} concurrent writers exactly once, with a tenth of the transactions rolled back`, async () => {
    const connection = await cloneDatabase();
    const { feed, delivered } = openReader(connection);
    await feed.poll();
    const committed: string[] = [];
    let writing = true;
    const polling = (async () => {
      while (writing) await feed.poll();
    })();
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const client = await openClient(connection);
        for (let number = 0; number < each; number++) {
          const type = `${writer}.${number}`;
          await client.query('begin');
          await client.query('insert into outbox (type) values ($1)', [type]);
          // Some commit after later ones.
          if (number % 3 === 0) await client.query('select pg_sleep(0.002)');
          const isRolledBack = number % 10 === writer % 10;
          await client.query(isRolledBack ? 'rollback' : 'commit');
          if (!isRolledBack) committed.push(type);
        }
      }),
    );
    writing = false;
    await polling;
    await feed.poll();
    expect(delivered.toSorted()).toEqual(committed.toSorted());
  });

  test('read only new rows while a transaction stays open, not all rows since its start', async () => {
    const connection = await cloneDatabase();
    const statements: { sql: string; params: unknown[] }[] = [];
    const { pool, delivered } = openReader(connection);
    const feed = openEventFeed({
      ...pool,
      query: (sql, params = []) => {
        statements.push({ sql, params });
        return pool.query(sql, params);
      },
    });
    feed.subscribe((events) => delivered.push(...events.map(({ type }) => type)));
    const open = await openClient(connection);
    await open.query('begin');
    await open.query("insert into outbox (type) values ('late')");
    await feed.poll();
    const client = await openClient(connection);
    for (let batch = 0; batch < 10; batch++)
      await client.query("insert into outbox (type) select 'before' from generate_series(1, 1000)");
    await client.query('analyze outbox');
    await feed.poll();
    expect(delivered.splice(0)).toHaveLength(10_000);
    await client.query("insert into outbox (type) values ('new')");
    statements.length = 0;
    await feed.poll();
    expect(delivered.splice(0)).toEqual(['new']);
    const [poll] = statements;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: object }] }>(
      `explain (analyze, format json) ${poll?.sql}`,
      poll?.params,
    );
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
    expect(plan).toMatch(/outbox_\d{8}_xid/);
    const examined = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by [A-Za-z ]+)":([\d.]+)/g)].map(([, n]) =>
      Number(n),
    );
    expect(Math.max(...examined)).toBeLessThan(100);
    await open.query('commit');
    await feed.poll();
    expect(delivered).toEqual(['late']);
  });
});

describe('a row of the outbox', () => {
  const rowsOf = (connection: Connection) => run(connection, 'select type from outbox order by id');
  /** Moves all rows to the partition of the day before yesterday: in the first ten minutes of a UTC day yesterday is kept. */
  const age = async (connection: Connection) => {
    const [from, to] = [2, 1].map((days) => `date_trunc('day', now(), 'UTC') - interval '${days} days'`);
    await run(
      connection,
      `select create_partition('outbox', 'outbox_' || to_char((${from}) at time zone 'UTC', 'YYYYMMDD'), (${from})::text, (${to})::text)`,
    );
    await run(connection, `update outbox set at = ${from} + interval '1 hour'`);
    const [row] = await run<{ count: number }>(connection, 'select count(*)::int as count from outbox_default');
    expect(row?.count).toBe(0);
  };
  /** Every reader reports anew: transactions of other databases, which end at some time, hold back what all have seen. */
  const untilDropped = (connection: Connection, db: Db) =>
    eventually('the partition is dropped', async () => {
      await run(connection, 'update outbox_readers set seen = pg_current_snapshot()');
      return (await sweepOutbox(db)).partitions === 1;
    });

  test('is dropped with the partition of its day, but not before every process has read it', async () => {
    const product = await open({ live: { pollMs: 2 ** 30, wakeUps: false }, runsJobs: false });
    const { connection, ctx } = product;
    const { feed, delivered } = openReader(connection);
    await feed.poll();
    await run(connection, "delete from outbox; insert into outbox (type) values ('first')");
    expect(await sweepOutbox(ctx.db)).toEqual({ partitions: 0, rows: 0 });
    await age(connection);
    await ctx.feed.poll();
    // One reader has not read it.
    await run(
      connection,
      `update outbox_readers set seen = pg_current_snapshot() where id <> (select id from outbox_readers order by id desc limit 1)`,
    );
    expect(await sweepOutbox(ctx.db)).toEqual({ partitions: 0, rows: 0 });
    expect(await rowsOf(connection)).toEqual([{ type: 'first' }]);
    await feed.poll();
    expect(delivered).toContain('first');
    await run(connection, "insert into outbox (type) values ('second')");
    await untilDropped(connection, ctx.db);
    expect(await rowsOf(connection)).toEqual([{ type: 'second' }]);
    await feed.poll();
    expect(delivered.at(-1)).toBe('second');
  });

  test.runIf(runsAll)(
    'of a transaction that began before a partition was dropped is written, read and removed in batches',
    async () => {
      const product = await open({ live: { pollMs: 2 ** 30, wakeUps: false }, runsJobs: false });
      const { connection, ctx } = product;
      const { feed, delivered } = openReader(connection);
      await feed.poll();
      await run(connection, 'delete from outbox');
      await age(connection);
      await run(connection, 'update outbox_readers set seen = pg_current_snapshot()');
      const late = await openClient(connection);
      const thatDay = "date_trunc('day', now(), 'UTC') - interval '25 hours'";
      await late.query(`begin; insert into outbox (type, at) values ('before the drop', ${thatDay})`);
      // It holds the partition, so the sweep leaves it to the next one.
      expect(await sweepOutbox(ctx.db)).toEqual({ partitions: 0, rows: 0 });
      await late.query('commit');
      expect(await sweepOutbox(ctx.db)).toEqual({ partitions: 0, rows: 0 });
      await feed.poll();
      await ctx.feed.poll();
      await untilDropped(connection, ctx.db);
      await late.query('begin; select pg_current_xact_id()');
      await late.query(`insert into outbox (type, at) values ('after the drop', ${thatDay}); commit`);
      await feed.poll();
      expect(delivered).toEqual(['before the drop', 'after the drop']);
      expect(await sweepOutbox(ctx.db)).toEqual({ partitions: 0, rows: 0 });
      await run(connection, 'update outbox_readers set seen = pg_current_snapshot()');
      expect(await sweepOutbox(ctx.db)).toEqual({ partitions: 0, rows: 1 });
      expect(await rowsOf(connection)).toEqual([]);
    },
    20_000,
  );

  test('is dropped without waiting for an expired process; if that was only slow, it closes its streams and continues from the current snapshot', async () => {
    const product = await open({ live: { pollMs: 2 ** 30, wakeUps: false }, runsJobs: false });
    const { connection, ctx } = product;
    const owner = await product.register('owner');
    const pkg = await createPackage(owner);
    await ctx.feed.poll();
    const stream = await follow(product, `/track/${pkg.trackingId}/live`);
    const driver = await product.register('driver');
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await age(connection);
    await sweepOutbox(ctx.db);
    expect(await rowsOf(connection)).toContainEqual({ type: 'delivery.started' });
    await run(connection, "update outbox_readers set heard_at = now() - interval '11 minutes'");
    expect(await sweepOutbox(ctx.db)).toMatchObject({ partitions: 1 });
    await ctx.feed.poll();
    await eventually('the end', () => stream.ended());
    expect(stream.bye()).toBe('drain');

    const again = await follow(product, `/track/${pkg.trackingId}/live`);
    await driver.api.deliveries.next({ params: { id: pkg.id } });
    await ctx.feed.poll();
    await eventually('the change', () => JSON.stringify(again.events.at(-1)).includes('out for delivery'));
    expect(again.bye()).toBeNull();
  });

  test('is deleted without waiting for a process that has shut down gracefully', async () => {
    const connection = await cloneDatabase();
    const { feed } = openReader(connection);
    await feed.poll();
    expect(await run(connection, 'select from outbox_readers')).toHaveLength(1);
    await feed.close();
    expect(await run(connection, 'select from outbox_readers')).toEqual([]);
  });
});

test('a writing transaction that stays open is found, a read-only one is not', async () => {
  const connection = await cloneDatabase();
  const { pool } = openReader(connection);
  const client = await openClient(connection, 'import');
  await client.query('begin; select 1');
  expect(await findLongWrite(pool, 0)).toBeNull();
  await client.query("insert into outbox (type) values ('new')");
  expect(await findLongWrite(pool, 0)).toMatchObject({ name: expect.stringContaining('import') });
  expect(await findLongWrite(pool, 60)).toBeNull();
});
