import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPages } from '../server/src/testing/printed-pages.ts';
import { packageInput } from '../server/src/testing/test-product.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';
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

async function signUp(email: string) {
  const { token, id } = await product.api().auth.register({
    body: { name: 'Lindqvist Kaffé', email, password: 'pond-heron-7', role: 'owner' },
  });
  return { id, token, api: product.api(token) };
}

/** Clicks, and reads the pages of the PDF that this saves. */
async function printedBy(page: Page, name: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), pages: await readPages(await readFile(await download.path())) };
}

test.runIf(runsAll)('beside the form stands the label, filled in as one types', async () => {
  const { token } = await signUp('lena.label@example.com');
  for (const width of [1440, 390]) {
    const { page } = await openWindow(browser, { baseURL: product.url, token, width });
    await page.goto('/owner/create-package');
    const label = page.getByRole('img', { name: /^The label of PKG-[A-Z0-9]{8}/ });
    await label.getByText('Lindqvist Kaffé').waitFor();
    await page.getByLabel('Recipient Name').fill('Jürgen Größe');
    await page.getByLabel('City').fill('Hamburg');
    await page.getByLabel('Signature required').check();
    for (const text of ['Jürgen Größe', 'HAMBURG', 'Signature']) await label.getByText(text, { exact: true }).waitFor();
    await expectAccessibleInBothThemes(page, `the form with its label, ${width} px wide`);
    await page.getByLabel('City').fill('');
    await page.getByRole('button', { name: 'Create Package' }).waitFor();
    await label.getByText('HAMBURG').waitFor({ state: 'detached' });
  }
});

test.runIf(runsAll)(
  'the label of a package is saved in the chosen size, which this browser remembers; a refusal is shown in place',
  async () => {
    const { token, api } = await signUp('lina.label@example.com');
    const pkg = await api.packages.create({ body: packageInput() });
    const { page, context, faults } = await openWindow(browser, {
      baseURL: product.url,
      token,
      width: 390,
      expectFailures: /labels/,
    });
    await page.goto(`/owner/package/${pkg.id}`);
    const label = await printedBy(page, 'Print label');
    expect(label.name).toBe(`label-${pkg.trackingId}.pdf`);
    expect(label.pages).toMatchObject([{ width: 100, height: 150 }]);
    expect(label.pages[0]?.codes.map(({ text }) => text)).toContain(`${product.url}/track/${pkg.trackingId}`);
    await page.getByText(`Saved as ${label.name}. Print it at 100 %.`).waitFor();
    await expectAccessibleInBothThemes(page, 'a package with a printed label');

    await page.getByRole('button', { name: 'Label size: 100 × 150 mm' }).press('Enter');
    await page.getByRole('menuitem', { name: 'A4, four on a sheet' }).press('Enter');
    await page.reload();
    await page.getByRole('button', { name: 'Label size: A4, four on a sheet' }).waitFor();
    expect((await printedBy(page, 'Print label')).pages).toMatchObject([{ width: 210, height: 297 }]);

    const message = `Cancelled and deleted packages have no label: ${pkg.trackingId}`;
    await page.route('**/api/packages/labels', (route) =>
      route.fulfill({ status: 409, json: { code: 'illegal_step', message, requestId: '1' } }),
    );
    await page.getByRole('button', { name: 'Print label', exact: true }).click();
    await page.getByRole('alert').getByText(message).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
);

test.runIf(runsAll)('a created package offers its label at once, and an import those of all its packages', async () => {
  const { token } = await signUp('ines.import@example.com');
  const { page, context, faults } = await openWindow(browser, { baseURL: product.url, token });
  await page.goto('/owner/create-package');
  await page.getByLabel('Package Name').fill('Copper kettle');
  await page.getByLabel('Description').fill('A lamp for the desk');
  await page.getByLabel('Category').selectOption('Furniture');
  await page.getByLabel('Recipient Name').fill('Anna Berg');
  await page.getByLabel('Contact Number').fill('+49 151 2345678');
  await page.getByRole('button', { name: 'Create Package' }).click();
  const created = await printedBy(page, 'Print label');
  expect(created.pages).toHaveLength(1);
  await page.getByText('Label saved').first().waitFor();

  await page.goto('/owner/import');
  const orders = join(import.meta.dirname, '../server/src/packages/fixtures/shopify-orders.csv');
  await page.getByLabel(/Choose a CSV file/).setInputFiles(orders);
  await page.getByRole('button', { name: 'Import 3 packages' }).click();
  const imported = await printedBy(page, 'Print 3 labels');
  expect(imported.name).toBe('labels.pdf');
  const text = imported.pages.map((printed) => printed.text).join();
  expect(imported.pages).toHaveLength(3);
  expect(text).toContain('Brass clock');
  expect(text).not.toContain('Copper kettle');
  expect(faults).toEqual([]);
  await context.close();
});
