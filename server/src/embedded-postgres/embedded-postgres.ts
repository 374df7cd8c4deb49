import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findLauncher, type Account, type Launcher } from './postgres-launcher.ts';

export interface EmbeddedPostgres {
  /** Options for pg.Pool and pg.Client; `host` is the folder of the socket. */
  connection: { host: string; port: number; user: string; database: string };
  /** Tells where the product answers, for the sentence that refuses a second start. */
  setAddress(address: string): Promise<void>;
  /** Stops PostgreSQL if this process started it. Close pools first. */
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  log: (message: string) => void;
}

/** For the server: PostgreSQL on this data folder, for one process. @throws a sentence naming the process that has it */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const postgres = await open(options);
  if ('holder' in postgres) {
    throw new Error(
      `Waybill already runs on ${options.dataDir}: ${postgres.holder}. Stop it first, or set another DATA_DIR.`,
    );
  }
  return postgres;
}

/** For the command line: beside a running server through its socket, else with a PostgreSQL of its own until `stop`. */
export async function useEmbeddedPostgres(
  options: Options,
): Promise<Pick<EmbeddedPostgres, 'connection' | 'stop'> & { holder: string | null }> {
  const postgres = await open(options);
  return 'holder' in postgres ? { ...postgres, stop: async () => {} } : { ...postgres, holder: null };
}

type Connection = EmbeddedPostgres['connection'];

const port = 5432;
const user = 'waybill';
const database = 'waybill';

/** Held on one connection for the life of its process. Process ids prove nothing: they are reused, and zombies have them. */
const lockKey = 7_236_000;

/** How long a PostgreSQL that nobody holds may take to be claimed by who started it, or to end after who did has died. */
const orphanAfterMs = 2_000;
/** How long starting may fail: while the last one's processes end, they keep its memory and it cannot start again. */
const giveUpAfterMs = 15_000;
const fastStopMs = 8_000;
const maxPauseMs = 1_000;
const logLimitBytes = 10_000_000;

/** A quarter of the memory, as PostgreSQL's manual advises, within bounds; a container's limit counts as its memory. */
const sharedBuffersMb = Math.min(1024, Math.max(128, Math.floor(usableMemory() / 4 / 2 ** 20)));

const settings = {
  // A socket in a folder of mode 0700 is the only way in, so it needs no password.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port,
  max_connections: 100,
  shared_buffers: `${sharedBuffersMb}MB`,
  // 'try' ends in a bus error in containers that show huge pages and forbid them.
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and details of errors hold names and addresses of people.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

async function open(options: Options): Promise<EmbeddedPostgres | { holder: string; connection: Connection }> {
  try {
    return await openFolder(options);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EROFS', 'EACCES', 'EPERM'].includes(code)) throw error;
    throw new Error(
      `DATA_DIR (${options.dataDir}) cannot be written (${code}): let the account of the server write there, or name another folder and bring a backup into it with npm run cli -- restore <file>.`,
      { cause: error },
    );
  }
}

async function openFolder({
  dataDir,
  log,
}: Options): Promise<EmbeddedPostgres | { holder: string; connection: Connection }> {
  // Root's account for PostgreSQL must be able to pass through; what is in the folder keeps its own guard.
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const home = realpathSync(dataDir);
  const launcher = findLauncher(home, log);
  const socketFolder = socketFolderOf(launcher);
  const connection = { host: socketFolder, port, user, database };
  const logFile = join(home, 'postgres.log');

  let child: ChildProcess | undefined;
  let lock: pg.Client | undefined;
  let address = '';
  let stopping = false;
  let recovering: Promise<void> | undefined;

  const isRunning = () => child !== undefined && isAlive(child);
  const label = () => `process ${process.pid}${address && ` at ${address}`}`;

  function start(program: 'initdb' | 'postgres', args: string[]): ChildProcess {
    const output = openSync(logFile, 'a', 0o600);
    if (launcher.owner) fchownSync(output, launcher.owner.uid, launcher.owner.gid);
    const started = launcher.start(program, args, output);
    closeSync(output);
    // Without a listener a program that cannot be started ends this process; its exit code tells enough.
    started.on('error', (error) => log(`${program}: ${error.message}`));
    return started;
  }

  /** Makes the database beside its place and renames it, so that a half-made one is never mistaken for the real one. */
  async function initialize(): Promise<void> {
    const fresh = join(launcher.folder, '..', `init-${process.pid}`);
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { mode: 0o700 });
    giveTo(launcher.owner, fresh);
    const initdb = start('initdb', [
      '-D',
      fresh,
      `--username=${user}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]);
    await ended(initdb);
    try {
      if (initdb.exitCode !== 0) throw new Error(`PostgreSQL could not make its database.${endOf(logFile)}`);
      renameSync(fresh, launcher.folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      // Another first start was faster.
      if (!existsSync(launcher.folder)) throw error;
    }
  }

  async function startServer(): Promise<void> {
    if (!existsSync(launcher.folder)) await initialize();
    if (launcher.owner && statSync(launcher.folder).uid !== launcher.owner.uid) giveTo(launcher.owner, launcher.folder);
    // PostgreSQL insists on it, and copies and restored backups have often lost it.
    chmodSync(launcher.folder, 0o700);
    if (socketFolder !== launcher.folder) makeSocketFolder(socketFolder, launcher.owner);
    dropFalseLocks(launcher.folder, socketFolder);
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = start('postgres', ['-D', launcher.folder, '-k', socketFolder, ...options]);
  }

  /** Starts PostgreSQL and takes its lock. Resolves with the connection that holds the lock, or with who else holds it. */
  async function claim(): Promise<pg.Client | { holder: string }> {
    const giveUpAt = Date.now() + giveUpAfterMs;
    let orphanSince = 0;
    let pauseMs = 0;
    let startAt = 0;
    while (!stopping) {
      const client = await connect({ ...connection, database: 'postgres', application_name: label() });
      if (client instanceof pg.Client) {
        // Only the parent of a PostgreSQL takes its lock: another's child would stop together with that other.
        if (isRunning() && child?.pid === processIdOf(launcher.folder) && (await takeLock(client))) return client;
        const holder = await findHolder(client);
        if (!holder) {
          orphanSince ||= Date.now();
          // Its process died and nothing told it so (macOS): with the data safe, start anew under a process that lives.
          if (Date.now() - orphanSince > orphanAfterMs) interrupt(processIdOf(launcher.folder));
        }
        await client.end();
        if (holder) return { holder };
      } else if (!isRunning()) {
        orphanSince = 0;
        if (child && isDamaged(logFile)) {
          throw new Error(
            `The database in ${launcher.folder} is damaged: move that folder away, and bring back a backup with npm run cli -- restore <file>.${endOf(logFile)}`,
          );
        }
        if (Date.now() > giveUpAt) throw new Error(`PostgreSQL does not start.${endOf(logFile)}`);
        if (client === 'absent' && Date.now() >= startAt) {
          await startServer();
          pauseMs = Math.min(pauseMs * 2 || 50, maxPauseMs);
          startAt = Date.now() + pauseMs;
        }
      }
      await sleep(10);
    }
    throw new Error('PostgreSQL was stopped while it started.');
  }

  function hold(client: pg.Client): void {
    lock = client;
    client.once('end', () => {
      lock = undefined;
      if (!stopping) recovering = recover();
    });
  }

  async function recover(): Promise<void> {
    log('PostgreSQL ended unexpectedly: starting it again');
    while (!stopping) {
      try {
        const claimed = await claim();
        if (claimed instanceof pg.Client) {
          log('PostgreSQL runs again');
          return hold(claimed);
        }
      } catch (error) {
        if (!stopping) log(error instanceof Error ? error.message : String(error));
      }
      await sleep(maxPauseMs);
    }
  }

  if (existsSync(logFile) && statSync(logFile).size > logLimitBytes) renameSync(logFile, `${logFile}.old`);
  const claimed = await claim().catch((error: unknown) => {
    child?.kill('SIGINT');
    throw error;
  });
  if (!(claimed instanceof pg.Client)) return { ...claimed, connection };
  hold(claimed);
  removeUnfinished(join(launcher.folder, '..'));

  return {
    connection,
    async setAddress(value) {
      address = value;
      await lock?.query(`set application_name = ${pg.escapeLiteral(label())}`);
    },
    async stop() {
      stopping = true;
      await recovering;
      if (!child || !isRunning()) return;
      child.kill('SIGINT');
      const patience = setTimeout(() => child?.kill('SIGQUIT'), fastStopMs);
      await ended(child);
      clearTimeout(patience);
    },
  };
}

const isAlive = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

async function ended(child: ChildProcess): Promise<void> {
  if (isAlive(child)) await once(child, 'exit');
}

async function connect(options: pg.ClientConfig): Promise<pg.Client | 'absent' | 'busy'> {
  const client = new pg.Client({ ...options, ssl: false, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent';
    // 57P03: it starts or stops. Without a code: it was cut off in the middle of the handshake.
    if (code === '57P03' || code === 'ECONNRESET' || code === 'EPIPE' || code === undefined) return 'busy';
    throw error;
  }
}

/** The database is made before the lock is taken: who sees the lock may rely on the database. */
async function takeLock(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (!rowCount) await client.query(`create database ${database}`);
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey]);
  return rows[0]?.taken === true;
}

async function findHolder(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ holder: string }>(
    `select application_name as holder from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted`,
    [lockKey],
  );
  return rows[0]?.holder;
}

/** The path of a socket is bounded by the kernel; a longer one lies in a short folder that each process works out alike. */
function socketFolderOf({ folder }: Launcher): string {
  const longest = process.platform === 'linux' ? 107 : 103;
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longest) return folder;
  return `/tmp/waybill-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

/** Everybody may write to /tmp: a folder that somebody else put there would let them listen in our place. */
function makeSocketFolder(folder: string, owner: Account | undefined): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const mine = process.getuid?.();
  if ((mode & 0o170777) !== 0o40700 || (uid !== mine && mine !== 0)) {
    throw new Error(`${folder} is not a folder of ours with mode 0700: remove it, or set a shorter DATA_DIR.`);
  }
  giveTo(owner, folder);
}

/** The folder itself comes last: its owner tells whether the work was finished. */
function giveTo(owner: Account | undefined, folder: string): void {
  if (!owner) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, name), owner.uid, owner.gid);
  chownSync(folder, owner.uid, owner.gid);
}

function processIdOf(folder: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function interrupt(pid: number | undefined): void {
  try {
    if (pid) process.kill(pid, 'SIGINT');
  } catch {
    // It has just ended by itself.
  }
}

/**
 * PostgreSQL refuses to start while the process in its lock file lives, even where that is a zombie or, as containers count
 * from 1 again, another program. A real one works in its data folder. (Lingering children are seen by their shared memory.)
 */
function dropFalseLocks(folder: string, socketFolder: string): void {
  const pid = processIdOf(folder);
  if (!pid || !existsSync(`/proc/${pid}`)) return;
  let workingFolder: string | undefined;
  try {
    workingFolder = readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // A zombie has none.
  }
  if (workingFolder === folder) return;
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  rmSync(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true });
}

/** With the lock in hand, whatever is half-made here was left by a start that was killed, or belongs to one about to be refused. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('init-')) rmSync(join(folder, name), { recursive: true, force: true });
}

const lastLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');

/** Whether PostgreSQL has just said that it cannot make sense of its files: starting it again is no use. */
const isDamaged = (logFile: string): boolean =>
  /files are incompatible with server|pg_control|could not locate a (?:valid|required) checkpoint|is not a valid data directory|invalid (?:primary )?checkpoint/.test(
    lastLines(logFile),
  );

function endOf(file: string): string {
  return ` The end of ${file}:\n${lastLines(file)}`;
}
