import { dayIn } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { onePixel } from './fixtures.ts';
import { expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';
import { anyVersion, eventually } from '../server/src/testing/test-product.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const password = 'pond-heron-7';
const hourMs = 3_600_000;

/** A driver on the road, with one stop for each of the streets: the first is due first. */
async function driverWith(name: string, streets: string[], handling: object = {}) {
  const slug = name.toLowerCase().replaceAll(' ', '.');
  const register = (role: 'owner' | 'driver') =>
    product.api().auth.register({ body: { name, email: `${slug}.${role}@example.com`, password, role } });
  const [owner, driver] = [await register('owner'), await register('driver')];
  const [owners, drivers] = [product.api(owner.token), product.api(driver.token)];
  const ids: string[] = [];
  for (const [index, street] of streets.entries()) {
    const from = Date.now() + (index + 1) * hourMs;
    const pkg = await owners.packages.create({
      body: {
        name: `Parcel ${index + 1}`,
        description: 'A parcel for the day',
        category: 'Other',
        weight: 1,
        recipientName: `Recipient ${index + 1}`,
        recipientContact: '+4915112345678',
        location: 'Riverton depot',
        address: { street, postalCode: '40112', city: 'Riverton', country: null },
        window: { from: new Date(from).toISOString(), to: new Date(from + hourMs).toISOString() },
        handling,
      },
    });
    await drivers.deliveries.start({ params: { id: pkg.id } });
    ids.push(pkg.id);
  }
  const statusOf = async (id = '') => (await owners.packages.read({ params: { id } })).status;
  return { token: driver.token, owners, drivers, ids, statusOf };
}

const dayMs = 24 * hourMs;

/** The text of an element that is there once, when it is there. */
const waitForText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** The maps app is not part of this product: the link is kept from opening it. */
const keepFromLeaving = (page: Page) =>
  page.evaluate(() =>
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link?.href.includes('destination=')) event.preventDefault();
    }),
  );

test.runIf(runsAll)('the list on a phone numbers the stops of today as the stop in view does', async () => {
  const { token, drivers, ids } = await driverWith('Nora Number', ['Mill Lane 4', 'Chestnut Avenue 22', 'Old Mill']);
  await drivers.deliveries.complete({ params: { id: ids[0] ?? '' } });
  const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
  await page.goto('/driver/dashboard');
  await page.getByText('Stop 2 of 3', { exact: true }).waitFor();
  await page.goto('/driver/dashboard?show=mine');
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await expect
    .poll(() => rows.allTextContents())
    .toEqual([expect.stringMatching(/^2Chestnut Avenue 22/), expect.stringMatching(/^3Old Mill/)]);
});

test.runIf(runsAll)(
  "a driver's hour on a phone: three stops in order, each in six taps and one held button",
  { timeout: 180_000 },
  async () => {
    const { token, ids, statusOf } = await driverWith('Hana Hour', ['Mill Lane 4', 'Chestnut Avenue 22', 'Old Mill']);
    const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
    let taps = 0;
    const tap = async (role: 'button' | 'link', name: string) => {
      await page.getByRole(role, { name, exact: true }).tap();
      taps++;
    };
    await page.goto('/driver/dashboard');
    await keepFromLeaving(page);
    const stop = page.getByRole('region', { name: 'Next stop' });
    for (const [index, [street, number]] of (
      [
        ['Mill Lane', '4'],
        ['Chestnut Avenue', '22'],
        ['Old Mill', null],
      ] as const
    ).entries()) {
      // The next stop is there by itself.
      await stop.getByText(street, { exact: true }).waitFor();
      if (number !== null) await stop.getByText(number, { exact: true }).waitFor();
      await page.getByText(`Stop ${index + 1} of 3`, { exact: true }).waitFor();
      taps = 0;
      await tap('button', 'Mark as next stop');
      await tap('link', 'Navigate');
      await tap('button', "I'm here");
      await stop.getByText("You're here").waitFor();
      if (index === 0) {
        // Known again after the phone has discarded the page.
        await page.reload();
        await keepFromLeaving(page);
      }
      await tap('button', 'Hand over');
      const sheet = page.getByRole('dialog');
      await sheet
        .getByText(`handed over to Recipient ${index + 1} or left as agreed. This cannot be undone.`)
        .waitFor();
      await sheet.getByRole('button', { name: 'Neighbour' }).tap();
      taps++;
      const hold = sheet.getByRole('button', { name: 'Hold to hand over' });
      if (index === 0) {
        // A touch alone does nothing, and says so.
        await hold.tap();
        await sheet.getByText('Keep holding, or use the button below.').waitFor();
        expect(await statusOf(ids[0])).toBe('out for delivery');
      }
      await hold.hover();
      await page.mouse.down();
      await page.locator('.success-moment').waitFor();
      await page.mouse.up();
      taps++;
      expect(taps).toBe(6);
      await page.getByText('Delivery Completed').first().waitFor();
      expect(await statusOf(ids[index])).toBe('delivered');
    }
    await page.getByRole('heading', { name: 'All done' }).waitFor();
    await page.getByText('Done today (3)').tap();
    await page.getByText('received by Neighbour').first().waitFor();
    await page.getByRole('link', { name: /Take more|See pending deliveries/ }).tap();
    await page.getByRole('tab', { name: 'Pending Deliveries', selected: true }).waitFor();
  },
);

test.runIf(runsAll)('another stop is chosen from the list, and the bar belongs to the stop in view', async () => {
  const { token, statusOf, ids } = await driverWith('Cora Choice', ['Mill Lane 4', 'Bridge Street 9']);
  const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
  await page.goto('/driver/dashboard');
  const stop = page.getByRole('region', { name: 'Next stop' });
  await stop.getByText('Mill Lane', { exact: true }).waitFor();
  await page.getByRole('link', { name: /^Then Bridge Street 9/ }).tap();
  // The specified parts are here.
  for (const name of ['My Deliveries', 'Pending Deliveries', 'Completed Deliveries'])
    await page.getByRole('tab', { name }).waitFor();
  for (const name of [/My Deliveries/, /Completed/, /Pending Available/, /Active/])
    await page.getByRole('button', { name }).waitFor();
  await expectAccessibleInBothThemes(page, 'the list of stops on a phone');
  await page.getByRole('link', { name: /Bridge Street 9/ }).tap();
  await stop.getByText('Bridge Street', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mark as next stop' }).tap();
  await page.getByRole('link', { name: 'Navigate', exact: true }).waitFor();
  expect([await statusOf(ids[0]), await statusOf(ids[1])]).toEqual(['in transit', 'out for delivery']);
  await expectAccessibleInBothThemes(page, 'the stop on a phone');
});

test.runIf(runsAll)(
  'without a signature where one is needed the sheet says so in place, and keys and a tap complete too',
  async () => {
    const { token, statusOf, ids } = await driverWith('Siri Sign', ['Mill Lane 4', 'Bridge Street 9'], {
      signatureRequired: true,
      fragile: true,
    });
    const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
    await page.goto('/driver/dashboard');
    await page.getByRole('list', { name: 'Special handling' }).getByText('Signature required').waitFor();
    const openSheet = async () => {
      await page.getByRole('button', { name: 'Open menu' }).tap();
      await page.getByRole('menuitem', { name: 'Complete Delivery' }).tap();
    };
    await openSheet();
    const sheet = page.getByRole('dialog');
    const hold = sheet.getByRole('button', { name: 'Hold to hand over' });
    await hold.focus();
    await page.keyboard.press('Enter');
    await sheet.getByText('This package needs a signature, or the name of the person who took it').waitFor();
    await expectAccessibleInBothThemes(page, 'the hand over sheet on a phone');
    await sheet.getByRole('button', { name: 'Recipient 1' }).tap();
    await hold.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Delivery Completed').first().waitFor();
    await openSheet();
    await sheet.getByRole('button', { name: 'Recipient 2' }).tap();
    await sheet.getByRole('button', { name: 'Complete Delivery' }).tap();
    await page.getByRole('heading', { name: 'All done' }).waitFor();
    expect([await statusOf(ids[0]), await statusOf(ids[1])]).toEqual(['delivered', 'delivered']);
  },
);

test.runIf(runsAll)(
  'a PIN and an ID check are asked at the door, and a wrong PIN says how many more tries there are',
  async () => {
    const { token, owners, statusOf, ids } = await driverWith('Pia Pin', ['Mill Lane 4'], { pin: true, age: 18 });
    const { page } = await openWindow(browser, {
      baseURL: product.url,
      width: 390,
      token,
      expectFailures: /deliveries\/.*\/complete/,
    });
    await page.goto('/driver/dashboard');
    await page.getByRole('list', { name: 'Special handling' }).getByText('Check ID: 18 or older').waitFor();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await page.getByRole('menuitem', { name: 'Complete Delivery' }).tap();
    const sheet = page.getByRole('dialog');
    const complete = sheet.getByRole('button', { name: 'Complete Delivery' });
    await complete.tap();
    await sheet.getByText('Look at an ID of the person who takes it.').nth(1).waitFor();
    expect(await statusOf(ids[0])).toBe('in transit');
    const link = await owners.recipients.link({ params: { id: ids[0] ?? '' } });
    const recipient = await openWindow(browser, { baseURL: product.url, width: 390 });
    await recipient.page.goto(new URL(link.url).pathname + new URL(link.url).hash);
    const shown = await recipient.page.getByText(/^\d{4}$/).textContent();
    await recipient.page.getByText('Have an ID ready').waitFor();
    await expectAccessibleInBothThemes(recipient.page, 'the PIN on the page of the recipient');
    const pin = sheet.getByLabel('PIN of the recipient');
    await pin.fill(String((Number(shown) + 1) % 10_000).padStart(4, '0'));
    await sheet.getByLabel('ID checked: 18 or older').check();
    await complete.tap();
    await sheet.getByText('This PIN is not right: 4 more tries').waitFor();
    await expectAccessibleInBothThemes(page, 'the hand over with a PIN on a phone');
    await pin.fill(shown ?? '');
    await complete.tap();
    await page.getByRole('heading', { name: 'All done' }).waitFor();
    expect(await statusOf(ids[0])).toBe('delivered');
  },
);

test.runIf(runsAll)('without a connection the screen says since when, and a step that was not sent', async () => {
  const { token, statusOf, ids } = await driverWith('Nora Nosignal', ['Mill Lane 4']);
  const { page, settled } = await openWindow(browser, {
    baseURL: product.url,
    width: 390,
    token,
    expectFailures: /api/,
  });
  // Loaded when the page is idle: offline it could not be loaded.
  const toaster = page.waitForResponse(/notices.*\.js/);
  await page.goto('/driver/dashboard');
  const mark = page.getByRole('button', { name: 'Mark as next stop' });
  await mark.waitFor();
  await page.getByText('Online', { exact: true }).waitFor();
  await toaster;
  await settled();
  await page.context().setOffline(true);
  await page.getByText(/^No connection since \d\d:\d\d$/).waitFor();
  await mark.tap();
  await page.getByRole('alert').getByText('It is not marked as the next stop yet.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Online', { exact: true }).waitFor();
  expect(await statusOf(ids[0])).toBe('in transit');
  await mark.tap();
  await page.getByRole('link', { name: 'Navigate', exact: true }).waitFor();
  expect(await statusOf(ids[0])).toBe('out for delivery');
});

test.runIf(runsAll)('high contrast is chosen in the account, kept over a reload, and follows the device', async () => {
  const {
    token,
    ids: [id = ''],
  } = await driverWith('Clara Contrast', ['Mill Lane 4']);
  await product.api(token).incidents.reportOnDelivery({ params: { id }, body: { issue: 'The bridge is closed' } });
  const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
  await page.goto('/account');
  await page.getByLabel('High contrast').check();
  await page.goto('/driver/dashboard');
  const stop = page.getByRole('region', { name: 'Next stop' });
  await stop.waitFor();
  const colours = () =>
    stop.evaluate((card) => {
      const { backgroundColor, color, borderTopWidth } = getComputedStyle(card);
      return [backgroundColor, color, borderTopWidth];
    });
  const onWhite = ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', '3px'];
  expect(await colours()).toEqual(onWhite);
  await expectAccessibleInBothThemes(page, 'the stop in high contrast');
  await page.goto('/driver/dashboard?show=mine');
  const issue = page.getByText('The bridge is closed');
  // axe leaves out text in the colour of its background.
  for (const [colorScheme, ink] of [
    ['dark', 'rgb(255, 255, 255)'],
    ['light', 'rgb(0, 0, 0)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await issue.evaluate((text) => getComputedStyle(text).color)).toBe(ink);
  }
  await page.goto('/account');
  await page.getByLabel('High contrast').uncheck();
  await page.emulateMedia({ contrast: 'more' });
  await page.goto('/driver/dashboard');
  await stop.waitFor();
  expect(await colours()).toEqual(onWhite);
});

test.runIf(runsAll)(
  'a round: planned ahead, checked while it is loaded, started without what is missing, driven in its order, and counted back',
  { timeout: 240_000 },
  async () => {
    const register = (role: 'owner' | 'driver' | 'admin') =>
      product.api().auth.register({
        body: { name: 'Rosa Round', email: `rosa.${role}@example.com`, password, role },
      });
    const [owner, driver, admin] = [await register('owner'), await register('driver'), await register('admin')];
    const [owners, admins] = [product.api(owner.token), product.api(admin.token)];
    const make = (letter: string, street: string) =>
      owners.packages.create({
        body: {
          name: `Parcel ${letter}`,
          description: 'A parcel of the round',
          category: 'Other',
          weight: 2.5,
          recipientName: `Recipient ${letter}`,
          recipientContact: '+4915112345678',
          location: 'Riverton depot',
          address: { street, postalCode: '40112', city: 'Riverton', country: null },
        },
      });
    const [mill, bridge, chestnut, orchard, missing, late] = [
      await make('A', 'Mill Lane 4'),
      await make('B', 'Bridge Street 9'),
      await make('C', 'Chestnut Avenue 22'),
      await make('D', 'Orchard Close 7'),
      await make('E', 'Lost Lane 1'),
      await make('F', 'Late Road 3'),
    ];
    const depot = (await admins.depots.list())[0];
    if (!depot) throw new Error('no depot');
    const plan = async (packages: { id: string }[], day: string, driverId: string | null) => {
      const route = await admins.routes.create({ body: { day, depotId: depot.id, driverId } });
      await admins.routes.addStops({ params: { id: route.id }, body: { packageIds: packages.map(({ id }) => id) } });
      return { id: route.id };
    };
    const statusOf = async ({ id }: { id: string }) => (await owners.packages.read({ params: { id } })).status;
    const day = (ahead: number) => dayIn(depot.timeZone, new Date(Date.now() + ahead * dayMs));
    const stops = [mill, bridge, chestnut, orchard, missing];

    // An order that meets another version is refused once.
    const expectFailures = /api\/routes\/[^/]+$/;
    const { page } = await openWindow(browser, {
      baseURL: product.url,
      width: 390,
      token: driver.token,
      expectFailures,
    });
    await page.addInitScript(() => {
      const { createOscillator } = AudioContext.prototype;
      AudioContext.prototype.createOscillator = function (this: AudioContext) {
        document.documentElement.dataset.sounds = String(Number(document.documentElement.dataset.sounds ?? 0) + 1);
        return createOscillator.call(this);
      };
    });
    const sounds = () => page.evaluate(() => Number(document.documentElement.dataset.sounds ?? 0));
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

    // Days ahead only what is allowed.
    const ahead = await plan(stops, day(3), driver.id);
    await page.goto('/driver/dashboard');
    await page.getByRole('heading', { name: 'No stops yet' }).waitFor();
    await waitForText(page, 'Your round: 5 stops');
    await page.getByRole('link', { name: 'Open round' }).tap();
    await waitForText(page, 'Names and addresses are shown from midnight of that day');
    expect(await page.getByText('Recipient').count()).toBe(0);
    expect(await button('Start the round').count()).toBe(0);
    await admins.routes.remove({ params: ahead });

    // The load check.
    const params = await plan(stops, day(0), driver.id);
    await page.getByRole('heading', { name: 'Load check' }).waitFor();
    await page.getByText('0 of 5 in the van').waitFor();
    const tick = (street: string) => page.locator('label').filter({ hasText: street }).first().tap();
    await tick('Mill Lane 4');
    await page.getByText('1 of 5 in the van').waitFor();
    const scan = async (code: string) => {
      await page.getByLabel('Scan or type a number').fill(code);
      await page.keyboard.press('Enter');
    };
    await scan(`https://waybill.example.com/track/${bridge.trackingId}`);
    await page.getByText('Ticked: Bridge Street 9, Parcel B').waitFor();
    await scan(late.trackingId.toLowerCase());
    const foreign = page.getByRole('region', { name: 'Not on your round' });
    await foreign.getByText(late.trackingId, { exact: true }).waitFor();
    await expectAccessibleInBothThemes(page, 'the load check');
    // Kept when the phone discards the page.
    await page.reload();
    await page.getByText('2 of 5 in the van').waitFor();
    await foreign.getByRole('button', { name: `Remove ${late.trackingId}` }).tap();
    await foreign.waitFor({ state: 'detached' });
    for (const [index, street] of ['Chestnut Avenue 22', 'Orchard Close 7'].entries()) {
      await tick(street);
      await page.getByText(`${index + 3} of 5 in the van`).waitFor();
    }
    await button('Start without 1 package').tap();
    const question = page.getByRole('alertdialog');
    await question.getByText('Lost Lane 1, Parcel E').waitFor();
    await question.getByRole('button', { name: 'Start without 1 package' }).tap();

    // The first stop is next by itself.
    const stop = page.getByRole('region', { name: 'Next stop' });
    await stop.getByText('Mill Lane', { exact: true }).waitFor();
    await page.getByText('Stop 1 of 4', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Navigate', exact: true }).waitFor();
    expect([await statusOf(mill), await statusOf(bridge), await statusOf(missing)]).toEqual([
      'out for delivery',
      'in transit',
      'processing',
    ]);
    await keepFromLeaving(page);

    // What comes during the day is told, with a sound, and marked.
    await page.getByRole('link', { name: /^Then Bridge Street 9/ }).tap();
    const open = page.getByRole('list', { name: 'Open stops' });
    await open.getByText('Orchard Close 7').waitFor();
    const extra = await plan([late], day(0), null);
    await admins.routes.move({ params: extra, body: { packageIds: [late.id], to: params.id } });
    await page.getByText('1 new stop on your round').waitFor();
    await open.getByRole('link', { name: /Late Road 3.*New/ }).waitFor();
    await expect.poll(sounds).toBeGreaterThan(0);
    await button('Got it').tap();
    await page.getByText('1 new stop on your round').waitFor({ state: 'detached' });

    // The order by buttons and by dragging, while a dispatcher changes it too.
    await button('Change order').tap();
    const ordering = page.getByRole('list', { name: 'Change order' });
    const shown = async () =>
      (await ordering.getByRole('listitem').allTextContents()).map((text) => /[A-Z][a-z]+/.exec(text)?.[0]);
    await button('Orchard Close 7 one up').tap();
    await expect.poll(shown).toEqual(['Mill', 'Bridge', 'Orchard', 'Chestnut', 'Late']);
    const [handle, target] = [page.locator(`[data-handle="${late.id}"]`), ordering.getByRole('listitem').nth(1)];
    await target.scrollIntoViewIfNeeded();
    await handle.hover();
    await page.mouse.down();
    const place = await target.boundingBox();
    if (!place) throw new Error('no row');
    await page.mouse.move(place.x + 20, place.y + place.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(shown).toEqual(['Mill', 'Late', 'Bridge', 'Orchard', 'Chestnut']);
    await expectAccessibleInBothThemes(page, 'the order of a round');
    const planned = [mill, chestnut, bridge, orchard, late].map(({ id }) => id);
    await admins.routes.update({ params, body: { order: planned, version: anyVersion } });
    await button('Save order').tap();
    await waitForText(page, 'Your order is saved. Stops that came in the meantime are at the end.');
    expect((await admins.routes.read({ params })).stops.map(({ packageId }) => packageId)).toEqual(
      [mill, late, bridge, orchard, chestnut].map(({ id }) => id),
    );

    // The order rules: the next stop comes by itself, and a door takes three taps.
    await page.getByRole('link', { name: 'Back to the stop' }).tap();
    await page.getByRole('link', { name: 'Navigate', exact: true }).tap();
    await button("I'm here").tap();
    await button('Hand over').tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Hold to hand over' }).hover();
    await page.mouse.down();
    await page.locator('.success-moment').waitFor();
    await page.mouse.up();
    await stop.getByText('Late Road', { exact: true }).waitFor();
    await page.getByText('Stop 2 of 5', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Navigate', exact: true }).waitFor();
    expect([await statusOf(mill), await statusOf(late)]).toEqual(['delivered', 'out for delivery']);

    // What is taken off is told, too.
    await admins.routes.move({ params, body: { packageIds: [chestnut.id], to: null } });
    await page.getByText('1 stop was taken off your round').waitFor();
    await page.getByText('Chestnut Avenue 22').waitFor();
    await button('Got it').tap();

    // A failed attempt has a note, a photo, a card and a day. What was typed is kept when the phone discards the page.
    const failing = page.getByRole('dialog', { name: 'Delivery failed' });
    const openFailing = async () => {
      await page.getByRole('button', { name: 'Problem' }).tap();
      await page.getByRole('menuitem', { name: 'Delivery failed' }).tap();
      await failing.getByText('Hand it back at the depot at the end of your round').waitFor();
    };
    await openFailing();
    await failing.getByLabel('Other', { exact: true }).check();
    await failing.getByRole('button', { name: 'Delivery failed' }).tap();
    await failing.getByText('Please say what happened').waitFor();
    await failing.getByLabel('What happened?').fill('The gate was locked');
    await page.reload();
    await stop.getByText('Late Road', { exact: true }).waitFor();
    await openFailing();
    await expect.poll(() => failing.getByLabel('What happened?').inputValue()).toBe('The gate was locked');
    await failing.getByLabel('Add photo').setInputFiles({ name: 'gate.png', mimeType: 'image/png', buffer: onePixel });
    await failing.getByRole('img').waitFor();
    await failing.getByLabel('A card was left at the door').check();
    // Offered is the day that dispatch proposes; without the network, or until that is known, tomorrow.
    const offered = failing.getByRole('button', { name: /^(Tomorrow|Sun|Mon|Tue|Wed|Thu|Fri|Sat)$/ });
    const proposed = (await admins.dispatch.dayAfterFailing({ params: { id: late.id } })).day;
    await expect
      .poll(async () => {
        if ((await offered.count()) > 0) await offered.tap();
        return failing.getByLabel('Try again on').inputValue();
      })
      .toBe(proposed);
    await expectAccessibleInBothThemes(page, 'a failed attempt');
    await failing.getByRole('button', { name: 'Delivery failed' }).tap();
    await stop.getByText('Bridge Street', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^Then Orchard Close 7/ }).tap();
    await page.getByText('Done (2)').tap();
    await page.getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Finish the round' }).tap();
    await page.getByText('2 stops are still open').waitFor();
    await tick('Bridge Street 9');
    await tick('Late Road 3');
    await page.getByText('2 of 3 handed back').waitFor();
    await expectAccessibleInBothThemes(page, 'the end of a round');
    await button('Finish the round').tap();
    await question.getByText('1 package is not counted').waitFor();
    await question.getByRole('button', { name: 'Finish the round' }).tap();
    await stop.getByText('Orchard Close', { exact: true }).waitFor();
    expect((await admins.routes.read({ params })).state).toBe('finished');
    expect([await statusOf(bridge), await statusOf(orchard)]).toEqual(['processing', 'in transit']);
    expect(await owners.packages.read({ params: { id: late.id } })).toMatchObject({
      failedAttempt: { reason: 'Other: The gate was locked', cardLeft: true, photo: expect.any(String) },
      nextStep: { kind: 'again' },
    });

    // Its owner sees what happened and chooses what happens next: a collection, or back, once there is an address for it.
    const desk = await openWindow(browser, { baseURL: product.url, width: 1440, token: owner.token });
    await desk.page.goto(`/owner/package/${late.id}`);
    await desk.page.getByText('Other: The gate was locked').first().waitFor();
    await desk.page.getByText('A card was left at the door.').first().waitFor();
    await desk.page.getByRole('img', { name: 'What the driver found' }).waitFor();
    // On a Saturday not tomorrow: nobody drives on Sundays.
    await desk.page
      .getByText(/^Another attempt (tomorrow|on )/)
      .first()
      .waitFor();
    const next = desk.page.getByRole('dialog', { name: 'What happens next?' });
    const choose = async () => {
      await desk.page.getByRole('button', { name: 'Choose something else' }).click();
      await next.waitFor();
    };
    await choose();
    await next.getByRole('radio', { name: 'Collect at the depot' }).check();
    await expectAccessibleInBothThemes(desk.page, 'what happens next');
    await next.getByRole('button', { name: 'Save' }).click();
    await next.waitFor({ state: 'detached' });
    await desk.page.getByText('It waits to be collected').first().waitFor();
    await choose();
    expect(await next.getByRole('radio', { name: 'Send it back to me' }).isDisabled()).toBe(true);
    await next.getByRole('link', { name: 'return address' }).click();
    const returnTo = desk.page.getByRole('group', { name: 'Return address' });
    await returnTo.getByLabel('Street').fill('Harbour Street 3');
    await returnTo.getByLabel('Postal code').fill('40113');
    await returnTo.getByLabel('City').fill('Riverton');
    await desk.page.getByRole('button', { name: 'Save Profile' }).click();
    await desk.page.getByText('Profile saved').first().waitFor();
    await desk.page.goto(`/owner/package/${late.id}`);
    await choose();
    await next.getByRole('radio', { name: 'Send it back to me' }).check();
    await next.getByText('A driver brings it to Harbour Street 3, 40113 Riverton.').waitFor();
    await next.getByRole('button', { name: 'Save' }).click();
    await next.waitFor({ state: 'detached' });
    await desk.page.getByText('It comes back to you').first().waitFor();
    await desk.page.getByText('Next step chosen').first().waitFor();

    // A return is a stop at the address of its owner.
    await plan([late], day(0), driver.id);
    await page.getByRole('link', { name: 'Open round' }).tap();
    await page.getByRole('heading', { name: 'Load check' }).waitFor();
    await page.getByText('Bring back to Rosa Round').waitFor();
    await tick('Harbour Street 3');
    await button('Start the round').tap();
    await stop.getByText('Bring back to Rosa Round').waitFor();
    await page.getByRole('link', { name: 'Navigate', exact: true }).tap();
    await button("I'm here").tap();
    await button('Hand back').tap();
    const returning = page.getByRole('dialog', { name: 'Confirm return' });
    await returning.getByText(/handed back to Rosa Round/).waitFor();
    await expectAccessibleInBothThemes(page, 'a return');
    await returning.getByRole('button', { name: 'Complete Return' }).tap();
    await page.locator('.success-moment').waitFor();
    await expect.poll(() => statusOf(late)).toBe('cancelled');
    await desk.page.getByText('This package went back to its sender').first().waitFor();
    // The failed attempt stays, with its photo.
    const attempts = desk.page.getByRole('region', { name: 'Failed attempts' });
    await attempts.getByText('Attempt 1').click();
    await attempts.getByText('A card was left at the door.').waitFor();
    await attempts.getByRole('img', { name: 'What the driver found at attempt 1' }).waitFor();
    await expectAccessibleInBothThemes(desk.page, 'failed attempts');
    await desk.context.close();
  },
);

test.runIf(runsAll)(
  'the stops lie over the stop as a sheet of three sizes: drawn with a finger or a mouse, moved by keys and taps',
  async () => {
    const { token } = await driverWith('Sina Sheet', ['Mill Lane 4', 'Bridge Street 9']);
    const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/driver/dashboard');
    const peek = page.getByRole('link', { name: 'All stops' });
    await peek.waitFor();
    const { height } = page.viewportSize() ?? { height: 0 };
    const half = page.getByRole('button', { name: 'All stops' });
    const full = page.getByRole('button', { name: 'Back to the stop' });
    const touch = await page.context().newCDPSession(page);
    const drag = async (from: number, to: number) => {
      const at = (y: number) => [{ x: 195, y }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
      for (const share of [0.25, 0.5, 0.75, 1])
        await touch.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: at(from + share * (to - from)),
        });
      // Held still: it is let go, not flicked.
      await page.waitForTimeout(120);
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const topOf = async (what: typeof half) => Math.round((await what.boundingBox())?.y ?? -1);

    // The code of dragging comes after the page.
    await expect
      .poll(
        async () => {
          await drag(height - 30, height * 0.55);
          return half.isVisible();
        },
        { interval: 1000, timeout: 15_000 },
      )
      .toBe(true);
    expect(await topOf(half)).toBe(height / 2);
    expect(new URL(page.url()).search).toBe('');
    // What is behind is not in the way of keys and screen readers.
    expect(await page.getByRole('link', { name: 'Navigate', exact: true }).count()).toBe(0);
    await expectAccessibleInBothThemes(page, 'the stops, half');

    await drag(height / 2 + 12, 30);
    await full.waitFor();
    await page.waitForURL('**/driver/dashboard?show=mine');
    await full.focus();
    await page.keyboard.press('ArrowDown');
    await half.waitFor();
    await drag(height / 2 + 12, height - 20);
    await peek.waitFor();
    expect(new URL(page.url()).search).toBe('');

    await peek.focus();
    await page.keyboard.press('ArrowUp');
    await half.waitFor();
    expect(await half.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await full.waitFor();
    await page.keyboard.press('ArrowDown');
    await half.waitFor();
    await page.keyboard.press('Escape');
    await peek.waitFor();
    // The focus follows what is shown.
    await expect.poll(() => peek.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await half.tap();
    await full.tap();
    await peek.waitFor();
  },
);

test.runIf(runsAll)(
  'a door with several packages takes three taps and one proof, and others at the address are offered',
  async () => {
    const register = (role: 'owner' | 'driver' | 'admin') =>
      product.api().auth.register({ body: { name: 'Dora Door', email: `dora.${role}@example.com`, password, role } });
    const [owner, driver, admin] = [await register('owner'), await register('driver'), await register('admin')];
    const [owners, admins] = [product.api(owner.token), product.api(admin.token)];
    const packageIds: string[] = [];
    const trackingIds: string[] = [];
    for (const [name, recipientName, street] of [
      ['Lamp', 'Jonas Weber', 'Mill Lane 4'],
      ['Shade', 'jonas weber', 'mill lane  4'],
      ['Book', 'Amelia Stone', 'Mill Lane 4'],
      ['Chair', 'Ina Park', 'Park Road 2'],
    ] as const) {
      const pkg = await owners.packages.create({
        body: {
          name,
          description: 'A parcel of a door',
          category: 'Other',
          weight: 1,
          recipientName,
          recipientContact: '+4915112345678',
          location: 'Riverton depot',
          address: { street, postalCode: '40112', city: 'Riverton', country: null },
        },
      });
      packageIds.push(pkg.id);
      trackingIds.push(pkg.trackingId);
    }
    const [depot] = await admins.depots.list();
    if (!depot) throw new Error('no depot');
    const route = await admins.routes.create({
      body: { day: dayIn(depot.timeZone, new Date()), depotId: depot.id, driverId: driver.id },
    });
    await admins.routes.addStops({ params: { id: route.id }, body: { packageIds } });
    await product.api(driver.token).routes.start({ params: { id: route.id } });

    const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token: driver.token });
    await page.goto('/driver/dashboard');
    await keepFromLeaving(page);
    const stop = page.getByRole('region', { name: 'Next stop' });
    await stop.getByText('Shade', { exact: true }).waitFor();
    await stop.getByText('2 packages for this door').waitFor();
    expect(await stop.getByText('Book', { exact: true }).count()).toBe(0);
    // A wide screen says the same.
    await page.setViewportSize({ width: 1280, height: 800 });
    await stop.getByRole('button', { name: 'Complete Delivery' }).waitFor();
    await stop.getByText('2 packages for this door').waitFor();
    for (const trackingId of trackingIds.slice(0, 2)) await stop.getByText(trackingId).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'Navigate', exact: true }).tap();
    await page.getByRole('button', { name: "I'm here", exact: true }).tap();
    await page.getByRole('button', { name: 'Hand over', exact: true }).tap();
    const sheet = page.getByRole('dialog');
    const [shade, book] = [
      sheet.getByRole('checkbox', { name: 'Shade' }),
      sheet.getByRole('checkbox', { name: 'Book' }),
    ];
    await shade.waitFor();
    expect([await shade.isChecked(), await book.isChecked()]).toEqual([true, false]);
    // How many they are follows the ticks, and which they are stands beside them.
    await sheet.getByText('2 packages for this door').waitFor();
    for (const trackingId of trackingIds.slice(0, 3)) await sheet.getByText(trackingId).waitFor();
    const certified = (text: string) =>
      sheet.getByText(`By completing this delivery you certify that ${text}`).waitFor();
    await certified('the 2 packages have been handed over to Jonas Weber');
    await book.click();
    await certified('each of the 3 packages has been handed over to its recipient');
    await book.click();
    await expectAccessibleInBothThemes(page, 'the hand over sheet of a door');
    await sheet.getByRole('button', { name: 'Hold to hand over' }).hover();
    await page.mouse.down();
    await page.locator('.success-moment').waitFor();
    await page.mouse.up();
    await stop.getByText('Amelia Stone').waitFor();
    await page.getByText('Stop 3 of 4', { exact: true }).waitFor();
    const { stops } = await admins.routes.read({ params: { id: route.id } });
    expect(stops.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'next', 'open']);
    // As the position says it: the phone follows, and the driver can take it back.
    const here = { params: { id: packageIds[2] ?? '' } };
    await product.api(driver.token).deliveries.arrive(here);
    await stop.getByText("You're here").waitFor();
    await page.getByText(/^Arrived at /).waitFor();
    await expectAccessibleInBothThemes(page, 'an arrival by position');
    await page.getByRole('button', { name: 'Not there yet', exact: true }).tap();
    await page.getByRole('link', { name: 'Navigate', exact: true }).waitFor();
    const states = async () => (await admins.routes.read({ params: { id: route.id } })).stops.map(({ state }) => state);
    await expect.poll(states).toEqual(['delivered', 'delivered', 'next', 'open']);
  },
);

test.runIf(runsAll)(
  'stops are offered to a colleague and taken; a dispatcher sees it, hands a package over at the depot and reopens a delivery',
  async () => {
    const register = (role: 'owner' | 'driver' | 'admin', name: string) =>
      product.api().auth.register({
        body: { name, email: `${name.toLowerCase().replace(' ', '.')}@example.com`, password, role },
      });
    const [owner, from, to, admin] = [
      await register('owner', 'Olga Offer'),
      await register('driver', 'Fay First'),
      await register('driver', 'Sam Second'),
      await register('admin', 'Ada Offer'),
    ];
    const [owners, admins] = [product.api(owner.token), product.api(admin.token)];
    const depot = (await admins.depots.list())[0];
    if (!depot) throw new Error('no depot');
    const make = (street: string) =>
      owners.packages.create({
        body: {
          name: `Parcel ${street.split(' ')[0]}`,
          description: 'A parcel that is offered',
          category: 'Other',
          weight: 2,
          recipientName: 'Rita Recipient',
          recipientContact: '+4915112345678',
          location: 'Riverton depot',
          address: { street, postalCode: '40112', city: 'Riverton', country: null },
        },
      });
    /** A started route. */
    const drive = async (driver: { id: string; token: string }, streets: string[]) => {
      const packages = await Promise.all(streets.map(make));
      const day = dayIn(depot.timeZone, new Date());
      const { id } = await admins.routes.create({ body: { day, depotId: depot.id, driverId: driver.id } });
      await admins.routes.addStops({ params: { id }, body: { packageIds: packages.map((pkg) => pkg.id) } });
      await product.api(driver.token).routes.start({ params: { id } });
      return packages;
    };
    const [elm, oak] = await drive(from, ['Elm Row 1', 'Oak Row 2', 'Ash Row 3']);
    await drive(to, ['Fir Row 4']);
    if (!elm || !oak) throw new Error('no packages');

    const openFor = (token: string, width: number) => openWindow(browser, { baseURL: product.url, width, token });
    const [first, second, desk] = [
      await openFor(from.token, 390),
      await openFor(to.token, 390),
      await openFor(admin.token, 1440),
    ];
    const offerIn = (page: Page) => page.getByRole('button', { name: 'Offer to a colleague' });
    await second.page.goto('/driver/dashboard');
    await second.page.getByText('Fir Row', { exact: true }).waitFor();
    await desk.page.goto('/admin/dispatch');
    const stops = desk.page.getByRole('list', { name: 'Stops of Fay First' });
    await stops.getByText('Oak Row 2').waitFor();

    // Offered, taken back, offered again, and declined.
    await first.page.goto('/driver/dashboard?show=mine');
    const offer = async (...streets: string[]) => {
      await offerIn(first.page).tap();
      await first.page.getByRole('radio', { name: 'Sam Second' }).check();
      for (const street of streets) await first.page.getByRole('checkbox', { name: street }).check();
      await first.page.getByRole('button', { name: `Offer ${streets.length} stop` }).tap();
      await first.page.getByRole('button', { name: 'Take back' }).waitFor();
    };
    await offer('Ash Row 3');
    await second.page.getByText('Fay First offers you 1 stop').waitFor();
    await stops.getByText('Offered to Sam Second').waitFor();
    await first.page.getByRole('button', { name: 'Take back' }).tap();
    await second.page.getByText('Fay First offers you 1 stop').waitFor({ state: 'detached' });
    await offer('Oak Row 2', 'Ash Row 3');
    await second.page.getByText('Fay First offers you 2 stops').waitFor();
    await second.page.getByText(/^1\d minutes left$/).waitFor();
    expect(await second.page.getByText('Oak Row').count()).toBe(0);
    await expectAccessibleInBothThemes(first.page, 'an offer that was made');
    await expectAccessibleInBothThemes(second.page, 'an offer that was received');
    await second.page.getByRole('button', { name: 'Decline' }).tap();
    await first.page.getByText('Offer declined').first().waitFor();
    await first.page.getByRole('button', { name: 'Take back' }).waitFor({ state: 'detached' });

    // Not answered: as the server says it once the offer has run out.
    await offer('Ash Row 3');
    await first.page.route('**/api/offers', async (route) => {
      const offers = (await (await route.fetch()).json()) as object[];
      await route.fulfill({ json: offers.map((made) => ({ ...made, state: 'expired' })) });
    });
    await first.page.reload();
    const notAnswered = first.page.getByText('Sam Second did not answer in time. 1 stop stays on your round.');
    await notAnswered.waitFor();
    await expectAccessibleInBothThemes(first.page, 'an offer that nobody has answered');
    await first.page.getByRole('button', { name: 'Got it' }).tap();
    await notAnswered.waitFor({ state: 'detached' });
    await first.page.unroute('**/api/offers');
    await first.page.reload();
    await first.page.getByRole('button', { name: 'Take back' }).tap();
    await first.page.getByRole('button', { name: 'Take back' }).waitFor({ state: 'detached' });

    // Accepted: they are the last ones of the colleague's round.
    await offer('Oak Row 2');
    await second.page.getByRole('button', { name: 'Accept' }).tap();
    await second.page.getByText('1 new stop on your round').waitFor();
    await second.page.getByRole('link', { name: /Then Oak Row 2/ }).waitFor();
    await first.page.getByText('1 stop was taken off your round').waitFor();
    await desk.page.getByRole('list', { name: 'Stops of Sam Second' }).getByText('Oak Row 2').waitFor();

    // Somebody comes to the depot.
    const waiting = await make('Depot Lane 5');
    await desk.page.goto(`/admin/package/${waiting.id}`);
    await desk.page.getByRole('button', { name: 'Collected at the depot' }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByLabel('Received by').fill('Rita Recipient');
    await expectAccessibleInBothThemes(desk.page, 'a collection');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.waitFor({ state: 'detached' });
    await desk.page.getByText('Package Delivered').first().waitFor();
    await desk.page.getByText('Collected at the depot', { exact: true }).first().waitFor();

    // A delivery that was a mistake.
    await product.api(from.token).deliveries.complete({ params: { id: elm.id } });
    await desk.page.goto(`/admin/package/${elm.id}`);
    await desk.page.getByRole('button', { name: 'Reopen delivery' }).click();
    await dialog.getByText('It is on the road again with its driver.').waitFor();
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click();
    await dialog.getByText('Reason must be at least 3 characters').waitFor();
    await dialog.getByLabel('Reason').fill('The wrong door');
    await expectAccessibleInBothThemes(desk.page, 'reopening');
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click();
    await desk.page.getByText('Reopened: not delivered after all').first().waitFor();
    await desk.page.getByText('The wrong door').first().waitFor();
    expect((await owners.packages.read({ params: { id: elm.id } })).driverId).toBe(from.id);
    for (const { page, context, faults } of [first, second, desk]) {
      expect(faults, page.url()).toEqual([]);
      await context.close();
    }
  },
);

test.runIf(runsAll)(
  'a driver agrees to share the position, sees that it is shared, stops it and has everything deleted',
  async () => {
    const { token, drivers } = await driverWith('Gina Position', ['Mill Lane 4']);
    const admin = await product.api().auth.register({
      body: { name: 'Ada Admin', email: 'ada.position@example.com', password, role: 'admin' },
    });
    const seen = () => product.api(admin.token).positions.list();
    const { page, context, faults } = await openWindow(browser, { baseURL: product.url, width: 390, token });
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ longitude: 13.4, latitude: 52.5, accuracy: 12 });
    await page.goto('/driver/dashboard');
    const ask = page.getByRole('region', { name: 'Share your position while you work?' });
    // One line until it is opened: the stop comes first.
    expect((await ask.boundingBox())?.height).toBeLessThan(64);
    // And it ends above the bar, although the question stands above it.
    const bar = await page.getByRole('button', { name: 'Details', exact: true }).boundingBox();
    const parcel = await page.getByRole('heading', { name: 'Parcel 1' }).boundingBox();
    expect((parcel?.y ?? Number.NaN) + (parcel?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    await ask.getByRole('button', { name: 'Share your position while you work?' }).tap();
    await ask.getByText('It is deleted after 30 days').waitFor();
    await expectAccessibleInBothThemes(page, 'the question for the position');
    expect(await seen()).toEqual([]);
    await ask.getByRole('button', { name: 'Share my position' }).tap();
    await page.getByText('Your position is shared').waitFor();
    await expectAccessibleInBothThemes(page, 'the sign that the position is shared');
    await context.setGeolocation({ longitude: 13.4, latitude: 52.51, accuracy: 12 });
    await eventually(
      'the position is measured',
      async () => (await page.evaluate(() => localStorage.positions)) !== undefined,
    );
    await page.getByRole('button', { name: 'Stop', exact: true }).tap();
    await eventually('the position arrives', async () => (await seen()).length === 1);
    expect(await seen()).toMatchObject([{ name: 'Gina Position', lon: 13.4, lat: 52.51, accuracy: 12, carrying: 1 }]);
    await page.reload();
    await page.getByText('Your position is not shared').waitFor();
    await page.getByRole('button', { name: 'Delete everything' }).tap();
    await waitForText(page, 'Everything about your position was deleted');
    expect([await seen(), (await drivers.positions.consent()).agreedAt]).toEqual([[], null]);
    expect(faults).toEqual([]);
    await context.close();
  },
);
