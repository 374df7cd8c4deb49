import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../server/src/testing/test-product.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const reports = () =>
  product
    .output()
    .split('\n')
    .filter((line) => line.includes('a page broke in a browser'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Throws where nothing in the product catches it: a timer and a promise. */
const breakPage = (page: Page, message: string) =>
  page.evaluate((text) => {
    setTimeout(() => {
      throw new Error(text);
    });
    void Promise.reject(new Error(`${text}, in a promise`));
  }, message);

/** Clears the planted errors from the faults, once the window has reported all of them: it may do so after the server got them. */
async function clearPlanted(faults: string[], planted: number): Promise<void> {
  await eventually(
    'the window has said it',
    () => faults.filter((fault) => fault.includes('planted')).length >= planted,
  );
  faults.length = 0;
}

test('client errors are reported to the server, of visitors too, once each and without personal data', async () => {
  const { token } = await product.api().auth.register({
    body: { name: 'Olga Owner', email: 'olga@example.com', password: 'kitchen-lamp', role: 'owner' },
  });
  const { page, settled, faults } = await openWindow(browser, { baseURL: product.url, token, expectFailures: /./ });
  await page.goto('/owner/package/019ca9b2-e700-7299-a65e-c5f62fdc8545');
  await settled();
  for (let time = 0; time < 3; time++) await breakPage(page, 'planted for olga@example.com');
  await eventually('both are reported', () => reports().length === 2);
  expect(reports()[0]).toMatchObject({
    page: '/owner/package/$id',
    browser: 'Chrome',
    version: expect.stringMatching(/^\d/) as string,
  });
  await page.goto('/track/PKG-ABCDEFGH');
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('hydrate')),
  );
  await settled();
  await breakPage(page, 'planted on a page of visitors');
  await eventually('these as well', () => reports().length === 4);
  expect(
    new Set(reports().map((line) => `${String(line.kind)} on ${String(line.page)}: ${String(line.reason)}`)),
  ).toEqual(
    new Set([
      'error on /owner/package/$id: planted for (email)',
      'rejection on /owner/package/$id: planted for (email) in a promise',
      'error on /track/$id: planted on a page of visitors',
      'rejection on /track/$id: planted on a page of visitors, in a promise',
    ]),
  );
  for (const secret of ['olga@', '019ca9b2', 'PKG-ABC', token]) expect(JSON.stringify(reports())).not.toContain(secret);
  await clearPlanted(faults, 8);
});

test('a render error is reported, a lost connection is not', async () => {
  const { token, id } = await product.api().auth.register({
    body: { name: 'Oren Owner', email: 'oren@example.com', password: 'kitchen-lamp', role: 'owner' },
  });
  const { page, settled, faults } = await openWindow(browser, { baseURL: product.url, token, expectFailures: /./ });
  const before = reports().length;
  await page.route(`**/api/packages/user/${id}?*`, (route) => route.fulfill({ json: [{ id: 'broken' }] }));
  await page.goto('/owner/dashboard');
  await page.getByText('This page could not be shown').waitFor();
  await eventually('it is reported', () => reports().length > before);
  expect(reports().at(-1)).toMatchObject({ kind: 'render', page: '/owner/dashboard' });
  const after = reports().length;
  await page.goto('/account');
  await settled();
  await page.context().setOffline(true);
  await breakPage(page, 'planted while there is no connection');
  await page.context().setOffline(false);
  await breakPage(page, 'Failed to fetch');
  await breakPage(page, 'planted at the end');
  await eventually('what came after is reported', () => reports().length >= after + 2);
  expect(
    reports()
      .slice(after)
      .every(({ reason }) => String(reason).startsWith('planted at the end')),
  ).toBe(true);
  await clearPlanted(faults, 4);
});
