// Makes release/waybill-VERSION.tar.gz, which is unpacked and started with `npm start`: only what is needed at run time, with the built
// web application and a pruned lockfile that has the same versions.
//   --folder FOLDER  writes the contents to a folder instead
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const contents = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'deploy',
  '.npmrc',
  'package-lock.json',
  'scripts/prepare.mjs',
  'contract/package.json',
  'contract/src',
  'server/package.json',
  'server/src',
  'server/start',
  'server/migrations',
  'web/dist',
];
const scripts = ['prestart', 'start', 'precli', 'cli'];

const isTestFile = (path) => /\.test\.tsx?$/.test(path) || path === join(root, 'server/src/testing');

/** Copies the contents of the release to a folder. */
function collectContents(folder) {
  for (const path of contents)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !isTestFile(source),
    });
  // For the licences page, which also lists packages bundled into the web application; the pruned lockfile lacks them.
  cpSync(join(root, 'package-lock.json'), join(folder, 'web/dist/package-lock.json'));
  const manifest = readJson(join(root, 'package.json'));
  writeJson(join(folder, 'package.json'), {
    ...manifest,
    workspaces: ['contract', 'server'],
    scripts: Object.fromEntries(scripts.map((name) => [name, manifest.scripts[name]])),
    devDependencies: undefined,
  });
  writeJson(join(folder, 'server/package.json'), {
    ...readJson(join(root, 'server/package.json')),
    devDependencies: undefined,
  });
  pruneLockfile(folder);
}

/** Has npm remove unused packages from the lockfile, offline. */
function pruneLockfile(folder) {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  run([...npm, 'install', '--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error'], folder);
  const original = readJson(join(root, 'package-lock.json')).packages;
  const changed = Object.entries(readJson(join(folder, 'package-lock.json')).packages)
    .filter(([path, { integrity }]) => path.startsWith('node_modules/') && integrity !== original[path]?.integrity)
    .map(([path]) => path);
  if (changed.length > 0) throw new Error(`npm changed what it should only take away: ${changed.join(', ')}`);
}

function run([command, ...args], cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`this failed: ${[command, ...args].join(' ')}`, { cause: error });
}

try {
  if (!existsSync(join(root, 'web/dist/server/render.js')))
    throw new Error('the web application has not been built: use npm run release');
  const option = process.argv.indexOf('--folder');
  if (option > 0) collectContents(process.argv[option + 1]);
  else {
    const name = `waybill-${readJson(join(root, 'package.json')).version}`;
    const stage = join(mkdtempSync(join(tmpdir(), 'waybill-release-')), name);
    try {
      mkdirSync(stage);
      collectContents(stage);
      mkdirSync(join(root, 'release'), { recursive: true });
      const archive = join(root, 'release', `${name}.tar.gz`);
      run(['tar', '-czf', archive, basename(stage)], dirname(stage));
      console.log(`release: ${archive}, ${Math.round(statSync(archive).size / 1024 / 1024)} MB`);
    } finally {
      rmSync(dirname(stage), { recursive: true });
    }
  }
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
