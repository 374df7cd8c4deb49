import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowserSession, screens, sizes, type Screen, type BrowserSession } from './screens.ts';
import { expectAccessible, expectNoFaults, openBrowser } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';
import { pageList } from '../web/src/app/pages.ts';

let product: RunningProduct;
let browser: Browser;
let session: BrowserSession;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ DEMO: 'on' }), openBrowser()]);
  session = await openBrowserSession(product, browser);
});
afterAll(async () => {
  await session.close();
  await browser.close();
  await product.stop();
});

/** The quick run: the first page of everybody. All others, dialogs, error states and variants run with test:all only. */
const quick = new Set([
  'landing',
  'login',
  'tracker with a package',
  'owner dashboard',
  'create package',
  'driver dashboard',
  'driver phone, stops',
  'admin dashboard',
  'dispatch',
]);
const isQuick = ({ name }: Screen) => quick.has(name);

test.for(screens)('$name: axe finds nothing, and it fits 320 px', async (screen, { skip }) => {
  skip(!runsAll && !isQuick(screen), 'runs with npm run test:all');
  const window = await session.show(screen);
  const { page } = window;
  await expectAccessible(page, `${screen.name}, light, wide`);

  if (runsAll) {
    // Layout is covered in light; the dark theme differs in colours only.
    await page.setViewportSize(sizes.narrow);
    await page.emulateMedia({ colorScheme: 'dark' });
    await window.settled();
    await expectAccessible(page, `${screen.name}, dark, narrow`, 'colours');
  }

  await page.setViewportSize({ width: 320, height: 844 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  expectNoFaults(window);
});

test('every page is among the screens', () => {
  const shown = new Set(screens.map(({ path }) => path.replace(/[?#].*/, '').replace(/\{\w+\}|PKG-NOTTHERE/, '$id')));
  // Shown to administrators who have to set up a second factor only; what it consists of is in their account too.
  const missing = pageList.map(([, { path }]) => path).filter((path) => !shown.has(path));
  expect(missing).toEqual(['/second-factor']);
});
