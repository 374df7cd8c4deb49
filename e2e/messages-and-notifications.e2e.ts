import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeadLetter } from './dead-letters.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let accountCount = 0;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

async function register(role: 'owner' | 'driver' | 'admin', name: string) {
  const email = `notified${++accountCount}@example.com`;
  const { token } = await product.api().auth.register({ body: { name, email, password: 'pond-heron-7', role } });
  return { token, email, api: product.api(token) };
}
const packageInput = {
  name: 'Walnut desk lamp',
  description: 'A lamp of walnut and brass',
  category: 'Furniture',
  weight: 2.5,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
} as const;

test('a visitor sends messages with and without JavaScript, and an administrator answers and resolves them', async () => {
  const admin = await register('admin', 'Ada Admin');
  const { page } = await openWindow(browser, { baseURL: product.url, token: admin.token });
  await page.goto('/admin/dashboard');
  await page
    .getByRole('navigation', { name: 'Administration', exact: true })
    .getByRole('link', { name: 'Messages' })
    .click();
  await page.getByText('No messages found').waitFor();

  const without = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
  const plain = await without.newPage();
  await plain.goto('/contact');
  await plain.getByLabel('Name').fill('Vera Visitor');
  await plain.getByLabel('Email').fill('vera');
  await plain.getByLabel('Message').fill('Where is my lamp?\nIt was to come on Tuesday.');
  await plain.getByRole('button', { name: 'Send Message' }).click();
  await plain.getByText('Please enter a valid email address').waitFor();
  expect(await plain.getByLabel('Message').inputValue()).toBe('Where is my lamp?\nIt was to come on Tuesday.');
  await plain.getByLabel('Email').fill('vera@example.com');
  await plain.getByRole('button', { name: 'Send Message' }).click();
  await plain.getByText('Your message has arrived').waitFor();
  await without.close();
  // It appears live.
  await page.getByText('Where is my lamp?').waitFor();

  const visitor = await openWindow(browser, { baseURL: product.url, expectFailures: /\/api\/contact/ });
  await visitor.page.goto('/contact');
  // Wait for hydration (Preact marks the root with `__k`): earlier, the form would submit as without JavaScript.
  await visitor.page.waitForFunction(() => '__k' in (document.getElementById('root') ?? {}));
  await visitor.page.getByLabel('Name').fill('Jon Okafor');
  await visitor.page.getByLabel('Email').fill('jon@example.com');
  await visitor.page.getByLabel('Message').fill('Short');
  await visitor.page.getByRole('button', { name: 'Send Message' }).click();
  await visitor.page.getByText('Message must be at least 10 characters').waitFor();
  expect(await visitor.page.getByLabel('Email').inputValue()).toBe('jon@example.com');
  await visitor.page.getByLabel('Message').fill('I cannot sign in any more.');
  await visitor.page.getByRole('button', { name: 'Send Message' }).click();
  await visitor.page.getByText('Your message has arrived').waitFor();
  expect(new URL(visitor.page.url()).search).toBe('');

  const item = page.getByRole('listitem').filter({ hasText: 'Vera Visitor' });
  await page.getByText('I cannot sign in any more.').waitFor();
  expect(await item.getByRole('link', { name: /Reply/ }).getAttribute('href')).toMatch(/^mailto:vera@example\.com\?/);
  await item.getByRole('button', { name: /Resolve/ }).click();
  await item.getByText('by Ada Admin').waitFor();
  await page.getByLabel('Status').selectOption('Open');
  await item.waitFor({ state: 'detached' });
  await page.getByText('Jon Okafor').waitFor();
  expect(new URL(page.url()).search).toBe('?status=Open');

  await page.goto('/notifications?show=unread');
  await page.getByRole('link', { name: 'New message' }).first().click();
  await page.waitForURL('**/admin/messages');
});

test.runIf(runsAll)('an owner turns one kind of notification off and gets only the others', async () => {
  const [owner, driver] = [await register('owner', 'Olga Owner'), await register('driver', 'Dan Driver')];
  const { page } = await openWindow(browser, { baseURL: product.url, token: owner.token });
  await page.goto('/owner/dashboard');
  await page.getByRole('link', { name: 'Manage Notifications' }).click();
  const next = page.getByRole('checkbox', { name: /^Next stop/ });
  await next.click();
  const off = async () => (await owner.api.notifications.preferences()).inApp.filter(({ on }) => !on);
  await expect.poll(off).toMatchObject([{ kind: 'delivery.next' }]);
  await page.reload();
  await next.waitFor();
  expect(await next.isChecked()).toBe(false);
  expect(await page.getByRole('checkbox', { name: /^Issues/ }).isChecked()).toBe(true);

  const { id } = await owner.api.packages.create({ body: packageInput });
  for (const step of ['start', 'next', 'complete'] as const) await driver.api.deliveries[step]({ params: { id } });
  await page.getByRole('link', { name: 'Your notifications, 2 unread' }).click();
  await page.getByText('Your package “Walnut desk lamp” has been delivered.').waitFor();
  await page.getByText('Your package “Walnut desk lamp” is on its way.').waitFor();
  expect(await page.getByRole('main').getByRole('heading', { level: 3 }).count()).toBe(2);
  await page.getByRole('tab', { name: 'Unread' }).click();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByText('Nothing is unread').waitFor();
  await page.getByRole('link', { name: 'Your notifications', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'All' }).click();
  await page.getByRole('link', { name: 'Delivered' }).click();
  await page.waitForURL(`**/owner/package/${id}`);
});

test.runIf(runsAll)('an administrator sees a failed notification and retries it, and it arrives', async () => {
  const [owner, admin] = [await register('owner', 'Paula Owner'), await register('admin', 'Otto Admin')];
  const { id, trackingId } = await owner.api.packages.create({ body: packageInput });
  await owner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  const received = async () => (await owner.api.notifications.list()).items.filter(({ packageId }) => packageId === id);
  await expect.poll(received).toHaveLength(1);
  await createDeadLetter(product, id);
  expect(await received()).toEqual([]);

  const { page } = await openWindow(browser, { baseURL: product.url, token: admin.token });
  await page.goto('/admin/notifications');
  await page.getByLabel('State').selectOption('failed');
  const row = page.getByRole('row').filter({ hasText: trackingId });
  await row.getByText('the disk is full').waitFor();
  await row.getByText('Paula Owner').waitFor();
  await row.getByText('In the app', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Retry “Package cancelled” to Paula Owner' }).click();
  await page.getByText('Notification retried').first().waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('State').selectOption('delivered');
  await row.getByText('Sent', { exact: true }).waitFor();
  expect(await received()).toHaveLength(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^notifications-.*\.csv$/);
});
