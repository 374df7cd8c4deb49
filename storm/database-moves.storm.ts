import type { Package } from '@waybill/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { eventually, packageInput } from '../server/src/testing/test-product.ts';
import { followPackage, type Follower } from './follow-package.ts';
import { database, hasPostgres15, startPostgres15, type Postgres15 } from './postgres15.ts';
import { runsLong } from './storm-size.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function open<T extends { stop(): unknown }>(opening: Promise<T>): Promise<T> {
  const opened = await opening;
  cleanUps.push(() => opened.stop());
  return opened;
}

const start = (server: Postgres15): Promise<RunningProduct> => open(startProduct({ DATABASE_URL: server.url }));

/** Advances the transaction ids beyond those of a new server. */
const advanceTransactionIds = (server: Postgres15, transactions: number) =>
  server.query(`
    do $$ begin
      for number in 1..${transactions} loop
        perform pg_current_xact_id();
        commit;
      end loop;
    end $$`);

const watched = 10;

interface Fixtures {
  packages: Package[];
  driverToken: string;
}

async function createFixtures(product: RunningProduct): Promise<Fixtures> {
  const register = (role: 'owner' | 'driver') =>
    product
      .api()
      .auth.register({ body: { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role } });
  const owner = product.api((await register('owner')).token);
  const packages: Package[] = [];
  while (packages.length < watched) packages.push(await owner.packages.create({ body: packageInput() }));
  return { packages, driverToken: (await register('driver')).token };
}

/** Expects that each stream shows when a driver starts its package, and that streams are not reopened for old events. */
async function expectCorrectStreams(product: RunningProduct, { packages, driverToken }: Fixtures): Promise<void> {
  const followers: Follower[] = packages.map(({ trackingId }) => followPackage(product, trackingId));
  cleanUps.push(() => followers.forEach((follower) => follower.stop()));
  await eventually('all streams', () => followers.every(({ status }) => status() === 'processing'));
  const deliveries = product.api(driverToken).deliveries;
  for (const { id } of packages) await deliveries.start({ params: { id } });
  await eventually('every stream shows the truth', () => followers.every(({ status }) => status() === 'in transit'));
  expect(followers.map((follower) => follower.opened())).toEqual(packages.map(() => 1));
}

describe.skipIf(!hasPostgres15)('moved to another PostgreSQL 15 (only where Debian has installed it)', () => {
  test.runIf(runsLong)('by pg_dump and pg_restore, live updates are correct', async () => {
    const from = await open(startPostgres15());
    await advanceTransactionIds(from, 20_000);
    const before = await start(from);
    const fixtures = await createFixtures(before);
    await before.stop();
    const to = await open(startPostgres15());
    from.dumpInto(to);
    const product = await start(to);
    await expectCorrectStreams(product, fixtures);
    expect(product.output()).toContain('events that came from another PostgreSQL server');
  });

  test.runIf(runsLong)('by logical replication, live updates are correct, and new events get unused ids', async () => {
    const from = await open(startPostgres15());
    await advanceTransactionIds(from, 20_000);
    const before = await start(from);
    const to = await open(startPostgres15());
    from.dumpInto(to, { emptyTables: true });
    await from.query(
      'create publication everything for tables in schema public with (publish_via_partition_root = true)',
    );
    await to.query(
      `create subscription everything connection 'host=${from.host} port=${from.port} dbname=${database} user=administrator' publication everything`,
    );
    const fixtures = await createFixtures(before);
    await before.stop();
    const [written] = await from.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
    await eventually('everything is there', async () => {
      const [behind] = await to.query<{ tables: number }>(
        "select count(*)::int as tables from pg_subscription_rel where srsubstate <> 'r'",
      );
      const [sent] = await from.query<{ caughtUp: boolean }>(
        `select replay_lsn >= '${written?.lsn}'::pg_lsn as "caughtUp" from pg_stat_replication where application_name = 'everything'`,
      );
      return behind?.tables === 0 && sent?.caughtUp === true;
    });
    await to.query('drop subscription everything');
    const product = await start(to);
    await expectCorrectStreams(product, fixtures);
    expect(product.output()).toMatch(/events.id goes on after \d+/);
  });
});
