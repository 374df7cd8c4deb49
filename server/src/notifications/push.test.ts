import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SentNotification } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { encryptForDevice } from './push-crypto.ts';

interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** By path: the status that the push service answers, or that it cuts the connection. */
const answers = new Map<string, number | 'reset'>();
const pushed: Pushed[] = [];
const service = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    pushed.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
    const answer = answers.get(path) ?? 201;
    if (answer === 'reset') request.socket.destroy();
    else response.writeHead(answer, { location: '/elsewhere' }).end();
  });
});

let clock = Date.now();
let url = '';
let product: TestProduct;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  product = await openTestProduct({
    now: () => new Date(clock),
    config: { PUSH_SERVICE_URL: url, ADMIN_SIGNUP: 'open', DRIVER_SIGNUP: 'open' },
  });
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(async () => {
  await product.close();
  service.closeAllConnections();
  service.close();
});

interface Browser {
  path: string;
  ecdh: ECDH;
  secret: Buffer;
}

let browsers = 0;
async function subscribe(user: TestUser): Promise<Browser> {
  const ecdh = createECDH('prime256v1');
  const browser = { path: `/send/${++browsers}`, ecdh, secret: randomBytes(16) };
  await user.api.notifications.subscribe({
    body: {
      endpoint: url + browser.path,
      keys: { p256dh: ecdh.generateKeys('base64url'), auth: browser.secret.toString('base64url') },
    },
  });
  return browser;
}

/** As a browser decrypts it (RFC 8291). */
function decrypt({ ecdh, secret }: Browser, body: Buffer): unknown {
  const [salt, sender, encrypted] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const derive = (key: Buffer, with_: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, with_, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const key = derive(ecdh.computeSecret(sender), secret, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
}

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
  const told = pushed.filter(({ path }) => path === browser.path);
  const payloads = told.map(({ body }) => decrypt(browser, body));
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

  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  expect(key).toBe(before.pushKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: url });
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);

  const read = await admin.api.notifications.sentMessage({ params: { id: sent?.id ?? '' } });
  expect(read).toMatchObject({ channel: 'push', subject: 'Delivered', text: 'Tap to read more.', html: null });

  await owner.api.auth.logout();
  expect(await product.ctx.db.query('select from push_subscriptions where user_id = $1', [owner.id])).toEqual([]);
});

test('a subscription that the push service no longer knows is forgotten; one that it cannot reach now is tried again', async () => {
  const owner = await product.register('owner');
  const browser = await subscribe(owner);
  answers.set(browser.path, 410);
  const gone = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: gone.id } });
  const outcome = async () => (await messageOf(gone.id, 'delivery.started'))?.reason;
  await eventually('nobody is there', async () => (await outcome()) === 'no_address');
  expect((await owner.api.notifications.preferences()).isPushed).toBe(false);

  const back = await subscribe(owner);
  answers.set(back.path, 'reset');
  const pkg = await deliver(owner);
  await eventually('a failed attempt', async () => (await messageOf(pkg.id))?.error != null);
  answers.set(back.path, 201);
  clock += 120_000;
  await product.ctx.db.transaction(async (tx) => {
    await tx.query("insert into outbox (type, user_id) values ('notification.progressed', $1)", [owner.id]);
    tx.notifyAfterCommit();
  });
  await untilState(pkg.id, 'sent');
  const toBack = pushed.filter(({ path }) => path === back.path);
  const ids = toBack.map(({ body }) => (decrypt(back, body) as { id: string }).id);
  const sent = await messageOf(pkg.id);
  expect(ids.filter((id) => id === sent?.id)).toHaveLength(2);

  answers.set(back.path, 403);
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
