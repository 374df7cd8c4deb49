import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicView } from '@waybill/contract';
import pg from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { hasPostgres15, startPostgres15 } from './postgres15.ts';
import { runsLong, size } from './storm-size.ts';

const packages = size(5, 200);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function start(settings: Record<string, string>): Promise<RunningProduct> {
  const product = await startProduct(settings);
  cleanUps.push(() => product.stop());
  return product;
}

async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await condition()); waited++) {
    if (waited > 3000) throw new Error(`not within 30 s: ${what}`);
    await sleep(10);
  }
}

/** Follows a package at this server. @returns a function that returns the last status received */
async function follow(at: RunningProduct, trackingId: string): Promise<() => string> {
  const abort = new AbortController();
  cleanUps.push(() => abort.abort());
  const response = await at.api().tracking.live({ params: { id: trackingId }, signal: abort.signal });
  let status = '';
  const read = async () => {
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^event: view\ndata: (.*)$/.exec(block)?.[1];
        if (data) status = (JSON.parse(data) as PublicView).status;
      }
    }
  };
  read().catch(() => {});
  await eventually('the first view', () => status !== '');
  return () => status;
}

/** Runs the main job with its steps and watchers spread over the servers; each watcher sees every status, each change is notified once. */
async function doMainJob(servers: RunningProduct[]): Promise<void> {
  const at = (index: number): RunningProduct => {
    const server = servers[index % servers.length];
    if (!server) throw new Error('there is no server');
    return server;
  };
  const register = (role: 'owner' | 'driver') =>
    at(0)
      .api()
      .auth.register({ body: { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role } });
  const [owner, driver] = [await register('owner'), await register('driver')];
  const watchers: (() => string)[] = [];
  for (let index = 0; index < packages; index++) {
    const pkg = await at(index)
      .api(owner.token)
      .packages.create({
        body: {
          name: `Package ${index}`,
          description: 'For the main job of several servers',
          category: 'Other',
          weight: 1,
          recipientName: 'Anna Berg',
          recipientContact: '+49 151 2345678',
        },
      });
    const params = { id: pkg.id };
    const following = await Promise.all(
      servers.flatMap((server) => [follow(server, pkg.trackingId), follow(server, pkg.trackingId)]),
    );
    watchers.push(...following);
    await at(index + 1)
      .api(driver.token)
      .deliveries.start({ params });
    await eventually('in transit everywhere', () => following.every((status) => status() === 'in transit'));
    await at(index).api(driver.token).deliveries.complete({ params });
  }
  await eventually('delivered everywhere', () => watchers.every((status) => status() === 'delivered'));
  const count = async () =>
    (
      await at(1)
        .api(owner.token)
        .notifications.list({ query: { limit: 1, count: true } })
    ).total;
  await eventually('all notifications', async () => (await count()) === 2 * packages);
  // Leave time for a duplicate notification, which must not come.
  await sleep(500);
  expect(await count()).toBe(2 * packages);
}

async function query(connection: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(sql);
  await client.end();
}

const urlOf = (host: string, user: string, database: string, port: number) =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

test('one server with two workers does the main job, and live updates cross between them', async () => {
  await doMainJob([await start({ WORKERS: '2' })]);
});

test.runIf(runsLong)('two servers that start concurrently on an empty database do the main job together', async () => {
  const { host = '', user = '', port = 5432 } = inject('postgres');
  const database = `servers_${process.pid}`;
  await query({ ...inject('postgres'), database: 'postgres' }, `create database ${database} template template0`);
  const settings = { DATABASE_URL: urlOf(host, user, database, port) };
  await doMainJob(await Promise.all([start(settings), start(settings)]));
});

describe.skipIf(!hasPostgres15)('on PostgreSQL 15 (only where Debian has installed it)', () => {
  test.runIf(runsLong)('two servers, one with two workers, do the main job together', async () => {
    const server = await startPostgres15();
    cleanUps.push(() => server.stop());
    const settings = { DATABASE_URL: server.url };
    await doMainJob(await Promise.all([start(settings), start({ ...settings, WORKERS: '2' })]));
  });
});
