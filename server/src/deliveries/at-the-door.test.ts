import type { Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  openTestProduct,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner');
  driver = await product.register('driver');
  otherDriver = await product.register('driver');
});
afterAll(() => product.close());

const at = (pkg: Pick<Package, 'id'>) => ({ params: { id: pkg.id } });
const minutes = (count: number) => new Date(Date.parse('2026-03-01T10:00:00.000Z') + count * 60_000);
const iso = (count: number) => minutes(count).toISOString();
const read = (pkg: Package) => owner.api.packages.read(at(pkg));
const newest = async (pkg: Package) => (await owner.api.packages.events(at(pkg))).items[0];

async function start(count: number, fields: object = {}, by = driver): Promise<Package[]> {
  time = minutes(0);
  const packages = [];
  for (let index = 0; index < count; index++) packages.push(await createPackage(owner, fields));
  for (const pkg of packages) await by.api.deliveries.start(at(pkg));
  return packages;
}

async function startOne(fields: object = {}): Promise<Package> {
  const [pkg] = await start(1, fields);
  if (!pkg) throw new Error('no package');
  return pkg;
}

test('arriving without a route puts a package out for delivery, once, with the time of the device and that of the server', async () => {
  const pkg = await startOne();
  time = minutes(30);
  const arrived = await driver.api.deliveries.arrive({ ...at(pkg), body: { at: iso(20) } });
  expect(arrived).toMatchObject({ status: 'in transit', next: true, arrivedAt: iso(20) });
  expect(await driver.api.deliveries.arrive(at(pkg))).toEqual(arrived);
  expect(await read(pkg)).toMatchObject({ status: 'out for delivery', lastUpdate: iso(30) });
  expect(await newest(pkg)).toMatchObject({ type: 'delivery.arrived', at: iso(20), recordedAt: iso(30) });
  await expect(otherDriver.api.deliveries.arrive(at(pkg))).rejects.toMatchObject({ status: 404 });
});

test('a completion and a failed attempt that were sent late have the time of the device, and figures go by it', async () => {
  const [completed, failed] = await start(2, { eta: '2026-03-01' });
  if (!completed || !failed) throw new Error('no packages');
  // Sent the day after, which would be late.
  time = minutes(20 * 60);
  await driver.api.deliveries.arrive({ ...at(completed), body: { at: iso(50) } });
  const done = await driver.api.deliveries.complete({ ...at(completed), body: { at: iso(60) } });
  expect(done).toMatchObject({ completedAt: iso(60), updatedAt: iso(1200), arrivedAt: iso(50) });
  expect(await driver.api.deliveries.complete({ ...at(completed), body: { at: iso(90) } })).toEqual(done);
  await driver.api.deliveries.fail({ ...at(failed), body: { reason: 'Nobody home', at: iso(120) } });
  expect(await read(failed)).toMatchObject({ failedAttempt: { at: iso(120), reason: 'Nobody home' } });
  expect(await newest(failed)).toMatchObject({ at: iso(120), recordedAt: iso(1200) });
  expect((await owner.api.deliveries.receipt(at(completed))).onTime).toBe(true);
  const attempts = await product.ctx.db.query(
    'select outcome, arrived_at, ended_at, recorded_at from delivery_attempts where package_id = any($1) order by ended_at',
    [[completed.id, failed.id]],
  );
  expect(attempts).toEqual([
    { outcome: 'completed', arrived_at: minutes(50), ended_at: minutes(60), recorded_at: minutes(1200) },
    { outcome: 'failed', arrived_at: null, ended_at: minutes(120), recorded_at: minutes(1200) },
  ]);
});

test('a time in the future, before the start or of yesterday is refused; a clock that is off by a minute is not', async () => {
  const pkg = await startOne();
  time = minutes(26 * 60);
  for (const [sent, message] of [
    [iso(26 * 60 + 3), 'This time is in the future'],
    [iso(-3), 'This time is before the start of the delivery'],
    [iso(60), 'This time is more than 24 hours ago'],
  ] as const) {
    for (const act of [
      () => driver.api.deliveries.arrive({ ...at(pkg), body: { at: sent } }),
      () => driver.api.deliveries.complete({ ...at(pkg), body: { at: sent } }),
      () => driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Nobody home', at: sent } }),
      () => driver.api.deliveries.completeDoor({ body: { deliveryIds: [pkg.id], at: sent } }),
    ])
      await expect(act()).rejects.toMatchObject({ status: 422, fields: { at: message } });
  }
  const ahead = await driver.api.deliveries.arrive({ ...at(pkg), body: { at: iso(26 * 60 + 1) } });
  expect(ahead.arrivedAt).toBe(iso(26 * 60));
  const other = await startOne();
  expect((await driver.api.deliveries.arrive({ ...at(other), body: { at: iso(-1) } })).arrivedAt).toBe(iso(0));
});

test('a door of three packages is completed with one signature and photo, which every receipt shows; a repeat changes nothing', async () => {
  const packages = await start(3, { handling: { signatureRequired: true } });
  const deliveryIds = packages.map(({ id }) => id);
  const [photo, signature] = [await uploadImage(product, driver), await uploadImage(product, driver)];
  const complete = () =>
    driver.api.deliveries.completeDoor({
      body: { deliveryIds, receivedBy: 'Anna Berg', note: 'All three', photo, signature, at: iso(0) },
    });
  const done = await complete();
  expect(done.deliveries.map(({ id, status, receivedBy }) => [id, status, receivedBy])).toEqual(
    deliveryIds.map((id) => [id, 'delivered', 'Anna Berg']),
  );
  expect(await complete()).toEqual(done);
  const proofs = [];
  const links = [];
  for (const pkg of packages) {
    const { link, ...proof } = (await owner.api.deliveries.receipt(at(pkg))).proof;
    proofs.push(proof);
    links.push(link?.hash);
  }
  expect(new Set(links).size).toBe(3);
  expect(proofs[0]).toMatchObject({ note: 'All three', photo: expect.stringContaining('/media/proofs/') as string });
  expect(proofs[1]).toEqual(proofs[0]);
  expect(proofs[2]).toEqual(proofs[0]);
  for (const pkg of packages) expect(await newest(pkg)).toMatchObject({ type: 'delivery.completed' });
  // One of them is completed again by itself: it has its proof.
  expect(await driver.api.deliveries.complete({ params: { id: deliveryIds[1] ?? '' } })).toEqual(done.deliveries[1]);
});

test('a door is completed whole or not at all, and the refusal names the package', async () => {
  const [plain, signed] = [...(await start(1)), ...(await start(1, { handling: { signatureRequired: true } }))];
  const [foreign] = await start(1, {}, otherDriver);
  const waiting = await createPackage(owner);
  if (!plain || !signed || !foreign) throw new Error('no packages');
  const complete = (others: Package[], fields: object = {}) =>
    driver.api.deliveries.completeDoor({ body: { deliveryIds: [plain.id, ...others.map(({ id }) => id)], ...fields } });
  await expect(complete([signed])).rejects.toMatchObject({
    status: 422,
    fields: { receivedBy: expect.any(String) as string, 'deliveryIds.1': expect.any(String) as string },
  });
  await expect(complete([foreign], { receivedBy: 'Anna' })).rejects.toMatchObject({
    status: 404,
    fields: { 'deliveryIds.1': 'This delivery does not exist' },
  });
  await expect(complete([signed, waiting], { receivedBy: 'Anna' })).rejects.toMatchObject({
    status: 409,
    code: 'illegal_step',
    fields: { 'deliveryIds.2': 'This package is processing: it cannot be completed' },
  });
  for (const pkg of [plain, signed]) expect(await read(pkg)).toMatchObject({ status: 'in transit' });
  await expect(complete([plain])).rejects.toMatchObject({
    status: 422,
    fields: { deliveryIds: 'Each package only once' },
  });
  // Two requests for overlapping doors: each package is completed once.
  const results = await Promise.all([
    complete([signed], { receivedBy: 'Anna' }),
    driver.api.deliveries.completeDoor({ body: { deliveryIds: [signed.id, plain.id], receivedBy: 'Berta' } }),
  ]);
  expect(new Set(results.flatMap(({ deliveries }) => deliveries.map(({ receivedBy }) => receivedBy))).size).toBe(1);
});

test('a repeated Idempotency-Key gets the first reply of a door, only as long as its driver may see it', async () => {
  const packages = await start(2);
  const body = { deliveryIds: packages.map(({ id }) => id) };
  const send = (user: TestUser) => user.api.deliveries.completeDoor({ body, idempotencyKey: 'door-1' });
  const first = await send(driver);
  expect(await send(driver)).toEqual(first);
  await expect(send(otherDriver)).rejects.toMatchObject({ status: 404 });
});

test('a failed attempt has a note, a photo, a card at the door and a next day, and its owner sees them', async () => {
  const pkg = await startOne();
  const photo = await uploadImage(product, driver);
  const fail = (fields: object) => driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Other', ...fields } });
  await expect(fail({ note: ' ' })).rejects.toMatchObject({
    status: 422,
    fields: { note: 'Please say what happened' },
  });
  await expect(fail({ note: 'A dog', nextDay: '2026-02-28' })).rejects.toMatchObject({
    status: 422,
    fields: { nextDay: 'This day is in the past' },
  });
  const failed = await fail({ note: 'A dog', photo, cardLeft: true, nextDay: '2026-03-02' });
  expect(failed).toMatchObject({ attempts: 1, returnDue: false, nextStep: { kind: 'again', day: '2026-03-02' } });
  const seen = await read(pkg);
  expect(seen).toMatchObject({
    attempts: 1,
    returnDue: false,
    nextStep: { kind: 'again', day: '2026-03-02' },
    failedAttempt: {
      reason: 'Other: A dog',
      photo: expect.stringContaining('/media/proofs/') as string,
      cardLeft: true,
    },
  });
  expect((await fetch(`${await product.listen()}${seen.failedAttempt?.photo}`)).status).toBe(200);
  // The next attempt settles what was proposed, and its proof leaves the photo of the failed one.
  expect(await otherDriver.api.deliveries.start(at(pkg))).toMatchObject({ attempts: 1, nextStep: null });
  const signature = await uploadImage(product, otherDriver);
  await otherDriver.api.deliveries.complete({ ...at(pkg), body: { signature } });
  const [attached] = await product.ctx.db.query<{ count: string }>(
    "select count(*) from images where attached_to = $1 and state = 'attached'",
    [`delivery:${pkg.id}`],
  );
  expect(attached?.count).toBe('2');
});

test('after the third failed attempt a package goes back to its owner', async () => {
  const pkg = await createPackage(owner);
  for (const attempt of [1, 2, 3]) {
    await driver.api.deliveries.start(at(pkg));
    const failed = await driver.api.deliveries.fail({
      ...at(pkg),
      body: { reason: 'Nobody home', nextDay: '2030-01-01' },
    });
    expect(failed).toMatchObject({ attempts: attempt, returnDue: attempt === 3 });
    expect(failed.nextStep).toEqual(attempt === 3 ? null : { kind: 'again', day: '2030-01-01' });
  }
  expect(await read(pkg)).toMatchObject({
    attempts: 3,
    returnDue: true,
    nextStep: null,
    failedAttempt: { cardLeft: false },
  });
});
