import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { packageInput } from './fixtures.ts';
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
async function register(name: string, role: 'owner' | 'driver' | 'admin') {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  const { token, id } = await product.api().auth.register({ body: { name, email, password, role } });
  return { id, email, token, api: product.api(token) };
}

test('the role chosen on the landing page stays selected across pages, until a sign-out', async () => {
  const { page } = await openWindow(browser, { baseURL: product.url });
  const chosen = () => page.getByRole('main').getByRole('radio', { checked: true });
  await page.goto('/');
  await page.getByRole('link', { name: 'Continue as Delivery Driver' }).click();
  await page.waitForURL('**/register?role=driver');
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await page.waitForURL('**/register');
  expect(await chosen().getAttribute('value')).toBe('driver');
  await page.goto('/');
  await page.getByRole('link', { name: 'Create Your Account' }).click();
  await page.waitForURL('**/register');
  expect(await chosen().getAttribute('value')).toBe('driver');

  await page.getByLabel('Name').fill('Dirk Driver');
  await page.getByLabel('Email').fill('dirk@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.waitForURL('**/driver/dashboard');
  await page.getByRole('button', { name: /Dirk Driver/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  expect(await chosen().getAttribute('value')).toBe('owner');
});

test('the requested page opens after signing in, with the permission for it; an expired session shows a message', async () => {
  await register('Olga Owner', 'owner');
  await register('Doris Driver', 'driver');
  const { page } = await openWindow(browser, { baseURL: product.url, expectFailures: /\/api\// });
  const toast = (text: string) => page.getByText(text, { exact: true }).waitFor();
  const signIn = async (email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await toast('Welcome back!');
  };
  await page.goto('/owner/create-package?from=mail');
  await page.waitForURL('**/login');
  await toast('Please log in to access this resource');
  await page.reload();
  await signIn('olga.owner@example.com');
  await page.waitForURL('**/owner/create-package?from=mail');

  // Her session is invalid, and a driver signs in next.
  await page.evaluate(() => localStorage.setItem('token', 'nonsense'));
  await page.goto('/owner/create-package');
  await page.waitForURL('**/login');
  await page.getByText('Authentication required. Please log in again.', { exact: true }).waitFor();
  await signIn('doris.driver@example.com');
  await page.waitForURL('**/driver/dashboard');
});

test('a driver whose session expires at the start of a delivery is redirected to the login, and back', async () => {
  const owner = await register('Otto Owner', 'owner');
  const driver = await register('Dana Driver', 'driver');
  await owner.api.packages.create({ body: packageInput });
  const { page } = await openWindow(browser, {
    baseURL: product.url,
    token: driver.token,
    expectFailures: /\/api\//,
  });
  await page.goto('/driver/dashboard?show=pending');
  await page.getByRole('button', { name: 'Start Delivery' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Confirm Start Delivery').waitFor();
  // Only this request gets the 401, before any other notices.
  await page.route('**/start', (route) =>
    route.fulfill({
      status: 401,
      json: { code: 'unauthenticated', message: 'Authentication required. Please log in again.', requestId: 'r' },
    }),
  );
  await dialog.getByRole('button', { name: 'Start Delivery' }).click();
  await page.waitForURL('**/login');
  await page.getByText('Authentication required. Please log in again.', { exact: true }).waitFor();
  await page.getByLabel('Email').fill(driver.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/driver/dashboard?show=pending');
});

test.runIf(runsAll)(
  'accounts awaiting approval appear live to administrators, and the open page lets the user in or shows the refusal',
  async () => {
    const admin = await register('Ada Admin', 'admin');
    await admin.api.settings.update({ body: { driverSignUp: 'approval' } });
    const office = await openWindow(browser, { baseURL: product.url, token: admin.token });
    await office.page.goto('/admin/dashboard');
    await office.page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();

    const { page } = await openWindow(browser, { baseURL: product.url, expectFailures: /\/api\/users\/me/ });
    const signUp = async (name: string) => {
      await page.goto('/register?role=driver');
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Email').fill(`${name.split(' ')[0]}@example.com`);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Confirm Password').fill(password);
      await page.getByRole('button', { name: 'Create Account' }).click();
      await page.getByRole('heading', { name: 'Your account awaits approval' }).waitFor();
      const { items } = await admin.api.users.list({ query: { awaitsApproval: true } });
      return items.find((user) => user.name === name)?.id ?? '';
    };
    const id = await signUp('Wanda Waiting');
    await office.page.getByText('1 account awaits approval').waitFor();
    await office.page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'Review' }).click();
    await office.page.getByRole('rowheader', { name: 'Wanda Waiting' }).waitFor();
    await admin.api.users.update({ params: { id }, body: { status: 'active' } });
    await page.waitForURL('**/driver/dashboard');
    await office.page.getByText('No users found').waitFor();

    await page.evaluate(() => localStorage.clear());
    const refused = await signUp('Rolf Refused');
    await admin.api.users.update({ params: { id: refused }, body: { status: 'suspended' } });
    // Returning to the page checks at once, without waiting for its next poll.
    const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await comeBack();
    await page.getByRole('heading', { name: 'Your account was not approved' }).waitFor();
    await page.evaluate(() => localStorage.clear());
    const removed = await signUp('Gerd Gone');
    await admin.api.users.remove({ params: { id: removed } });
    await comeBack();
    await page.getByRole('heading', { name: 'Your account is no longer there' }).waitFor();
    await admin.api.settings.update({ body: { driverSignUp: 'open' } });
  },
);

test.runIf(runsAll)('figures that fail to load show an error with Retry', async () => {
  const owner = await register('Oda Owner', 'owner');
  const driver = await register('Dino Driver', 'driver');
  const cases = [
    [owner.token, '/owner/dashboard', '**/api/packages/user/*/summary', 'The figures could not be loaded'],
    [driver.token, '/driver/dashboard', '**/api/deliveries/driver/summary', 'The figures could not be loaded'],
    [driver.token, '/driver/dashboard', '**/api/deliveries/driver?*out*', 'The next stop could not be loaded'],
  ] as const;
  async function tryAgain([token, at, api, note]: (typeof cases)[number]): Promise<void> {
    const { page } = await openWindow(browser, { baseURL: product.url, token, expectFailures: /\/api\// });
    let isBroken = true;
    await page.route(api, (route) =>
      isBroken ? route.fulfill({ status: 500, json: { code: 'internal', message: 'Kaboom' } }) : route.continue(),
    );
    await page.goto(at);
    const alert = page.getByRole('alert').filter({ hasText: note });
    await alert.getByText('Kaboom').waitFor();
    isBroken = false;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor({ state: 'detached' });
  }
  // Concurrently: most of the time is waiting for automatic retries.
  await Promise.all(cases.map(tryAgain));
});

test('an open tracker shows the deletion of a cancelled package', async () => {
  const owner = await register('Oona Owner', 'owner');
  const { id, trackingId } = await owner.api.packages.create({ body: packageInput });
  const { page } = await openWindow(browser, { baseURL: product.url });
  await page.goto(`/track/${trackingId}`);
  await page.getByText('Processing').first().waitFor();
  await owner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  await page.getByText('Cancelled').first().waitFor();
  await owner.api.packages.update({ params: { id }, body: { status: 'inactive' } });
  await page.getByText('Inactive').first().waitFor();
});
