import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestOptions,
  type TestProduct,
} from '../../testing/test-product.ts';
import { DatabaseClient } from './database-client.ts';
import type { Connection } from './database-url.ts';
import { openPool } from './db.ts';
import { fromDatabase } from '../errors.ts';
import { inspectServer } from './inspect-server.ts';
import { cloneDatabase } from '../../testing/postgres.ts';
import { runsAll } from '../../testing/suite.ts';

const log = pino({ level: 'silent' });

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function run<Row extends object>(connection: Connection, sql: string, params: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql, params)).rows;
  } finally {
    await client.end();
  }
}

async function open(options: TestOptions): Promise<TestProduct> {
  const product = await openTestProduct(options);
  cleanUps.push(() => product.close());
  return product;
}

/** The distinct application_names of the connections to a database. */
const applicationNamesOf = async ({ host, port, user, database }: Connection): Promise<string[]> =>
  (
    await run<{ name: string }>(
      { host, port, user, database: 'postgres' },
      'select distinct application_name as name from pg_stat_activity where datname = $1 order by 1',
      [database],
    )
  ).map(({ name }) => name);

/** Proxies in front of a PostgreSQL server, each of which can be shut, reopened, or made to accept and never answer. */
async function openProxies(to: Connection, count: number) {
  const host = mkdtempSync(join(tmpdir(), 'waybill-proxies-'));
  cleanUps.push(() => rmSync(host, { recursive: true, force: true }));
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const port = 5001 + index;
      const proxy = { host, port, isOpen: true, isUnresponsive: false, accepted: 0, shut: () => {} };
      const sockets = new Set<Socket>();
      proxy.shut = () => {
        proxy.isOpen = false;
        sockets.forEach((socket) => socket.destroy());
      };
      const server = createServer((client) => {
        if (!proxy.isOpen) return void client.destroy();
        sockets.add(client);
        if (proxy.isUnresponsive) return;
        proxy.accepted++;
        const upstream = connect(join(to.host ?? '', `.s.PGSQL.${to.port}`));
        client.pipe(upstream).pipe(client);
        for (const [one, other] of [
          [client, upstream],
          [upstream, client],
        ] as const)
          one.on('error', () => {}).on('close', () => other.destroy());
      }).listen(join(host, `.s.PGSQL.${port}`));
      await once(server, 'listening');
      cleanUps.push(() => {
        proxy.shut();
        server.close();
      });
      return proxy;
    }),
  );
}

describe('a connection', () => {
  test('of a pool has the time-outs that were set, and synchronous_commit on', async () => {
    const connection = await cloneDatabase();
    const pool = openPool(connection, 18, log, 1);
    cleanUps.push(() => pool.close());
    const rows = await pool.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout', 'TimeZone', 'synchronous_commit',
         'idle_in_transaction_session_timeout', 'client_connection_check_interval', 'transaction_timeout', 'application_name')`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      application_name: 'waybill requests',
      client_connection_check_interval: '1000',
      idle_in_transaction_session_timeout: '10000',
      lock_timeout: '2000',
      statement_timeout: '5000',
      synchronous_commit: 'on',
      TimeZone: 'UTC',
      transaction_timeout: '15000',
    });
  });

  test('has an application_name with its role and server, for every connection of the product', async () => {
    const connection = await cloneDatabase();
    const direct = { ...connection, server: 'direct' };
    const product = await open({ connection: { ...connection, server: 'web-1:3000', direct }, runsJobs: true });
    const owner = await product.register('owner');
    await createPackage(owner);
    await owner.api.packages.exportOfUser({ params: { id: owner.id } });
    await product.app.inject('/healthz');
    await eventually('all of them', async () => (await applicationNamesOf(connection)).length === 5);
    expect(await applicationNamesOf(connection)).toEqual([
      'waybill jobs web-1:3000',
      'waybill long-running direct',
      'waybill lookups web-1:3000',
      'waybill outbox listener direct',
      'waybill requests web-1:3000',
    ]);
  });

  test('that does not keep its session settings ends the start with an error message', async () => {
    const connection = await cloneDatabase();
    await run(
      connection,
      `create schema shadow;
       create function shadow.set_config(text, text, boolean) returns text language sql as
         $$ select case when $1 = 'statement_timeout' then '' else pg_catalog.set_config($1, $2, $3) end $$;
       alter database ${connection.database ?? ''} set search_path = shadow, pg_catalog, public`,
    );
    await expect(inspectServer(connection)).rejects.toThrow(
      /^DATABASE_URL leads to a connection whose statement_timeout is 0 ms where 5000 ms was asked for/,
    );
  });
});

test('POOL_SIZE bounds the connections that serve requests', async () => {
  const connection = await cloneDatabase();
  const product = await open({ connection, config: { POOL_SIZE: '3' } });
  await Promise.all(Array.from({ length: 20 }, () => product.register('owner')));
  const rows = await run(
    connection,
    "select from pg_stat_activity where application_name = 'waybill requests' and datname = $1",
    [connection.database],
  );
  expect(rows).toHaveLength(3);
});

describe('a read-only server', () => {
  test('is not connected to', async () => {
    const connection = await cloneDatabase();
    await run(connection, `alter database ${connection.database ?? ''} set default_transaction_read_only = on`);
    const client = new DatabaseClient({ ...connection, role: 'requests' });
    const error = await client.connect().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: '25006', message: expect.stringContaining('takes no writes') });
    expect(fromDatabase(error)).toMatchObject({ status: 503, retryAfterSeconds: 1 });
  });

  test('that an open connection turns out to lead to answers 503 once, and the connection is destroyed', async () => {
    // Without jobs, whose polling would use up a connection.
    const product = await open({ config: { POOL_SIZE: '2' }, runsJobs: false });
    const owner = await product.register('owner');
    // Concurrently, so that both connections of the pool become read-only.
    const set = "select set_config('default_transaction_read_only', 'on', false), pg_sleep(0.3)";
    await Promise.all([product.ctx.db.query(set), product.ctx.db.query(set)]);
    const refused = { status: 503, code: 'unavailable', retryAfterSeconds: 1 };
    const refusals: unknown[] = [];
    for (let attempt = 0; attempt < 5; attempt++)
      await createPackage(owner).catch((error: unknown) => refusals.push(error));
    // Which of the two a request gets is up to the pool, so the second may not have been used.
    expect([1, 2]).toContain(refusals.length);
    for (const refusal of refusals) expect(refusal).toMatchObject(refused);
  });
});

describe('of several hosts', () => {
  test.runIf(runsAll)('every new connection finds the one that accepts writes', async () => {
    const connection = await cloneDatabase();
    const [one, two, three] = await openProxies(connection, 3);
    if (!one || !two || !three) throw new Error('there are no proxies');
    one.shut();
    const hosts = [one, two, three].map(({ host, port }) => ({ host, port }));
    const product = await open({ connection: { ...connection, hosts } });
    const owner = await product.register('owner');
    expect([two.accepted > 3, three.accepted]).toEqual([true, 1]);

    two.shut();
    const statuses = new Set<number>();
    const create = () =>
      createPackage(owner).then(
        () => 201,
        (error: { status: number }) => error.status,
      );
    await eventually('service', async () => {
      const status = await create();
      statuses.add(status);
      return status === 201;
    });
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect(three.accepted).toBeGreaterThan(1);

    // A host that accepts the connection and never answers delays the search for 2 s at most.
    one.isOpen = true;
    one.isUnresponsive = true;
    three.shut();
    two.isOpen = true;
    await eventually('service', async () => (await create()) === 201);
  });

  test('none accepts writes: the error has the reason of each, and is a 503', async () => {
    const connection = await cloneDatabase();
    const [one] = await openProxies(connection, 1);
    await run(connection, `alter database ${connection.database ?? ''} set default_transaction_read_only = on`);
    const hosts = [
      { host: one?.host ?? '', port: 4999 },
      { host: one?.host ?? '', port: one?.port ?? 0 },
    ];
    const error = await new DatabaseClient({ ...connection, hosts, role: 'requests' })
      .connect()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringMatching(/:4999 .*ENOENT.*:5001 is a standby or read only/) });
    expect(fromDatabase(error)).toMatchObject({ status: 503 });
  });
});
