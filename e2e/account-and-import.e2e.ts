import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
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

async function open(role: Role, email: string, path: string) {
  const { token } = await product.api().auth.register({
    body: { name: 'Somebody', email, password: 'pond-heron-7', role },
  });
  const window = await openWindow(browser, { baseURL: product.url });
  await window.page.goto('/login');
  await window.page.evaluate((value) => localStorage.setItem('token', value), token);
  await window.page.goto(path);
  return { ...window, token, api: product.api(token) };
}

test('a driver edits the profile that owners see, changes the password and ends other sessions', async () => {
  const { page, context, faults, token } = await open('driver', 'dan.account@example.com', '/account');
  await page.getByLabel('Name', { exact: true }).fill('Dan the Driver');
  // The contract's messages come from client-side validation: a 4xx from the server would be a fault of the window.
  await page.getByLabel('Phone').fill('0151 2345678');
  await page.getByLabel('Years of Experience').fill('81');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await page.getByText('Phone must be in international form, like +4915112345678').waitFor();
  await page.getByText('Years of experience must be from 0 to 80').waitFor();
  expect(await page.getByLabel('Phone').evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByLabel('Phone').fill('+4915112345678');
  await page.getByLabel('Years of Experience').fill('7');
  await page.getByLabel('Vehicle Type').fill('Van');
  await page.getByLabel('License Plate').fill('B-WB 1234');
  await page.getByLabel('Capacity').fill('850.5');
  await page.getByLabel('Maximum Stops per Route').fill('0');
  await page.getByText('Refrigerated', { exact: true }).click();
  await page.getByLabel('Routes Begin At').fill('52.52, 13.405');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await page.getByText('Most stops must be from 1 to 500').waitFor();
  await page.getByLabel('Maximum Stops per Route').fill('60');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await page.getByText('Profile saved').first().waitFor();
  expect(await product.api(token).users.me()).toMatchObject({
    name: 'Dan the Driver',
    phone: '+4915112345678',
    yearsOfExperience: 7,
    vehicleInfo: {
      type: 'Van',
      model: null,
      licensePlate: 'B-WB 1234',
      capacityKg: 850.5,
      maxStops: 60,
      skills: ['refrigerated'],
      gramsPerKm: null,
    },
    startPlace: { lon: 13.405, lat: 52.52 },
  });

  const other = await product
    .api()
    .auth.login({ body: { email: 'dan.account@example.com', password: 'pond-heron-7' } });
  await page.reload();
  await page.getByText('This device', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'End session' }).click();
  await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
  await expect(product.api(other.token).users.me()).rejects.toMatchObject({ status: 401 });

  await page.getByLabel('Current Password').fill('pond-heron-7');
  await page.getByLabel('New Password').fill('pond-heron-8');
  await page.getByLabel('Confirm Password').fill('pond-heron-8');
  await page.getByRole('button', { name: 'Set New Password' }).click();
  await page.getByText('Password changed').first().waitFor();
  expect(await page.getByLabel('Current Password').inputValue()).toBe('');
  await product.api().auth.login({ body: { email: 'dan.account@example.com', password: 'pond-heron-8' } });

  // A driver has no packages that would be cancelled with the account.
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await question.getByText('stays, without your name').waitFor();
  expect(await question.innerText()).not.toContain('wait for a driver');
  expect(faults).toEqual([]);
  await context.close();
});

const fixture = (name: string) => join(import.meta.dirname, '../server/src/packages/fixtures', name);

test('an owner imports shop orders in three clicks, a repeated import creates nothing, and faulty rows are fixed in the page', async () => {
  const { page, context, faults, api } = await open('owner', 'olga.import@example.com', '/owner/import');
  const me = await api.users.me();
  const names = async () =>
    (await api.packages.listOfUser({ params: { id: me.id } })).items.map(({ name }) => name).toSorted();
  const figures = async () => (await page.getByLabel('What an import would make').innerText()).replaceAll(/\s+/g, ' ');
  const input = page.getByLabel(/Choose (a|another) CSV file/);

  await input.setInputFiles(fixture('shopify-orders.csv'));
  await page.getByText('shopify-orders.csv', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Import 3 packages' }).click();
  await page.getByText('3 packages created').waitFor();
  expect(await names()).toEqual(['Brass clock', 'Order #1003: TV', 'Walnut lamp - Large and 2 more']);

  await input.setInputFiles(fixture('woocommerce-orders.csv'));
  await page.getByRole('button', { name: 'Import 2 packages' }).click();
  await page.getByText('2 packages created').waitFor();
  await input.setInputFiles(fixture('shopify-orders.csv'));
  await page.getByRole('button', { name: 'Nothing New to Import' }).waitFor();
  expect(await figures()).toBe('New 0 Already there 3 With errors 0');

  // A cancelled order is skipped with a note, unless the checkbox includes it.
  const [header, , , , , order = ''] = readFileSync(fixture('shopify-orders.csv'), 'utf8').split('\n');
  const cancelled = order.replace('#1003', '#1005').replace(',,,,Shopify', ',,,2026-11-21 09:00:00 +0100,Shopify');
  const orders = [header, order.replace('#1003', '#1004'), cancelled].join('\n');
  await input.setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(orders) });
  await page.getByText('One order is left out').click();
  await page.getByText('Order #1005 was cancelled').waitFor();
  expect(await figures()).toBe('New 1 Already there 0 Nothing to ship 1 With errors 0');
  await page.getByLabel('Import these orders all the same').click();
  await page.getByRole('button', { name: 'Import 2 packages' }).waitFor();
  await page.getByLabel('Import these orders all the same').click();
  await page.getByRole('button', { name: 'Import 1 package', exact: true }).click();
  await page.getByText('1 row was left out, because there is nothing to ship.').waitFor();

  const rows = [
    'Bestellung,Empfaenger,Telefon,Was',
    'A-1,Mara Lindqvist,+49 151 2345678,A lamp of walnut and brass',
    'A-2,Ox,123,A clock that strikes the hours',
  ];
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
  await input.setInputFiles(file);
  await page.getByLabel('What Empfaenger stands for').selectOption({ label: 'Recipient name' });
  await page.getByLabel('What Was stands for').selectOption({ label: 'Description' });
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Recipient name must be at least 3 characters').waitFor();
  expect(await figures()).toBe('New 1 Already there 0 With errors 1');
  await page.getByLabel('Recipient name').fill('Oxana Roth');
  await page.getByLabel('Contact').fill('+49 151 2345679');
  await page.getByRole('button', { name: 'Check Again' }).click();
  await page.getByText('Can be imported').waitFor();
  await page.getByRole('button', { name: 'Import These Rows' }).click();
  await page.getByText('1 corrected row imported').waitFor();
  await page.getByRole('button', { name: 'Import 1 package', exact: true }).click();
  await page.getByText('2 packages created').waitFor();
  await page.getByText('Every row of the file has become a package.').waitFor();
  expect((await names()).filter((name) => name.startsWith('Order A'))).toEqual(['Order A-1', 'Order A-2']);

  // The mapping is saved per header.
  await page.reload();
  await input.setInputFiles(file);
  await page.getByText('Its columns are read as you chose.').waitFor();
  expect(await figures()).toBe('New 0 Already there 1 With errors 1');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('faulty-rows.csv');
  const template = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download template' }).click();
  expect((await template).suggestedFilename()).toMatch(/\.csv$/);
  expect(faults).toEqual([]);
  await context.close();
});

/** What the links of a first day lead to; each opens its page, without being sent elsewhere. */
const linksOf = async (page: Page) => {
  await page.getByRole('progressbar').waitFor();
  return page
    .getByRole('main')
    .getByRole('listitem')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
};

test.runIf(runsAll)(
  'a first day leads a new owner to each next act, is ticked and dismissed, and found again; a driver reads it in German',
  async () => {
    const { page, context, faults } = await open('owner', 'fay.first@example.com', '/owner/dashboard');
    await page.getByRole('link', { name: 'A first day for owners' }).click();
    await page.getByRole('heading', { level: 1, name: 'A first day' }).waitFor();
    await page.getByText('0 of 6 done').waitFor();
    await expectAccessibleInBothThemes(page, 'a first day');
    await page.getByRole('checkbox', { name: 'Register a package' }).check();
    await page.getByText('1 of 6 done').waitFor();
    const links = await linksOf(page);
    expect(links).toContain('/owner/import');
    for (const href of links) {
      await page.goto(href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(page.url()).toBe(new URL(href, product.url).href);
    }
    await page.goto('/owner/dashboard');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Package Owner Dashboard' }).waitFor();
    expect(await page.getByRole('link', { name: 'A first day for owners' }).count()).toBe(0);
    await page.goto('/account');
    await page.getByRole('link', { name: 'A first day' }).click();
    await page.getByText('1 of 6 done').waitFor();
    expect(faults).toEqual([]);
    await context.close();

    const { token } = await product.api().auth.register({
      body: { name: 'Dora Driver', email: 'dora.first@example.com', password: 'pond-heron-7', role: 'driver' },
    });
    const driver = await openWindow(browser, { baseURL: product.url, width: 390, locale: 'de-DE', token });
    await driver.page.goto('/driver/dashboard');
    await driver.page.getByRole('link', { name: 'Neu hier? Ihr erster Tag' }).tap();
    await driver.page.getByRole('heading', { level: 1, name: 'Ihr erster Tag' }).waitFor();
    await driver.page.getByText('0 von 5 erledigt').waitFor();
    await expectAccessibleInBothThemes(driver.page, "a driver's first day");
    expect(await linksOf(driver.page)).toEqual([
      '/account',
      '/driver/dashboard',
      '/driver/dashboard?show=mine',
      '/driver/incidents',
      '/driver/dashboard?show=completed',
    ]);
    const admin = await open('admin', 'ada.first@example.com', '/first-day');
    await admin.page.getByRole('heading', { name: 'Plan and watch a day' }).waitFor();
    for (const href of new Set(await linksOf(admin.page))) {
      await admin.page.goto(href);
      await admin.page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(admin.page.url()).pathname).toBe(href.replace(/\?.*/, ''));
    }
  },
);
