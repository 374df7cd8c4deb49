import type { Package } from '@waybill/contract';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
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
  product = await openTestProduct({
    now: () => time,
    config: {
      PUBLIC_URL: 'https://parcels.example',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'open',
    },
  });
  owner = await product.register('owner');
  driver = await product.register('driver', 'First driver');
  otherDriver = await product.register('driver', 'Second driver');
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

test('every failed attempt of a package stays with its reason, photo and driver, for its owner and dispatchers; the next driver reads why the last one failed', async () => {
  const [admin, stranger] = [await product.register('admin'), await product.register('owner')];
  const pkg = await startOne();
  expect(await owner.api.packages.attempts(at(pkg))).toEqual([]);
  const photo = await uploadImage(product, driver);
  time = minutes(10);
  await driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Other', note: 'A dog', photo, cardLeft: true } });
  time = minutes(20);
  // Before the start nobody reads what may name the recipient or the door.
  const pending = (await otherDriver.api.deliveries.pending({ query: {} })).items;
  expect(pending.find(({ id }) => id === pkg.id)).toMatchObject({ attempts: 1, lastFailure: null });
  expect(await otherDriver.api.deliveries.start(at(pkg))).toMatchObject({ attempts: 1, lastFailure: 'Other: A dog' });
  time = minutes(30);
  await otherDriver.api.deliveries.fail({ ...at(pkg), body: { reason: 'Nobody home', at: iso(25) } });
  await driver.api.deliveries.start(at(pkg));
  expect(await driver.api.deliveries.next(at(pkg))).toMatchObject({ attempts: 2, lastFailure: 'Nobody home' });
  expect(await driver.api.deliveries.complete(at(pkg))).toMatchObject({ lastFailure: null });
  const seen = await owner.api.packages.attempts(at(pkg));
  expect(seen).toEqual([
    { number: 2, at: iso(25), driver: 'Second driver', reason: 'Nobody home', photo: null, cardLeft: false },
    {
      number: 1,
      at: iso(10),
      driver: 'First driver',
      reason: 'Other: A dog',
      photo: expect.stringContaining('/media/proofs/') as string,
      cardLeft: true,
    },
  ]);
  expect((await fetch(`${await product.listen()}${seen[1]?.photo}`)).status).toBe(200);
  expect(await admin.api.packages.attempts(at(pkg))).toEqual(seen);
  await expect(stranger.api.packages.attempts(at(pkg))).rejects.toMatchObject({ status: 404 });
  await expect(product.api().packages.attempts(at(pkg))).rejects.toMatchObject({ status: 401 });
});

test('after the third failed attempt a package goes back to its owner', async () => {
  const pkg = await createPackage(owner);
  const told = async () => {
    const { items } = await owner.api.notifications.list({ query: { limit: 50 } });
    return items.filter(({ packageId, type }) => packageId === pkg.id && type === 'delivery.failed');
  };
  for (const attempt of [1, 2, 3]) {
    await driver.api.deliveries.start(at(pkg));
    expect((await driver.api.dispatch.dayAfterFailing(at(pkg))).returns).toBe(attempt === 3);
    const failed = await driver.api.deliveries.fail({
      ...at(pkg),
      body: { reason: 'Nobody home', nextDay: '2030-01-01' },
    });
    expect(failed).toMatchObject({ attempts: attempt, returnDue: attempt === 3 });
    expect(failed.nextStep).toEqual(attempt === 3 ? null : { kind: 'again', day: '2030-01-01' });
    // It says what is true when it is written, so the next attempt waits for it.
    await eventually(`${attempt} notifications`, async () => (await told()).length === attempt);
    const isLast = (await told()).filter(({ body }) => body.includes('It comes back to you'));
    expect(isLast).toHaveLength(attempt === 3 ? 1 : 0);
  }
  expect(await read(pkg)).toMatchObject({
    attempts: 3,
    returnDue: true,
    nextStep: null,
    failedAttempt: { cardLeft: false },
  });
});

/** As the page of the recipient shows it. */
async function pinOf(pkg: Package): Promise<string> {
  const { url } = await owner.api.recipients.link(at(pkg));
  const body = { key: new URL(url).hash.slice(1) };
  const params = { id: pkg.trackingId };
  const { token } = await product.api().recipients.access({ params, body });
  const { pin } = await product.api(token).recipients.view({ params });
  return pin ?? '';
}
const wrongPins = (pin: string, count: number) =>
  Array.from({ length: count }, (_, index) => String((Number(pin) + 1 + index) % 10_000).padStart(4, '0'));

test('a package with a PIN is completed by the recipient’s digits alone, which its driver reads nowhere', async () => {
  const pkg = await startOne({ handling: { pin: true } });
  const pin = await pinOf(pkg);
  expect(pin).toMatch(/^\d{4}$/);
  const complete = (body: object) => driver.api.deliveries.complete({ ...at(pkg), body });
  await expect(complete({})).rejects.toMatchObject({ status: 422, fields: { pin: expect.stringContaining('PIN') } });
  await expect(complete({ pin: '12' })).rejects.toMatchObject({ status: 422 });
  const seen = [
    await driver.api.deliveries.mine({ query: {} }),
    await owner.api.packages.read(at(pkg)),
    await owner.api.packages.events(at(pkg)),
    await product.api().tracking.view({ params: { id: pkg.trackingId } }),
  ];
  expect(JSON.stringify(seen)).not.toContain(`"${pin}"`);
  const stored = await product.ctx.db.query<{ row: string }>('select p::text as row from packages p where id = $1', [
    pkg.id,
  ]);
  expect(stored[0]?.row).not.toContain(`,${pin},`);
  const [done, again] = [await complete({ pin }), await complete({ pin })];
  expect(done).toMatchObject({ status: 'delivered' });
  expect(again).toEqual(done);
  expect((await owner.api.deliveries.receipt(at(pkg))).proof).toMatchObject({ pin: 'given', ageChecked: null });
  expect(await pinOf(pkg)).toBe('');
});

test('five different wrong PINs lock a package until a dispatcher releases it; repeated requests count once, concurrent ones all', async () => {
  const admin = await product.register('admin');
  const pkg = await startOne({ handling: { pin: true } });
  const pin = await pinOf(pkg);
  const complete = (given: string, idempotencyKey?: string) =>
    driver.api.deliveries.complete({ ...at(pkg), body: { pin: given }, idempotencyKey });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      ({ code }: { code: string }) => code,
    );
  const [first = '', ...others] = wrongPins(pin, 12);
  for (const key of ['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950e', undefined])
    expect(await codeOf(complete(first, key))).toBe('pin_wrong');
  await expect(complete(first)).rejects.toMatchObject({ fields: { pin: 'This PIN is not right: 4 more tries' } });
  await expect(otherDriver.api.deliveries.complete({ ...at(pkg), body: { pin } })).rejects.toMatchObject({
    status: 404,
  });
  const codes = await Promise.all(others.map((other) => codeOf(complete(other))));
  expect(codes.filter((code) => code === 'pin_wrong')).toHaveLength(3);
  expect(codes.filter((code) => code === 'pin_locked')).toHaveLength(8);
  expect(await codeOf(complete(pin))).toBe('pin_locked');
  const own = async () => (await driver.api.deliveries.mine({ query: { q: pkg.trackingId } })).items[0];
  expect(await own()).toMatchObject({ pinState: 'locked', status: 'in transit' });
  expect(await newest(pkg)).toMatchObject({ type: 'package.pin-locked' });
  // Another attempt has no new tries.
  await driver.api.deliveries.fail({ ...at(pkg), body: { reason: 'No PIN' } });
  await driver.api.deliveries.start(at(pkg));
  expect(await codeOf(complete(pin))).toBe('pin_locked');
  await expect(driver.api.deliveries.releasePin(at(pkg))).rejects.toMatchObject({ status: 403 });
  expect(await admin.api.deliveries.releasePin(at(pkg))).toMatchObject({ pinState: 'asked' });
  const { items } = await admin.api.audit.list({ query: { act: 'pin.released' } });
  expect(items[0]).toMatchObject({ subjectId: pkg.id, details: { waived: false } });
  expect(await codeOf(complete(first))).toBe('pin_wrong');
  expect(await codeOf(complete(pin))).toBe('done');
});

test('at a door each package has its own PIN, and a PIN that a dispatcher waived is not asked', async () => {
  const admin = await product.register('admin');
  const [one, two, plain] = await start(3, { handling: { pin: true } }).then(async (packages) => [
    ...packages.slice(0, 2),
    await startOne(),
  ]);
  if (!one || !two || !plain) throw new Error('no packages');
  const deliveryIds = [one.id, two.id, plain.id];
  const pins = { [one.id]: await pinOf(one), [two.id]: await pinOf(two) };
  const [wrong = ''] = wrongPins(pins[two.id] ?? '', 1);
  const door = (given: Record<string, string>) =>
    driver.api.deliveries.completeDoor({ body: { deliveryIds, pins: given, receivedBy: 'Anna' } });
  await expect(door({ [one.id]: pins[one.id] ?? '' })).rejects.toMatchObject({ status: 422 });
  await expect(door({ ...pins, [two.id]: wrong })).rejects.toMatchObject({
    code: 'pin_wrong',
    fields: { [`pins.${two.id}`]: 'This PIN is not right: 4 more tries' },
  });
  expect(await read(one)).toMatchObject({ status: 'in transit' });
  expect(await admin.api.deliveries.releasePin({ ...at(two), body: { waive: true } })).toMatchObject({
    pinState: 'waived',
  });
  await door({ [one.id]: pins[one.id] ?? '' });
  const proofs = [];
  for (const pkg of [one, two, plain]) proofs.push((await owner.api.deliveries.receipt(at(pkg))).proof.pin);
  expect(proofs).toEqual(['given', 'waived', null]);
});

test('an age check needs the word of the driver, is in the proof and its page, and forbids a safe place', async () => {
  await expect(createPackage(owner, { handling: { age: 18, safePlace: 'Shed' } })).rejects.toMatchObject({
    status: 422,
    fields: { 'handling.safePlace': expect.stringContaining('age check') },
  });
  const pkg = await startOne({ handling: { age: 18, pin: true } });
  const pin = await pinOf(pkg);
  const complete = (body: object) => driver.api.deliveries.complete({ ...at(pkg), body });
  await expect(complete({ pin })).rejects.toMatchObject({ status: 422, fields: { ageChecked: expect.any(String) } });
  await complete({ pin, ageChecked: true });
  expect((await owner.api.deliveries.receipt(at(pkg))).proof).toMatchObject({ pin: 'given', ageChecked: 18 });
  const [link] = await product.ctx.db.query<{ content: string }>(
    'select content from proof_links where package_id = $1',
    [pkg.id],
  );
  expect(JSON.parse(link?.content ?? '{}')).toMatchObject({ pin: 'given', ageChecked: 18 });
  const bundle = await owner.api.deliveries.proof(at(pkg));
  const page = strFromU8(unzipSync(new Uint8Array(await bundle.arrayBuffer()))['proof.html'] ?? new Uint8Array());
  expect(page).toContain('<dt>PIN</dt><dd>The right PIN was given at the door</dd>');
  expect(page).toContain('The driver checked an ID: 18 or older');
});
