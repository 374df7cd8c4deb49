import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let otherOwner: TestUser;
let driver: TestUser;
let admin: TestUser;

/** A geocoder of its own, whose answers the tests choose. */
let answer: { status: number; body: string } | 'hangs';
let asked: URL[];
const geocoder = createServer((request, response) => {
  asked.push(new URL(request.url ?? '', 'http://geocoder'));
  if (answer === 'hangs') return;
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
});

const feature = (properties: object, coordinates: unknown = [9.97, 53.55]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties,
});
const answerWith = (...features: object[]) => (answer = { status: 200, body: JSON.stringify({ features }) });
const house = { type: 'house', street: 'Hafenstraße', housenumber: '12', postcode: '20457', city: 'Hamburg' };
const address = { street: 'Hafenstraße 12', postalCode: '20457', city: 'Hamburg' };
const rooftop = { lon: 9.97, lat: 53.55, accuracy: 'rooftop', source: 'photon' };

beforeAll(async () => {
  await new Promise<void>((resolve) => geocoder.listen(0, '127.0.0.1', resolve));
  const { port } = geocoder.address() as AddressInfo;
  product = await openTestProduct({
    config: { GEOCODER_URL: `http://127.0.0.1:${port}/`, GEOCODER_KIND: 'photon' },
  });
  owner = await product.register('owner');
  otherOwner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
beforeEach(() => {
  asked = [];
  answerWith();
});
afterAll(async () => {
  await product.close();
  geocoder.closeAllConnections();
  geocoder.close();
});

const placeOf = async (id: string) => (await owner.api.packages.read({ params: { id } })).place;
const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);
const placed = async (id: string) => {
  await eventually('the place', async () => (await placeOf(id)) !== null);
  return placeOf(id);
};
const needingPins = async (user = owner) => {
  const { items } = await user.api.packages.listOfUser({ params: { id: user.id }, query: { needsPin: 'true' } });
  return items.map(({ id }) => id);
};
const waitsForPin = (id: string) => eventually('the end of the search', async () => (await needingPins()).includes(id));

test('a pin is the place of the other packages of its owner to that address, and what needs one is counted', async () => {
  const door = { street: 'Nirgendweg 3', postalCode: '20457', city: 'Hamburg' };
  const [one, two, foreign] = [
    await createPackage(owner, { address: door }),
    await createPackage(owner, { address: door }),
    await createPackage(otherOwner, { address: door }),
  ];
  await waitsForPin(one.id);
  await waitsForPin(two.id);
  await eventually('the end of the search', async () => (await needingPins(otherOwner)).includes(foreign.id));
  const pins = async () => (await admin.api.stats.needs()).pins?.count ?? 0;
  const before = await pins();
  expect(before).toBeGreaterThanOrEqual(3);
  const listed = await admin.api.inventory.packages({ query: { needsPin: true, count: true } });
  expect(listed.total).toBe(before);
  expect(listed.items.map(({ id }) => id)).toEqual(expect.arrayContaining([one.id, two.id, foreign.id]));
  await owner.api.packages.setPlace({ params: { id: one.id }, body: { lon: 9.9, lat: 53.5 } });
  await eventually('the place', async () => (await placeOf(two.id)) !== null);
  expect(await placeOf(two.id)).toEqual({ lon: 9.9, lat: 53.5, accuracy: 'pin', source: 'address book' });
  expect(await needingPins(otherOwner)).toContain(foreign.id);
  expect(await pins()).toBe(before - 2);
});

describe('the place of an address', () => {
  test('is looked up after a package is made, edited or imported, and goes with its address', async () => {
    answerWith(feature(house));
    const { id, version, place } = await createPackage(owner, { address });
    expect(place).toBeNull();
    expect(await placed(id)).toEqual(rooftop);
    expect(asked[0]?.searchParams.get('q')).toBe('Hafenstraße 12, 20457 Hamburg');
    expect((await owner.api.packages.read({ params: { id } })).version).toBe(version);
    answerWith(feature({ ...house, housenumber: '9' }, [9.9, 53.5]));
    const moved = { ...address, street: 'Hafenstraße 9' };
    const edited = await owner.api.packages.update({ params: { id }, body: { address: moved } });
    expect(edited.place).toBeNull();
    expect(await placed(id)).toMatchObject({ lon: 9.9, lat: 53.5, accuracy: 'rooftop' });
    const renamed = await owner.api.packages.update({ params: { id }, body: { recipientName: 'Somebody else' } });
    expect(renamed.place).toMatchObject({ lon: 9.9 });
    const csv = `name,description,category,weight,recipientName,recipientContact,street,postalCode,city
Lamp,A lamp for the desk,Other,1,Anna Berg,0151 2345678,Hafenstraße 9,20457,Hamburg`;
    await owner.api.packages.import({ body: csv });
    await eventually('the imported place', async () => {
      const { items } = await owner.api.packages.listOfUser({ params: { id: owner.id } });
      return items.find(({ name }) => name === 'Lamp')?.place?.lon === 9.9;
    });
  });

  test.each([
    ['another house number is its street', [feature({ ...house, housenumber: '14' })], 'street'],
    ['a street of another name is its town', [feature({ ...house, street: 'Talweg' })], 'town'],
    ['its town alone is its town', [feature({ type: 'city', name: 'Hamburg' })], 'town'],
    ['another town is nothing', [feature({ ...house, postcode: '80331', city: 'München' })], undefined],
    ['no answer is nothing', [], undefined],
  ] as const)('%s: nobody is sent to a place that may be wrong', async (_, features, accuracy) => {
    answerWith(...features);
    const { id } = await createPackage(owner, { address });
    if (accuracy === 'street') {
      expect(await placed(id)).toMatchObject({ accuracy });
      expect(await needingPins()).not.toContain(id);
    } else {
      await waitsForPin(id);
      expect((await placeOf(id))?.accuracy).toBe(accuracy);
    }
  });

  test.each([
    ['fails', { status: 500, body: 'broken' }],
    ['answers nonsense', { status: 200, body: '{"features": [{"geometry": {"coordinates": [999, "x"]}}]}' }],
    ['answers no JSON', { status: 200, body: '<html>' }],
  ])('a geocoder that %s holds nothing up, and is asked again', async (_, broken) => {
    answer = broken;
    const { id } = await createPackage(owner, { address });
    await eventually('the question', () => asked.length > 0);
    answerWith(feature(house));
    expect(await needingPins()).not.toContain(id);
    await eventually('the pause', async () => {
      const [row] = await product.ctx.db.query<{ waits: boolean }>(
        // Its lease while it is searched is longer.
        `select due_at between now() and now() + interval '1 minute' and attempts = 1 as waits from place_searches where package_id = $1`,
        [id],
      );
      return row?.waits === true;
    });
    await product.ctx.db.query('update place_searches set due_at = now() where package_id = $1', [id]);
    // Its search wakes those that are due.
    await createPackage(otherOwner, { address });
    expect(await placed(id)).toEqual(rooftop);
  });
});

test('the place of a return address is looked up again while the geocoder fails or hangs, and nothing waits for it', async () => {
  const home = { street: 'Kehrwieder 2', postalCode: '20457', city: 'Hamburg' };
  const askedFor = () => asked.filter((url) => url.searchParams.get('q')?.startsWith('Kehrwieder')).length;
  const found = (housenumber: string, at: number[]) => feature({ ...house, street: 'Kehrwieder', housenumber }, at);
  const sender = await product.register('owner');
  await sender.api.users.updateProfile({ body: { returnAddress: home } });
  const { id } = await createPackage(sender, { address: null });
  await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.fail({ params: { id }, body: { reason: 'Nobody home' } });
  const { db } = product.ctx;
  /** In how many minutes it may be looked up again; null: at once. */
  const pause = async () => {
    const [row] = await db.query<{ minutes: number | null }>(
      'select ceil(extract(epoch from return_searched_at - now()) / 60 + 60)::float8 as minutes from users where id = $1',
      [sender.id],
    );
    return row?.minutes ?? null;
  };
  const searchAgain = async () => {
    await db.query('update users set return_searched_at = null where id = $1', [sender.id]);
    // Its search wakes those that are due.
    await createPackage(otherOwner, { address: null });
  };
  const returnPlace = async () => (await sender.api.packages.read({ params: { id } })).returnTo?.place ?? null;

  answer = { status: 500, body: 'broken' };
  await sender.api.packages.chooseNextStep({ params: { id }, body: { kind: 'return' } });
  await eventually('a minute’s pause', async () => askedFor() > 0 && (await pause()) === 1);
  expect(askedFor()).toBe(1);

  answer = 'hangs';
  await searchAgain();
  await eventually('the next question', () => askedFor() > 1);
  // A server that dies now leaves it for two minutes.
  expect(await pause()).toBeLessThanOrEqual(2);
  expect(await returnPlace()).toBeNull();
  geocoder.closeAllConnections();
  await eventually('a minute’s pause', async () => (await pause()) === 1);

  answerWith();
  await searchAgain();
  await eventually('an hour’s pause for what nobody knows', async () => (await pause()) === 60);
  answerWith(found('2', [9.97, 53.55]));
  await searchAgain();
  await eventually('the place', async () => (await returnPlace()) !== null);
  expect(await returnPlace()).toEqual(rooftop);

  // An address that is changed while the geocoder is asked gets nothing of the old one, and is looked up at once.
  answer = 'hangs';
  asked = [];
  await sender.api.users.updateProfile({ body: { returnAddress: { ...home, street: 'Kehrwieder 14' } } });
  await createPackage(otherOwner, { address: null });
  await eventually('the question for it', () => askedFor() > 0);
  await sender.api.users.updateProfile({ body: { returnAddress: { ...home, street: 'Kehrwieder 9' } } });
  answerWith(found('9', [9.9, 53.5]));
  geocoder.closeAllConnections();
  await createPackage(otherOwner, { address: null });
  await eventually('the new place', async () => (await returnPlace())?.lon === 9.9);
});

describe('a pin', () => {
  const set = (user: TestUser, id: string, lon = 10.5) =>
    user.api.packages.setPlace({ params: { id }, body: { lon, lat: 53.6 } });

  test('is set by the owner until the start, by its driver on the road and by staff, and the next package there has it', async () => {
    const { id } = await createPackage(owner, { address: { ...address, street: 'Am Kai 1' } });
    await waitsForPin(id);
    expect(await failureOf(set(otherOwner, id))).toMatchObject({ status: 404 });
    expect(await failureOf(set(driver, id))).toMatchObject({ status: 404 });
    expect(await set(owner, id)).toEqual({ lon: 10.5, lat: 53.6, accuracy: 'pin', source: 'pin' });
    expect(await needingPins()).not.toContain(id);
    asked = [];
    const next = await createPackage(owner, { address: { ...address, street: ' am  KAI 1', country: 'Germany' } });
    expect(await placed(next.id)).toEqual({ lon: 10.5, lat: 53.6, accuracy: 'pin', source: 'address book' });
    const others = await createPackage(otherOwner, { address: { ...address, street: 'Am Kai 1' } });
    await eventually('the search for the other owner', async () => (await needingPins(otherOwner)).includes(others.id));
    expect(asked).toHaveLength(1);

    await driver.api.deliveries.start({ params: { id } });
    expect(await failureOf(set(owner, id))).toMatchObject({ status: 409, code: 'illegal_step' });
    expect(await set(driver, id, 10.6)).toMatchObject({ lon: 10.6 });
    const { items: carried } = await driver.api.deliveries.mine({ query: {} });
    expect(carried.find((delivery) => delivery.id === id)?.place?.lon).toBe(10.6);
    expect(await set(admin, id, 10.7)).toMatchObject({ lon: 10.7 });
    const { items } = await owner.api.packages.events({ params: { id } });
    expect(items.filter(({ type }) => type === 'package.placed')).toHaveLength(3);
    await driver.api.deliveries.complete({ params: { id } });
    expect(await failureOf(set(admin, id))).toMatchObject({ status: 409 });
    expect(await failureOf(set(driver, id))).toMatchObject({ status: 404 });
  });

  test('needs an address and a place on earth', async () => {
    const { id } = await createPackage(owner, { address: null });
    expect(await failureOf(set(owner, id))).toMatchObject({ status: 409, code: 'illegal_step' });
    const wrong = { lon: 181, lat: -91 };
    expect(await failureOf(owner.api.packages.setPlace({ params: { id }, body: wrong }))).toMatchObject({
      status: 422,
      fields: { lon: 'Longitude must be between -180 and 180', lat: 'Latitude must be between -90 and 90' },
    });
  });
});

test('a depot has the place of its address, or a pin', async () => {
  answerWith(feature(house));
  const body = { name: 'Harbour', timeZone: 'Europe/Berlin', address };
  const { id } = await admin.api.depots.create({ body });
  const placeOfDepot = async () => (await admin.api.depots.list()).find((depot) => depot.id === id)?.place;
  await eventually('its place', async () => Boolean(await placeOfDepot()));
  expect(await placeOfDepot()).toEqual(rooftop);
  const params = { id };
  const pinned = await admin.api.depots.update({ params, body: { ...body, place: { lon: 10, lat: 50 } } });
  expect(pinned.place).toEqual({ lon: 10, lat: 50, accuracy: 'pin', source: 'pin' });
  expect((await admin.api.depots.update({ params, body: { ...body, place: pinned.place } })).place).toEqual(
    pinned.place,
  );
  const renamed = await admin.api.depots.update({ params, body: { ...body, name: 'Port' } });
  expect(renamed.place).toEqual(pinned.place);
  answerWith();
  const moved = { ...body, address: { ...address, street: 'Am Kai 3' } };
  expect((await admin.api.depots.update({ params, body: moved })).place).toBeNull();
});
