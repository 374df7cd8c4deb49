import type { Package, RecipientChangeInput } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let admin: TestUser;
let depotId: string;
let time = new Date('2026-06-10T06:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({
    now: () => time,
    config: {
      TIME_ZONE: 'Europe/Berlin',
      CHANGE_CUTOFF_STOPS: '1',
      RATE_LIMITS: 'register=100/3600',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'open',

      PUBLIC_URL: 'https://parcels.example',
    },
  });
  owner = await product.register('owner');
  admin = await product.register('admin');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
});
afterAll(() => product.close());

const visitor = () => product.api();
const keyOf = (url: string) => new URL(url).hash.slice(1);
const linkOf = async (pkg: Package, who = owner) => (await who.api.recipients.link({ params: { id: pkg.id } })).url;
const open = (pkg: Package, key: string) =>
  visitor().recipients.access({ params: { id: pkg.trackingId }, body: { key } });
/** The recipient's calls for a package. */
async function recipientOf(pkg: Package) {
  const { token } = await open(pkg, keyOf(await linkOf(pkg)));
  const { recipients } = product.api(token);
  const params = { id: pkg.trackingId };
  return {
    token,
    view: () => recipients.view({ params }),
    change: (body: RecipientChangeInput) => recipients.change({ params, body }),
    rate: (stars: number) => recipients.rate({ params, body: { stars, comment: 'On time' } }),
    withdraw: (changeId: string) => recipients.withdraw({ params: { ...params, changeId } }),
  };
}
const read = (pkg: Package, who = owner) => who.api.packages.read({ params: { id: pkg.id } });
const address = { street: 'Am Markt 3', postalCode: '20095', city: 'Hamburg' };

test('the link opens the address and instructions of its package with a token, and nothing else', async () => {
  const pkg = await createPackage(owner, { address, instructions: 'Ring twice' });
  const other = await createPackage(owner);
  const url = await linkOf(pkg);
  expect(url).toMatch(new RegExp(`^https://parcels\\.example/track/${pkg.trackingId}#[\\w-]{22,}$`));
  const { token, expiresIn } = await open(pkg, keyOf(url));
  expect(expiresIn).toBe(1800);
  const { recipients, packages } = product.api(token);
  expect(await recipients.view({ params: { id: pkg.trackingId.toLowerCase() } })).toMatchObject({
    address: 'Am Markt 3, 20095 Hamburg',
    instructions: 'Ring twice',
    refusal: null,
    proof: null,
  });
  await expect(recipients.view({ params: { id: other.trackingId } })).rejects.toMatchObject({ status: 401 });
  await expect(packages.read({ params: { id: pkg.id } })).rejects.toMatchObject({ status: 401 });
  await expect(visitor().recipients.view({ params: { id: pkg.trackingId } })).rejects.toMatchObject({ status: 401 });
  for (const forged of [`${token}x`, `z${token}`, keyOf(url), `zzzzzz-${token.split('-').slice(1).join('-')}`])
    await expect(product.api(forged).recipients.view({ params: { id: pkg.trackingId } })).rejects.toMatchObject({
      status: 401,
    });
  time = new Date(time.getTime() + 1801_000);
  await expect(recipients.view({ params: { id: pkg.trackingId } })).rejects.toMatchObject({ status: 401 });
});

test('a new link stops the old one and its tokens; what staff do with links is audited', async () => {
  const pkg = await createPackage(owner);
  const old = keyOf(await linkOf(pkg));
  const { token } = await open(pkg, old);
  expect(keyOf(await linkOf(pkg, admin))).toBe(old);
  const { url } = await admin.api.recipients.renewLink({ params: { id: pkg.id } });
  expect(keyOf(url)).not.toBe(old);
  await expect(open(pkg, old)).rejects.toMatchObject({ status: 404 });
  await expect(product.api(token).recipients.view({ params: { id: pkg.trackingId } })).rejects.toMatchObject({
    status: 401,
  });
  await open(pkg, keyOf(url));
  expect((await read(pkg)).version).toBe(pkg.version);
  const entries = (await admin.api.audit.list({ query: { limit: 20 } })).items.filter(
    ({ subjectId }) => subjectId === pkg.id,
  );
  expect(entries.map(({ act }) => act).toSorted()).toEqual(['recipient-link.read', 'recipient-link.renewed']);
  await owner.api.packages.update({ params: { id: pkg.id }, body: { status: 'cancelled' } });
  await expect(open(pkg, keyOf(url))).rejects.toMatchObject({ status: 404 });
  await expect(linkOf(pkg)).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
});

test('ten wrong keys an hour for a package and address, unknown IDs answer the same, and the right key always opens', async () => {
  const pkg = await createPackage(owner);
  const key = keyOf(await linkOf(pkg));
  const guess = (id = pkg.trackingId) => visitor().recipients.access({ params: { id }, body: { key: 'A'.repeat(24) } });
  const messages = new Set<string>();
  for (const id of ['PKG-UNKNOWN0', 'nonsense', ...Array.from({ length: 10 }, () => pkg.trackingId)])
    await guess(id).catch((error: { status: number; message: string }) =>
      messages.add(`${error.status} ${error.message}`),
    );
  expect([...messages]).toEqual(['404 Package not found']);
  await expect(guess()).rejects.toMatchObject({ status: 429 });
  await open(pkg, key);
});

test('what the recipient changes reaches owner and driver at once, the driver takes note of it, and it can be taken back', async () => {
  const driver = await product.register('driver');
  const pkg = await createPackage(owner, { address, instructions: 'Ring twice' });
  const recipient = await recipientOf(pkg);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  const live = await watch(product, '/live', driver.token);
  const changed = await recipient.change({ kind: 'safe_place', place: 'Behind the shed' });
  expect(changed).toMatchObject({
    safePlace: 'Behind the shed',
    changes: [{ kind: 'safe_place', acknowledgedAt: null }],
  });
  await eventually('the hint', () => live.events.some(({ data }) => JSON.stringify(data).includes(pkg.id)));
  live.stop();
  const own = async () =>
    (await driver.api.deliveries.mine({ query: { status: 'in transit' } })).items.find(({ id }) => id === pkg.id);
  expect(await own()).toMatchObject({
    handling: { safePlace: 'Behind the shed' },
    recipientChanges: [{ note: 'Leave in a safe place: Behind the shed', acknowledgedAt: null }],
  });
  const told = async (text: string) =>
    (await driver.api.notifications.list({ query: { limit: 200 } })).items.some(({ body }) => body.includes(text));
  await eventually('what the driver is told', () => told('has changed the delivery: it can be left in a safe place.'));
  expect(await told('Behind the shed')).toBe(false);
  await driver.api.deliveries.acknowledge({ params: { id: pkg.id } });
  expect((await recipient.view()).changes).toMatchObject([{ acknowledgedAt: time.toISOString() }]);
  // A neighbour instead of the place.
  const next = await recipient.change({ kind: 'neighbour', name: 'Schulz', address: 'Am Markt 5' });
  expect(next).toMatchObject({ safePlace: null, changes: [{ kind: 'neighbour', acknowledgedAt: null }] });
  await recipient.change({ kind: 'instructions', text: 'The gate code is 4711' });
  expect(await read(pkg)).toMatchObject({
    instructions: 'The gate code is 4711',
    recipientChanges: [{ kind: 'neighbour' }, { kind: 'instructions' }],
  });
  const last = (await recipient.view()).changes.at(-1)?.id ?? '';
  expect(await recipient.withdraw(last)).toMatchObject({
    instructions: 'Ring twice',
    changes: [{ kind: 'neighbour' }],
  });
  const events = await owner.api.packages.events({ params: { id: pkg.id } });
  expect(events.items.slice(0, 2)).toMatchObject([
    { type: 'package.changed-by-recipient', note: 'Taken back: Instructions: The gate code is 4711', actor: null },
    { type: 'package.changed-by-recipient', note: 'Instructions: The gate code is 4711' },
  ]);
  expect(JSON.stringify(await visitor().tracking.view({ params: { id: pkg.trackingId } }))).not.toContain('4711');
});

test('nothing is changed against the sender, a required signature, or once the driver is nearly there', async () => {
  const driver = await product.register('driver');
  const [closed, signed] = await Promise.all([
    createPackage(owner, { allowChanges: false }),
    createPackage(owner, { handling: { signatureRequired: true } }),
  ]);
  const text = { kind: 'instructions', text: 'Ring twice' } as const;
  const shut = await recipientOf(closed);
  expect(await shut.view()).toMatchObject({ refusal: 'sender', mayChange: [] });
  await expect(shut.change(text)).rejects.toMatchObject({ status: 409, code: 'conflict' });
  const careful = await recipientOf(signed);
  expect((await careful.view()).mayChange).not.toContain('safe_place');
  await expect(careful.change({ kind: 'safe_place', place: 'Shed' })).rejects.toMatchObject({ status: 409 });
  for (const wrong of [
    { kind: 'reschedule', day: '2026-06-09' },
    { kind: 'reschedule', day: '2026-07-30' },
    { kind: 'window', from: '2026-06-11T10:00:00Z', to: '2026-06-11T09:00:00Z' },
    { kind: 'window', from: '2026-06-01T10:00:00Z', to: '2026-06-01T11:00:00Z' },
    { kind: 'collect', depotId: signed.id },
    { kind: 'burn' },
    { kind: 'reschedule', day: '2026-06-12', place: 'x' },
  ])
    await expect(careful.change(wrong as RecipientChangeInput)).rejects.toMatchObject({ status: 422 });
  await driver.api.deliveries.start({ params: { id: signed.id } });
  await careful.change(text);
  await driver.api.deliveries.next({ params: { id: signed.id } });
  expect(await careful.view()).toMatchObject({ refusal: 'late' });
  await expect(careful.change({ ...text, text: 'Later' })).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
  await driver.api.deliveries.complete({
    params: { id: signed.id },
    body: { receivedBy: 'Mara', note: 'At the door' },
  });
  expect(await careful.view()).toMatchObject({ refusal: 'ended', proof: { receivedBy: 'Mara', note: 'At the door' } });
});

test('another day takes the stop off the started route without an attempt, as long as the driver is far enough away', async () => {
  const driver = await product.register('driver');
  const packages = await Promise.all(Array.from({ length: 4 }, () => createPackage(owner, { address })));
  const day = '2026-06-10';
  const route = await admin.api.routes.create({ body: { day, depotId, driverId: driver.id, confirm: true } });
  const params = { id: route.id };
  await admin.api.routes.addStops({ params, body: { packageIds: packages.map(({ id }) => id) } });
  const [first, second, third, fourth] = packages as [Package, Package, Package, Package];
  const early = await recipientOf(third);
  // Planned for today: another day takes it off, the same day does not.
  await early.change({ kind: 'reschedule', day });
  expect((await admin.api.routes.read({ params })).stops).toHaveLength(4);
  await driver.api.routes.start({ params, body: { missing: [] } });
  for (const near of [first, second]) expect(await (await recipientOf(near)).view()).toMatchObject({ refusal: 'late' });
  await expect(early.change({ kind: 'reschedule', day })).rejects.toMatchObject({ status: 422 });
  const view = await early.change({ kind: 'reschedule', day: '2026-06-12' });
  expect(view.changes.map(({ note }) => note)).toEqual(['Deliver on 2026-06-12']);
  expect(await read(third)).toMatchObject({ status: 'processing', eta: '2026-06-12', attempts: 0, driverId: null });
  const left = (await driver.api.routes.mine({ query: {} })).items.find(({ id }) => id === route.id);
  expect(left?.stops.map(({ packageId }) => packageId)).toEqual([first.id, second.id, fourth.id]);
  // Collected instead: the day is replaced, nobody is offered it.
  await early.change({ kind: 'collect', depotId });
  expect(await read(third)).toMatchObject({ nextStep: { kind: 'collect' }, depotId, eta: third.eta });
  expect((await early.view()).changes).toMatchObject([{ kind: 'collect' }]);
  await expect(driver.api.deliveries.start({ params: { id: third.id } })).rejects.toMatchObject({ status: 409 });
});

test('the recipient rates once, and counts for the driver in place of the owner; a reopening removes both', async () => {
  const driver = await product.register('driver');
  const pkg = await createPackage(owner);
  const recipient = await recipientOf(pkg);
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await expect(recipient.rate(5)).rejects.toMatchObject({ status: 409, code: 'not_delivered' });
  await driver.api.deliveries.complete({ params });
  const ratingOf = async () => (await owner.api.deliveries.driverOfPackage({ params })).rating;
  await owner.api.packages.rate({ params, body: { stars: 2 } });
  expect(await ratingOf()).toBe(2);
  expect(await recipient.rate(5)).toMatchObject({ rating: { stars: 5, comment: 'On time' } });
  expect(await ratingOf()).toBe(5);
  await eventually('the notification of the driver', async () => {
    const { items } = await driver.api.notifications.list({ query: {} });
    return items.some(({ type, body }) => type === 'package.rated-by-recipient' && body.includes('5 of 5 stars'));
  });
  await expect(recipient.rate(1)).rejects.toMatchObject({ status: 409, code: 'already_rated' });
  expect(await read(pkg)).toMatchObject({ rating: { stars: 2 }, recipientRating: { stars: 5, comment: 'On time' } });
  const recounted = () =>
    product.ctx.db.query<{ ratings: number | null; stars: number | null }>(
      `select sum(ratings)::int as ratings, sum(stars)::int as stars from (select ratings, stars from figures
       union all select ratings, stars from figure_changes) counted
       union all select sum(ratings)::int, sum(stars)::int from recounted_figures()`,
    );
  const [counted, fromEvents] = await recounted();
  expect(counted).toEqual(fromEvents);
  expect(counted).toMatchObject({ ratings: 2, stars: 7 });
  await admin.api.deliveries.reopen({ params, body: { reason: 'The wrong door' } });
  expect(await read(pkg)).toMatchObject({ rating: null, recipientRating: null });
  const [after, recountedAfter] = await recounted();
  expect(after).toMatchObject({ ratings: 0, stars: 0 });
  expect(recountedAfter?.ratings ?? 0).toBe(0);
});
