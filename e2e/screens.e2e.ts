import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowserSession, screens, sizes, type Screen, type BrowserSession } from './screens.ts';
import { expectAccessible, expectNoFaults, openBrowser } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let stage: BrowserSession;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ DEMO: 'on' }), openBrowser()]);
  stage = await openBrowserSession(product, browser);
});
afterAll(async () => {
  await stage.close();
  await browser.close();
  await product.stop();
});

/** Each page once; dialogs and faults, which something has to be done for, and the other states of a page only with all tests. */
const isQuick = ({ after, isVariant }: Screen) => after === undefined && !isVariant;

test.for(screens)('$name: axe finds nothing, and it fits 320 px', async (screen, { skip }) => {
  skip(!runsAll && !isQuick(screen), 'runs with npm run test:all');
  const window = await stage.show(screen);
  const { page } = window;
  await expectAccessible(page, `${screen.name}, light, wide`);

  if (runsAll) {
    // What depends on the width is seen in light, what depends on the theme is colours.
    await page.setViewportSize(sizes.narrow);
    await page.emulateMedia({ colorScheme: 'dark' });
    await window.settled();
    await expectAccessible(page, `${screen.name}, dark, narrow`, 'at colours');
  }

  await page.setViewportSize({ width: 320, height: 844 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  expectNoFaults(window);
});
