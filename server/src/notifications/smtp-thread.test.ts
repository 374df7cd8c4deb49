import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer, type MailServer } from '../testing/mail-server.ts';
import { openSmtpThread } from './smtp-thread.ts';
import { BouncedError, RefusedError, type OutgoingMessage, type Transport } from './transport.ts';

let mailServer: MailServer;
let transport: Transport;
beforeAll(async () => {
  mailServer = await openMailServer();
  transport = openSmtpThread(mailServer.url, 'Parcels <parcels@example.org>');
});
afterAll(async () => {
  transport.close();
  await mailServer.close();
});

const messageTo = (to: string): OutgoingMessage => ({
  id: `id-of-${to.slice(0, to.indexOf('@'))}`,
  to,
  subject: 'Unterwegs: Blaue Kiste für Zoë',
  text: 'Grüße',
  html: '<p>Grüße</p>',
  path: '/track/PKG-1',
  endsAt: new Date(),
  from: 'Parcels',
  replyTo: null,
  unsubscribe: 'https://parcels.example.org/unsubscribe/token',
});

test('mails go out from a thread, which says of each what became of it', async () => {
  mailServer.treat(
    (to) => ({ 'none@example.com': 550, 'full@example.com': 552, 'later@example.com': 451 })[to] ?? 'accept',
  );
  const to = ['none', 'full', 'later', 'anna', 'ben'].map((name) => `${name}@example.com`);
  const results = await Promise.allSettled(to.map((address) => transport.send(messageTo(address))));
  const [none, full, later] = results.map((result) =>
    result.status === 'rejected' ? (result.reason as unknown) : null,
  );
  expect(none).toBeInstanceOf(BouncedError);
  expect(none).toMatchObject({ address: 'none@example.com' });
  expect(full).toBeInstanceOf(RefusedError);
  expect(full).not.toBeInstanceOf(BouncedError);
  expect(later).toBeInstanceOf(Error);
  expect(later).not.toBeInstanceOf(RefusedError);
  expect(results.slice(3).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  const mails = mailServer.mails.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  expect(mails.map((mail) => [mail.to, mail.id, mail.subject])).toEqual(
    ['anna', 'ben'].map((name) => [
      `${name}@example.com`,
      `<id-of-${name}@example.org>`,
      'Unterwegs: Blaue Kiste für Zoë',
    ]),
  );
  expect(mails[0]?.headers).toContain('List-Unsubscribe: <https://parcels.example.org/unsubscribe/token>');
  expect(mails[0]?.body).toContain('<p>Grüße</p>');
  await transport.verify();
});

test('when the thread cannot start, its mails are to be tried again, and the next ones get a thread of their own', async () => {
  const broken = openSmtpThread('no address at all', 'Parcels <parcels@example.org>');
  for (let tries = 0; tries < 2; tries++) {
    const failure = await broken.send(messageTo('carla@example.com')).catch((error: unknown) => error);
    expect(String(failure)).toMatch('the thread that sends emails has ended');
    expect(failure).not.toBeInstanceOf(RefusedError);
  }
  broken.close();
});
