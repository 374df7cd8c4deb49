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
  /** Options for pg.Pool and pg.Client; `host` is the folder of the Unix socket. */
  connection: { host: string; port: number; user: string; database: string };
  /** Sets the address of the product, for the error message of a second start. */
  setAddress(address: string): Promise<void>;
  /** Stops PostgreSQL if this process started it. Close pools first. */
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  log: (message: string) => void;
}

/** Starts PostgreSQL on this data folder, exclusively for the server. @throws Error that names the process that already uses it */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const postgres = await open(options);
  if ('holder' in postgres) {
    throw new Error(
      `Waybill already runs on ${options.dataDir}: ${postgres.holder}. Stop it first, or set another DATA_DIR.`,
    );
  }
  return postgres;
}

/** For the command line: connects through the socket of a running server, else starts PostgreSQL until `stop`. */
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

/** Advisory lock, held on one connection for the life of its process. Process ids prove nothing: they are reused, and zombies have them. */
const lockKey = 7_236_000;

/** Grace period for a PostgreSQL whose lock is free: its parent is about to take the lock, or has died and PostgreSQL is stopping. */
const orphanAfterMs = 2_000;
/** Starting is retried for this long: until the processes of the previous run end, their shared memory prevents a start. */
const startTimeoutMs = 15_000;
const fastStopMs = 8_000;
const maxPauseMs = 1_000;
const logLimitBytes = 10_000_000;

/**
 * A quarter of the memory, as PostgreSQL's manual advises, from 128 MB to 512 MB; a container's limit counts as its memory. The tables that
 * manage 1 GB take 11 MB more of an idle server, and what does not fit is in the cache of the operating system.
 */
const sharedBuffersMb = Math.min(512, Math.max(128, Math.floor(usableMemory() / 4 / 2 ** 20)));

const settings = {
  // No password is needed: the only access is a Unix socket in a folder of mode 0700.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port,
  max_connections: 100,
  shared_buffers: `${sharedBuffersMb}MB`,
  // The default of 16 MB is touched as a whole even by an idle server. Each commit flushes it, so that 4 MB never fill up.
  wal_buffers: '4MB',
  // 'try' crashes with a bus error in containers that advertise huge pages but forbid them.
  huge_pages: 'off',
  // A process for subscriptions, which an embedded database has none of.
  max_logical_replication_workers: 0,
  // As many reads ahead as a query asks for (effective_io_concurrency). The default keeps room for 64 of each connection that there may be.
  io_max_concurrency: 16,
  // Tables that PostgreSQL fills at its start, for serializable transactions, replicas and more workers of autovacuum than run at once.
  max_pred_locks_per_transaction: 10,
  max_wal_senders: 0,
  autovacuum_worker_slots: 3,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and error details contain personal data.
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
  // As root: the unprivileged account of PostgreSQL must be able to traverse the folder; its contents have their own modes.
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
  let recovery: Promise<void> | undefined;

  const isRunning = () => child !== undefined && isAlive(child);
  const label = () => `process ${process.pid}${address && ` at ${address}`}`;

  function start(program: 'initdb' | 'postgres', args: string[]): ChildProcess {
    const output = openSync(logFile, 'a', 0o600);
    if (launcher.owner) fchownSync(output, launcher.owner.uid, launcher.owner.gid);
    const started = launcher.start(program, args, output);
    closeSync(output);
    // Without a listener, a failed spawn would crash this process; the callers check the exit code.
    started.on('error', (error) => log(`${program}: ${error.message}`));
    return started;
  }

  /** Creates the database in a temporary folder and renames it, so that an incomplete one is never used. */
  async function initialize(): Promise<void> {
    const fresh = join(launcher.folder, '..', `init-${process.pid}`);
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { mode: 0o700 });
    chownRecursively(launcher.owner, fresh);
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
    await waitForExit(initdb);
    try {
      if (initdb.exitCode !== 0) throw new Error(`PostgreSQL could not make its database.${tailOf(logFile)}`);
      renameSync(fresh, launcher.folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      // Lost the race against another first start.
      if (!existsSync(launcher.folder)) throw error;
    }
  }

  async function startServer(): Promise<void> {
    if (!existsSync(launcher.folder)) await initialize();
    if (launcher.owner && statSync(launcher.folder).uid !== launcher.owner.uid)
      chownRecursively(launcher.owner, launcher.folder);
    // PostgreSQL requires this mode, which copies and restored backups often lose.
    chmodSync(launcher.folder, 0o700);
    if (socketFolder !== launcher.folder) makeSocketFolder(socketFolder, launcher.owner);
    removeStaleLockFiles(launcher.folder, socketFolder);
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = start('postgres', ['-D', launcher.folder, '-k', socketFolder, ...options]);
  }

  /** Starts PostgreSQL and takes its lock. Resolves with the connection that holds the lock, or with another holder of it. */
  async function claim(): Promise<pg.Client | { holder: string }> {
    const deadline = Date.now() + startTimeoutMs;
    let orphanSince = 0;
    let pauseMs = 0;
    let startAt = 0;
    while (!stopping) {
      const client = await connect({ ...connection, database: 'postgres', application_name: label() });
      if (client instanceof pg.Client) {
        // Only the parent of a PostgreSQL takes its lock: the child of another process would stop together with that process.
        if (isRunning() && child?.pid === processIdOf(launcher.folder) && (await takeLock(client))) return client;
        const holder = await findHolder(client);
        if (!holder) {
          orphanSince ||= Date.now();
          // An orphan whose parent died without a signal (macOS): shut it down (safe for the data), then start our own.
          if (Date.now() - orphanSince > orphanAfterMs) interrupt(processIdOf(launcher.folder));
        }
        await client.end();
        if (holder) return { holder };
      } else if (!isRunning()) {
        orphanSince = 0;
        if (child && isDamaged(logFile)) {
          throw new Error(
            `The database in ${launcher.folder} is damaged: move that folder away, and bring back a backup with npm run cli -- restore <file>.${tailOf(logFile)}`,
          );
        }
        if (Date.now() > deadline) throw new Error(`PostgreSQL does not start.${tailOf(logFile)}`);
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

  function holdLock(client: pg.Client): void {
    lock = client;
    client.once('end', () => {
      lock = undefined;
      if (!stopping) recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    log('PostgreSQL ended unexpectedly: starting it again');
    while (!stopping) {
      try {
        const claimed = await claim();
        if (claimed instanceof pg.Client) {
          log('PostgreSQL runs again');
          return holdLock(claimed);
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
  holdLock(claimed);
  removeUnfinished(join(launcher.folder, '..'));

  return {
    connection,
    async setAddress(value) {
      address = value;
      await lock?.query(`set application_name = ${pg.escapeLiteral(label())}`);
    },
    async stop() {
      stopping = true;
      await recovery;
      if (!child || !isRunning()) return;
      child.kill('SIGINT');
      const immediateShutdown = setTimeout(() => child?.kill('SIGQUIT'), fastStopMs);
      await waitForExit(child);
      clearTimeout(immediateShutdown);
    },
  };
}

const isAlive = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

async function waitForExit(child: ChildProcess): Promise<void> {
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
    // 57P03: PostgreSQL is starting or stopping. Without a code: the connection broke during the handshake.
    if (code === '57P03' || code === 'ECONNRESET' || code === 'EPIPE' || code === undefined) return 'busy';
    throw error;
  }
}

/** Creates the database before taking the lock, so that the database exists whenever the lock is held. */
async function takeLock(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  // As files: through the buffers, both copies of the empty database stay in memory, 15 MB.
  if (!rowCount) await client.query(`create database ${database} strategy file_copy`);
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

/** The kernel limits the path of a socket; if it is too long, every process derives the same short folder in /tmp. */
function socketFolderOf({ folder }: Launcher): string {
  const maxPathBytes = process.platform === 'linux' ? 107 : 103;
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= maxPathBytes) return folder;
  return `/tmp/waybill-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

/** /tmp is world-writable: in a folder that another account created, that account could impersonate PostgreSQL. */
function makeSocketFolder(folder: string, owner: Account | undefined): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const ownUid = process.getuid?.();
  if ((mode & 0o170777) !== 0o40700 || (uid !== ownUid && ownUid !== 0)) {
    throw new Error(`${folder} is not a folder of ours with mode 0700: remove it, or set a shorter DATA_DIR.`);
  }
  chownRecursively(owner, folder);
}

/** Changes the owner of the folder itself last, so that its owner shows whether an earlier run was completed. */
function chownRecursively(owner: Account | undefined, folder: string): void {
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
    // It has just exited.
  }
}

/**
 * Removes lock files of a process that is not PostgreSQL. PostgreSQL refuses to start while the process in its lock file exists, even
 * if that is a zombie or another program (process ids restart at 1 in containers). The working directory of a real postmaster is its
 * data folder. (PostgreSQL itself detects lingering children by their shared memory.)
 */
function removeStaleLockFiles(folder: string, socketFolder: string): void {
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

/** Call with the lock held: incomplete databases are then left over from killed starts, or belong to a start about to be refused. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('init-')) rmSync(join(folder, name), { recursive: true, force: true });
}

const lastLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');

/** Whether PostgreSQL has just logged that its files are damaged or incompatible: retrying is pointless. */
const isDamaged = (logFile: string): boolean =>
  /files are incompatible with server|pg_control|could not locate a (?:valid|required) checkpoint|is not a valid data directory|invalid (?:primary )?checkpoint/.test(
    lastLines(logFile),
  );

function tailOf(file: string): string {
  return ` The end of ${file}:\n${lastLines(file)}`;
}
