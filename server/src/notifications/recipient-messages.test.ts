import type { Package, Permission, SentNotification } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer } from '../testing/mail-server.ts';
import { openSmsGateway } from '../testing/sms-gateway.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilJobsDone,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { tellRecipients } from './recipient-messages.ts';

// Noon in Berlin.
let time = new Date('2026-06-10T10:00:00.000Z');
let tick = 0;
let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct({
    // Each event has a time of its own, by which the list is sorted.
    now: () => new Date(time.getTime() + tick++),
    config: {
      TIME_ZONE: 'Europe/Berlin',
      PUBLIC_URL: 'https://parcels.example',
      ADMIN_SIGNUP: 'open',
      // The default, as nobody has set it.
      RECIPIENT_QUIET_HOURS: '',
      DRIVER_SIGNUP: 'open',
    },
  });
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const reachable = {
  recipientEmail: 'anna@example.com',
  recipientPhone: '+4915112345678',
  recipientLanguage: 'de',
  address: { street: 'Am Markt 3', postalCode: '20095', city: 'Hamburg' },
} as const;
/** To the recipient, the earliest first. */
const messagesOf = async (pkg: Package, channel?: 'email' | 'sms'): Promise<SentNotification[]> => {
  await untilJobsDone(product);
  const { items } = await admin.api.notifications.sent({
    query: { packageId: pkg.id, limit: 200, ...(channel && { channel }) },
  });
  return items.filter(({ recipient }) => recipient.role === 'recipient').toReversed();
};
const textOf = (sent: SentNotification | undefined) =>
  admin.api.notifications.sentMessage({ params: { id: sent?.id ?? '' } });

test('a recipient is told of every step by email and SMS, in their language and with their link; without a transport it is held and can be read', async () => {
  const pkg = await createPackage(owner, { ...reachable, name: 'Blaue Kiste' });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  const mails = await messagesOf(pkg, 'email');
  expect(mails.map(({ type, state }) => [type, state])).toEqual([
    ['package.created', 'held'],
    ['delivery.started', 'held'],
  ]);
  expect(mails[1]).toMatchObject({
    recipient: { id: null, name: pkg.recipientName, role: 'recipient' },
    packageId: pkg.id,
  });
  const { url } = await owner.api.recipients.link({ params });
  const registered = await textOf(mails[0]);
  expect(registered.subject).toBe('Eine Sendung für Sie: Blaue Kiste');
  expect(registered.text).toContain(`Die Sendungsnummer ist ${pkg.trackingId}.`);
  expect(registered.text).toContain(`Sendung verfolgen: ${url}`);
  expect(registered.html).toContain(url);
  const onItsWay = await textOf(mails[1]);
  const { estimatedDeliveryTime } = await product.api().tracking.view({ params: { id: pkg.trackingId } });
  const expected = new Intl.DateTimeFormat('de', { timeStyle: 'short', timeZone: 'Europe/Berlin' });
  expect(onItsWay.text).toContain(`gegen ${expected.format(new Date(estimatedDeliveryTime ?? 0))}.`);

  await driver.api.deliveries.next({ params });
  await driver.api.deliveries.complete({ params, body: { receivedBy: 'Mara' } });
  const texts = await messagesOf(pkg, 'sms');
  expect(texts.map(({ type }) => type)).toEqual([
    'package.created',
    'delivery.started',
    'delivery.next',
    'delivery.completed',
  ]);
  expect((await textOf(texts[0])).text).toMatch(/^Waybill hat eine Sendung für Sie angemeldet/);
  expect(await textOf(texts[3])).toMatchObject({
    html: null,
    text: `Waybill: Ihre Sendung „Blaue Kiste“ wurde zugestellt. Angenommen von Mara. Ort: Am Markt 3, 20095 Hamburg. ${url}`,
  });
  const audited = (await admin.api.audit.list({ query: { limit: 20 } })).items.filter(
    ({ subjectId }) => subjectId === pkg.id,
  );
  expect(audited.map(({ act }) => act)).toContain('recipient-link.read');
});

test('the window of a route is that of the tracker, and a whole route is told by one message for each package', async () => {
  const depotId = (await admin.api.depots.list())[0]?.id ?? '';
  const packages = await Promise.all(
    Array.from({ length: 3 }, () => createPackage(owner, { ...reachable, recipientLanguage: 'en' })),
  );
  const route = await admin.api.routes.create({
    body: { day: '2026-06-10', depotId, driverId: driver.id, confirm: true },
  });
  await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: packages.map(({ id }) => id) } });
  await driver.api.routes.start({ params: { id: route.id }, body: { missing: [] } });
  const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' });
  for (const pkg of packages) {
    const messages = await messagesOf(pkg, 'email');
    const started = messages.filter(({ type }) => type === 'delivery.started');
    expect(started).toHaveLength(1);
    const { arrivalWindow } = await product.api().tracking.view({ params: { id: pkg.trackingId } });
    expect((await textOf(started[0])).text).toContain(
      `between ${format.format(new Date(arrivalWindow?.from ?? 0))} and ${format.format(new Date(arrivalWindow?.to ?? 0))}.`,
    );
  }
});

test('what a recipient has chosen stands in the message about it: the neighbour in place of the address, and the note', async () => {
  const pkg = await createPackage(owner, { ...reachable, recipientLanguage: 'en' });
  const { url } = await owner.api.recipients.link({ params: { id: pkg.id } });
  const params = { id: pkg.trackingId };
  const body = { key: new URL(url).hash.slice(1) };
  const { token } = await product.api().recipients.access({ params, body });
  const { recipients } = product.api(token);
  await recipients.change({ params, body: { kind: 'instructions', text: 'The gate code is 4711' } });
  await recipients.change({ params, body: { kind: 'neighbour', name: 'Schulz', address: 'Am Markt 5' } });
  const { text } = await textOf((await messagesOf(pkg, 'email')).at(-1));
  expect(text).toContain(
    'It goes to your neighbour: Schulz, Am Markt 5. Your note for the driver: The gate code is 4711',
  );
  expect(text).not.toContain('Am Markt 3');
});

test('ten replays of an event make one message for each channel', async () => {
  const pkg = await createPackage(owner, reachable);
  const [event] = await product.ctx.db.query<{ id: string }>('select id from package_events where package_id = $1', [
    pkg.id,
  ]);
  const eventIds = [event?.id ?? ''];
  // Jobs of older servers do not name the package.
  const jobs = [{ eventIds }, { eventIds, packageIds: [pkg.id] }];
  await Promise.all(Array.from({ length: 5 }, () => jobs.map((job) => tellRecipients(product.ctx, job))).flat());
  expect((await messagesOf(pkg)).map(({ channel }) => channel).toSorted()).toEqual(['email', 'sms']);
});

test('what went wrong is told with what comes next; at most six messages a day reach a recipient by a channel', async () => {
  const driver = await product.register('driver');
  const pkg = await createPackage(owner, { ...reachable, recipientLanguage: 'en' });
  const params = { id: pkg.id };
  for (let attempt = 0; attempt < 3; attempt++) {
    await driver.api.deliveries.start({ params });
    if (attempt < 2) await driver.api.deliveries.fail({ params, body: { reason: 'Nobody at home' } });
  }
  // The jobs of two events may run in either order, and the first takes the sixth message.
  await untilJobsDone(product);
  await driver.api.deliveries.next({ params });
  const messages = await messagesOf(pkg, 'email');
  expect(messages.map(({ type, state }) => [type, state])).toEqual([
    ['package.created', 'held'],
    ['delivery.started', 'held'],
    ['delivery.failed', 'held'],
    ['delivery.started', 'held'],
    ['delivery.failed', 'held'],
    ['delivery.started', 'held'],
    ['delivery.next', 'suppressed'],
  ]);
  expect(messages.at(-1)?.reason).toBe('limit');
  expect((await textOf(messages[2])).text).toContain(
    'could not be delivered: Nobody at home. There will be another attempt. By the link in this message you can choose another day',
  );
});

test('what happens at night waits till morning; next stops, which end before, are not told', async () => {
  const before = time;
  const driver = await product.register('driver');
  // 23:00 in Berlin.
  time = new Date('2026-06-10T21:00:00.000Z');
  const pkg = await createPackage(owner, { ...reachable });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.next({ params });
  expect((await messagesOf(pkg, 'email')).map(({ type, state, reason }) => [type, state, reason])).toEqual([
    ['package.created', 'held', null],
    ['delivery.started', 'suppressed', 'quiet_hours'],
    ['delivery.next', 'suppressed', 'quiet_hours'],
  ]);
  const [due] = await product.ctx.db.query<{ due_at: Date | null }>(
    "select due_at from messages where package_id = $1 and audience = 'recipient' and type = 'package.created' and channel = 'email'",
    [pkg.id],
  );
  expect(due?.due_at?.toISOString()).toBe('2026-06-11T05:00:00.000Z');
  time = before;
});

test('one click unsubscribes an address, without an account and by no mere look at the page; another click brings the messages back', async () => {
  const mailServer = await openMailServer();
  const sending = await openTestProduct({
    beside: product,
    now: () => new Date(time.getTime() + tick++),
    config: {
      TIME_ZONE: 'Europe/Berlin',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'parcels@example.org',
      PUBLIC_URL: 'https://parcels.example',
    },
  });
  try {
    const to = 'one-click@example.com';
    const mails = () => mailServer.mails.filter((mail) => mail.to === to);
    const registered = () => createPackage(owner, { ...reachable, recipientEmail: to });
    await registered();
    await eventually('the first mail', () => mails().length === 1);
    const headers = mails()[0]?.headers ?? '';
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const url = /^List-Unsubscribe: <https:\/\/parcels\.example(\/unsubscribe\/[\w-]{64})>$/m.exec(headers)?.[1] ?? '';
    expect(mails()[0]?.body).toContain(url);
    const call = (method: 'GET' | 'POST', payload = '', at = url) =>
      product.app.inject({
        method,
        url: at,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'de' },
        payload,
      });
    const page = await call('GET');
    expect([page.statusCode, page.body.includes('E-Mails abbestellen'), page.body.includes(to)]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await call('POST', '', `${url.slice(0, -1)}!`)).statusCode).toBe(404);
    await registered();
    await eventually('the second mail', () => mails().length === 2);
    for (const _ of [1, 2]) expect((await call('POST', 'List-Unsubscribe=One-Click')).statusCode).toBe(200);
    const unwanted = await registered();
    await eventually('it is suppressed', async () => (await messagesOf(unwanted, 'email'))[0]?.reason === 'opted_out');
    await call('POST', 'again=1');
    await registered();
    await eventually('the third mail', () => mails().length === 3);
  } finally {
    await sending.close();
    await mailServer.close();
  }
});

test('a mail server and an SMS gateway get every step of a package once, with the same link and the window of the tracker', async () => {
  const token = 'a-token-of-the-gateway';
  const [mailServer, gateway] = await Promise.all([openMailServer(), openSmsGateway(token)]);
  const sending = await openTestProduct({
    beside: product,
    now: () => new Date(time.getTime() + tick++),
    config: {
      TIME_ZONE: 'Europe/Berlin',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'parcels@example.org',
      SMS_URL: gateway.url,
      SMS_TOKEN: token,
      PUBLIC_URL: 'https://parcels.example',
    },
  });
  try {
    const driver = await product.register('driver');
    const recipient = { recipientEmail: 'each-step@example.com', recipientPhone: '+4915112345699' };
    const pkg = await createPackage(owner, { ...reachable, ...recipient, recipientLanguage: 'en' });
    const params = { id: pkg.id };
    const mails = () => mailServer.mails.filter(({ to }) => to === recipient.recipientEmail);
    const texts = () => gateway.messages.filter(({ to }) => to === recipient.recipientPhone);
    const both = (count: number) =>
      eventually(`${count} of each`, () => mails().length === count && texts().length === count);
    await both(1);
    const depotId = (await admin.api.depots.list())[0]?.id ?? '';
    const body = { day: '2026-06-10', depotId, driverId: driver.id, confirm: true };
    const route = await admin.api.routes.create({ body });
    await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: [pkg.id] } });
    await driver.api.routes.start({ params: { id: route.id }, body: { missing: [] } });
    await both(2);
    const { arrivalWindow } = await product.api().tracking.view({ params: { id: pkg.trackingId } });
    const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' });
    const [from, to] = [arrivalWindow?.from, arrivalWindow?.to].map((at) => format.format(new Date(at ?? 0)));
    for (const text of [mails()[1]?.body, texts()[1]?.text])
      expect(text).toContain(`expected between ${from} and ${to}.`);
    await driver.api.deliveries.complete({ params, body: { receivedBy: 'Mara' } });
    await both(3);
    const { url } = await owner.api.recipients.link({ params });
    for (const text of [...mails().map(({ body: mail }) => mail), ...texts().map((sms) => sms.text)])
      expect(text).toContain(url);
    expect(mails().map(({ subject }) => subject)).toEqual([
      'A package for you: Desk lamp',
      'On its way: Desk lamp',
      'Delivered: Desk lamp',
    ]);
    const ids = [...mails(), ...texts()].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    // The outcomes are stored together, shortly after.
    await eventually('all outcomes are stored', async () =>
      (await messagesOf(pkg)).every(({ state }) => state === 'sent'),
    );
  } finally {
    await sending.close();
    await Promise.all([mailServer.close(), gateway.close()]);
  }
});

test('PIN and age check are told before the driver comes, first in an SMS, and not to its driver with any permission', async () => {
  const driver = await product.register('driver');
  const pkg = await createPackage(owner, { ...reachable, handling: { pin: true, age: 18 } });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  const { url } = await owner.api.recipients.link({ params });
  const key = { params: { id: pkg.trackingId }, body: { key: new URL(url).hash.slice(1) } };
  const { token } = await product.api().recipients.access(key);
  const { pin, age } = await product.api(token).recipients.view({ params: { id: pkg.trackingId } });
  expect(age).toBe(18);
  const asked = `Ihre PIN ist ${pin}. Nennen Sie sie dem Fahrer an der Tür, und vorher niemandem. Bitte halten Sie einen Ausweis bereit`;
  const mails = await messagesOf(pkg, 'email');
  for (const mail of mails) expect((await textOf(mail)).text).toContain(asked);
  const [sms] = await messagesOf(pkg, 'sms');
  expect((await textOf(sms)).text).toMatch(new RegExp(`^Waybill: ${asked}`));
  const permissions: Permission[] = ['packages.read', 'packages.view_all', 'admin.access', 'deliveries.complete'];
  await admin.api.users.update({ params: { id: driver.id }, body: { permissions } });
  const { token: renewed } = await product
    .api()
    .auth.login({ body: { email: driver.email, password: driver.password } });
  const them = product.api(renewed);
  await expect(them.recipients.link({ params })).rejects.toMatchObject({ status: 403 });
  expect(await them.notifications.sentMessage({ params: { id: sms?.id ?? '' } })).toMatchObject({ text: null });
  await them.deliveries.complete({ params, body: { pin: pin ?? '', ageChecked: true } });
  const last = (await messagesOf(pkg, 'email')).at(-1);
  expect(last?.type).toBe('delivery.completed');
  expect((await textOf(last)).text).not.toContain('PIN');
});
