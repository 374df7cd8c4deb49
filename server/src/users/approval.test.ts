import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openTestProduct, watch, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
  await admin.api.settings.update({ body: { driverSignUp: 'approval' } });
});
afterAll(() => product.close());

const notificationsOf = async (user: TestUser) =>
  (await user.api.notifications.list({ query: { limit: 200 } })).items.filter(({ type }) => type === 'account.waiting');
const waiting = async () => {
  const { items, total } = await admin.api.users.list({ query: { awaitsApproval: true, count: true } });
  return { ids: items.map(({ id }) => id), total };
};
const setStatus = ({ id }: TestUser, status: 'active' | 'inactive' | 'suspended') =>
  admin.api.users.update({ params: { id }, body: { status } });

test('users who may activate accounts are notified of one that awaits approval, live, and find it until it is decided', async () => {
  const helper = await product.register('admin');
  await admin.api.users.update({ params: { id: helper.id }, body: { permissions: ['admin.access'] } });
  const stream = await watch(product, '/live', admin.token);
  const first = await product.register('driver');
  const second = await product.register('driver');
  expect(first.user).toMatchObject({ status: 'inactive', awaitsApproval: true });
  await eventually('both are told', async () => (await notificationsOf(admin)).length === 2);
  expect((await notificationsOf(admin))[0]).toMatchObject({ title: 'Account awaits approval' });
  expect(await notificationsOf({ ...helper, api: product.api(helper.token) })).toEqual([]);
  await eventually('a hint of the account', () =>
    stream.events.some(({ event, data }) => event === 'hint' && (data as { id: string }).id === second.id),
  );
  stream.stop();
  expect(await waiting()).toEqual({ ids: [second.id, first.id], total: 2 });

  await setStatus(first, 'active');
  expect(await first.api.users.me()).toMatchObject({ status: 'active', awaitsApproval: false });
  await setStatus(first, 'inactive');
  await setStatus(second, 'suspended');
  expect(await waiting()).toEqual({ ids: [], total: 0 });
  const made = await admin.api.users.create({
    body: { name: 'Made Up', email: 'made@example.com', status: 'inactive' },
  });
  expect(made).toMatchObject({ awaitsApproval: false });
});

test('notifications of registrations are capped: strangers cannot flood administrators', async () => {
  const before = (await notificationsOf(admin)).length;
  for (let made = before; made < 22; made++) await product.register('driver');
  const pendingJobs = "select 1 from jobs.job where state in ('created', 'retry', 'active') limit 1";
  await eventually('an empty queue', async () => (await product.ctx.db.query(pendingJobs)).length === 0);
  const notifications = await notificationsOf(admin);
  expect(notifications).toHaveLength(20);
  expect(notifications.filter(({ title }) => title === 'Many accounts await approval')).toHaveLength(1);
});
