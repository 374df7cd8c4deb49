import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient, dayIn, type Client } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

let accountCount = 0;
async function register(role: 'owner' | 'driver' | 'admin'): Promise<Client> {
  const { token } = await product.api().auth.register({
    body: {
      name: `Somebody ${++accountCount}`,
      email: `public${accountCount}@example.com`,
      password: 'pond-heron-7',
      role,
    },
  });
  return createClient({ baseUrl: product.url, token: () => token });
}

const packageInput = {
  name: 'Walnut desk lamp',
  description: 'A lamp of walnut and brass',
  category: 'Furniture',
  weight: 2.5,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
  location: 'Riverton depot',
  eta: '2031-05-04',
} as const;

const staticPages = {
  '/': 'Seamless Package Delivery for the Modern World',
  '/track': 'Track Your Package',
  '/about': 'About Us',
  '/contact': 'Contact',
  '/terms': 'Terms of Service',
  '/privacy': 'Privacy Policy',
  '/cookies': 'Cookie Policy',
  '/licenses': 'Licenses',
  '/nothing/here': 'Package Not Found',
};
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

test('every public page renders without JavaScript, and the tracker works', async () => {
  const owner = await register('owner');
  const pkg = await owner.packages.create({ body: packageInput });
  const context = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, title] of Object.entries(staticPages)) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(path === '/nothing/here' ? 404 : 200);
    await heading(page, title).waitFor();
    expect(await page.locator('[style]').count(), `style attributes on ${path}`).toBe(0);
    // What was not found is drawn, also where no code is loaded.
    if (path === '/nothing/here') await page.locator('main svg[viewBox="0 0 300 176"]').waitFor();
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Track a Package' }).click();
  await heading(page, 'Track Your Package').waitFor();
  expect(await page.getByText('must be at least 5 characters').count()).toBe(0);
  await page.getByRole('textbox', { name: 'Tracking ID' }).fill('abc');
  await page.getByRole('button', { name: 'Track', exact: true }).click();
  await page.getByText('Tracking ID must be at least 5 characters.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Tracking ID' }).inputValue()).toBe('abc');

  await page.getByRole('textbox', { name: 'Tracking ID' }).fill(` ${pkg.trackingId.toLowerCase()} `);
  await page.getByRole('button', { name: 'Track', exact: true }).click();
  await heading(page, 'Arriving Sun 4 May 2031').waitFor();
  await page.getByRole('img', { name: 'Drawing: your parcel stands in the dock' }).waitFor();
  // The facts are folded, also without JavaScript.
  await page.getByText('Details', { exact: true }).click();
  await page.locator('dd').getByText('Mara Lindqvist').waitFor();
  expect(await page.locator('dd time').first().innerText()).toBe('04/05/2031');

  const missing = await page.goto('/track/PKG-ZZZZZZZZ');
  expect(missing?.status()).toBe(404);
  await page
    .getByText("We couldn't find a package with the tracking ID: PKG-ZZZZZZZZ. Please check the ID and try again.")
    .waitFor();
  await context.close();
});

test('a server-rendered page hydrates and goes live, with the same days in every time zone, without faults', async () => {
  const [owner, driver] = [await register('owner'), await register('driver')];
  const pkg = await owner.packages.create({ body: packageInput });
  const windows = [];
  for (const timezoneId of ['Pacific/Auckland', 'America/Los_Angeles']) {
    const window = await openWindow(browser, { baseURL: product.url, timezoneId, expectFailures: /ZZZZZZZZ/ });
    await window.page.goto(`/track/${pkg.trackingId}`);
    await window.page.getByText('Live', { exact: true }).waitFor();
    await heading(window.page, 'Arriving Sun 4 May 2031').waitFor();
    await window.page.getByText('Details', { exact: true }).click();
    await window.page.getByText('04/05/2031').waitFor();
    windows.push(window);
  }
  await driver.deliveries.start({ params: { id: pkg.id } });
  for (const { page } of windows) await page.getByText('Out for Delivery', { exact: true }).waitFor();
  await driver.deliveries.complete({ params: { id: pkg.id } });
  for (const { page } of windows) await page.getByText('Delivered today').waitFor();

  const [{ page }] = windows as [(typeof windows)[0]];
  // In print there is only the package, with absolute times.
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'Delivered today' }).waitFor();
  expect(await page.getByRole('textbox').filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(
    await page
      .getByText(/ago|now/i)
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('textbox', { name: 'Tracking ID' }).fill('PKG-ZZZZZZZZ');
  await page.getByRole('button', { name: 'Track', exact: true }).click();
  await page.getByText('Package not found').waitFor();
  expect(new URL(page.url()).pathname).toBe('/track/PKG-ZZZZZZZZ');
  await page.goBack();
  await page.getByText('Delivered today').waitFor();
  for (const { faults, context } of windows) {
    expect(faults).toEqual([]);
    await context.close();
  }
});

test.runIf(runsAll)('axe finds nothing on text pages, and no public page overflows 320 px', async () => {
  const { page, context, faults } = await openWindow(browser, {
    baseURL: product.url,
    width: 320,
    expectFailures: /nothing\/here/,
  });
  const unbroken = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
  const long = await (
    await register('owner')
  ).packages.create({ body: { ...packageInput, name: unbroken, location: unbroken, recipientName: unbroken } });
  const checkedPages = { ...staticPages, [`/track/${long.trackingId}`]: 'Arriving Sun 4 May 2031' };
  for (const [path, title] of Object.entries(checkedPages)) {
    await page.goto(path);
    await heading(page, title).waitFor();
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
    // The others are checked in screens.e2e.ts.
    if (['/terms', '/cookies', '/licenses'].includes(path)) await expectAccessibleInBothThemes(page, path);
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('the landing page tracks a package from its field, and its facts are true', async () => {
  const pkg = await (await register('owner')).packages.create({ body: packageInput });
  const { page, context, faults } = await openWindow(browser, { baseURL: product.url, width: 320, locale: 'de' });
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await page.goto('/', { waitUntil: 'networkidle' });
  // The longest language in the narrowest window.
  await heading(page, 'Zustellung ohne Umwege, für heute gemacht').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await expectAccessibleInBothThemes(page, 'landing page in German');
  expect([...origins]).toEqual([product.url]);

  const openApi = (await (await fetch(`${product.url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.values(openApi.paths).flatMap((path) => Object.keys(path)).length;
  await page.locator('dt', { hasText: new RegExp(`^${operations}$`) }).waitFor();

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // What the server has drawn stays; it moves only while it is in view, and nothing of it can be reached.
  // What is below the window is laid out only when it comes near: its heading is found all the same.
  await page.getByRole('link', { name: 'Mehr erfahren' }).click();
  await page.waitForFunction(() => {
    const top = document.querySelector('#features-title')?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < innerHeight / 2;
  });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const picture = page.locator('.landing-picture > div');
  await picture.getByText('Jonas Petersen').first().waitFor();
  expect(await picture.locator('svg').count()).toBeGreaterThan(5);
  await page.getByRole('heading', { name: 'Bereit?' }).scrollIntoViewIfNeeded();
  await page.locator('.landing-picture > [data-away]').waitFor({ state: 'attached' });
  const moving = () => picture.evaluate((element) => element.getAnimations({ subtree: true }).length);
  expect(await moving()).toBe(0);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.locator('.landing-picture > :not([data-away])').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.landing-card')?.getAnimations().length === 1);

  await page.getByRole('textbox', { name: 'Sendungsnummer' }).fill(pkg.trackingId);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/track/${pkg.trackingId}`);
  expect(faults).toEqual([]);
  await context.close();
});

test('a public page shows the signed-in user, who can sign out there', async () => {
  const { page, context, faults } = await openWindow(browser, { baseURL: product.url });
  const { token, user } = await page.goto('/').then(async () => {
    const signedIn = await product.api().auth.register({
      body: { name: 'Petra Public', email: 'petra@example.com', password: 'pond-heron-7', role: 'driver' },
    });
    return { token: signedIn.token, user: signedIn };
  });
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  // The link of the role card, before the page knows of the session.
  await page.goto('/register?role=driver');
  await page.waitForURL('**/driver/dashboard');
  await page.goto('/');
  await page.getByRole('button', { name: user.name }).click();
  await page.getByRole('link', { name: /Go to your dashboard/ }).waitFor();
  expect(await page.getByRole('link', { name: 'Sign In' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('link', { name: 'Sign In' }).first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test.runIf(runsAll)('no letter falls back to another font, whatever its alphabet or weight', async () => {
  const { page, context } = await openWindow(browser, { baseURL: product.url });
  await page.goto('/login');
  const probes = { name: 'Lucía, Ærø, Zoë', code: 'packages.read' };
  await page.evaluate(async ({ name, code }) => {
    const probe = `<p id="name" class="font-semibold">${name}</p><p id="code" class="code">${code}</p>`;
    document.body.insertAdjacentHTML('beforeend', probe);
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    await document.fonts.ready;
  }, probes);
  const devtools = await context.newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const fontsOf = async (selector: string) => {
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    return [...new Set(fonts.map(({ familyName }) => familyName))];
  };
  expect(await fontsOf('#name')).toEqual(['Geist']);
  expect(await fontsOf('#code')).toEqual(['Geist Mono']);
  await context.close();
});

test('hydration and late fonts cause no layout shift', async () => {
  const [owner, driver] = [await register('owner'), await register('driver')];
  const [waiting, onTheRoad, delivered] = [
    await owner.packages.create({ body: { ...packageInput, eta: new Date().toISOString().slice(0, 10) } }),
    await owner.packages.create({ body: packageInput }),
    await owner.packages.create({ body: packageInput }),
  ];
  await driver.deliveries.start({ params: { id: onTheRoad.id } });
  await driver.deliveries.start({ params: { id: delivered.id } });
  await driver.deliveries.complete({ params: { id: delivered.id } });
  const paths = {
    '/': 'Sign In',
    [`/track/${waiting.trackingId}`]: 'Arriving today',
    [`/track/${onTheRoad.trackingId}`]: 'Arriving to',
    [`/track/${delivered.trackingId}`]: 'Delivered today',
  };
  for (const [path, hydratedText] of Object.entries(paths)) {
    const { page, context } = await openWindow(browser, { baseURL: product.url, width: 390, timezoneId: 'UTC' });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*.woff2', async (route) => {
      await held;
      await route.continue();
    });
    await page.addInitScript(() => {
      const moved = { sum: 0 };
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.sum += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByText(hydratedText).filter({ visible: true }).first().waitFor();
    const font = page.waitForResponse('**/cut-geist-latin*');
    release();
    await font;
    await page.evaluate(() => document.fonts.ready);
    // A layout shift is reported after its frame.
    const moved = await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return (globalThis as unknown as { moved: { sum: number } }).moved.sum;
    });
    expect(moved, path).toBeLessThanOrEqual(0.01);
    await context.close();
  }
});

test('the tracker, the landing page and the longest page load little, and no code of each other', async () => {
  const pkg = await (await register('owner')).packages.create({ body: packageInput });
  // Only what the landing page needs: no tracker, no forms.
  const limits = {
    [`/track/${pkg.trackingId}`]: { text: 'Live', all: 120_000, scripts: 75_000, files: 4 },
    '/': { text: 'Sign In', all: 100_000, scripts: 35_000, files: 3 },
  };
  for (const [path, limit] of Object.entries(limits)) {
    const { page, context } = await openWindow(browser, { baseURL: product.url });
    const sizes: Promise<{ script: boolean; bytes: number }>[] = [];
    let scriptCount = 0;
    page.on('requestfinished', (request) => {
      const script = request.resourceType() === 'script';
      if (script) scriptCount++;
      // With headers: of small files they are most of it.
      sizes.push(request.sizes().then((size) => ({ script, bytes: size.responseBodySize + size.responseHeadersSize })));
    });
    await page.goto(path);
    await page.getByText(limit.text, { exact: true }).filter({ visible: true }).first().waitFor();
    await expect.poll(() => scriptCount, { message: path }).toBe(limit.files);
    page.removeAllListeners('requestfinished');
    const loaded = await Promise.all(sizes);
    const sum = (list: typeof loaded) => list.reduce((total, { bytes }) => total + bytes, 0);
    expect(loaded.length, path).toBeGreaterThan(limit.files);
    expect(sum(loaded), path).toBeLessThanOrEqual(limit.all);
    expect(sum(loaded.filter(({ script }) => script)), path).toBeLessThanOrEqual(limit.scripts);
    await context.close();
  }

  const visitor = await openWindow(browser, { baseURL: product.url });
  const files: string[] = [];
  visitor.page.on('request', (request) => void files.push(new URL(request.url()).pathname));
  const list = await visitor.page.goto('/licenses', { waitUntil: 'networkidle' });
  expect((await list?.body())?.length).toBeLessThan(250_000);
  // One font, in its small cut: package names in the monospaced one would load 31 kB more, and shift the list.
  expect(files.filter((file) => file.endsWith('.woff2'))).toEqual([expect.stringContaining('/cut-geist-latin')]);
  await visitor.context.close();
});

test('bundle budget: the shell and its language have at most 140 kB, a page at most 40 kB of its own, and both at most 10 files', () => {
  const folder = join(import.meta.dirname, '../web/dist/app');
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; imports?: string[]; isDynamicEntry?: boolean }
  >;
  const bytes = (key: string) => gzipSync(readFileSync(join(folder, manifest[key]?.file ?? ''))).length;
  const needed = (key: string, seen = new Set<string>()): Set<string> => {
    if (!seen.has(key)) for (const next of manifest[seen.add(key) && key]?.imports ?? []) needed(next, seen);
    return seen;
  };
  const weight = (keys: string[]) => keys.reduce((sum, key) => sum + bytes(key), 0);
  const shell = needed('index.html');
  for (const language of ['en', 'de', 'fr', 'es'])
    expect(weight([...shell, `../contract/src/texts/${language}.ts`]), language).toBeLessThanOrEqual(140_000);
  // Not `parts`, which are loaded beside a page or after it.
  const pages = Object.keys(manifest).filter(
    (key) => /^src\/pages\/\w+\.tsx$/.test(key) && manifest[key]?.isDynamicEntry,
  );
  expect(pages.length).toBeGreaterThan(5);
  for (const key of pages) {
    expect(bytes(key), key).toBeLessThanOrEqual(key.includes('/Admin') ? 60_000 : 40_000);
    const files = [...needed(key)].filter((file) => !shell.has(file));
    expect(files.length + shell.size, `files of ${key}`).toBeLessThanOrEqual(10);
    // Sign-in pages need no dialogs and no package code.
    const maxBytes = /\/(Login|Register|Forgot|Reset)Page/.test(key) ? 190_000 : 240_000;
    expect(weight([...shell, ...files]), `${key} with the shell and what it shares`).toBeLessThanOrEqual(maxBytes);
  }
});

test('bundle budget: the map and its thread have at most 500 kB, which leaves 100 kB of what a tracker may load for it to its style and tiles', () => {
  for (const build of ['app', 'public']) {
    const assets = join(import.meta.dirname, '../web/dist', build, 'assets');
    const files = readdirSync(assets).filter((name) => /^(engine|map-worker)-[\w-]+\.js$/.test(name));
    expect(files, build).toHaveLength(2);
    const bytes = files.map((name) => gzipSync(readFileSync(join(assets, name))).length);
    expect(Math.min(...bytes), build).toBeGreaterThan(50_000);
    expect(
      bytes.reduce((sum, one) => sum + one, 0),
      build,
    ).toBeLessThanOrEqual(500_000);
  }
});

test('a dashboard loads in at most 25 requests: no file twice, and its code together with the shell', async () => {
  const [sender, dispatcher] = await Promise.all([register('owner'), register('admin')]);
  const [depot] = await dispatcher.depots.list();
  if (!depot) throw new Error('no depot');
  for (const role of ['owner', 'driver', 'admin'] as const) {
    const { token, id: userId } = await product.api().auth.register({
      body: { name: 'Dora Dash', email: `${role}.dashboard@example.com`, password: 'pond-heron-7', role },
    });
    if (role === 'driver') {
      // On a route, so the forms of its stop are loaded as well.
      const pkg = await sender.packages.create({ body: packageInput });
      const day = dayIn(depot.timeZone, new Date());
      const { id } = await dispatcher.routes.create({
        body: { day, depotId: depot.id, driverId: userId, confirm: true },
      });
      await dispatcher.routes.addStops({ params: { id }, body: { packageIds: [pkg.id] } });
      await product.api(token).routes.start({ params: { id } });
    }
    const { page, context, settled } = await openWindow(browser, { baseURL: product.url, token, width: 390 });
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
    const urls: string[] = [];
    let beforeData = -1;
    page.on('request', (request) => {
      if (beforeData < 0 && request.url().includes('/api/')) beforeData = urls.length;
      urls.push(request.url().slice(product.url.length));
    });
    // The last code that is loaded, after 2 s.
    const last = page.waitForResponse(/notices.*\.js/);
    await page.goto(`/${role}/dashboard`);
    await last;
    await settled();
    // Data is fetched again if the stream opens later than usual.
    expect(new Set(urls).size, urls.join('\n')).toBeLessThanOrEqual(25);
    const files = urls.filter((url) => !url.startsWith('/api/'));
    // The last code comes 2 s later, with the popups it needs where the page itself has none. What the document does not preload is
    // fetched, then imported from the cache, which is off here.
    const isLast = (url: string) => url.includes('notices') || (role === 'admin' && url.includes('popups'));
    const twice = files.filter((url, index) => files.indexOf(url) !== index && !isLast(url));
    expect(twice, `loaded twice by the ${role}`).toEqual([]);
    const code = urls.slice(beforeData).filter((url) => url.endsWith('.js') && !isLast(url));
    expect(code, `loaded after the first data of the ${role}`).toEqual([]);
    await context.close();
  }
});

test('what changed before a page began is not fetched again; what changed since is, and what is told without its age', async () => {
  const { token } = await product.api().auth.register({
    body: { name: 'Dan Dash', email: 'hints.dashboard@example.com', password: 'pond-heron-7', role: 'driver' },
  });
  const { page, calls, settled } = await openWindow(browser, { baseURL: product.url, token, width: 390 });
  const before = { type: 'deliveries', id: null, age: 600_000 };
  const streams = [[before, { type: 'notification', id: null, age: 0 }], [{ type: 'deliveries', id: null }]];
  const opened = streams.map(() => Promise.withResolvers<void>());
  let count = 0;
  await page.route('**/api/live*', async (route) => {
    const index = count++;
    await opened[index]?.promise;
    const events = [
      'event: hello\ndata: {"organisation":{},"resumed":true}',
      ...(streams[index] ?? []).map((hint) => `event: hint\ndata: ${JSON.stringify(hint)}`),
    ];
    // It ends at once, and the page opens the next.
    await route.fulfill({ contentType: 'text/event-stream', body: `${events.join('\n\n')}\n\n` });
  });
  await page.goto('/driver/dashboard');
  await expect.poll(() => calls).toContain('GET /api/deliveries/driver/summary');
  await expect.poll(() => calls).toContain('GET /api/notifications');
  await settled();
  const timesCalled = (call: string) => calls.filter((one) => one === call).length;
  const waiting = 'GET /api/deliveries';
  const notifications = 'GET /api/notifications';
  const [firstWaiting, firstNotifications] = [timesCalled(waiting), timesCalled(notifications)];
  opened[0]?.resolve();
  await expect.poll(() => timesCalled(notifications)).toBeGreaterThan(firstNotifications);
  await settled();
  expect(timesCalled(waiting)).toBe(firstWaiting);
  opened[1]?.resolve();
  await expect.poll(() => timesCalled(waiting)).toBeGreaterThan(firstWaiting);
});
