import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { openAllTimeSums } from './all-time-sums.ts';
import { sumAllTime } from './queries.ts';
import { rollUpStats } from './service.ts';

let product: TestProduct;
let admin: TestUser;
let client: pg.Client;
/** Caches of several processes on one database. */
let caches: ReturnType<typeof openAllTimeSums>[];

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  admin = await product.register('admin');
  client = new pg.Client(product.connection);
  await client.connect();
});
beforeEach(async () => {
  await client.query('truncate figures, figure_changes');
  caches = [openAllTimeSums(), openAllTimeSums()];
});
afterAll(async () => {
  await client.end();
  await product.close();
});

const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'];

type Step = { hours: number; zone: string } & (
  | { act: 'append' | 'repair' | 'move' | 'delete' | 'upsert'; added: number }
  | { act: 'rollUp' | 'recount' | 'clear' | 'truncate' | 'read' | 'readWhileRollingUp' }
);

/** Around both bounds of the past, one and two days ago, and far from them. */
const hours = fc.constantFrom(-5000, -200, -100, -60, -48.1, -47.9, -30, -24.1, -23.9, -12, -1, 0, 20);
const common = { hours, zone: fc.constantFrom(...zones) };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...common,
    act: fc.constantFrom('append', 'append', 'append', 'repair', 'move', 'delete', 'upsert'),
    added: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    ...common,
    act: fc.constantFrom('rollUp', 'rollUp', 'recount', 'clear', 'truncate', 'read', 'read', 'readWhileRollingUp'),
  }),
);

/** Older rows have the last two columns, which depend on the zone. */
const columns = 'created, completed, delivery_ms, stars, completed_before, completed_on_day, completed_day_after';
const values = '$2::int, $2::int, $2::int * 7_000_000_000, 5 * $2::int, 1, $2::int, 2';
const at = "now() + $1::float8 * interval '1 hour'";
const bucket = `date_bin('15 minutes', ${at}, 'epoch')`;

async function perform(one: Step): Promise<void> {
  const { hours } = one;
  const { db } = product.ctx;
  switch (one.act) {
    case 'append':
      await client.query(`insert into figure_changes (at, ${columns}) values (${at}, ${values})`, [hours, one.added]);
      break;
    case 'upsert':
      await client.query(
        `insert into figures (at, ${columns}) values (${bucket}, ${values}) on conflict (at) do update set created = figures.created + $2`,
        [hours, one.added],
      );
      break;
    case 'repair':
      await client.query(`update figures set completed = completed + $2 where at < ${at}`, [hours, one.added]);
      break;
    case 'move':
      // Into the far past, or out of it.
      await client.query(
        `with chosen as (
           select at, at + case when $2 % 2 = 0 then 1 else -1 end * interval '1000 days' as target
           from figures where at >= ${bucket} order by at limit 1
         )
         update figures set at = target from chosen
         where figures.at = chosen.at and not exists (select from figures where at = chosen.target)`,
        [hours, one.added],
      );
      break;
    case 'delete':
      await client.query(`delete from figures where at = (select max(at) from figures where at <= ${at}) and $2 > 3`, [
        hours,
        one.added,
      ]);
      break;
    case 'truncate':
      if (hours > 0) await client.query('truncate figures');
      break;
    case 'rollUp':
      await rollUpStats(db);
      break;
    case 'recount':
      if (hours > 0) await client.query('select recount_figures()');
      break;
    case 'clear':
      caches[0]?.clear();
      break;
    case 'read':
      break;
    case 'readWhileRollingUp': {
      const all = await sumAllTime(db, one.zone);
      const reads = caches.flatMap((cache) => [cache.read(db, one.zone), cache.read(db, one.zone)]);
      const [, ...read] = await Promise.all([rollUpStats(db), ...reads]);
      for (const sums of read) expect(sums).toEqual(all);
    }
  }
}

test('on random histories, with changes of the past in between, the cached sums equal the sums of all rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await client.query('truncate figures, figure_changes');
      for (const one of steps) {
        await perform(one);
        for (const cache of caches)
          expect(await cache.read(product.ctx.db, one.zone)).toEqual(await sumAllTime(product.ctx.db, one.zone));
      }
    }),
    { numRuns: 40 },
  );
});

test('a second reading sums nothing but the last two days, until a change of the past', async () => {
  const [cache] = caches;
  const heard: string[] = [];
  const db = {
    query: <Row extends object>(sql: string, params?: unknown[]) => {
      heard.push(sql);
      return product.ctx.db.query<Row>(sql, params);
    },
  };
  const statements = async () => {
    heard.length = 0;
    const sums = await cache?.read(db, 'UTC');
    return [heard.length, heard.filter((sql) => sql.includes('at >= ')).length, sums?.created];
  };
  await client.query(
    `insert into figures (at, created) values (now() - interval '5 days', 3), (now() - interval '1 hour', 1)`,
  );
  expect(await statements()).toEqual([2, 1, 4]);
  expect(await statements()).toEqual([1, 1, 4]);
  // As most roll-ups do: changes of today leave the cached past as it is.
  await client.query(`insert into figure_changes (at, created) values (now(), 1)`);
  await rollUpStats(product.ctx.db);
  expect(await statements()).toEqual([1, 1, 5]);
  await client.query(`insert into figure_changes (at, created) values (now() - interval '4 days', 10)`);
  expect(await statements()).toEqual([1, 1, 15]);
  await rollUpStats(product.ctx.db);
  expect(await statements()).toEqual([2, 1, 15]);
  expect(await statements()).toEqual([2, 1, 15]);
  expect(await statements()).toEqual([1, 1, 15]);
});

test('a change of the past that is not committed yet counts for nobody, and for everybody from the commit on', async () => {
  await client.query(`insert into figures (at, created) values (now() - interval '5 days', 3)`);
  const read = () => Promise.all(caches.map(async (cache) => (await cache.read(product.ctx.db, 'UTC')).created));
  expect(await read()).toEqual([3, 3]);
  await client.query('begin');
  await client.query('update figures set created = 8');
  expect(await read()).toEqual([3, 3]);
  await client.query('commit');
  expect(await read()).toEqual([8, 8]);
});

test('the figures of all time on the screens change with the past', async () => {
  const minutes = async () => (await admin.api.stats.read()).metrics.averageDeliveryTime;
  await client.query(`insert into figures (at, completed, delivery_ms) values (now() - interval '5 days', 2, 360000)`);
  expect(await minutes()).toBe(3);
  await client.query('update figures set delivery_ms = 480000');
  expect(await minutes()).toBe(4);
});

test('without a version the sums of all rows are read', async () => {
  await client.query('delete from figures_version');
  try {
    await client.query(`insert into figures (at, created) values (now() - interval '5 days', 3)`);
    for (const created of [3, 4]) {
      expect((await caches[0]?.read(product.ctx.db, 'UTC'))?.created).toBe(created);
      await client.query('update figures set created = created + 1');
    }
  } finally {
    await client.query('insert into figures_version default values');
  }
});
