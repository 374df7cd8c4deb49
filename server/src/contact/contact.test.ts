import type { ContactInput } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, openTestProduct, watch, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
let otherAdmin: TestUser;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin', 'Ada Admin');
  otherAdmin = await product.register('admin');
  owner = await product.register('owner');
});
afterAll(() => product.close());

let messages = 0;
const typed = (fields: Partial<Record<keyof ContactInput, string>> = {}) => ({
  name: 'Vera Visitor',
  email: 'Vera@Example.com',
  message: `Where is my parcel?\nI have asked ${messages++} times.`,
  trackingId: 'pkg-abc12345',
  ...fields,
});
const send = (body: ReturnType<typeof typed>) => product.api().contact.send({ body });
const newest = async () => {
  const [message] = (await admin.api.contact.list({ query: { limit: 1 } })).items;
  if (!message) throw new Error('there is no message');
  return message;
};
const total = async () => (await admin.api.contact.list({ query: { limit: 1, count: true } })).total ?? 0;
const notificationsOf = async (user: TestUser, number: number) =>
  (await user.api.notifications.list({ query: { limit: 200 } })).items.filter(({ body }) =>
    body.startsWith(`Message ${number} `),
  );

/** The form as a browser sends it without JavaScript. */
const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  product.app.inject({
    method: 'POST',
    url: '/contact',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

test('a message notifies every administrator, and nobody else, without the sender’s name', async () => {
  const stream = await watch(product, '/live', admin.token);
  const body = typed();
  expect(await send(body)).toEqual({ message: expect.stringContaining('has arrived') as string });
  const message = await newest();
  expect(message).toEqual({
    id: message.id,
    status: 'Open',
    name: 'Vera Visitor',
    email: 'vera@example.com',
    message: body.message,
    trackingId: 'pkg-abc12345',
    time: expect.stringMatching(/Z$/) as string,
    resolvedAt: null,
    resolvedBy: null,
  });
  await eventually('every administrator is told', async () => {
    const notifications = await Promise.all([admin, otherAdmin].map((user) => notificationsOf(user, message.id)));
    return notifications.every((list) => list.length === 1);
  });
  expect(await notificationsOf(owner, message.id)).toEqual([]);
  const [notification] = await notificationsOf(admin, message.id);
  expect(notification).toMatchObject({ type: 'message.received', title: 'New message', packageId: null });
  expect(JSON.stringify(notification)).not.toMatch(/vera/i);
  await eventually('a hint', () =>
    stream.events.some(
      ({ event, data }) => event === 'hint' && JSON.stringify(data) === '{"type":"message","id":null}',
    ),
  );
  stream.stop();
});

test('duplicates, also concurrent ones, are stored once while the first is open', async () => {
  const body = typed();
  const before = await total();
  await Promise.all(Array.from({ length: 5 }, () => send(body)));
  await post({ ...body, message: body.message.replace('\n', '\r\n') });
  expect(await total()).toBe(before + 1);
  const { id } = await newest();
  await admin.api.contact.move({ params: { id }, body: { status: 'Resolved' } });
  await send(body);
  expect(await total()).toBe(before + 2);
  const twin = await newest();
  await expect(admin.api.contact.move({ params: { id }, body: { status: 'Open' } })).rejects.toMatchObject({
    status: 409,
    code: 'conflict',
    message: `The same message is open already: #${twin.id}`,
  });
});

test('validation errors are reported for each field', async () => {
  const before = await total();
  const faulty = { name: 'V', email: 'nobody', message: 'Hello', trackingId: 'x'.repeat(41), website: '' };
  await expect(send(faulty)).rejects.toMatchObject({
    status: 422,
    fields: {
      name: 'Name must be at least 2 characters',
      email: 'Please enter a valid email address',
      message: 'Message must be at least 10 characters',
      trackingId: 'Tracking ID must be at most 40 characters',
    },
  });
  for (const body of [
    typed({ message: 'x'.repeat(2001) }),
    typed({ name: 'NUL \u0000' }),
    { ...typed(), role: 'admin' },
  ])
    await expect(send(body)).rejects.toMatchObject({ status: 422 });
  expect(await total()).toBe(before);
});

test('a message with the honeypot field filled in is dropped, with the same answer', async () => {
  const before = await total();
  expect(await send(typed({ website: 'https://example.com' }))).toEqual(await send(typed()));
  expect(await total()).toBe(before + 1);
});

describe('without JavaScript', () => {
  test('the form redirects to a confirmation page (post/redirect/get), and reloading that sends nothing', async () => {
    const before = await total();
    const { message, ...rest } = typed();
    const answer = await post({ ...rest, message: message.replace('\n', '\r\n'), website: '' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/contact?sent']);
    expect(await total()).toBe(before + 1);
    expect(await newest()).toMatchObject({ message, trackingId: 'pkg-abc12345' });
    const page = await product.app.inject({ url: '/contact?sent' });
    expect(page.body).toContain('Your message has arrived');
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(await total()).toBe(before + 1);
  });

  test('validation errors are shown on the form, with everything that was typed', async () => {
    const answer = await post({ name: 'V', email: 'vera@example.com', message: '</textarea><b>"Hi"', trackingId: '' });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('Name must be at least 2 characters');
    expect(answer.body).not.toContain('Please enter a valid email address');
    expect(answer.body).toContain('value="vera@example.com"');
    expect(answer.body).toContain('&lt;/textarea>&lt;b>');
    expect(answer.body).not.toContain('<b>"Hi"');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await post({})).body).toContain('Message must be at least 10 characters');
  });

  test('a cross-site form post is refused', async () => {
    const before = await total();
    const answer = await post(typed(), { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('This form was sent from another site');
    expect(await total()).toBe(before);
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json'])
      expect((await post(typed(), { 'content-type': type })).statusCode).toBe(415);
    // No other route accepts a URL-encoded body.
    expect(
      (
        await product.app.inject({
          method: 'POST',
          url: '/api/contact',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: 'name=Vera',
        })
      ).statusCode,
    ).toBe(415);
  });
});

test('five messages per hour and address are accepted, with or without JavaScript; then the form answers 429 with Retry-After', async () => {
  const limited = await openTestProduct({ beside: product, config: { RATE_LIMITS: 'on' }, runsJobs: false });
  try {
    for (let sent = 0; sent < 5; sent++) await limited.api().contact.send({ body: typed() });
    await expect(limited.api().contact.send({ body: typed() })).rejects.toMatchObject({ status: 429 });
    const { message } = typed();
    const answer = await limited.app.inject({
      method: 'POST',
      url: '/contact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ name: 'Vera', email: 'vera@example.com', message }).toString(),
    });
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
    expect(answer.body).toContain('Too many requests');
    expect(answer.body).toContain('value="Vera"');
  } finally {
    await limited.close();
  }
});

describe('administrators', () => {
  test('resolve and reopen a message; repeating either changes nothing', async () => {
    await send(typed());
    const open = await newest();
    const params = { id: open.id };
    const move = (status: 'Open' | 'Resolved', by = admin) => by.api.contact.move({ params, body: { status } });
    expect(await move('Open')).toEqual(open);
    const resolved = await move('Resolved');
    expect(resolved).toEqual({
      ...open,
      status: 'Resolved',
      resolvedAt: expect.stringMatching(/Z$/) as string,
      resolvedBy: 'Ada Admin',
    });
    expect(await move('Resolved', otherAdmin)).toEqual(resolved);
    expect(await move('Open', otherAdmin)).toEqual(open);
    await expect(admin.api.contact.move({ params: { id: 999_999 }, body: { status: 'Open' } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('find messages by status, number, sender, tracking ID and content', async () => {
    await send(typed({ name: 'Wanda Writer', message: 'The 100% wool blanket' }));
    const { id } = await newest();
    const found = async (query: Record<string, string>) =>
      (await admin.api.contact.list({ query: { limit: 200, ...query } })).items.map((message) => message.id);
    for (const q of ['WANDA', '100% wool', String(id)]) expect(await found({ q })).toEqual([id]);
    expect(await found({ q: 'abc12345', status: 'Open' })).toContain(id);
    expect(await found({ status: 'Resolved' })).not.toContain(id);
    await admin.api.contact.move({ params: { id }, body: { status: 'Resolved' } });
    expect(await found({ q: 'wanda', status: 'Resolved' })).toEqual([id]);
  });
});

test('deleting an account deletes the messages sent from its email address', async () => {
  const leaver = await product.register('owner');
  await send(typed({ email: leaver.email, message: 'Please delete my account' }));
  await send(typed({ message: 'Please keep this one' }));
  await admin.api.users.remove({ params: { id: leaver.id } });
  const left = await admin.api.contact.list({ query: { q: 'please', limit: 200 } });
  expect(left.items.map(({ message }) => message)).toEqual(['Please keep this one']);
});
