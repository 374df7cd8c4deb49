import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';

// The web application as `npm run dev` serves it: not bundled, and without the plugins of the build.
let product: RunningProduct;
let browser: Browser;
let dev: ViteDevServer;
let cacheDir: string;
let baseURL: string;

beforeAll(async () => {
  if (!runsAll) return;
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  cacheDir = mkdtempSync(join(tmpdir(), 'waybill-vite-'));
  process.env.WAYBILL_URL = product.url;
  dev = await createServer({
    configFile: join(import.meta.dirname, '../web/vite.config.ts'),
    cacheDir,
    logLevel: 'error',
    server: { port: 0, watch: null, hmr: false },
  });
  delete process.env.WAYBILL_URL;
  await dev.listen();
  baseURL = dev.resolvedUrls?.local[0] ?? '';
});
afterAll(async () => {
  if (!runsAll) return;
  await browser.close();
  await dev.close();
  await product.stop();
  rmSync(cacheDir, { recursive: true });
});

test.runIf(runsAll)(
  'in development the gallery shows every component, without faults, in both themes, at 320 px; the application signs in',
  async () => {
    const { page } = await openWindow(browser, { baseURL });
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto('/dev/gallery');
    await page.getByRole('heading', { name: 'Waybill' }).waitFor();
    await page.getByText('The server does not respond.').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await expectAccessibleInBothThemes(page, 'the gallery');

    await product.api().auth.register({
      body: { name: 'Dev Owner', email: 'dev@example.com', password: 'pond-heron-7', role: 'owner' },
    });
    await page.goto('/login');
    await page.getByLabel('Email').fill('dev@example.com');
    await page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/owner/dashboard');
  },
);
