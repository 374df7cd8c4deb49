import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';

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

/** The maps app is not part of this product: the link is kept from opening it. */
const keepFromLeaving = (page: Page) =>
  page.evaluate(() =>
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link?.href.includes('destination=')) event.preventDefault();
    }),
  );

test(
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

test('another stop is chosen from the list, and the bar belongs to the stop in view', async () => {
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

test('without a signature where one is needed the sheet says so in place, and keys and a tap complete too', async () => {
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
});

test('without a connection the screen says since when, and a step that was not sent', async () => {
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

test('high contrast is chosen in the account, kept over a reload, and follows the device', async () => {
  const { token } = await driverWith('Clara Contrast', ['Mill Lane 4']);
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
  await page.goto('/account');
  await page.getByLabel('High contrast').uncheck();
  await page.emulateMedia({ contrast: 'more' });
  await page.goto('/driver/dashboard');
  await stop.waitFor();
  expect(await colours()).toEqual(onWhite);
});
