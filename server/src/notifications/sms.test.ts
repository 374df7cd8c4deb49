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
  expect(letter).toMatchObject({ attempts: 1, error: 'the provider answered 422: {"error":"no such number"}' });
  expect(await messageOf(waiting.id)).toMatchObject({ state: 'queued', attempts: 1 });
  gateway.treat('accept');
  await admin.api.notifications.retry({ params: { id: letter?.id ?? '' } });
  await untilState(dead.id, 'sent');
  expect(sentTo(refused.phone)).toHaveLength(1);
});

test('Twilio gets a form from its account, and its refusals are told from what passes', async () => {
  const account = `AC${'0123456789abcdef'.repeat(2)}`;
  const settings = { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: 'twilio secret', TWILIO_URL: gateway.url };
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
