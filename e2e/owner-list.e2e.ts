import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageInput } from './fixtures.ts';
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

/** An owner with so many lamps, the first of which is on the road; newest, so with the highest number, first. */
async function openWithLamps(email: string, count: number, width?: number) {
  const register = (role: 'owner' | 'driver', address: string) =>
    product.api().auth.register({ body: { name: `Some ${role}`, email: address, password: 'pond-heron-7', role } });
  const [owner, driver] = [await register('owner', email), await register('driver', `driver.${email}`)];
  const api = product.api(owner.token);
  const packages = [];
  for (let number = 1; number <= count; number++)
    packages.push(await api.packages.create({ body: { ...packageInput, name: `Lamp ${number}` } }));
  await product.api(driver.token).deliveries.start({ params: { id: packages[0]?.id ?? '' } });
  const window = await openWindow(browser, { baseURL: product.url, token: owner.token, width });
  await window.page.goto('/owner/dashboard');
  await lampOf(window.page, 1).waitFor();
  return { ...window, api, packages, owner, driver };
}

const lampOf = (page: Page, number: number) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: new RegExp(`^Lamp ${number}( |$)`) }) });
const selected = (page: Page, count: number) =>
  page.getByRole('region', { name: 'Selected rows' }).getByText(`${count} selected`, { exact: true }).waitFor();

test.runIf(runsAll)(
  'rows are grouped by when they arrive; j, k and x walk and select them, Shift takes all between',
  async () => {
    const { page, context, faults } = await openWithLamps('rows@example.com', 6);
    const groups = page
      .getByRole('rowheader', { expanded: undefined })
      .filter({ has: page.locator('[aria-expanded]') });
    await expect
      .poll(() => groups.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^(Arriving today|On the way)\s+1/),
        expect.stringMatching(/^Waiting for a driver\s+5/),
      ]);
    await page.getByRole('button', { name: /^Waiting for a driver/ }).click();
    await lampOf(page, 6).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Waiting for a driver/ }).click();
    await lampOf(page, 6).waitFor();

    const firstRow = page.locator('tr[data-row]').first();
    await page.getByRole('button', { name: 'Package', exact: true }).click();
    await page.waitForURL('**/owner/dashboard?sort=name');
    await page.getByRole('columnheader', { name: 'Package' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await expect.poll(() => firstRow.innerText()).toContain('Lamp 1');
    await page.getByRole('button', { name: 'Package', exact: true }).click();
    await page.waitForURL('**/owner/dashboard?sort=-name');
    await expect.poll(() => firstRow.innerText()).toContain('Lamp 6');
    await page.getByRole('button', { name: 'Package', exact: true }).click();
    await page.waitForURL('**/owner/dashboard');
    await page.getByRole('button', { name: /^Waiting for a driver/ }).waitFor();

    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    // The keys exist once their buttons do.
    for (const [key, lamp] of [
      ['j', 'Lamp 1'],
      ['j', 'Lamp 6'],
      ['j', 'Lamp 5'],
      ['k', 'Lamp 6'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toContain(lamp);
    }
    await page.keyboard.press('x');
    await selected(page, 1);
    await page.getByRole('checkbox', { name: 'Select Lamp 3' }).click({ modifiers: ['Shift'] });
    await selected(page, 4);
    expect(await page.getByRole('checkbox', { name: 'Select Lamp 4' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('region', { name: 'Selected rows' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Compact rows' }).click();
    await page.reload();
    await lampOf(page, 1).waitFor();
    expect((await lampOf(page, 1).boundingBox())?.height).toBeLessThanOrEqual(36);
    expect(faults).toEqual([]);
    await context.close();
  },
);

test('all that match are cancelled at once, loaded or not, and what was refused is reported with its reason', async () => {
  const { page, context, faults, api, packages, owner, driver } = await openWithLamps('many@example.com', 23);
  await page.getByRole('checkbox', { name: 'Select all rows' }).check();
  await selected(page, 20);
  await page.getByRole('button', { name: 'Select all 23 matching' }).click();
  await selected(page, 23);
  await page.getByRole('button', { name: 'Cancel...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel packages' });
  await dialog.getByText('Are you sure you want to cancel 22 packages?').waitFor();
  await dialog.getByText('1 package is left out: it is on the road.').waitFor();
  // Taken while the question is asked.
  await product.api(driver.token).deliveries.start({ params: { id: packages[1]?.id ?? '' } });
  await dialog.getByRole('button', { name: 'Cancel packages' }).click();
  await dialog.getByText('21 packages cancelled, 1 refused.').waitFor();
  const refused = dialog.getByRole('list', { name: 'Refused' }).getByRole('listitem');
  expect(await refused.allInnerTexts()).toEqual([expect.stringMatching(/^Lamp 2 PKG-\w+\s+\S.+/)]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Selected rows' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Done\s+21/ }).waitFor();
  const { total } = await api.packages.listOfUser({
    params: { id: owner.id },
    query: { status: 'cancelled', count: true },
  });
  expect(total).toBe(21);
  expect(faults).toEqual([]);
  await context.close();
});

test.runIf(runsAll)('chosen packages are exported, their links copied and their labels printed', async () => {
  const { page, context, faults, packages } = await openWithLamps('chosen@example.com', 4);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const number of [2, 4]) await page.getByRole('checkbox', { name: `Select Lamp ${number}` }).check();
  await selected(page, 2);
  const downloaded = async (act: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    return [file.suggestedFilename(), await readFile(await file.path())] as const;
  };
  const [, csv] = await downloaded(() => page.getByRole('button', { name: 'Export', exact: true }).click());
  expect(csv.toString().match(/Lamp \d/g)).toEqual(['Lamp 4', 'Lamp 2']);

  await page.getByRole('button', { name: 'Copy links' }).click();
  const links = page.getByRole('dialog', { name: 'Copy tracking links' });
  await links.getByRole('button', { name: 'Copy links' }).click();
  await links.getByText('2 packages copied.').waitFor();
  await links.getByRole('button', { name: 'Done' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const link = (at: number) => `${product.url}/track/${packages[at]?.trackingId}`;
  expect(copied.split('\n')).toEqual([link(3), link(1)]);

  await page.getByRole('button', { name: 'Print labels' }).click();
  const labels = page.getByRole('dialog', { name: 'Print labels' });
  const print = labels.getByRole('button', { name: 'Print labels' });
  const [name, pdf] = await downloaded(() => print.click());
  expect([name.endsWith('.pdf'), pdf.subarray(0, 5).toString()]).toEqual([true, '%PDF-']);
  await labels.getByText('2 packages printed.').waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test('a row opens beside the list, which keeps its place; the URL has it, and Escape, Back, the next row and a long press work', async () => {
  const { page, context, faults, packages } = await openWithLamps('panel@example.com', 5);
  const idOf = (number: number) => packages[number - 1]?.id ?? '';
  const panel = (number: number) => page.getByRole('complementary', { name: `Lamp ${number}`, exact: true });
  await lampOf(page, 4).getByRole('link').click();
  await page.waitForURL(`**/owner/dashboard?open=${idOf(4)}`);
  await panel(4)
    .getByText('Getting ready to ship')
    .or(panel(4).getByText(/^(Arriving|Was expected)/))
    .first()
    .waitFor();
  await panel(4).getByText('3 of 5').waitFor();
  await lampOf(page, 5).waitFor();
  await page.keyboard.press('j');
  await panel(3).getByText('4 of 5').waitFor();
  await panel(3).getByRole('button', { name: 'Previous package' }).click();
  await panel(4).getByText('3 of 5').waitFor();
  await page.reload();
  await panel(4).getByText('3 of 5').waitFor();
  expect(await panel(4).getByRole('link', { name: 'Full page' }).getAttribute('href')).toBe(
    `/owner/package/${idOf(4)}`,
  );
  await page.keyboard.press('Escape');
  await page.waitForURL('**/owner/dashboard');
  await panel(4).waitFor({ state: 'detached' });
  await lampOf(page, 2).getByRole('link').click();
  await panel(2).waitFor();
  await page.goBack();
  await panel(2).waitFor({ state: 'detached' });
  await page.waitForURL('**/owner/dashboard');

  // On a phone the list begins in the upper half, and the panel is a sheet over the whole window.
  await page.setViewportSize({ width: 390, height: 844 });
  const list = page.getByRole('table', { name: 'Packages' });
  await expect
    .poll(() => list.evaluate((table) => table.getBoundingClientRect().top + scrollY))
    .toBeLessThanOrEqual(844 / 2);
  await page.getByRole('link', { name: 'Lamp 1', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Lamp 1', exact: true });
  await sheet.getByRole('heading', { name: 'Carrier' }).waitFor();
  expect((await sheet.boundingBox())?.width).toBe(390);
  await sheet.getByRole('button', { name: 'Close panel' }).click();
  await sheet.waitFor({ state: 'detached' });

  // A long press selects; then a tap selects more instead of opening.
  const touch = (type: string, number: number) =>
    page
      .getByRole('link', { name: `Lamp ${number}`, exact: true })
      .dispatchEvent(type, { pointerType: 'touch', clientX: 200, clientY: 300 });
  await page.getByLabel('Sort by').selectOption({ label: 'Package, ascending' });
  await page.waitForURL('**/owner/dashboard?sort=name');
  await touch('pointerdown', 2);
  await selected(page, 1);
  await touch('pointerup', 2);
  await touch('pointerdown', 3);
  await touch('pointerup', 3);
  await touch('click', 3);
  await selected(page, 2);
  expect(await page.getByRole('checkbox', { name: 'Select Lamp 3' }).isChecked()).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

test.runIf(runsAll)(
  'on a phone the panel and a dialog are drawn down to close; unsaved words come back and ask',
  async () => {
    const { page } = await openWithLamps('drawn@example.com', 2, 390);
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 190, y }] });
    /** Down to the first place, on to the others, and let go. */
    const draw = async (sheet: Locator, ...ways: number[]) => {
      const top = ((await sheet.boundingBox())?.y ?? 0) + 24;
      const translate = () => sheet.evaluate((element) => (element as HTMLElement).style.translate);
      await send('touchStart', top);
      // The code of dragging comes with the first touch.
      let way = 0;
      await expect
        .poll(async () => {
          await send('touchMove', top + (way = way === 20 ? 30 : 20));
          return translate();
        })
        .not.toBe('');
      for (const next of ways) {
        await send('touchMove', top + next);
        await expect.poll(translate).toMatch(new RegExp(`^0(px)? ${next}px$`));
      }
      // The finger rests: Chromium takes a tap right after a flick for one that stops it, and no click follows.
      await sleep(100);
      await send('touchEnd');
    };

    const panel = page.getByRole('dialog', { name: 'Lamp 2' });
    await page.getByRole('link', { name: 'Lamp 2', exact: true }).tap();
    await panel.getByRole('heading', { name: 'History' }).waitFor();
    // Let go on its way up, it stays.
    await draw(panel, 90, 10);
    await expect.poll(() => panel.evaluate((element) => (element as HTMLElement).style.translate)).toBe('');
    await draw(panel, 300, 700);
    await panel.waitFor({ state: 'detached' });
    await page.waitForURL('**/owner/dashboard');

    await page.goto('/owner/addresses');
    await page.getByRole('button', { name: 'Add Address' }).first().tap();
    const dialog = page.getByRole('dialog', { name: 'Add Address' });
    const field = dialog.getByRole('textbox').first();
    await field.fill('Jon Okafor');
    await draw(dialog, 300, 500);
    await page.getByRole('button', { name: 'Keep editing' }).tap();
    expect(await field.inputValue()).toBe('Jon Okafor');
    await field.fill('');
    await draw(dialog, 300, 500);
    await dialog.waitFor({ state: 'detached' });
  },
);
