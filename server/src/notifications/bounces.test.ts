import type { SentNotification } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer, type MailServer } from '../testing/mail-server.ts';
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

const token = 'a token of sixteen';

let mailServer: MailServer;
let gateway: SmsGateway;
let product: TestProduct;
let owner: TestUser;
let admin: TestUser;
beforeAll(async () => {
  mailServer = await openMailServer();
  gateway = await openSmsGateway();
  product = await openTestProduct({
    config: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'parcels@example.org',
      MAIL_CALLBACK_TOKEN: token,
      SMS_URL: gateway.url,
      SMS_TOKEN: token,
      PUBLIC_URL: 'https://parcels.example',
      RECIPIENT_QUIET_HOURS: 'off',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'open',
    },
  });
  owner = await product.register('owner');
  admin = await product.register('admin');
});
afterAll(async () => {
  await product.close();
  await mailServer.close();
  await gateway.close();
});

/** The newest email to the recipient. */
const mailAbout = async ({ id }: { id: string }): Promise<SentNotification | undefined> =>
  (await admin.api.notifications.sent({ query: { channel: 'email', packageId: id } })).items.find(
    ({ recipient }) => recipient.role === 'recipient',
  );
const untilState = (pkg: { id: string }, state: string) =>
  eventually(`the email is ${state}`, async () => (await mailAbout(pkg))?.state === state);
const toldOf = async (user: TestUser, type: string) => {
  await untilJobsDone(product);
  return (await user.api.notifications.list({ query: { limit: 200 } })).items.filter((one) => one.type === type);
};
const report = (body: object, url = '/callbacks/mail') => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const payload = JSON.stringify(body);
  return product.app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'x-waybill-timestamp': timestamp,
      'x-waybill-signature': signatureOf(token, timestamp, payload),
    },
    payload,
  });
};

test('an address that the mail server refuses gets nothing more, and each owner is told once; another address works, as does a retry', async () => {
  const recipientEmail = 'gone@example.com';
  let offered = 0;
  mailServer.treat((to) => {
    if (to !== recipientEmail) return 'accept';
    offered++;
    return 550;
  });
  const first = await createPackage(owner, { recipientEmail, name: 'First' });
  await untilState(first, 'failed');
  const second = await createPackage(owner, { recipientEmail: 'Gone@example.com', name: 'Second' });
  await untilState(second, 'suppressed');
  expect(await mailAbout(second)).toMatchObject({ reason: 'bounced' });
  expect(offered).toBe(1);
  expect((await toldOf(owner, 'package.unreachable')).map(({ body }) => body)).toEqual([
    'The email address of the recipient of Second does not work: messages to it come back. Please correct it.',
    'The email address of the recipient of First does not work: messages to it come back. Please correct it.',
  ]);
  await owner.api.packages.update({ params: { id: first.id }, body: { eta: '2099-01-01' } });
  await untilState(first, 'suppressed');
  expect(await toldOf(owner, 'package.unreachable')).toHaveLength(2);

  await owner.api.packages.update({
    params: { id: first.id },
    body: { eta: '2099-01-02', recipientEmail: 'here@example.com' },
  });
  await untilState(first, 'sent');
  mailServer.treat('accept');
  await admin.api.notifications.retry({ params: { id: (await mailAbout(second))?.id ?? '' } });
  await untilState(second, 'sent');
  const third = await createPackage(owner, { recipientEmail });
  await untilState(third, 'sent');
});

test.each([451, 552, 554])('%i says nothing about the address', async (code) => {
  const recipientEmail = `full${code}@example.com`;
  mailServer.treat((to) => (to === recipientEmail ? code : 'accept'));
  const pkg = await createPackage(owner, { recipientEmail });
  await eventually('it was refused', async () => (await mailAbout(pkg))?.error != null);
  mailServer.treat('accept');
  const other = await createPackage(owner, { recipientEmail });
  await untilState(other, 'sent');
});

test('a bounce that is reported later has the same effects; a complaint unsubscribes, and what arrives lifts the mark', async () => {
  mailServer.treat('accept');
  const recipientEmail = 'later@example.com';
  const register = () => createPackage(owner, { recipientEmail });
  const pkg = await register();
  await untilState(pkg, 'sent');
  const id = mailServer.mails.find(({ to }) => to === recipientEmail)?.id;
  const before = (await toldOf(owner, 'package.unreachable')).length;
  for (const _ of [1, 2])
    expect((await report({ id, state: 'bounced', reason: '5.1.1 unknown user' })).statusCode).toBe(204);
  expect(await mailAbout(pkg)).toMatchObject({ state: 'failed', error: 'the email came back: 5.1.1 unknown user' });
  expect(await toldOf(owner, 'package.unreachable')).toHaveLength(before + 1);
  const unsent = await register();
  await untilState(unsent, 'suppressed');
  await report({ address: recipientEmail, state: 'delivered' });
  const wanted = await register();
  await untilState(wanted, 'sent');
  await report({ address: recipientEmail, state: 'complained' });
  const unwanted = await register();
  await untilState(unwanted, 'suppressed');
  expect(await mailAbout(unwanted)).toMatchObject({ reason: 'opted_out' });
  expect((await report({ state: 'bounced' })).statusCode).toBe(422);
});

test('an account is told in the app that its address does not work; links for passwords are tried all the same', async () => {
  const driver = await product.register('driver');
  await report({ address: driver.email, state: 'bounced' });
  await report({ address: driver.email, state: 'bounced' });
  expect(await toldOf(driver, 'account.unreachable')).toHaveLength(1);
  await product.api().auth.forgot({ body: { email: driver.email } });
  await eventually('the link', () => mailServer.mails.some(({ to }) => to === driver.email));
  expect(mailServer.mails.filter(({ to }) => to === driver.email)).toHaveLength(1);
});

test('an account gets an email in place of an SMS that fails, unless it has turned that off', async () => {
  const driver = await product.register('driver');
  const tellBySms = async (more: object) => {
    const user = await product.register('owner');
    await user.api.users.updateProfile({ body: { phone: '+4915112345678' } });
    await user.api.notifications.setPreferences({ body: { sms: [{ kind: 'delivery.started', on: true }], ...more } });
    const pkg = await createPackage(user, { recipientContact: 'At the front desk' });
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    const query = { packageId: pkg.id };
    await eventually('the SMS has failed', async () =>
      (await admin.api.notifications.sent({ query })).items.some(({ state }) => state === 'failed'),
    );
    return { user, query };
  };
  gateway.treat(422);
  const { user, query } = await tellBySms({});
  const mails = () => mailServer.mails.filter(({ to, subject }) => to === user.email && !subject.startsWith('Welcome'));
  await eventually('the email', () => mails().length > 0);
  // Another failure of the same SMS.
  const sent = async () => (await admin.api.notifications.sent({ query: { ...query, channel: 'sms' } })).items[0];
  await admin.api.notifications.retry({ params: { id: (await sent())?.id ?? '' } });
  await eventually(
    'it has failed again',
    async () => (await sent())?.attempts === 2 && (await sent())?.state === 'failed',
  );
  expect(mails()).toHaveLength(1);

  const unwilling = await tellBySms({ email: [{ kind: 'delivery.started', on: false }] });
  const { items } = await admin.api.notifications.sent({ query: { ...unwilling.query, channel: 'email' } });
  expect(items.map(({ state, reason }) => [state, reason])).toEqual([['suppressed', 'opted_out']]);
});

test('a recipient whose SMS is reported as failed is told by an email address that has become known since, once', async () => {
  gateway.treat('accept');
  const pkg = await createPackage(owner, { recipientPhone: '+4915112345699' });
  const query = { packageId: pkg.id };
  const byChannel = async (channel: 'sms' | 'email') =>
    (await admin.api.notifications.sent({ query: { ...query, channel } })).items.filter(
      ({ type }) => type === 'package.created',
    );
  await eventually('the SMS', async () => (await byChannel('sms'))[0]?.state === 'sent');
  const recipientEmail = 'known-since@example.com';
  await owner.api.packages.update({ params: { id: pkg.id }, body: { recipientEmail } });
  const failed = { id: (await byChannel('sms'))[0]?.id, state: 'failed' };
  for (const _ of [1, 2]) expect((await report(failed, '/callbacks/sms')).statusCode).toBe(204);
  await eventually('the email', async () => (await byChannel('email'))[0]?.state === 'sent');
  expect(await byChannel('email')).toHaveLength(1);
  expect(mailServer.mails.filter(({ to }) => to === recipientEmail)).toHaveLength(1);
});
