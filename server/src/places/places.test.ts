import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { planTown } from '../demo/plan.ts';
import { straightMetres } from '../travel/estimate.ts';
import { addToGazetteer } from './gazetteer.ts';

let product: TestProduct;
let owner: TestUser;
let otherOwner: TestUser;
let driver: TestUser;
const town = planTown();

beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  otherOwner = await product.register('owner');
  driver = await product.register('driver');
  await product.ctx.db.transaction((tx) => addToGazetteer(tx, town));
});
afterAll(() => product.close());

const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);
const search = (user: TestUser, q: string) => user.api.places.search({ query: { q } });

test('the demo town is the same at each call, and each of its addresses is a place of its own', () => {
  expect(planTown()).toEqual(town);
  expect(new Set(town.map(({ street }) => street)).size).toBe(town.length);
  expect(new Set(town.map(({ place }) => `${place.lon} ${place.lat}`)).size).toBe(town.length);
  const [first] = town;
  const farthest = Math.max(...town.map(({ place }) => (first ? straightMetres(place, first.place) : 0)));
  expect(farthest).toBeGreaterThan(3000);
  expect(farthest).toBeLessThan(15_000);
});

describe('addresses known here', () => {
  test('place packages without a geocoder', async () => {
    const known = town.find(({ street }) => street === 'Mill Lane 12');
    const { id } = await createPackage(owner, {
      address: { street: 'mill lane 12', postalCode: '40112', city: 'Riverton' },
    });
    const placeOf = async () => (await owner.api.packages.read({ params: { id } })).place;
    await eventually('the place', async () => (await placeOf()) !== null);
    expect(await placeOf()).toEqual(known?.place);
  });

  test('are suggested while typing, and found by a place near them', async () => {
    const [first] = await search(owner, 'mill la');
    expect(first).toMatchObject({ name: null, street: 'Mill Lane 1', postalCode: '40112', city: 'Riverton' });
    expect((await search(owner, 'Mill Lane 12, River'))[0]?.street).toBe('Mill Lane 12');
    expect(await search(owner, '100% mill_')).toEqual([]);
    const { lon, lat } = town[100]?.place ?? { lon: 0, lat: 0 };
    const at = (east: number) => owner.api.places.reverse({ query: { lon: `${lon + east}`, lat: `${lat}` } });
    expect(await at(0)).toMatchObject({ street: town[100]?.street, place: { lon, lat } });
    expect(await at(1)).toBeNull();
    const query = { lon: '181', lat: 'north' };
    expect(await failureOf(owner.api.places.reverse({ query }))).toMatchObject({ status: 422 });
  });
});

describe('the address book', () => {
  const address = { street: 'Am Kai 1', postalCode: '20457', city: 'Hamburg' };

  test('is kept by its owner alone, and has each address once', async () => {
    const made = await owner.api.addresses.create({
      body: { ...address, name: 'Anna Berg', place: { lon: 10, lat: 53.5 } },
    });
    expect(made).toMatchObject({ ...address, name: 'Anna Berg', place: { lon: 10, lat: 53.5, accuracy: 'pin' } });
    const again = { ...address, street: 'AM  KAI 1' };
    expect(await failureOf(owner.api.addresses.create({ body: again }))).toMatchObject({
      status: 409,
      fields: { street: 'This address is in your address book already' },
    });
    const params = { id: made.id };
    const body = { ...address, name: 'Anna Maria Berg' };
    expect(await failureOf(otherOwner.api.addresses.update({ params, body }))).toMatchObject({ status: 404 });
    expect(await failureOf(otherOwner.api.addresses.remove({ params }))).toMatchObject({ status: 404 });
    expect((await otherOwner.api.addresses.list()).items).toEqual([]);
    expect(await search(otherOwner, 'Am Kai')).toEqual([]);
    // The place stays with its address, and goes with it.
    expect(await owner.api.addresses.update({ params, body })).toMatchObject({ ...body, place: { lon: 10 } });
    expect((await search(owner, 'maria'))[0]).toMatchObject({ name: 'Anna Maria Berg', street: 'Am Kai 1' });
    expect((await owner.api.addresses.list({ query: { q: 'kai' } })).items).toHaveLength(1);
    const moved = { ...address, street: 'Am Kai 2' };
    expect((await owner.api.addresses.update({ params, body: moved })).place).toBeNull();
    await owner.api.addresses.remove({ params });
    expect((await owner.api.addresses.list()).items).toEqual([]);
  });

  test('remembers the door of a completed delivery, and what it was told of it stays', async () => {
    const door = { ...address, street: 'Speicherweg 4' };
    const deliver = async (recipientName: string, place?: { lon: number; lat: number }) => {
      const { id } = await createPackage(otherOwner, { address: door, recipientName });
      const params = { id };
      if (place) await otherOwner.api.packages.setPlace({ params, body: place });
      await driver.api.deliveries.start({ params });
      await driver.api.deliveries.complete({ params });
    };
    await deliver('Ida Moreau', { lon: 10.01, lat: 53.54 });
    await deliver('Tom Okafor');
    const { items } = await otherOwner.api.addresses.list();
    expect(items).toMatchObject([{ ...door, name: 'Tom Okafor', place: { lon: 10.01, lat: 53.54 } }]);
  });
});

test('packages are found in a part of the map, and nearest to a place, until they are delivered', async () => {
  const admin = await product.register('admin');
  const known = town.filter(({ street }) => street?.startsWith('Mill Lane ')).slice(0, 3);
  const ids: string[] = [];
  for (const { place } of known) {
    const { id } = await createPackage(owner);
    ids.push(id);
    await product.ctx.db.query(
      "update packages set place_lon = $2, place_lat = $3, place_accuracy = 'pin' where id = $1",
      [id, place.lon, place.lat],
    );
  }
  const [first] = known;
  const { lon, lat } = first?.place ?? { lon: 0, lat: 0 };
  const found = async (query: { bbox?: string; near?: string }) =>
    (await admin.api.dispatch.map({ query })).packages.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
  expect((await found({ bbox: `${lon - 1},${lat - 1},${lon + 1},${lat + 1}` })).toSorted()).toEqual(ids.toSorted());
  expect(await found({ bbox: `${lon - 0.00001},${lat - 0.00001},${lon + 0.00001},${lat + 0.00001}` })).toEqual([
    ids[0],
  ]);
  expect(await found({ bbox: '-180,-90,-170,90' })).toEqual([]);
  expect((await found({ near: `${lon},${lat}` }))[0]).toBe(ids[0]);
  const params = { id: ids[0] ?? '' };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.complete({ params });
  expect(await found({ near: `${lon},${lat}` })).not.toContain(ids[0]);
  for (const query of [{}, { bbox: '1,2,3' }, { bbox: '10,0,9,1' }, { near: '0,91' }, { near: '0,0', bbox: '0,0,1,1' }])
    expect(await failureOf(admin.api.dispatch.map({ query }))).toMatchObject({ status: 422 });
});
