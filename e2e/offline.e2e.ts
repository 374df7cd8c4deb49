import { rmSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { makeDataDir, startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test.runIf(runsAll)(
  'a server crash loses no input of a form: requests fail with a message, and succeed once the server is back',
  { timeout: 120_000 },
  async () => {
    const DATA_DIR = makeDataDir();
    const first = await startProduct({ DATA_DIR });
    const PORT = new URL(first.url).port;
    const body = {
      name: 'Olga Owner',
      email: 'olga.lost@example.com',
      password: 'pond-heron-7',
      role: 'owner',
    } as const;
    const { token } = await first.api().auth.register({ body });
    const { page, settled } = await openWindow(browser, { baseURL: first.url, token, expectFailures: /./ });
    // The code of toasts and of the dialog that confirms leaving.
    const preloaded = page.waitForResponse(/notices.*\.js/);
    await page.goto('/owner/create-package');
    const name = page.getByLabel('Package Name');
    await name.fill('Walnut desk lamp');
    await page.getByLabel('Category').selectOption('Furniture');
    await page.getByLabel('Description').fill('A lamp of walnut and brass');
    await page.getByLabel('Recipient Name').fill('Mara Lindqvist');
    await page.getByLabel('Contact Number').fill('+49 151 2345678');
    // Including the import of the preloaded code.
    await preloaded;
    await settled();
    process.kill(first.pid, 'SIGKILL');
    await first.gone();

    await page.getByRole('button', { name: 'Create Package' }).click();
    // In a toast, and in the form until the next attempt.
    await page.getByRole('main').getByText('Failed to create package.').waitFor();
    // It folded when the next section got the focus.
    await page.getByRole('button', { name: /^Package Walnut desk lamp/ }).click();
    // Code that is not loaded yet cannot be shown. The page stays and still accepts input.
    await name.press('Control+k');
    await page.getByText('The server cannot be reached. Please try again.').first().waitFor();
    await name.press('End');
    await page.keyboard.type(' and shade');
    expect(await name.inputValue()).toBe('Walnut desk lamp and shade');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();

    const second = await startProduct({ DATA_DIR, PORT });
    try {
      await page.getByRole('button', { name: 'Create Package' }).click();
      await page.waitForURL('**/owner/dashboard');
      await page.getByRole('link', { name: 'Walnut desk lamp and shade' }).waitFor();
      // Loading it works again.
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).waitFor();
    } finally {
      await second.stop();
      rmSync(DATA_DIR, { recursive: true, force: true });
    }
  },
);

describe('a page whose code has not been loaded yet', () => {
  let product: RunningProduct;
  let token: string;
  beforeAll(async () => {
    product = await startProduct();
    const body = {
      name: 'Olga Owner',
      email: 'olga.later@example.com',
      password: 'walnut lamp 7',
      role: 'owner',
    } as const;
    ({ token } = await product.api().auth.register({ body }));
  });
  afterAll(() => product.stop());

  async function open() {
    const window = await openWindow(browser, { baseURL: product.url, token, expectFailures: /assets/ });
    await window.page.goto('/owner/create-package');
    await window.page.getByLabel('Package Name').waitFor();
    await window.settled();
    // Lost on a full page load.
    await window.page.evaluate(() => Object.assign(globalThis, { stayed: true }));
    return window;
  }
  const stayed = (page: Page) => page.evaluate(() => 'stayed' in globalThis);

  test.for([
    ['none of it', /assets.*\.js/],
    ['its own file', /OwnerDashboardPage.*\.js/],
    ['what it shares with others', /assets\/(?!OwnerDashboardPage).*\.js/],
  ] as const)(
    'is shown once the server is back, without a reload, when %s could be loaded',
    async ([what, blocked], { skip }) => {
      skip(what !== 'none of it' && !runsAll, 'runs with npm run test:all');
      const { page, settled } = await open();
      let isAway = true;
      await page.route(blocked, (route) => (isAway ? route.abort('connectionrefused') : route.continue()));
      await page.getByRole('link', { name: 'Cancel' }).click();
      // The application stays and shows the error.
      await page.getByText('The server cannot be reached. Please try again.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/owner/dashboard');
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('The server cannot be reached. Please try again.').waitFor();
      isAway = false;
      await page.getByRole('heading', { name: 'Package Owner Dashboard' }).waitFor();
      await settled();
      expect(await stayed(page)).toBe(true);
    },
  );

  test('triggers a full page load at its URL when a newer version has been deployed', async () => {
    const { page, settled } = await open();
    let navigations = 0;
    page.on('request', (request) => (navigations += Number(request.isNavigationRequest())));
    await page.route(/OwnerDashboardPage.*\.js/, (route) =>
      navigations === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    );
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Package Owner Dashboard' }).waitFor();
    await settled();
    expect([navigations, await stayed(page), new URL(page.url()).pathname]).toEqual([1, false, '/owner/dashboard']);
  });
});
