import { ApiError, type PackageStatus } from '@waybill/contract';
import fc from 'fast-check';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeOldRouteChanges } from '../events/route-changes.ts';
import type { Connection, Queryable } from '../platform/database/db.ts';
import { storePlace } from './place-queries.ts';
import { openRoundCache } from './round-cache.ts';
import { createUpgradingDatabase } from '../testing/postgres.ts';
import {
  anyVersion,
  createPackage,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { runsAll } from '../testing/suite.ts';
import { findPublicPositions } from '../positions/last-positions.ts';
import { composeViews, openLookup } from '../tracking/service.ts';

/** Lookups keep the rounds of started routes for some seconds, as long as nothing has changed them: they answer as if they kept nothing. */

const day = '2026-06-10';
let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let depotId: string;
let time: Date;

async function open(connection?: Connection): Promise<void> {
  time = new Date('2026-06-10T07:00:00.000Z');
  const config = { TIME_ZONE: 'Europe/Berlin' };
  product = await openTestProduct({ now: () => time, config, ...(connection && { connection }) });
  onTestFinished(() => product.close());
  admin = await product.register('admin');
  owner = await product.register('owner');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
}

const terms = {
  withheldBefore: new Date(0),
  arrivals: { now: () => time, msPerStop: 600_000 },
};
/** A process that answers lookups. */
const openProcess = (db: Queryable = product.ctx.db) =>
  openLookup(db, {
    recipient: () => Promise.resolve('full'),
    withheldBefore: () => terms.withheldBefore,
    arrivals: terms.arrivals,
  });

interface Stop {
  id: string;
  trackingId: string;
}

interface World {
  drivers: [TestUser, TestUser];
  routes: [string, string];
  packages: Stop[];
  processes: ReturnType<typeof openProcess>[];
}

const stopsOfRoute = 4;

async function makeWorld(): Promise<World> {
  const drivers: [TestUser, TestUser] = [
    await product.register('driver', 'Dana Driver'),
    await product.register('driver', 'Berg, Ben'),
  ];
  const packages: Stop[] = [];
  const routes = [];
  for (const driver of drivers) {
    const made: Stop[] = [];
    for (let n = 0; n < stopsOfRoute + 1; n++) made.push(await createPackage(owner));
    const { id } = await admin.api.routes.create({ body: { day, depotId, driverId: driver.id, confirm: true } });
    const packageIds = made.slice(0, stopsOfRoute).map((pkg) => pkg.id);
    await admin.api.routes.addStops({ params: { id }, body: { packageIds } });
    await driver.api.routes.start({ params: { id }, body: { missing: [] } });
    packages.push(...made);
    routes.push(id);
  }
  await product.ctx.db.transaction(async (tx) => {
    for (const [n, { id }] of packages.entries())
      if (n % 4 !== 1) await storePlace(tx, id, { lon: 10 + n / 100, lat: 53.5, accuracy: 'pin', source: 'test' });
  });
  return { drivers, routes: routes as [string, string], packages, processes: [openProcess(), openProcess()] };
}

const acts = [
  ...(['next', 'next', 'arrive', 'complete', 'complete', 'fail', 'start', 'reopen', 'assign'] as const),
  ...(['reverse', 'move', 'move', 'position', 'agree', 'disagree', 'place', 'edit', 'cancel'] as const),
  ...(['rename', 'suspend', 'activate', 'wait', 'remove'] as const),
];

interface Step {
  act: (typeof acts)[number];
  of: 0 | 1;
  which: number;
  /** In ms. Rounds are kept for five seconds. */
  after: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...acts),
  of: fc.constantFrom(0, 1),
  which: fc.nat(2 * stopsOfRoute + 1),
  after: fc.constantFrom(0, 0, 0, 300, 5000, 400_000),
});

async function perform({ act, of, which, after }: Step, world: World): Promise<void> {
  time = new Date(time.getTime() + after);
  const { [of]: driver } = world.drivers;
  const { [of]: routeId } = world.routes;
  const pkg = world.packages[which];
  if (!pkg) throw new Error('no such package');
  const params = { id: pkg.id };
  const update = (body: object) =>
    admin.api.routes.update({ params: { id: routeId }, body: { version: anyVersion, ...body } });
  const setUser = (body: object) => admin.api.users.update({ params: { id: driver.id }, body });
  const carrier = async () => {
    const { driverId } = await admin.api.packages.read({ params });
    return (world.drivers.find(({ id }) => id === driverId) ?? driver).api.deliveries;
  };
  const agree = (agreed: boolean) => driver.api.positions.agree({ body: { agreed } });
  const steps: Record<Step['act'], () => Promise<unknown>> = {
    next: async () => (await carrier()).next({ params }),
    arrive: async () => (await carrier()).arrive({ params, body: {} }),
    complete: async () => (await carrier()).complete({ params, body: { receivedBy: 'Anna' } }),
    fail: async () => (await carrier()).fail({ params, body: { reason: 'Nobody home' } }),
    start: () => driver.api.deliveries.start({ params }),
    reopen: () => admin.api.deliveries.reopen({ params, body: { reason: 'By mistake' } }),
    assign: () => admin.api.deliveries.assign({ params, body: { driverId: driver.id, confirm: true } }),
    reverse: async () => {
      const { stops } = await admin.api.routes.read({ params: { id: routeId } });
      const left = stops.filter(({ state }) => state === 'open' || state === 'next');
      await update({ order: left.map(({ packageId }) => packageId).toReversed() });
    },
    move: () =>
      admin.api.routes.move({
        params: { id: routeId },
        body: { packageIds: [pkg.id], to: which % 2 === 0 ? null : (world.routes[of === 0 ? 1 : 0] ?? null) },
      }),
    position: async () => {
      const position = { at: time.toISOString(), lon: 10 + which / 50, lat: 53.51 };
      await driver.api.positions.report({ body: { positions: [position] } });
    },
    agree: () => agree(true),
    disagree: () => agree(false),
    place: () =>
      product.ctx.db.transaction((tx) =>
        storePlace(tx, pkg.id, { lon: 10 + which / 30, lat: 53.6, accuracy: 'pin', source: 'test' }),
      ),
    edit: () => owner.api.packages.update({ params, body: { name: `Lamp ${which}` } }),
    cancel: () => owner.api.packages.update({ params, body: { status: 'cancelled' } }),
    rename: () => setUser({ name: `Dee ${which}` }),
    suspend: () => setUser({ status: 'suspended' }),
    activate: () => setUser({ status: 'active' }),
    wait: () => Promise.resolve((time = new Date(time.getTime() + 5000))),
    remove: () => removeOldRouteChanges(product.ctx.db),
  };
  try {
    await steps[act]();
    performed.set(act, (performed.get(act) ?? 0) + 1);
  } catch (error) {
    // Refusals are part of any sequence.
    if (!(error instanceof ApiError) || ![401, 403, 404, 409, 422].includes(error.status)) throw error;
  }
}

const performed = new Map<Step['act'], number>();
const seen = new Map<string, number>();

interface View {
  status: PackageStatus;
  stopsAway: number | null;
  driverPosition: object | null;
}

async function compare({ packages, processes }: World): Promise<void> {
  const ids = packages.map(({ trackingId }) => trackingId);
  const compose = () => composeViews(product.ctx.db, ids, { recipient: 'full', ...terms });
  let composed = await compose();
  for (const { find } of processes) {
    let found: (string | null)[];
    // Jobs of the steps before may change a package meanwhile: then what was found is of no time in particular.
    for (let before = composed; ; before = composed) {
      found = await Promise.all(ids.map(async (id) => await find(id)));
      composed = await compose();
      if (ids.every((id) => composed.get(id) === before.get(id))) break;
    }
    for (const [n, id] of ids.entries()) expect([id, found[n]]).toEqual([id, composed.get(id)]);
  }
  // By a statement that knows nothing of routes.
  const positions = await findPublicPositions(
    product.ctx.db,
    packages.map(({ id }) => id),
    time,
  );
  for (const { id, trackingId } of packages) {
    const { stopsAway, driverPosition } = JSON.parse(composed.get(trackingId) ?? '') as View;
    expect(driverPosition).toEqual(JSON.parse(positions.get(id) ?? 'null'));
    if (stopsAway !== null) seen.set('arrival', (seen.get('arrival') ?? 0) + 1);
    if (driverPosition !== null) seen.set('position', (seen.get('position') ?? 0) + 1);
  }
}

test('after any change, in every process, a lookup of a stop answers what the tables say', async () => {
  await open();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40 }), async (steps) => {
      const world = await makeWorld();
      for (const driver of world.drivers) await driver.api.positions.agree({ body: { agreed: true } });
      await compare(world);
      for (const one of steps) {
        await perform(one, world);
        await compare(world);
      }
    }),
    { numRuns: runsAll ? 30 : 5, endOnFailure: true, includeErrorInReport: true },
  );
  for (const kind of ['arrival', 'position']) expect([kind, seen.get(kind) ?? 0]).not.toEqual([kind, 0]);
  if (runsAll) expect([...new Set(acts)].filter((act) => !performed.has(act))).toEqual([]);
}, 300_000);

test('a change that is committed after later ones were seen is not missed', async () => {
  await open();
  const world = await makeWorld();
  await compare(world);
  const { 2: third, 3: fourth } = world.packages;
  if (!third || !fourth) throw new Error('no packages');
  const [process] = world.processes;
  const before = await process?.find(fourth.trackingId);
  await product.ctx.db.transaction(async (tx) => {
    await storePlace(tx, third.id, { lon: 11, lat: 54, accuracy: 'pin', source: 'test' });
    // Another one, with a later number, is committed and seen meanwhile.
    await owner.api.packages.update({
      params: { id: world.packages.at(-1)?.id ?? '' },
      body: { name: 'Later' },
    });
    for (const { trackingId } of world.packages) await process?.find(trackingId);
    expect(await process?.find(fourth.trackingId)).toBe(before);
  });
  const after = await process?.find(fourth.trackingId);
  expect(after).not.toBe(before);
  await compare(world);
});

test('the position is not shown at the next stop of a route while the driver is on the way to a package of none', async () => {
  await open();
  const driver = await product.register('driver');
  const [offRoute, next] = [await createPackage(owner), await createPackage(owner)];
  await driver.api.deliveries.start({ params: { id: offRoute.id } });
  const { id } = await admin.api.routes.create({ body: { day, depotId, driverId: driver.id, confirm: true } });
  await admin.api.routes.addStops({ params: { id }, body: { packageIds: [next.id] } });
  await driver.api.routes.start({ params: { id }, body: {} });
  await driver.api.deliveries.next({ params: { id: next.id } });
  const { find } = openProcess();
  const shown = async () => (JSON.parse((await find(next.trackingId)) ?? '') as View).driverPosition;
  const report = (lon: number) =>
    driver.api.positions.report({ body: { positions: [{ at: time.toISOString(), lon, lat: 53.5 }] } });
  expect(await shown()).toBeNull();
  await driver.api.positions.agree({ body: { agreed: true } });
  await report(10);
  expect(await shown()).toMatchObject({ lon: 10 });
  await driver.api.deliveries.next({ params: { id: offRoute.id } });
  expect(await shown()).toBeNull();
  await driver.api.deliveries.complete({ params: { id: offRoute.id }, body: { receivedBy: 'Anna' } });
  expect(await shown()).toMatchObject({ lon: 10 });
  time = new Date(time.getTime() + 1);
  await report(11);
  expect(await shown()).toMatchObject({ lon: 11 });
  const setStatus = (status: 'active' | 'suspended') =>
    admin.api.users.update({ params: { id: driver.id }, body: { status } });
  await setStatus('suspended');
  expect(await shown()).toBeNull();
  await setStatus('active');
  expect(await shown()).toMatchObject({ lon: 11 });
  await driver.api.positions.agree({ body: { agreed: false } });
  expect(await shown()).toBeNull();
  await driver.api.positions.agree({ body: { agreed: true } });
  time = new Date(time.getTime() + 1);
  await report(12);
  expect(await shown()).toMatchObject({ lon: 12 });
  time = new Date(time.getTime() + 15 * 60_000 + 1);
  expect(await shown()).toBeNull();
});

test('what a server of version 0.2.0 changes is not missed either', async () => {
  await open(await createUpgradingDatabase());
  const world = await makeWorld();
  await compare(world);
  const older = new pg.Client(product.connection);
  await older.connect();
  onTestFinished(() => older.end());
  await older.query('update packages set place_lon = 11, place_lat = 54 where id = $1', [world.packages[2]?.id]);
  await compare(world);
});

test('the position on the way to one stop is not shown at another, which was the next one a moment before', async () => {
  await open();
  const world = await makeWorld();
  const [driver] = world.drivers;
  const [first, second] = world.packages;
  if (!first || !second) throw new Error('no packages');
  const next = ({ id }: Stop) => driver.api.deliveries.next({ params: { id } });
  await driver.api.positions.agree({ body: { agreed: true } });
  await next(first);
  const { query } = product.ctx.db;
  const afterwards = [
    async () => {
      await next(second);
      await driver.api.positions.report({ body: { positions: [{ at: time.toISOString(), lon: 10, lat: 53.5 }] } });
    },
  ];
  const interrupted: Queryable = {
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      const rows = await query<Row>(sql, values);
      if (sql.includes('from public_views')) await afterwards.pop()?.();
      return rows;
    },
  };
  const { find } = openProcess(interrupted);
  const view = async ({ trackingId }: Stop) => JSON.parse((await find(trackingId)) ?? '') as View;
  expect(await view(first)).toMatchObject({ status: 'out for delivery', driverPosition: null });
  expect(await view(first)).toMatchObject({ status: 'in transit', driverPosition: null });
  expect(await view(second)).toMatchObject({ status: 'out for delivery', driverPosition: { lon: 10 } });
});

test('what a standby answers, which tells no changes, is as the tables say', async () => {
  await open();
  const world = await makeWorld();
  const { query } = product.ctx.db;
  const standby: Queryable = {
    query: async <Row extends object>(sql: string, values?: unknown[]) =>
      await query<Row>(sql.replaceAll('pg_is_in_recovery()', 'true'), values),
  };
  world.processes = [openProcess(standby)];
  await compare(world);
  for (const lon of [11, 12, 13]) {
    await product.ctx.db.transaction((tx) =>
      storePlace(tx, world.packages[2]?.id ?? '', { lon, lat: 54, accuracy: 'pin', source: 'test' }),
    );
    await compare(world);
  }
});

test('what was logged of routes goes after some minutes', async () => {
  await open();
  await product.ctx.db.query("insert into route_changes (route_id, at) values ($1, now() - interval '6 minutes')", [
    uuid(),
  ]);
  await product.ctx.db.query('insert into route_changes (route_id) values ($1)', [uuid()]);
  await removeOldRouteChanges(product.ctx.db);
  expect(await product.ctx.db.query('select from route_changes')).toHaveLength(1);
});

describe('a cache of rounds', () => {
  const at = (ms: number) => new Date(Date.parse('2026-06-10T07:00:00.000Z') + ms);
  const row = {
    id: 'a',
    started_at: at(0),
    stop_ids: [],
    done: [],
    open: [],
    model: null,
    zone_seconds: 0,
    driver: 'Dana',
  };

  /** A database whose answers are given one by one. */
  const openScripted = () => {
    const asked: { sql: string; answer: (rows: object[]) => void; fail: (error: Error) => void }[] = [];
    const db: Queryable = {
      query: <Row extends object>(sql: string) =>
        new Promise<Row[]>((answer, fail) => asked.push({ sql, answer: answer as (rows: object[]) => void, fail })),
    };
    return { db, asked };
  };

  /** One for which the present snapshot is known. */
  const openNoted = () => {
    const rounds = openRoundCache();
    rounds.note({ seen: '1:1:', routeIds: [] });
    return rounds;
  };

  test('does not keep what was read while its route changed', async () => {
    const { db, asked } = openScripted();
    const rounds = openNoted();
    const reading = rounds.read(db, ['a'], at(0));
    rounds.note({ seen: '9:9:', routeIds: ['a'] });
    asked[0]?.answer([row]);
    expect([...(await reading).keys()]).toEqual(['a']);
    expect(rounds.find('a', at(1))).toBeNull();
  });

  test('keeps for five seconds what did not change, and nothing after a failure', async () => {
    const { db, asked } = openScripted();
    const rounds = openNoted();
    const failing = rounds.read(db, ['a'], at(0));
    asked[0]?.fail(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    expect(rounds.find('a', at(0))).toBeNull();
    const reading = rounds.read(db, ['a'], at(10));
    rounds.note({ seen: '9:9:', routeIds: ['b'] });
    expect(rounds.find('a', at(10))).toBeNull();
    asked[1]?.answer([row]);
    await reading;
    expect(rounds.find('a', at(5009))?.driver).toBe('Dana');
    expect([rounds.seen(at(5009)), rounds.find('a', at(5010))]).toEqual(['9:9:', null]);
    rounds.forget();
    expect([rounds.seen(at(5009)), rounds.find('a', at(5009))]).toEqual([null, null]);
  });

  test('keeps nothing over a time in which no changes were noted, whatever the clock says then', async () => {
    const { db, asked } = openScripted();
    const rounds = openNoted();
    const reading = rounds.read(db, ['a'], at(500));
    asked[0]?.answer([row]);
    await reading;
    // The clock is set back, and another route is read.
    const other = rounds.read(db, ['b'], at(0));
    asked[1]?.answer([]);
    await other;
    expect(rounds.seen(at(5100))).toBeNull();
    expect(rounds.find('a', at(5100))).toBeNull();
  });

  test('reads the present snapshot before the first round, and keeps nothing if a standby answers that', async () => {
    const { db, asked } = openScripted();
    const rounds = openRoundCache();
    for (const [seen, driver] of [
      [null, undefined],
      ['7:7:', 'Dana'],
    ] as const) {
      const reading = rounds.read(db, ['a'], at(0));
      expect(asked.map(({ sql }) => sql)).toEqual([expect.stringContaining('pg_current_snapshot')]);
      asked.pop()?.answer([{ seen }]);
      await expect.poll(() => asked).toHaveLength(1);
      asked.pop()?.answer([row]);
      expect([...(await reading).keys()]).toEqual(['a']);
      expect([rounds.seen(at(1)), rounds.find('a', at(1))?.driver]).toEqual([seen, driver]);
    }
  });
});
