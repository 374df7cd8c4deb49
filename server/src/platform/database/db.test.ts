import type { ApiError } from '@waybill/contract';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../../testing/test-product.ts';
import { createDb, openPool, type Connection, type Db, type Pool } from './db.ts';
import { fromDatabase } from '../errors.ts';
import { inspectServer } from './inspect-server.ts';
import { cloneDatabase } from '../../testing/postgres.ts';

const log = pino({ level: 'silent' });

let connection: Connection;
let pool: Pool;
let db: Db;
let wakes = 0;
beforeAll(async () => {
  connection = await cloneDatabase();
  pool = openPool(connection, 18, log, 4);
  db = createDb(
    pool,
    async () => {},
    () => wakes++,
  );
  await db.query('create table things (id integer primary key, n integer not null)');
  await db.query('insert into things values (1, 0), (2, 0)');
});
afterAll(() => pool.close());

const readThings = () => db.query<{ id: number; n: number }>('select id, n from things order by id');

/** Runs `work` with another connection to the same database, outside the pool. */
async function withOther<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('a transaction', () => {
  test('in a deadlock is retried, and both commit', async () => {
    const attempts = [0, 0];
    let met: () => void = () => {};
    const both = new Promise<void>((resolve) => (met = resolve));
    let waiting = 0;
    const add = (which: 0 | 1) =>
      db.transaction(async (tx) => {
        attempts[which] = (attempts[which] ?? 0) + 1;
        const [first, second] = which ? [2, 1] : [1, 2];
        await tx.query('update things set n = n + 1 where id = $1', [first]);
        if (++waiting === 2) met();
        await both;
        await tx.query('update things set n = n + 1 where id = $1', [second]);
      });
    await Promise.all([add(0), add(1)]);
    expect(await readThings()).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ]);
    expect(attempts.reduce((sum, one) => sum + one)).toBe(3);
  });

  test('that throws is rolled back and wakes no reader; one that commits wakes readers after its commit', async () => {
    const before = await readThings();
    wakes = 0;
    const failing = db.transaction(async (tx) => {
      await tx.query('update things set n = 99');
      tx.notifyAfterCommit();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await readThings()).toEqual(before);
    expect(wakes).toBe(0);
    await db.transaction(async (tx) => {
      await tx.query('select 1');
      tx.notifyAfterCommit();
      tx.notifyAfterCommit();
      expect(wakes).toBe(0);
    });
    expect(wakes).toBe(1);
  });

  test('whose connection is lost fails with a 503, and the next one succeeds', async () => {
    const interrupted = db.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await withOther((other) => other.query('select pg_terminate_backend($1)', [own?.pid]));
      await tx.query('update things set n = 99');
    });
    const error = await interrupted.catch((caught: unknown) => caught);
    expect(fromDatabase(error)).toMatchObject({ status: 503 });
    expect((await readThings())[0]?.n).not.toBe(99);
  });
});

test('a snapshot only reads, and sees the state at its first statement', async () => {
  const sum = 'select sum(n)::int as sum from things';
  await db.snapshot(async (snapshot) => {
    const before = await snapshot.query(sum);
    await db.query('update things set n = n + 1');
    expect(await snapshot.query(sum)).toEqual(before);
    expect(await db.query(sum)).not.toEqual(before);
  });
  await expect(db.snapshot((snapshot) => snapshot.query('delete from things'))).rejects.toThrow('read-only');
});

describe('waits', () => {
  test('for a lock, for a slow statement and for a free connection time out, each as 503', async () => {
    await withOther(async (other) => {
      await other.query('begin');
      await other.query('update things set n = n where id = 1');
      const locked = db.query('update things set n = 5 where id = 1').catch((error: unknown) => error);
      const slow = db.query('select pg_sleep(60)').catch((error: unknown) => error);
      const narrow = openPool(connection, 18, log, 1);
      const holder = narrow.query('select pg_sleep(3)');
      const waiting = narrow.query('select 1').catch((error: unknown) => error);
      for (const error of await Promise.all([locked, slow, waiting])) {
        expect(error).toBeInstanceOf(Error);
        expect(fromDatabase(error)).toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 1 });
      }
      await holder;
      await narrow.close();
      await other.query('rollback');
    });
  });
});

test('a SQL date stays text', async () => {
  expect(await db.query("select date '2026-03-01' as day")).toEqual([{ day: '2026-03-01' }]);
});

test('a server that may lose acknowledged commits is refused', async () => {
  const unsafe = await cloneDatabase();
  expect((await inspectServer(unsafe)).version).toBeGreaterThanOrEqual(15);
  await withOther((other) => other.query(`alter database ${unsafe.database ?? ''} set synchronous_commit = off`));
  await expect(inspectServer(unsafe)).rejects.toThrow('synchronous_commit = off');
});

describe('through the API', () => {
  let product: TestProduct;
  let owner: TestUser;
  beforeAll(async () => {
    product = await openTestProduct();
    owner = await product.register('owner');
  });
  afterAll(() => product.close());

  test('a change of a package whose row stays locked is 503 with Retry-After, and succeeds afterwards', async () => {
    const pkg = await createPackage(owner);
    const update = () => owner.api.packages.update({ params: { id: pkg.id }, body: { name: 'New name' } });
    const other = new pg.Client(product.connection);
    await other.connect();
    await other.query('begin');
    await other.query('select 1 from packages where id = $1 for update', [pkg.id]);
    await expect(update()).rejects.toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 1 });
    await other.query('rollback');
    await other.end();
    expect(await update()).toMatchObject({ name: 'New name', version: 2 });
  });

  test('when all connections of the product are cut, its answers are 200 or 503 and it recovers by itself', async () => {
    const other = new pg.Client(product.connection);
    await other.connect();
    const statuses = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 20 }, () =>
        createPackage(owner).then(
          () => 201,
          (error: ApiError) => error.status,
        ),
      );
      await other.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      for (const status of await Promise.all(calls)) statuses.add(status);
    }
    await other.end();
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await eventually('service', () =>
      createPackage(owner).then(
        () => true,
        () => false,
      ),
    );
    const health = await product.app.inject('/healthz');
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok' }]);
    // The job queue recovers as well: the owner gets a notification.
    const pkg = await createPackage(owner);
    await owner.api.packages.update({ params: { id: pkg.id }, body: { status: 'cancelled' } });
    await eventually('a notification', async () => (await owner.api.notifications.list()).items.length > 0);
  });
});

test('a closed product has no open connection left', async () => {
  const own = await openTestProduct();
  const users = await Promise.all(Array.from({ length: 20 }, () => own.register('owner')));
  await Promise.all(users.slice(0, 2).map((user) => user.api.packages.exportOfUser({ params: { id: user.id } })));
  await own.close();
  // Not those of PostgreSQL itself, such as an autovacuum worker.
  const left = await db.query(
    "select query from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [own.connection.database],
  );
  expect(left).toEqual([]);
});
