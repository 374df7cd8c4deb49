// Finds or unpacks the Chromium that all browser tests use.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const unpacked = join(root, 'node_modules/.cache/chromium');

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Tries $BROWSER_PATH, the Chromium of the npm package (Linux x64; unpacked once), the PATH, and Playwright's own, in this order. The package's
 * comes first, so that all machines test in the same browser; it has no user interface, and a window of it takes a seventh of the CPU time of a
 * desktop browser's. With HEADED=1, which it cannot do, it is left out.
 *
 * @param {(message: string) => void} log called before a slow step
 * @returns {Promise<{ executablePath: string, args: string[], env: Record<string, string> }>} what playwright-core's launch takes
 */
export async function findBrowser(log = () => {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  const configured = process.env.BROWSER_PATH;
  if (configured) {
    if (!existsSync(configured)) throw new Error(`BROWSER_PATH names ${configured}, which does not exist.`);
    return { executablePath: configured, args, env };
  }
  const packed = process.env.HEADED ? null : packedChromium();
  if (packed) {
    await unpack(packed, log);
    const libraries = [join(unpacked, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    return {
      executablePath: join(unpacked, 'chromium'),
      args,
      env: { ...env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: unpacked },
    };
  }
  const installed = onPath(['google-chrome', 'chromium', 'chromium-browser']);
  if (installed) return { executablePath: installed, args, env };
  const { chromium } = await import('playwright-core');
  if (existsSync(chromium.executablePath())) return { executablePath: chromium.executablePath(), args, env };
  throw new Error('No browser for the tests: install Google Chrome or Chromium, or set BROWSER_PATH to one.');
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path) && runs(path));
}

/** Some systems have a stub of this name on the PATH that only prints how to install the browser. */
const runs = (path) => spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;

function packedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = join(root, 'node_modules/@sparticuz/chromium');
  return existsSync(join(folder, 'bin/chromium.br')) ? folder : null;
}

/** Unpacks to a temporary folder and renames it, so that interrupted and concurrent runs leave no incomplete browser. */
async function unpack(folder, log) {
  if (existsSync(join(unpacked, 'chromium'))) return;
  log('unpacking Chromium for the browser tests');
  const { extract } = createRequire(join(folder, 'package.json'))('tar-fs');
  const partial = `${unpacked}-${process.pid}`;
  mkdirSync(join(partial, 'al2023'), { recursive: true });
  const inflate = (name, target) =>
    pipeline(createReadStream(join(folder, 'bin', name)), createBrotliDecompress(), target);
  await Promise.all([
    inflate('chromium.br', createWriteStream(join(partial, 'chromium'), { mode: 0o755 })),
    inflate('al2023.tar.br', extract(join(partial, 'al2023'))),
    inflate('fonts.tar.br', extract(partial)),
    inflate('swiftshader.tar.br', extract(partial)),
  ]);
  // The fonts.conf in the package names folders of another system.
  const fonts = `<fontconfig><dir>${join(unpacked, 'fonts')}</dir><dir>/usr/share/fonts</dir></fontconfig>`;
  writeFileSync(join(partial, 'fonts.conf'), `<?xml version="1.0"?>\n${fonts}\n`);
  try {
    renameSync(partial, unpacked);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(join(unpacked, 'chromium'))) throw error;
  }
}
