// Runs before every npm script, on the system's Node and without dependencies: installs packages if needed.
//   --dev      also installs the packages of tests, checks and benches
//   --web      also builds the web application if its sources are newer than the last build
//   --browser  also prepares a browser for the tests
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
const installed = join(modules, '.package-lock.json');
const ourNode = join(modules, '.bin/node');
const webSources = join(root, 'web/src');
const built = join(root, 'web/dist');
const stamp = join(modules, '.cache/web-built');
// Outside node_modules, which an install removes.
const lock = join(root, '.prepare-lock');

/** The holder touches its lock every second; a lock older than this was left by a process that died. */
const lockStaleMs = 10_000;

const wants = (option) => process.argv.includes(option);
const say = (message) => console.log(`prepare: ${message}`);
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function hasDevPackages() {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(devDependencies);
  // A release names none.
  return names.length > 0 && names.every((name) => existsSync(join(modules, name)));
}

function reasonToInstall() {
  if (!existsSync(installed))
    return existsSync(modules) ? 'the last install was cut short' : 'there is no node_modules yet';
  if (!existsSync(ourNode)) return 'node_modules has no Node.js of its own';
  if (wants('--dev') && !hasDevPackages()) return 'the packages for development are missing';
  if (changedAt(lockfile) <= changedAt(installed)) return null;
  if (!sameVersions()) return 'package-lock.json has changed';
  // Git sets the modification time on checkout, so a newer lockfile often has the same content.
  utimesSync(installed, new Date(), new Date());
  return null;
}

function sameVersions() {
  const hasDev = hasDevPackages();
  const [wanted, present] = [lockfile, installed].map((path) => JSON.parse(readFileSync(path, 'utf8')).packages);
  return (
    Object.entries(wanted).every(
      ([path, { version, optional, dev, devOptional }]) =>
        !path.startsWith('node_modules/') ||
        (present[path] ? present[path].version === version : optional || (!hasDev && (dev || devOptional))),
    ) && Object.keys(present).every((path) => wanted[path])
  );
}

async function install(reason) {
  say(`installing the packages (npm ci), because ${reason}; this takes a minute`);
  // npm must not run on the Node inside node_modules, which it deletes.
  const path = process.env.PATH.split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  const npm = process.env.npm_execpath ? ['node', process.env.npm_execpath] : ['npm'];
  // `npm start` must not remove development packages that an earlier `npm test` has installed.
  const dev = wants('--dev') || hasDevPackages() ? '--include=dev' : '--omit=dev';
  await run([...npm, 'ci', '--loglevel=error', dev, '--include=optional'], { PATH: path });
  if (!existsSync(ourNode)) {
    throw new Error(
      'npm did not install Node.js into node_modules: see that it may run the install script of the package "node".',
    );
  }
  removeNodeHeaders();
  if (dev === '--omit=dev') await removeDevelopmentFiles(modules);
  // Only for speed and memory, so a failure is no reason to stop.
  await run([ourNode, join(root, 'server/src/fill-compile-cache.ts')]).catch(() => {});
}

/** The npm package of Node.js contains 67 MB of C headers and manual pages, which are not used. */
function removeNodeHeaders() {
  const packages = join(modules, 'node/node_modules');
  const entries = existsSync(packages) ? readdirSync(packages, { withFileTypes: true }) : [];
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    for (const folder of ['include', 'share']) rmSync(join(packages, name, folder), { recursive: true, force: true });
}

/** What packages contain for debuggers, type checkers and linkers only; checks and tests install everything again. */
const developmentFile = /\.(?:(?:[cm]?[jt]s|[jt]sx|css)\.map|d\.[cm]?ts|a)$/;

/** Of each package; symbolic links lead to our own workspaces. Not at once: the lock must be touched meanwhile. */
async function removeDevelopmentFiles(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeDevelopmentFiles(path);
    else if (entry.isFile() && developmentFile.test(entry.name)) await rm(path);
  }
}

function reasonToBuild() {
  // A release contains the built web application without its sources.
  if (!existsSync(webSources)) return null;
  if (!existsSync(join(built, 'server/render.js'))) return 'it has not been built yet';
  const since = changedAt(stamp);
  const sources = [join(root, 'web'), join(root, 'contract/src'), lockfile];
  const newer = sources.map((source) => newerThan(since, source)).find(Boolean);
  return newer ? `${newer.slice(root.length + 1)} has changed` : null;
}

/** Folders count too: their modification time changes when a file is deleted. */
function newerThan(since, path) {
  const { mtimeMs } = statSync(path);
  const isFolder = statSync(path).isDirectory();
  if (mtimeMs > since && path !== join(root, 'web')) return path;
  if (!isFolder) return null;
  for (const name of readdirSync(path)) {
    if (name === 'node_modules' || name.startsWith('dist')) continue;
    const found = newerThan(since, join(path, name));
    if (found) return found;
  }
  return null;
}

async function build(reason) {
  say(`building the web application, because ${reason}`);
  const startedAt = new Date();
  // Build to a temporary folder and rename it: a server that starts meanwhile finds a complete build, old or new.
  const fresh = `${built}-${process.pid}`;
  const vite = [ourNode, join(modules, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
  const builds = { app: [], server: ['--ssr', 'src/render.tsx'], public: ['--mode', 'public'] };
  for (const [name, options] of Object.entries(builds))
    await run([...vite, ...options, '--outDir', join(fresh, name)], {}, join(root, 'web'));
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}

/** Runs `work` under a lock: concurrent `npm start` and `npm test` must not install or build at the same time. */
async function withLock(work) {
  for (let isLogged = false; !tryLock(); isLogged = true) {
    if (!isLogged) say('waiting for another npm script that prepares this folder');
    if (Date.now() - changedAt(lock) > lockStaleMs) rmSync(lock, { recursive: true, force: true });
    await sleep(200);
  }
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), 1_000);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(lock, { recursive: true, force: true });
  }
}

function tryLock() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function run([command, ...args], env = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`this failed: ${[command, ...args].join(' ')}`)),
    );
  });
}

try {
  if (reasonToInstall() || (wants('--web') && reasonToBuild())) {
    // Check again with the lock held: the previous holder may have done the work.
    await withLock(async () => {
      const toInstall = reasonToInstall();
      if (toInstall) await install(toInstall);
      const toBuild = wants('--web') && reasonToBuild();
      if (toBuild) await build(toBuild);
    });
  }
  if (wants('--browser')) {
    const { findBrowser } = await import('./browser.mjs');
    // Not fatal: tests that need a browser fail with their own message, the others run without one.
    await findBrowser(say).catch((error) => say(error.message));
  }
} catch (error) {
  console.error(`prepare: ${error.message}`);
  process.exitCode = 1;
}
