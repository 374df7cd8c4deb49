import type { Role } from '@waybill/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, openBrowser, openWindow } from './window.ts';
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

const register = (role: Role, name: string) =>
  product.api().auth.register({
    body: { name, email: `${name.replace(' ', '.').toLowerCase()}@example.com`, password: 'pond-heron-7', role },
  });

test.runIf(runsAll)(
  'the administrators’ frame: a navigation with counts, icons below 1200 px, a bar and a sheet on a phone',
  async () => {
    const { token } = await register('admin', 'Ada Frame');
    const { page, context, faults } = await openWindow(browser, { baseURL: product.url, token });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/admin/reports');
    const nav = page.getByRole('navigation', { name: 'Administration', exact: true });
    await expect.poll(() => nav.locator('[aria-current=page]').innerText()).toBe('Reports');
    const widthOf = () => page.getByRole('complementary').evaluate((element) => element.clientWidth + 1);
    await expect.poll(widthOf).toBe(240);
    // As wide as the window, without the footer of the public pages.
    await expect.poll(() => page.getByRole('main').evaluate((element) => element.clientWidth)).toBe(1200);
    expect(await page.getByRole('contentinfo').count()).toBe(0);

    // What arrives is counted at once, on every page.
    await product.api().contact.send({
      body: { name: 'Jon Okafor', email: 'jon@example.com', message: 'Where is my lamp today?' },
    });
    await nav.getByRole('link', { name: 'Messages 1' }).waitFor();

    // The links of the footer and the theme are in the user's menu, and reached with the keyboard.
    await page.getByRole('button', { name: /^Ada Frame/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
    await page.getByRole('menuitem', { name: 'Account' }).press('Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('System theme');
    for (const name of [
      'Home',
      'Track Package',
      'About Us',
      'Contact',
      'Terms of Service',
      'Privacy Policy',
      'Licenses',
    ])
      await page.getByRole('link', { name, exact: true }).waitFor();
    await expectAccessible(page, 'the menu of the user');
    await page.keyboard.press('Escape');

    await page.setViewportSize({ width: 1000, height: 800 });
    await expect.poll(widthOf).toBe(56);
    await nav.getByRole('link', { name: 'Inventory' }).click();
    await page.waitForURL('**/admin/inventory');

    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.getByRole('navigation', { name: 'Administration, bar' });
    await expect.poll(() => bar.locator('[aria-current=page]').innerText()).toBe('Inventory');
    await bar.getByRole('link', { name: 'Messages 1' }).waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    const sheet = page.getByRole('dialog', { name: 'More' });
    await sheet.waitFor();
    await expectAccessible(page, 'the sheet of the bar');
    await sheet.getByRole('radio', { name: 'Dark theme' }).check();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'More' }).click();
    await sheet.getByRole('link', { name: 'Users' }).click();
    await page.waitForURL('**/admin/users');
    await sheet.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  },
);

test('a reload paints the frame of the last session before the server answers, and signing out forgets it', async () => {
  const { token } = await register('admin', 'Rhea Load');
  const { page, context, faults } = await openWindow(browser, { baseURL: product.url });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/login');
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.goto('/admin/users');
  await page.getByRole('rowheader', { name: 'Rhea Load' }).waitFor();

  const answer = Promise.withResolvers<void>();
  await page.route('**/api/users/me', (route) => answer.promise.then(() => route.continue()));
  await page.reload();
  const user = page.getByRole('button', { name: 'Rhea Load Administrator' });
  await user.waitFor();
  await page
    .getByRole('navigation', { name: 'Administration', exact: true })
    .getByRole('link', { name: 'Users' })
    .waitFor();
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'attached' });
  expect(await page.getByRole('link', { name: 'Sign In' }).count()).toBe(0);
  expect(await page.getByRole('contentinfo').count()).toBe(0);
  const before = await user.boundingBox();
  answer.resolve();
  await page.getByRole('rowheader', { name: 'Rhea Load' }).waitFor();
  await expect.poll(() => user.boundingBox()).toEqual(before);

  // The public pages have the same header.
  await page.goto('/about');
  await page.getByRole('link', { name: /^Your notifications/ }).waitFor();
  await page.getByRole('button', { name: 'Rhea Load' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lastSession'))).toBe(null);
  expect(faults).toEqual([]);
  await context.close();
});

test('the copy of one session is not painted for another, and never for nobody', async () => {
  const [first, second] = [await register('admin', 'Fay First'), await register('owner', 'Sam Second')];
  const { page, context } = await openWindow(browser, { baseURL: product.url });
  await page.goto('/login');
  await page.evaluate((value) => localStorage.setItem('token', value), first.token);
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: /^Fay First/ }).waitFor();
  await page.route('**/api/users/me', () => {});
  // The token is replaced by another tab that was closed before it knew the user.
  await page.evaluate((token) => localStorage.setItem('token', token), second.token);
  await page.goto('/account');
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'attached' });
  expect(await page.getByText('Fay First').count()).toBe(0);
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.goto('/login');
  await page.getByRole('link', { name: 'Register' }).first().waitFor();
  expect(await page.getByText('Fay First').count()).toBe(0);
  await context.close();
});

test('the address of the messages in earlier versions leads to their page', async () => {
  const { token } = await register('admin', 'Mia Moved');
  const { page, context } = await openWindow(browser, { baseURL: product.url, token });
  await page.goto('/admin/notifications?tab=messages&q=lamp');
  await page.waitForURL('**/admin/messages?q=lamp');
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
  await context.close();
});
