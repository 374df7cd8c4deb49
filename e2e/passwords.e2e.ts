import { setTimeout } from 'node:timers/promises';
import type { SignedIn } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let admin: SignedIn;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  const body = { name: 'Ada Admin', email: 'ada@example.com', password: 'pond-heron-7', role: 'admin' as const };
  admin = await product.api().auth.register({ body });
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const makeOwner = (email: string) => product.api(admin.token).users.create({ body: { name: 'Olga Owner', email } });

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
}

async function choose(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel('New Password').fill(password);
  await page.getByLabel('Confirm Password').fill(confirmation);
  await page.getByRole('button', { name: 'Set New Password' }).click();
}

/** Runs axe in light and dark, and narrow. */
async function expectAccessibleEverywhere(page: Page, where: string): Promise<void> {
  await expectAccessibleInBothThemes(page, where);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, `${where}, narrow`);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test.runIf(runsAll)('signing in with a one-time password requires setting a new one first', async () => {
  const { page, context, calls, faults } = await openWindow(browser, {
    baseURL: product.url,
    expectFailures: /users\/me\/password/,
  });
  const { email, temporaryPassword } = await makeOwner('olga@example.com');
  await page.goto('/login');
  await signIn(page, email, temporaryPassword ?? '');
  await page.waitForURL('**/new-password');
  await page.getByText('You signed in with a one-time password.').waitFor();
  // Also while the user is still loading, no live stream is asked for, which the server refuses until the password is set.
  await page.route('**/api/users/me', async (route) => {
    await setTimeout(500);
    await route.continue();
  });
  await page.goto('/owner/dashboard');
  await page.waitForURL('**/new-password');
  await page.getByLabel('One-Time Password').fill('not this one');
  await choose(page, 'short');
  await page.getByText('Password must be at least 6 characters').first().waitFor();
  await choose(page, 'my own secret', 'my own secrets');
  await page.getByText("Passwords don't match").waitFor();
  await choose(page, 'my own secret');
  await page.getByText('The current password is not right').waitFor();
  await expectAccessibleEverywhere(page, 'new password with faults');
  await page.getByLabel('One-Time Password').fill(temporaryPassword ?? '');
  await choose(page, 'my own secret');
  await page.waitForURL('**/owner/dashboard');
  await page.getByRole('heading', { name: 'Package Owner Dashboard' }).waitFor();
  await page.goto('/new-password');
  await page.waitForURL('**/owner/dashboard');
  expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(2);
  expect(faults).toEqual([]);
  await context.close();
});

test('a forgotten password can be reset by a link, once', async () => {
  const { page, context, faults } = await openWindow(browser, {
    baseURL: product.url,
    expectFailures: /auth\/reset/,
  });
  const { id, email } = await makeOwner('nora@example.com');
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Request a New Password' }).click();
  await page.getByText('Please enter a valid email address').waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Request a New Password' }).click();
  await page.getByText('Your request has been received').waitFor();
  await expectAccessibleEverywhere(page, 'forgot password, asked');

  const { url } = await product.api(admin.token).users.resetLink({ params: { id } });
  expect(url.startsWith(`${product.url}/reset#token=`)).toBe(true);
  await page.goto(url);
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
  await page.waitForURL(`${product.url}/reset`);
  await choose(page, 'my own secret');
  await page.waitForURL('**/login');
  await signIn(page, email, 'my own secret');
  await page.waitForURL('**/owner/dashboard');

  await page.goto(url);
  await choose(page, 'another secret');
  await page.getByText('This link has expired or has been used already.').waitFor();
  await expectAccessibleEverywhere(page, 'reset, refused');
  await page.getByRole('link', { name: 'Request a New Link' }).click();
  await page.waitForURL('**/forgot');
  await page.goto('/reset');
  await page.getByText('It is not complete.').waitFor();
  // The whole link, pasted into the same tab: the browser loads no page for it.
  await page.goto('/reset#token=pasted');
  await page.getByLabel('New Password', { exact: true }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
