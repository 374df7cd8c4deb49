import type { SentNotification } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer, type MailServer } from '../testing/mail-server.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilJobsDone,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { finishMessages, type ClaimedMessage } from './message-queries.ts';
import { notify } from './service.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let clock = Date.now();
const now = () => new Date(clock);
let mailServer: MailServer;
let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  mailServer = await openMailServer();
  product = await openTestProduct({
    now,
    config: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Parcels <parcels@example.org>',
      PUBLIC_URL: 'https://parcels.example.org',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'open',
    },
  });
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(async () => {
  await product.close();
  await mailServer.close();
});

const sql = <Row extends object>(text: string, params?: unknown[]) => product.ctx.db.query<Row>(text, params);
const messagesOf = async (packageId: string, reader = admin): Promise<SentNotification[]> =>
  (await reader.api.notifications.sent({ query: { channel: 'email', packageId, limit: 200 } })).items;
const deliver = async (by = owner, name = 'Blue box') => {
  const pkg = await createPackage(by, { name });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.complete({ params });
  return pkg;
};
/** Without the one that confirms signing up. */
const mailsTo = (user: TestUser) =>
  mailServer.mails.filter(({ to, subject }) => to === user.email && !subject.startsWith('Welcome'));
/** Waits for the email that confirms it, so that what a test does to the mail server does not meet it. */
async function signUp(): Promise<TestUser> {
  const user = await product.register('owner');
  await eventually('the confirmation', () => mailServer.mails.some(({ to }) => to === user.email));
  return user;
}
/** The state of the only message about a package to its owner. */
const stateOf = async (packageId: string) => (await messagesOf(packageId))[0]?.state;
const untilState = (packageId: string, state: string) =>
  eventually(`the message is ${state}`, async () => (await stateOf(packageId)) === state);
/** Looks for due messages, as the sender does every five seconds. */
const moveClock = async (ms: number) => {
  clock += ms;
  await product.ctx.db.transaction(async (tx) => {
    await tx.query("insert into outbox (type, user_id) values ('notification.progressed', $1)", [owner.id]);
    tx.notifyAfterCommit();
  });
};

test('an owner gets an email when a package is delivered: text and HTML, one link, and an id that the list shows', async () => {
  const pkg = await deliver(owner, 'Lamp <b> & "co"');
  await untilState(pkg.id, 'sent');
  const [sent, ...more] = await messagesOf(pkg.id);
  expect(more).toEqual([]);
  expect(sent).toMatchObject({
    type: 'delivery.completed',
    channel: 'email',
    state: 'sent',
    reason: null,
    attempts: 1,
    error: null,
    recipient: { id: owner.id, name: 'Olga Owner', role: 'owner' },
    trackingId: pkg.trackingId,
  });
  const [mail, ...others] = mailsTo(owner);
  expect(others).toEqual([]);
  expect(mail?.id).toBe(`<${sent?.id}@example.org>`);
  expect(mail?.subject).toBe('Delivered: Lamp <b> & "co"');
  expect(mail?.headers).toMatch(/^From: "?Parcels"? <parcels@example\.org>$/m);
  expect(mail?.headers).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(mail?.body).toContain('Your package “Lamp <b> & "co"” has been delivered.');
  expect(mail?.body).toContain('Your package “Lamp &lt;b&gt; &amp; &quot;co&quot;” has been delivered.');
  expect(mail?.body).toContain(`Open in Waybill: https://parcels.example.org/owner/package/${pkg.id}`);

  const read = await admin.api.notifications.sentMessage({ params: { id: sent?.id ?? '' } });
  expect(read).toMatchObject({ ...sent, subject: mail?.subject });
  expect(read.text).toContain('https://parcels.example.org/notifications/preferences');
  expect(read.html).toContain('&lt;b&gt;');
  // The delivery in the app has its words too, and no HTML.
  const inApp = (await admin.api.notifications.sent({ query: { channel: 'in-app', packageId: pkg.id } })).items;
  const told = inApp.find(({ type }) => type === 'delivery.completed');
  expect(await admin.api.notifications.sentMessage({ params: { id: told?.id ?? '' } })).toMatchObject({
    subject: 'Delivered',
    text: 'Your package “Lamp <b> & "co"” has been delivered.',
    html: null,
  });
});

test('ten replays of an event make one message', async () => {
  const pkg = await deliver();
  await untilState(pkg.id, 'sent');
  const before = mailServer.offered();
  const [event] = await sql<{ id: string }>(
    "select id from package_events where package_id = $1 and type = 'delivery.completed'",
    [pkg.id],
  );
  const run = { id: '0190aaaa-0000-7000-8000-000000000001', eventId: event?.id ?? '', attempts: 1 };
  await Promise.all(Array.from({ length: 10 }, () => notify(product.ctx, 'notify-owner', [run])));
  await moveClock(minuteMs);
  const probe = await deliver();
  await untilState(probe.id, 'sent');
  expect(await messagesOf(pkg.id)).toHaveLength(1);
  expect(mailServer.offered()).toBe(before + 1);
});

test('a message is written in the language of its reader', async () => {
  const reader = await signUp();
  const response = await product.app.inject({
    method: 'PUT',
    url: '/api/notifications/preferences',
    headers: { authorization: `Bearer ${reader.token}`, 'accept-language': 'de' },
    payload: { 'delivery.started': ['in-app', 'email'] },
  });
  expect(response.statusCode).toBe(200);
  expect(response.json<{ email: object[] }>().email).toContainEqual({
    kind: 'delivery.started',
    on: true,
    essential: false,
  });
  const pkg = await createPackage(reader);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await untilState(pkg.id, 'sent');
  expect(mailsTo(reader)[0]?.body).toContain('In Waybill öffnen');
});

test('a kind that is off is recorded with its reason and not sent; one that was never chosen leaves no row', async () => {
  const reader = await signUp();
  await reader.api.notifications.setPreferences({ body: { email: [{ kind: 'delivery.completed', on: false }] } });
  const pkg = await deliver(reader);
  await untilJobsDone(product);
  expect(await messagesOf(pkg.id)).toMatchObject([
    { type: 'delivery.completed', state: 'suppressed', reason: 'opted_out', attempts: 0 },
  ]);
  expect(mailsTo(reader)).toEqual([]);
  expect((await admin.api.notifications.sent({ query: { state: 'suppressed' } })).items).toMatchObject([
    { packageId: pkg.id },
  ]);
  await expect(reader.api.notifications.setPreferences({ body: { security: ['in-app'] } })).rejects.toMatchObject({
    status: 422,
    fields: { security: 'This cannot be turned off' },
  });
});

test('a server that refuses for now is tried again with pauses, and what ended meanwhile is not sent', async () => {
  const reader = await signUp();
  await reader.api.notifications.setPreferences({ body: { 'delivery.next': ['in-app', 'email'] } });
  mailServer.treat((to) => (to === reader.email ? 451 : 'accept'));
  const pkg = await createPackage(reader);
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.next({ params });
  const attempts = async () => (await messagesOf(pkg.id)).find(({ type }) => type === 'delivery.next')?.attempts;
  await eventually('the first attempt', async () => (await attempts()) === 1);
  const [waiting] = await messagesOf(pkg.id);
  expect(waiting).toMatchObject({ state: 'queued' });
  await eventually('its outcome', async () => (await messagesOf(pkg.id))[0]?.error !== null);
  expect((await messagesOf(pkg.id))[0]?.error).toContain('451');
  // Not before its pause has passed.
  await moveClock(20_000);
  const probe = await deliver();
  await untilState(probe.id, 'sent');
  expect(await attempts()).toBe(1);
  await moveClock(15_000);
  await eventually('the second attempt', async () => (await attempts()) === 2);
  await driver.api.deliveries.complete({ params });
  await eventually('the outcomes', async () => {
    const waitingNow = (await messagesOf(pkg.id)).filter(({ error, state }) => state === 'queued' && error !== null);
    return waitingNow.length === 2;
  });
  // A day later the server is back: that it is the next stop is no longer true, that it was delivered still is.
  mailServer.treat('accept');
  await moveClock(25 * hourMs);
  await eventually('the end', async () => (await messagesOf(pkg.id)).every(({ state }) => state !== 'queued'));
  const states = (await messagesOf(pkg.id)).map(({ type, state, reason }) => [type, state, reason]);
  expect(Object.fromEntries(states.map(([type, ...rest]) => [type, rest]))).toEqual({
    'delivery.next': ['suppressed', 'late'],
    'delivery.completed': ['sent', null],
  });
  expect(mailsTo(reader).map(({ subject }) => subject)).toEqual(['Delivered: Desk lamp']);
});

test('a digest gathers the emails of a day to one, without what is over by then and without what cannot wait', async () => {
  const reader = await signUp();
  // Some hours from now, in any zone.
  const at = new Date(clock + 5 * 3_600_000).toISOString().slice(11, 16);
  const digest = { at, timeZone: 'UTC' };
  const { digest: chosen } = await reader.api.notifications.setPreferences({ body: { digest } });
  expect(chosen).toEqual(digest);
  const pkg = await createPackage(reader, { name: 'Second try', recipientContact: 'At the front desk' });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody at home' } });
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.complete({ params });
  const other = await deliver(reader, 'Other & box');
  await untilJobsDone(product);
  await reader.api.users.changePassword({
    body: { currentPassword: reader.password, newPassword: 'another pond heron' },
  });
  await eventually('what cannot wait', () => mailsTo(reader).length === 1);
  expect(mailsTo(reader)[0]?.subject).toBe('Password changed');
  const listed = () => admin.api.notifications.sent({ query: { channel: 'email', q: reader.email } });
  const [carrier, ...more] = (await listed()).items.filter(({ type }) => type === 'digest');
  expect(more).toEqual([]);
  const read = await admin.api.notifications.sentMessage({ params: { id: carrier?.id ?? '' } });
  expect(read).toMatchObject({ state: 'queued', subject: 'Daily summary of Waybill' });

  await moveClock(5 * 3_600_000 + minuteMs);
  await eventually('the digest', () => mailsTo(reader).length === 2);
  const body = (mailsTo(reader)[1]?.body ?? '').replaceAll('\r\n', '\n');
  expect(body).toContain(
    `Delivered: Second try\nYour package “Second try” has been delivered.\nhttps://parcels.example.org/owner/package/${pkg.id}`,
  );
  expect(body).toContain(`<a class="ink" href="https://parcels.example.org/owner/package/${other.id}"`);
  expect(body).toContain('Delivered: Other &amp; box');
  expect(body).not.toContain('Nobody at home');
  await eventually('their states', async () => (await messagesOf(pkg.id)).every(({ state }) => state !== 'queued'));
  const ends = (await messagesOf(pkg.id)).map(({ type, state, reason }) => [type, { state, reason }]);
  expect(Object.fromEntries(ends)).toEqual({
    'delivery.completed': { state: 'sent', reason: null },
    'delivery.failed': { state: 'suppressed', reason: 'late' },
  });
  // What comes later is in the next one; without a digest it comes at once.
  const later = await deliver(reader, 'Later box');
  await untilJobsDone(product);
  expect((await listed()).items.filter(({ type }) => type === 'digest')).toHaveLength(2);
  expect(mailsTo(reader)).toHaveLength(2);
  await reader.api.notifications.setPreferences({ body: { digest: null } });
  await moveClock(minuteMs);
  await eventually('what was gathered', () => mailsTo(reader).length === 3);
  expect(mailsTo(reader)[2]?.body).toContain(later.id);
});

test('an address that is refused for good is a dead letter with its reason, and a retry sends it', async () => {
  const reader = await signUp();
  mailServer.treat((to) => (to === reader.email ? 550 : 'accept'));
  const pkg = await deliver(reader);
  await untilState(pkg.id, 'failed');
  const [failed] = await messagesOf(pkg.id);
  expect(failed).toMatchObject({ attempts: 1, error: expect.stringContaining('550') as string });
  const listed = (await admin.api.notifications.sent({ query: { state: 'failed' } })).items;
  expect(listed.map(({ id }) => id)).toContain(failed?.id);
  mailServer.treat('accept');
  const retry = () => admin.api.notifications.retry({ params: { id: failed?.id ?? '' } });
  const replies = await Promise.allSettled([retry(), retry(), retry()]);
  // One queues it. Those that come after it was sent are refused.
  expect(replies.map(({ status }) => status)).toContain('fulfilled');
  for (const reply of replies) {
    if (reply.status === 'rejected') expect(reply.reason).toMatchObject({ status: 409, code: 'illegal_step' });
  }
  await untilState(pkg.id, 'sent');
  expect(mailsTo(reader)).toHaveLength(1);
  await expect(retry()).rejects.toMatchObject({ status: 409 });
  const audited = await sql("select from audit where act = 'job.replayed' and details->>'id' = $1", [failed?.id]);
  expect(audited).toHaveLength(1);
});

test.each(['hang', 'reset', 'lose the answer'] as const)(
  'a server that does this gets the message again, with the same id: %s',
  async (how) => {
    const reader = await signUp();
    mailServer.treat((to) => (to === reader.email ? how : 'accept'));
    const pkg = await deliver(reader);
    await eventually('a failed attempt', async () => (await messagesOf(pkg.id))[0]?.error != null);
    // Others are sent meanwhile.
    const other = await deliver();
    await untilState(other.id, 'sent');
    mailServer.treat('accept');
    await moveClock(2 * minuteMs);
    await untilState(pkg.id, 'sent');
    const ids = mailsTo(reader).map(({ id }) => id);
    expect(ids).toHaveLength(how === 'lose the answer' ? 2 : 1);
    expect(new Set(ids).size).toBe(1);
  },
);

test('what a killed process had begun is sent by another one once its lease has ended, and not before', async () => {
  const reader = await signUp();
  mailServer.treat((to) => (to === reader.email ? 'hang' : 'accept'));
  const pkg = await deliver(reader);
  await eventually('an outcome', async () => (await messagesOf(pkg.id))[0]?.error != null);
  // As if it had died in the attempt.
  const [row] = await messagesOf(pkg.id);
  await sql(
    "update messages set lease = gen_random_uuid(), leased_until = now() + interval '1 hour', due_at = $2 where id = $1",
    [row?.id, now()],
  );
  mailServer.treat('accept');
  await moveClock(minuteMs);
  const probe = await deliver();
  await untilState(probe.id, 'sent');
  expect(mailsTo(reader)).toEqual([]);
  await sql("update messages set leased_until = now() - interval '1 second' where id = $1", [row?.id]);
  await moveClock(0);
  await untilState(pkg.id, 'sent');
  expect(mailsTo(reader)).toHaveLength(1);
});

test('outcomes are stored together, but for an attempt that lost its lease; what the provider has said meanwhile stays', async () => {
  const reader = await signUp();
  const ids: string[] = [];
  for (const state of ['queued', 'queued', 'delivered'])
    for (const { id } of await sql<{ id: string }>(
      `insert into messages (id, at, channel, event_id, type, audience, parameters, user_id, language, state, ends_at, attempts, error, lease, leased_until)
       values (gen_random_uuid(), $2, 'email', 0, 'account.welcome', 'account', '{}', $1, 'en', $3, $2, 2, 'before', gen_random_uuid(), now() + interval '1 hour')
       returning id`,
      [reader.id, now(), state],
    ))
      ids.push(id);
  const [sent, lost, delivered] = await sql<ClaimedMessage>(
    'select * from messages where id = any($1::uuid[]) order by array_position($1::uuid[], id)',
    [ids],
  );
  if (!sent || !lost || !delivered) throw new Error('they were not stored');
  await finishMessages(product.ctx.db, [
    { message: sent, outcome: { state: 'sent', content: { subject: 'Hi' }, address: 'there@example.com' } },
    { message: { ...lost, lease: crypto.randomUUID() }, outcome: { state: 'sent' } },
    { message: delivered, outcome: { state: 'queued', error: 'no \0 answer \ud800', dueAt: now() } },
  ]);
  const rows = await sql<object>(
    `select state, error, content, address, attempts, due_at, lease is null as is_free from messages
     where id = any($1::uuid[]) order by array_position($1::uuid[], id)`,
    [ids],
  );
  const untouched = { content: null, address: null, attempts: 2, due_at: null };
  expect(rows).toEqual([
    {
      ...untouched,
      state: 'sent',
      error: null,
      content: { subject: 'Hi' },
      address: 'there@example.com',
      is_free: true,
    },
    { ...untouched, state: 'queued', error: 'before', is_free: false },
    { ...untouched, state: 'delivered', error: 'before', is_free: true },
  ]);
  await sql('delete from messages where id = any($1)', [ids]);
});

test('nobody gets more than six messages about a package in a day', async () => {
  const reader = await signUp();
  const pkg = await createPackage(reader);
  const params = { id: pkg.id };
  // Ten messages: one when it is reported, one when it is resolved.
  for (let count = 0; count < 5; count++) {
    await reader.api.incidents.reportOnPackage({ params, body: { issue: `It is late for the ${count + 1}th time` } });
    const [incident] = (await reader.api.incidents.list()).items;
    await admin.api.incidents.move({
      params: { id: incident?.id ?? 0 },
      body: { status: 'Resolved', note: 'It has come' },
    });
  }
  await untilJobsDone(product);
  const toReader = async () => (await messagesOf(pkg.id)).filter(({ recipient }) => recipient.id === reader.id);
  await eventually('all are sent', async () => (await toReader()).every(({ state }) => state !== 'queued'));
  const all = await toReader();
  expect(all).toHaveLength(10);
  expect(all.filter(({ state }) => state === 'sent')).toHaveLength(6);
  expect(all.filter(({ reason }) => reason === 'limit')).toHaveLength(4);
});

test('in quiet hours nothing is sent but what concerns the account, and the rest in the morning', async () => {
  const reader = await signUp();
  const at = new Date(clock + 10 * minuteMs);
  const time = (offsetMs: number) => new Date(clock + offsetMs).toISOString().slice(11, 16);
  const quietHours = { from: time(-minuteMs), to: time(2 * hourMs), timeZone: 'UTC' };
  const saved = await reader.api.notifications.setPreferences({ body: { quietHours } });
  expect(saved.quietHours).toEqual(quietHours);
  const pkg = await deliver(reader);
  await reader.api.users.changePassword({
    body: { currentPassword: reader.password, newPassword: 'another pond heron' },
  });
  await eventually('the security notice', () => mailsTo(reader).length === 1);
  await untilState(pkg.id, 'queued');
  expect(mailsTo(reader)[0]?.subject).not.toContain('Delivered');
  expect(at.getTime()).toBeGreaterThan(clock);
  await moveClock(2 * hourMs + minuteMs);
  await untilState(pkg.id, 'sent');
});

test('without a mail server messages are held, can be read as they would look, and are sent once there is one', async () => {
  const idle = await openTestProduct({ now });
  let served: TestProduct | undefined;
  try {
    const [otherOwner, otherDriver, reader] = [
      await idle.register('owner'),
      await idle.register('driver'),
      await idle.register('admin'),
    ];
    const pkg = await createPackage(otherOwner, { name: 'Red box' });
    const params = { id: pkg.id };
    await otherDriver.api.deliveries.start({ params });
    await otherDriver.api.deliveries.complete({ params });
    await eventually('it is held', async () => (await messagesOf(pkg.id, reader)).length === 1);
    const [held] = await messagesOf(pkg.id, reader);
    expect(held).toMatchObject({ state: 'held', attempts: 0, recipient: { id: otherOwner.id } });
    const read = await reader.api.notifications.sentMessage({ params: { id: held?.id ?? '' } });
    expect(read).toMatchObject({ state: 'held', subject: 'Delivered: Red box' });
    expect(read.text).toContain('Your package “Red box” has been delivered.');
    expect((await reader.api.notifications.sent({ query: { state: 'held', channel: 'email' } })).items).toEqual([held]);

    mailServer.treat('accept');
    served = await openTestProduct({
      beside: idle,
      now,
      config: { SMTP_URL: mailServer.url, MAIL_FROM: 'parcels@example.org' },
    });
    await eventually('it is sent', async () => (await messagesOf(pkg.id, reader))[0]?.state === 'sent');
    expect(mailsTo(otherOwner)).toHaveLength(1);
  } finally {
    await served?.close();
    await idle.close();
  }
});
