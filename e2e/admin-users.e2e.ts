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

test('an administrator creates, finds, edits, views and deletes an account', async () => {
  const { token } = await product.api().auth.register({
    body: { name: 'Ada Admin', email: 'ada@example.com', password: 'pond-heron-7', role: 'admin' },
  });
  const { page, context, faults } = await openWindow(browser, {
    baseURL: product.url,
    expectFailures: /\/api\/users$/,
  });
  const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  await page.goto('/login');
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.goto('/admin/users');
  await page.getByRole('heading', { name: 'User Management' }).waitFor();
  await page.getByText('Manage users and control their permissions within the system').waitFor();

  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Create New User').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create User' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Name').fill('Dora Driver');
  await dialog.getByLabel('Email').fill('ada@example.com');
  await dialog.getByLabel('Role').selectOption('driver');
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await toast('Error');
  await dialog.getByLabel('Email').fill('dora@example.com');
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await dialog.getByText('One-time password').waitFor();
  const password = await dialog.locator('.code').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const signedIn = await product.api().auth.login({ body: { email: 'dora@example.com', password } });
  expect(signedIn).toMatchObject({ role: 'driver', mustChangePassword: true });

  await page.getByRole('searchbox', { name: 'Search users' }).fill('dora');
  const row = page.getByRole('row').filter({ hasText: 'Dora Driver' });
  await row.getByText('Driver', { exact: true }).waitFor();
  await page.waitForURL(/q=dora/);
  await page.getByText('Showing 1 of 1').waitFor();

  await row.getByRole('button', { name: 'Dora Driver', exact: true }).click();
  await dialog.getByText('User Role & Permissions').waitFor();
  await dialog.getByText('No specific permissions assigned. Using default role permissions.').waitFor();
  await dialog.getByText('deliveries.claim').waitFor();
  await page.waitForURL(/[?&]open=/);
  await page.reload();
  await dialog.getByText('deliveries.claim').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await row.getByRole('button', { name: 'Edit Dora Driver' }).click();
  await dialog.getByText('Edit User').waitFor();
  expect(await dialog.getByLabel('Email').isEditable()).toBe(false);
  await dialog.getByLabel('Status').selectOption('suspended');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await toast('User updated successfully');
  await row.getByText('Suspended').waitFor();

  const status = page.locator('#main').getByLabel('Status');
  await status.selectOption('active');
  await page.getByText('No users found').waitFor();
  await status.selectOption('all');

  await row.getByRole('button', { name: 'More actions for Dora Driver' }).click();
  await page.getByRole('menuitem', { name: 'Delete...' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByText('Are you sure you want to delete this user?').waitFor();
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await toast('User deleted successfully');
  await page.getByText('No users found').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('searchbox', { name: 'Search users' }).fill('');
  await page.getByRole('rowheader', { name: 'Ada Admin' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(faults).toEqual([]);
  await context.close();
});

test.runIf(runsAll)(
  'accounts that await approval stand first, and several are activated or suspended at once, with a report of what was refused',
  async () => {
    const register = async (name: string, role: 'driver' | 'admin') => {
      const body = { name, email: `${name.replace(' ', '.')}@example.com`, password: 'pond-heron-7', role };
      const { token, id } = await product.api().auth.register({ body });
      return { id, token, api: product.api(token) };
    };
    const admin = await register('Anna Approver', 'admin');
    const drivers = [await register('Sim One', 'driver'), await register('Sim Two', 'driver')];
    await admin.api.settings.update({ body: { driverSignUp: 'approval' } });
    const waiting = await register('Wanda Waits', 'driver');
    await admin.api.settings.update({ body: { driverSignUp: 'open' } });
    const { page } = await openWindow(browser, {
      baseURL: product.url,
      token: admin.token,
      expectFailures: /\/api\/users\/[\w-]+$/,
    });
    await page.goto('/admin/users');
    await page.getByRole('button', { name: /^Waiting for approval\s+1$/ }).waitFor();
    expect(await page.locator('tr[data-row]').first().innerText()).toContain('Wanda Waits');
    await page.getByRole('button', { name: 'Approve Wanda Waits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Approve and activate 1 account?').waitFor();
    await dialog.getByRole('button', { name: 'Activate account' }).click();
    await dialog.getByText('1 account activated.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Waiting for approval/ }).waitFor({ state: 'detached' });
    expect((await waiting.api.users.me()).status).toBe('active');

    await page.goto('/admin/users?q=sim');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.waitForURL(/sort=name/);
    await expect
      .poll(() => page.getByRole('rowheader').allInnerTexts())
      .toEqual([expect.stringContaining('Sim One'), expect.stringContaining('Sim Two')]);
    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await page.getByRole('button', { name: 'Suspend...' }).click();
    await dialog.getByText('Are you sure you want to suspend 2 accounts?').waitFor();
    await dialog.getByLabel('Their deliveries under way').selectOption('release');
    // Gone meanwhile: the server refuses this one.
    await admin.api.users.remove({ params: { id: drivers[1]?.id ?? '' } });
    await dialog.getByRole('button', { name: 'Suspend accounts' }).click();
    await dialog.getByText('1 account suspended, 1 refused.').waitFor();
    await dialog.getByRole('list', { name: 'Refused' }).getByText('Sim Two').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await admin.api.users.get({ params: { id: drivers[0]?.id ?? '' } })).status).toBe('suspended');

    // On a phone rows are sorted by a list, and selected by a long press.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Sort by').selectOption({ label: 'Name, descending' });
    await page.waitForURL(/sort=-name/);
  },
);

test.runIf(runsAll)(
  'suspending a driver asks what becomes of their deliveries, and new accounts appear live',
  async () => {
    const register = async (name: string, role: 'owner' | 'driver' | 'admin') => {
      const body = { name, email: `${name.replace(' ', '.')}@example.com`, password: 'pond-heron-7', role };
      const { token, id } = await product.api().auth.register({ body });
      return { id, token, api: product.api(token) };
    };
    const admin = await register('Aldo Admin', 'admin');
    const owner = await register('Olga Owner', 'owner');
    const busy = await register('Berta Busy', 'driver');
    const packages = [
      await owner.api.packages.create({ body: packageInput }),
      await owner.api.packages.create({ body: packageInput }),
    ];
    for (const { id } of packages) await busy.api.deliveries.start({ params: { id } });
    const { page } = await openWindow(browser, { baseURL: product.url, token: admin.token });
    await page.goto('/admin/users');
    await page.getByRole('rowheader', { name: 'Berta Busy' }).waitFor();
    const taker = await register('Tilda Taker', 'driver');
    await page.getByRole('rowheader', { name: 'Tilda Taker' }).waitFor();

    // More drivers than one page has: the search queries the server for the others.
    await page.route(/shifts\/drivers\?(?!.*\bq=)/, (route) =>
      route.fulfill({ json: [], headers: { link: '</api/shifts/drivers?cursor=next>; rel="next"' } }),
    );
    await page.getByRole('button', { name: 'Edit Berta Busy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Status').selectOption('suspended');
    await dialog.getByText('2 deliveries under way. What happens to them?').waitFor();
    expect(await dialog.getByRole('radio', { name: /Leave with Berta Busy/ }).isChecked()).toBe(true);
    await dialog.getByRole('radio', { name: /Give to another driver/ }).check();
    await dialog.getByRole('searchbox', { name: 'Search drivers' }).fill('Tilda');
    await dialog.getByRole('option', { name: /Tilda Taker/ }).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await dialog.getByText('Please choose a driver').waitFor();
    await dialog.getByLabel('Driver', { exact: true }).selectOption({ label: 'Tilda Taker · nothing on the road' });
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('User updated successfully').first().waitFor();
    expect((await taker.api.deliveries.summary()).active).toBe(2);

    await page.getByRole('button', { name: 'More actions for Tilda Taker' }).click();
    await page.getByRole('menuitem', { name: 'Delete...' }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation.getByRole('radio', { name: /Take back/ }).check();
    await confirmation.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('User deleted successfully').first().waitFor();
    const [pkg] = packages;
    const { id, trackingId } = await owner.api.packages.read({ params: { id: pkg?.id ?? '' } });
    const left = await register('Lena Left', 'driver');
    await left.api.deliveries.start({ params: { id } });
    await admin.api.users.update({ params: { id: left.id }, body: { status: 'suspended' } });
    await page.goto(`/track/${trackingId}`);
    await page.getByRole('heading', { name: 'A new delivery is being arranged' }).waitFor();
    expect(await page.title()).toContain('A new delivery is being arranged');
    const { page: owners } = await openWindow(browser, { baseURL: product.url, token: owner.token });
    await owners.goto(`/owner/package/${id}`);
    await owners.getByText('The driver who has it is no longer available.').waitFor();
  },
);
