import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir, startProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test(
  'a server that dies under a form takes nothing that was typed: what needs it says so, and it is sent once it is back',
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
    const ahead = [/Toaster.*\.js/, /LeaveDialog.*\.js/].map((code) => page.waitForResponse(code));
    await page.goto('/owner/create-package');
    const name = page.getByLabel('Package Name');
    await name.fill('Walnut desk lamp');
    await page.getByLabel('Category').selectOption('Furniture');
    await page.getByLabel('Description').fill('A lamp of walnut and brass');
    await page.getByLabel('Recipient Name').fill('Mara Lindqvist');
    await page.getByLabel('Contact Number').fill('+49 151 2345678');
    // With everything that they are made of.
    await Promise.all(ahead);
    await settled();
    process.kill(first.pid, 'SIGKILL');
    await first.gone();

    await page.getByRole('button', { name: 'Create Package' }).click();
    // In a toast, and in the form for as long as it takes.
    await page.getByRole('main').getByText('Failed to create package.').waitFor();
    // What has not been loaded yet cannot be shown now. The page stays all the same, and takes what is typed next.
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
      // What could not be loaded then is loaded now.
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).waitFor();
    } finally {
      await second.stop();
      rmSync(DATA_DIR, { recursive: true, force: true });
    }
  },
);
