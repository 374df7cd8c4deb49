import type { TrackMessageInput } from '@waybill/contract';
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
let time: Date | null = null;
beforeAll(async () => {
  product = await openTestProduct({ now: () => time ?? new Date() });
  owner = await product.register('owner');
});
afterAll(() => product.close());

let asked = 0;
const typed = (fields: Partial<TrackMessageInput> = {}) => ({
  text: `Please leave it\nwith the neighbour, ${asked++}`,
  replyTo: 'Vera@Example.com',
  ...fields,
});
const send = (trackingId: string, body: Partial<TrackMessageInput> & object, on = product) =>
  on.api().tracking.message({ params: { id: trackingId }, body: body as TrackMessageInput });
const received = async (id: string, by = owner) =>
  (await by.api.packages.events({ params: { id } })).items.filter(({ type }) => type === 'package.messaged');
const post = (trackingId: string, fields: Record<string, string>, headers: Record<string, string> = {}, query = '') =>
  product.app.inject({
    method: 'POST',
    url: `/track/${trackingId}/message${query}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

test('a message is on the timeline of the owner, who is notified without its text; nobody else sees it, and repeats are stored once', async () => {
  const pkg = await createPackage(owner);
  const body = typed();
  await Promise.all([1, 2, 3].map(() => send(pkg.trackingId.toLowerCase(), body)));
  expect(await received(pkg.id)).toMatchObject([
    { note: body.text, replyTo: 'vera@example.com', actor: null, changes: null },
  ]);
  await eventually('the owner is notified', async () => {
    const { items } = await owner.api.notifications.list();
    return items.some(({ type, packageId }) => type === 'package.messaged' && packageId === pkg.id);
  });
  const notified = JSON.stringify((await owner.api.notifications.list()).items);
  expect(notified).not.toMatch(/vera@|neighbour/i);
  const other = await product.register('owner');
  await expect(received(pkg.id, other)).rejects.toMatchObject({ status: 404 });
  const page = await product.app.inject({ url: `/track/${pkg.trackingId}` });
  expect(page.body + JSON.stringify(await product.api().tracking.view({ params: { id: pkg.trackingId } }))).not.toMatch(
    /vera@|neighbour|package\.messaged/i,
  );
});

test('faulty input is refused field by field, unknown packages are 404, and the honeypot drops a message with the same answer', async () => {
  const pkg = await createPackage(owner);
  await expect(send(pkg.trackingId, { text: 'Hello', replyTo: 'nobody' })).rejects.toMatchObject({
    status: 422,
    fields: { text: 'Message must be at least 10 characters', replyTo: 'Please enter a valid email address' },
  });
  for (const body of [
    typed({ text: 'x'.repeat(2001) }),
    typed({ text: 'NUL \u0000 in a text' }),
    { ...typed(), role: 'admin' },
    {},
  ])
    await expect(send(pkg.trackingId, body)).rejects.toMatchObject({ status: 422 });
  for (const id of ['PKG-ZZZZ9999', 'nothing']) await expect(send(id, typed())).rejects.toMatchObject({ status: 404 });
  expect(await received(pkg.id)).toEqual([]);
  const dropped = await send(pkg.trackingId, typed({ website: 'https://example.com' }));
  expect(await received(pkg.id)).toEqual([]);
  expect(await send(pkg.trackingId, typed({ text: "'); drop table packages; -- <script>" }))).toEqual(dropped);
  expect(await received(pkg.id)).toHaveLength(1);
});

test('without JavaScript the form answers with the page, in its language, and keeps what was typed', async () => {
  const pkg = await createPackage(owner);
  const faulty = await post(pkg.trackingId, { text: '</textarea><b>"Hi"', replyTo: 'nobody' }, {}, '?lang=de');
  expect(faulty.statusCode).toBe(422);
  expect(faulty.body).toContain('Bitte geben Sie eine gültige E-Mail-Adresse ein');
  expect(faulty.body).toContain('&lt;/textarea>&lt;b>');
  expect(faulty.body).not.toContain('<b>"Hi"');
  expect(faulty.headers['cache-control']).toBe('no-store');
  expect((await post(pkg.trackingId, typed(), { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  const { text, replyTo } = typed();
  const sent = await post(pkg.trackingId, { text: text.replace('\n', '\r\n'), replyTo }, {}, '?lang=de');
  expect([sent.statusCode, sent.headers.location]).toEqual([303, `/track/${pkg.trackingId}?sent&lang=de`]);
  expect((await product.app.inject({ url: String(sent.headers.location) })).body).toContain(
    'Ihre Nachricht ist unterwegs',
  );
  expect(await received(pkg.id)).toMatchObject([{ note: text }]);
  expect((await post('PKG-ZZZZ9999', typed())).statusCode).toBe(404);
});

test('an address sends five messages an hour, and a package gets ten a day; then 429 with Retry-After', async () => {
  const limited = await openTestProduct({ beside: product, config: { RATE_LIMITS: 'on' }, runsJobs: false });
  try {
    const pkg = await createPackage(owner);
    const from = (address: number, body = typed()) =>
      limited.app.inject({
        method: 'POST',
        url: `/api/track/${pkg.trackingId}/message`,
        remoteAddress: `198.51.100.${address}`,
        payload: body,
      });
    for (let sent = 0; sent < 5; sent++) expect((await from(1)).statusCode).toBe(201);
    const refused = await from(1);
    expect([refused.statusCode, refused.json()]).toEqual([429, expect.objectContaining({ code: 'too_many_requests' })]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    for (let sent = 0; sent < 5; sent++) expect((await from(2)).statusCode).toBe(201);
    const full = await from(3);
    expect([full.statusCode, full.json()]).toEqual([
      429,
      expect.objectContaining({ message: 'This package has had too many messages. Please try again tomorrow.' }),
    ]);
  } finally {
    await limited.close();
  }
});

test('a package that was cancelled, or delivered more than 30 days ago, takes no messages', async () => {
  const [cancelled, delivered] = [await createPackage(owner), await createPackage(owner)];
  await owner.api.packages.update({ params: { id: cancelled.id }, body: { status: 'cancelled' } });
  await expect(send(cancelled.trackingId, typed())).rejects.toMatchObject({ status: 409, code: 'conflict' });
  const driver = await product.register('driver');
  await driver.api.deliveries.start({ params: { id: delivered.id } });
  await driver.api.deliveries.complete({ params: { id: delivered.id } });
  await send(delivered.trackingId, typed());
  time = new Date(Date.now() + 31 * 86_400_000);
  await expect(send(delivered.trackingId, typed())).rejects.toMatchObject({ status: 409 });
  time = null;
});
