import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { run, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openWatchedWindow, type Window, type WindowOptions } from './watched-window.ts';

export { openBrowser, type Window } from './watched-window.ts';

/** What is put into a page once, as it is large. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: { run: typeof run };
  }
}

/** A window for the test that runs: it fails when anything went wrong in it, and closes with it. */
export async function openWindow(browser: Browser, options: WindowOptions): Promise<Window> {
  const window = await openWatchedWindow(browser, options);
  onTestFinished(async () => {
    await window.context.close();
    expectNoFaults(window);
  });
  return window;
}

/** No console error, no broken policy and no failed request since it was asked last. */
export function expectNoFaults({ faults }: Window): void {
  const found = faults.splice(0);
  // Named in the message, which is all that some reports show.
  expect(found, `faults in the window: ${found.join('; ')}`).toEqual([]);
}

/** Nothing that axe can find is wrong with what is on the screen now; in the second theme only colours can differ. */
export async function expectAccessible(
  page: Page,
  where: string,
  look: 'at all' | 'at colours' = 'at all',
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  // Where all is right is not asked: to tell it takes half the time.
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Style sheets and videos are not loaded once more: no rule asks for the first, and there are none of the others.
    preload: false,
    ...(look === 'at colours' && { runOnly: ['color-contrast'] }),
  };
  const { violations } = await page.evaluate((asked) => window.axe.run(asked), options);
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
