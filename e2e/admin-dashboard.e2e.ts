import { createClient } from '@waybill/contract';
import type { Role } from '@waybill/contract';
import type { Browser } from 'playwright-core';
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

const lamp = {
  name: 'Walnut desk lamp',
  description: 'A lamp of walnut and brass',
  category: 'Furniture',
  weight: 2.5,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
} as const;

async function register(role: Role, name: string) {
  const { token } = await product.api().auth.register({
    body: { name, email: `${role}.dashboard@example.com`, password: 'pond-heron-7', role },
  });
  return { token, api: createClient({ baseUrl: product.url, token: () => token }) };
}

test.runIf(runsAll)('the dashboard updates live: figures, drivers on the road, incidents and their steps', async () => {
  const [admin, owner, driver] = [
    await register('admin', 'Ada Admin'),
    await register('owner', 'Olga Owner'),
    await register('driver', 'Dan Driver'),
  ];
  const { page, context, faults } = await openWindow(browser, { baseURL: product.url });
  await page.goto('/login');
  await page.evaluate((token) => localStorage.setItem('token', token), admin.token);
  await page.goto('/admin/dashboard');
  const card = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  await card('Total Users').getByText('3', { exact: true }).waitFor();
  await page.getByText('No data yet').first().waitFor();
  await page.getByText('Nobody is on the road').waitFor();
  await page.getByText('No incidents reported').waitFor();
  const needs = page.getByRole('region', { name: 'Needs you' });
  await needs.getByText('Nothing waits for you.').waitFor();
  const happened = page.getByRole('region', { name: 'Just happened' });
  await happened.getByText('No data yet').waitFor();

  const pkg = await owner.api.packages.create({ body: lamp });
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await card('Active Drivers').getByText('1', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Live Operations' }).getByText('Dan Driver').waitFor();
  const live = page.getByRole('region', { name: 'Live Operations' });
  await live.getByText(/^Expected (today|tomorrow), by /).waitFor();
  expect(await live.getByText('Next stop').count()).toBe(0);
  await driver.api.deliveries.next({ params: { id: pkg.id } });
  await live.getByText('Next stop').waitFor();
  await driver.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body: { issue: 'The lift is broken' } });
  await card('Open Issues').getByText('1', { exact: true }).waitFor();
  await needs.getByText('Delivery issue: Walnut desk lamp').waitFor();
  const reported = happened.getByRole('link', { name: /Issue reported Walnut desk lamp · Dan Driver/ });
  expect(await reported.getAttribute('href')).toBe(`/admin/package/${pkg.id}`);

  // Paused, the list stays as it is, and says how much came since.
  await happened.getByRole('button', { name: 'Pause' }).click();
  await happened.getByRole('button', { name: 'Paused', exact: true }).waitFor();

  // From the incident, take its package back and reassign it to the driver.
  await page.getByRole('button', { name: /#12345/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Incident #12345').waitFor();
  await dialog.getByText('Dan Driver, Delivery Driver').waitFor();
  await dialog.getByRole('button', { name: 'More actions for Walnut desk lamp' }).click();
  await dialog.getByRole('menuitem', { name: 'Delivery failed' }).click();
  await dialog.getByLabel('Driver not available').check();
  await dialog.getByRole('button', { name: 'Delivery failed' }).click();
  await dialog.getByText('No driver').waitFor();
  await dialog.getByText('Processing').waitFor();
  await page.getByText('Nobody is on the road').waitFor();
  // Not by role: the dialog hides the page from assistive technology.
  await page.getByText('1 package waits after a failed attempt').waitFor();
  await dialog.getByRole('button', { name: 'Assign driver: Walnut desk lamp' }).click();
  // Destination and owner are not part of the incident: the dialog fetches them.
  await dialog.getByText(/No address given · From: /).waitFor();
  await dialog.getByRole('radio', { name: /Dan Driver/ }).check();
  await dialog.getByRole('button', { name: 'Assign Driver' }).click();
  await dialog.getByText('Driver: Dan Driver').waitFor();
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await page
    .getByRole('button', { name: /#12345/ })
    .getByText('Resolved')
    .waitFor();
  await card('Open Issues').getByText('0', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const resolved = happened.getByRole('link', { name: /^\S+ Issue resolved/ });
  expect(await resolved.count()).toBe(0);
  await happened.getByRole('button', { name: /^Paused, \d+ new$/ }).click();
  await page.mouse.move(0, 0);
  await resolved.waitFor();

  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  await card('Active Drivers').getByText('0', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Metrics' }).getByText('100.0%').first().waitFor();
  await page.getByRole('img', { name: 'Deliveries of 7 days: 1 on time, 0 late' }).waitFor();
  // Different figures have different names, and show their denominator.
  for (const name of ['Success Rate', 'Average Delivery Time', 'Delivery Success Rate', 'Attempt Success Rate'])
    expect(await page.getByText(name, { exact: true }).count(), name).toBeLessThanOrEqual(1);
  await page.getByText('of all finished attempts').waitFor();
  await page.getByText('of all packages but cancelled ones').waitFor();
  await page.getByLabel('Period').selectOption({ label: 'Last 90 Days' });
  await page.getByRole('img', { name: /Deliveries of 90 days/ }).waitFor();
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('table', { name: 'Delivery performance by day' }).waitFor();

  // An administrator opens, cancels and deletes another user's package.
  await owner.api.packages.create({ body: { ...lamp, name: 'Brass clock' } });
  await card('Active Packages').click();
  await page.getByRole('table', { name: 'Active Packages' }).getByRole('link', { name: 'Brass clock' }).click();
  await page.getByRole('heading', { name: 'Brass clock' }).waitFor();
  await page.getByRole('link', { name: 'Olga Owner' }).waitFor();
  const confirm = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Cancel package' }).click();
  await confirm.getByRole('button', { name: 'Cancel package' }).click();
  await page.getByText('This package was cancelled').waitFor();
  await page.getByRole('button', { name: 'Delete package' }).click();
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This package was deleted').waitFor();
  expect(await page.getByRole('button', { name: /package$/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Back to Dashboard' }).click();
  await card('Active Packages').getByText('0', { exact: true }).waitFor();

  await card('Total Users').click();
  await page.getByRole('table', { name: 'Total Users' }).getByText('Olga Owner').waitFor();
  await page.getByRole('button', { name: 'Clear Filter' }).click();

  await page.getByRole('link', { name: 'View Reports' }).click();
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  await page.getByRole('button', { name: /^Completed on time/ }).click();
  const onTime = page.getByRole('table', { name: 'Completed on time' });
  await onTime.getByRole('link', { name: /^Walnut desk lamp/ }).click();
  const panel = page.getByRole('complementary', { name: 'Walnut desk lamp', exact: true });
  await panel.waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  // Figures by month, then by owner; a row lists its packages.
  const groups = (name: string) => page.getByRole('table', { name: `Figures by ${name}` });
  await groups('Month').getByRole('row').nth(1).waitFor();
  await page.getByLabel('Figures by', { exact: true }).selectOption({ label: 'Owner' });
  await groups('Owner').getByRole('button', { name: 'Olga Owner' }).click();
  await page.getByRole('table', { name: 'Completed on time: Olga Owner' }).getByText('Walnut desk lamp').waitFor();
  await groups('Owner').getByRole('button', { name: 'Delivered' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('completed');
  await page.getByRole('button', { name: 'Clear Filter' }).click();
  const figures = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  expect((await figures).suggestedFilename()).toMatch(/^figures-by-owner-.*\.csv$/);
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' }).format();
  await page.getByLabel('Period').selectOption({ label: month });
  await page.getByRole('heading', { name: `Figures for ${month}` }).waitFor();
  await onTime.getByText('Walnut desk lamp').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByRole('menuitem', { name: 'All packages' }).click();
  expect((await download).suggestedFilename()).toMatch(/^packages.*\.csv$/);
  expect(faults).toEqual([]);
  await context.close();
});

test.runIf(runsAll)('when every request fails the page shows one error, and Retry recovers it', async () => {
  const { token } = await product.api().auth.register({
    body: { name: 'Eve Admin', email: 'eve.dashboard@example.com', password: 'pond-heron-7', role: 'admin' },
  });
  const { page, context } = await openWindow(browser, { baseURL: product.url, expectFailures: /stats|incidents/ });
  await page.goto('/login');
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  const response = {
    status: 500,
    contentType: 'application/json',
    body: '{"code":"internal","message":"It broke","requestId":"x"}',
  };
  let isBroken = true;
  await page.route(/\/api\/(stats|incidents)/, (route) => (isBroken ? route.fulfill(response) : route.continue()));
  await page.goto('/admin/dashboard');
  await page.getByText('Error loading admin data').waitFor();
  await page.getByText('It broke').waitFor();
  await page.getByText(/insufficient permissions/).waitFor();
  await page.getByRole('button', { name: 'Refresh Page' }).waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Delivery Performance' }).waitFor();
  await context.close();
});
