import type { Package, Route } from '@waybill/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { learnArrivals, storeForecasts } from '../stats/arrivals.ts';
import { OptimizerFailed } from '../optimizer/threads.ts';
import { expireOffers } from './offers.ts';
import { findRoute } from './queries.ts';
import { asRoutes } from './stops.ts';
import {
  anyVersion,
  createPackage,
  eventually,
  openTestProduct,
  untilJobsDone,
  untilWaiting,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
let depotId: string;
let time = new Date('2026-06-10T06:00:00.000Z');

beforeAll(async () => {
  product = await openTestProduct({ now: () => time, config: { TIME_ZONE: 'Europe/Berlin' } });
  admin = await product.register('admin');
  owner = await product.register('owner');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
});
afterAll(() => product.close());
// A driver has one started route at a time, so each test has its own.
beforeEach(async () => {
  time = new Date('2026-06-10T06:00:00.000Z');
  driver = await product.register('driver', 'Dana Driver');
});

const day = '2026-06-10';
const address = { street: 'Am Markt 3', postalCode: '20095', city: 'Hamburg' };
const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);
const create = (fields: object = {}) =>
  admin.api.routes.create({ body: { day, depotId, driverId: driver.id, startsAt: '2026-06-10T07:00:00Z', ...fields } });
const read = (route: { id: string }, who = admin) => who.api.routes.read({ params: { id: route.id } });
const addStops = (route: { id: string }, packages: Pick<Package, 'id'>[]) =>
  admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: packages.map(({ id }) => id) } });
const move = (route: { id: string }, packages: Pick<Package, 'id'>[], to: string | null) =>
  admin.api.routes.move({ params: { id: route.id }, body: { packageIds: packages.map(({ id }) => id), to } });
const start = (route: { id: string }, who = driver, missing: string[] = []) =>
  who.api.routes.start({ params: { id: route.id }, body: { missing } });
const finish = (route: { id: string }, returned: string[] = []) =>
  driver.api.routes.finish({ params: { id: route.id }, body: { returned } });
const make = (count: number) => Promise.all(Array.from({ length: count }, () => createPackage(owner, { address })));
const statusOf = async (pkg: Pick<Package, 'id'>) => (await owner.api.packages.read({ params: { id: pkg.id } })).status;
const statesOf = ({ stops }: Route) => stops.map(({ state }) => state);
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
const stopIdsOf = ({ stops }: Route) => stops.map(({ packageId }) => packageId);

/** A planned route with this number of stops. */
async function plan(count: number, fields: object = {}) {
  const packages = await make(count);
  const route = await create(fields);
  await addStops(route, packages);
  return { route: await read(route), packages };
}

test('planned packages are stops in order with their arrivals, and are offered to nobody', async () => {
  const packages = await make(3);
  const before = await driver.api.deliveries.summary();
  const route = await create();
  expect(route).toMatchObject({
    day,
    depotId,
    driverId: driver.id,
    state: 'planned',
    version: 1,
    stops: [],
    kilograms: 0,
  });
  const watcher = await watch(product, '/live', driver.token);
  expect(await addStops(route, packages)).toEqual({ done: idsOf(packages), refused: [] });
  await eventually('the hint', () => watcher.events.some(({ data }) => (data as { type?: string }).type === 'route'));
  watcher.stop();
  const planned = await read(route);
  expect(planned).toMatchObject({ version: 2, kilograms: 7.5, startsAt: '2026-06-10T07:00:00.000Z' });
  expect(planned.stops).toMatchObject([
    {
      packageId: packages[0]?.id,
      position: 1,
      state: 'open',
      locked: false,
      arrivesAt: '2026-06-10T07:10:00.000Z',
      arrivalWindow: { from: '2026-06-10T06:40:00.000Z', to: '2026-06-10T07:40:00.000Z' },
      sender: (await owner.api.users.me()).name,
      delivery: { recipientName: 'Anna Maria Berg', recipientAddress: 'Am Markt 3, 20095 Hamburg' },
    },
    { packageId: packages[1]?.id, arrivesAt: '2026-06-10T07:20:00.000Z' },
    { packageId: packages[2]?.id, arrivesAt: '2026-06-10T07:30:00.000Z' },
  ]);
  // Nobody outside is told: the package is as it was.
  const [first] = packages;
  if (!first) throw new Error('no package');
  expect(await owner.api.packages.read({ params: { id: first.id } })).toEqual(first);
  expect((await owner.api.packages.events({ params: { id: first.id } })).items).toHaveLength(1);
  const offered = await driver.api.deliveries.pending({ query: { count: true, limit: 200 } });
  expect(idsOf(offered.items).filter((id) => idsOf(packages).includes(id))).toEqual([]);
  const summary = await driver.api.deliveries.summary();
  expect(summary.pending).toBe(before.pending - 3);
  expect(offered.total).toBe(summary.pending);
  const params = { id: first.id };
  expect(await failureOf(driver.api.deliveries.start({ params }))).toMatchObject({
    status: 409,
    code: 'planned',
    message: 'Start your route first',
  });
  const other = await product.register('driver');
  expect(await failureOf(other.api.deliveries.start({ params }))).toMatchObject({
    status: 409,
    code: 'planned',
    message: 'This delivery is planned',
  });
  // An assignment takes it off.
  await admin.api.deliveries.assign({ params, body: { driverId: other.id } });
  expect(stopIdsOf(await read(route))).toEqual(idsOf(packages.slice(1)));
});

test('a driver sees the stops whole from midnight of the depot’s zone or once released, before that as unclaimed', async () => {
  const { route } = await plan(1, { day: '2026-06-11', startsAt: null });
  const seen = async () => (await read(route, driver)).stops[0];
  time = new Date('2026-06-10T21:59:59.000Z');
  expect(await seen()).toMatchObject({
    arrivesAt: null,
    arrivalWindow: null,
    sender: null,
    delivery: { recipientName: null, recipientAddress: null, location: 'Hamburg' },
  });
  time = new Date('2026-06-10T22:00:00.000Z');
  expect(await seen()).toMatchObject({ delivery: { recipientName: 'Anna Maria Berg' } });
  time = new Date('2026-06-10T12:00:00.000Z');
  await admin.api.routes.update({ params: { id: route.id }, body: { released: true, version: anyVersion } });
  expect(await seen()).toMatchObject({ delivery: { recipientName: 'Anna Maria Berg' } });
  const other = await product.register('driver');
  expect(await failureOf(read(route, other))).toMatchObject({ status: 404 });
});

test('an order has every open stop once; of two changes of one version the later is refused', async () => {
  const { route, packages } = await plan(3);
  const params = { id: route.id };
  const ids = idsOf(packages);
  const order = ids.toReversed();
  const { version } = route;
  const changes = await Promise.all(
    [order, [...order.slice(1), order[0] ?? '']].map((wanted) =>
      admin.api.routes.update({ params, body: { order: wanted, version } }).catch((error: unknown) => error),
    ),
  );
  expect(changes.filter((change) => (change as { code?: string }).code === 'stale')).toHaveLength(1);
  expect(await failureOf(admin.api.routes.update({ params, body: { order } }))).toMatchObject({
    status: 422,
    fields: { version: 'Please send the version that you have read' },
  });
  // Its driver may change the order, and nothing else.
  await driver.api.routes.update({ params, body: { order: ids, version: anyVersion } });
  const ordered = await driver.api.routes.update({ params, body: { order, version: anyVersion } });
  expect(stopIdsOf(ordered)).toEqual(order);
  // Whoever comes later is told who it was, unless it was they.
  const late = (who: typeof admin) => failureOf(who.api.routes.update({ params, body: { order, version } }));
  expect(await late(admin)).toMatchObject({
    code: 'stale',
    message: expect.stringMatching(/^[\w ]+ changed this route/) as string,
  });
  expect(await late(driver)).toMatchObject({
    code: 'stale',
    message: expect.stringMatching(/^This route was changed/) as string,
  });
  expect(
    await failureOf(driver.api.routes.update({ params, body: { order: ids, released: true, version: anyVersion } })),
  ).toMatchObject({
    status: 403,
  });
  for (const wrong of [ids.slice(1), [...ids.slice(1), route.id], [...ids, route.id]])
    expect(
      await failureOf(admin.api.routes.update({ params, body: { order: wrong, version: anyVersion } })),
    ).toMatchObject({
      status: 422,
      fields: { order: 'The order must have every open stop once' },
    });
  const locked = await admin.api.routes.update({ params, body: { locked: [order[1] ?? ''], version: anyVersion } });
  expect(locked.stops.map((stop) => stop.locked)).toEqual([false, true, false]);
  expect(await admin.api.routes.update({ params, body: { order, version: locked.version } })).toEqual(locked);
});

test('of two dispatchers who plan the same packages at once each package gets on one route; refusals say why', async () => {
  const packages = await make(6);
  const [one, two] = [await create(), await create()];
  const results = await Promise.all([addStops(one, packages), addStops(two, packages.toReversed())]);
  const planned = [await read(one), await read(two)].flatMap(stopIdsOf);
  expect(planned.toSorted()).toEqual(idsOf(packages).toSorted());
  expect(results.flatMap(({ done }) => done).toSorted()).toEqual(planned.toSorted());
  expect(results.flatMap(({ refused }) => refused.map(({ code }) => code))).toEqual(
    Array.from({ length: 6 }, () => 'on_other_route'),
  );
  // Each names the route that has the package.
  for (const [index, { refused }] of results.entries())
    for (const { route } of refused)
      expect(route).toMatchObject({
        id: (index === 0 ? two : one).id,
        day: one.day,
        depotId,
        driver: expect.any(String),
      });
  const [cancelled, started, delivered] = await make(3);
  if (!cancelled || !started || !delivered) throw new Error('no packages');
  await owner.api.packages.update({ params: { id: cancelled.id }, body: { status: 'cancelled' } });
  for (const { id } of [started, delivered]) await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.complete({ params: { id: delivered.id } });
  const { done, refused } = await addStops(one, [cancelled, started, delivered, { id: depotId }]);
  expect(done).toEqual([]);
  expect(refused.map(({ code }) => code)).toEqual(['gone', 'started', 'not_waiting', 'gone']);
});

test('a package that is cancelled, deleted or taken off leaves its route; a deleted route leaves its packages waiting', async () => {
  const { route, packages } = await plan(4);
  const [cancelled, deleted, off, last] = packages;
  if (!cancelled || !deleted || !off || !last) throw new Error('no packages');
  await owner.api.packages.update({ params: { id: cancelled.id }, body: { status: 'cancelled' } });
  await owner.api.packages.bulk({ body: { action: 'delete', packageIds: [deleted.id] } });
  expect(await move(route, [off, cancelled], null)).toMatchObject({
    done: [off.id],
    refused: [{ packageId: cancelled.id, code: 'gone' }],
  });
  expect(stopIdsOf(await read(route))).toEqual([last.id]);
  await driver.api.deliveries.start({ params: { id: off.id } });
  await admin.api.routes.remove({ params: { id: route.id } });
  expect(await failureOf(read(route))).toMatchObject({ status: 404 });
  await driver.api.deliveries.start({ params: { id: last.id } });
});

test('a route starts all its deliveries at once, each with its estimate; stop follows stop by itself until it is finished', async () => {
  const { route, packages } = await plan(4);
  const [first, second, third, fourth] = packages;
  if (!first || !second || !third || !fourth) throw new Error('no packages');
  const started = await start(route, driver, [fourth.id]);
  expect(started).toMatchObject({ state: 'started', startsAt: '2026-06-10T06:00:00.000Z', kilograms: 7.5 });
  expect(statesOf(started)).toEqual(['next', 'open', 'open']);
  expect(started.stops.map(({ delivery }) => delivery.estimatedDeliveryTime)).toEqual([
    '2026-06-10T06:10:00.000Z',
    '2026-06-10T06:20:00.000Z',
    '2026-06-10T06:30:00.000Z',
  ]);
  // Its phone repeats the request.
  expect(await start(route)).toEqual(started);
  // One event a package, also for the one that is out for delivery at once.
  for (const { id } of [first, second]) {
    const { items } = await owner.api.packages.events({ params: { id } });
    expect(items.map(({ type }) => type)).toEqual(['delivery.started', 'package.created']);
  }
  // What is missing waits again, with an incident.
  const missing = await owner.api.packages.read({ params: { id: fourth.id } });
  expect(missing).toMatchObject({ status: 'processing', issue: 'Missing at the start of the route' });
  time = new Date('2026-06-10T06:12:00.000Z');
  await driver.api.deliveries.complete({ params: { id: first.id } });
  const afterOne = await read(route, driver);
  expect(statesOf(afterOne)).toEqual(['delivered', 'next', 'open']);
  expect(afterOne.stops.map(({ arrivesAt }) => arrivesAt)).toEqual([
    null,
    '2026-06-10T06:22:00.000Z',
    '2026-06-10T06:32:00.000Z',
  ]);
  await driver.api.deliveries.fail({ params: { id: second.id }, body: { reason: 'Nobody home' } });
  expect(statesOf(await read(route))).toEqual(['delivered', 'failed', 'next']);
  // With the driver until the route is finished: not offered, but it can be planned for another day.
  const other = await product.register('driver');
  const again = () => other.api.deliveries.start({ params: { id: second.id } });
  expect(await failureOf(again())).toMatchObject({ status: 409, code: 'planned' });
  const tomorrow = await create({ day: '2026-06-11', driverId: null });
  expect(await addStops(tomorrow, [second])).toMatchObject({ done: [second.id] });
  expect(statesOf(await read(route))).toEqual(['delivered', 'failed', 'next']);
  // A delivery that the driver claims meanwhile becomes the last stop.
  await driver.api.deliveries.start({ params: { id: fourth.id } });
  expect(statesOf(await read(route))).toEqual(['delivered', 'failed', 'next', 'open']);
  const finished = await finish(route, [third.id]);
  expect(finished.state).toBe('finished');
  expect(statesOf(finished)).toEqual(['delivered', 'failed', 'left', 'open']);
  expect(await finish(route)).toEqual(finished);
  expect(await owner.api.packages.read({ params: { id: third.id } })).toMatchObject({
    status: 'processing',
    location: 'Waybill',
    driverId: null,
    failedAttempt: null,
  });
  // What was not counted stays with the driver.
  expect(await owner.api.packages.read({ params: { id: fourth.id } })).toMatchObject({
    status: 'in transit',
    driverId: driver.id,
    issue: 'Not counted at the end of the route',
  });
  expect(stopIdsOf(await read(tomorrow))).toEqual([second.id]);
  await other.api.deliveries.start({ params: { id: third.id } });
});

test('what a driver claimed on the way and counts back, or failed to deliver, is still a stop of the finished route', async () => {
  const { route, packages } = await plan(1);
  await start(route);
  const claimed = [await createPackage(owner), await createPackage(owner)] as const;
  for (const { id } of claimed) await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.fail({ params: { id: claimed[0].id }, body: { reason: 'Nobody home' } });
  const finished = await finish(route, [claimed[1].id, ...idsOf(packages)]);
  expect(Object.fromEntries(finished.stops.map(({ packageId, state }) => [packageId, state]))).toEqual({
    [packages[0]?.id ?? '']: 'left',
    [claimed[0].id]: 'failed',
    [claimed[1].id]: 'left',
  });
});

test('arriving makes a stop arrived, and another next one waits again; packages of one address are arrived at together', async () => {
  const { route, packages } = await plan(4);
  const other = await createPackage(owner, { address: { ...address, street: 'Am Markt 4' } });
  await addStops(route, [other]);
  await start(route);
  const [first, second, third] = packages;
  if (!first || !second || !third) throw new Error('no packages');
  const states = async () => statesOf(await read(route));
  const arrive = ({ id }: Pick<Package, 'id'>, at?: string) =>
    driver.api.deliveries.arrive({ params: { id }, body: { at } });
  const watcher = await watch(product, '/live', owner.token);
  const arrived = await arrive(second, '2026-06-10T06:00:00.000Z');
  expect(arrived).toMatchObject({ status: 'in transit', next: true, arrivedAt: '2026-06-10T06:00:00.000Z' });
  expect(await states()).toEqual(['open', 'arrived', 'open', 'open', 'open']);
  expect(await arrive(second)).toEqual(arrived);
  const { items } = await owner.api.packages.events({ params: { id: first.id } });
  expect(items[0]).toMatchObject({ type: 'delivery.deferred', status: 'in transit' });
  const isTold = ({ id }: Pick<Package, 'id'>) => JSON.stringify(watcher.events).includes(id);
  await eventually('hints about both', () => isTold(first) && isTold(second));
  watcher.stop();
  await arrive(third);
  expect(await states()).toEqual(['open', 'arrived', 'arrived', 'open', 'open']);
  await arrive(other);
  expect(await states()).toEqual(['open', 'open', 'open', 'open', 'arrived']);
  await driver.api.deliveries.next({ params: { id: third.id } });
  expect(await states()).toEqual(['open', 'open', 'next', 'open', 'open']);
  // Two phones of one driver, or a step that is sent late: there is one next stop.
  await Promise.all([first, second, third, other].map(({ id }) => driver.api.deliveries.next({ params: { id } })));
  expect((await states()).filter((state) => state === 'next')).toHaveLength(1);
});

test('packages of a door are completed with one proof, and the stop after them is next', async () => {
  const { route, packages } = await plan(3);
  await start(route);
  const [first, second] = packages;
  if (!first || !second) throw new Error('no packages');
  for (const { id } of [first, second]) await driver.api.deliveries.arrive({ params: { id } });
  await driver.api.deliveries.completeDoor({ body: { deliveryIds: [second.id, first.id], receivedBy: 'Anna' } });
  expect(statesOf(await read(route))).toEqual(['delivered', 'delivered', 'next']);
});

test('a failed package can be started again once the route is finished', async () => {
  const { route, packages } = await plan(2);
  await start(route);
  const params = { id: packages[0]?.id ?? '' };
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  const isAt = async () => (await owner.api.packages.read({ params })).location;
  expect(await isAt()).toBe('With the driver');
  await finish(route, [params.id, packages[1]?.id ?? '']);
  expect(await isAt()).toBe('Waybill');
  expect((await driver.api.deliveries.start({ params })).status).toBe('in transit');
  expect(statesOf(await read(route))).toEqual(['failed', 'left']);
});

test('a start is refused without stops, without an active driver, and beside another started route, also at once', async () => {
  const { route } = await plan(1);
  const { route: second } = await plan(1);
  const outcomes = await Promise.all([failureOf(start(route)), failureOf(start(second))]);
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({ status: 409, code: 'other_route' });
  const nobody = await plan(1, { driverId: null });
  expect(await failureOf(start(nobody.route, admin))).toMatchObject({ status: 409, code: 'no_driver' });
  const suspended = await product.register('driver');
  const theirs = await plan(1, { driverId: suspended.id });
  await admin.api.users.update({ params: { id: suspended.id }, body: { status: 'suspended' } });
  expect(await read(theirs.route)).toMatchObject({ driverId: null });
  expect(await failureOf(start(theirs.route, admin))).toMatchObject({ status: 409, code: 'no_driver' });
  const spare = await product.register('driver');
  const empty = await plan(1, { driverId: spare.id });
  const missing = stopIdsOf(empty.route);
  expect(await failureOf(start(empty.route, spare, missing))).toMatchObject({ status: 409, code: 'empty' });
  expect(statesOf(await read(empty.route))).toEqual(['open']);
  expect(
    await failureOf(
      admin.api.routes
        .remove({ params: { id: route.id } })
        .then(() => admin.api.routes.remove({ params: { id: second.id } })),
    ),
  ).toMatchObject({ status: 409, code: 'illegal_step' });
});

test('a route that is started between the reading of its row and of its stops is shown as started', async () => {
  const { route } = await plan(2);
  const before = await findRoute(product.ctx.db, route.id);
  await start(route);
  const dispatcher = await product.ctx.sessions.find(admin.token);
  if (!before || !dispatcher) throw new Error('no route, or no session');
  const [shown] = await asRoutes(product.ctx, product.ctx.db, dispatcher, [before]);
  expect(shown && { state: shown.state, stops: statesOf(shown) }).toEqual({
    state: 'started',
    stops: ['next', 'open'],
  });
});

test('stops move between planned and started routes, and back to the depot without an attempt', async () => {
  const colleague = await product.register('driver', 'Carl Colleague');
  const { route, packages } = await plan(4);
  const theirs = await plan(1, { driverId: colleague.id });
  const [first, second, third, fourth] = packages;
  if (!first || !second || !third || !fourth) throw new Error('no packages');
  expect(await move(route, [fourth], theirs.route.id)).toMatchObject({ done: [fourth.id] });
  expect(stopIdsOf(await read(theirs.route))).toEqual([...stopIdsOf(theirs.route), fourth.id]);
  await start(theirs.route, colleague);
  // From a planned route to a started one: it starts at once.
  await move(route, [third], theirs.route.id);
  expect(await owner.api.packages.read({ params: { id: third.id } })).toMatchObject({
    status: 'in transit',
    driverId: colleague.id,
  });
  await start(route);
  const planned = await create({ driverId: null });
  expect(await failureOf(move(route, [first], planned.id))).toMatchObject({ status: 422 });
  await move(route, [first], theirs.route.id);
  expect(await owner.api.packages.read({ params: { id: first.id } })).toMatchObject({ driverId: colleague.id });
  expect(statesOf(await read(route))).toEqual(['next']);
  expect(statesOf(await read(theirs.route))).toEqual(['next', 'open', 'open', 'open']);
  await move(route, [second], null);
  expect(await owner.api.packages.read({ params: { id: second.id } })).toMatchObject({
    status: 'processing',
    driverId: null,
    location: 'Waybill',
    failedAttempt: null,
  });
  expect((await read(route)).stops).toEqual([]);
});

test('whatever happens while a route starts, no package is on two routes and none is lost', async () => {
  const { route, packages } = await plan(8);
  const spare = await create({ driverId: null });
  const [cancelled, ...others] = packages;
  if (!cancelled) throw new Error('no packages');
  const moved = others.slice(0, 3);
  const claimer = await product.register('driver');
  const [, result, cancelledOrNot] = await Promise.all([
    failureOf(start(route)),
    move(route, moved, spare.id).catch((error: unknown) => error),
    failureOf(owner.api.packages.update({ params: { id: cancelled.id }, body: { status: 'cancelled' } })),
    ...others.map(({ id }) => failureOf(claimer.api.deliveries.start({ params: { id } }))),
  ]);
  const [here, there] = [await read(route), await read(spare)];
  const on = [...stopIdsOf(here), ...stopIdsOf(there)];
  expect(new Set(on).size).toBe(on.length);
  expect(here.state).toBe('started');
  expect(on.toSorted()).toEqual(
    idsOf(packages)
      .filter((id) => id !== cancelled.id || cancelledOrNot !== null)
      .toSorted(),
  );
  expect(stopIdsOf(there)).toEqual((result as { done?: string[] }).done ?? []);
  for (const id of stopIdsOf(there)) expect(await statusOf({ id })).toBe('processing');
  for (const { packageId: id } of here.stops) expect(await statusOf({ id })).toMatch(/in transit|out for delivery/);
});

/** Has calls wait in this order for the lock of a route or package, then lets them go. */
async function inTurn(table: 'routes' | 'packages', id: string, calls: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const begun: Promise<unknown>[] = [];
  // A job of an earlier step would wait in place of a call.
  await untilJobsDone(product);
  await product.ctx.db.transaction(async (tx) => {
    await tx.query(`select from ${table} where id = $1 for update`, [id]);
    for (const call of calls) {
      begun.push(call().catch((error: unknown) => error));
      await untilWaiting(tx, begun.length);
    }
  });
  return Promise.all(begun);
}

test('a next stop that another transaction has is marked once that ends, unless another one is next by then', async () => {
  const completeFirst = async (meanwhile: (who: TestUser, third: string) => Promise<unknown>) => {
    const { colleague, packages } = await startedRoute(3);
    const [first, second, third] = idsOf(packages) as [string, string, string];
    await product.ctx.db.transaction(async (tx) => {
      await tx.query('select from packages where id = $1 for update', [second]);
      await colleague.api.deliveries.complete({ params: { id: first } });
      expect(await statusOf({ id: second })).toBe('in transit');
      // The job, which must not keep the route from the driver meanwhile.
      await untilWaiting(tx, 1);
      await meanwhile(colleague, third);
    });
    const pending = "select from jobs.job where name = 'mark-next-stop' and state <> 'completed'";
    await eventually('the job', async () => (await product.ctx.db.query(pending)).length === 0);
    return [await statusOf({ id: second }), await statusOf({ id: third })];
  };
  expect(await completeFirst(async () => {})).toEqual(['out for delivery', 'in transit']);
  expect(await completeFirst((who, id) => who.api.deliveries.next({ params: { id } }))).toEqual([
    'in transit',
    'out for delivery',
  ]);
});

test('who waits for a route sees what was done before: no order, move, start or cancellation is lost or done twice', async () => {
  const { route, packages } = await plan(4);
  const [first, second, third, fourth] = idsOf(packages) as [string, string, string, string];
  const [added] = await make(1);
  const colleague = await product.register('driver');
  const spare = await create({ driverId: colleague.id });
  const order = [fourth, third, second, first];
  const moveAll = (to: string) => () => move(route, [{ id: second }, { id: third }], to);
  // An order, then one more stop.
  const outcomes = await inTurn('routes', route.id, [
    () => admin.api.routes.update({ params: { id: route.id }, body: { order, version: route.version } }),
    () => addStops(route, added ? [added] : []),
    () => admin.api.routes.update({ params: { id: route.id }, body: { order, version: route.version } }),
  ]);
  expect(outcomes[2]).toMatchObject({ code: 'stale' });
  expect(stopIdsOf(await read(route))).toEqual([...order, added?.id]);
  // Two dispatchers move the same stops.
  const empty = await create({ driverId: null });
  const moves = await inTurn('routes', route.id, [moveAll(spare.id), moveAll(empty.id)]);
  expect(moves).toMatchObject([
    { done: [second, third], refused: [] },
    { done: [], refused: [{ code: 'on_other_route' }, { code: 'on_other_route' }] },
  ]);
  expect([stopIdsOf(await read(spare)), stopIdsOf(await read(empty))]).toEqual([[second, third], []]);
  // A package is cancelled in the moment of the start: whoever comes first.
  const cancel = (id: string) => () => owner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  const fifth = added?.id ?? '';
  const cancelled = await inTurn('packages', fifth, [cancel(fifth), () => addStops(spare, [{ id: fifth }])]);
  expect(cancelled).toMatchObject([{ status: 'cancelled' }, { refused: [{ code: 'gone' }] }]);
  // The route starts while it is planned anew.
  const started = await inTurn('routes', route.id, [
    () => start(route),
    () => addStops(route, [{ id: second }]),
    () => start(route),
    () => admin.api.routes.remove({ params: { id: route.id } }),
  ]);
  expect(started).toMatchObject([
    { state: 'started' },
    { code: 'illegal_step' },
    { state: 'started' },
    { code: 'illegal_step' },
  ]);
  expect(stopIdsOf(await read(route))).toEqual([fourth, first]);
  const late = await inTurn('packages', second, [() => start(spare, colleague), cancel(second)]);
  expect(late).toMatchObject([{ state: 'started' }, { code: 'illegal_step' }]);
  const said = (await owner.api.packages.events({ params: { id: fourth } })).items.map(({ type }) => type);
  expect(said.filter((type) => type === 'delivery.started')).toHaveLength(1);
});

test('a route takes no stops once it has started, gives none that another one has, and is started once', async () => {
  const { route, packages } = await plan(1);
  const { route: other, packages: others } = await plan(2, { driverId: null });
  expect(await move(route, others, null)).toMatchObject({
    done: [],
    refused: [{ code: 'on_other_route' }, { code: 'on_other_route' }],
  });
  expect(stopIdsOf(await read(other))).toEqual(idsOf(others));
  await start(route);
  expect(await failureOf(addStops(route, await make(1)))).toMatchObject({ code: 'illegal_step' });
  // What is not counted stays with the driver, on the finished route.
  await finish(route);
  expect(await statusOf(packages[0] ?? { id: '' })).toBe('out for delivery');
  expect(await failureOf(start(route))).toMatchObject({ code: 'illegal_step' });
});

test('a repeated Idempotency-Key plans one route and starts it once; lists have a driver’s routes, the started one first', async () => {
  const body = { day: '2026-06-12', depotId, driverId: driver.id };
  const [later, again] = [
    await admin.api.routes.create({ body, idempotencyKey: `route-${driver.id}` }),
    await admin.api.routes.create({ body, idempotencyKey: `route-${driver.id}` }),
  ];
  expect(again).toEqual(later);
  const { route } = await plan(2, { day: '2026-06-13' });
  const params = { id: route.id };
  const idempotencyKey = `start-${driver.id}`;
  const started = await driver.api.routes.start({ params, body: {}, idempotencyKey });
  expect(await driver.api.routes.start({ params, body: {}, idempotencyKey })).toEqual(started);
  expect(idsOf((await driver.api.routes.mine({ query: { count: true } })).items)).toEqual([route.id, later.id]);
  expect(idsOf((await driver.api.routes.mine({ query: { day: '2026-06-12' } })).items)).toEqual([later.id]);
  await driver.api.routes.finish({ params, body: { returned: stopIdsOf(route) } });
  expect(idsOf((await driver.api.routes.mine({ query: { finishedOn: '2026-06-12' } })).items)).toEqual([later.id]);
  const withFinished = await driver.api.routes.mine({ query: { finishedOn: '2026-06-13' } });
  expect(idsOf(withFinished.items)).toEqual([later.id, route.id]);
  const { items, total } = await admin.api.routes.list({ query: { driverId: driver.id, count: true } });
  expect([idsOf(items), total]).toEqual([[route.id, later.id], 2]);
  // Drivers get their own.
  const elsewhere = await admin.api.routes.create({ body: { ...body, driverId: null } });
  expect(idsOf((await admin.api.routes.list({ query: { day: body.day } })).items)).toEqual([elsewhere.id, later.id]);
  expect(idsOf((await driver.api.routes.list({ query: { day: body.day } })).items)).toEqual([later.id]);
  const first = await admin.api.routes.list({ query: { driverId: driver.id, limit: 1 } });
  const second = await admin.api.routes.list({ query: { driverId: driver.id, limit: 1, cursor: first.next ?? '' } });
  expect(idsOf([...first.items, ...second.items])).toEqual([route.id, later.id]);
  expect(await failureOf(admin.api.depots.remove({ params: { id: depotId } }))).toMatchObject({ status: 409 });
});

test('work outside of a driver’s shifts is given only when that is confirmed; a driver without any shift is free', async () => {
  await admin.api.shifts.create({
    body: { driverId: driver.id, startsAt: '2026-06-11T04:00:00Z', endsAt: '2026-06-11T12:00:00Z' },
  });
  const refused = {
    status: 409,
    code: 'off_duty',
    message: 'This driver has no shift on 2026-06-10. The next shift begins at 2026-06-11 06:00 (Europe/Berlin).',
  };
  expect(await failureOf(create())).toMatchObject(refused);
  expect(await create({ day: '2026-06-11', startsAt: null })).toMatchObject({ driverId: driver.id });
  const evening = { day: '2026-06-11', startsAt: '2026-06-11T16:00:00Z' };
  expect(await failureOf(create(evening))).toMatchObject({
    code: 'off_duty',
    message: 'This driver has no shift on 2026-06-11. No later shift is planned.',
  });
  expect(await create({ confirm: true })).toMatchObject({ driverId: driver.id });
  const route = await create({ driverId: null });
  const change = (body: object) =>
    admin.api.routes.update({ params: { id: route.id }, body: { version: anyVersion, ...body } });
  expect(await failureOf(change({ driverId: driver.id }))).toMatchObject(refused);
  expect(await change({ driverId: driver.id, confirm: true })).toMatchObject({ driverId: driver.id });
  const free = await product.register('driver');
  expect(await change({ driverId: free.id })).toMatchObject({ driverId: free.id });
  const [pkg] = await make(1);
  const assign = (confirm?: boolean) =>
    admin.api.deliveries.assign({ params: { id: pkg?.id ?? '' }, body: { driverId: driver.id, confirm } });
  expect(await failureOf(assign())).toMatchObject(refused);
  expect(await assign(true)).toMatchObject({ driverId: driver.id, status: 'in transit' });
});

test('dispatchers see on which route a package is planned, its owner once it is started; a depot where it waits', async () => {
  const { route, packages } = await plan(2);
  const [first, second] = idsOf(packages);
  if (!first || !second) throw new Error('no packages');
  const seenBy = async (user: TestUser, id: string) => {
    const { routeId, depotId: at } = await user.api.packages.read({ params: { id } });
    return [routeId, at];
  };
  const ofOwner = async () =>
    (await owner.api.deliveries.ofOwner({ query: { limit: 200 } })).items.find(({ id }) => id === first)?.routeId;
  expect([await seenBy(admin, first), await seenBy(owner, first), await ofOwner()]).toEqual([
    [route.id, null],
    [null, null],
    null,
  ]);
  const { items } = await admin.api.deliveries.pending({ query: { status: 'pending', limit: 200 } });
  expect(items.find(({ id }) => id === first)?.routeId).toBe(route.id);
  await start(route);
  expect([await seenBy(owner, first), await ofOwner()]).toEqual([[route.id, null], route.id]);
  await driver.api.deliveries.fail({ params: { id: first }, body: { reason: 'Nobody home' } });
  expect([await seenBy(admin, first), await seenBy(owner, first)]).toEqual([
    [route.id, depotId],
    [null, depotId],
  ]);
  await finish(route, [second]);
  expect([await seenBy(admin, first), await seenBy(admin, second)]).toEqual([
    [null, depotId],
    [null, depotId],
  ]);
});

test('where places are known arrivals are driving times, the same for everybody, nearer with the position of the driver', async () => {
  const { route, packages } = await plan(2);
  // 3 km of road apart, to the north of the depot. Their own street: completed deliveries teach the address book where it is.
  const latOf = (step: number) => 53.55 + (step * 3000) / 1.35 / 111_195;
  for (const [index, { id }] of packages.entries())
    await product.ctx.db.query(
      `update packages set place_lon = 10, place_lat = $2, place_accuracy = 'rooftop', place_source = 'pin', address_street = 'North Road 1'
       where id = $1`,
      [id, latOf(index + 1)],
    );
  await product.ctx.db.query(
    `update depots set place_lon = 10, place_lat = $2, place_accuracy = 'pin', place_source = 'pin' where id = $1`,
    [depotId, latOf(0)],
  );
  const windows = async (who = admin) => (await read(route, who)).stops.map(({ arrivalWindow }) => arrivalWindow);
  const at = (from: string, to: string) => ({ from: `2026-06-10T${from}:00.000Z`, to: `2026-06-10T${to}:00.000Z` });
  expect(await windows()).toEqual([at('07:05', '07:15'), at('07:10', '07:25')]);
  const second = packages[1]?.id ?? '';
  const setWindow = (from: string | null, to: string | null) =>
    product.ctx.db.query('update packages set window_from = $2, window_to = $3 where id = $1', [second, from, to]);
  const risky = async (who = admin) => {
    const query = { atRisk: true };
    const { items } =
      who === admin
        ? await admin.api.inventory.packages({ query })
        : await who.api.packages.listOfUser({ params: { id: who.id }, query });
    return items.map(({ id }) => id);
  };
  const marks = async () => {
    const { items } = await owner.api.packages.listOfUser({ params: { id: owner.id }, query: { limit: 100 } });
    return items.flatMap(({ id, atRisk, arrivalWindow }) => (atRisk ? { id, arrivalWindow } : []));
  };
  // Planned for later than its recipient is there: staff and its owner know it before the start, its owner without a time.
  await setWindow('2026-06-10T06:00:00.000Z', '2026-06-10T07:12:00.000Z');
  await storeForecasts(product.ctx);
  expect([await risky(), await risky(owner)]).toEqual([[second], [second]]);
  expect(await marks()).toEqual([{ id: second, arrivalWindow: null }]);
  expect((await admin.api.stats.needs()).atRisk).toEqual({ count: 1, isCapped: false });
  await setWindow(null, null);
  await storeForecasts(product.ctx);
  expect([await risky(), await marks()]).toEqual([[], []]);
  await start(route);
  const started = [at('06:05', '06:15'), at('06:10', '06:25')];
  expect(await windows()).toEqual(started);
  expect(await windows(driver)).toEqual(started);
  expect((await owner.api.packages.read({ params: { id: second } })).arrivalWindow).toEqual(started[1]);
  const trackingId = packages[1]?.trackingId ?? '';
  const track = async () => (await product.api().tracking.view({ params: { id: trackingId } })).arrivalWindow;
  expect(await track()).toEqual(started[1]);
  await driver.api.positions.agree({ body: { agreed: true } });
  time = new Date('2026-06-10T06:20:00.000Z');
  // Late: still at the depot.
  const body = { positions: [{ at: time.toISOString(), lon: 10, lat: latOf(0) }] };
  await driver.api.positions.report({ body });
  expect(await track()).toEqual(at('06:30', '06:45'));
  // Its recipient is there until 06:33 only: at risk before it is late, and late after that.
  await setWindow('2026-06-10T06:00:00.000Z', '2026-06-10T06:33:00.000Z');
  expect(await risky()).toEqual([]);
  await storeForecasts(product.ctx);
  expect([await risky(), await risky(owner)]).toEqual([[second], [second]]);
  expect((await admin.api.stats.needs()).atRisk).toEqual({ count: 1, isCapped: false });
  const signals = async () =>
    (await product.ctx.db.query("select from outbox where type = 'package.forecast' and package_id = $1", [second]))
      .length;
  const told = await signals();
  await storeForecasts(product.ctx);
  expect([told, await signals()]).toEqual([3, 3]);
  time = new Date('2026-06-10T06:34:00.000Z');
  expect(await risky()).toEqual([]);
  await storeForecasts(product.ctx);
  expect(await product.ctx.db.query('select from packages_at_risk')).toEqual([]);
  // Nobody knows more after that: wider, never hidden.
  time = new Date('2026-06-10T06:50:00.000Z');
  const wide = await track();
  expect([wide?.from, (wide?.to ?? '') > '2026-06-10T07:15']).toEqual(['2026-06-10T06:50:00.000Z', true]);
  time = new Date('2026-06-10T06:55:00.000Z');
  await storeForecasts(product.ctx);
  // They were at the first door from 06:40 to 06:42, and say so later, elsewhere.
  const door = { lon: 10, lat: latOf(1), accuracy: 5 };
  const there = ['06:40', '06:41', '06:42'].map((minute) => ({ ...door, at: `2026-06-10T${minute}:00.000Z` }));
  await driver.api.positions.report({ body: { positions: there } });
  await driver.api.deliveries.complete({ params: { id: packages[0]?.id ?? '' } });
  // The second came to the next horizon, and is done an hour later.
  await storeForecasts(product.ctx);
  time = new Date('2026-06-10T07:20:00.000Z');
  await driver.api.deliveries.complete({ params: { id: second } });
  await storeForecasts(product.ctx);
  await storeForecasts(product.ctx);
  const near = await product.ctx.db.query<{ near_at: Date; near_until: Date; arrived_at: Date }>(
    `select near_at, near_until, f.arrived_at from door_stays join arrival_forecasts f using (package_id) where package_id = $1`,
    [packages[0]?.id],
  );
  expect(near).toEqual([
    {
      near_at: new Date(there[0]?.at ?? 0),
      near_until: new Date(there[2]?.at ?? 0),
      arrived_at: new Date(there[0]?.at ?? 0),
    },
  ]);
  const figures = await admin.api.stats.arrivals({ query: {} });
  const rows = await product.ctx.db.query<
    Record<'made_at' | 'median_at' | 'from_at' | 'to_at' | 'fixed_at' | 'arrived_at', Date> & { horizon: number }
  >('select horizon, made_at, median_at, from_at, to_at, fixed_at, arrived_at from arrival_forecasts');
  const recounted = [0, 1].map((horizon) => {
    const of = rows.filter((row) => row.horizon === horizon);
    const mean = (valueOf: (row: (typeof of)[number]) => number) =>
      Math.round((of.reduce((sum, row) => sum + valueOf(row), 0) / of.length) * 10) / 10;
    const inside = of.filter((row) => row.arrived_at >= row.from_at && row.arrived_at <= row.to_at).length;
    return {
      fromStops: [1, 2][horizon],
      toStops: [1, 3][horizon],
      arrivals: of.length,
      inWindow: (inside / of.length) * 100,
      late: (of.filter((row) => row.arrived_at > row.to_at).length / of.length) * 100,
      minutes: mean((row) => Math.abs(row.arrived_at.getTime() - row.median_at.getTime()) / 60_000),
      fixedMinutes: mean((row) => Math.abs(row.arrived_at.getTime() - row.fixed_at.getTime()) / 60_000),
    };
  });
  expect(figures.horizons).toMatchObject(recounted);
  expect(recounted.map(({ arrivals }) => arrivals)).toEqual([2, 1]);
  // The server itself may have learned meanwhile.
  await product.ctx.db.query('delete from arrival_model');
  expect(await learnArrivals(product.ctx)).toBe(true);
  expect(await learnArrivals(product.ctx)).toBe(false);
  expect((await admin.api.stats.arrivals({ query: {} })).learned).toMatchObject({ arrivals: 3 });
  // The second stop took longer than any is believed to: two and a half times what was expected, of its driver as of all.
  const paces = await product.ctx.db.query<{ driver_id: string; pace: number }>(
    'select driver_id, pace from driver_paces',
  );
  const slow = paces.find(({ driver_id: id }) => id === driver.id)?.pace ?? 0;
  expect(slow).toBeGreaterThan(1.15);
  expect(slow).toBeLessThan(1.3);
  await product.ctx.db.query('delete from driver_paces');
  await product.ctx.db.query('delete from arrival_model');
  await product.ctx.db.query(
    'update depots set place_lon = null, place_lat = null, place_accuracy = null where id = $1',
    [depotId],
  );
});

test('on a started route the tracker and the owner see the arrival and the stops before it, live, and nothing of a planned one', async () => {
  const { route, packages } = await plan(3);
  const [first, , third] = packages;
  if (!first || !third) throw new Error('no packages');
  const track = () => owner.api.tracking.view({ params: { id: third.trackingId } });
  const arrival = (answer: object) => {
    const { arrivalWindow, stopsAway, estimatedDeliveryTime } = answer as Package;
    return { arrivalWindow, stopsAway, estimatedDeliveryTime };
  };
  const none = { arrivalWindow: null, stopsAway: null, estimatedDeliveryTime: null };
  expect(arrival(await track())).toEqual(none);
  await start(route);
  const expected = {
    arrivalWindow: { from: '2026-06-10T06:00:00.000Z', to: '2026-06-10T07:00:00.000Z' },
    stopsAway: 2,
    estimatedDeliveryTime: '2026-06-10T06:30:00.000Z',
  };
  const own = async () =>
    (await owner.api.packages.listOfUser({ params: { id: owner.id }, query: { limit: 200 } })).items;
  const ofThird = ({ id }: { id: string }) => id === third.id;
  expect(arrival(await track())).toEqual(expected);
  expect(arrival(await owner.api.packages.read({ params: { id: third.id } }))).toEqual(expected);
  expect(arrival((await own()).find(ofThird) ?? {})).toEqual(expected);
  expect(arrival((await driver.api.deliveries.mine({ query: {} })).items.find(ofThird) ?? {})).toEqual(expected);
  expect(arrival((await read(route)).stops[2]?.delivery ?? {})).toEqual(expected);
  // Live Operations shows these rows.
  const { items: live } = await admin.api.stats.rows({ query: { figure: 'inTransitPackages', limit: 200 } });
  expect(arrival(live.find(({ packageId }) => packageId === third.id) ?? {})).toEqual(expected);
  const tracker = await watch(product, `/track/${third.trackingId}/live`);
  const owners = await watch(product, '/live', owner.token);
  time = new Date('2026-06-10T06:30:00.000Z');
  await driver.api.deliveries.complete({ params: { id: first.id } });
  const later = {
    arrivalWindow: { from: '2026-06-10T06:30:00.000Z', to: '2026-06-10T07:20:00.000Z' },
    stopsAway: 1,
    estimatedDeliveryTime: '2026-06-10T06:50:00.000Z',
  };
  await eventually('the view', () => tracker.events.some(({ data }) => (data as Package).stopsAway === 1));
  await eventually('the hint', () => owners.events.some(({ data }) => (data as { id?: string }).id === third.id));
  tracker.stop();
  owners.stop();
  expect(arrival(await track())).toEqual(later);
  // Where its stored view is missing the lookup composes the same.
  await product.ctx.db.query('update public_views set stale = true where package_id = $1', [third.id]);
  expect(arrival(await track())).toEqual(later);
});

/** A started route of a driver of its own. */
async function startedRoute(count: number) {
  const colleague = await product.register('driver', 'Carl Colleague');
  const { route, packages } = await plan(count, { driverId: colleague.id });
  await start(route, colleague);
  return { colleague, route, packages };
}

test('a driver offers stops to a colleague, who sees them as unclaimed and accepts: they become the last of their started route', async () => {
  const { route, packages } = await plan(3);
  await start(route);
  const [first, second, third] = idsOf(packages);
  if (!first || !second || !third) throw new Error('no packages');
  const there = await startedRoute(1);
  const { colleague } = there;
  const watcher = await watch(product, '/live', colleague.token);
  const offer = (packageIds: string[], to = colleague) =>
    driver.api.offers.create({ params: { id: route.id }, body: { packageIds, driverId: to.id } });
  const made = await offer([third, second]);
  expect(made).toMatchObject({ routeId: route.id, state: 'open', expiresAt: '2026-06-10T06:15:00.000Z' });
  await eventually('the hint', () => watcher.events.some(({ data }) => (data as { type?: string }).type === 'route'));
  watcher.stop();
  expect(await driver.api.offers.colleagues()).toContainEqual({ id: colleague.id, name: 'Carl Colleague' });
  expect((await driver.api.offers.colleagues()).map(({ id }) => id)).not.toContain(driver.id);
  expect((await admin.api.offers.open()).find(({ id }) => id === made.id)).toMatchObject({
    from: 'Dana Driver',
    to: 'Carl Colleague',
    deliveries: [{ recipientName: null }, { recipientName: null }],
  });
  const [seen] = await colleague.api.offers.mine();
  expect(seen).toMatchObject({ id: made.id, from: 'Dana Driver', to: 'Carl Colleague' });
  expect(seen?.deliveries.map(({ recipientName, recipientAddress }) => [recipientName, recipientAddress])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect((await driver.api.offers.mine())[0]?.deliveries[0]?.recipientName).toBe('Anna Maria Berg');
  expect(await failureOf(offer([third]))).toMatchObject({ status: 409, code: 'conflict' });
  expect(await failureOf(offer([route.id]))).toMatchObject({ status: 422 });
  expect(await failureOf(offer([first], driver))).toMatchObject({ status: 422 });
  // They stay the driver's, who may still deliver one of them.
  await driver.api.deliveries.complete({ params: { id: second } });
  const params = { id: made.id };
  expect(await failureOf(driver.api.offers.accept({ params }))).toMatchObject({ status: 404 });
  const [accepted, again] = [
    await colleague.api.offers.accept({ params }),
    await colleague.api.offers.accept({ params }),
  ];
  expect(again).toEqual(accepted);
  expect(accepted).toMatchObject({ state: 'accepted', deliveries: [{ id: third, recipientName: 'Anna Maria Berg' }] });
  expect(stopIdsOf(await read(there.route))).toEqual([there.packages[0]?.id, third]);
  expect(statesOf(await read(route))).toEqual(['next', 'delivered']);
  expect(await failureOf(driver.api.offers.remove({ params }))).toMatchObject({ status: 409 });
});

test('a lane says how far a route is and what will be late, without whose its stops are', async () => {
  const { route, packages } = await plan(2);
  const [first, second] = packages;
  const window = { from: '2026-06-10T05:00:00.000Z', to: '2026-06-10T06:05:00.000Z' };
  const late = await createPackage(owner, { address, window });
  await addStops(route, [late]);
  const laneOf = async () => (await admin.api.routes.lanes()).find(({ routeId }) => routeId === route.id);
  expect(await laneOf()).toMatchObject({
    day,
    depotId,
    timeZone: 'Europe/Berlin',
    driverId: driver.id,
    driver: 'Dana Driver',
    state: 'planned',
    startsAt: '2026-06-10T07:00:00.000Z',
    shift: null,
    stops: [
      { packageId: first?.id, state: 'open', late: false },
      { packageId: second?.id, state: 'open', late: false },
      { packageId: late.id, state: 'open', late: true },
    ],
  });
  const shift = { startsAt: '2026-06-10T05:30:00.000Z', endsAt: '2026-06-10T13:00:00.000Z' };
  for (const hours of [{ startsAt: '2026-06-09T05:00:00Z', endsAt: '2026-06-09T13:00:00Z' }, shift])
    await admin.api.shifts.create({ body: { driverId: driver.id, ...hours } });
  await start(route);
  time = new Date('2026-06-10T06:02:00.000Z');
  await driver.api.deliveries.complete({ params: { id: first?.id ?? '' } });
  const lane = await laneOf();
  expect(lane?.shift).toEqual({ from: shift.startsAt, to: shift.endsAt });
  expect(lane?.state).toBe('started');
  expect(lane?.stops.map(({ state, late: isLate }) => [state, isLate])).toEqual([
    ['delivered', false],
    ['next', false],
    ['open', true],
  ]);
  expect(lane?.stops[0]?.at).toBe('2026-06-10T06:02:00.000Z');
  expect(JSON.stringify(lane)).not.toMatch(/Am Markt|PKG-/);
  // Of tomorrow there is none yet, and of a finished route none any more.
  const tomorrow = await create({ day: '2026-06-11', startsAt: '2026-06-11T07:00:00Z', confirm: true });
  await addStops(tomorrow, await make(1));
  await finish(route, [second?.id ?? '', late.id]);
  expect((await admin.api.routes.lanes()).filter(({ driverId }) => driverId === driver.id)).toEqual([]);
});

test('an offer is declined, withdrawn, or over after 15 minutes; without a started route it cannot be accepted', async () => {
  const { route, packages } = await plan(2);
  await start(route);
  const { colleague } = await startedRoute(1);
  const waiting = await product.register('driver');
  const offer = async (to = colleague) => {
    const body = { packageIds: idsOf(packages), driverId: to.id };
    return { id: (await driver.api.offers.create({ params: { id: route.id }, body })).id };
  };
  const declined = await offer();
  expect(await colleague.api.offers.decline({ params: declined })).toMatchObject({
    state: 'declined',
    deliveries: [{}, {}],
  });
  expect(await failureOf(colleague.api.offers.accept({ params: declined }))).toMatchObject({
    status: 409,
    code: 'no_longer_available',
  });
  // Whoever offers is told, once.
  await colleague.api.offers.decline({ params: declined });
  const told = async (who: TestUser) =>
    (await who.api.notifications.list({ query: {} })).items.filter(({ type }) => type.startsWith('offer.'));
  await eventually('the driver is told', async () => (await told(driver)).length > 0);
  expect(await told(driver)).toMatchObject([{ title: 'Offer declined', packageId: null, readAt: null }]);
  expect(await told(colleague)).toEqual([]);
  const withdrawn = await offer();
  await driver.api.offers.remove({ params: withdrawn });
  expect(await colleague.api.offers.mine()).toEqual([]);
  expect(await waiting.api.offers.colleagues()).toEqual([]);
  const refused = await offer(waiting);
  expect(await failureOf(waiting.api.offers.accept({ params: refused }))).toMatchObject({
    status: 409,
    code: 'no_route',
  });
  time = new Date('2026-06-10T06:15:00.000Z');
  expect(await driver.api.offers.mine()).toEqual([]);
  expect(await failureOf(waiting.api.offers.decline({ params: refused }))).toMatchObject({
    code: 'no_longer_available',
  });
  await expireOffers(product.ctx);
  await expireOffers(product.ctx);
  await eventually('the driver is told', async () => (await told(driver)).length > 1);
  expect((await told(driver)).map(({ title }) => title)).toEqual(['Offer not answered', 'Offer declined']);
  expect(await told(waiting)).toEqual([]);
  // Whoever offered sees it for an hour, and nobody else does.
  expect(await driver.api.offers.mine()).toMatchObject([{ ...refused, state: 'expired', deliveries: [{}, {}] }]);
  expect(await waiting.api.offers.mine()).toEqual([]);
  time = new Date('2026-06-10T07:20:00.000Z');
  expect(await driver.api.offers.mine()).toEqual([]);
  time = new Date('2026-06-10T06:15:00.000Z');
  // What is taken back, or accepted at the same moment, is with one driver.
  const contested = await offer();
  await Promise.all([
    failureOf(colleague.api.offers.accept({ params: contested })),
    failureOf(move(route, packages, null)),
  ]);
  for (const { id } of packages) {
    const { status, driverId } = await owner.api.packages.read({ params: { id } });
    expect([status === 'processing', driverId]).toEqual([
      status === 'processing',
      status === 'processing' ? null : colleague.id,
    ]);
  }
});

test('an order by postal code, town and street is proposed, in which locked stops keep their place; a stop edited since is marked', async () => {
  const packages = [];
  for (const [street, postalCode] of [
    ['Lange Reihe 10', '20099'],
    ['Am Markt 3', '20095'],
    ['Lange Reihe 9', '20099'],
    [null, null],
    ['Zippelhaus 1', '20095'],
  ] as const)
    packages.push(
      await createPackage(owner, { address: street === null ? null : { street, postalCode, city: 'Hamburg' } }),
    );
  const [ten, markt, nine, none, zippel] = idsOf(packages) as [string, string, string, string, string];
  const route = await create();
  await addStops(route, packages);
  const params = { id: route.id };
  const sort = (who = admin) => who.api.routes.proposeOrder({ params });
  expect(stopIdsOf(await sort())).toEqual([markt, zippel, nine, ten, none]);
  await admin.api.routes.update({
    params,
    body: { order: [none, ten, nine, zippel, markt], locked: [none, zippel], version: anyVersion },
  });
  const sorted = await sort(driver);
  expect(stopIdsOf(sorted)).toEqual([none, markt, nine, zippel, ten]);
  expect(await sort()).toEqual(sorted);
  expect(sorted.stops.map(({ changed }) => changed)).toEqual([false, false, false, false, false]);
  time = new Date('2026-06-10T06:01:00.000Z');
  await owner.api.packages.update({ params: { id: nine }, body: { instructions: 'Ring twice' } });
  const after = await start(route);
  expect(after.stops.flatMap(({ changed, packageId }) => (changed ? packageId : []))).toEqual([nine]);
  // The one that is out for delivery stays first.
  expect(stopIdsOf(await sort(driver))).toEqual([none, markt, nine, zippel, ten]);
});

test('waiting packages are scanned in at a depot: their place for everybody, no edit of a planned stop; others are refused', async () => {
  const { route, packages } = await plan(2);
  const [planned, started] = packages;
  const [waiting] = await make(1);
  if (!planned || !started || !waiting) throw new Error('no packages');
  await move(route, [started], null);
  await driver.api.deliveries.start({ params: { id: started.id } });
  time = new Date('2026-06-10T06:01:00.000Z');
  const receive = (trackingIds: string[], id = depotId) =>
    admin.api.routes.receive({ params: { id }, body: { trackingIds } });
  const scanned = [planned.trackingId.toLowerCase(), waiting.trackingId, started.trackingId, 'PKG-UNKNOWN0'];
  expect(await receive(scanned)).toMatchObject({
    done: [planned.id, waiting.id],
    refused: [
      { trackingId: started.trackingId, code: 'started' },
      { trackingId: 'PKG-UNKNOWN0', code: 'gone' },
    ],
  });
  const params = { id: planned.id };
  const seen = await owner.api.packages.read({ params });
  expect(seen).toMatchObject({ location: 'Waybill', depotId, version: planned.version + 1 });
  expect(await owner.api.tracking.view({ params: { id: planned.trackingId } })).toMatchObject({
    location: 'Waybill',
    events: [{ type: 'package.updated', location: 'Waybill' }, { type: 'package.created' }],
  });
  await receive([planned.trackingId]);
  expect(await owner.api.packages.read({ params })).toEqual(seen);
  expect((await read(route)).stops.map(({ changed }) => changed)).toEqual([false]);
  expect(await failureOf(receive([waiting.trackingId], route.id))).toMatchObject({ status: 404 });
});

describe('the order of stops by their places', () => {
  /** On a circle around the depot: the shortest tour goes once around. */
  const onCircle = (hour: number) => ({
    lon: 9.99 + 0.03 * Math.cos((hour * Math.PI) / 6),
    lat: 53.55 + 0.018 * Math.sin((hour * Math.PI) / 6),
  });
  const setPlace = (table: 'packages' | 'depots', id: string, { lon, lat }: { lon: number; lat: number }) =>
    product.ctx.db.query(
      `update ${table} set place_lon = $2, place_lat = $3, place_accuracy = 'pin', place_source = 'pin' where id = $1`,
      [id, lon, lat],
    );
  const optimize = (route: { id: string }, who = driver, body: { limitSeconds?: number } = {}) =>
    who.api.routes.optimize({ params: { id: route.id }, body });

  test('stops are driven in a better order; those that are locked, on their way or without a place keep their position', async () => {
    const { route, packages } = await plan(10);
    const ids = idsOf(packages);
    expect(await failureOf(optimize(route))).toMatchObject({ status: 409, code: 'no_place' });
    const hours = [1, 7, 3, 11, 5, 9, 2, 8, 4];
    for (const [index, hour] of hours.entries()) await setPlace('packages', ids[index] ?? '', onCircle(hour));
    expect(await failureOf(optimize(route))).toMatchObject({
      code: 'no_place',
      message: 'The depot has no place yet. Please give it an address or a pin first.',
    });
    await setPlace('depots', depotId, onCircle(0));
    const hoursOf = ({ stops }: Route) => stops.map(({ packageId }) => hours[ids.indexOf(packageId)] ?? null);

    const better = await optimize(route);
    const around = hoursOf(better);
    // Either way round; the one without a place stays last.
    const placed = around.slice(0, 9);
    expect((placed[0] ?? 0) > 6 ? placed.toReversed() : placed).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 11]);
    expect(around[9]).toBeNull();
    expect(better).toMatchObject({ version: route.version + 1, optimized: { withoutPlace: [ids[9]], late: [] } });
    const { before, after } = better.optimized;
    expect(after.metres).toBeLessThan(before.metres * 0.6);
    expect(after.seconds).toBeCloseTo(after.metres / (28 / 3.6), -2);
    // A repetition finds nothing better, and changes nothing.
    expect(await optimize(route, admin)).toMatchObject({
      version: better.version,
      optimized: { before: after, after },
    });

    const locked = [ids[4] ?? '', ids[1] ?? ''];
    await admin.api.routes.update({ params: { id: route.id }, body: { order: ids, locked, version: anyVersion } });
    const kept = stopIdsOf(await optimize(route));
    expect([kept[4], kept[1], kept[9]]).toEqual([ids[4], ids[1], ids[9]]);
    await admin.api.routes.update({ params: { id: route.id }, body: { order: ids, locked: [], version: anyVersion } });
    await start(route);
    await driver.api.deliveries.next({ params: { id: ids[2] ?? '' } });
    const underWay = await optimize(route);
    expect(stopIdsOf(underWay)[2]).toBe(ids[2]);
    expect(underWay.optimized.after.metres).toBeLessThan(underWay.optimized.before.metres);
    expect(await failureOf(optimize(route, await product.register('driver')))).toMatchObject({ status: 404 });
  });

  test('a stop with a window comes in time though it is a detour; an order found for a route that changed meanwhile is refused', async () => {
    const { route, packages } = await plan(3);
    const [first, second, last] = idsOf(packages) as [string, string, string];
    await setPlace('depots', depotId, onCircle(0));
    for (const [index, hour] of [2, 4, 6].entries())
      await setPlace('packages', packages[index]?.id ?? '', onCircle(hour));
    const window = { from: '2026-06-10T07:00:00.000Z', to: '2026-06-10T07:20:00.000Z' };
    await owner.api.packages.update({ params: { id: last }, body: { window } });
    const optimized = await optimize(route);
    expect(stopIdsOf(optimized)).toEqual([last, second, first]);
    expect(optimized.optimized).toMatchObject({ before: { late: 1 }, after: { late: 0 }, late: [] });

    const { optimizer } = product.ctx;
    const replace = (putInOrder: typeof optimizer.putInOrder) => (product.ctx.optimizer = { ...optimizer, putInOrder });
    try {
      replace(async (...task) => {
        await admin.api.routes.update({
          params: { id: route.id },
          body: { order: [first, second, last], version: anyVersion },
        });
        return optimizer.putInOrder(...task);
      });
      expect(await failureOf(optimize(route))).toMatchObject({ code: 'stale' });
      expect(stopIdsOf(await read(route))).toEqual([first, second, last]);
      replace(() => Promise.reject(new OptimizerFailed('wrong_arrival: 2 instead of 1')));
      expect(await failureOf(optimize(route))).toMatchObject({ status: 503 });
    } finally {
      product.ctx.optimizer = optimizer;
    }
  });
});

test('a planned route that should have started begins now for 12 hours, so that no arrival is in the past', async () => {
  const { route } = await plan(2);
  const arrivals = async () => (await read(route)).stops.map(({ arrivesAt }) => arrivesAt);
  time = new Date('2026-06-10T06:59:00.000Z');
  expect(await arrivals()).toEqual(['2026-06-10T07:10:00.000Z', '2026-06-10T07:20:00.000Z']);
  time = new Date('2026-06-10T09:03:00.000Z');
  expect(await arrivals()).toEqual(['2026-06-10T09:13:00.000Z', '2026-06-10T09:23:00.000Z']);
  time = new Date('2026-06-10T19:00:00.000Z');
  expect(await arrivals()).toEqual(['2026-06-10T19:10:00.000Z', '2026-06-10T19:20:00.000Z']);
  // Nobody drives it any more.
  time = new Date('2026-06-10T19:00:01.000Z');
  expect(await arrivals()).toEqual(['2026-06-10T07:10:00.000Z', '2026-06-10T07:20:00.000Z']);
});

test('who drives on a day is listed for every depot, until the route is finished', async () => {
  const other = await admin.api.depots.create({
    body: { name: 'Depot of the other town', timeZone: 'Europe/Berlin' },
  });
  const colleague = await product.register('driver');
  const { route } = await plan(1, { day: '2026-06-14', startsAt: null, confirm: true });
  const far = await create({
    day: '2026-06-14',
    depotId: other.id,
    driverId: colleague.id,
    startsAt: null,
    confirm: true,
  });
  const nobodys = await create({ day: '2026-06-14', driverId: null, startsAt: null });
  // Other tests have routes on these days, too.
  const busyOn = async (on: string) =>
    (await admin.api.dispatch.busy({ query: { day: on } })).filter(({ routeId }) =>
      [route.id, far.id, nobodys.id].includes(routeId),
    );
  const { name: depot } = (await admin.api.depots.list()).find(({ id }) => id === depotId) ?? {};
  const busy = { driverId: driver.id, routeId: route.id, state: 'planned', depotId, depot };
  const elsewhere = { driverId: colleague.id, routeId: far.id, state: 'planned', depotId: other.id, depot: other.name };
  expect(await busyOn('2026-06-14')).toEqual([busy, elsewhere]);
  expect(await busyOn('2026-06-15')).toEqual([]);
  // A plan from here cannot have the colleague, and says whom it means.
  await product.ctx.db.query(
    "update depots set place_lon = 10, place_lat = 53.5, place_accuracy = 'pin', place_source = 'pin' where id = $1",
    [depotId],
  );
  expect(
    await failureOf(
      admin.api.plans.create({ body: { day: '2026-06-14', depotId, driverIds: [colleague.id], confirm: true } }),
    ),
  ).toMatchObject({
    status: 422,
    fields: {
      driverIds: `${colleague.user.name} has a route on that day already, maybe from another depot. Please leave them out.`,
    },
  });
  time = new Date('2026-06-14T06:00:00.000Z');
  await start(route);
  expect(await busyOn('2026-06-14')).toEqual([{ ...busy, state: 'started' }, elsewhere]);
  await finish(route);
  expect(await busyOn('2026-06-14')).toEqual([elsewhere]);
});
