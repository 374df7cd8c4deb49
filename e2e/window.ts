import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { run, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openWatchedWindow, type Window, type WindowOptions } from './watched-window.ts';

export { openBrowser, type Window } from './watched-window.ts';

/** The source of axe: injected once per page, as it is large. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: { run: typeof run };
  }
}

/** A window for the current test: closes with it, and fails it on any fault. */
export async function openWindow(browser: Browser, options: WindowOptions): Promise<Window> {
  const window = await openWatchedWindow(browser, options);
  onTestFinished(async () => {
    await window.context.close();
    expectNoFaults(window);
  });
  return window;
}

/** Expects no fault since the last check, and resets the list. */
export function expectNoFaults({ faults }: Window): void {
  const found = faults.splice(0);
  // In the message, as some reporters show nothing else.
  expect(found, `faults in the window: ${found.join('; ')}`).toEqual([]);
}

/** Expects no axe violation on the current page. `colours` checks contrast only, for the second theme. */
export async function expectAccessible(page: Page, where: string, scope: 'all' | 'colours' = 'all'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  await stillness(page);
  // Violations only: reporting passes doubles the time.
  const options: RunOptions = {
    resultTypes: ['violations'],
    // No preload of style sheets and media: no active rule needs the former, and there are none of the latter.
    preload: false,
    ...(scope === 'colours' && { runOnly: ['color-contrast'] }),
  };
  const { violations } = await page.evaluate((axeOptions) => window.axe.run(axeOptions), options);
  const found = violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
  // In the message, as some reporters show nothing else.
  expect(found, `axe on ${where}: ${found.join('; ')}`).toEqual([]);
}

/** Waits for what moves to its end: half faded in, or half-way between two palettes, the contrast is wrong. */
async function stillness(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
}

/** The same in dark and light, on the same page in the same state. */
export async function expectAccessibleInBothThemes(page: Page, where: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expectAccessible(page, `${where}, ${theme}`, theme === 'dark' ? 'colours' : 'all');
  }
}
