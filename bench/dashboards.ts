import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';
import type { BenchContext } from './bench.ts';
import { startProduct, type Product, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { median } from './quantiles.ts';
import { administrator, driverEmail, largeOwner, smallOwner } from './seed.ts';
import { makePackages } from './waiting-packages.ts';

/** The figures of one load. */
interface Load {
  requests: number;
  bytes: number;
  /** Until the last change of the page, in ms since the navigation. */
  complete: number;
  script: number;
}

const dashboards = {
  owner: { path: '/owner/dashboard', as: largeOwner },
  driver: { path: '/driver/dashboard', as: driverEmail(1) },
  admin: { path: '/admin/dashboard', as: administrator },
};

/** Lighthouse's slow 4G and its CPU, but applied: each request waits, and so many requests cost what they cost users. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const cpuSlowdown = 4;

/** Complete if nothing changes for this long while nothing loads. */
const quietMs = 2_000;
const timeoutMs = 60_000;

/** Stops of the driver's route. */
const stops = 20;

/** The dashboards behind the sign-in, on a slow phone: cold cache, signed in already. The cache is that of a new window: empty, but on, as a preloaded file is asked for only once. */
export async function benchDashboards({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const product = await startProduct(await databases.shared(size.packages));
  const browser = await chromium.launch(await findBrowser());
  try {
    await startRoute(product);
    const contenders: Record<string, () => Promise<Load>> = {};
    for (const [name, { path, as }] of Object.entries(dashboards)) {
      const session = await product.signIn(as);
      contenders[name] = () => load(browser, product.url + path, session);
    }
    const loads = await rounds.interleave(size.pageLoads, contenders);
    for (const [name, figures] of Object.entries(loads)) report(...findingsOf(name, figures));
    note(
      `Throttling is applied: ${network.latency} ms of latency, 1.6 Mbit/s, a CPU slowed down by ${cpuSlowdown}; ${size.pageLoads} loads of each dashboard with a cold cache, by the owner of a tenth of the packages, a driver on a route of ${stops} stops and an administrator.`,
    );
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** The driver's working day: a route on the road. */
async function startRoute(product: Product): Promise<void> {
  const [admin, owner, driver] = await Promise.all(
    [administrator, smallOwner, dashboards.driver.as].map(product.signIn),
  );
  if (!admin || !owner || !driver) throw new Error('somebody could not sign in');
  const depotId = (await admin.api.depots.list())[0]?.id ?? '';
  const day = new Date().toISOString().slice(0, 10);
  const { id } = await admin.api.routes.create({ body: { day, depotId, driverId: driver.id, confirm: true } });
  await admin.api.routes.addStops({ params: { id }, body: { packageIds: await makePackages(owner, stops) } });
  await driver.api.routes.start({ params: { id } });
}

async function load(browser: Browser, url: string, { token }: Session): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
    // It loads files for later visits, which are no part of this one.
    serviceWorkers: 'block',
  });
  try {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    await context.addInitScript(() => {
      window.lastChange = 0;
      const changed = () => (window.lastChange = performance.now());
      new MutationObserver(changed).observe(document, { childList: true, characterData: true, subtree: true });
    });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const traffic = await watchTraffic(session);
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await page.goto(url, { waitUntil: 'commit', timeout: timeoutMs });
    const complete = await untilComplete(page, traffic);
    if (new URL(page.url()).pathname !== new URL(url).pathname) throw new Error(`${url} led to ${page.url()}`);
    return { ...traffic.figures(), complete };
  } finally {
    await context.close();
  }
}

interface Traffic {
  isLoading(): boolean;
  figures(): Pick<Load, 'requests' | 'bytes' | 'script'>;
}

async function watchTraffic(session: CDPSession): Promise<Traffic> {
  const loading = new Set<string>();
  const scripts = new Set<string>();
  const figures = { requests: 0, bytes: 0, script: 0 };
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (request.url.startsWith('data:')) return;
    figures.requests++;
    if (type === 'Script') scripts.add(requestId);
    // Streams stay open.
    if (!new URL(request.url).pathname.endsWith('/live')) loading.add(requestId);
  });
  // A preloaded file is named once more when it is used.
  session.on('Network.requestServedFromCache', () => figures.requests--);
  session.on('Network.responseReceived', ({ response }) => {
    if (response.fromDiskCache) figures.requests--;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loading.delete(requestId);
    figures.bytes += encodedDataLength;
    if (scripts.has(requestId)) figures.script += encodedDataLength;
  });
  session.on('Network.loadingFailed', ({ requestId }) => void loading.delete(requestId));
  await session.send('Network.enable');
  return { isLoading: () => loading.size > 0, figures: () => ({ ...figures }) };
}

/** @returns when the page changed last, in ms since the navigation */
async function untilComplete(page: Page, traffic: Traffic): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const { isBusy, lastChange, now } = await page.evaluate(() => ({
      isBusy: document.querySelector('[aria-busy="true"]') !== null || document.querySelector('h1') === null,
      lastChange: window.lastChange,
      now: performance.now(),
    }));
    if (!isBusy && !traffic.isLoading() && now - lastChange > quietMs) return lastChange;
    await page.waitForTimeout(200);
  }
  throw new Error(`${page.url()} was not complete after ${timeoutMs / 1000} s`);
}

function findingsOf(name: string, loads: Load[]): Finding[] {
  const finding = (id: keyof Load, measure: string, unit: Finding['unit'], bound: number | null): Finding => ({
    measure: `${name}: ${measure}`,
    unit,
    product: median(loads.map((figures) => figures[id])) / (unit === 'KB' || unit === 's' ? 1000 : 1),
    baseline: null,
    ratio: null,
    goal: bound === null ? null : { of: 'product', is: 'at most', bound },
  });
  return [
    finding('complete', 'until its content is complete', 's', 3.5),
    finding('requests', 'requests', 'requests', 25),
    finding('bytes', 'all that is loaded', 'KB', null),
    finding('script', 'scripts', 'KB', null),
  ];
}

declare global {
  interface Window {
    /** Time of the page's last change. */
    lastChange: number;
  }
}
