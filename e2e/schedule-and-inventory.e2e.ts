import { createClient } from '@waybill/contract';
import type { Role } from '@waybill/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let admin: Awaited<ReturnType<typeof register>>;
let driver: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  admin = await register('admin', 'Ada Admin');
  driver = await register('driver', 'Dora Driver');
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

async function register(role: Role, name: string) {
  const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
  const { id, token } = await product.api().auth.register({ body: { name, email, password: 'pond-heron-7', role } });
  return { id, token, api: createClient({ baseUrl: product.url, token: () => token }) };
}

const openAs = (token: string, expectFailures?: RegExp) =>
  openWindow(browser, { baseURL: product.url, timezoneId: 'Europe/Berlin', token, expectFailures });

const hour = 3_600_000;
const around = (from: number, to: number) => ({
  startsAt: new Date(Date.now() + from * hour).toISOString(),
  endsAt: new Date(Date.now() + to * hour).toISOString(),
});

test.runIf(runsAll)(
  'an administrator plans a night shift across a clock change, copies the week, and edits and deletes shifts',
  async () => {
    const { page } = await openAs(admin.token, /\/api\/shifts$/);
    const dialog = page.getByRole('dialog');
    const shift = (name: string) => page.getByRole('button', { name });
    await page.goto('/admin/dashboard');
    await page.getByRole('link', { name: 'Driver Schedule' }).click();
    await page.getByRole('button', { name: 'Add Shift' }).waitFor();
    await page.goto('/admin/schedule?week=2026-03-25');
    await page.getByRole('heading', { name: '23 to 29 March 2026' }).waitFor();

    // The arrow key moves from Friday's cell to Saturday's.
    await shift('Add a shift: Dora Driver, Fri 27 Mar').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await dialog.getByText('Add Shift').first().waitFor();
    await dialog.getByLabel('Start').fill('22:00');
    await dialog.getByLabel('End').fill('06:00');
    await dialog.getByText('7 h, next day').waitFor();
    await dialog.getByLabel('Note').fill('Night round');
    await dialog.getByRole('button', { name: 'Add Shift' }).click();
    await shift('Dora Driver, Sat 28 Mar, 22:00 – 06:00').waitFor();
    expect((await admin.api.shifts.list({ query: { from: '2026-03-01T00:00:00Z' } })).items).toMatchObject([
      { startsAt: '2026-03-28T21:00:00.000Z', endsAt: '2026-03-29T04:00:00.000Z', note: 'Night round' },
    ]);

    // An overlap is refused, and the input stays to be corrected.
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add Shift' }).click();
    await dialog.getByRole('button', { name: 'Add Shift' }).click();
    await dialog.getByText('Please choose a driver').waitFor();
    await dialog.getByLabel('Driver').selectOption('Dora Driver');
    await dialog.getByLabel('Date').fill('2026-03-28');
    await dialog.getByLabel('Start').fill('20:00');
    await dialog.getByLabel('End').fill('23:00');
    await dialog.getByRole('button', { name: 'Add Shift' }).click();
    await dialog.getByText('This driver already has a shift at that time').waitFor();
    await dialog.getByLabel('End').fill('22:00');
    await dialog.getByRole('button', { name: 'Add Shift' }).click();
    await shift('Dora Driver, Sat 28 Mar, 20:00 – 22:00').waitFor();

    await page.getByRole('button', { name: 'Copy Week' }).click();
    await dialog.getByRole('button', { name: 'Copy Week' }).click();
    await dialog.getByText('2 shifts were copied').waitFor();
    await dialog.getByRole('button', { name: 'Show next week' }).click();
    await page.getByRole('heading', { name: '30 March to 5 April 2026' }).waitFor();
    await shift('Dora Driver, Sat 4 Apr, 22:00 – 06:00').click();
    await dialog.getByText('8 h, next day').waitFor();
    await dialog.getByLabel('End').fill('05:30');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await shift('Dora Driver, Sat 4 Apr, 22:00 – 05:30').waitFor();

    await shift('Dora Driver, Sat 4 Apr, 20:00 – 22:00').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to delete this shift?').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await shift('Dora Driver, Sat 4 Apr, 20:00 – 22:00').waitFor({ state: 'detached' });
    await page.reload();
    await shift('Dora Driver, Sat 4 Apr, 22:00 – 05:30').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: '23 to 29 March 2026' }).waitFor();
  },
);

test.runIf(runsAll)(
  'a current shift puts its driver on duty: live on the dashboards, and first in the assign dialog',
  async () => {
    const owner = await register('owner', 'Olga Owner');
    await register('driver', 'Adam Absent');
    const content = { description: 'A lamp of walnut and brass', category: 'Furniture' as const, weight: 2.5 };
    for (const [name, location] of [
      ['Old lamp', 'North Gate'],
      ['New lamp', 'north gate'],
      ['Lost lamp', undefined],
    ] as const)
      await owner.api.packages.create({
        body: { ...content, name, location, recipientName: 'Mara Lindqvist', recipientContact: '+49 151 2345678' },
      });

    const driving = await openAs(driver.token);
    await driving.page.goto('/driver/dashboard');
    await driving.page.getByText('No shift planned').waitFor();
    const { page } = await openAs(admin.token);
    await page.goto('/admin/dashboard');
    await page.getByText('Nobody is on the road').waitFor();
    await admin.api.shifts.create({ body: { driverId: driver.id, ...around(-1, 3) } });
    await page
      .getByRole('region', { name: 'Live Operations' })
      .getByText(/On duty until/)
      .waitFor();
    await driving.page.getByText(/On duty until/).waitFor();

    await page.getByRole('main').getByRole('link', { name: 'Inventory' }).click();
    const count = (name: string) => page.getByRole('button', { name, exact: true });
    await count('North Gate, Processing: 2').waitFor();
    await count('No location, Processing: 1').waitFor();
    const longest = page.getByRole('list', { name: 'Waiting longest' });
    await longest.getByRole('listitem').first().getByText('Old lamp').waitFor();

    await longest.getByRole('button', { name: 'Assign driver: Old lamp' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio').first().waitFor();
    expect(await dialog.getByRole('radio').first().getAttribute('value')).toBe(driver.id);
    await dialog.getByRole('radio', { name: /Dora Driver/ }).check();
    await dialog.getByRole('button', { name: 'Assign Driver' }).click();
    await count('With the driver, Out for Delivery: 1').click();
    const rows = page.getByRole('table', { name: 'With the driver: Out for Delivery' });
    await rows.getByText('Old lamp').waitFor();
    await rows.getByText('Dora Driver').waitFor();
    await rows.getByRole('link', { name: /^Old lamp/ }).click();
    const panel = page.getByRole('complementary', { name: 'Old lamp', exact: true });
    await panel.getByText('1 of 1').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await rows.getByRole('checkbox', { name: 'Select Old lamp' }).check();
    await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Cancel...' }).click();
    await dialog.getByText('None of the chosen packages can be cancelled.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel packages' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.waitFor({ state: 'detached' });

    // Changes made elsewhere appear live.
    await driver.api.deliveries.complete({ params: { id: (await driver.api.deliveries.mine()).items[0]?.id ?? '' } });
    await count('No location, Delivered: 1').waitFor();
    await page.getByRole('button', { name: 'Clear Filter' }).click();
    await page.getByRole('searchbox', { name: 'Search places' }).fill('gate');
    await count('No location, Processing: 1').waitFor({ state: 'detached' });
    await count('All places, Total: 3').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^inventory-.*\.csv$/);
  },
);

test.runIf(runsAll)(
  'a driver who falls ill enters it on the phone; the schedule shows it, and dispatch gives the stops to a colleague in one click',
  async () => {
    const ill = await register('driver', 'Ivo Ill');
    const colleague = await register('driver', 'Cora Colleague');
    const [depot] = await admin.api.depots.list();
    const depotId = depot?.id ?? '';
    const day = new Date(Date.now() + 48 * hour).toISOString().slice(0, 10);
    const plan = (driverId: string) => admin.api.routes.create({ body: { day, depotId, driverId } });
    const [route, other] = [await plan(ill.id), await plan(colleague.id)];
    const pkg = await admin.api.packages.create({
      body: {
        name: 'A lamp',
        description: 'A desk lamp',
        category: 'Electronics',
        weight: 2,
        recipientName: 'Rita Recipient',
        recipientContact: 'At the front desk',
        location: 'Hamburg',
        eta: day,
      },
    });
    await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: [pkg.id] } });

    const phone = (await openAs(ill.token)).page;
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.goto('/driver/dashboard?show=mine');
    await phone.getByRole('button', { name: 'Absences' }).click();
    const dialog = phone.getByRole('dialog');
    await dialog.getByText('No absences are entered').waitFor();
    await dialog.getByRole('button', { name: 'Enter an absence' }).click();
    await dialog.getByLabel('First day').fill(day);
    await dialog.getByLabel('Last day').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The last day must not be before the first one').waitFor();
    await dialog.getByLabel('Last day').fill(day);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await phone
      .getByText('You have 1 stop planned on these days. Dispatch will give it to someone else.')
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: /^Change the absence/ }).waitFor();

    const { page } = await openAs(admin.token);
    await page.goto(`/admin/schedule?week=${day}`);
    await page.getByRole('button', { name: /Edit absence: Ivo Ill/ }).click();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Ivo Ill has 1 stop on these days').waitFor();
    await page.getByRole('link', { name: 'Give to others' }).click();
    await page.getByRole('button', { name: 'Give 1 stop to 1 driver' }).click();
    await expect
      .poll(async () =>
        (await admin.api.routes.read({ params: { id: other.id } })).stops.map(({ packageId }) => packageId),
      )
      .toEqual([pkg.id]);
  },
);
