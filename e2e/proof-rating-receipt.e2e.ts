import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@waybill/contract';
import { strFromU8, unzipSync } from 'fflate';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePixel } from './fixtures.ts';
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

test('a driver proves a delivery; its owner rates it once and prints the receipt', async () => {
  const register = async (role: 'owner' | 'driver', name: string) => {
    const body = { name, email: `${role}.after@example.com`, password: 'pond-heron-7', role };
    const { token } = await product.api().auth.register({ body });
    return { token, api: createClient({ baseUrl: product.url, token: () => token }) };
  };
  const [owner, driver] = [await register('owner', 'Olga Owner'), await register('driver', 'Dan Driver')];
  const pkg = await owner.api.packages.create({
    body: {
      name: 'Walnut desk lamp',
      description: 'A lamp of walnut and brass',
      category: 'Furniture',
      weight: 2.5,
      recipientName: 'Mara Lindqvist',
      recipientContact: '+49 151 2345678',
      location: 'Riverton depot',
    },
  });
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await driver.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Nobody was at home' } });
  const waits = await openWindow(browser, { baseURL: product.url });
  await waits.page.goto(`/track/${pkg.trackingId}`);
  await waits.page.getByRole('heading', { name: 'The last attempt failed' }).waitFor();
  expect(await waits.page.getByText(/Arriving/).count()).toBe(0);
  // What its owner decides is told live.
  await owner.api.packages.chooseNextStep({ params: { id: pkg.id }, body: { kind: 'collect' } });
  await waits.page.getByRole('heading', { name: 'You can collect it at the depot' }).waitFor();
  await owner.api.packages.chooseNextStep({ params: { id: pkg.id }, body: { kind: 'again' } });
  await waits.page.getByRole('heading', { name: 'The last attempt failed' }).waitFor();
  await waits.page.evaluate((token) => localStorage.setItem('token', token), owner.token);
  await waits.page.goto(`/owner/package/${pkg.id}`);
  await waits.page.getByText('The last delivery attempt failed').waitFor();
  await waits.page.getByText('Nobody was at home').first().waitFor();
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await waits.page.getByText('The last delivery attempt failed').waitFor({ state: 'detached' });
  await waits.context.close();

  const door = await openWindow(browser, { baseURL: product.url, width: 390, expectFailures: /signature_pad/ });
  await door.page.goto('/login');
  await door.page.evaluate((token) => localStorage.setItem('token', token), driver.token);
  await door.page.goto('/driver/dashboard');
  // Like a browser that caches a failed module load: the plain URL keeps failing, only one with a query loads.
  let isDown = true;
  let isFailureCached = true;
  await door.page.route(/signature_pad/, (route) =>
    isDown || (isFailureCached && !route.request().url().includes('?')) ? route.abort() : route.continue(),
  );
  // From the menu: without the steps on the way.
  const openDialog = async () => {
    await door.page.getByRole('region', { name: 'Next stop' }).waitFor();
    await door.page.getByRole('button', { name: 'Open menu' }).click();
    await door.page.getByRole('menuitem', { name: 'Complete Delivery' }).click();
  };
  await openDialog();
  const dialog = door.page.getByRole('dialog');
  await dialog.getByText('The signature field could not be loaded.').waitFor();
  isDown = false;
  await dialog.getByRole('button', { name: 'Retry' }).click();
  const canvas = dialog.getByRole('img', { name: 'Signature: sign here' });
  await canvas.waitFor();
  isFailureCached = false;

  // Phones may discard the page while the camera is open: the draft is restored, but not after a sign-out.
  await dialog.getByLabel('Received by').fill('Nobody in particular');
  await door.page.reload();
  const storedDrafts = () => door.page.evaluate(() => sessionStorage.getItem('drafts'));
  expect((await storedDrafts()) ?? '').toContain('Nobody in particular');
  // The menu of this screen, not of the frame that is there while it loads.
  await door.page.getByRole('region', { name: 'Next stop' }).waitFor();
  await door.page.getByRole('button', { name: 'Open menu' }).click();
  await door.page.getByRole('menuitem', { name: 'Logout' }).click();
  await door.page.waitForURL((url) => !url.pathname.startsWith('/driver'));
  expect(await storedDrafts()).toBe(null);
  await door.page.goto('/login');
  await door.page.getByLabel('Email').fill('driver.after@example.com');
  await door.page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
  await door.page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await door.page.waitForURL('**/driver/dashboard');
  await openDialog();
  expect(await dialog.getByLabel('Received by').inputValue()).toBe('');
  await dialog.getByLabel('Received by').fill('Jon Neighbour');
  await dialog.getByLabel('Note').fill('Next door');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error('there is no place to sign');
  await door.page.mouse.move(box.x + 40, box.y + 40);
  await door.page.mouse.down();
  await door.page.mouse.move(box.x + 120, box.y + 90, { steps: 8 });
  await door.page.mouse.up();
  await dialog.getByRole('img', { name: 'Signature: signed' }).waitFor();
  await door.page.reload();
  await openDialog();
  const signed = dialog.getByRole('img', { name: 'Signature: signed' });
  await signed.waitFor();
  // The restored signature is painted: the canvas has dark pixels.
  await door.page.waitForFunction(
    (canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const colours = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      return colours.some((value, at) => at % 4 === 0 && colours[at + 3] === 255 && value < 100);
    },
    await signed.elementHandle(),
  );
  expect(await dialog.getByLabel('Received by').inputValue()).toBe('Jon Neighbour');
  expect(await dialog.getByLabel('Note').inputValue()).toBe('Next door');
  await dialog.getByLabel('Add photo').setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: onePixel });
  await dialog.getByRole('button', { name: 'Complete Delivery' }).click();
  await door.page.getByText('Delivery Completed').first().waitFor();
  await door.page.reload();
  expect(await storedDrafts()).toBe(null);
  expect(door.faults).toEqual([]);
  await door.context.close();

  const { page, context, faults } = await openWindow(browser, { baseURL: product.url, colorScheme: 'dark' });
  await page.goto('/login');
  await page.evaluate((token) => localStorage.setItem('token', token), owner.token);
  await page.goto(`/owner/package/${pkg.id}`);
  await page.getByText('for Mara Lindqvist · Received by Jon Neighbour').waitFor();
  await page.getByRole('button', { name: 'Rate Delivery Experience' }).click();
  await page.getByRole('button', { name: 'Send Rating' }).click();
  await page.getByText('Please choose one to five stars').waitFor();
  await page.getByRole('radio', { name: '4 of 5: Good' }).check();
  await page.getByLabel('Comment').fill('Quick and friendly');
  await page.getByRole('button', { name: 'Send Rating' }).click();
  await page.getByRole('img', { name: '4 of 5 stars' }).waitFor();
  await page.getByRole('paragraph').filter({ hasText: 'Quick and friendly' }).waitFor();
  expect(await page.getByRole('button', { name: 'Rate Delivery Experience' }).count()).toBe(0);
  expect(await owner.api.deliveries.driverOfPackage({ params: { id: pkg.id } })).toMatchObject({
    rating: 4,
    totalDeliveries: 1,
  });

  await page.getByRole('link', { name: 'View Delivery Receipt' }).click();
  await page.getByRole('heading', { level: 1, name: 'Delivery Receipt' }).waitFor();
  for (const text of [pkg.trackingId, 'Olga Owner', 'Dan Driver', 'Mara Lindqvist', 'Jon Neighbour', 'Next door'])
    await page.getByText(text, { exact: true }).first().waitFor();
  for (const name of ['Signature', 'Delivered package']) {
    const image = page.getByRole('img', { name, exact: true });
    await image.waitFor();
    expect(
      await image.evaluate((shown: HTMLImageElement) => shown.decode().then(() => shown.naturalWidth)),
    ).toBeGreaterThan(0);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save Proof' }).click();
  const archive = unzipSync(await readFile(await (await download).path()));
  await page.getByText('Proof saved').first().waitFor();
  // Kept elsewhere: a file, opened without a network.
  const folder = await mkdtemp(join(tmpdir(), 'waybill-proof-'));
  const offline = await browser.newContext({ offline: true });
  const kept = await offline.newPage();
  const html = strFromU8(archive['proof.html'] ?? new Uint8Array());
  for (const [changed, verdict] of [
    [html, 'This proof is unchanged.'],
    [html.replaceAll('"receivedBy":"Jon', '"receivedBy":"Tom'), 'This proof was changed.'],
  ] as const) {
    await writeFile(join(folder, 'proof.html'), changed);
    await kept.goto(pathToFileURL(join(folder, 'proof.html')).href);
    await kept.getByRole('status').getByText(verdict).waitFor();
  }
  await rm(folder, { recursive: true });
  await offline.close();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: 'Waybill home' }).isVisible()).toBe(false);
  const ink = await page.getByRole('heading', { level: 1 }).evaluate((title) => getComputedStyle(title).color);
  expect(ink).toBe('rgb(16, 24, 40)');
  // The receipt names the organisation, and the whole page prints white.
  await page.getByRole('main').getByText('Waybill', { exact: true }).waitFor();
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(ground).toBe('rgb(255, 255, 255)');
  const paper = await page.pdf({ format: 'A4' });
  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  expect(faults).toEqual([]);
  await context.close();
});
