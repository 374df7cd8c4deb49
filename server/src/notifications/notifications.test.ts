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

/** No job waits or runs. */
const queueIsEmpty = async () => {
  const rows = await product.ctx.db.query(
    "select 1 from jobs.job where state in ('created', 'retry', 'active') limit 1",
  );
  return rows.length === 0;
};

test('an owner is notified of every status change, and a driver of an assignment', async () => {
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
  const texts = items
    .map(({ type, title, body }) => ({ type, title, body }))
    .toSorted((a, b) => a.type.localeCompare(b.type));
  expect(texts).toEqual([
    {
      type: 'delivery.assigned',
      title: 'Driver assigned',
      body: 'Your package “Blue box” has been given to a driver.',
    },
    { type: 'delivery.completed', title: 'Delivered', body: 'Your package “Blue box” has been delivered.' },
    {
      type: 'delivery.failed',
      title: 'Delivery attempt failed',
      body: 'Your package “Blue box” could not be delivered: Nobody home. You can choose what happens next.',
    },
    { type: 'delivery.next', title: 'Next stop', body: "Your package “Blue box” is the driver's next stop." },
    { type: 'delivery.started', title: 'Out for Delivery', body: 'Your package “Blue box” is on its way.' },
    { type: 'package.cancelled', title: 'Cancelled', body: 'Your package “Red box” has been cancelled.' },
    { type: 'package.deleted', title: 'Deleted', body: 'Your package “Red box” has been deleted.' },
  ]);
  expect(new Set(items.map(({ packageId }) => packageId))).toEqual(new Set([pkg.id, other.id]));
  expect((await all(admin)).items).toEqual([]);
  // A driver is notified of the assignment only.
  expect((await all(driver)).items).toMatchObject([
    {
      type: 'delivery.assigned',
      title: 'Delivery assigned',
      body: 'The package “Blue box” has been given to you to deliver.',
    },
  ]);
});

test('a reason that ends with a mark of its own has no full stop after it', async () => {
  const sender = await product.register('owner');
  for (const reason of ['Nobody home.', 'Is this the right house?']) {
    const params = { id: (await createPackage(sender, { name: 'Lamp' })).id };
    await driver.api.deliveries.start({ params });
    await driver.api.deliveries.fail({ params, body: { reason } });
  }
  await waitFor(sender, 4);
  const bodies = (await all(sender)).items.filter(({ type }) => type === 'delivery.failed').map(({ body }) => body);
  expect(bodies.toSorted()).toEqual([
    'Your package “Lamp” could not be delivered: Is this the right house? You can choose what happens next.',
    'Your package “Lamp” could not be delivered: Nobody home. You can choose what happens next.',
  ]);
});

test('a notification is rendered when it is read; one without readable parameters shows its stored text', async () => {
  const otherOwner = await product.register('owner');
  const params = { id: (await createPackage(otherOwner, { name: 'Blue “box”' })).id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  await waitFor(otherOwner, 2);
  const texts = async () => (await all(otherOwner)).items.map(({ type, title, body }) => ({ type, title, body }));
  const rendered = await texts();
  expect(rendered).toContainEqual({
    type: 'delivery.failed',
    title: 'Delivery attempt failed',
    body: 'Your package “Blue “box”” could not be delivered: Nobody home. You can choose what happens next.',
  });
  const set = (change: string) =>
    product.ctx.db.query(`update notifications set ${change} where user_id = $1`, [otherOwner.id]);
  // A server of 0.2.0 beside this one shows the stored text, which is the same.
  expect(
    await product.ctx.db.query('select type, title, body from notifications where user_id = $1', [otherOwner.id]),
  ).toEqual(expect.arrayContaining(rendered));
  await set("title = 'As written', body = 'By another'");
  expect(await texts()).toEqual(rendered);
  const stored = rendered.map(({ type }) => ({ type, title: 'As written', body: 'By another' }));
  await set(`parameters = '{"package": "Blue box"}'`);
  expect(await texts()).toEqual(stored);
  await set('audience = null, parameters = null');
  expect(await texts()).toEqual(stored);
});

test('a former administrator no longer sees the text of administrators’ notifications, except about their own packages', async () => {
  const formerAdmin = await product.register('admin');
  const pkg = await createPackage(owner, { name: 'A thing of others' });
  const own = await createPackage(formerAdmin, { name: 'A thing of mine' });
  await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It is late' } });
  await driver.api.deliveries.start({ params: { id: own.id } });
  await driver.api.incidents.reportOnDelivery({ params: { id: own.id }, body: { issue: 'A flat tyre' } });
  await waitFor(formerAdmin, 3);
  expect(JSON.stringify(await all(formerAdmin))).toContain('A thing of others');
  await admin.api.users.update({ params: { id: formerAdmin.id }, body: { role: 'owner' } });
  const { items } = await all(formerAdmin);
  expect(JSON.stringify(items)).not.toContain('A thing of others');
  expect(items.find(({ packageId }) => packageId === pkg.id)).toMatchObject({
    title: 'Issue reported',
    body: 'You can no longer see what this was about.',
  });
  const about = items.filter(({ packageId }) => packageId === own.id);
  expect(about.map(({ body }) => body).every((body) => body.includes('A thing of mine'))).toBe(true);
});

test('a notification job is idempotent: a second run succeeds and delivers nothing', async () => {
  const otherOwner = await product.register('owner');
  const pkg = await createPackage(otherOwner);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await waitFor(otherOwner, 1);
  const [event] = await product.ctx.db.query<{ id: string }>(
    "select id from package_events where package_id = $1 and type = 'delivery.started'",
    [pkg.id],
  );
  await product.ctx.db.transaction(async (tx) => {
    for (let again = 0; again < 3; again++)
      await tx.enqueue([{ name: 'notify-owner', payload: { eventId: event?.id } }]);
    tx.notifyAfterCommit();
  });
  await eventually('an empty queue', queueIsEmpty);
  expect((await all(otherOwner)).items).toHaveLength(1);
  expect(await product.ctx.db.query("select 1 from jobs.job where name = 'dead-letters' or state = 'failed'")).toEqual(
    [],
  );
});

test('a change that is rolled back notifies nobody', async () => {
  const otherOwner = await product.register('owner');
  const pkg = await createPackage(otherOwner);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await waitFor(otherOwner, 1);
  await expect(
    otherOwner.api.packages.update({ params: { id: pkg.id }, body: { status: 'inactive' } }),
  ).rejects.toMatchObject({ status: 409 });
  await eventually('an empty queue', queueIsEmpty);
  expect((await all(otherOwner)).items).toHaveLength(1);
});

test('a user marks one or all of their own notifications as read, and the summary counts the unread ones', async () => {
  const otherOwner = await product.register('owner');
  const pkgs = [await createPackage(otherOwner), await createPackage(otherOwner), await createPackage(otherOwner)];
  for (const { id } of pkgs) await otherOwner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  await waitFor(otherOwner, 3);
  const unread = async () =>
    (await otherOwner.api.packages.summary({ params: { id: otherOwner.id } })).unreadNotifications;
  expect(await unread()).toBe(3);
  const { items } = await all(otherOwner);
  const params = { id: items[0]?.id ?? '' };
  await expect(owner.api.notifications.read({ params })).rejects.toMatchObject({ status: 404 });
  const read = await otherOwner.api.notifications.read({ params });
  expect(read.readAt).toMatch(/Z$/);
  expect(await otherOwner.api.notifications.read({ params })).toEqual(read);
  expect(await unread()).toBe(2);
  expect((await all(otherOwner, { unread: true, count: true })).total).toBe(2);
  const first = await all(otherOwner, { limit: 2 });
  expect((await all(otherOwner, { limit: 2, cursor: first.next ?? '' })).items).toHaveLength(1);
  await otherOwner.api.notifications.readAll();
  expect(await unread()).toBe(0);
  expect((await all(otherOwner)).items).toHaveLength(3);
});

test('a flood of messages notifies administrators up to the daily limit; the last notification says that there are more', async () => {
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

test('a call that changes nothing records no event', async () => {
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
  const [first] = (await all(someone)).items;
  const before = await eventsOf(someone);
  const rename = () => someone.api.users.updateProfile({ body: { name: 'A new name', phone: '+491511234567' } });
  const read = () => someone.api.notifications.read({ params: { id: first?.id ?? '' } });
  for (let tries = 0; tries < 3; tries++) {
    await rename();
    await read();
  }
  expect(await eventsOf(someone)).toBe(before + 2);
});

test('notifications are in the language that the reader prefers, whichever it was when they were made', async () => {
  const reader = await product.register('owner');
  const pkg = await createPackage(reader);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await driver.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Nobody home' } });
  await waitFor(reader, 2);
  const bodies = async (language: string) => {
    const response = await product.app.inject({
      url: '/api/notifications',
      headers: { authorization: `Bearer ${reader.token}`, 'accept-language': language },
    });
    return response.json<{ body: string }[]>().map(({ body }) => body);
  };
  // In any order: both may have happened within a millisecond.
  expect(await bodies('de-AT,en;q=0.5')).toHaveLength(2);
  expect(await bodies('de-AT,en;q=0.5')).toEqual(
    expect.arrayContaining([
      `Ihre Sendung „${pkg.name}“ konnte nicht zugestellt werden: Nobody home. Sie können wählen, wie es weitergeht.`,
      `Ihre Sendung „${pkg.name}“ ist unterwegs.`,
    ]),
  );
  expect(await bodies('fr')).toContain(`Votre colis «\u00a0${pkg.name}\u00a0» est en route.`);
  expect(await bodies('nl')).toContain(`Your package “${pkg.name}” is on its way.`);
});
