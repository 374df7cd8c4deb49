import type { Client, Role, SignedIn } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageInput } from './fixtures.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { osmHeader, townExtract } from '../server/src/testing/osm-extract.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let admin: SignedIn;
beforeAll(async () => {
  [product, browser] = await Promise.all([
    startProduct({ WORKERS: '2', RETENTION_RECIPIENT_DAYS: '90' }),
    openBrowser(),
  ]);
  admin = await register('admin', 'Ada Admin');
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const register = (role: Role, name: string) =>
  product.api().auth.register({
    body: { name, email: `${name.replace(' ', '.').toLowerCase()}@example.com`, password: 'pond-heron-7', role },
  });

async function openAs(user: SignedIn, path: string, expectFailures?: RegExp) {
  const window = await openWindow(browser, { baseURL: product.url, ...(expectFailures && { expectFailures }) });
  await window.context.addInitScript((token) => localStorage.setItem('token', token), user.token);
  await window.page.goto(path);
  return window;
}

/** The different answers of the workers: connections opened at once are given to them in turn. */
async function inAllWorkers<Answer>(ask: (api: Client) => Promise<Answer>): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(product.api())));
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
}

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Settings saved').first().waitFor();
};

test.runIf(runsAll)(
  'an administrator closes driver sign-up: an open form is refused, a new one does not offer the role',
  async () => {
    const late = await openWindow(browser, { baseURL: product.url, expectFailures: /auth\/register/ });
    await late.page.goto('/register');
    await late.page.getByText('Pick up and deliver').waitFor();

    const { page } = await openAs(admin, '/admin/dashboard');
    await page.getByRole('link', { name: 'System Settings' }).click();
    await page.getByRole('tab', { name: 'Sign-up' }).click();
    await page.waitForURL('**/admin/settings?tab=sign-up');
    expect(await page.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true);
    await page.getByLabel('Drivers').selectOption('closed');
    await save(page);
    expect(await page.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true);
    await expect
      .poll(() => inAllWorkers((api) => api.auth.signUpPolicy()))
      .toEqual([expect.objectContaining({ driver: 'closed' })]);

    await late.page.getByRole('radio', { name: /Delivery Driver/ }).check();
    await late.page.getByLabel('Name').fill('Dan Driver');
    await late.page.getByLabel('Email').fill('dan@example.com');
    await late.page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
    await late.page.getByLabel('Confirm Password').fill('pond-heron-7');
    await late.page.getByRole('button', { name: 'Create Account' }).click();
    await late.page.getByText('Registration as driver is closed.').first().waitFor();
    await late.page.reload();
    await late.page.getByText('Closed on this server').waitFor();
  },
);

test.runIf(runsAll)(
  'name and logo of the organisation appear in header, title, tracker and sign-in, on open pages too',
  async () => {
    const bystander = await openAs(await register('owner', 'Olga Owner'), '/owner/dashboard', /api|media|assets/);
    await bystander.page.getByRole('link', { name: 'Waybill home' }).waitFor();
    await bystander.settled();
    // What changed while a page had no live stream shows as soon as it has one.
    await bystander.context.setOffline(true);
    const { settings } = product.api(admin.token);
    await settings.update({ body: { organisationName: 'Acme Post' } });
    await bystander.context.setOffline(false);
    await bystander.page.getByRole('link', { name: 'Acme Post home' }).waitFor();
    const { page } = await openAs(admin, '/admin/settings', /api\/settings$/);
    await page.getByLabel('Organisation Name').fill('A');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Organisation name must be at least 2 characters').waitFor();
    await page.getByLabel('Organisation Name').fill('Acme Parcels');
    await page.getByLabel('Choose logo').setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: dot });

    // Switching tabs does not discard input.
    await page.getByRole('tab', { name: 'Retention' }).click();
    await page.getByRole('alertdialog').getByText('Leave this page?').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await save(page);
    await page.getByRole('link', { name: 'Acme Parcels home' }).waitFor();
    expect(await page.title()).toBe('System Settings · Acme Parcels');
    await bystander.page.getByRole('link', { name: 'Acme Parcels home' }).waitFor();

    await page.getByRole('tab', { name: 'Retention' }).click();
    await page.getByText('Set by RETENTION_RECIPIENT_DAYS in the environment of the server').waitFor();
    expect(await page.getByLabel('Recipients, after delivery').isDisabled()).toBe(true);

    await expect
      .poll(() => inAllWorkers((api) => api.settings.organisation()))
      .toEqual([expect.objectContaining({ name: 'Acme Parcels' })]);
    const visitor = await openWindow(browser, { baseURL: product.url });
    await visitor.page.goto('/track');
    await visitor.page.getByRole('link', { name: 'Acme Parcels home' }).waitFor();
    expect(await visitor.page.title()).toBe('Track Your Package · Acme Parcels');
    expect(await visitor.page.locator('header img').getAttribute('src')).toMatch(/^\/media\/branding\//);
    await visitor.page.goto('/login');
    await visitor.page.getByText('Sign in to your Acme Parcels account.').waitFor();
  },
);

test('the text of an email is changed beside its preview, in light and dark, and reset', async () => {
  const { page } = await openAs(admin, '/admin/settings?tab=messages');
  await page.getByLabel('Who gets it').selectOption('Drivers');
  await page.getByLabel('Message', { exact: true }).selectOption('New rating');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  const mail = page.frameLocator('iframe[title="The email"]');
  await mail.getByRole('paragraph').filter({ hasText: '5 von 5' }).waitFor();
  await page.getByLabel('Subject').fill('Lob: ');
  await page.getByRole('button', { name: 'Stars' }).click();
  await page.getByLabel('Text', { exact: true }).fill('<b>Danke</b>\n\nWeiter so, {stars}!');
  await mail.getByRole('heading', { name: 'Lob: 5' }).waitFor();
  expect(await mail.getByRole('paragraph').filter({ hasText: 'Weiter so, 5!' }).innerText()).toBe('Weiter so, 5!');
  await mail.getByRole('paragraph').filter({ hasText: '<b>Danke</b>' }).waitFor();
  const colour = () => mail.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(await colour()).toBe('rgb(244, 245, 247)');
  await page.getByRole('button', { name: 'Show in dark' }).click();
  await expect.poll(colour).toBe('rgb(22, 24, 29)');
  await page.getByRole('button', { name: 'Show as wide as a phone' }).click();
  expect(await page.locator('iframe').evaluate(({ clientWidth }) => clientWidth)).toBe(320);

  // Another message is only shown once the changes may be lost.
  await page.getByRole('combobox', { name: 'Language' }).selectOption('fr');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByLabel('Subject').inputValue()).toBe('Lob: {stars}');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Text saved').first().waitFor();
  expect(await page.getByRole('button', { name: 'Send me a test' }).isDisabled()).toBe(true);
  const params = { kind: 'driver.package.rated', language: 'de' };
  const saved = await product.api(admin.token).templates.read({ params });
  expect(saved).toMatchObject({ subject: 'Lob: {stars}', paragraphs: ['<b>Danke</b>', 'Weiter so, {stars}!'] });
  await page.getByRole('button', { name: 'Built-in text' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use the built-in text' }).click();
  await mail.getByRole('paragraph').filter({ hasText: '5 von 5' }).waitFor();
  expect(await product.api(admin.token).templates.read({ params })).toMatchObject({ version: 0 });
});

test('what is stored about a recipient is found, exported, and erased after typed confirmation', async () => {
  const { token } = await register('owner', 'Rita Owner');
  const pkg = await product.api(token).packages.create({
    body: { ...packageInput, recipientName: 'Quentin Quillfeather', recipientContact: 'quentin@example.com' },
  });
  const { page } = await openAs(admin, '/admin/settings?tab=persons', /api\/persons/);
  const search = page.getByLabel('Name, email or phone');
  await search.fill('quentin@');
  await search.press('Enter');
  await page.getByRole('checkbox', { name: 'Quentin Quillfeather' }).check();
  const erase = page.getByRole('button', { name: 'Erase...' });
  await page.getByText('the delivery has not ended').waitFor();
  expect(await erase.isDisabled()).toBe(true);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toMatch(/^person-.*\.zip$/);

  await product.api(token).packages.update({ params: { id: pkg.id }, body: { status: 'cancelled' } });
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('cancelled').waitFor();
  await page.getByRole('checkbox', { name: 'Quentin Quillfeather' }).check();
  await erase.click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await dialog.getByRole('alert').or(dialog.getByText('Please type “erase”')).first().waitFor();
  await dialog.getByLabel('Type “erase” to confirm').fill('erase');
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('Nobody found').waitFor();
  const erased = await product.api(token).packages.read({ params: { id: pkg.id } });
  expect(erased).toMatchObject({ recipientName: 'Removed', recipientContact: null });
});

test.runIf(runsAll)(
  'an extract is uploaded, refused with its reason or shown as the map, and removed again',
  async () => {
    const { page } = await openAs(admin, '/admin/settings?tab=map');
    const input = page.locator('input[type=file]');
    const choose = (buffer: Buffer) =>
      input.setInputFiles({ name: 'town.osm.pbf', mimeType: 'application/octet-stream', buffer });
    await page.getByText('None yet: countries and cities only').waitFor();
    await choose(Buffer.concat([osmHeader(), Buffer.from('and then nonsense')]));
    await page.getByText('town.osm.pbf was not imported').waitFor();
    await choose(townExtract());
    await page.getByText('The extract below').waitFor();
    await page.locator('[data-map=drawn]').waitFor();
    await page.getByRole('button', { name: 'Remove Extract' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('None yet: countries and cities only').waitFor();
  },
);

test.runIf(runsAll)(
  'an owner finds an address of the address book, renames it, and takes back that it was deleted',
  async () => {
    const owner = await register('owner', 'Bella Owner');
    const api = product.api(owner.token);
    for (const street of ['Am Kai 1', 'Am Markt 2']) await api.addresses.create({ body: { street, city: 'Hamburg' } });
    const { page } = await openAs(owner, '/account');
    await page.getByRole('link', { name: 'Open Address Book' }).click();
    const list = page.getByRole('list', { name: 'Addresses' });
    await list.getByText('Am Markt 2').waitFor();
    await page.getByRole('searchbox').fill('kai');
    await list.getByText('Am Markt 2').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit Am Kai 1, Hamburg' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Anna Berg');
    await page.getByLabel('Latitude and longitude').fill('53.54610, 9.96580');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await list.getByText('Anna Berg').waitFor();
    await page.getByRole('button', { name: 'Delete Am Kai 1, Hamburg' }).click();
    await page.getByText('No address has these words').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await list.getByText('Anna Berg').waitFor();
    const { items } = await api.addresses.list({ query: { q: 'kai' } });
    expect(items).toMatchObject([
      { name: 'Anna Berg', street: 'Am Kai 1', place: { lat: 53.5461, lon: 9.9658, accuracy: 'pin' } },
    ]);
  },
);

test.runIf(runsAll)('a custom role is created and assigned, and its holder sees what it allows, no more', async () => {
  const clerk = await register('admin', 'Carl Clerk');
  const { page } = await openAs(admin, '/admin/settings?tab=roles', /api\/roles\/[\w-]+$/);
  await page.getByRole('button', { name: 'Add Role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Front desk');
  await dialog.getByLabel('Description').fill('Looks after accounts');
  await dialog.getByLabel('admin.manage_users').check();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Choose all: Roles' }).click();
  await dialog.getByLabel('roles.delete').uncheck();
  await dialog.getByRole('button', { name: 'Create Role' }).click();
  const role = page.getByRole('listitem').filter({ hasText: 'Front desk' });
  await role.getByText('4 permissions').waitFor();

  await page.goto('/admin/users?q=carl');
  await page.getByRole('button', { name: 'Carl Clerk', exact: true }).click();
  await dialog.getByRole('button', { name: 'Change Role & Permissions' }).click();
  await page.getByLabel('Custom Role').selectOption({ label: 'Front desk' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('User updated successfully').first().waitFor();
  await page.getByRole('button', { name: 'Carl Clerk', exact: true }).click();
  await dialog.getByText('Custom role: Front desk').waitFor();
  await page.keyboard.press('Escape');

  // Editing other fields of the account neither hides nor removes the role.
  const row = page.getByRole('row').filter({ hasText: 'Carl Clerk' });
  await row.getByText('Front desk').waitFor();
  await row.getByRole('button', { name: 'Edit Carl Clerk' }).click();
  await dialog.getByText('Custom role: Front desk').waitFor();
  await dialog.getByLabel('Name').fill('Carla Clerk');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByRole('row').filter({ hasText: 'Carla Clerk' }).getByText('Front desk').waitFor();

  const own = await openAs(clerk, '/admin/users');
  await own.page.getByRole('rowheader', { name: 'Carla Clerk' }).waitFor();
  const navLinks = own.page.getByRole('navigation', { name: 'Administration' }).getByRole('link');
  expect(await navLinks.allInnerTexts()).toEqual(['Board', 'Users', 'Settings']);
  expect(await own.page.getByRole('button', { name: 'Add User' }).count()).toBe(0);
  expect(await own.page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  await own.page.goto('/admin/settings');
  await own.page.getByText('Front desk').waitFor();
  expect(await own.page.getByRole('tab').allInnerTexts()).toEqual(['Roles & Permissions']);

  await page.goto('/admin/settings?tab=roles');
  await role.getByText('1 user has this role').waitFor();
  await role.getByRole('button', { name: 'Delete Front desk' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByText('1 user has it. It can be deleted once they have another one.').waitFor();
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await confirmation.getByText('1 user holds this role. Give them another one first.').waitFor();
});

test('an administrator creates a password reset link, which is shown once and works', async () => {
  const { id } = await register('owner', 'Nora Owner');
  const { page } = await openAs(admin, '/admin/users?q=nora');
  await page.getByRole('button', { name: 'More actions for Nora Owner' }).click();
  await page.getByRole('menuitem', { name: 'Link for a new password...' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It works once, within one hour').waitFor();
  await dialog.getByRole('button', { name: 'Create Link' }).click();
  await dialog.getByText('Works once, until').waitFor();
  await dialog.getByRole('button', { name: 'Copy link' }).waitFor();
  const link = await dialog.locator('.code').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();

  const visitor = await openWindow(browser, { baseURL: product.url });
  await visitor.page.goto(link);
  await visitor.page.getByLabel('New Password').fill('another secret');
  await visitor.page.getByLabel('Confirm Password').fill('another secret');
  await visitor.page.getByRole('button', { name: 'Set New Password' }).click();
  await visitor.page.waitForURL('**/login');
  const signedIn = await product
    .api()
    .auth.login({ body: { email: 'nora.owner@example.com', password: 'another secret' } });
  expect(signedIn.id).toBe(id);
});

test.runIf(runsAll)('days of the audit log are chosen, and cleared with its other filters', async () => {
  const { page } = await openAs(admin, '/admin/audit?q=nobody');
  await page.getByText('No entries found').waitFor();
  const when = page.getByLabel('When', { exact: true });
  const from = page.getByLabel('From', { exact: true });
  expect(await when.inputValue()).toBe('all');
  await when.selectOption('Choose days...');
  await from.fill('2026-01-02');
  await page.waitForURL(/from=[^&]*2026-01-02/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('table', { name: 'Audit log' }).getByText('Account created').first().waitFor();
  await from.waitFor({ state: 'detached' });
  expect(await when.inputValue()).toBe('all');
});

test.runIf(runsAll)('a row of tabs tells at which ends more of them are hidden', async () => {
  const { page } = await openAs(admin, '/admin/settings');
  await page.setViewportSize({ width: 820, height: 1180 });
  const tabs = page.getByRole('tablist', { name: 'Sections' });
  const row = tabs.locator('..');
  await tabs.waitFor();
  await expect.poll(() => row.evaluate((element) => element.matches('[data-after]:not([data-before])'))).toBe(true);
  await tabs.getByRole('tab', { name: 'Retention' }).click();
  await expect.poll(() => row.evaluate((element) => element.matches('[data-after][data-before]'))).toBe(true);
});

/** A GIF of one pixel. */
const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
