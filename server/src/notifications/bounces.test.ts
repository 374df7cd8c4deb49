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
import { signatureOf } from './callback-signatures.ts';

const token = 'a token of sixteen';

let mailServer: MailServer;
let product: TestProduct;
let owner: TestUser;
let admin: TestUser;
beforeAll(async () => {
  mailServer = await openMailServer();
  product = await openTestProduct({
    config: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'parcels@example.org',
      MAIL_CALLBACK_TOKEN: token,
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
});

/** The newest e-mail to the recipient. */
const mailAbout = async ({ id }: { id: string }): Promise<SentNotification | undefined> =>
  (await admin.api.notifications.sent({ query: { channel: 'email', packageId: id } })).items.find(
    ({ recipient }) => recipient.role === 'recipient',
  );
const untilState = (pkg: { id: string }, state: string) =>
  eventually(`the e-mail is ${state}`, async () => (await mailAbout(pkg))?.state === state);
const toldOf = async (user: TestUser, type: string) => {
  await untilJobsDone(product);
  return (await user.api.notifications.list({ query: { limit: 200 } })).items.filter((one) => one.type === type);
};
const report = (body: object) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const payload = JSON.stringify(body);
  return product.app.inject({
    method: 'POST',
    url: '/callbacks/mail',
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
    'The e-mail address of the recipient of Second does not work: messages to it come back. Please correct it.',
    'The e-mail address of the recipient of First does not work: messages to it come back. Please correct it.',
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
  expect(await mailAbout(pkg)).toMatchObject({ state: 'failed', error: 'the e-mail came back: 5.1.1 unknown user' });
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
