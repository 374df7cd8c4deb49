import { createHmac } from 'node:crypto';
import type { SentNotification } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSmsGateway, type SmsGateway } from '../testing/sms-gateway.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilJobsDone,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { signatureOf } from './callback-signatures.ts';
import { openSms } from './sms.ts';
import { RefusedError, type OutgoingMessage } from './transport.ts';

const minuteMs = 60_000;

let clock = Date.now();
let gateway: SmsGateway;
let product: TestProduct;
let driver: TestUser;
let admin: TestUser;
let nextPhone = 4915112345000;
beforeAll(async () => {
  gateway = await openSmsGateway();
  product = await openTestProduct({
    now: () => new Date(clock),
    config: {
      SMS_URL: `${gateway.url}/send`,
      SMS_TOKEN: 'gateway token',
      PUBLIC_URL: 'https://parcels.example.org',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'open',
    },
  });
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(async () => {
  await product.close();
  await gateway.close();
});

/** An owner who wants to be told by SMS of packages that are delivered. */
const ownerWithPhone = async () => {
  const owner = await product.register('owner');
  const phone = `+${nextPhone++}`;
  await owner.api.users.updateProfile({ body: { phone } });
  await owner.api.notifications.setPreferences({ body: { sms: [{ kind: 'delivery.completed', on: true }] } });
  return { owner, phone };
};
const deliver = async (owner: TestUser, name = 'Blue box') => {
  // The recipient cannot be told: the messages are the owner's alone.
  const pkg = await createPackage(owner, { name, recipientContact: 'At the front desk' });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.complete({ params });
  return pkg;
};
const messageOf = async (packageId: string): Promise<SentNotification | undefined> =>
  (await admin.api.notifications.sent({ query: { channel: 'sms', packageId } })).items[0];
const untilState = (packageId: string, state: string) =>
  eventually(`the message is ${state}`, async () => (await messageOf(packageId))?.state === state);
const sentTo = (phone: string) => gateway.messages.filter(({ to }) => to === phone);
/** Looks for due messages, as the sender does every five seconds. */
const moveClock = async (ms: number) => {
  clock += ms;
  await product.ctx.db.transaction(async (tx) => {
    await tx.query("insert into outbox (type, user_id) values ('notification.progressed', $1)", [admin.id]);
    tx.notifyAfterCommit();
  });
};

test('who asks for it gets an SMS at the number of the profile: who writes, what happened, one link; nobody else does', async () => {
  const { owner, phone } = await ownerWithPhone();
  const pkg = await deliver(owner);
  await untilState(pkg.id, 'sent');
  const sent = await messageOf(pkg.id);
  const text = `Waybill: Your package “Blue box” has been delivered. https://parcels.example.org/owner/package/${pkg.id}`;
  expect(sentTo(phone)).toMatchObject([
    { path: '/send', authorization: 'Bearer gateway token', type: 'application/json', text, id: sent?.id },
  ]);
  const read = await admin.api.notifications.sentMessage({ params: { id: sent?.id ?? '' } });
  expect(read).toMatchObject({ channel: 'sms', state: 'sent', subject: null, text, html: null });

  const silent = await product.register('owner');
  await silent.api.users.updateProfile({ body: { phone: `+${nextPhone++}` } });
  const nothing = await deliver(silent);
  const numberless = await product.register('owner');
  await numberless.api.notifications.setPreferences({ body: { sms: [{ kind: 'delivery.completed', on: true }] } });
  const nowhere = await deliver(numberless);
  await silent.api.users.changePassword({
    body: { currentPassword: silent.password, newPassword: 'another pond heron' },
  });
  await untilJobsDone(product);
  expect(await messageOf(nothing.id)).toBeUndefined();
  expect(await messageOf(nowhere.id)).toMatchObject({ state: 'suppressed', reason: 'no_address' });
  expect((await admin.api.notifications.sent({ query: { channel: 'sms', kind: 'security' } })).items).toEqual([]);
  expect((await silent.api.notifications.preferences()).sms.some(({ essential }) => essential)).toBe(false);
});

test('a French SMS has plain spaces: with one that does not break its parts would be shorter', async () => {
  const { owner, phone } = await ownerWithPhone();
  await product.ctx.db.query("update users set language = 'fr' where id = $1", [owner.id]);
  const pkg = await deliver(owner);
  await untilState(pkg.id, 'sent');
  const text = `Waybill: Votre colis « Blue box » a été livré. https://parcels.example.org/owner/package/${pkg.id}`;
  expect(sentTo(phone)).toMatchObject([{ text }]);
});

test.each(['reset', 'lose the answer', 503, 401, 307] as const)(
  'a gateway that does this gets the message again, with the same id: %s',
  async (how) => {
    const { owner, phone } = await ownerWithPhone();
    gateway.treat((to) => (to === phone ? how : 'accept'));
    const pkg = await deliver(owner);
    await eventually('a failed attempt', async () => (await messageOf(pkg.id))?.error != null);
    expect(await messageOf(pkg.id)).toMatchObject({ state: 'queued', attempts: 1 });
    gateway.treat('accept');
    await moveClock(2 * minuteMs);
    await untilState(pkg.id, 'sent');
    const sent = await messageOf(pkg.id);
    expect(sentTo(phone).map(({ id }) => id)).toEqual(
      Array.from({ length: how === 'lose the answer' ? 2 : 1 }, () => sent?.id),
    );
  },
);

test('a gateway that hangs holds nobody else up; a number that is refused is a dead letter that a retry sends', async () => {
  const hanging = await ownerWithPhone();
  const refused = await ownerWithPhone();
  gateway.treat((to) => (to === hanging.phone ? 'hang' : to === refused.phone ? 422 : 'accept'), {
    error: 'no such number',
  });
  const waiting = await deliver(hanging.owner);
  const dead = await deliver(refused.owner);
  await untilState(dead.id, 'failed');
  const letter = await messageOf(dead.id);
  expect(letter).toMatchObject({ attempts: 1, error: 'the provider answered 422: no such number' });
  expect(await messageOf(waiting.id)).toMatchObject({ state: 'queued', attempts: 1 });
  gateway.treat('accept');
  await admin.api.notifications.retry({ params: { id: letter?.id ?? '' } });
  await untilState(dead.id, 'sent');
  expect(sentTo(refused.phone)).toHaveLength(1);
});

test('Twilio gets a form from its account, and its refusals are told from what passes', async () => {
  const account = `AC${'0123456789abcdef'.repeat(2)}`;
  const settings = {
    PUBLIC_URL: 'http://localhost:8080',
    TWILIO_ACCOUNT_SID: account,
    TWILIO_AUTH_TOKEN: 'twilio secret',
    TWILIO_URL: gateway.url,
    SMS_TIMEOUT: 1,
  };
  const twilio = openSms({ ...settings, TWILIO_FROM: '+15005550006', SMS_URL: undefined, SMS_TOKEN: undefined });
  const message: OutgoingMessage = {
    id: 'one',
    to: '+4915199999999',
    subject: '',
    text: 'Ä & b',
    html: null,
    from: '',
    replyTo: null,
    path: '/',
    endsAt: new Date(),
  };
  gateway.treat('accept');
  await twilio?.send(message);
  expect(gateway.messages.at(-1)).toMatchObject({
    path: `/2010-04-01/Accounts/${account}/Messages.json`,
    authorization: `Basic ${btoa(`${account}:twilio secret`)}`,
    type: 'application/x-www-form-urlencoded',
    body: 'To=%2B4915199999999&From=%2B15005550006&Body=%C3%84+%26+b',
  });
  gateway.treat('hang');
  await expect(twilio?.send(message)).rejects.toThrow('no answer within 1 s');
  const refusalOf = async (status: number, answer: object) => {
    gateway.treat(status, answer);
    return twilio?.send(message).catch((error: unknown) => error);
  };
  const unsubscribed = await refusalOf(400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' });
  expect(unsubscribed).toBeInstanceOf(RefusedError);
  expect(unsubscribed).toMatchObject({
    message: 'the provider answered 400: 21610 Attempt to send to unsubscribed recipient',
  });
  for (const status of [401, 404, 429, 500, 503]) {
    const failure = await refusalOf(status, { code: 20003, message: 'Authenticate' });
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(RefusedError);
  }
  twilio?.close();
});

/** A callback of the gateway, signed with its token. */
const report = (body: object, { secret = 'gateway token', at = clock, sent = JSON.stringify(body) } = {}) => {
  const timestamp = String(Math.floor(at / 1000));
  return product.app.inject({
    method: 'POST',
    url: '/callbacks/sms',
    headers: {
      'content-type': 'application/json',
      'x-waybill-timestamp': timestamp,
      'x-waybill-signature': signatureOf(secret, timestamp, JSON.stringify(body)),
    },
    payload: sent,
  });
};

test('a signed callback says what became of a message, once, and never takes back that it was delivered', async () => {
  gateway.treat('accept');
  const { owner } = await ownerWithPhone();
  const [arrived, lost] = [await deliver(owner), await deliver(owner)];
  await untilState(arrived.id, 'sent');
  await untilState(lost.id, 'sent');
  const idOf = async (packageId: string) => (await messageOf(packageId))?.id ?? '';
  const delivered = { id: await idOf(arrived.id), state: 'delivered' };
  for (const wrong of [
    { secret: 'guessed' },
    { at: clock - 6 * minuteMs },
    { at: clock + 6 * minuteMs },
    { sent: JSON.stringify({ ...delivered, state: 'failed' }) },
  ])
    expect((await report(delivered, wrong)).statusCode).toBe(403);
  expect(await messageOf(arrived.id)).toMatchObject({ state: 'sent' });
  for (const _ of [1, 2]) expect((await report(delivered)).statusCode).toBe(204);
  await report({ ...delivered, state: 'failed', reason: 'too late' });
  expect(await messageOf(arrived.id)).toMatchObject({ state: 'delivered', error: null });

  expect((await report({ id: await idOf(lost.id), state: 'failed', reason: 'no\u0000 signal' })).statusCode).toBe(204);
  const letter = await messageOf(lost.id);
  expect(letter).toMatchObject({ state: 'failed', error: 'the provider could not deliver it: no  signal' });
  await admin.api.notifications.retry({ params: { id: letter?.id ?? '' } });
  await untilState(lost.id, 'sent');

  for (const unknown of ['nonsense', '0190a000-0000-7000-8000-000000000000'])
    expect((await report({ id: unknown, state: 'delivered' })).statusCode).toBe(204);
  expect((await report({ id: 'x', state: 'eaten' })).statusCode).toBe(422);
  expect((await report({ from: '+4915112345000', text: 'x'.repeat(20_000) })).statusCode).toBe(413);
  expect((await product.app.inject({ method: 'POST', url: '/callbacks/twilio/inbound' })).statusCode).toBe(404);
});

test('a number that does not exist gets nothing more, and owner or account are told once; what was for it comes by email, and what arrives lifts the mark', async () => {
  const owner = await product.register('owner');
  const recipientPhone = `+${nextPhone++}`;
  const register = () =>
    createPackage(owner, {
      name: 'Blue box',
      recipientPhone,
      recipientEmail: `${recipientPhone.slice(1)}@example.com`,
    });
  gateway.treat((to) => (to === recipientPhone ? 410 : 'accept'));
  const first = await register();
  await untilState(first.id, 'failed');
  gateway.treat('accept');
  const second = await register();
  await untilState(second.id, 'suppressed');
  expect(await messageOf(second.id)).toMatchObject({ reason: 'bounced' });
  const bodiesOf = async (api: TestUser['api'], type: string) =>
    (await api.notifications.list()).items.filter((told) => told.type === type).map(({ body }) => body);
  const told =
    'Text messages to the recipient of Blue box cannot be delivered: the number does not work. Please correct it.';
  await untilJobsDone(product);
  expect(await bodiesOf(owner.api, 'package.number-unreachable')).toEqual([told, told]);

  const { owner: account, phone } = await ownerWithPhone();
  // A kind of which nobody is told by email who has not asked for it.
  await account.api.notifications.setPreferences({ body: { sms: [{ kind: 'package.cancelled', on: true }] } });
  const cancel = async () => {
    const pkg = await createPackage(account, { recipientContact: 'At the front desk' });
    await admin.api.packages.update({ params: { id: pkg.id }, body: { status: 'cancelled' } });
    return pkg;
  };
  const before = await cancel();
  await untilState(before.id, 'sent');
  const message = await messageOf(before.id);
  for (const _ of [1, 2]) await report({ id: message?.id, state: 'bounced', reason: 'unknown' });
  expect(await messageOf(before.id)).toMatchObject({ state: 'failed' });
  const after = await cancel();
  await untilState(after.id, 'suppressed');
  await untilJobsDone(product);
  expect(await bodiesOf(account.api, 'account.number-unreachable')).toHaveLength(1);
  const emails = await admin.api.notifications.sent({ query: { channel: 'email', packageId: after.id } });
  expect(emails.items.map(({ type }) => type)).toEqual(['package.cancelled']);
  await report({ id: message?.id, state: 'delivered' });
  const again = await cancel();
  await untilState(again.id, 'sent');
  expect(sentTo(phone)).toHaveLength(2);
});

test('a receipt that overtakes the answer to the attempt stays', async () => {
  const { owner, phone } = await ownerWithPhone();
  gateway.treat((to) => (to === phone ? 'lose the answer' : 'accept'));
  const pkg = await deliver(owner);
  await eventually('a failed attempt', async () => (await messageOf(pkg.id))?.error != null);
  expect((await report({ id: (await messageOf(pkg.id))?.id, state: 'delivered' })).statusCode).toBe(204);
  gateway.treat('accept');
  await moveClock(2 * minuteMs);
  expect(await messageOf(pkg.id)).toMatchObject({ state: 'delivered', error: null });
  expect(sentTo(phone)).toHaveLength(1);
});

test.each([
  ['stop.', 'START', 'Waybill sends no more text messages to this number. Reply START to get them again.'],
  ['Stopp!', 'anmelden', 'Waybill sendet keine SMS mehr an diese Nummer. Mit START bekommen Sie sie wieder.'],
  [' arrêt', 'Reprendre', 'Waybill n’envoie plus de SMS à ce numéro. Répondez START pour en recevoir à nouveau.'],
  ['BAJA', 'alta', 'Waybill ya no envía SMS a este número. Responda START para volver a recibirlos.'],
])('%s ends the messages to a number, and %s brings them back', async (stop, start, answer) => {
  const { owner, phone } = await ownerWithPhone();
  const say = (text: string) => report({ from: phone.slice(1), text });
  expect((await say(`I cannot ${stop}`)).statusCode).toBe(204);
  expect((await say(stop)).json()).toEqual({ reply: answer });
  const unwanted = await deliver(owner);
  await untilState(unwanted.id, 'suppressed');
  expect(await messageOf(unwanted.id)).toMatchObject({ reason: 'opted_out' });
  expect((await say(start)).statusCode).toBe(200);
  const wanted = await deliver(owner);
  await untilState(wanted.id, 'sent');
  expect(sentTo(phone)).toHaveLength(1);
});

test('Twilio signs what it reports and what numbers write; its own words it answers itself', async () => {
  const twilio = await openTestProduct({
    config: {
      TWILIO_ACCOUNT_SID: `AC${'0123456789abcdef'.repeat(2)}`,
      TWILIO_AUTH_TOKEN: 'twilio secret',
      TWILIO_FROM: '+15005550006',
      TWILIO_URL: gateway.url,
      PUBLIC_URL: 'https://parcels.example.org',
      RECIPIENT_QUIET_HOURS: 'off',
      ADMIN_SIGNUP: 'open',
      RATE_LIMITS: 'callbackFailure=3/60',
    },
  });
  try {
    gateway.treat('accept');
    const [sender, boss] = [await twilio.register('owner'), await twilio.register('admin')];
    const to = '+4915112399999';
    const register = () => createPackage(sender, { recipientPhone: to });
    const recipientsOf = (pkg: { id: string }) =>
      boss.api.notifications
        .sent({ query: { channel: 'sms', packageId: pkg.id } })
        .then(({ items }) => items.find(({ recipient }) => recipient.role === 'recipient'));
    const became = (pkg: { id: string }, state: string) =>
      eventually(`the message is ${state}`, async () => (await recipientsOf(pkg))?.state === state);
    const call = (path: string, form: Record<string, string>, signature?: string) => {
      const signed = Object.keys(form)
        .toSorted()
        .map((name) => name + form[name]);
      const text = `https://parcels.example.org${path}${signed.join('')}`;
      return twilio.app.inject({
        method: 'POST',
        url: path,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signature ?? createHmac('sha1', 'twilio secret').update(text).digest('base64'),
        },
        payload: new URLSearchParams(form).toString(),
      });
    };
    const [first, second] = [await register(), await register()];
    await became(first, 'sent');
    await became(second, 'sent');
    const callbacks = sentTo(to).map(({ body }) => new URL(new URLSearchParams(body).get('StatusCallback') ?? ''));
    const pathTo = async (pkg: { id: string }) => {
      const sent = await recipientsOf(pkg);
      return callbacks.find(({ pathname }) => pathname.endsWith(`/${sent?.id}`))?.pathname ?? '';
    };
    const status = { MessageSid: 'SM1', To: to, From: '+15005550006' };
    await call(await pathTo(first), { ...status, MessageStatus: 'sent' });
    expect(await recipientsOf(first)).toMatchObject({ state: 'sent' });
    expect((await call(await pathTo(first), { ...status, MessageStatus: 'delivered' })).statusCode).toBe(204);
    expect(await recipientsOf(first)).toMatchObject({ state: 'delivered' });
    await call(await pathTo(second), { ...status, MessageStatus: 'undelivered', ErrorCode: '30005' });
    expect(await recipientsOf(second)).toMatchObject({
      state: 'failed',
      error: 'the provider could not deliver it: 30005 the number is unknown or no longer in service',
    });

    const write = (text: string, more = {}) =>
      call('/callbacks/twilio/inbound', { From: to, To: status.From, Body: text, ...more });
    expect((await write('Alto')).body).toContain('<Message>Waybill ya no envía SMS');
    const unwanted = await register();
    await became(unwanted, 'suppressed');
    expect(await recipientsOf(unwanted)).toMatchObject({ reason: 'opted_out' });
    expect((await write('Weiter', { OptOutType: 'START' })).body).not.toContain('<Message>');
    await became(await register(), 'sent');
    expect((await write('STOP')).body).not.toContain('<Message>');

    // After many wrong ones the right signature still passes.
    const statuses = [];
    for (let times = 0; times < 4; times++)
      statuses.push((await call('/callbacks/twilio/inbound', { From: to, Body: 'START' }, 'bm8=')).statusCode);
    expect(statuses).toEqual([403, 403, 403, 429]);
    expect((await write('START')).statusCode).toBe(200);
    // Sent before somebody told Twilio, but not us.
    gateway.treat(400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' });
    const refused = await register();
    await became(refused, 'suppressed');
    expect(await recipientsOf(refused)).toMatchObject({ reason: 'opted_out' });
  } finally {
    await twilio.close();
  }
});
