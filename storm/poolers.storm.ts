import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { runChecks } from '../server/src/cli/doctor.ts';
import { inspectServer } from '../server/src/platform/database/inspect-server.ts';
import { runsAll } from '../server/src/testing/suite.ts';
import { eventually, packageInput } from '../server/src/testing/test-product.ts';
import { followPackage } from './follow-package.ts';
import { hasPgBouncer, startPgBouncer, startPostgres15, type Postgres15 } from './postgres15.ts';
import { full, size } from './storm-size.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function startServer(): Promise<Postgres15> {
  const server = await startPostgres15();
  cleanUps.push(() => server.stop());
  return server;
}

async function startBouncer(server: Postgres15, settings: Record<string, string>): Promise<string> {
  const bouncer = await startPgBouncer(server, settings);
  cleanUps.push(() => bouncer.stop());
  return bouncer.url;
}

async function start(settings: Record<string, string>): Promise<RunningProduct> {
  const product = await startProduct(settings);
  cleanUps.push(() => product.stop());
  return product;
}

/** Keeps the pooler busy with other clients. */
function keepBusy(url: string, clients: number): void {
  let isOver = false;
  const work = Array.from({ length: clients }, async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    while (!isOver) await client.query('select pg_sleep(random() * 0.01)');
    await client.end();
  });
  cleanUps.push(async () => {
    isOver = true;
    await Promise.all(work);
  });
}

const refusal = 'DATABASE_URL leads to a pooler in transaction mode';

describe.skipIf(!hasPgBouncer)('behind PgBouncer 1.18 (only where Debian has installed it and PostgreSQL 15)', () => {
  test.runIf(full || runsAll)(
    'in session mode, as its package configures it, the product works and every wait is bounded',
    async () => {
      const server = await startServer();
      const url = await startBouncer(server, { pool_mode: 'session', default_pool_size: '30' });
      const product = await start({ DATABASE_URL: url, DATABASE_DIRECT_URL: server.url });
      const register = (role: 'owner' | 'driver') =>
        product.api().auth.register({
          body: { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role },
        });
      const owner = product.api((await register('owner')).token);
      const driver = product.api((await register('driver')).token);
      const pkg = await owner.packages.create({ body: packageInput() });
      const follower = followPackage(product, pkg.trackingId);
      cleanUps.push(() => follower.stop());
      await eventually('the stream', () => follower.status() === 'processing');
      await driver.deliveries.start({ params: { id: pkg.id } });
      await eventually('in transit', () => follower.status() === 'in transit');

      const names = await server.query<{ name: string; direct: boolean }>(
        `select distinct application_name as name, client_addr is not null as direct
       from pg_stat_activity where usename = 'courier' and application_name like 'waybill %' order by 1`,
      );
      // PgBouncer connects through the Unix socket.
      expect(names.find(({ name }) => name.startsWith('waybill outbox listener'))?.direct).toBe(true);
      expect(names.find(({ name }) => name.startsWith('waybill requests'))?.direct).toBe(false);

      // Another session locks the table: without its time-outs the request would wait for ever.
      const holder = new pg.Client({ connectionString: server.url });
      await holder.connect();
      cleanUps.push(() => holder.end());
      await holder.query('begin; lock table packages');
      await expect(owner.packages.read({ params: { id: pkg.id } })).rejects.toMatchObject({ status: 503 });

      const settings = { DATABASE_URL: url, DATABASE_DIRECT_URL: server.url, PORT: new URL(product.url).port };
      const findings = await runChecks({ ...settings, DATA_DIR: product.dataDir });
      expect(findings.find(({ check }) => check === 'sessions')).toMatchObject({ state: 'ok' });
    },
  );

  const configurations: [string, Record<string, string>][] = [
    ['by default', {}],
    ['with round robin', { server_round_robin: '1' }],
  ];
  for (const [name, options] of configurations) {
    test.runIf(full || runsAll)(
      `in transaction mode, ${name}, the start is refused with an error message, also while other clients are active`,
      async () => {
        const server = await startServer();
        const url = await startBouncer(server, { pool_mode: 'transaction', ...options });
        await expect(startProduct({ DATABASE_URL: url })).rejects.toThrow(refusal);
        await expect(startProduct({ DATABASE_URL: url, DATABASE_DIRECT_URL: server.url })).rejects.toThrow(refusal);
        await expect(startProduct({ DATABASE_URL: server.url, DATABASE_DIRECT_URL: url })).rejects.toThrow(
          refusal.replace('DATABASE_URL', 'DATABASE_DIRECT_URL'),
        );
        keepBusy(url, 8);
        for (let round = 0; round < size(10, 100); round++) {
          await expect(inspectServer({ connectionString: url })).rejects.toThrow(refusal);
        }
        const findings = await runChecks({ DATABASE_URL: url });
        expect(findings.find(({ check }) => check === 'sessions')).toMatchObject({
          state: 'FAIL',
          says: expect.stringContaining(refusal),
        });
      },
    );
  }
});
