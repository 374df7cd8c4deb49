// Makes release/waybill-VERSION.tar.gz, from which an installation is unpacked and started with `npm start`: what runs and no more, with
// the web application built in and a lockfile of just what that needs, in the versions of our own.
//   --folder FOLDER  leaves what would be packed there instead
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

const isOfTests = (path) => /\.test\.tsx?$/.test(path) || path === join(root, 'server/src/testing');

/** Writes all that is packed into a folder. */
function gather(folder) {
  for (const path of contents)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !isOfTests(source),
    });
  // The licences page names also what is inside the built application, and its packages are not installed any more.
  cpSync(join(root, 'package-lock.json'), join(folder, 'web/dist/package-lock.json'));
  const ours = readJson(join(root, 'package.json'));
  writeJson(join(folder, 'package.json'), {
    ...ours,
    workspaces: ['contract', 'server'],
    scripts: Object.fromEntries(scripts.map((name) => [name, ours.scripts[name]])),
    devDependencies: undefined,
  });
  writeJson(join(folder, 'server/package.json'), {
    ...readJson(join(root, 'server/package.json')),
    devDependencies: undefined,
  });
  pruneLockfile(folder);
}

/** npm takes out of the lockfile what no package asks for any more, without asking the registry. */
function pruneLockfile(folder) {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  run([...npm, 'install', '--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error'], folder);
  const ours = readJson(join(root, 'package-lock.json')).packages;
  const others = Object.entries(readJson(join(folder, 'package-lock.json')).packages)
    .filter(([path, { integrity }]) => path.startsWith('node_modules/') && integrity !== ours[path]?.integrity)
    .map(([path]) => path);
  if (others.length > 0) throw new Error(`npm changed what it should only take away: ${others.join(', ')}`);
}

function run([command, ...args], cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`this failed: ${[command, ...args].join(' ')}`, { cause: error });
}

try {
  if (!existsSync(join(root, 'web/dist/server/render.js')))
    throw new Error('the web application has not been built: use npm run release');
  const option = process.argv.indexOf('--folder');
  if (option > 0) gather(process.argv[option + 1]);
  else {
    const name = `waybill-${readJson(join(root, 'package.json')).version}`;
    const stage = join(mkdtempSync(join(tmpdir(), 'waybill-release-')), name);
    try {
      mkdirSync(stage);
      gather(stage);
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
