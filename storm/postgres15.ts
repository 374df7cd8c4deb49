import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPorts } from '../e2e/product.ts';
import { eventually } from '../server/src/testing/test-product.ts';

const binaries = '/usr/lib/postgresql/15/bin';
const pgbouncer = '/usr/sbin/pgbouncer';
export const hasPostgres15 = existsSync(join(binaries, 'postgres'));
export const hasPgBouncer = hasPostgres15 && existsSync(pgbouncer);

/** The product's account, which owns its database and has no other privileges. */
export const user = 'courier';
export const database = 'waybill';

/** A PostgreSQL 15 that Debian has installed on this machine. */
export interface Postgres15 {
  /** The folder of its Unix socket. */
  host: string;
  port: number;
  url: string;
  /** Runs SQL as superuser in the product's database. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Stops it immediately, like a crash. */
  kill(): Promise<void>;
  /** Restarts it with a fast shutdown; resolves once it accepts connections. */
  restart(): Promise<void>;
  /** Starts a streaming replica. */
  openStandby(): Promise<Postgres15>;
  /** Copies the product's database with pg_dump and pg_restore. `emptyTables`: the schema only, without the queue's tables. */
  dumpInto(other: Postgres15, options?: { emptyTables: boolean }): void;
  stop(): Promise<void>;
}

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
/** PostgreSQL and PgBouncer refuse to run as root. */
const account = { cwd: '/', ...(isRoot && { uid: nobody, gid: nobody }) };

function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `waybill-${name}-`));
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(folder, nobody, nobody);
  return folder;
}

function run(program: string, args: string[]): void {
  const done = spawnSync(join(binaries, program), args, { ...account, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

async function query<Row extends object>(connection: pg.ClientConfig, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Initializes and starts a cluster with the product's account and database. */
export async function startPostgres15(): Promise<Postgres15> {
  const host = makeFolder('pg15');
  const administrator = 'administrator';
  run('initdb', [
    '-D',
    join(host, 'data'),
    '-U',
    administrator,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  const primary = await serve(host, administrator);
  const maintain = (sql: string) => query({ host, port: primary.port, user: administrator, database: 'postgres' }, sql);
  await maintain(`create role ${user} login`);
  await maintain(`create database ${database} owner ${user}`);
  return primary;
}

async function serve(host: string, administrator: string): Promise<Postgres15> {
  const port = await findPorts();
  const folder = join(host, 'data');
  let server: ChildProcess;
  const start = async () => {
    server = spawn(
      join(binaries, 'postgres'),
      [
        `-D${folder}`,
        `-k${host}`,
        `-p${port}`,
        ...['listen_addresses=127.0.0.1', 'max_connections=100', 'wal_level=logical'].flatMap((setting) => [
          '-c',
          setting,
        ]),
      ],
      { ...account, stdio: 'ignore' },
    );
    await eventually('PostgreSQL 15 takes connections', () =>
      query({ host, port, user: administrator, database: 'postgres' }, 'select 1').then(
        () => true,
        () => false,
      ),
    );
  };
  await start();
  return {
    host,
    port,
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    query: (sql) => query({ host, port, user: administrator, database }, sql),
    // SIGQUIT ends its child processes too, unlike SIGKILL, after which they linger.
    kill: () => end(server, 'SIGQUIT'),
    async restart() {
      await end(server, 'SIGINT');
      await start();
    },
    async openStandby() {
      const standbyFolder = makeFolder('pg15-standby');
      run('pg_basebackup', [
        '-D',
        join(standbyFolder, 'data'),
        '-h',
        host,
        '-p',
        String(port),
        '-U',
        administrator,
        '-X',
        'stream',
        '-c',
        'fast',
        '-R',
        '--no-sync',
      ]);
      return serve(standbyFolder, administrator);
    },
    dumpInto(other, { emptyTables } = { emptyTables: false }) {
      const dump = join(host, 'waybill.dump');
      const within = (server: { host: string; port: number }) => ['-h', server.host, '-p', String(server.port)];
      const parts = emptyTables ? ['--schema-only', '--exclude-schema=pgboss'] : [];
      run('pg_dump', ['-F', 'c', '-f', dump, ...parts, ...within({ host, port }), '-U', user, database]);
      run('pg_restore', ['-d', database, '--exit-on-error', ...within(other), '-U', user, dump]);
    },
    async stop() {
      await end(server, 'SIGQUIT');
      rmSync(host, { recursive: true, force: true });
    },
  };
}

/** Starts Debian's PgBouncer in front of a PostgreSQL, with its default configuration except for `settings`. */
export async function startPgBouncer(
  { host, port }: Pick<Postgres15, 'host' | 'port'>,
  settings: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = makeFolder('pgbouncer');
  const listenPort = await findPorts();
  const options = { listen_addr: '127.0.0.1', listen_port: String(listenPort), auth_type: 'trust', ...settings };
  const lines = Object.entries({ ...options, auth_file: join(folder, 'users.txt'), unix_socket_dir: '' });
  writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n${database} = host=${host} port=${port}\n[pgbouncer]\n${lines.map(([name, value]) => `${name} = ${value}`).join('\n')}\n`,
  );
  const bouncer = spawn(pgbouncer, [join(folder, 'pgbouncer.ini')], { ...account, stdio: 'ignore' });
  const url = `postgres://${user}@127.0.0.1:${listenPort}/${database}`;
  await eventually('PgBouncer takes connections', () =>
    query({ connectionString: url }, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      await end(bouncer, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
