import AxeBuilder from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBrowser } from '../scripts/browser.mjs';

/** One person's browser window: a profile of its own, and everything that went wrong in it. */
export interface Window {
  page: Page;
  context: BrowserContext;
  /** Paths of the API's calls, in order, streams included. */
  calls: string[];
  /** Console errors, broken policies and failed requests; a test ends with none. */
  faults: string[];
}

export const openBrowser = async (): Promise<Browser> => chromium.launch({ ...(await findBrowser()), headless: true });

interface WindowOptions {
  baseURL: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
  timezoneId?: string;
  /** Answers that the test provokes, by path; any other failure is a fault. */
  expectFailures?: RegExp;
}

export async function openWindow(
  browser: Browser,
  { baseURL, width = 1440, colorScheme = 'light', timezoneId, expectFailures }: WindowOptions,
): Promise<Window> {
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    timezoneId,
    viewport: { width, height: width < 768 ? 844 : 900 },
    reducedMotion: 'reduce',
    hasTouch: width < 768,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const calls: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !expectFailures?.test(response.url()))
      faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('console', (message) => {
    // The browser's own line on a failed answer tells no more than the answer above.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, context, calls, faults };
}

/** Nothing that axe can find is wrong with what is on the screen now; in the second theme only colours can differ. */
export async function expectAccessible(
  page: Page,
  where: string,
  look: 'at all' | 'at colours' = 'at all',
): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (look === 'at colours' ? axe.withRules('color-contrast') : axe).analyze();
  const found = violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
  expect(found, `axe on ${where}`).toEqual([]);
}

/** The same in dark and in light, on the same page in the same state. */
export async function expectAccessibleInBothThemes(page: Page, where: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    // Half-way between two palettes nothing has its contrast.
    await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition));
    await expectAccessible(page, `${where}, ${theme}`, theme === 'dark' ? 'at colours' : 'at all');
  }
}
