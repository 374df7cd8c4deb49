import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

async function register(page: Page, role: string, name: string, email: string): Promise<void> {
  await page.goto('/register');
  await page.getByRole('radio', { name: new RegExp(role) }).check();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
  await page.getByLabel('Confirm Password').fill('pond-heron-7');
  await page.getByRole('button', { name: 'Create Account' }).click();
}

async function createPackage(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Add Package' }).first().click();
  await page.getByRole('heading', { name: 'Create New Package' }).waitFor();
  await page.getByLabel('Package Name').fill(name);
  await page.getByLabel('Category').selectOption('Furniture');
  await page.getByLabel('Description').fill('A lamp of walnut and brass');
  await page.getByLabel('Recipient Name').fill('Mara Lindqvist');
  await page.getByLabel('Contact Number').fill('+49 151 2345678');
  await page.getByRole('button', { name: /^Delivery/ }).click();
  await page.getByLabel('Current Location').fill('Riverton depot');
  // The page's clock ticks every half minute.
  const days = [Date.now() - 60_000, Date.now()].map((at) => new Date(at).toISOString().slice(0, 10));
  expect(days).toContain(await page.getByLabel('Estimated Arrival').getAttribute('min'));
  const trackingId = await page.getByLabel('Tracking ID').inputValue();
  await page.getByRole('button', { name: 'Create Package' }).click();
  await page.getByText(`Successfully created package: ${name}`).first().waitFor();
  return trackingId;
}

test('a package is created, claimed, delivered and tracked live in three windows, without polling', async () => {
  const owner = await openWindow(browser, { baseURL: product.url });
  const driver = await openWindow(browser, { baseURL: product.url, width: 390 });
  const visitor = await openWindow(browser, { baseURL: product.url, colorScheme: 'dark' });

  await register(owner.page, 'Owner', 'Olga Owner', 'olga@example.com');
  await owner.page.waitForURL('**/owner/dashboard');
  await owner.page.getByRole('heading', { name: 'Package Owner Dashboard' }).waitFor();
  const trackingId = await createPackage(owner.page, 'Walnut desk lamp');
  expect(trackingId).toMatch(/^PKG-[A-Z0-9]{8}$/);
  await owner.page.waitForURL('**/owner/dashboard');
  const row = owner.page.getByRole('row').filter({ hasText: trackingId });
  await row.getByText('Processing').waitFor();

  await visitor.page.goto('/');
  await visitor.page.getByRole('textbox', { name: 'Tracking ID' }).fill(trackingId.toLowerCase());
  await visitor.page.getByRole('button', { name: 'Track a Package' }).click();
  await visitor.page
    .getByRole('heading', { name: 'Walnut desk lamp' })
    .or(visitor.page.getByText('Walnut desk lamp'))
    .first()
    .waitFor();
  await visitor.page.getByText('Processing', { exact: true }).first().waitFor();

  // The shared link uses the public URL; the row shows recipient and city.
  await row.getByRole('button', { name: 'More actions for Walnut desk lamp' }).click();
  const mail = await owner.page.getByRole('menuitem', { name: 'Send by email' }).getAttribute('href');
  expect(decodeURIComponent(mail ?? '')).toContain(`${product.url}/track/${trackingId}`);
  await owner.page.keyboard.press('Escape');
  expect(await row.innerText()).toContain('Mara Lindqvist');

  await register(driver.page, 'Driver', 'Dan Driver', 'dan@example.com');
  await driver.page.waitForURL('**/driver/dashboard');
  // Nothing to deliver yet: the next step is to take something.
  await driver.page.getByRole('link', { name: 'See pending deliveries' }).click();
  const offer = driver.page.getByRole('listitem').filter({ hasText: 'Walnut desk lamp' });
  await offer.waitFor();
  expect(await offer.innerText()).not.toContain('Mara');
  // Redacted: the whole ID would open the public page, which names the recipient.
  expect(await offer.innerText()).not.toContain(trackingId);
  expect(await offer.innerText()).toContain(`PKG-…${trackingId.slice(-3)}`);
  expect(await offer.getByRole('button', { name: /Copy/ }).count()).toBe(0);

  // From here on the owner and the visitor only watch.
  await expect.poll(() => owner.calls, { timeout: 30_000 }).toContain('GET /api/live');
  await visitor.page.getByText('Live', { exact: true }).waitFor();
  await owner.settled();
  owner.calls.length = 0;
  visitor.calls.length = 0;

  await offer.getByRole('button', { name: 'Start Delivery' }).click();
  const confirmation = driver.page.getByRole('dialog').or(driver.page.getByRole('alertdialog'));
  await confirmation.getByText('Confirm Start Delivery').waitFor();
  await confirmation.getByRole('button', { name: /Start Delivery/ }).click();
  await driver.page.getByText('You have successfully started this delivery').first().waitFor();

  await row.getByText('Out for Delivery').waitFor();
  await visitor.page.getByText('Out for Delivery', { exact: true }).first().waitFor();
  await owner.page.getByRole('row').filter({ hasText: trackingId }).waitFor();
  // The driver's estimate is shown everywhere, in the page title too; so is the location.
  const arriving = /^Arriving (today|tomorrow), by \d\d:\d\d$/;
  const headline = await visitor.page.getByRole('heading', { name: arriving }).innerText();
  expect(await visitor.page.title()).toContain(`${headline} · ${trackingId}`);
  await row.getByText(headline.replace('Arriving t', 'T'), { exact: true }).waitFor();
  await visitor.page.getByText('Details', { exact: true }).click();
  for (const place of [row, visitor.page.locator('dl')]) await place.getByText('With the driver').waitFor();

  await driver.page.getByRole('link', { name: 'Back to the stop' }).click();
  const stop = driver.page.getByRole('region', { name: 'Next stop' });
  await stop.getByText('Mara Lindqvist').waitFor();
  await stop.getByText(trackingId).waitFor();
  // The driver's clock: the day only when it is not today.
  const day = headline.includes('tomorrow') ? '\\w{3} ' : '';
  await stop.getByText(new RegExp(`by ${day}${headline.slice(-5)}$`)).waitFor();
  await driver.page.getByRole('button', { name: 'Problem' }).click();
  await driver.page.getByRole('menuitem', { name: 'Report location' }).click();
  await driver.page.getByRole('textbox', { name: 'Location' }).fill('Motorway services');
  await confirmation.getByRole('button', { name: 'Report location' }).click();
  for (const place of [row, visitor.page.locator('dl')]) await place.getByText('Motorway services').waitFor();
  await driver.page.getByRole('button', { name: 'Mark as next stop' }).click();
  await visitor.page.getByText(/^You're \w+'s next stop$/).waitFor();
  await visitor.page.getByRole('heading', { name: headline }).waitFor();
  expect(await visitor.page.title()).toContain(`Next stop: you · ${trackingId}`);
  // Without an address there is nothing to navigate to.
  await driver.page.getByRole('button', { name: "I'm here" }).click();
  await driver.page.getByRole('button', { name: 'Hand over' }).click();
  await confirmation.getByText('Confirm Complete Delivery').waitFor();
  await confirmation.getByRole('button', { name: /Complete Delivery/ }).click();
  await driver.page.getByText('Delivery Completed').first().waitFor();

  await row.getByText('delivered', { exact: true }).waitFor();
  await visitor.page.getByText('delivered', { exact: true }).first().waitFor();
  await visitor.page.getByRole('heading', { name: /^Delivered today at \d\d:\d\d$/ }).waitFor();
  expect(await visitor.page.getByText('Estimated Arrival').count()).toBe(0);
  // Three status changes, three live notifications.
  await owner.page.locator('[data-card="notifications"]', { hasText: '3' }).waitFor();

  // No polling: after the last invalidation has been handled, no page sends a request while its stream is open.
  const windows = [owner, driver, visitor];
  const callCount = () => windows.reduce((sum, { calls }) => sum + calls.length, 0);
  for (let previous = -1; previous !== callCount(); await sleep(2000)) previous = callCount();
  const before = { owner: owner.calls.length, visitor: visitor.calls.length, driver: driver.calls.length };
  await sleep(7000);
  expect(owner.calls.slice(before.owner)).toEqual([]);
  expect(visitor.calls.slice(before.visitor)).toEqual([]);
  expect(driver.calls.slice(before.driver)).toEqual([]);
  // The tracker got every change through its stream, without a single request.
  expect(visitor.calls).toEqual([]);

  for (const window of windows) {
    expect(window.faults).toEqual([]);
    await window.context.close();
  }
});
