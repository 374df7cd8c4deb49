import type { Role } from '@waybill/contract';
import type { Browser } from 'playwright-core';
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

async function open(role: Role, email: string, path: string) {
  const { token } = await product.api().auth.register({
    body: { name: 'Somebody', email, password: 'pond-heron-7', role },
  });
  const window = await openWindow(browser, { baseURL: product.url });
  await window.page.goto('/login');
  await window.page.evaluate((given) => localStorage.setItem('token', given), token);
  await window.page.goto(path);
  return { ...window, token, api: product.api(token) };
}

test('a driver keeps the profile that owners see, changes the password and ends other sessions', async () => {
  const { page, context, faults, token } = await open('driver', 'dan.account@example.com', '/account');
  await page.getByLabel('Name', { exact: true }).fill('Dan the Driver');
  await page.getByLabel('Phone').fill('+4915112345678');
  await page.getByLabel('Years of Experience').fill('7');
  await page.getByLabel('Vehicle Type').fill('Van');
  await page.getByLabel('License Plate').fill('B-WB 1234');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await page.getByText('Profile saved').first().waitFor();
  expect(await product.api(token).users.me()).toMatchObject({
    name: 'Dan the Driver',
    phone: '+4915112345678',
    yearsOfExperience: 7,
    vehicleInfo: { type: 'Van', model: null, licensePlate: 'B-WB 1234' },
  });

  const other = await product
    .api()
    .auth.login({ body: { email: 'dan.account@example.com', password: 'pond-heron-7' } });
  await page.reload();
  await page.getByText('This device').waitFor();
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
  expect(faults).toEqual([]);
  await context.close();
});

test('an owner imports a file: good rows become packages, bad ones are told with line and reason', async () => {
  const { page, context, faults, api } = await open('owner', 'olga.import@example.com', '/owner/import');
  const rows = [
    'name,description,category,weight,recipientName,recipientContact',
    'Walnut lamp,A lamp of walnut and brass,Furniture,2.5,Mara Lindqvist,+49 151 2345678',
    'Ox,Too short,Furniture,2.5,Mara Lindqvist,+49 151 2345678',
    'Brass clock,A clock that strikes the hours,Furniture,4,Jon Okafor,+49 151 2345679',
  ];
  const buffer = Buffer.from(rows.join('\n'));
  await page.getByLabel(/Choose a CSV file/).setInputFiles({ name: 'packages.csv', mimeType: 'text/csv', buffer });
  await page.getByText('2 packages created').waitFor();
  await page.getByText('Line 3').waitFor();
  await page.getByText('Name must be at least 3 characters').waitFor();
  await page.getByText('Description must be at least 10 characters').waitFor();
  const me = await api.users.me();
  const { items } = await api.packages.listOfUser({ params: { id: me.id } });
  expect(items.map(({ name }) => name).toSorted()).toEqual(['Brass clock', 'Walnut lamp']);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download template' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  expect(faults).toEqual([]);
  await context.close();
});
