import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct } from './product.ts';
import { openBrowserSession, screens, sizes } from './screens.ts';
import { openBrowser } from './watched-window.ts';

// Screenshots of every screen in every state, into `screenshots/`; arguments filter by name: `npm run screenshots -- admin`.

const folder = join(import.meta.dirname, '../screenshots');
const wanted = process.argv.slice(2);
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const [product, browser] = await Promise.all([startProduct({ DEMO: 'on' }), openBrowser()]);
try {
  const session = await openBrowserSession(product, browser);
  for (const [index, screen] of chosen.entries()) {
    console.log(`${index + 1}/${chosen.length} ${screen.name}`);
    const { page, settled, faults } = await session.show(screen);
    // A dialog covers the viewport; without one, enlarge the viewport to capture the whole page.
    const isDialog = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0;
    for (const { width, height } of screen.phone ? [sizes.narrow] : Object.values(sizes)) {
      await page.setViewportSize({ width, height });
      await settled();
      let whole = height;
      // Twice: what is far below the window may not have been laid out, so that its height was a guess.
      for (let pass = 0; pass < 2 && !isDialog; pass++) {
        await page.setViewportSize({ width, height });
        whole = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height: whole });
        if (whole <= 2 * height) break;
        await settled();
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await settled();
        await page.screenshot({ path: join(folder, `${slugOf(screen.name)}-${width}-${colorScheme}.png`) });
      }
    }
    for (const fault of faults.splice(0)) console.error(`  ${fault}`);
  }
  await session.close();
} finally {
  await browser.close();
  await product.stop();
}
