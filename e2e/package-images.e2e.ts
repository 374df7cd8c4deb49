import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const imageFile = (name: string, mimeType = 'image/png', buffer = png) => ({ name, mimeType, buffer });

test.runIf(runsAll)('images are chosen, validated, uploaded with the package and shown on it', async () => {
  const { page, context, faults } = await openWindow(browser, {
    baseURL: product.url,
    expectFailures: /\/media\/incoming\//,
  });
  const { token, id } = await product.api().auth.register({
    body: { name: 'Olga Owner', email: 'olga.images@example.com', password: 'pond-heron-7', role: 'owner' },
  });
  await page.goto('/login');
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.goto('/owner/create-package');
  const input = page.getByLabel('Add images');
  const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor();

  await input.setInputFiles([imageFile('front.png'), imageFile('drawing.svg', 'image/svg+xml')]);
  await toast('drawing.svg is not a valid image format. Only JPEG, PNG, GIF, and WebP are allowed.');
  await page.getByText('1/3 images').waitFor();
  await input.setInputFiles(imageFile('large.jpg', 'image/jpeg', Buffer.alloc(10 * 1024 * 1024 + 1)));
  await toast('large.jpg exceeds the 10MB size limit.');
  await input.setInputFiles([imageFile('a.png'), imageFile('b.png'), imageFile('c.png')]);
  await toast('Maximum 3 images allowed');
  await page.getByText('3/3 images').waitFor();
  await page.getByRole('button', { name: 'Remove b.png' }).click();
  await page.getByText('2/3 images').waitFor();

  await page.getByLabel('Package Name').fill('Walnut desk lamp');
  await page.getByLabel('Category').selectOption('Furniture');
  await page.getByLabel('Description').fill('A lamp of walnut and brass');
  await page.getByLabel('Recipient Name').fill('Mara Lindqvist');
  await page.getByLabel('Contact Number').fill('+49 151 2345678');

  // A failed upload ends the submit and keeps all input.
  await page.route('**/media/incoming/**', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
  await page.getByRole('button', { name: 'Create Package' }).click();
  await toast('Failed to upload front.png: API Error: 503');
  expect(await page.getByLabel('Package Name').inputValue()).toBe('Walnut desk lamp');
  await page.getByText('2/3 images').waitFor();
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/packages'),
  );
  await page.getByRole('button', { name: 'Create Package' }).click();
  expect((await created).status()).toBe(201);
  await page.waitForURL('**/owner/dashboard');

  const { items } = await product.api(token).packages.listOfUser({ params: { id } });
  expect(items[0]?.images).toHaveLength(2);
  await page.getByRole('link', { name: /Walnut desk lamp/ }).click();
  const shown = page.getByRole('img', { name: 'Walnut desk lamp, 2 of 2' });
  await shown.waitFor();
  expect(await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});
