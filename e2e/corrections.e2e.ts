import sharp from 'sharp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { makeWorld, packageInput, type World } from './world.ts';

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

/** A change is on a screen within a second of it; the deadline itself is for a busy machine. */
test('a day of corrections is told at once in every window that it concerns', async () => {
  const [corrected, carried] = await Promise.all(
    ['Pine shelf', 'Slate board'].map((name) =>
      world.owner.api.packages.create({
        body: {
          ...packageInput,
          name,
          address: { street: 'Wrong street 1', city: 'Riverton' },
          instructions: 'Ring once',
        },
      }),
    ),
  );
  if (!corrected || !carried) throw new Error('there are no packages');
  await world.driver.api.deliveries.start({ params: { id: carried.id } });
  const open = async (token: string | undefined, path: string) => {
    const window = await openWindow(browser, { baseURL: product.url, token, expectFailures: /api|assets/ });
    await window.page.goto(path);
    await window.settled();
    return window;
  };
  const owner = await open(world.owner.token, `/owner/package/${corrected.id}/edit`);
  const first = await open(world.driver.token, '/driver/dashboard');
  const second = await open(world.idleDriver.token, '/driver/dashboard');
  const admin = await open(world.admin.token, `/admin/package/${corrected.id}`);
  const tracker = await open(undefined, `/track/${carried.trackingId}`);

  // The wrong street is mended while the package waits.
  await owner.page.getByLabel('Street').fill('Right street 2');
  // Meanwhile an administrator changes something else: nothing typed is lost.
  await world.admin.api.packages.update({ params: { id: corrected.id }, body: { name: 'Pine shelf, oiled' } });
  await owner.page.getByText('This package was changed in the meantime').waitFor();
  await owner.page.getByText('Changed: Package Name').waitFor();
  await owner.page.getByRole('button', { name: 'Keep my changes' }).click();
  expect(await owner.page.getByLabel('Package Name').inputValue()).toBe('Pine shelf, oiled');
  expect(await owner.page.getByLabel('Street').inputValue()).toBe('Right street 2');
  await owner.page.getByRole('button', { name: 'Save Changes' }).click();
  await owner.page.waitForURL(`**/owner/package/${corrected.id}`);
  for (const { page } of [owner, admin]) {
    await page.getByText('Right street 2, Riverton').first().waitFor();
    await page.getByText('Address: Wrong street 1, Riverton → Right street 2, Riverton').waitFor();
  }

  // The driver is told of new instructions on the road.
  await first.page.getByText('Ring once').waitFor();
  await owner.page.goto(`/owner/package/${carried.id}/edit`);
  expect(await owner.page.getByLabel('Package Name').count()).toBe(0);
  await owner.page.getByLabel('Instructions for the driver').fill('Ring twice, the bell sticks');
  await owner.page.getByLabel('Show sender on the public page').check();
  await owner.page.getByRole('button', { name: 'Save Changes' }).click();
  await first.page.getByText('Ring twice, the bell sticks').waitFor();
  await first.page.getByText('The owner has changed the instructions of “Slate board”.').first().waitFor();
  await tracker.page.getByText('Olga Owner').waitFor();
  await tracker.page.getByText('Dan', { exact: true }).waitFor();
  expect(await tracker.page.getByText(/Ring|Wrong street/).count()).toBe(0);

  // A start without a signal is cancelled, and stays so.
  await second.page.goto('/driver/dashboard?show=pending');
  const offer = second.page.getByRole('listitem').filter({ hasText: 'Pine shelf, oiled' });
  await offer.getByRole('button', { name: 'Start Delivery' }).click();
  await second.settled();
  await second.context.setOffline(true);
  const dialog = second.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start Delivery' }).click();
  await dialog.getByText(nothingSent).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await reconnect(second.page);
  await admin.page.getByText('Processing', { exact: true }).first().waitFor();
  expect(await world.owner.api.packages.read({ params: { id: corrected.id } })).toMatchObject({ status: 'processing' });

  // Then the delivery goes to the other driver.
  await second.page.goto('/driver/dashboard');
  await world.admin.api.deliveries.assign({ params: { id: carried.id }, body: { driverId: world.idleDriver.id } });
  await second.page.getByText('Ring twice, the bell sticks').waitFor();
  await first.page.getByRole('listitem').filter({ hasText: 'Slate board' }).waitFor({ state: 'detached' });
  await tracker.page.getByText('Ike', { exact: true }).waitFor();
  await owner.page.waitForURL(`**/owner/package/${carried.id}`);
  await owner.page.getByText('Handed to a driver').first().waitFor();
});
