import type { Client, Route, WaitingFilter } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rollUpWaiting } from '../packages/waiting-counts.ts';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { sharesOf } from './reassign.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let depotId: string;
let time = new Date('2026-06-10T05:00:00.000Z');

beforeAll(async () => {
  product = await openTestProduct({ now: () => time, config: { TIME_ZONE: 'Europe/Berlin' } });
  admin = await product.register('admin');
  owner = await product.register('owner', 'Kaffeewerk');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
});
afterAll(() => product.close());

const day = '2026-06-10';
const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);
const make = (street: string, postalCode = '22765', fields: object = {}) =>
  createPackage(owner, { address: { street, postalCode, city: 'Hamburg' }, ...fields });
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
const waiting = (query: WaitingFilter = {}) => admin.api.dispatch.waiting({ query });
const inGroup = (postalCode: string, query: object = {}) =>
  admin.api.dispatch.waitingPackages({ query: { postalCode, town: postalCode && 'Hamburg', ...query } });
const streetsIn = async (postalCode: string, query: object = {}) =>
  (await inGroup(postalCode, query)).items.map(({ street }) => street);
const streetsOf = ({ stops }: Route) => stops.map(({ delivery }) => delivery.recipientAddress?.split(',')[0]);
const create = (driver: TestUser | null, fields: object = {}) =>
  admin.api.routes.create({ body: { day, depotId, driverId: driver?.id ?? null, ...fields } });
const read = ({ id }: { id: string }) => admin.api.routes.read({ params: { id } });
const plan = async (driver: TestUser, packageIds: string[]) => {
  const route = await create(driver);
  if (packageIds.length > 0) await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds } });
  return route;
};

test('what waits is counted by postal code and town, and listed by street and house number', async () => {
  const late = { window: { from: '2026-06-10T08:00:00Z', to: '2026-06-10T10:00:00Z' }, reference: 'K-1' };
  const [large] = [await make('Eulenstr. 43', '22765', { weight: 6.2, ...late }), await make('Eulenstr. 9')];
  const planned = await make('Arnoldstr. 30');
  await make('Eimsbütteler Str. 1', '20259', { eta: '2026-07-01' });
  await createPackage(owner);
  expect(await waiting()).toEqual({
    groups: [
      { postalCode: '20259', town: 'Hamburg', packages: 1, kilograms: 2.5 },
      { postalCode: '22765', town: 'Hamburg', packages: 3, kilograms: 11.2 },
      { postalCode: null, town: null, packages: 1, kilograms: 2.5 },
    ],
    next: null,
    packages: 5,
    kilograms: 16.2,
  });
  expect(await streetsIn('22765')).toEqual(['Arnoldstr. 30', 'Eulenstr. 9', 'Eulenstr. 43']);
  const first = await inGroup('22765', { limit: 2, count: true });
  expect(first.total).toBe(3);
  expect(await streetsIn('22765', { cursor: first.next })).toEqual(['Eulenstr. 43']);
  expect(await streetsIn('')).toEqual([null]);
  expect((await inGroup('22765', { reference: 'k-' })).items).toEqual([
    {
      id: large.id,
      trackingId: large.trackingId,
      name: large.name,
      postalCode: '22765',
      town: 'Hamburg',
      street: 'Eulenstr. 43',
      window: late.window && { from: '2026-06-10T08:00:00.000Z', to: '2026-06-10T10:00:00.000Z' },
      ownerId: owner.id,
      owner: 'Kaffeewerk',
      weight: 6.2,
      attempts: 0,
      reference: 'K-1',
      eta: large.eta,
      inVan: false,
      returns: false,
      proposedDay: null,
    },
  ]);
  const countOf = async (query: WaitingFilter) => (await waiting(query)).packages;
  expect(await countOf({ place: '222' })).toBe(0);
  expect(await countOf({ place: '2025' })).toBe(1);
  expect(await countOf({ place: 'hamb' })).toBe(4);
  expect(await countOf({ q: 'eulenstr' })).toBe(2);
  expect(await countOf({ ownerId: owner.id })).toBe(5);
  expect(await countOf({ ownerId: admin.id })).toBe(0);
  expect(await countOf({ owner: 'KAFFEE' })).toBe(5);
  expect(await countOf({ owner: 'kaffee%' })).toBe(0);
  expect(await countOf({ weightFrom: '6.2' })).toBe(1);
  expect(await countOf({ weightFrom: '6.3' })).toBe(0);
  expect((await countOf({ weightTo: '6.199' })) + 1).toBe(await countOf({ weightTo: '6.2', weightFrom: '0' }));
  expect((await inGroup('22765', { weightFrom: '6.2', weightTo: '50' })).items).toMatchObject([{ id: large.id }]);
  expect(await failureOf(waiting({ weightFrom: '-1' }))).toMatchObject({ status: 422 });
  expect(await countOf({ window: 'morning' })).toBe(1);
  expect(await countOf({ window: 'afternoon' })).toBe(0);
  expect(await countOf({ window: 'none' })).toBe(4);
  expect(await countOf({ attempts: '1' })).toBe(0);
  expect(await countOf({ day: '2026-06-30' })).toBe((await countOf({ day: '2026-07-01' })) - 1);
  // The same once the changes are rolled up, by which other rows are read.
  const filters: WaitingFilter[] = [{}, { window: 'none' }, { window: 'morning' }, { place: '2025' }];
  const kept = filters.flatMap((filter) => [
    filter,
    { ...filter, day: '2026-06-09' },
    { ...filter, day: '2026-06-30' },
  ]);
  const changed = await Promise.all(kept.map(waiting));
  expect(changed.map(({ packages }) => packages)).toEqual([5, 3, 4, 4, 3, 3, 1, 0, 1, 1, 0, 0]);
  // By owner and by weight, on the boundary of a kilogram and within one.
  const ofSums: [WaitingFilter, number][] = [
    [{ ownerId: owner.id }, 5],
    [{ ownerId: admin.id }, 0],
    [{ owner: 'kaffee', place: '2025' }, 1],
    [{ ownerId: owner.id, owner: 'werk' }, 5],
    [{ ownerId: owner.id, owner: 'nobody' }, 0],
    [{ weightFrom: '0', place: 'hamb' }, 4],
    [{ weightFrom: '6.2' }, 1],
    [{ weightFrom: '6.199', weightTo: '6.2' }, 1],
    [{ weightFrom: '6.201' }, 0],
    [{ weightFrom: '6', weightTo: '7' }, 1],
    [{ weightFrom: '5.5', weightTo: '7.5' }, 1],
    [{ weightFrom: '7', weightTo: '5' }, 0],
    [{ weightTo: '6.199' }, 4],
    [{ weightTo: '6.2', owner: 'kaffee' }, 5],
  ];
  const summed = await Promise.all(ofSums.map(([filter]) => waiting(filter)));
  expect(summed.map(({ packages }) => packages)).toEqual(ofSums.map(([, packages]) => packages));
  // Of two and more filters together, against a count of the packages themselves: none of them has failed, which has sums only by itself.
  const pairs: WaitingFilter[] = [{}, { ownerId: owner.id }, { owner: 'kaffee', place: '22' }].flatMap((ofOwner) =>
    [{}, { weightFrom: '3' }, { weightFrom: '2.4', weightTo: '6.2' }].flatMap((ofWeight) =>
      [{}, { window: 'none' as const }, { window: 'morning' as const }].flatMap((ofWindow) =>
        [{}, { day: '2026-06-09' }].map((ofDay) => ({
          ...ofOwner,
          ...ofWeight,
          ...ofWindow,
          ...ofDay,
        })),
      ),
    ),
  );
  const counted = await Promise.all(pairs.map((filter) => waiting({ ...filter, attempts: '0' })));
  expect(new Set(counted.map(({ packages }) => packages))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  expect(await Promise.all(pairs.map(waiting))).toEqual(counted);
  await rollUpWaiting(product.ctx.db);
  expect(await Promise.all(pairs.map(waiting))).toEqual(counted);
  expect(await Promise.all(kept.map(waiting))).toEqual(changed);
  expect(await Promise.all(ofSums.map(([filter]) => waiting(filter)))).toEqual(summed);
  // All of a filter is what the list says.
  const listed: WaitingFilter[] = [
    ...kept,
    ...ofSums.map(([filter]) => filter),
    ...pairs.filter((_, index) => index % 5 === 3),
    { place: '2', owner: 'kaffee' },
    { place: 'x' },
  ];
  const selected = await Promise.all(
    listed.map((filter) => admin.api.dispatch.select({ body: { all: true, filter } })),
  );
  expect(selected.map(({ packages, packageIds }) => [packages, packageIds.length])).toEqual(
    (await Promise.all(listed.map(waiting))).map(({ packages }) => [packages, packages]),
  );
  const mapOf = (query: WaitingFilter) => admin.api.dispatch.waitingMap({ query });
  await owner.api.packages.setPlace({ params: { id: large.id }, body: { lon: 9.93, lat: 53.55 } });
  const onMap = { id: large.id, lon: 9.93, lat: 53.55, postalCode: '22765', town: 'Hamburg', weight: 6.2 };
  expect(await mapOf({})).toEqual({ packages: [onMap], more: false });
  expect(await mapOf({ window: 'none' })).toEqual({ packages: [], more: false });
  // What is planned does not wait any more; what failed on a started route waits for another day.
  const driver = await product.register('driver');
  const route = await plan(driver, [planned.id]);
  expect(await streetsIn('22765')).toEqual(['Eulenstr. 9', 'Eulenstr. 43']);
  await driver.api.routes.start({ params: { id: route.id } });
  await driver.api.deliveries.fail({ params: { id: planned.id }, body: { reason: 'Nobody home' } });
  expect((await inGroup('22765', { attempts: '1' })).items).toMatchObject([
    { id: planned.id, attempts: 1, inVan: true },
  ]);
  // Its driver ends the route without counting it in.
  await driver.api.routes.finish({ params: { id: route.id }, body: { returned: [] } });
  expect((await inGroup('22765', { attempts: '1' })).items).toMatchObject([{ id: planned.id, inVan: true }]);
  expect(await countOf({ attempts: '2' })).toBe(0);
  expect(await countOf({ attempts: '0' })).toBe(4);
  expect(await failureOf(admin.api.dispatch.waiting({ query: { after: '7' } }))).toMatchObject({ status: 422 });
});

test('what has failed and what has not is counted apart, in a van, back at the depot and on its way to the owner', async () => {
  const sender = await product.register('owner', 'Teehaus');
  await sender.api.users.updateProfile({
    body: { returnAddress: { street: 'Am Kai 3', postalCode: '88002', city: 'Ulm', country: null } },
  });
  const there = { street: 'Ring 2', postalCode: '88001', city: 'Ulm' };
  const [planned, alone, weight] = [1, 2, 4];
  const ids: string[] = [];
  for (const kilograms of [planned, alone, weight])
    ids.push((await createPackage(sender, { address: there, weight: kilograms })).id);
  const [onRoute = '', byItself = '', untried = ''] = ids;
  const groupsOf = async (query: WaitingFilter) =>
    (await waiting({ place: '8800', ...query })).groups.map(({ postalCode, packages, kilograms }) => [
      postalCode,
      packages,
      kilograms,
    ]);
  const failed = { '0': 'none', '1': 'some' } as const;
  /** As now and after a roll-up, and as counted from the packages themselves, of which none has a window. */
  const expectGroups = async (wanted: Record<'none' | 'some', unknown[]>) => {
    for (const when of ['changed', 'rolled up']) {
      for (const attempts of ['0', '1'] as const) {
        const groups = wanted[failed[attempts]];
        expect([when, attempts, await groupsOf({ attempts })]).toEqual([when, attempts, groups]);
        expect(await groupsOf({ attempts, window: 'none' })).toEqual(groups);
      }
      await rollUpWaiting(product.ctx.db);
    }
  };
  await expectGroups({ none: [['88001', 3, 7]], some: [] });
  const driver = await product.register('driver');
  const fail = (id: string) => driver.api.deliveries.fail({ params: { id }, body: { reason: 'Nobody home' } });
  await driver.api.deliveries.start({ params: { id: byItself } });
  await fail(byItself);
  await expectGroups({ none: [['88001', 2, 5]], some: [['88001', 1, 2]] });
  const route = await plan(driver, [onRoute]);
  await driver.api.routes.start({ params: { id: route.id } });
  await fail(onRoute);
  await expectGroups({ none: [['88001', 1, 4]], some: [['88001', 2, 3]] });
  await driver.api.routes.finish({ params: { id: route.id }, body: { returned: [onRoute] } });
  await sender.api.packages.update({ params: { id: byItself }, body: { weight: 2.5 } });
  await expectGroups({ none: [['88001', 1, 4]], some: [['88001', 2, 3.5]] });
  await sender.api.packages.chooseNextStep({ params: { id: byItself }, body: { kind: 'return' } });
  const some = [
    ['88001', 1, 1],
    ['88002', 1, 2.5],
  ];
  await expectGroups({ none: [['88001', 1, 4]], some });
  const select = (attempts: '0' | '1') =>
    admin.api.dispatch.select({ body: { all: true, filter: { place: '8800', attempts } } });
  expect(await select('0')).toMatchObject({ packageIds: [untried], packages: 1 });
  expect(await select('1')).toMatchObject({ packageIds: [onRoute, byItself], packages: 2 });
});

test('a dispatcher without the right to see packages sees neither street nor tracking ID, nor where drivers set out', async () => {
  const clerk = await product.register('owner');
  await admin.api.users.update({ params: { id: clerk.id }, body: { permissions: ['deliveries.assign'] } });
  const user = await product.api().auth.login({ body: { email: clerk.email, password: clerk.password } });
  const { items } = await product
    .api(user.token)
    .dispatch.waitingPackages({ query: { postalCode: '20259', town: 'Hamburg' } });
  expect(items).toMatchObject([{ street: null, postalCode: '20259' }]);
  expect(items[0]?.trackingId).toMatch(/^PKG-…\w{3}$/);
  const driver = await product.register('driver');
  const startPlace = { lon: 10.1, lat: 53.6 };
  await admin.api.users.update({ params: { id: driver.id }, body: { startPlace } });
  const { id } = await create(driver);
  const startFor = async (api: Client) => (await api.routes.read({ params: { id } })).start;
  expect(await startFor(product.api(user.token))).toBeNull();
  expect([await startFor(admin.api), await startFor(driver.api)]).toEqual([startPlace, startPlace]);
  await admin.api.routes.remove({ params: { id } });
});

test('a selection of everything, of groups and of packages without some names its packages in the order of delivery', async () => {
  const code = '21073';
  const made = [await make('Weg 10', code), await make('Weg 2', code), await make('Weg 1', '21075')];
  const [ten, two, other] = idsOf(made);
  const select = async (body: object) => (await admin.api.dispatch.select({ body })).packageIds;
  expect(await select({ all: true, filter: { place: '2107' } })).toEqual([two, ten, other]);
  expect(await select({ all: true, filter: { place: '2107' }, except: [two] })).toEqual([ten, other]);
  expect(await select({ groups: [{ postalCode: code, town: 'Hamburg' }] })).toEqual([two, ten]);
  expect(await select({ groups: [{ postalCode: code, town: 'Hamburg' }], packageIds: [other], except: [ten] })).toEqual(
    [two, other],
  );
  expect(await select({})).toEqual([]);
});

test('a split plans contiguous runs of as many stops, from the start of each driver’s shift', async () => {
  const [early, late] = [await product.register('driver', 'Early'), await product.register('driver', 'Late')];
  const shift = { startsAt: '2026-06-10T11:00:00Z', endsAt: '2026-06-10T19:00:00Z' };
  await admin.api.shifts.create({ body: { driverId: late.id, ...shift } });
  const made = await Promise.all(
    ['Weg 12', 'Weg 2', 'Weg 1', 'Weg 3', 'Weg 20', 'Weg 11'].map((street) => make(street, '21129')),
  );
  const body = { day, depotId, driverIds: [early.id, late.id], routes: 3, selection: { packageIds: idsOf(made) } };
  const [split, again] = [
    await admin.api.dispatch.split({ body, idempotencyKey: 'one-split' }),
    await admin.api.dispatch.split({ body, idempotencyKey: 'one-split' }),
  ];
  expect(again).toEqual(split);
  expect(split.refused).toEqual([]);
  expect(split.routes.map(streetsOf)).toEqual([
    ['Weg 1', 'Weg 2'],
    ['Weg 3', 'Weg 11'],
    ['Weg 12', 'Weg 20'],
  ]);
  expect(split.routes).toMatchObject([
    { driverId: early.id, state: 'planned', day, startsAt: '2026-06-10T06:00:00.000Z', kilograms: 5 },
    { driverId: late.id, startsAt: '2026-06-10T11:00:00.000Z' },
    { driverId: null, startsAt: '2026-06-10T06:00:00.000Z' },
  ]);
  // All of them are taken now.
  expect(await failureOf(admin.api.dispatch.split({ body }))).toMatchObject({
    status: 422,
    fields: { selection: 'None of these packages waits any more' },
  });
  const more = await make('Weg 4', '21129');
  const packageIds = [more.id, made[0]?.id ?? ''];
  const partly = await admin.api.dispatch.split({
    body: { ...body, driverIds: [], routes: 1, selection: { packageIds } },
  });
  expect(partly.refused).toMatchObject([{ packageId: made[0]?.id, code: 'on_other_route' }]);
  expect(partly.routes.map(streetsOf)).toEqual([['Weg 4']]);
});

test('a split is all or nothing', async () => {
  const pkg = await make('Weg 1', '21217');
  const selection = { packageIds: [pkg.id] };
  const noDriver = { day, depotId, driverIds: [owner.id], selection };
  expect(await failureOf(admin.api.dispatch.split({ body: noDriver }))).toMatchObject({ status: 422 });
  expect(await failureOf(admin.api.dispatch.split({ body: { day, depotId, selection } }))).toMatchObject({
    status: 422,
  });
  const nowhere = { day, depotId: pkg.id, routes: 2, selection };
  const before = (await admin.api.routes.list({ query: { limit: 200 } })).items.length;
  expect(await failureOf(admin.api.dispatch.split({ body: nowhere }))).toMatchObject({ fields: { depotId: /exist/ } });
  expect((await admin.api.routes.list({ query: { limit: 200 } })).items).toHaveLength(before);
  expect(await streetsIn('21217')).toEqual(['Weg 1']);
});

test('of two dispatchers who split the same packages at once each package is on one route', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => make(`Weg ${n}`, '21218')));
  const body = { day, depotId, routes: 2, selection: { all: true, filter: { place: '21218' } } };
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => admin.api.dispatch.split({ body })));
  const planned = outcomes.flatMap((one) =>
    one.status === 'fulfilled' ? one.value.routes.flatMap(({ stops }) => stops.map(({ packageId }) => packageId)) : [],
  );
  expect(planned.toSorted()).toEqual(idsOf(made).toSorted());
});

test('a driver who falls ill: what is planned and what is on the road goes to the others, who end up with as many stops', async () => {
  const [ill, first, second] = await Promise.all(
    ['Ill', 'First', 'Second'].map((name) => product.register('driver', name)),
  );
  if (!ill || !first || !second) throw new Error('no drivers');
  const made = idsOf(await Promise.all(Array.from({ length: 9 }, (_, n) => make(`Weg ${n}`, '21220'))));
  const toFirst = await plan(first, made.slice(0, 1));
  const toSecond = await plan(second, made.slice(1, 3));
  const route = await plan(ill, made.slice(3, 6));
  const to = [toFirst.id, toSecond.id];
  const reassign = (body: object = {}) => admin.api.dispatch.reassign({ body: { driverId: ill.id, day, to, ...body } });
  expect(await failureOf(reassign({ to: [route.id] }))).toMatchObject({
    status: 422,
    fields: { to: 'Please choose routes of other drivers' },
  });
  const result = await reassign();
  expect(result).toEqual({ done: made.slice(3, 6), refused: [] });
  expect((await read(toFirst)).stops).toHaveLength(3);
  expect((await read(toSecond)).stops).toHaveLength(3);
  expect(await failureOf(read(route))).toMatchObject({ status: 404 });
  // On the road: to those who are on the road, else planned again.
  const started = await plan(ill, made.slice(6, 8));
  await ill.api.routes.start({ params: { id: started.id } });
  const unfinished = async () =>
    (await admin.api.routes.list({ query: { driverId: ill.id, unfinished: true } })).items.map(({ id }) => id);
  expect(await unfinished()).toEqual([started.id]);
  await first.api.routes.start({ params: { id: toFirst.id } });
  expect((await reassign()).done).toEqual(made.slice(6, 8));
  expect(await read(toFirst)).toMatchObject({ state: 'started', stops: { length: 5 } });
  expect(await read(started)).toMatchObject({ state: 'started', stops: [] });
  expect((await admin.api.packages.read({ params: { id: made[6] ?? '' } })).driverId).toBe(first.id);
  await admin.api.routes.move({ params: { id: toFirst.id }, body: { packageIds: made.slice(6, 8), to: null } });
  await ill.api.routes.finish({ params: { id: started.id } });
  expect(await unfinished()).toEqual([]);
  const later = await plan(ill, made.slice(6, 8));
  await ill.api.routes.start({ params: { id: later.id } });
  // Ill tomorrow: what is on the road today stays.
  expect(await reassign({ day: '2026-06-11', to: [toSecond.id] })).toEqual({ done: [], refused: [] });
  expect(await reassign({ to: [toSecond.id] })).toEqual({ done: made.slice(6, 8), refused: [] });
  expect(await read(toSecond)).toMatchObject({ state: 'planned', stops: { length: 5 } });
  time = new Date(time.getTime() + 1000);
});

test('further stops fill those routes first that have the fewest', () => {
  expect(sharesOf([1, 2], 3)).toEqual([2, 1]);
  expect(sharesOf([5, 0, 0], 4)).toEqual([0, 2, 2]);
  expect(sharesOf([0], 4)).toEqual([4]);
});
