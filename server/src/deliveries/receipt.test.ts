import type { Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  inject,
  openTestProduct,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let otherOwner: TestUser;
let driver: TestUser;
let admin: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner', 'Olga Owner');
  otherOwner = await product.register('owner');
  driver = await product.register('driver', 'Dora Driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const start = (pkg: Package) => driver.api.deliveries.start({ params: { id: pkg.id } });
const complete = (pkg: Package, body?: object) =>
  driver.api.deliveries.complete({ params: { id: pkg.id }, ...(body && { body }) });
const receiptOf = (pkg: Package, user = owner) => user.api.deliveries.receipt({ params: { id: pkg.id } });

test('a receipt has the package, driver, recipient, times and proof', async () => {
  time = new Date('2026-03-01T10:00:00.000Z');
  const pkg = await createPackage(owner, {
    name: 'Blue box',
    location: 'Depot',
    eta: '2026-03-02',
    address: { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin', country: 'Germany' },
  });
  await start(pkg);
  await driver.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Nobody home' } });
  time = new Date('2026-03-02T08:00:00.000Z');
  await start(pkg);
  time = new Date('2026-03-02T23:59:59.999Z');
  await complete(pkg, { receivedBy: 'Mr Neighbour', note: 'Third floor' });
  const receipt = await receiptOf(pkg);
  expect(receipt).toEqual({
    number: pkg.trackingId.replace('PKG-', 'R-'),
    packageId: pkg.id,
    trackingId: pkg.trackingId,
    packageName: 'Blue box',
    description: pkg.description,
    category: 'Furniture',
    weight: 2.5,
    dimensions: null,
    handling: pkg.handling,
    sender: 'Olga Owner',
    driver: 'Dora Driver',
    recipientName: 'Anna Maria Berg',
    recipientContact: '+49 151 2345678',
    recipientAddress: 'Hauptstr. 5, 10115 Berlin, Germany',
    createdAt: '2026-03-01T10:00:00.000Z',
    startTime: '2026-03-02T08:00:00.000Z',
    completedAt: '2026-03-02T23:59:59.999Z',
    eta: '2026-03-02',
    onTime: true,
    attempts: 2,
    proof: {
      receivedBy: 'Mr Neighbour',
      note: 'Third floor',
      pin: null,
      ageChecked: null,
      photo: null,
      signature: null,
      place: 'Hauptstr. 5, 10115 Berlin, Germany',
      link: { number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  });
  expect(await owner.api.packages.read({ params: { id: pkg.id } })).toMatchObject({ receivedBy: 'Mr Neighbour' });
  expect(await receiptOf(pkg, admin)).toEqual(receipt);
  for (const user of [otherOwner, driver])
    await expect(receiptOf(pkg, user)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('a delivery after the eta’s day is late; without an eta it is neither late nor on time', async () => {
  time = new Date('2026-03-02T12:00:00.000Z');
  const [late, open] = [await createPackage(owner, { eta: '2026-03-02' }), await createPackage(owner)];
  for (const pkg of [late, open]) await start(pkg);
  time = new Date('2026-03-03T00:00:00.000Z');
  for (const pkg of [late, open]) await complete(pkg);
  expect(await receiptOf(late)).toMatchObject({ onTime: false, attempts: 1 });
  expect(await receiptOf(open)).toMatchObject({ onTime: null, proof: { receivedBy: null, note: null, place: null } });
});

test('a package that is not delivered has no receipt, and the error says so', async () => {
  const pkg = await createPackage(owner);
  for (const act of [async () => {}, () => start(pkg)]) {
    await act();
    await expect(receiptOf(pkg)).rejects.toMatchObject({ status: 409, code: 'not_delivered' });
  }
});

test('a repeated completion is idempotent and keeps the first proof', async () => {
  const pkg = await createPackage(owner);
  await start(pkg);
  const completed = await complete(pkg, { receivedBy: 'Anna Berg', note: 'At the door' });
  const receipt = await receiptOf(pkg);
  time = new Date('2026-03-05T00:00:00.000Z');
  expect(await complete(pkg, { receivedBy: 'Somebody else', note: 'Elsewhere' })).toEqual(completed);
  expect(await receiptOf(pkg)).toEqual(receipt);
});

const get = (address: string | null) => inject(product.app, address ?? '', { method: 'GET' });

test('photo and signature are part of the proof, at signed URLs that expire', async () => {
  time = new Date('2026-03-06T10:00:00.000Z');
  const pkg = await createPackage(owner);
  await start(pkg);
  const [photo, signature] = [await uploadImage(product, driver), await uploadImage(product, driver, 'black')];
  await complete(pkg, { photo, signature });
  const { proof } = await receiptOf(pkg);
  for (const address of [proof.photo, proof.signature]) {
    expect(address).toMatch(/^\/media\/proofs\//);
    expect((await get(address)).status).toBe(200);
    expect((await get(address?.split('?')[0] ?? '')).status).toBe(404);
  }
  const bytes = async (address: string | null) => Buffer.from(await (await get(address)).arrayBuffer());
  expect((await bytes(proof.photo)).equals(await bytes(proof.signature))).toBe(false);
  time = new Date('2026-03-07T10:00:00.000Z');
  expect((await get(proof.photo)).status).toBe(404);
  expect((await get((await receiptOf(pkg)).proof.photo)).status).toBe(200);
});

test('a signature replaces the name of the receiver where one is required', async () => {
  const pkg = await createPackage(owner, { handling: { signatureRequired: true } });
  await start(pkg);
  await expect(complete(pkg, { photo: await uploadImage(product, driver) })).rejects.toMatchObject({
    status: 422,
    fields: { receivedBy: 'This package needs a signature, or the name of the person who took it' },
  });
  expect(await complete(pkg, { signature: await uploadImage(product, driver) })).toMatchObject({
    status: 'delivered',
    receivedBy: null,
  });
});

test('an image that is not the driver’s own upload, or used twice, is refused and completes nothing', async () => {
  const pkg = await createPackage(owner);
  await start(pkg);
  const foreign = await uploadImage(product, owner);
  const own = await uploadImage(product, driver);
  for (const [body, field] of [
    [{ photo: foreign }, 'photo'],
    [{ photo: own, signature: foreign }, 'signature'],
    [{ photo: own, signature: own }, 'photo'],
    [{ signature: '/media/packages/1767225600000-abcdef-none.jpg' }, 'signature'],
  ] as const) {
    await expect(complete(pkg, body)).rejects.toMatchObject({
      status: 422,
      fields: { [field]: expect.any(String) as string },
    });
  }
  expect(await owner.api.packages.read({ params: { id: pkg.id } })).toMatchObject({ status: 'in transit' });
  await complete(pkg, { photo: own });
  expect((await receiptOf(pkg)).proof.photo).toMatch(/^\/media\/proofs\//);
});

test('ten concurrent repeats of one completion get equal replies and store one proof', async () => {
  const pkg = await createPackage(owner);
  await start(pkg);
  const photo = await uploadImage(product, driver);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => complete(pkg, { receivedBy: 'Anna Berg', note: 'At the door', photo })),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const { proof } = await receiptOf(pkg);
  expect(proof).toMatchObject({ receivedBy: 'Anna Berg', note: 'At the door' });
  expect((await get(proof.photo)).status).toBe(200);
  const { items } = await owner.api.packages.events({ params: { id: pkg.id } });
  expect(items.filter(({ type }) => type === 'delivery.completed')).toHaveLength(1);
});

test('a repeat with another photo changes nothing', async () => {
  const pkg = await createPackage(owner);
  await start(pkg);
  await complete(pkg, { photo: await uploadImage(product, driver) });
  const receipt = await receiptOf(pkg);
  await complete(pkg, { photo: await uploadImage(product, driver, 'red') });
  expect(await receiptOf(pkg)).toEqual(receipt);
});
