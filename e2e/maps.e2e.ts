import type { Client, Role } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { eventually } from '../server/src/testing/test-product.ts';
import { packageInput } from './fixtures.ts';
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
    for (const [index, id] of packageIds.slice(0, 2).entries()) {
      const { trackingId } = await owner.api.packages.read({ params: { id } });
      const tracker = await openAs(null);
      const loaded: string[] = [];
      tracker.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      await tracker.page.goto(`/track/${trackingId}`);
      await tracker.settled();
      if (index === 0) {
        await tracker.page.getByRole('region', { name: 'Map: where the driver is' }).waitFor();
        await eventually('tiles', () => loaded.some((path) => path.startsWith('/map/world/')));
        expect(await tracker.page.locator('body').textContent()).not.toContain('Weg 10');
      } else expect(loaded.filter((path) => /engine|track-map|maplibre|^\/map\//.test(path))).toEqual([]);
    }
  },
);
