import type { Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../testing/suite.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  uploadImage,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let admin: TestUser;
let depotId: string;
let time = new Date('2026-03-01T10:00:00.000Z');
const returnAddress = { street: 'Am Kai 3', postalCode: '20457', city: 'Hamburg', country: null };
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver');
  otherDriver = await product.register('driver');
  admin = await product.register('admin');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
  await owner.api.users.updateProfile({ body: { returnAddress, phone: '+4915112345678' } });
});
afterAll(() => product.close());

const at = (pkg: Pick<Package, 'id'>) => ({ params: { id: pkg.id } });
const read = (pkg: Pick<Package, 'id'>) => owner.api.packages.read(at(pkg));
const events = async (pkg: Pick<Package, 'id'>) => (await owner.api.packages.events(at(pkg))).items;
const choose = (pkg: Pick<Package, 'id'>, kind: 'again' | 'collect' | 'return', day?: string) =>
  owner.api.packages.chooseNextStep({ ...at(pkg), body: { kind, ...(day && { day }) } });
/** What the tracker says of it. */
const shownStep = async (pkg: Pick<Package, 'trackingId'>) =>
  (await product.api().tracking.view({ params: { id: pkg.trackingId } })).nextStep;
const offered = async (pkg: Pick<Package, 'id'>) =>
  (await driver.api.deliveries.pending({ query: { limit: 200 } })).items.some(({ id }) => id === pkg.id);
const countOffered = async () => (await driver.api.deliveries.pending({ query: { count: true, limit: 1 } })).total;
const address = { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin' };

/** A package with a failed attempt. */
async function makeFailed(by = owner): Promise<Package> {
  const pkg = await createPackage(by, { address });
  await driver.api.deliveries.start(at(pkg));
  await driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Nobody home' } });
  return pkg;
}

async function planOn(pkgs: Pick<Package, 'id'>[], by = driver) {
  const route = await admin.api.routes.create({ body: { day: '2026-03-01', depotId, driverId: by.id } });
  const result = await admin.api.routes.addStops({ ...at(route), body: { packageIds: pkgs.map(({ id }) => id) } });
  return { route, result };
}

test('an owner keeps a return address in the profile, and takes it away', async () => {
  const someone = await product.register('owner');
  const set = (address: object | null) => someone.api.users.updateProfile({ body: { returnAddress: address as null } });
  expect((await set({ street: 'Am Kai 3', city: 'Hamburg' })).returnAddress).toEqual({
    street: 'Am Kai 3',
    postalCode: null,
    city: 'Hamburg',
    country: null,
  });
  expect((await someone.api.users.updateProfile({ body: { name: 'Somebody' } })).returnAddress).not.toBeNull();
  expect((await set(null)).returnAddress).toBeNull();
});

test('the owner chooses another day, a collection or a return after a failed attempt, and not before', async () => {
  const fresh = await createPackage(owner);
  await expect(choose(fresh, 'again')).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
  const pkg = await makeFailed();
  const before = await countOffered();
  const again = await choose(pkg, 'again', '2026-03-02');
  expect(again).toMatchObject({ nextStep: { kind: 'again', day: '2026-03-02' }, returnDue: false });
  expect(await choose(pkg, 'again', '2026-03-02')).toEqual(again);
  expect(await shownStep(pkg)).toEqual({ kind: 'again', day: '2026-03-02' });
  await expect(choose(pkg, 'again', '2026-02-28')).rejects.toMatchObject({
    status: 422,
    fields: { day: 'This day is in the past' },
  });
  await expect(choose(pkg, 'collect', '2026-03-02')).rejects.toMatchObject({
    status: 422,
    fields: { day: 'A day is only for another attempt' },
  });
  expect(await offered(pkg)).toBe(true);
  expect(await choose(pkg, 'collect')).toMatchObject({ nextStep: { kind: 'collect', day: null } });
  expect(await shownStep(pkg)).toEqual({ kind: 'collect', day: null });
  expect(await offered(pkg)).toBe(false);
  expect(await countOffered()).toBe((before ?? 0) - 1);
  await expect(driver.api.deliveries.start(at(pkg))).rejects.toMatchObject({
    status: 409,
    code: 'no_longer_available',
  });
  expect((await planOn([pkg])).result.refused).toMatchObject([{ code: 'not_waiting' }]);
  expect(await choose(pkg, 'return')).toMatchObject({ nextStep: { kind: 'return', day: null }, returnDue: true });
  expect(await shownStep(pkg)).toEqual({ kind: 'return', day: null });
  expect(await offered(pkg)).toBe(false);
  expect((await events(pkg)).slice(0, 3).map(({ type, note }) => [type, note])).toEqual([
    ['package.next-step', 'Back to the sender'],
    ['package.next-step', 'To be collected at the depot'],
    ['package.next-step', 'Another attempt on 2026-03-02'],
  ]);
  const homeless = await product.register('owner');
  const theirs = await makeFailed(homeless);
  await expect(homeless.api.packages.chooseNextStep({ ...at(theirs), body: { kind: 'return' } })).rejects.toMatchObject(
    { status: 422, fields: { kind: 'Please enter a return address in the profile first' } },
  );
  await driver.api.deliveries.start(at(theirs));
  await expect(homeless.api.packages.chooseNextStep({ ...at(theirs), body: { kind: 'again' } })).rejects.toMatchObject({
    status: 409,
  });
});

test('a return is planned by where it goes: it is sorted by the return address, and neither the place nor the wishes of its recipient count', async () => {
  const window = { from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T13:00:00.000Z' };
  const back = await createPackage(owner, { address, window, instructions: 'Third floor' });
  await driver.api.deliveries.start(at(back));
  await driver.api.deliveries.fail({ ...at(back), body: { reason: 'Nobody home' } });
  await choose(back, 'return');
  const near = await createPackage(owner, { address: { ...address, postalCode: '12000' } });
  const { route } = await planOn([back, near]);
  const proposed = await admin.api.routes.proposeOrder(at(route));
  expect(proposed.stops.map(({ packageId }) => packageId)).toEqual([near.id, back.id]);
  const { db } = product.ctx;
  const setPlaces = (table: string, ids: string[]) =>
    db.query(
      `update ${table} set place_lon = 10, place_lat = 53.5, place_accuracy = 'pin' where id = any($1::uuid[])`,
      [ids],
    );
  await setPlaces('depots', [depotId]);
  await setPlaces('packages', [back.id, near.id]);
  const read = await admin.api.routes.read(at(route));
  expect(read.drive?.withoutPlace).toBe(1);
  const stop = read.stops.find(({ packageId }) => packageId === back.id)?.delivery;
  expect(stop).toMatchObject({ returnDue: true, place: null, window: null, eta: null, lastFailure: null });
  const started = await driver.api.routes.start(at(route));
  const seen = started.stops.find(({ packageId }) => packageId === back.id)?.delivery;
  expect(seen).toMatchObject({ recipientAddress: 'Am Kai 3, 20457 Hamburg', window: null, instructions: null });
  await admin.api.routes.finish({ ...at(route), body: { returned: [back.id, near.id] } });
  await admin.api.packages.update({ params: { id: near.id }, body: { status: 'cancelled' } });
});

test('a return address gets its place once something goes back there: it is on the maps and on the way of its driver, until the address is another one', async () => {
  const home = { street: 'Am Deich 1', postalCode: '26382', city: 'Wilhelmshaven', country: null };
  const sender = await product.register('owner', 'Petra Pin');
  await sender.api.users.updateProfile({ body: { returnAddress: home } });
  const { db } = product.ctx;
  await db.query(
    `insert into gazetteer (key, street, postal_code, city, lon, lat, accuracy, source) values ($1, $2, $3, $4, 8.1, 53.5, 'rooftop', 'test')`,
    ['am deich 1\n26382\nwilhelmshaven', home.street, home.postalCode, home.city],
  );
  const back = await makeFailed(sender);
  await db.query(`update packages set place_lon = 13.4, place_lat = 52.5, place_accuracy = 'pin' where id = $1`, [
    back.id,
  ]);
  await sender.api.packages.chooseNextStep({ ...at(back), body: { kind: 'return' } });
  const mapped = async () =>
    (await admin.api.dispatch.waitingMap({ query: { place: '26382' } })).packages.map(({ id, lon, lat }) => [
      id,
      lon,
      lat,
    ]);
  await eventually('the place of the return address', async () => (await mapped()).length > 0);
  expect(await mapped()).toEqual([[back.id, 8.1, 53.5]]);
  const { packages: near } = await admin.api.dispatch.map({ query: { near: '8.1,53.5' } });
  expect(near[0]).toMatchObject({ id: back.id, lon: 8.1, lat: 53.5, accuracy: 'rooftop' });
  const { packages: there } = await admin.api.dispatch.map({ query: { bbox: '13.3,52.4,13.5,52.6' } });
  expect(there.map(({ id }) => id)).not.toContain(back.id);
  const { route } = await planOn([back]);
  const readStop = async () => (await admin.api.routes.read(at(route))).stops[0]?.delivery;
  expect((await readStop())?.place).toEqual({ lon: 8.1, lat: 53.5, accuracy: 'rooftop', source: 'test' });
  const { drive } = await admin.api.routes.read(at(route));
  expect(drive).toMatchObject({ withoutPlace: 0 });
  expect((await admin.api.routes.optimize({ ...at(route), body: null })).optimized.withoutPlace).toEqual([]);
  const started = await driver.api.routes.start(at(route));
  expect(started.stops[0]?.delivery.place).toMatchObject({ lon: 8.1 });
  // The driver stands at the door.
  const pin = { lon: 8.2, lat: 53.6, returnAddress: true };
  for (const who of [driver, admin, sender]) await who.api.packages.setPlace({ ...at(back), body: pin });
  await expect(otherDriver.api.packages.setPlace({ ...at(back), body: pin })).rejects.toMatchObject({ status: 404 });
  expect((await readStop())?.place).toEqual({ lon: 8.2, lat: 53.6, accuracy: 'pin', source: 'pin' });
  expect(await sender.api.packages.read(at(back))).toMatchObject({
    place: { lon: 13.4 },
    returnTo: { address: 'Am Deich 1, 26382 Wilhelmshaven', place: { lon: 8.2 } },
  });
  const book = await sender.api.addresses.list();
  expect(book.items).toContainEqual(expect.objectContaining({ street: home.street, place: expect.anything() }));
  await sender.api.users.updateProfile({ body: { returnAddress: { ...home, country: 'Germany' } } });
  expect((await readStop())?.place).toMatchObject({ lon: 8.2 });
  // Its driver is told at once, and the address is not taken away under way.
  const live = await watch(product, '/live', driver.token);
  await expect(sender.api.users.updateProfile({ body: { returnAddress: null } })).rejects.toMatchObject({
    status: 409,
    code: 'illegal_step',
  });
  await sender.api.users.updateProfile({ body: { returnAddress: { ...home, street: 'Am Deich 2' } } });
  expect(await readStop()).toMatchObject({ place: null, recipientAddress: 'Am Deich 2, 26382 Wilhelmshaven' });
  await eventually('the hint', () =>
    live.events.some(({ data }) => JSON.stringify(data) === JSON.stringify({ type: 'delivery', id: back.id })),
  );
  live.stop();
  await driver.api.deliveries.complete({ ...at(back), body: { receivedBy: 'Petra' } });
  await driver.api.routes.finish(at(route));
  await expect(admin.api.packages.setPlace({ ...at(back), body: pin })).rejects.toMatchObject({ status: 409 });
});

test('what goes back waits where it goes, whatever it is filtered and counted by, and is chosen and planned there', async () => {
  const sender = await product.register('owner', 'Rita Returner');
  await sender.api.users.updateProfile({
    body: { returnAddress: { street: 'Am Hang 9', postalCode: '99001', city: 'Erfurt', country: null } },
  });
  const window = { from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T13:00:00.000Z' };
  const there = { street: 'Ring 2', postalCode: '99002', city: 'Weimar' };
  const make = () => createPackage(sender, { address: there, weight: 7, window });
  const [back, stays] = [await make(), await make()];
  for (const pkg of [back, stays]) {
    await driver.api.deliveries.start(at(pkg));
    await driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Nobody home' } });
  }
  const groupsOf = async (query: object) => {
    const { groups } = await admin.api.dispatch.waiting({ query: { place: '9900', ...query } });
    return groups.map(({ postalCode, town, packages, kilograms }) => [postalCode, town, packages, kilograms]);
  };
  const filters: object[] = [
    {},
    { day: '2026-03-01' },
    { owner: 'rita' },
    { ownerId: sender.id },
    { weightFrom: '6.5', weightTo: '7' },
    { weightFrom: '6', weightTo: '8' },
    { attempts: '1' },
    { owner: 'rita', weightFrom: '7' },
  ];
  for (const filter of filters)
    expect([filter, await groupsOf(filter)]).toEqual([filter, [['99002', 'Weimar', 2, 14]]]);
  await sender.api.packages.chooseNextStep({ ...at(back), body: { kind: 'return' } });
  const moved = [
    ['99001', 'Erfurt', 1, 7],
    ['99002', 'Weimar', 1, 7],
  ];
  for (const filter of filters) expect([filter, await groupsOf(filter)]).toEqual([filter, moved]);
  // The window was the recipient's.
  expect(await groupsOf({ window: 'none' })).toEqual(moved.slice(0, 1));
  expect(await groupsOf({ window: 'afternoon' })).toEqual(moved.slice(1));
  const listed = async (postalCode: string, town: string) => {
    const query = { postalCode, town, count: true, limit: 1 };
    const { items, total } = await admin.api.dispatch.waitingPackages({ query });
    return [items.map(({ id, street, returns }) => [id, street, returns]), total];
  };
  expect(await listed('99001', 'Erfurt')).toEqual([[[back.id, 'Am Hang 9', true]], 1]);
  expect(await listed('99002', 'Weimar')).toEqual([[[stays.id, 'Ring 2', false]], 1]);
  const select = (body: object) => admin.api.dispatch.select({ body });
  expect(await select({ all: true, filter: { owner: 'rita' } })).toMatchObject({ packageIds: [back.id, stays.id] });
  expect(await select({ groups: [{ postalCode: '99001', town: 'Erfurt' }] })).toMatchObject({
    packageIds: [back.id],
    packages: 1,
  });
  const { routes } = await admin.api.dispatch.split({
    body: {
      day: '2026-03-01',
      depotId,
      driverIds: [driver.id],
      confirm: true,
      selection: { filter: { owner: 'rita' }, all: true },
    },
  });
  expect(routes[0]?.stops.map(({ packageId }) => packageId)).toEqual([back.id, stays.id]);
  await admin.api.routes.remove({ params: { id: routes[0]?.id ?? '' } });
});

test('a choice to send it back takes a package off its planned route', async () => {
  const pkg = await makeFailed();
  const { route, result } = await planOn([pkg]);
  expect(result.done).toEqual([pkg.id]);
  await choose(pkg, 'again', '2026-03-05');
  expect((await admin.api.routes.read(at(route))).stops).toHaveLength(1);
  await choose(pkg, 'return');
  expect((await admin.api.routes.read(at(route))).stops).toEqual([]);
});

test('a return is a stop at the return address of the owner; its completion cancels the package and keeps the proof', async () => {
  const pkg = await makeFailed();
  await choose(pkg, 'return');
  const { route } = await planOn([pkg]);
  const started = await driver.api.routes.start(at(route));
  expect(started.stops[0]).toMatchObject({
    state: 'next',
    delivery: {
      returnDue: true,
      recipientName: 'Olga Owner',
      recipientPhone: '+4915112345678',
      recipientAddress: 'Am Kai 3, 20457 Hamburg',
    },
  });
  expect((await owner.api.deliveries.ofOwner({ query: { q: pkg.trackingId } })).items[0]).toMatchObject({
    recipientName: pkg.recipientName,
  });
  expect(await shownStep(pkg)).toEqual({ kind: 'return', day: null });
  const signature = await uploadImage(product, driver);
  const returned = await driver.api.deliveries.complete({
    ...at(pkg),
    body: { receivedBy: 'Olga', note: 'At the gate', signature },
  });
  expect(returned).toMatchObject({ status: 'cancelled' });
  expect(await shownStep(pkg)).toBeNull();
  expect(await driver.api.deliveries.complete(at(pkg))).toEqual(returned);
  expect(await read(pkg)).toMatchObject({ status: 'cancelled', returnedAt: time.toISOString(), receivedBy: 'Olga' });
  const [event] = await events(pkg);
  expect(event).toMatchObject({ type: 'package.returned', status: 'cancelled', note: 'At the gate' });
  expect((await admin.api.routes.read(at(route))).stops.map(({ state }) => state)).toEqual(['returned']);
  expect(await owner.api.deliveries.receipt(at(pkg))).toMatchObject({
    attempts: 1,
    proof: {
      receivedBy: 'Olga',
      signature: expect.stringContaining('/media/proofs/') as string,
      place: 'Am Kai 3, 20457 Hamburg',
    },
  });
  await driver.api.routes.finish(at(route));
});

test('a return that fails is still due, and an owner who decides otherwise ends it', async () => {
  const pkg = await makeFailed();
  await choose(pkg, 'return');
  await admin.api.deliveries.assign({ ...at(pkg), body: { driverId: driver.id } });
  const failed = await driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Closed', nextDay: '2026-03-04' } });
  expect(failed).toMatchObject({ attempts: 2, returnDue: true, nextStep: { kind: 'return', day: null } });
  expect(await choose(pkg, 'again')).toMatchObject({ returnDue: false });
  await driver.api.deliveries.start(at(pkg));
  expect(await driver.api.deliveries.complete(at(pkg))).toMatchObject({ status: 'delivered' });
});

test('a waiting package is collected at the depot with its proof, once', async () => {
  const pkg = await createPackage(owner, { address, location: 'Depot north', handling: { signatureRequired: true } });
  const collect = (body?: object) => admin.api.deliveries.collected({ ...at(pkg), ...(body && { body }) });
  await expect(collect()).rejects.toMatchObject({ status: 422 });
  const photo = await uploadImage(product, admin);
  const collected = await collect({ receivedBy: 'Anna', note: 'With her passport', photo });
  expect(collected).toMatchObject({ status: 'delivered', driverId: null, receivedBy: 'Anna', location: 'Depot north' });
  expect(await collect({ receivedBy: 'Berta' })).toEqual(collected);
  expect((await events(pkg))[0]).toMatchObject({ type: 'package.collected', note: 'With her passport' });
  expect(await owner.api.deliveries.receipt(at(pkg))).toMatchObject({
    driver: null,
    proof: { receivedBy: 'Anna', photo: expect.stringContaining('/media/proofs/') as string, place: 'Depot north' },
  });
  await owner.api.packages.rate({ ...at(pkg), body: { stars: 4 } });
  const reopened = await admin.api.deliveries.reopen({ ...at(pkg), body: { reason: 'The wrong parcel' } });
  expect(reopened).toMatchObject({ status: 'pending', driverId: null });
  expect(await read(pkg)).toMatchObject({ status: 'processing', location: 'Depot north', rating: null });
  const onTheRoad = await createPackage(owner);
  await driver.api.deliveries.start(at(onTheRoad));
  await expect(admin.api.deliveries.collected(at(onTheRoad))).rejects.toMatchObject({ status: 409 });
});

test('a delivery is reopened within 24 hours: its proof is void, its rating and attempt count no more, and it can be completed again', async () => {
  const pkg = await createPackage(owner, { address });
  await driver.api.deliveries.start(at(pkg));
  const photo = await uploadImage(product, driver);
  await driver.api.deliveries.complete({ ...at(pkg), body: { receivedBy: 'A neighbour', note: 'Third floor', photo } });
  await owner.api.packages.rate({ ...at(pkg), body: { stars: 1, comment: 'Not here' } });
  const figures = () => admin.api.stats.performance({ query: { days: 7 } });
  const counted = (await figures()).totals;
  const reopened = await admin.api.deliveries.reopen({ ...at(pkg), body: { reason: 'Handed to somebody else' } });
  expect(reopened).toMatchObject({ status: 'in transit', driverId: driver.id, receivedBy: null, completedAt: null });
  expect((await figures()).totals).toMatchObject({ completed: counted.completed - 1, ratings: counted.ratings - 1 });
  expect(await read(pkg)).toMatchObject({ status: 'in transit', rating: null, location: 'With the driver' });
  const [event] = await events(pkg);
  expect(event).toMatchObject({
    type: 'delivery.reopened',
    note: 'Handed to somebody else',
    changes: {
      receivedBy: { from: 'A neighbour', to: null },
      note: { from: 'Third floor', to: null },
      photo: { from: expect.stringContaining('/media/proofs/') as string, to: null },
    },
  });
  await expect(owner.api.deliveries.receipt(at(pkg))).rejects.toMatchObject({ code: 'not_delivered' });
  await expect(admin.api.deliveries.reopen({ ...at(pkg), body: { reason: 'Once more' } })).rejects.toMatchObject({
    status: 409,
    code: 'illegal_step',
  });
  const signature = await uploadImage(product, driver);
  await driver.api.deliveries.complete({ ...at(pkg), body: { receivedBy: 'Anna', signature } });
  expect((await owner.api.deliveries.receipt(at(pkg))).proof).toMatchObject({ receivedBy: 'Anna', photo: null });
  expect((await figures()).totals).toMatchObject({ completed: counted.completed });
  // The photo of the void proof is kept.
  const url = String(event?.changes?.photo?.from);
  expect((await fetch(`${await product.listen()}${url}`)).status).toBe(200);
  time = new Date('2026-03-02T10:00:01.000Z');
  await expect(admin.api.deliveries.reopen({ ...at(pkg), body: { reason: 'Too late' } })).rejects.toMatchObject({
    message: 'This package is delivered: it can be reopened for 24 hours only',
  });
});

test('the delivery of a driver who was suspended waits again when it is reopened; of two who reopen at once one does', async () => {
  const lost = await product.register('driver');
  const [first, second] = [await createPackage(owner), await createPackage(owner)];
  for (const [pkg, by] of [
    [first, lost],
    [second, otherDriver],
  ] as const) {
    await by.api.deliveries.start(at(pkg));
    await by.api.deliveries.complete(at(pkg));
  }
  await admin.api.users.update({ params: { id: lost.id }, body: { status: 'suspended' } });
  const reopen = (pkg: Package) => admin.api.deliveries.reopen({ ...at(pkg), body: { reason: 'Wrong door' } });
  expect(await reopen(first)).toMatchObject({ status: 'pending', driverId: null, startTime: null });
  expect(await offered(first)).toBe(true);
  const both = await Promise.allSettled([reopen(second), reopen(second)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a collection and a reopening that are repeated with their Idempotency-Key get the first reply', async () => {
  const waiting = await createPackage(owner);
  const collect = () => admin.api.deliveries.collected({ ...at(waiting), body: {}, idempotencyKey: `c-${waiting.id}` });
  const collected = await collect();
  expect(collected.completedAt).not.toBeNull();
  expect(await collect()).toEqual(collected);
  const carried = await createPackage(owner);
  await driver.api.deliveries.start(at(carried));
  await driver.api.deliveries.complete(at(carried));
  const body = { reason: 'Wrong door' };
  const reopen = () => admin.api.deliveries.reopen({ ...at(carried), body, idempotencyKey: `r-${carried.id}` });
  const reopened = await reopen();
  expect(reopened.startTime).not.toBeNull();
  expect(await reopen()).toEqual(reopened);
});

test('after a failed attempt, or once counted back, a day is proposed on which somebody drives, not before the owner’s wish', async () => {
  // A Monday.
  time = new Date('2026-04-06T10:00:00.000Z');
  const proposed = async (pkg: Pick<Package, 'id'>) => (await owner.api.dispatch.proposedDay(at(pkg))).day;
  const inList = async (pkg: Pick<Package, 'id'>) =>
    (
      await admin.api.dispatch.waitingPackages({ query: { postalCode: '10115', town: 'Berlin', limit: 200 } })
    ).items.find(({ id }) => id === pkg.id)?.proposedDay;
  const worker = await product.register('driver');
  const [failing, left] = [await createPackage(owner, { address }), await createPackage(owner, { address })];
  expect([await proposed(failing), await inList(failing)]).toEqual([null, null]);
  const route = await admin.api.routes.create({ body: { day: '2026-04-06', depotId, driverId: worker.id } });
  await admin.api.routes.addStops({ ...at(route), body: { packageIds: [failing.id, left.id] } });
  await worker.api.routes.start(at(route));
  await worker.api.deliveries.fail({ ...at(failing), body: { reason: 'Nobody home' } });
  expect([await proposed(failing), await proposed(left)]).toEqual(['2026-04-07', null]);
  await worker.api.routes.finish({ ...at(route), body: { returned: [failing.id, left.id] } });
  expect([await inList(failing), await inList(left)]).toEqual(['2026-04-07', '2026-04-07']);

  const shiftOn = (day: string) =>
    admin.api.shifts.create({
      body: { driverId: worker.id, startsAt: `${day}T08:00:00Z`, endsAt: `${day}T16:00:00Z` },
    });
  for (const day of ['2026-04-08', '2026-04-10', '2026-04-13']) await shiftOn(day);
  expect([await proposed(failing), await proposed(left)]).toEqual(['2026-04-08', '2026-04-08']);
  await admin.api.absences.create({
    body: { driverId: worker.id, kind: 'sick', from: '2026-04-08', to: '2026-04-09' },
  });
  expect(await proposed(failing)).toBe('2026-04-10');
  await choose(failing, 'again', '2026-04-11');
  expect([await inList(failing), await inList(left)]).toEqual(['2026-04-13', '2026-04-10']);

  const next = await admin.api.routes.create({ body: { day: '2026-04-14', depotId, driverId: null } });
  await choose(failing, 'again', '2026-04-14');
  expect(await inList(failing)).toBe('2026-04-14');
  await admin.api.routes.addStops({ ...at(next), body: { packageIds: [failing.id] } });
  expect(await proposed(failing)).toBeNull();
  expect(
    await product
      .register('owner')
      .then((other) => other.api.dispatch.proposedDay(at(left)).catch((error: { status: number }) => error.status)),
  ).toBe(404);
});

test('what is proposed for a later day is left out of a selection by day, of a split and of a plan, unless it is named', async () => {
  // A Monday, five weeks after the other tests: their shifts are over.
  time = new Date('2026-05-11T10:00:00.000Z');
  const place = { street: 'Marktplatz 1', postalCode: '04109', city: 'Leipzig' };
  const [failed, fresh] = [
    await createPackage(owner, { address: place }),
    await createPackage(owner, { address: place }),
  ];
  const worker = await product.register('driver');
  const shiftOn = (from: string, to: string) =>
    admin.api.shifts.create({ body: { driverId: worker.id, startsAt: from, endsAt: to } });
  await shiftOn('2026-05-11T06:00:00Z', '2026-05-11T16:00:00Z');
  await shiftOn('2026-05-13T06:00:00Z', '2026-05-13T16:00:00Z');
  await worker.api.deliveries.start(at(failed));
  expect((await worker.api.dispatch.dayAfterFailing(at(failed))).day).toBe('2026-05-13');
  await worker.api.deliveries.fail({ ...at(failed), body: { reason: 'Nobody home' } });

  const groups = [{ postalCode: '04109', town: 'Leipzig' }];
  const select = async (dueBy: string, more = {}) => {
    const { packageIds, later } = await admin.api.dispatch.select({ body: { groups, dueBy, ...more } });
    return { chosen: packageIds.toSorted(), later };
  };
  const both = [failed.id, fresh.id].toSorted();
  expect(await select('2026-05-11')).toEqual({ chosen: [fresh.id], later: 1 });
  expect(await select('2026-05-13')).toEqual({ chosen: both, later: 0 });
  expect(await select('2026-05-11', { packageIds: [failed.id] })).toEqual({ chosen: both, later: 0 });
  expect((await admin.api.dispatch.select({ body: { groups } })).packageIds.toSorted()).toEqual(both);

  const { routes } = await admin.api.dispatch.split({
    body: { day: '2026-05-12', depotId, routes: 1, selection: { groups, dueBy: '2026-05-12' } },
  });
  expect(routes.map(({ stops }) => stops.map(({ packageId }) => packageId))).toEqual([[fresh.id]]);
});

test('a day counts while an hour of a shift is left and a vehicle has room', async () => {
  // A Monday, five weeks later.
  time = new Date('2026-06-15T10:00:00.000Z');
  const pkg = await makeFailed();
  const proposed = async () => (await owner.api.dispatch.proposedDay(at(pkg))).day;
  const shiftOn = (who: TestUser, day: string) =>
    admin.api.shifts.create({ body: { driverId: who.id, startsAt: `${day}T06:00:00Z`, endsAt: `${day}T16:00:00Z` } });
  const [small, large] = [await product.register('driver'), await product.register('driver')];
  await small.api.users.updateProfile({ body: { vehicleInfo: { capacityKg: 1 } } });
  await shiftOn(small, '2026-06-16');
  await shiftOn(large, '2026-06-17');
  await shiftOn(large, '2026-06-19');
  expect(await proposed()).toBe('2026-06-17');
  time = new Date('2026-06-17T14:59:00.000Z');
  expect(await proposed()).toBe('2026-06-17');
  time = new Date('2026-06-17T15:01:00.000Z');
  expect(await proposed()).toBe('2026-06-19');

  // A route with as many stops as its vehicle may have takes no more.
  await large.api.users.updateProfile({ body: { vehicleInfo: { maxStops: 1 } } });
  await shiftOn(large, '2026-06-22');
  const full = await admin.api.routes.create({
    body: { day: '2026-06-19', depotId, driverId: large.id, confirm: true },
  });
  expect(await proposed()).toBe('2026-06-19');
  const other = await createPackage(owner, { address });
  await admin.api.routes.addStops({ ...at(full), body: { packageIds: [other.id] } });
  expect(await proposed()).toBe('2026-06-22');
});

test.runIf(runsAll)(
  'of more than 5,000 that were tried it is said that there are more, and what is for a later day is left out all the same',
  async () => {
    time = new Date('2026-08-03T10:00:00.000Z');
    const place = { street: 'Elbufer 1', postalCode: '01067', city: 'Dresden' };
    const [tried, fresh] = [
      await createPackage(owner, { address: place }),
      await createPackage(owner, { address: place }),
    ];
    await driver.api.deliveries.start(at(tried));
    await driver.api.deliveries.fail({ ...at(tried), body: { reason: 'Nobody home' } });
    const groups = [{ postalCode: '01067', town: 'Dresden' }];
    const select = () => admin.api.dispatch.select({ body: { groups, dueBy: '2026-08-03' } });
    expect(await select()).toEqual({ packageIds: [fresh.id], packages: 1, later: 1 });
    for (let batch = 0; batch < 20; batch++)
      await product.ctx.db.query(
        `insert into packages select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'tracking_id', 'PKG-9' || lpad(n::text, 7, '0')))).*
       from packages p, generate_series($2::int, $2 + 249) n where p.id = $1`,
        [tried.id, batch * 250],
      );
    // Behind its copies, among which it is not looked at.
    const { packageIds, later } = await select();
    expect(packageIds).toEqual([fresh.id]);
    expect(later).toBe(5001);
  },
);
