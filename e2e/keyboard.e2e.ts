import type { Role, SignedIn } from '@waybill/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const register = (role: Role, email: string): Promise<SignedIn> =>
  product.api().auth.register({ body: { name: `Some ${role}`, email, password: 'pond-heron-7', role } });

/** Presses Tab until the control has the focus. @throws if it cannot be reached with 60 presses */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached with the keyboard: ${control.toString()}`);
}

async function typeInto(page: Page, label: string | RegExp, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

async function pressOn(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** `g d`. Retries: on a busy machine the two presses may be too far apart for one shortcut. */
async function goHome(page: Page, role: Role): Promise<void> {
  const home = `${product.url}/${role}/dashboard`;
  for (let tries = 1; page.url() !== home; tries++) {
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(home, { timeout: 3000 }).catch((error: unknown) => {
      if (tries === 5) throw error;
    });
  }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await typeInto(page, 'Email', email);
  await typeInto(page, 'Password', 'pond-heron-7');
  await page.keyboard.press('Enter');
}

test('the main job works by keyboard alone: create, start, complete', async () => {
  await Promise.all([register('owner', 'olga.keys@example.com'), register('driver', 'dan.keys@example.com')]);
  const owner = await openWindow(browser, { baseURL: product.url });
  const page = owner.page;
  await signIn(page, 'olga.keys@example.com');
  // The shortcut exists once its link does.
  await page.getByRole('link', { name: 'Add Package' }).first().waitFor();
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'Create New Package' }).waitFor();
  await typeInto(page, 'Recipient Name', 'Mara Lindqvist');
  await typeInto(page, 'Contact Number', '+49 151 2345678');
  // What is done folds into a line.
  await typeInto(page, 'Package Name', 'Walnut desk lamp');
  await page.getByRole('button', { name: 'Recipient Mara Lindqvist' }).waitFor();
  await tabTo(page, page.getByLabel('Category'));
  await page.keyboard.type('Furn');
  await typeInto(page, 'Description', 'A lamp of walnut and brass, c and g d are letters here');
  await tabTo(page, page.getByLabel('Weight'));
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await pressOn(page, page.getByRole('button', { name: /^Delivery/ }));
  await typeInto(page, /^Current Location/, 'Riverton depot');
  await page.keyboard.press('Enter');
  await page.getByText('Successfully created package: Walnut desk lamp').first().waitFor();
  await page.waitForURL('**/owner/dashboard');
  const row = page.getByRole('row').filter({ hasText: 'Walnut desk lamp' });
  await row.getByText('Processing').waitFor();
  expect(owner.faults).toEqual([]);

  const driver = await openWindow(browser, { baseURL: product.url });
  const road = driver.page;
  await signIn(road, 'dan.keys@example.com');
  await tabTo(road, road.getByRole('tab', { name: 'My Deliveries' }));
  await road.keyboard.press('ArrowRight');
  await road.keyboard.press('Enter');
  await road.waitForURL('**/driver/dashboard?show=pending');
  await pressOn(road, road.getByRole('button', { name: 'Start Delivery' }));
  await pressOn(road, road.getByRole('dialog').getByRole('button', { name: 'Start Delivery' }));
  await road.getByText('You have successfully started this delivery').first().waitFor();
  await road.getByRole('dialog').waitFor({ state: 'detached' });
  await goHome(road, 'driver');
  await pressOn(road, road.getByRole('button', { name: 'Complete Delivery' }));
  await typeInto(road, /^Received by/, 'Jon');
  await road.keyboard.press('Enter');
  await road.getByText('Delivery Completed').first().waitFor();
  await row.getByText('delivered', { exact: true }).waitFor();
  expect(driver.faults).toEqual([]);
  await Promise.all([owner.context.close(), driver.context.close()]);
});

test.runIf(runsAll)(
  'the command palette finds pages, packages and users; the shortcut sheet lists what works on this page',
  async () => {
    const admin = await register('admin', 'ada.keys@example.com');
    const owner = await register('owner', 'nora.keys@example.com');
    const pkg = await product.api(owner.token).packages.create({
      body: {
        name: 'Brass ship clock',
        description: 'A clock that strikes the hours',
        category: 'Furniture',
        weight: 4,
        recipientName: 'Jon Okafor',
        recipientContact: '+49 151 2345679',
      },
    });
    const { page, context, faults } = await openWindow(browser, { baseURL: product.url });
    await page.goto('/login');
    await page.evaluate((token) => localStorage.setItem('token', token), owner.token);
    await page.goto('/owner/dashboard');
    await page.getByText('Brass ship clock').waitFor();

    // Typing goes on while the code of the palette is still loading.
    const typed = Promise.withResolvers<void>();
    await page.route('**/CommandPalette*.js', (route) => typed.promise.then(() => route.continue()));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ship xx');
    typed.resolve();
    const field = page.getByRole('combobox', { name: 'Search and commands' });
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe('ship xx');
    for (const key of ['Backspace', 'Backspace', 'c', 'l']) await page.keyboard.press(key);
    await page.getByRole('option', { name: /Brass ship clock/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/owner/package/${pkg.id}`);
    await field.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type(pkg.trackingId.toLowerCase());
    await page.getByRole('option', { name: /^Track/ }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/track/${pkg.trackingId.toLowerCase()}`);

    // Shortcuts are off while the palette is open.
    await field.waitFor({ state: 'detached' });

    await goHome(page, 'owner');
    const search = page.getByRole('searchbox', { name: 'Search packages' });
    await search.waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => search.evaluate((element) => element === document.activeElement)).toBe(true);
    // Shortcuts are off in text fields.
    await page.keyboard.type('c?');
    expect(await search.inputValue()).toBe('c?');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('row', { name: /Brass ship clock/ }).waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const here = sheet.getByRole('region', { name: 'On this page' });
    // The list adds its keys once it is shown again.
    await here.getByText('Select row').waitFor();
    expect(await here.getByRole('term').allInnerTexts()).toEqual([
      'Add Package',
      'Search packages',
      'Next row',
      'Previous row',
      'Open row',
      'Select row',
    ]);
    await sheet.getByText('Import Packages').waitFor();
    expect(await sheet.getByText('Users', { exact: true }).count()).toBe(0);
    await sheet.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('logout');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login');
    expect(faults).toEqual([]);
    await context.close();

    const desk = await openWindow(browser, { baseURL: product.url });
    await desk.page.goto('/login');
    await desk.page.evaluate((token) => localStorage.setItem('token', token), admin.token);
    await desk.page.goto('/admin/dashboard');
    await desk.page.getByRole('button', { name: 'Search and commands' }).click();
    const searchField = desk.page.getByRole('combobox', { name: 'Search and commands' });
    await searchField.fill('nora');
    await desk.page.getByRole('option', { name: /nora.keys@example.com/ }).click();
    await desk.page.waitForURL('**/admin/users?q=nora.keys%40example.com');
    await desk.page.getByRole('cell', { name: 'nora.keys@example.com' }).waitFor();
    await searchField.waitFor({ state: 'detached' });
    await desk.page.keyboard.press('c');
    await desk.page.getByRole('dialog', { name: 'Create New User' }).waitFor();
    expect(desk.faults).toEqual([]);
    await desk.context.close();
  },
);
