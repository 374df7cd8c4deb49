import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';

/** One person's browser window: a profile of its own, and everything that went wrong in it. */
export interface Window {
  page: Page;
  context: BrowserContext;
  /** Paths of the API's calls, in order, streams included. */
  calls: string[];
  /** Console errors, broken policies and failed requests. */
  faults: string[];
  /** Resolves when nothing loads or moves any more. */
  settled(): Promise<void>;
}

export interface WindowOptions {
  baseURL: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
  timezoneId?: string;
  /** Signs in before the first page is there. */
  token?: string;
  /** Answers that the test provokes, by address; any other failure is a fault. */
  expectFailures?: RegExp;
}

/** With `HEADED=1` on the screen, where the browser can: the one that comes by npm cannot. */
export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({ ...(await findBrowser()), headless: !process.env.HEADED });

export async function openWatchedWindow(
  browser: Browser,
  { baseURL, width = 1440, colorScheme = 'light', timezoneId, token, expectFailures }: WindowOptions,
): Promise<Window> {
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    timezoneId,
    viewport: { width, height: width < 768 ? 844 : 900 },
    reducedMotion: 'reduce',
    hasTouch: width < 768,
  });
  if (token !== undefined) await context.addInitScript((given) => localStorage.setItem('token', given), token);
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
    // What the page before was still waiting for is nobody's any more.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loading.clear();
    // Streams stay open.
    if (!pathname.endsWith('/live')) loading.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', (request) => {
    end(request);
    const reason = request.failure()?.errorText ?? '';
    // Aborted is what the page itself gave up, by leaving or by a newer question; what is under way while the window closes, or is
    // asked for at that moment, as after a hint, fails with other words too.
    if (reason !== 'net::ERR_ABORTED' && !isClosing && !expectFailures?.test(request.url()))
      faults.push(`${reason} ${request.url()} on ${page.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !expectFailures?.test(response.url()))
      faults.push(`${response.status()} ${response.url()} on ${page.url()}`);
  });
  page.on('console', (message) => {
    // The browser's own line on a failed answer tells no more than the answer above; a broken policy is an error here too.
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
            // The dot of what is live never stops.
            return playState === 'running' && effect?.getComputedTiming().iterations !== Infinity;
          }),
      );
      if (loading.size > 0) await new Promise<void>((resolve) => (idle = resolve));
      // What came in is drawn, and may ask for more.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    } while (loading.size > 0 || (await page.locator('[aria-busy="true"]').count()) > 0);
  }
  return { page, context, calls, faults, settled };
}
