import type { Client } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let owner: Client;
let driver: Client;
let ownerToken: string;
let driverToken: string;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  [owner, driver] = (await Promise.all(
    (['owner', 'driver'] as const).map(async (role) => {
      const body = { name: role === 'owner' ? 'Lindqvist' : 'Dana Driver', email: `${role}@example.com`, role };
      const { token } = await product.api().auth.register({ body: { ...body, password: 'pond-heron-7' } });
      if (role === 'driver') driverToken = token;
      else ownerToken = token;
      return product.api(token);
    }),
  )) as [Client, Client];
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const create = () =>
  owner.packages.create({
    body: {
      name: 'Espresso machine',
      description: 'A machine of polished steel',
      category: 'Electronics',
      weight: 6.4,
      recipientName: 'Jonas Weber',
      recipientContact: '+49 151 2345678',
      location: 'Riverton depot',
      showSender: true,
    },
  });
const answer = (page: Page) => page.getByRole('heading', { level: 1 });
const scene = (page: Page) => page.getByRole('img', { name: /^Drawing:/ });

test.runIf(runsAll)(
  'on a laptop the answer, its history, the details and the form stand on one screen, whatever the state',
  async () => {
    const [waiting, next, failed, delivered] = [await create(), await create(), await create(), await create()];
    for (const { id } of [next, failed, delivered]) await driver.deliveries.start({ params: { id } });
    await driver.deliveries.next({ params: { id: next.id } });
    await driver.deliveries.fail({ params: { id: failed.id }, body: { reason: 'Nobody home' } });
    await driver.deliveries.complete({ params: { id: delivered.id } });
    for (const { trackingId } of [waiting, next, failed, delivered]) {
      const { page } = await openWindow(browser, { baseURL: product.url, width: 1440 });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/track/${trackingId}`);
      await scene(page).waitFor();
      const bottom = await page
        .getByRole('button', { name: 'Track', exact: true })
        .evaluate((button) => button.getBoundingClientRect().bottom + scrollY);
      expect(bottom, await answer(page).innerText()).toBeLessThanOrEqual(900);
    }
  },
);

test('while it is open the scene, the sentence and the title follow the parcel from the depot to the door', async () => {
  const { id, trackingId } = await create();
  const { page } = await openWindow(browser, { baseURL: product.url, width: 390 });
  await page.goto(`/track/${trackingId}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('img', { name: /your parcel stands in the dock/ }).waitFor();
  await page.getByText('Registered by Lindqvist').filter({ visible: true }).waitFor();
  await driver.deliveries.start({ params: { id } });
  await page.getByRole('img', { name: /the van is on the road/ }).waitFor();
  await page.getByText('Dana is on the way to you').filter({ visible: true }).waitFor();
  await page.getByText('Out for delivery with Dana').filter({ visible: true }).waitFor();
  await driver.deliveries.next({ params: { id } });
  await page.getByText("You're Dana's next stop").waitFor();
  await page.getByRole('img', { name: /right before your door/ }).waitFor();
  await expect.poll(() => page.title()).toContain('Next stop: you');
  await driver.deliveries.complete({ params: { id } });
  await page.getByRole('img', { name: /the parcel stands on the mat/ }).waitFor();
  await expect.poll(() => answer(page).innerText()).toMatch(/^Delivered today at\s\d\d:\d\d$/);
  // The driver's name is public on the road only.
  expect(await page.getByText('Dana').count()).toBe(0);
});

test.runIf(runsAll)(
  'a message to the sender is refused with its reason, kept, sent, and stands on the package of its owner',
  async () => {
    const pkg = await create();
    const { page } = await openWindow(browser, { baseURL: product.url, expectFailures: /message/ });
    await page.goto(`/track/${pkg.trackingId}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Message to the sender').click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Please leave it with the neighbour.');
    await page.getByRole('textbox', { name: 'Your email' }).fill('vera');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Please enter a valid email address').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(
      'Please leave it with the neighbour.',
    );
    await page.getByRole('textbox', { name: 'Your email' }).fill('vera@example.com');
    await expectAccessible(page, 'message to the sender');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Your message is on its way').waitFor();

    const sender = await openWindow(browser, { baseURL: product.url });
    await sender.page.goto('/login');
    await sender.page.getByLabel('Email').fill('owner@example.com');
    await sender.page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
    await sender.page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    await sender.page.waitForURL('**/owner/dashboard');
    await sender.page.goto(`/owner/package/${pkg.id}`);
    await sender.page.getByText('Please leave it with the neighbour.').waitFor();
    const answer = sender.page.getByRole('link', { name: 'vera@example.com' });
    expect(await answer.getAttribute('href')).toBe('mailto:vera%40example.com');
  },
);

test('sharing copies the link where the device has no share sheet', async () => {
  const { trackingId } = await create();
  const { page, context } = await openWindow(browser, { baseURL: product.url });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await page.goto(`/track/${trackingId}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Link copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${product.url}/track/${trackingId}`);
});

test('by their link recipients change their delivery on a phone, take it back, are told when it is too late, and see the proof, and rate; their driver sees it too', async () => {
  const [pkg, near] = [await create(), await create()];
  const linkOf = async ({ id }: { id: string }) => (await owner.recipients.link({ params: { id } })).url;
  const { page } = await openWindow(browser, { baseURL: product.url, expectFailures: /access/ });
  await page.setViewportSize({ width: 320, height: 700 });
  const urls: string[] = [];
  page.on('request', (request) => void urls.push(`${request.url()} ${request.headers().referer ?? ''}`));
  const url = new URL(await linkOf(pkg));
  await page.goto(url.pathname + url.hash);
  const part = page.getByRole('region', { name: 'Your delivery' });
  await part.getByText('Jonas Weber').waitFor();
  expect(urls.join(' ')).not.toContain(url.hash.slice(1));

  // The list of days begins with today.
  await part.getByRole('button', { name: /^Another day/ }).click();
  await part.getByLabel('Day').selectOption({ index: 2 });
  await expectAccessible(page, 'recipient’s part');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await part.getByRole('button', { name: 'Save' }).click();
  await part.getByText('Saved. The driver and the sender know.').waitFor();
  await part.getByRole('button', { name: /^Undo: Deliver on/ }).click();
  await part.getByText('Undone.').waitFor();
  expect((await owner.packages.read({ params: { id: pkg.id } })).recipientChanges).toEqual([]);

  await part.getByRole('button', { name: /^A neighbour/ }).press('Enter');
  await part.locator('input[name=name]:focus').waitFor();
  await page.keyboard.type('Schulz');
  await page.keyboard.press('Enter');
  await part.getByText('Please fill this in').waitFor();
  await part.locator('input[name=address]:focus').waitFor();
  await page.keyboard.type('Am Markt 5');
  await page.keyboard.press('Enter');
  await part.getByText('Neighbour: Schulz, Am Markt 5').waitFor();
  // The key stays in the address.
  await page.reload();
  await part.getByText('Neighbour: Schulz, Am Markt 5').waitFor();

  await driver.deliveries.start({ params: { id: pkg.id } });
  const phone = await openWindow(browser, { baseURL: product.url, width: 390, token: driverToken });
  await phone.page.goto('/driver/dashboard');
  await phone.page.getByText('Leave with a neighbour: Schulz, Am Markt 5').waitFor();
  await phone.page.getByRole('button', { name: 'Got it' }).click();
  await part.getByText('Seen by the driver').waitFor();
  await phone.page.getByText('Leave with a neighbour').waitFor({ state: 'hidden' });
  await driver.deliveries.next({ params: { id: pkg.id } });
  await part.getByText('it is too late to change this delivery').waitFor();
  await driver.deliveries.complete({ params: { id: pkg.id }, body: { receivedBy: 'Schulz' } });
  await part.getByRole('heading', { name: 'Proof of delivery' }).waitFor();
  await part.getByText('Schulz', { exact: true }).waitFor();
  await part.getByRole('radio', { name: '4 stars' }).check();
  await part.getByLabel('What should we know?').fill('Friendly');
  await part.getByRole('button', { name: 'Send' }).click();
  await part.getByText('Thank you for your rating.').waitFor();

  const desk = await openWindow(browser, { baseURL: product.url, token: ownerToken });
  await desk.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.page.goto(`/owner/package/${pkg.id}`);
  await desk.page.getByText('Leave with a neighbour: Schulz, Am Markt 5').first().waitFor();
  await desk.page.getByRole('button', { name: 'Make new recipient link' }).click();
  await desk.page.getByRole('button', { name: 'Make new link' }).click();
  await desk.page.getByText('Recipient link copied').first().waitFor();
  await page.reload();
  await part.getByText('This link is no longer valid').waitFor();

  // A key of another package, and none.
  await page.goto(`/track/${near.trackingId}${url.hash}`);
  await part.getByText('This link is no longer valid').waitFor();
  await page.goto(`/track/${near.trackingId}`);
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await part.count()).toBe(0);
});
