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

const all = (user: TestUser, query: object = {}) => user.api.notifications.list({ query: { limit: 200, ...query } });
const waitFor = (user: TestUser, count: number) =>
  eventually(`${count} notifications`, async () => (await all(user)).items.length >= count);

/** Nothing waits in the queue and nothing is being worked on. */
const queueIsEmpty = async () => {
  const rows = await product.ctx.db.query(
    "select 1 from jobs.job where state in ('created', 'retry', 'active') limit 1",
  );
  return rows.length === 0;
};

test('the owner is told of every change of status, in words, and a driver of what they are given', async () => {
  const pkg = await createPackage(owner, { name: 'Blue box' });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.next({ params });
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  await admin.api.deliveries.assign({ params, body: { driverId: driver.id } });
  await driver.api.deliveries.complete({ params });
  const other = await createPackage(owner, { name: 'Red box' });
  await owner.api.packages.update({ params: { id: other.id }, body: { status: 'cancelled' } });
  await owner.api.packages.update({ params: { id: other.id }, body: { status: 'inactive' } });
  await waitFor(owner, 7);
  await eventually('an empty queue', queueIsEmpty);
  const { items } = await all(owner);
  const told = items
    .map(({ type, title, body }) => ({ type, title, body }))
    .toSorted((a, b) => a.type.localeCompare(b.type));
  expect(told).toEqual([
    {
      type: 'delivery.assigned',
      title: 'Driver assigned',
      body: 'Your package “Blue box” has been given to a driver.',
    },
    { type: 'delivery.completed', title: 'Delivered', body: 'Your package “Blue box” has been delivered.' },
    {
      type: 'delivery.failed',
      title: 'Delivery attempt failed',
      body: 'Your package “Blue box” could not be delivered: Nobody home. It waits for another driver.',
    },
    { type: 'delivery.next', title: 'Next stop', body: "Your package “Blue box” is the driver's next stop." },
    { type: 'delivery.started', title: 'Out for Delivery', body: 'Your package “Blue box” is on its way.' },
    { type: 'package.cancelled', title: 'Cancelled', body: 'Your package “Red box” has been cancelled.' },
    { type: 'package.deleted', title: 'Deleted', body: 'Your package “Red box” has been deleted.' },
  ]);
  expect(new Set(items.map(({ packageId }) => packageId))).toEqual(new Set([pkg.id, other.id]));
  expect((await all(admin)).items).toEqual([]);
  // Who is given something to do is told of that, and of nothing else.
  expect((await all(driver)).items).toMatchObject([
    {
      type: 'delivery.assigned',
      title: 'Delivery assigned',
      body: 'The package “Blue box” has been given to you to deliver.',
    },
  ]);
});

test('a notification becomes words when it is read; what an older server wrote, or nobody here can say, is shown as it was written', async () => {
  const alone = await product.register('owner');
  const params = { id: (await createPackage(alone, { name: 'Blue “box”' })).id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  await waitFor(alone, 2);
  const told = async () => (await all(alone)).items.map(({ type, title, body }) => ({ type, title, body }));
  const inWords = await told();
  expect(inWords).toContainEqual({
    type: 'delivery.failed',
    title: 'Delivery attempt failed',
    body: 'Your package “Blue “box”” could not be delivered: Nobody home. It waits for another driver.',
  });
  const set = (change: string) =>
    product.ctx.db.query(`update notifications set ${change} where user_id = $1`, [alone.id]);
  // A server of 0.2.0 beside this one reads the same.
  expect(
    await product.ctx.db.query('select type, title, body from notifications where user_id = $1', [alone.id]),
  ).toEqual(expect.arrayContaining(inWords));
  await set("title = 'As written', body = 'By another'");
  expect(await told()).toEqual(inWords);
  const written = inWords.map(({ type }) => ({ type, title: 'As written', body: 'By another' }));
  await set(`parameters = '{"package": "Blue box"}'`);
  expect(await told()).toEqual(written);
  await set('audience = null, parameters = null');
  expect(await told()).toEqual(written);
});

test('who administers no more reads nothing more of what administrators were told, unless it is their own', async () => {
  const boss = await product.register('admin');
  const pkg = await createPackage(owner, { name: 'A thing of others' });
  const own = await createPackage(boss, { name: 'A thing of mine' });
  await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It is late' } });
  await driver.api.deliveries.start({ params: { id: own.id } });
  await driver.api.incidents.reportOnDelivery({ params: { id: own.id }, body: { issue: 'A flat tyre' } });
  await waitFor(boss, 3);
  expect(JSON.stringify(await all(boss))).toContain('A thing of others');
  await admin.api.users.update({ params: { id: boss.id }, body: { role: 'owner' } });
  const { items } = await all(boss);
  expect(JSON.stringify(items)).not.toContain('A thing of others');
  expect(items.find(({ packageId }) => packageId === pkg.id)).toMatchObject({
    title: 'Issue reported',
    body: 'You can no longer see what this was about.',
  });
  const about = items.filter(({ packageId }) => packageId === own.id);
  expect(about.map(({ body }) => body).every((body) => body.includes('A thing of mine'))).toBe(true);
});

test('a job that runs twice tells once, and its second run is no failure', async () => {
  const alone = await product.register('owner');
  const pkg = await createPackage(alone);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await waitFor(alone, 1);
  const [event] = await product.ctx.db.query<{ id: string }>(
    "select id from package_events where package_id = $1 and type = 'delivery.started'",
    [pkg.id],
  );
  await product.ctx.db.transaction(async (tx) => {
    for (let again = 0; again < 3; again++) await tx.enqueue('notify-owner', { eventId: event?.id });
    tx.notifyAfterCommit();
  });
  await eventually('an empty queue', queueIsEmpty);
  expect((await all(alone)).items).toHaveLength(1);
  expect(await product.ctx.db.query("select 1 from jobs.job where name = 'dead-letters' or state = 'failed'")).toEqual(
    [],
  );
});

test('a change that is rolled back tells nobody', async () => {
  const alone = await product.register('owner');
  const pkg = await createPackage(alone);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await waitFor(alone, 1);
  await expect(
    alone.api.packages.update({ params: { id: pkg.id }, body: { status: 'inactive' } }),
  ).rejects.toMatchObject({ status: 409 });
  await eventually('an empty queue', queueIsEmpty);
  expect((await all(alone)).items).toHaveLength(1);
});

test('reading marks one or all, for oneself only, and the summary counts the unread', async () => {
  const alone = await product.register('owner');
  const pkgs = [await createPackage(alone), await createPackage(alone), await createPackage(alone)];
  for (const { id } of pkgs) await alone.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  await waitFor(alone, 3);
  const unread = async () => (await alone.api.packages.summary({ params: { id: alone.id } })).unreadNotifications;
  expect(await unread()).toBe(3);
  const { items } = await all(alone);
  const params = { id: items[0]?.id ?? '' };
  await expect(owner.api.notifications.read({ params })).rejects.toMatchObject({ status: 404 });
  const read = await alone.api.notifications.read({ params });
  expect(read.readAt).toMatch(/Z$/);
  expect(await alone.api.notifications.read({ params })).toEqual(read);
  expect(await unread()).toBe(2);
  expect((await all(alone, { unread: true, count: true })).total).toBe(2);
  const first = await all(alone, { limit: 2 });
  expect((await all(alone, { limit: 2, cursor: first.next ?? '' })).items).toHaveLength(1);
  await alone.api.notifications.readAll();
  expect(await unread()).toBe(0);
  expect((await all(alone)).items).toHaveLength(3);
});

test('administrators are told of a flood of messages up to a point, and then that there are more', async () => {
  const other = await openTestProduct();
  const watching = await other.register('admin');
  for (let sent = 1; sent <= 25; sent++) {
    await other
      .api()
      .contact.send({ body: { name: 'Vera', email: 'vera@example.com', message: `Where is it? ${sent}` } });
  }
  const waits = "select 1 from jobs.job where state in ('created', 'retry', 'active') limit 1";
  await eventually('an empty queue', async () => (await other.ctx.db.query(waits)).length === 0);
  const { items } = await all(watching);
  expect(items).toHaveLength(20);
  expect(items.filter(({ title }) => title === 'Many new messages')).toHaveLength(1);
  expect((await watching.api.contact.list({ query: { limit: 200 } })).items).toHaveLength(25);
  await other.close();
});

test('what changes nothing makes no event: they stay for good', async () => {
  const eventsOf = async ({ id }: TestUser) =>
    (
      await product.ctx.db.query(
        "select 1 from outbox where user_id = $1 and type in ('user.changed', 'notification.read')",
        [id],
      )
    ).length;
  const someone = await product.register('owner');
  const pkg = await createPackage(someone);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await waitFor(someone, 1);
  const [told] = (await all(someone)).items;
  const before = await eventsOf(someone);
  const rename = () => someone.api.users.updateProfile({ body: { name: 'A new name', phone: '+491511234567' } });
  const read = () => someone.api.notifications.read({ params: { id: told?.id ?? '' } });
  for (let tries = 0; tries < 3; tries++) {
    await rename();
    await read();
  }
  expect(await eventsOf(someone)).toBe(before + 2);
});
