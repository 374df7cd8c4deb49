import { dayIn } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { packageInput } from './fixtures.ts';
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

/** A driver with a round of today that has not started, whose packages ask for what makes their stop full. */
async function driverWithRound(name: string) {
  const register = (role: 'owner' | 'driver' | 'admin') =>
    product.api().auth.register({
      body: { name, email: `${name.toLowerCase()}.${role}@example.com`, password: 'pond-heron-7', role },
    });
  const [owner, driver, admin] = [await register('owner'), await register('driver'), await register('admin')];
  const [owners, admins] = [product.api(owner.token), product.api(admin.token)];
  const packages = [];
  for (let count = 0; count < 7; count++)
    packages.push(
      await owners.packages.create({
        body: {
          ...packageInput,
          address: { street: 'Ottenser Hauptstraße 118', postalCode: '22765', city: 'Hamburg', country: null },
          handling: { fragile: true, keepUpright: true, signatureRequired: true, age: 18 },
        },
      }),
    );
  const [depot] = await admins.depots.list();
  if (!depot) throw new Error('no depot');
  const { id } = await admins.routes.create({
    body: { day: dayIn(depot.timeZone, new Date()), depotId: depot.id, driverId: driver.id },
  });
  await admins.routes.addStops({ params: { id }, body: { packageIds: packages.map((pkg) => pkg.id) } });
  return { token: driver.token, drivers: product.api(driver.token), packages, id };
}

test.runIf(runsAll)(
  'with few colours the bar of the load check is an outline that only what is ticked fills',
  async () => {
    const { token } = await driverWithRound('Bea');
    const { page } = await openWindow(browser, { baseURL: product.url, width: 390, token });
    const bar = page.locator('.bar');
    const tick = () => page.locator('label').filter({ hasText: 'Ottenser' }).first().tap();
    const looks = () =>
      bar.evaluate((track) => {
        const colourOf = (element: Element) => getComputedStyle(element).backgroundColor;
        const fill = track.firstElementChild ?? track;
        return {
          track: colourOf(track) === colourOf(document.documentElement),
          outline: getComputedStyle(track).outlineStyle,
          fill: colourOf(fill) !== colourOf(track),
          filled: Math.round((fill.clientWidth / track.clientWidth) * 7),
        };
      });
    for (const media of [{ contrast: 'more' }, { contrast: null, forcedColors: 'active' }] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ ...media, colorScheme });
        await page.goto('/driver/dashboard');
        await page.getByText('0 of 7 in the van').waitFor();
        expect(await looks()).toMatchObject({ track: true, outline: 'solid', filled: 0 });
        await tick();
        await page.getByText('1 of 7 in the van').waitFor();
        await expect.poll(looks).toEqual({ track: true, outline: 'solid', fill: true, filled: 1 });
        await tick();
      }
  },
);

/** Nothing scrolls the page sideways, and the edges of the window cut no word but those of lines that scroll. */
async function expectToFit(page: Page, where: string): Promise<void> {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const found = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const scrolls = (element: Element | null): boolean =>
        element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
      const cut = [...document.querySelectorAll(':is(main, [role="dialog"]) *')].filter((element) => {
        const { left, right, width: wide } = element.getBoundingClientRect();
        const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
        const isOver = wide > 1 && (left < -1 || right > clientWidth + 1);
        return isText && isOver && element.checkVisibility() && !element.closest('svg, [aria-hidden="true"]');
      });
      return {
        over: Math.max(0, scrollWidth - clientWidth),
        cut: cut.filter((element) => !scrolls(element.parentElement)).map((element) => element.textContent),
      };
    });
    expect(found, `${where} at ${width} px`).toEqual({ over: 0, cut: [] });
  }
}

test.runIf(runsAll).for(['de', 'fr', 'es'])(
  '%s: no public page and no page of a driver is wider than a phone',
  { timeout: 120_000 },
  async (locale) => {
    const { texts } = (await import(
      `../contract/src/texts/${locale}.ts`
    )) as typeof import('@waybill/contract/texts/en');
    const { token, drivers, packages, id } = await driverWithRound(`Lena${locale}`);
    const visitor = await openWindow(browser, {
      baseURL: product.url,
      width: 390,
      locale,
      expectFailures: /PKG-NOTTHERE|nowhere/,
    });
    const track = `/track/${packages[0]?.trackingId}`;
    const open = async ({ page, settled }: typeof visitor, path: string) => {
      await page.goto(path);
      await settled();
      await expectToFit(page, path);
    };
    for (const path of ['/', '/login', '/register', '/forgot', '/reset#token=any', '/about', '/contact'])
      await open(visitor, path);
    for (const path of ['/track', track, '/track/PKG-NOTTHERE', '/nowhere', '/driver/dashboard'])
      await open(visitor, path);

    const driver = await openWindow(browser, { baseURL: product.url, width: 390, locale, token });
    const { page } = driver;
    const { round } = texts.driver;
    await page.goto('/driver/dashboard');
    await page.getByText(round.loadCheck).waitFor();
    await expectToFit(page, 'the load check');
    await open(driver, `/driver/routes/${id}/manifest`);
    await drivers.routes.start({ params: { id } });
    const stop = page.locator('.stop-card');
    const openStop = async () => {
      await page.goto('/driver/dashboard');
      await stop.waitFor();
      await driver.settled();
    };
    await openStop();
    await expectToFit(page, 'the next stop');
    for (const [opener, item] of [
      [texts.driver.problem, texts.driver.deliveryFailed],
      [texts.driver.problem, texts.driver.reportLocation],
      [texts.driver.openMenu, texts.driver.complete],
    ] as const) {
      await page.getByRole('button', { name: opener, exact: true }).tap();
      await page.getByRole('menuitem', { name: item, exact: true }).tap();
      await page.getByRole('dialog').waitFor();
      await expectToFit(page, item);
      await openStop();
    }
    for (const path of [
      '/driver/dashboard?show=mine',
      '/driver/dashboard?show=pending',
      '/driver/dashboard?show=completed',
      '/driver/incidents',
      '/account',
      '/notifications',
      '/notifications/preferences',
      '/first-day',
    ])
      await open(driver, path);
    await open(visitor, track);
  },
);
