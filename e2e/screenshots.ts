import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startProduct } from './product.ts';
import { openBrowserSession, screens, sizes, type BrowserSession, type Screen } from './screens.ts';
import { openBrowser } from './watched-window.ts';

// Screenshots of every screen in every state, into `screenshots/`; arguments filter by name: `npm run screenshots -- admin`. A screen
// that fails does not stop the others: it is named at the end, and the run ends with 1.

const folder = join(import.meta.dirname, '../screenshots');
const wanted = process.argv.slice(2);
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** What lies above the page. A dialog covers the window; a menu closes when the window changes its size. */
const dialogs = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).count();
const menus = (page: Page) => page.getByRole('menu').count();

async function photograph(session: BrowserSession, screen: Screen): Promise<void> {
  const { page, settled, faults } = await session.show(screen);
  const isDialog = (await dialogs(page)) > 0;
  const isMenu = (await menus(page)) > 0;
  const hasText = await isShown(page, screen);
  for (const { width, height } of screen.phone ? [sizes.narrow] : Object.values(sizes)) {
    await page.setViewportSize({ width, height });
    await settled();
    let whole = height;
    // Without a dialog the window is as high as the page, to show the whole of it. Twice: what is far below the window may not have been
    // laid out, so that its height was a guess.
    for (let pass = 0; pass < 2 && !isDialog; pass++) {
      await page.setViewportSize({ width, height });
      whole = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: whole });
      if (whole <= 2 * height) break;
      await settled();
    }
    await settled();
    if (isMenu && (await menus(page)) === 0) await screen.after?.(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled();
      await expectStillShown(page, screen, width, { isDialog, isMenu, hasText });
      await page.screenshot({ path: join(folder, `${slugOf(screen.name)}-${width}-${colorScheme}.png`) });
    }
  }
  for (const fault of faults.splice(0)) console.error(`  ${fault}`);
}

const isShown = async (page: Page, { shows }: Screen) => (await page.locator('main').getByText(shows).count()) > 0;

/** @throws where a picture would not show what it is named after */
async function expectStillShown(
  page: Page,
  screen: Screen,
  width: number,
  { isDialog, isMenu, hasText }: { isDialog: boolean; isMenu: boolean; hasText: boolean },
): Promise<void> {
  if (isDialog && (await dialogs(page)) === 0) throw new Error(`the dialog is gone at ${width} px`);
  if (isMenu && (await menus(page)) === 0) throw new Error(`the menu is gone at ${width} px`);
  // Phones leave columns out, and a driver's phone is another screen.
  if (hasText && width >= 768 && !(await isShown(page, screen)))
    throw new Error(`'${screen.shows}' is gone at ${width} px`);
}

if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const [product, browser] = await Promise.all([startProduct({ DEMO: 'on' }), openBrowser()]);
const failed: string[] = [];
try {
  const session = await openBrowserSession(product, browser);
  for (const [index, screen] of chosen.entries()) {
    console.log(`${index + 1}/${chosen.length} ${screen.name}`);
    try {
      await photograph(session, screen);
    } catch (error) {
      failed.push(screen.name);
      console.error(error);
      // What was there instead says more than the error.
      await session.drop(screen, join(folder, `${slugOf(screen.name)}-failed.png`));
    }
  }
  await session.close();
} finally {
  await browser.close();
  await product.stop();
}
if (failed.length > 0) {
  console.error(`${failed.length} of ${chosen.length} failed: ${failed.join('; ')}`);
  process.exitCode = 1;
}
