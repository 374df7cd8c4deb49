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

test('everybody is offered what they can be told at all, and all of it is on', async () => {
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
    'incident',
    'security',
  ]);
  expect(await kindsOf(driver)).toEqual([
    'delivery.failed',
    'delivery.assigned',
    'delivery.released',
    'package.updated',
    'package.rated',
    'incident',
    'security',
  ]);
  // They may own packages; they never drive.
  expect(await kindsOf(admin)).not.toContain('package.rated');
  expect(await kindsOf(admin)).toEqual(
    expect.arrayContaining(['incident', 'message.received', 'account.waiting', 'password.reset-requested']),
  );
  for (const user of [owner, driver, admin]) expect((await preferences(user)).every(({ on }) => on)).toBe(true);
});

test('what is off is not told, what is on is, and what was off is not told later', async () => {
  const alone = await product.register('owner');
  const answer = await turn(alone, false, 'delivery.next', 'incident');
  expect(answer.inApp).toEqual(await preferences(alone));
  expect(answer.inApp.filter(({ on }) => !on).map(({ kind }) => kind)).toEqual(['delivery.next', 'incident']);
  const pkg = await createPackage(alone);
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.next({ params });
  await alone.api.incidents.reportOnPackage({ params, body: { issue: 'It is late' } });
  await queueIsEmpty();
  expect(await typesOf(alone)).toEqual(['delivery.started']);
  // Those of others are theirs.
  expect(await typesOf(admin)).toContain('issue.reported');

  await turn(alone, true, 'delivery.next', 'incident');
  await driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } });
  await driver.api.deliveries.complete({ params });
  await queueIsEmpty();
  expect(await typesOf(alone)).toEqual(['delivery.completed', 'delivery.started', 'issue.reported']);
});

test('what is off for another channel is delivered by this one', async () => {
  const alone = await product.register('owner');
  await product.ctx.db.query(
    "insert into notification_preferences values ($1, 'another-channel', 'delivery.started', false)",
    [alone.id],
  );
  expect((await preferences(alone)).every(({ on }) => on)).toBe(true);
  await driver.api.deliveries.start({ params: { id: (await createPackage(alone)).id } });
  await queueIsEmpty();
  expect(await typesOf(alone)).toEqual(['delivery.started']);
});

test('a driver turns off ratings alone', async () => {
  const alone = await product.register('driver');
  await turn(alone, false, 'package.rated');
  const pkg = await createPackage(owner);
  const params = { id: pkg.id };
  await admin.api.deliveries.assign({ params, body: { driverId: alone.id } });
  await alone.api.deliveries.complete({ params });
  await owner.api.packages.rate({ params, body: { stars: 5 } });
  await queueIsEmpty();
  expect(await typesOf(alone)).toEqual(['delivery.assigned']);
});

test('what somebody waits outside for cannot be turned off', async () => {
  await expect(turn(admin, false, 'incident', 'password.reset-requested')).rejects.toMatchObject({
    status: 422,
    fields: { 'inApp.1.on': 'This cannot be turned off' },
  });
  // Nor by the database: it is told whatever stands there.
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
  await eventually('the administrator is told', async () =>
    (await typesOf(admin)).includes('password.reset-requested'),
  );
});

test('a kind named twice is as the last word says; unknown ones are refused', async () => {
  const alone = await product.register('owner');
  const inApp = [
    { kind: 'incident' as const, on: true },
    { kind: 'incident' as const, on: false },
  ];
  const answer = await alone.api.notifications.setPreferences({ body: { inApp } });
  expect(answer.inApp.find(({ kind }) => kind === 'incident')).toMatchObject({ on: false });
  await expect(turn(alone, false, 'weather' as never)).rejects.toMatchObject({ status: 422 });
  const mail = { inApp: [], email: [] };
  await expect(alone.api.notifications.setPreferences({ body: mail })).rejects.toMatchObject({ status: 422 });
});

test('they go with the account', async () => {
  const leaver = await product.register('owner');
  await turn(leaver, false, 'incident');
  await admin.api.users.remove({ params: { id: leaver.id } });
  expect(await product.ctx.db.query('select from notification_preferences where user_id = $1', [leaver.id])).toEqual(
    [],
  );
});
