import { createECDH, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SentNotification } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decryptPushed, openPushService, type PushBrowser, type PushService } from '../testing/push-service.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { encryptForDevice } from './push-crypto.ts';

let clock = Date.now();
let service: PushService;
let url = '';
let product: TestProduct;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  service = await openPushService();
  ({ url } = service);
  product = await openTestProduct({
    now: () => new Date(clock),
    config: { PUSH_SERVICE_URL: url, ADMIN_SIGNUP: 'open', DRIVER_SIGNUP: 'open' },
  });
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(async () => {
  await product.close();
  service.close();
});

const subscribe = (user: TestUser): Promise<PushBrowser> => service.subscribe(user.api);

const deliver = async (owner: TestUser) => {
  const pkg = await createPackage(owner, { name: 'Blue box', recipientName: 'Rita Recipient' });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.complete({ params });
  return pkg;
};
const messageOf = async (packageId: string, of = 'delivery.completed'): Promise<SentNotification | undefined> =>
  (await admin.api.notifications.sent({ query: { channel: 'push', packageId } })).items.find(({ type }) => type === of);
const untilState = (packageId: string, state: string) =>
  eventually(`the message is ${state}`, async () => (await messageOf(packageId))?.state === state);

test('the encryption is that of the example in RFC 8291', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const device = {
    publicKey: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    secret: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const made = {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  };
  expect(encryptForDevice('When I grow up, I want to be a watermelon', device, made).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a subscribed browser is told, encrypted and signed, without people or packages; the session ends it', async () => {
  const owner = await product.register('owner');
  const before = await owner.api.notifications.preferences();
  expect(before.isPushed).toBe(false);
  const browser = await subscribe(owner);
  expect((await owner.api.notifications.preferences()).isPushed).toBe(true);
  const pkg = await deliver(owner);
  await untilState(pkg.id, 'sent');
  const sent = await messageOf(pkg.id);
  const told = service.pushed.filter(({ path }) => path === browser.path);
  const payloads = service.read(browser);
  expect(payloads).toContainEqual({
    id: sent?.id,
    title: 'Delivered',
    body: 'Tap to read more.',
    path: `/owner/package/${pkg.id}`,
  });
  expect(JSON.stringify(payloads)).not.toMatch(/Blue box|Rita|PKG-/);
  const headers: IncomingHttpHeaders = told.at(-1)?.headers ?? {};
  expect(headers['content-encoding']).toBe('aes128gcm');
  expect(headers.topic).toMatch(/^[0-9a-f]{32}$/);
  expect(Number(headers.ttl)).toBeGreaterThan(0);

  // The service has checked that it is signed by this key.
  expect(headers.authorization).toMatch(new RegExp(` k=${before.pushKey}$`));
  const read = await admin.api.notifications.sentMessage({ params: { id: sent?.id ?? '' } });
  expect(read).toMatchObject({ channel: 'push', subject: 'Delivered', text: 'Tap to read more.', html: null });

  await owner.api.auth.logout();
  expect(await product.ctx.db.query('select from push_subscriptions where user_id = $1', [owner.id])).toEqual([]);
});

test('a subscription that the push service no longer knows is forgotten; one that it cannot reach now is tried again', async () => {
  const owner = await product.register('owner');
  const browser = await subscribe(owner);
  service.answers.set(browser.path, 410);
  const gone = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: gone.id } });
  const outcome = async () => (await messageOf(gone.id, 'delivery.started'))?.reason;
  await eventually('nobody is there', async () => (await outcome()) === 'no_address');
  expect((await owner.api.notifications.preferences()).isPushed).toBe(false);

  const back = await subscribe(owner);
  service.answers.set(back.path, 'reset');
  const pkg = await deliver(owner);
  await eventually('a failed attempt', async () => (await messageOf(pkg.id))?.error != null);
  service.answers.set(back.path, 201);
  clock += 120_000;
  await product.ctx.db.transaction(async (tx) => {
    await tx.query("insert into outbox (type, user_id) values ('notification.progressed', $1)", [owner.id]);
    tx.notifyAfterCommit();
  });
  await untilState(pkg.id, 'sent');
  const toBack = service.pushed.filter(({ path }) => path === back.path);
  const ids = toBack.map(({ body }) => (decryptPushed(back, body) as { id: string }).id);
  const sent = await messageOf(pkg.id);
  expect(ids.filter((id) => id === sent?.id)).toHaveLength(2);

  service.answers.set(back.path, 403);
  const refused = await deliver(owner);
  await untilState(refused.id, 'failed');
  await owner.api.notifications.unsubscribe();
  expect((await owner.api.notifications.preferences()).isPushed).toBe(false);
});

test('a browser belongs to who signed in last, and endpoints that are not public are refused', async () => {
  const [first, second] = [await product.register('owner'), await product.register('owner')];
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  const body = { endpoint: `${url}/send/shared`, keys };
  await first.api.notifications.subscribe({ body });
  await second.api.notifications.subscribe({ body });
  expect((await first.api.notifications.preferences()).isPushed).toBe(false);
  expect((await second.api.notifications.preferences()).isPushed).toBe(true);
  const refused = { status: 422 };
  for (const endpoint of [
    'https://127.0.0.1/send',
    'https://[::1]/send',
    'https://2130706433/send',
    'https://push.example.com:8443/send',
    'http://push.example.com/send',
    `${url.replace('//', '//user@')}/send`,
  ])
    await expect(first.api.notifications.subscribe({ body: { endpoint, keys } })).rejects.toMatchObject(refused);
  const noPoint = { ...keys, p256dh: Buffer.alloc(65, 1).toString('base64url') };
  await expect(first.api.notifications.subscribe({ body: { ...body, keys: noPoint } })).rejects.toMatchObject(refused);
});
