import { dayIn, type Client, type Package, type Role } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer, type MailServer } from '../server/src/testing/mail-server.ts';
import { openPushService, type PushService } from '../server/src/testing/push-service.ts';
import { openSmsGateway, type SmsGateway } from '../server/src/testing/sms-gateway.ts';
import { runsAll } from '../server/src/testing/suite.ts';
import { eventually } from '../server/src/testing/test-product.ts';
import { findPorts, startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, openBrowser, openWindow } from './window.ts';

const smsToken = 'a-token-of-the-gateway';

let product: RunningProduct;
let browser: Browser;
let mailServer: MailServer;
let gateway: SmsGateway;
let push: PushService;
beforeAll(async () => {
  if (!runsAll) return;
  [mailServer, gateway, push, browser] = await Promise.all([
    openMailServer(),
    openSmsGateway(smsToken),
    openPushService(),
    openBrowser(),
  ]);
  const port = String(await findPorts());
  product = await startProduct({
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'parcels@example.org',
    SMS_URL: gateway.url,
    SMS_TOKEN: smsToken,
    PUSH_SERVICE_URL: push.url,
    CHANGE_CUTOFF_STOPS: '0',
    RECIPIENT_QUIET_HOURS: 'off',
    ADMIN_SIGNUP: 'open',
    DRIVER_SIGNUP: 'open',
  });
});
afterAll(async () => {
  await product?.stop();
  await browser?.close();
  await Promise.all([mailServer?.close(), gateway?.close()]);
  push?.close();
});

const register = async (name: string, role: Role): Promise<{ id: string; token: string; api: Client }> => {
  const body = { name, email: `${role}@example.com`, password: 'pond-heron-7', role };
  const { id, token } = await product.api().auth.register({ body });
  return { id, token, api: product.api(token) };
};

/** What a recipient has got about their package: subjects of emails, and as many texts by SMS. */
function inboxOf({ recipientEmail, recipientPhone }: Package) {
  const mails = () => mailServer.mails.filter(({ to }) => to === recipientEmail);
  const texts = () => gateway.messages.filter(({ to }) => to === recipientPhone);
  const linkIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+(\/track\/PKG-\w+#[\w-]{22,})/.exec(text)?.[1] ?? '';
  return {
    /** Waits for the next message by both channels. @returns the texts of both */
    async next(subject: RegExp, count: number): Promise<{ mail: string; sms: string; link: string }> {
      await eventually(
        `message ${count}, ${subject.source}`,
        () => mails().length >= count && texts().length >= count,
        30_000,
      );
      expect([mails().length, texts().length]).toEqual([count, count]);
      const [mail, sms] = [mails()[count - 1], texts()[count - 1]];
      expect(mail?.subject).toMatch(subject);
      const link = linkIn(mail?.body ?? '');
      expect(linkIn(sms?.text ?? '')).toBe(link);
      expect(link).toContain('#');
      return { mail: mail?.body ?? '', sms: sms?.text ?? '', link };
    },
  };
}

/** The times of a window in a text, whatever stands between them. */
const timesIn = (text: string): string[] => text.match(/\b\d\d:\d\d\b/g) ?? [];

test.runIf(runsAll)(
  'three recipients get a mail and an SMS at every step, and by their link one chooses another day, one a neighbour, and one is too late; the driver sees each',
  { timeout: 240_000 },
  async () => {
    const [owner, driver, admin] = [
      await register('Olga Owner', 'owner'),
      await register('Dan Driver', 'driver'),
      await register('Ada Admin', 'admin'),
    ];
    const browserOfOwner = await push.subscribe(owner.api);
    const create = (number: number, name: string, street: string) =>
      owner.api.packages.create({
        body: {
          name,
          description: 'To be told about',
          category: 'Other',
          weight: 2.5,
          recipientName: `Recipient ${number}`,
          recipientContact: 'At the front desk',
          recipientEmail: `recipient${number}@example.com`,
          recipientPhone: `+491511234567${number}`,
          recipientLanguage: 'en',
          address: { street, postalCode: '40112', city: 'Riverton', country: null },
        },
      });
    const [near, neighbours, later] = [
      await create(1, 'Brass clock', 'Mill Lane 4'),
      await create(2, 'Oak mirror', 'Bridge Street 9'),
      await create(3, 'Cedar chest', 'Orchard Close 7'),
    ];
    const [nearInbox, neighboursInbox, laterInbox] = [inboxOf(near), inboxOf(neighbours), inboxOf(later)];
    for (const inbox of [nearInbox, neighboursInbox, laterInbox]) await inbox.next(/^A package for you/, 1);

    const depot = (await admin.api.depots.list())[0];
    const today = dayIn(depot?.timeZone ?? 'UTC', new Date());
    const drive = async (packages: Package[]) => {
      const body = { day: today, depotId: depot?.id ?? '', driverId: driver.id, confirm: true };
      const params = { id: (await admin.api.routes.create({ body })).id };
      await admin.api.routes.addStops({ params, body: { packageIds: packages.map(({ id }) => id) } });
      await driver.api.routes.start({ params, body: { missing: [] } });
      return params;
    };
    const route = await drive([near, neighbours, later]);
    const onItsWay = await neighboursInbox.next(/on its way/i, 2);
    const { link: laterLink } = await laterInbox.next(/on its way/i, 2);

    // The phone of each recipient opens what stands in the mail.
    const phoneWith = async (link: string) => {
      const { page } = await openWindow(browser, { baseURL: product.url, width: 390, timezoneId: 'UTC' });
      await page.goto(link);
      return { page, part: page.getByRole('region', { name: 'Your delivery' }) };
    };
    const seen = await phoneWith(onItsWay.link);
    const window = timesIn(/between .*?\./.exec(onItsWay.mail)?.[0] ?? '');
    expect(window).toHaveLength(2);
    expect(timesIn(/between .*?\./.exec(onItsWay.sms)?.[0] ?? '')).toEqual(window);
    await seen.page.getByText(`${window[0]} – ${window[1]}`).first().waitFor();
    await seen.part.getByText('Until you are the driver’s next stop.').waitFor();

    const round = await openWindow(browser, { baseURL: product.url, width: 390, token: driver.token });
    await round.page.goto('/driver/dashboard');
    await round.page.getByText('Mill Lane', { exact: true }).first().waitFor();
    const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

    // Another day: the stop leaves the van's round without an attempt.
    const changing = await phoneWith(laterLink);
    await changing.part.getByRole('button', { name: /^Another day/ }).tap();
    await changing.part.getByLabel('Day').selectOption({ index: 0 });
    await changing.part.getByRole('button', { name: 'Save' }).tap();
    await changing.part.getByText('Saved. The driver and the sender know.').waitFor();
    await shows(round.page, '1 stop was taken off your round');
    await round.page.getByRole('button', { name: 'Got it' }).tap();
    expect(await owner.api.packages.read({ params: { id: later.id } })).toMatchObject({
      status: 'processing',
      routeId: null,
      attempts: 0,
    });
    await laterInbox.next(/changed|updated/i, 3);

    await seen.part.getByRole('button', { name: /^A neighbour/ }).tap();
    await seen.part.locator('input[name=name]').fill('Schulz');
    await seen.part.locator('input[name=address]').fill('Bridge Street 11');
    await seen.part.getByRole('button', { name: 'Save' }).tap();
    await seen.part.getByText('Neighbour: Schulz, Bridge Street 11').waitFor();
    await neighboursInbox.next(/changed|updated/i, 3);

    // The driver comes to the first stop now: too late.
    const late = await phoneWith((await nearInbox.next(/on its way/i, 2)).link);
    await late.part.getByText('it is too late to change this delivery').waitFor();
    expect(await late.part.getByRole('button', { name: /^Another day/ }).count()).toBe(0);

    await driver.api.deliveries.complete({ params: { id: near.id }, body: { receivedBy: 'Mara' } });
    expect((await nearInbox.next(/^Delivered/, 3)).mail).toContain('Mara');
    await late.part.getByRole('heading', { name: 'Proof of delivery' }).waitFor();

    await shows(round.page, 'Leave with a neighbour: Schulz, Bridge Street 11');
    await round.page.getByRole('button', { name: 'Got it' }).tap();
    await seen.part.getByText('Seen by the driver').waitFor();
    await neighboursInbox.next(/next stop/i, 4);
    await driver.api.deliveries.fail({
      params: { id: neighbours.id },
      body: { reason: 'Nobody at home', cardLeft: true },
    });
    expect((await neighboursInbox.next(/not|failed|missed/i, 5)).sms).toContain('Nobody at home');
    await driver.api.routes.finish({ params: route, body: { returned: [neighbours.id] } });

    // The owner is pushed what became of each, without names or numbers.
    await eventually('the owner is told', () => push.read(browserOfOwner).length >= 2);
    const payloads = JSON.stringify(push.read(browserOfOwner));
    expect(payloads).not.toMatch(/Brass|Oak|Cedar|Recipient|PKG-|Mill Lane/);
    const { items } = await admin.api.notifications.sent({ query: { limit: 200 } });
    const unsent = items.filter(
      ({ channel, state }) => channel !== 'in-app' && state !== 'sent' && state !== 'delivered',
    );
    expect(unsent).toEqual([]);
    // What has come, in a narrow and a wide window, in light and dark.
    const mails = items.filter(({ channel, recipient }) => channel === 'email' && recipient.role === 'recipient');
    for (const { id } of new Map(mails.map((one) => [one.type, one])).values()) {
      const { html } = await admin.api.notifications.sentMessage({ params: { id } });
      const { page, context } = await openWindow(browser, { baseURL: product.url });
      await page.setContent(html ?? '');
      for (const width of [320, 640]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `the mail ${id}, ${colorScheme}`, 'colours');
      }
      await context.close();
    }
    expect(new Set(mailServer.mails.map(({ id }) => id)).size).toBe(mailServer.mails.length);
    expect(new Set(gateway.messages.map(({ id }) => id)).size).toBe(gateway.messages.length);
  },
);
