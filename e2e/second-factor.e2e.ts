import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useEmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';
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

const password = 'pond-heron-7';
const register = (name: string, role: 'owner' | 'admin') =>
  product.api().auth.register({ body: { name, email: `${name.toLowerCase()}@example.com`, password, role } });

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The TOTP code (RFC 6238) `ahead` time steps of 30 s from now. */
function totpCode(secret: string, ahead = 0): string {
  const bits = Array.from(secret.replaceAll(' ', ''), (letter) =>
    base32Alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', key).update(step).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** @returns the secret and the recovery codes */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set Up Second Factor' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = (await page.locator('p.bg-sunken .code').textContent()) ?? '';
  // For phones, which cannot scan themselves.
  expect(await page.locator('a[href^="otpauth://totp/"]').getAttribute('href')).toContain(secret.replaceAll(' ', ''));
  await expectAccessibleInBothThemes(page, 'a second factor being set up');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn On' }).click();
  await page.getByText('This code is not right. Please try again.').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret));
  await page.getByRole('button', { name: 'Turn On' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allTextContents();
  await expectAccessible(page, 'recovery codes');
  await page.getByRole('button', { name: 'I Have Kept Them' }).click();
  return { secret, codes };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
}

test.runIf(runsAll)(
  'an owner sets up TOTP, signs in with a code and with a recovery code, and turns it off',
  async () => {
    const { token, email } = await register('Olga', 'owner');
    const first = await openWindow(browser, { baseURL: product.url, token, expectFailures: /totp\/confirm/ });
    await first.page.goto('/account');
    await first.page.getByRole('button', { name: 'Set Up Second Factor' }).click();
    await first.page.getByRole('button', { name: 'Cancel' }).click();
    await first.page.getByLabel('Code', { exact: true }).waitFor({ state: 'detached' });
    const begin = first.page.getByRole('button', { name: 'Set Up Second Factor' });
    expect(await begin.evaluate((button) => button === document.activeElement)).toBe(true);
    const { secret, codes } = await setUp(first.page);
    expect(codes).toHaveLength(10);
    await first.page.getByText('It is on: signing in asks for a code').waitFor();

    const { page } = await openWindow(browser, {
      baseURL: product.url,
      expectFailures: /auth\/login|users\/me/,
    });
    await signIn(page, email);
    const code = page.getByLabel('Code', { exact: true });
    expect([await code.getAttribute('autocomplete'), await code.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await expectAccessibleInBothThemes(page, 'the code at sign-in');
    await page.setViewportSize({ width: 320, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1440, height: 900 });
    await code.fill('000000');
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByText('This code is not right. Please try again.').waitFor();
    await code.fill(totpCode(secret, 1));
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('**/owner/dashboard');
    await page.evaluate(() => localStorage.clear());

    await signIn(page, email);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery Code').fill(codes[0] ?? '');
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('**/owner/dashboard');
    await page.goto('/account');
    await page.getByRole('button', { name: 'Turn Off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
    await dialog.getByRole('button', { name: 'Turn Off' }).click();
    await page.getByRole('button', { name: 'Set Up Second Factor' }).waitFor();
  },
);

test.runIf(runsAll)(
  'an administrator who must set up a second factor is redirected to do so, and then back',
  async () => {
    const admin = await register('Ada', 'admin');
    await product.api(admin.token).settings.update({ body: { adminTotp: 'required' } });
    const { page } = await openWindow(browser, {
      baseURL: product.url,
      expectFailures: /auth\/login|totp\/confirm|\/api\//,
    });
    await signIn(page, admin.email);
    await page.waitForURL('**/second-factor');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.goto('/admin/users');
    await page.waitForURL('**/second-factor');
    await setUp(page);
    await page.waitForURL('**/admin/dashboard');
    await product.api(admin.token).settings.update({ body: { adminTotp: 'optional' } });
  },
);

test.runIf(runsAll)(
  '15 minutes after the password was entered, a reset link asks for it again before it is created',
  async () => {
    const [admin, owner] = [await register('Adam', 'admin'), await register('Oskar', 'owner')];
    const postgres = await useEmbeddedPostgres({ dataDir: product.dataDir, log: () => {} });
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await client.query("update sessions set proved_at = now() - interval '16 minutes' where user_id = $1", [admin.id]);
    await client.end();
    await postgres.stop();
    const { page } = await openWindow(browser, {
      baseURL: product.url,
      token: admin.token,
      expectFailures: /reset-link|auth\/confirm/,
    });
    await page.goto(`/admin/users?q=${owner.email}`);
    await page.getByRole('button', { name: 'More actions for Oskar' }).click();
    await page.getByRole('menuitem', { name: 'Link for a new password...' }).click();
    await page.getByRole('button', { name: 'Create Link' }).click();
    const passwordDialog = page.getByRole('alertdialog', { name: 'Enter your password' });
    await passwordDialog.getByLabel('Password', { exact: true }).fill('not this one');
    await passwordDialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The password is not right').waitFor();
    await expectAccessibleInBothThemes(page, 'the password asked for again');
    await passwordDialog.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('/reset#token=').waitFor();
  },
);
