import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Package, SignedIn } from '@waybill/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { eventually, packageInput } from '../server/src/testing/test-product.ts';
import { followPackage, type Follower } from './follow-package.ts';
import { database, hasPostgres15, startPostgres15, user, type Postgres15 } from './postgres15.ts';
import { full, runsLong, size } from './storm-size.ts';
import { writeSteadily } from './steady-writes.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function startCluster(): Promise<{ primary: Postgres15; standby: Postgres15; settings: Record<string, string> }> {
  const primary = await startPostgres15();
  cleanUps.push(() => primary.stop());
  const standby = await primary.openStandby();
  cleanUps.push(() => standby.stop());
  // The standby first: a client that takes the first host that responds would start on it.
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const DATABASE_URL = `postgres://${user}@${hosts}/${database}?target_session_attrs=read-write`;
  return { primary, standby, settings: { DATABASE_URL } };
}

async function start(settings: Record<string, string>): Promise<RunningProduct> {
  const product = await startProduct(settings);
  cleanUps.push(() => product.stop());
  return product;
}

const register = (product: RunningProduct, role: 'owner' | 'driver'): Promise<SignedIn> =>
  product
    .api()
    .auth.register({ body: { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role } });

const create = (owner: Client): Promise<Package> => owner.packages.create({ body: packageInput() });

function follow(at: RunningProduct, { trackingId }: Package): Follower {
  const follower = followPackage(at, trackingId);
  cleanUps.push(() => follower.stop());
  return follower;
}

const hasCaughtUp = async ({ primary, standby }: { primary: Postgres15; standby: Postgres15 }): Promise<boolean> => {
  const [written] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
  const [replayed] = await standby.query<{ caughtUp: boolean }>(
    `select pg_last_wal_replay_lsn() >= '${written?.lsn}'::pg_lsn as "caughtUp"`,
  );
  return replayed?.caughtUp === true;
};

/** Retries a call while it gets a 503, at most 300 times. */
async function retryUntilAvailable<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if ((error as { status?: number }).status !== 503 || tries === 300) throw error;
      await sleep(100);
    }
  }
}

describe.skipIf(!hasPostgres15)('on PostgreSQL 15 (only where Debian has installed it)', () => {
  const watched = size(10, 30);
  const lost = size(40, 100);

  test.runIf(runsLong)(
    `after a failover that lost ${lost} commits, the streams of a lagging server show the correct status`,
    async () => {
      const cluster = await startCluster();
      const { primary, standby, settings } = cluster;
      const late = await start(settings);
      const quick = await start(settings);
      const owner = late.api((await register(late, 'owner')).token);
      const driver = await register(late, 'driver');
      const packages: Package[] = [];
      for (let index = 0; index < watched; index++) packages.push(await create(owner));
      const followers = packages.map((pkg) => follow(late, pkg));
      await eventually('all streams', () => followers.every(({ status }) => status() === 'processing'));
      await eventually('the standby has everything', () => hasCaughtUp(cluster));
      await standby.query("alter system set primary_conninfo = ''");
      await standby.query('select pg_reload_conf()');
      await eventually('the standby is cut off', async () => {
        const receivers = await standby.query('select from pg_stat_wal_receiver');
        return receivers.length === 0;
      });
      for (let index = 0; index < lost; index++) await create(owner);

      // Frozen, so that it cannot read from the new primary before the other server has written there.
      process.kill(late.pid, 'SIGSTOP');
      cleanUps.push(() => process.kill(late.pid, 'SIGCONT'));
      await primary.kill();
      await standby.query('select pg_promote()');
      const { deliveries } = quick.api(driver.token);
      await Promise.all(packages.map(({ id }) => retryUntilAvailable(() => deliveries.start({ params: { id } }))));
      process.kill(late.pid, 'SIGCONT');
      const began = performance.now();
      await eventually('every stream shows the truth', () =>
        followers.every(({ status }) => status() === 'in transit'),
      );
      const took = performance.now() - began;
      const opened = followers.reduce((sum, follower) => sum + follower.opened(), 0);
      console.log(`${watched} streams right after ${Math.round(took)} ms, opened ${opened} times in all`);
      if (full) expect(took).toBeLessThan(10_000);
      expect(late.output()).toContain('live updates start anew');
    },
  );

  test.runIf(runsLong)(
    'a promotion under 30 writes a second causes only 503s and loses no acknowledged write',
    async () => {
      const { primary, standby, settings } = await startCluster();
      await primary.query("alter system set synchronous_standby_names = '*'");
      await primary.query('select pg_reload_conf()');
      await eventually('replication is synchronous', async () => {
        const followed = await primary.query("select from pg_stat_replication where sync_state = 'sync'");
        return followed.length === 1;
      });
      const product = await start(settings);
      const { id, token } = await register(product, 'owner');
      const driver = product.api((await register(product, 'driver')).token);
      const owner = product.api(token);
      const pkg = await create(owner);
      const follower = follow(product, pkg);

      const { answers, stop } = writeSteadily(product.url, token, 30);
      await eventually('writes are taken', () => answers.length >= 30);
      await primary.kill();
      await sleep(size(500, 3000));
      await standby.query('select pg_promote()');
      const promoted = performance.now();
      await eventually('the refusals end', () => {
        const since = answers.filter(({ sentAt }) => sentAt > promoted).slice(-50);
        return since.length === 50 && since.every(({ status }) => status === 201);
      });
      await stop();
      const refused = answers.filter(({ status }) => status !== 201);
      const last = Math.max(...refused.map(({ answeredAt }) => answeredAt)) - promoted;
      console.log(
        `${refused.length} of ${answers.length} refused, the last ${Math.round(last)} ms after the promotion`,
      );
      expect([...new Set(refused.map(({ status }) => status))]).toEqual([503]);
      if (full) expect(last).toBeLessThan(5000);

      const stored = new Set<string>();
      for (let cursor: string | undefined; ;) {
        const page = await owner.packages.listOfUser({ params: { id }, query: { limit: 200, cursor } });
        for (const item of page.items) stored.add(item.id);
        if (page.next === null) break;
        cursor = page.next;
      }
      const acknowledged = answers.flatMap(({ id: written }) => written ?? []);
      expect(acknowledged.filter((written) => !stored.has(written))).toEqual([]);
      await driver.deliveries.start({ params: { id: pkg.id } });
      await eventually('the stream shows the truth', () => follower.status() === 'in transit');
    },
  );

  const rate = 150;
  // restarts.storm.ts does the same with the embedded PostgreSQL.
  test.runIf(runsLong)(
    `a restart under ${rate} writes a second causes only 503s, which end with the restart`,
    async () => {
      const server = await startPostgres15();
      cleanUps.push(() => server.stop());
      const product = await start({ DATABASE_URL: server.url });
      const { token } = await register(product, 'owner');
      // Retry once, in case other load disturbed the round.
      for (let round = 1; ; round++) {
        const { answers, stop } = writeSteadily(product.url, token, rate);
        await eventually('writes are taken', () => answers.length >= rate);
        await server.restart();
        const back = performance.now();
        await eventually('the refusals end', () => {
          const since = answers.filter(({ sentAt }) => sentAt > back).slice(-50);
          return since.length === 50 && since.every(({ status }) => status === 201);
        });
        await stop();
        const refused = answers.filter(({ status }) => status !== 201);
        const last = Math.max(...refused.map(({ answeredAt }) => answeredAt)) - back;
        console.log(
          `${refused.length} of ${answers.length} refused, the last ${Math.round(last)} ms after it was back`,
        );
        expect([...new Set(refused.map(({ status }) => status))]).toEqual([503]);
        if (!full || last < 1000) break;
        expect(round, `the last refusal came ${Math.round(last)} ms after the restart`).toBe(1);
      }
    },
  );
});
