import type { NotificationKind } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const preferences = async (user: TestUser) => (await user.api.notifications.preferences()).inApp;
const turn = (user: TestUser, on: boolean, ...kinds: NotificationKind[]) =>
  user.api.notifications.setPreferences({ body: { inApp: kinds.map((kind) => ({ kind, on })) } });
const typesOf = async (user: TestUser) =>
  (await user.api.notifications.list({ query: { limit: 200 } })).items.map(({ type }) => type).toSorted();
const queueIsEmpty = () =>
  eventually('an empty queue', async () => {
    const rows = await product.ctx.db.query("select from jobs.job where state < 'completed' limit 1");
    return rows.length === 0;
  });

test('each user is offered the kinds that they can receive, and all of them are on', async () => {
  const kindsOf = async (user: TestUser) => (await preferences(user)).map(({ kind }) => kind);
  expect(await kindsOf(owner)).toEqual([
    'delivery.started',
    'delivery.next',
    'delivery.completed',
    'delivery.failed',
    'delivery.assigned',
    'delivery.released',
    'package.cancelled',
    'package.deleted',
    'package.updated',
    'package.pin',
    'package.messaged',
    'package.unreachable',
    'incident',
    'security',
  ]);
  expect(await kindsOf(driver)).toEqual([
    'delivery.failed',
    'delivery.assigned',
    'delivery.released',
    'package.updated',
    'package.pin',
    'package.rated',
    'incident',
    'security',
    'offer.declined',
  ]);
  // Administrators may own packages, but never deliver.
  expect(await kindsOf(admin)).not.toContain('package.rated');
  expect(await kindsOf(admin)).toEqual(
    expect.arrayContaining(['incident', 'message.received', 'account.waiting', 'password.reset-requested']),
  );
  for (const user of [owner, driver, admin]) expect((await preferences(user)).every(({ on }) => on)).toBe(true);
});

test('a kind that is off is not delivered, nor later when it is on again', async () => {
  const otherOwner = await product.register('owner');
  const reply = await turn(otherOwner, false, 'delivery.next', 'incident');
  expect(reply.inApp).toEqual(await preferences(otherOwner));
  expect(reply.inApp.filter(({ on }) => !on).map(({ kind }) => kind)).toEqual(['delivery.next', 'incident']);
  const pkg = await createPackage(otherOwner);
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.next({ params });
  await otherOwner.api.incidents.reportOnPackage({ params, body: { issue: 'It is late' } });
  await queueIsEmpty();
  expect(await typesOf(otherOwner)).toEqual(['delivery.started']);
  // Preferences are per user.
  expect(await typesOf(admin)).toContain('issue.reported');

  await turn(otherOwner, true, 'delivery.next', 'incident');
  await driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } });
  await driver.api.deliveries.complete({ params });
  await queueIsEmpty();
  expect(await typesOf(otherOwner)).toEqual(['delivery.completed', 'delivery.started', 'issue.reported']);
});

test('a kind that is off for another channel is delivered by this one', async () => {
  const otherOwner = await product.register('owner');
  await product.ctx.db.query(
    "insert into notification_preferences values ($1, 'another-channel', 'delivery.started', false)",
    [otherOwner.id],
  );
  expect((await preferences(otherOwner)).every(({ on }) => on)).toBe(true);
  await driver.api.deliveries.start({ params: { id: (await createPackage(otherOwner)).id } });
  await queueIsEmpty();
  expect(await typesOf(otherOwner)).toEqual(['delivery.started']);
});

test('a driver who turns off ratings is still notified of assignments', async () => {
  const otherDriver = await product.register('driver');
  await turn(otherDriver, false, 'package.rated');
  const pkg = await createPackage(owner);
  const params = { id: pkg.id };
  await admin.api.deliveries.assign({ params, body: { driverId: otherDriver.id } });
  await otherDriver.api.deliveries.complete({ params });
  await owner.api.packages.rate({ params, body: { stars: 5 } });
  await queueIsEmpty();
  expect(await typesOf(otherDriver)).toEqual(['delivery.assigned']);
});

test('essential kinds cannot be turned off', async () => {
  await expect(turn(admin, false, 'incident', 'password.reset-requested')).rejects.toMatchObject({
    status: 422,
    fields: { 'inApp.1.on': 'This cannot be turned off' },
  });
  // Not even by a row in the database.
  await product.ctx.db.query(
    "insert into notification_preferences values ($1, 'in-app', 'password.reset-requested', false)",
    [admin.id],
  );
  const before = await preferences(admin);
  expect(before.find(({ kind }) => kind === 'password.reset-requested')).toMatchObject({ on: true, essential: true });
  expect(before.filter(({ essential }) => essential).map(({ kind }) => kind)).toEqual([
    'account.waiting',
    'password.reset-requested',
    'security',
  ]);
  expect(before.find(({ kind }) => kind === 'incident')).toMatchObject({ on: true });
  await product.api().auth.forgot({ body: { email: owner.email } });
  await eventually('the administrator is notified', async () =>
    (await typesOf(admin)).includes('password.reset-requested'),
  );
});

test('of two values for a kind the last one wins; unknown kinds and channels are refused', async () => {
  const otherOwner = await product.register('owner');
  const inApp = [
    { kind: 'incident' as const, on: true },
    { kind: 'incident' as const, on: false },
  ];
  const reply = await otherOwner.api.notifications.setPreferences({ body: { inApp } });
  expect(reply.inApp.find(({ kind }) => kind === 'incident')).toMatchObject({ on: false });
  await expect(turn(otherOwner, false, 'weather' as never)).rejects.toMatchObject({ status: 422 });
  const unknownChannel = { inApp: [], fax: [] };
  await expect(otherOwner.api.notifications.setPreferences({ body: unknownChannel })).rejects.toMatchObject({
    status: 422,
  });
});

test('deleting an account deletes its preferences', async () => {
  const leaver = await product.register('owner');
  await turn(leaver, false, 'incident');
  await admin.api.users.remove({ params: { id: leaver.id } });
  expect(await product.ctx.db.query('select from notification_preferences where user_id = $1', [leaver.id])).toEqual(
    [],
  );
});

test('an owner chooses what the recipients of their packages are told, and administrators find what was told by package and recipient', async () => {
  const other = await product.register('owner');
  const { recipient } = await other.api.notifications.preferences();
  expect(recipient.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['package.created', 'delivery.next', 'delivery.failed']),
  );
  expect(recipient.every(({ on }) => on)).toBe(true);
  const body = { recipient: [{ kind: 'delivery.started', on: false } as const] };
  const chosen = await other.api.notifications.setPreferences({ body });
  expect(chosen.recipient.filter(({ on }) => !on).map(({ kind }) => kind)).toEqual(['delivery.started']);
  expect(chosen.inApp.every(({ on }) => on)).toBe(true);
  expect((await driver.api.notifications.setPreferences({ body })).recipient).toEqual([]);
  const pkg = await createPackage(other, { recipientName: 'Quenby Zwicker', recipientEmail: 'quenby@example.com' });
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  const sent = async (q: string) =>
    (await admin.api.notifications.sent({ query: { q, limit: 200 } })).items.filter(
      ({ recipient: { role }, channel }) => role === 'recipient' && channel === 'email',
    );
  await eventually('the messages', async () => (await sent(pkg.trackingId)).length === 2);
  for (const q of [pkg.trackingId.toLowerCase(), 'quenby zwick'])
    expect((await sent(q)).find(({ type }) => type === 'delivery.started')).toMatchObject({
      state: 'suppressed',
      reason: 'opted_out',
      packageId: pkg.id,
    });
});
