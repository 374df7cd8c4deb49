import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openTestProduct, password, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await openTestProduct({
    config: { TRUST_PROXY: 'on', ADMIN_SIGNUP: 'open', PUBLIC_URL: 'http://localhost:3000' },
  });
});
afterAll(() => product.close());

const titles = async (user: TestUser) => (await user.api.notifications.list()).items.map(({ title }) => title);
const waitForNotifications = (user: TestUser, expected: string[]) =>
  eventually(expected.join(', '), async () => JSON.stringify(await titles(user)) === JSON.stringify(expected));
const signIn = (user: TestUser, address: string) =>
  product.api().auth.login({ body: { email: user.email, password }, headers: { 'x-forwarded-for': address } });

test('users are notified of a sign-in from a new address, and not of one from a known address', async () => {
  const owner = await product.register('owner');
  await signIn(owner, '127.0.0.1');
  await signIn(owner, '192.0.2.1');
  await signIn(owner, '192.0.2.1');
  await waitForNotifications(owner, ['New sign-in']);
  await signIn(owner, '192.0.2.2');
  await waitForNotifications(owner, ['New sign-in', 'New sign-in']);
});

test('the first sign-in of an account that somebody else created does not notify', async () => {
  const admin = await product.register('admin');
  const body = { name: 'Made Up', email: 'made.up@example.com', password };
  const made = await admin.api.users.create({ body });
  const { token } = await signIn({ email: made.email } as TestUser, '192.0.2.9');
  const user = { ...admin, id: made.id, email: made.email, api: product.api(token) };
  await signIn(user, '192.0.2.10');
  await waitForNotifications(user, ['New sign-in']);
});

test('users are notified of a new password, and of their second factor and who removed it', async () => {
  const [admin, owner] = [await product.register('admin'), await product.register('owner')];
  await owner.api.users.changePassword({ body: { currentPassword: password, newPassword: 'another pond heron' } });
  await waitForNotifications(owner, ['Password changed']);
  const { secret } = await owner.api.users.startTotp();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await owner.api.users.confirmTotp({ body: { code } });
  await admin.api.users.removeTotpOf({ params: { id: owner.id } });
  await waitForNotifications(owner, ['Second factor removed', 'Second factor turned on', 'Password changed']);
  const [latest] = (await owner.api.notifications.list()).items;
  expect(latest?.body).toContain('An administrator has removed');
});
