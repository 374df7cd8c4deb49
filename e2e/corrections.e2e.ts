import sharp from 'sharp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { makeWorld, type World } from './world.ts';

let product: RunningProduct;
let browser: Browser;
let world: World;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  world = await makeWorld(product);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const nothingSent = 'No connection. Nothing was sent; your entries are kept.';

/** Back on the network, and everything that had waited for it has gone out. */
async function reconnect(page: Page): Promise<void> {
  const streamIsBack = page.waitForResponse('**/api/live');
  await page.context().setOffline(false);
  await streamIsBack;
}

test('without a signal an act fails at once, what was typed is kept, and what was cancelled is never sent', async () => {
  const { owner, driver, waiting, onTheRoad } = world;
  const door = await openWindow(browser, {
    baseURL: product.url,
    width: 390,
    token: driver.token,
    expectFailures: /api|media|assets/,
  });
  const { page } = door;
  const dialog = page.getByRole('dialog');
  const statusOf = async (id: string) => (await owner.api.packages.read({ params: { id } })).status;

  // Loaded ahead, for when it is needed.
  const toaster = page.waitForResponse(/Toaster.*\.js/);
  await page.goto('/driver/dashboard?show=pending');
  await toaster;
  const offer = page.getByRole('listitem').filter({ hasText: waiting.name });
  await offer.getByRole('button', { name: 'Start Delivery' }).click();
  await door.settled();
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Start Delivery' }).click();
  await page.getByText('Failed to start delivery.').first().waitFor();
  await dialog.getByText(nothingSent).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await reconnect(page);
  expect(await statusOf(waiting.id)).toBe('processing');

  const toasterAgain = page.waitForResponse(/Toaster.*\.js/);
  await page.goto('/driver/dashboard');
  await toasterAgain;
  const stop = page.getByRole('listitem').filter({ hasText: onTheRoad.name });
  await stop.getByRole('button', { name: 'Complete Delivery' }).click();
  await dialog.getByLabel('Received by').fill('Jon Neighbour');
  // As a telephone takes it: lying, with a note to turn it.
  const buffer = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'teal' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  await dialog.getByLabel('Add photo').setInputFiles({ name: 'door.jpg', mimeType: 'image/jpeg', buffer });
  const canvas = dialog.getByRole('img', { name: 'Signature: sign here' });
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error('there is no place to sign');
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 90, { steps: 8 });
  await page.mouse.up();
  await dialog.getByRole('img', { name: 'Signature: signed' }).waitFor();
  const complete = dialog.getByRole('button', { name: 'Complete Delivery' });
  await door.settled();
  await page.context().setOffline(true);
  await complete.click();
  await dialog.getByText(nothingSent).waitFor();
  await reconnect(page);
  expect(await dialog.getByLabel('Received by').inputValue()).toBe('Jon Neighbour');
  await dialog.getByRole('img', { name: 'Signature: signed' }).waitFor();

  // The photo is up, the signature is on its way: now the driver cancels.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/media/**/*signature*', async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const announced = page.waitForRequest('**/api/uploads');
  const halfUploaded = page.waitForRequest(/media.*signature/);
  await complete.click();
  expect((await announced).postDataJSON()).toMatchObject({ name: 'door.jpg', type: 'image/jpeg' });
  await halfUploaded;
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  letGo();
  await page.unrouteAll();
  await door.settled();
  expect(await statusOf(onTheRoad.id)).toBe('in transit');

  await stop.getByRole('button', { name: 'Complete Delivery' }).click();
  await dialog.getByLabel('Add photo').setInputFiles({ name: 'door.jpg', mimeType: 'image/jpeg', buffer });
  await complete.click();
  await page.getByText('Delivery Completed').first().waitFor();
  const { proof } = await owner.api.deliveries.receipt({ params: { id: onTheRoad.id } });
  const photo = await fetch(new URL(proof.photo ?? '', product.url));
  // At most 2,048 px, and upright.
  expect(await sharp(Buffer.from(await photo.arrayBuffer())).metadata()).toMatchObject({ width: 1365, height: 2048 });
});
