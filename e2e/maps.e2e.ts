import type { Client, Role } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { eventually } from '../server/src/testing/test-product.ts';
import { packageInput } from './fixtures.ts';
import { insertRounds, moveDrivers, openDatabase, traceMainThread } from './live-map.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  if (!runsAll) return;
  [product, browser] = await Promise.all([startProduct({ TIME_ZONE: 'UTC' }), openBrowser()]);
});
afterAll(async () => {
  if (!runsAll) return;
  await browser.close();
  await product.stop();
});

interface Account {
  id: string;
  token: string;
  api: Client;
}

async function register(role: Role, name: string): Promise<Account> {
  const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
  const { id, token } = await product.api().auth.register({ body: { name, email, password: 'pond-heron-7', role } });
  return { id, token, api: product.api(token) };
}

const openAs = (token: string | null) =>
  openWindow(browser, { baseURL: product.url, timezoneId: 'UTC', ...(token !== null && { token }) });

const mapIn = async (page: Page, label: string) => {
  const map = page.locator(`[data-map=drawn][aria-label="${label}"]`);
  await map.waitFor();
  return map;
};

test.runIf(runsAll)(
  'maps show the routes of the day, the stops of a round and the drivers on the road, beside the lists that say the same',
  async () => {
    const [owner, admin, driver] = [
      await register('owner', 'Olga Owner'),
      await register('admin', 'Ada Admin'),
      await register('driver', 'Dana One'),
    ];
    const packageIds: string[] = [];
    for (const lon of [10, 10.02, 10.04]) {
      const address = { street: `Weg ${lon}`, postalCode: '20457', city: 'Hamburg' };
      const { id } = await owner.api.packages.create({ body: { ...packageInput, address } });
      await owner.api.packages.setPlace({ params: { id }, body: { lon, lat: 53.55 } });
      packageIds.push(id);
    }
    const day = new Date().toISOString().slice(0, 10);
    const [depot] = await admin.api.depots.list();
    const route = await admin.api.routes.create({
      body: { day, depotId: depot?.id ?? '', driverId: driver.id },
    });
    await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds } });

    const { page } = await openAs(admin.token);
    await page.goto('/admin/dispatch');
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    const routes = await mapIn(page, 'Map: the routes of the day');
    const box = await routes.boundingBox();
    if (!box) throw new Error('the map has no size');
    // The second of three stops in a row is in the middle.
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByText('1 selected').waitFor();

    await driver.api.routes.start({ params: { id: route.id }, body: {} });
    const phone = await openAs(driver.token);
    await phone.page.goto('/driver/dashboard');
    await phone.page.getByRole('button', { name: 'Show map' }).click();
    await mapIn(phone.page, 'Map of your stops');

    await driver.api.positions.agree({ body: { agreed: true } });
    await driver.api.positions.report({
      body: { positions: [{ at: new Date().toISOString(), lon: 10.01, lat: 53.55 }] },
    });
    await page.goto('/admin/dashboard');
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await mapIn(page, 'Map: drivers and open stops');
    await page.getByText('1 driver, 3 open stops').waitFor();

    // The tracker shows the driver only where its package is next, and loads no map otherwise.
    const transferred: number[] = [];
    for (const [index, id] of packageIds.slice(0, 2).entries()) {
      const { trackingId } = await owner.api.packages.read({ params: { id } });
      const tracker = await openAs(null);
      const loaded: string[] = [];
      tracker.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      const sizes: Promise<number>[] = [];
      tracker.page.on('requestfinished', (request) => {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      // The answer is there, and live, before anything of the map is.
      const map = Promise.withResolvers<void>();
      await tracker.page.route(/\/(engine|map-worker)-|\/map\//, async (route) => {
        await map.promise;
        await route.continue();
      });
      await tracker.page.goto(`/track/${trackingId}`);
      await tracker.page.getByText('Live', { exact: true }).waitFor();
      map.resolve();
      await tracker.settled();
      if (index === 0) {
        await tracker.page.getByRole('region', { name: 'Map: where the driver is' }).waitFor();
        await eventually('tiles', () => loaded.some((path) => path.startsWith('/map/world/')));
        expect(await tracker.page.locator('body').textContent()).not.toContain('Weg 10');
        await tracker.settled();
      } else expect(loaded.filter((path) => /engine|track-map|map-worker|^\/map\//.test(path))).toEqual([]);
      transferred.push((await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0));
    }
    const [withMap = 0, without = 0] = transferred;
    expect(withMap - without).toBeGreaterThan(100_000);
    expect(withMap - without).toBeLessThanOrEqual(600_000);
  },
);

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;

declare global {
  interface Window {
    /** When a source got data, in ms. */
    dataAt: number[];
  }
}

test.runIf(runsAll)(
  'Live Operations with 1,000 moving drivers and 5,000 stops has no long task, and at most one update a second',
  async () => {
    const [owner, admin] = [await register('owner', 'Omar Owner'), await register('admin', 'Alma Admin')];
    const address = { street: 'Weg 1', postalCode: '20457', city: 'Hamburg' };
    const { id } = await owner.api.packages.create({ body: { ...packageInput, address } });
    await owner.api.packages.setPlace({ params: { id }, body: { lon: 10, lat: 53.55 } });
    const database = await openDatabase(product);
    try {
      await insertRounds(database.client, id, 1000, 5);
      const { page } = await openAs(admin.token);
      await page.addInitScript(() => {
        window.dataAt = [];
        const post = Reflect.get(Worker.prototype, 'postMessage') as (...given: unknown[]) => void;
        Worker.prototype.postMessage = function (this: Worker, ...given: unknown[]) {
          if ((given[0] as { type?: string } | null)?.type === 'LD') window.dataAt.push(performance.now());
          post.apply(this, given);
        };
      });
      await page.goto('/admin/dashboard');
      await page.getByRole('button', { name: 'Map', exact: true }).click();
      const map = await mapIn(page, 'Map: drivers and open stops');
      await map.scrollIntoViewIfNeeded();
      await page.getByText(/^1,00\d drivers, 5,00\d open stops/).waitFor();
      await page.waitForTimeout(5000);
      await page.evaluate(() => void window.dataAt.splice(0));
      const main = await traceMainThread(browser, page, async () => {
        for (let second = 0; second < 12; second++) {
          await moveDrivers(database.client);
          await page.waitForTimeout(1000);
        }
      });
      const dataAt = await page.evaluate(() => window.dataAt);
      console.log(JSON.stringify({ ...main, updates: dataAt.length }));
      const gaps = dataAt.slice(1).map((at, index) => at - (dataAt[index] ?? 0));
      expect(dataAt.length).toBeGreaterThan(4);
      expect(Math.min(...gaps)).toBeGreaterThan(900);
      expect(await page.locator('.maplibregl-marker').count()).toBe(0);
      expect(main.tasks).toBeGreaterThan(100);
      expect(main.longestTask).toBeLessThan(50);
      // The clock of the thread's CPU does not count other programs, but they and the collector of garbage disturb single frames.
      expect(main.mostScript.length).toBeGreaterThan(4);
      expect(median(main.mostScript)).toBeLessThanOrEqual(8);
    } finally {
      await database.close();
    }
  },
);
