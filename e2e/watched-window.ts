import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';

/** A browser window with its own profile (context), which records everything that goes wrong. */
export interface Window {
  page: Page;
  context: BrowserContext;
  /** Paths of the API's calls, in order, streams included. */
  calls: string[];
  /** Console errors (CSP violations included), page errors and failed requests. */
  faults: string[];
  /** Resolves when no request is in flight and no animation runs. Streams do not count. */
  settled(): Promise<void>;
}

export interface WindowOptions {
  baseURL: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
  timezoneId?: string;
  /** The browser's language. */
  locale?: string;
  javaScriptEnabled?: boolean;
  /** Session token, set before the first page loads. */
  token?: string;
  /** URLs whose failures the test provokes; any other failure is a fault. */
  expectFailures?: RegExp;
}

/** `HEADED=1` opens visible windows, if the browser can: the one installed by npm is headless only. */
export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({ ...(await findBrowser()), headless: !process.env.HEADED });

export async function openWatchedWindow(
  browser: Browser,
  {
    baseURL,
    width = 1440,
    colorScheme = 'light',
    timezoneId,
    locale,
    javaScriptEnabled,
    token,
    expectFailures,
  }: WindowOptions,
): Promise<Window> {
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    timezoneId,
    locale,
    javaScriptEnabled,
    viewport: { width, height: width < 768 ? 844 : 900 },
    reducedMotion: 'reduce',
    hasTouch: width < 768,
  });
  if (token !== undefined) await context.addInitScript((value) => localStorage.setItem('token', value), token);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const calls: string[] = [];
  const faults: string[] = [];
  let isClosing = false;
  const close = context.close.bind(context);
  context.close = (options) => {
    isClosing = true;
    return close(options);
  };
  const loading = new Set<Request>();
  let idle = () => {};
  const end = (request: Request) => {
    loading.delete(request);
    if (loading.size === 0) idle();
  };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
    // A navigation drops the requests of the previous page.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loading.clear();
    // Streams stay open.
    if (!pathname.endsWith('/live')) loading.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', (request) => {
    end(request);
    const reason = request.failure()?.errorText ?? '';
    // ERR_ABORTED: the page itself gave up, by navigating or by a newer request. While the window closes, requests in flight or started
    // at that moment, as after an invalidation, fail with other errors too.
    if (reason !== 'net::ERR_ABORTED' && !isClosing && !expectFailures?.test(request.url()))
      faults.push(`${reason} ${request.url()} on ${page.url()}`);
  });
  page.on('response', (response) => {
    const request = response.request();
    // What the previous page still requested while the navigation was on its way may never end.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      for (const other of loading) if (other !== request) end(other);
    if (response.status() >= 400 && !expectFailures?.test(response.url()))
      faults.push(`${response.status()} ${response.url()} on ${page.url()}`);
  });
  page.on('console', (message) => {
    // 'Failed to load resource' duplicates the response handler above. CSP violations arrive here as errors.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));

  async function settled() {
    do {
      await page.waitForFunction(
        () =>
          document.querySelectorAll('[aria-busy="true"]').length === 0 &&
          !document.getAnimations().some(({ playState, effect }) => {
            // The live indicator's animation is endless.
            return playState === 'running' && effect?.getComputedTiming().iterations !== Infinity;
          }),
      );
      if (loading.size > 0) await new Promise<void>((resolve) => (idle = resolve));
      // Wait two frames: rendering the responses may start further requests.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    } while (loading.size > 0 || (await page.locator('[aria-busy="true"]').count()) > 0);
  }
  return { page, context, calls, faults, settled };
}
