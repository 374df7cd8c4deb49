import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from './bench.ts';
import { remember } from './child-process.ts';
import { memoryOf, treeOf } from './machine.ts';
import { freePort } from './product.ts';
import type { Finding } from './report.ts';

const root = join(import.meta.dirname, '..');
const readyTimeoutMs = 5 * 60_000;
const megabyte = 1_000_000;

/** Size and time of an installation from the release's archive and from a clone, and the memory of the idle server. */
export async function benchInstallation({ size, rounds, report, note }: BenchContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-installation-'));
  // PostgreSQL runs under another account if this one is root.
  await chmod(folder, 0o755);
  try {
    const archive = join(folder, 'archive');
    await mkdir(archive);
    const archiveBytes = await unpackRelease(archive);
    const fromArchive = await rounds.once(() => start(archive));
    report(finding('archive, to download', archiveBytes / megabyte, 'MB', null));
    try {
      reportInstallation('archive', fromArchive, 350, report);
      await sleep(size.idleSeconds * 1000);
      const memory = (await memoryOf(fromArchive.pid)) / megabyte;
      report(finding(`memory of all processes, idle for ${size.idleSeconds} s (PSS)`, memory, 'MB', 220));
    } finally {
      await fromArchive.stop();
    }
    const again = await start(archive);
    report(finding('archive, second start until it serves', again.seconds, 's', null));
    await again.stop();

    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    const fromClone = await rounds.once(() => start(clone));
    reportInstallation('clone', fromClone, 600, report);
    await fromClone.stop();
    note(
      'From `npm start` in a folder as unpacked or cloned until the server answers, with an empty HOME and so an empty cache of npm; the time depends on the network. Sizes are of the folder on disk, without data.',
      'Memory is the sum of the proportional set sizes of the server, its PostgreSQL and all their processes, without npm.',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reportInstallation(
  name: string,
  { seconds, bytes }: Started,
  bound: number,
  report: BenchContext['report'],
): void {
  report(
    finding(`${name}, installed`, bytes / megabyte, 'MB', bound),
    finding(`${name}, from npm start until it serves`, seconds, 's', null),
  );
}

const finding = (measure: string, product: number, unit: Finding['unit'], bound: number | null): Finding => ({
  measure,
  unit,
  product,
  baseline: null,
  ratio: null,
  goal: bound === null ? null : { of: 'product', is: 'at most', bound },
});

/** Makes the archive and unpacks it. @returns the size of the archive, in bytes */
async function unpackRelease(folder: string): Promise<number> {
  execFileSync(process.execPath, [join(root, 'scripts/release.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const releases = join(root, 'release');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const archive = join(releases, `waybill-${version}.tar.gz`);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  return (await stat(archive)).size;
}

interface Started {
  seconds: number;
  /** Disk space of the folder, in bytes. */
  bytes: number;
  /** The server's process, below npm. */
  pid: number;
  stop(): Promise<void>;
}

/** Runs `npm start` as after unpacking, with a home folder and a data folder of its own. */
async function start(folder: string): Promise<Started> {
  const home = await mkdtemp(`${folder}-home-`);
  const dataDir = `${folder}-data`;
  const port = await freePort();
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_ENV$|^INIT_CWD$/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: path.join(delimiter),
    HOME: home,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: 'off',
  };
  const startedAt = performance.now();
  const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  remember(npm);
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await isReady(port))) {
    if (npm.exitCode !== null)
      throw new Error(`npm start ended with ${npm.exitCode} in the ${folder.split('/').at(-1)}`);
    if (Date.now() > deadline) throw new Error(`npm start served nothing within ${readyTimeoutMs / 60_000} minutes`);
    await sleep(50);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    seconds,
    bytes: Number.parseInt(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }), 10) * 1024,
    pid: await findServer(npm.pid ?? 0),
    async stop() {
      const gone = once(npm, 'exit');
      npm.kill('SIGTERM');
      await gone;
    },
  };
}

/** Finds the process of the server, which npm starts. */
async function findServer(npm: number): Promise<number> {
  for (const pid of await treeOf(npm)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('server/src/main.ts')) return pid;
  }
  throw new Error('the process of the server was not found in /proc');
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  );
