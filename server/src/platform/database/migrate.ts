import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';
import { createPartitions } from './partitions.ts';
import { sqlState } from '../errors.ts';
import { programVersion } from './program-version.ts';

export const migrationFolder = join(import.meta.dirname, '../../../migrations');

/** Advisory lock held while migrating: any number of processes may start at once. */
export const migrationLock = 7_236_001;

/** How long to wait for another migrator before logging it, and before giving up. */
const lockTimeouts = { logAfterMs: 5000, giveUpAfterMs: 300_000, retryMs: 200 };

/** The names of all migrations, in order. */
export const listMigrations = async (folder = migrationFolder): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).toSorted();

/** The names of the migrations that wait while older servers are connected, in order. */
export async function listPostDeployment(): Promise<string[]> {
  const migrations = await Promise.all((await listMigrations()).map((name) => readMigration(name)));
  return migrations.filter(({ postDeployment }) => postDeployment).map(({ name }) => name);
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
  /** The oldest version of Waybill that works with this schema; null in migrations from before that was recorded. */
  serves: string | null;
  /** Uses `create index concurrently`, so its statements run one by one, outside a transaction. */
  concurrent: boolean;
  /** A backfill in batches: each statement is a transaction of its own, repeated until it changes no row. */
  inSteps: boolean;
  /** Removes what only older servers use: it waits until none is connected. */
  postDeployment: boolean;
}

async function readMigration(name: string, folder = migrationFolder): Promise<Migration> {
  const sql = await readFile(join(folder, name), 'utf8');
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex'),
    serves: /^-- serves (\d+\.\d+\.\d+)$/m.exec(sql)?.[1] ?? null,
    concurrent: /\bindex concurrently\b/i.test(sql),
    inSteps: /^-- in steps\b/m.test(sql),
    postDeployment: /^-- post-deployment\b/m.test(sql),
  };
}

const createMigrationsTable = `
  create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now());
  alter table schema_migrations add column if not exists checksum text, add column if not exists serves text`;

const recordApplied = (client: pg.Client, { name, checksum, serves }: Migration) =>
  client.query('insert into schema_migrations (name, checksum, serves) values ($1, $2, $3)', [name, checksum, serves]);

/** Runs these migrations in the caller's transaction, on tables that no other session uses. */
export async function migrateWithin(client: pg.Client, names: string[]): Promise<void> {
  await client.query(createMigrationsTable);
  for (const name of names) {
    const migration = await readMigration(name);
    if (migration.inSteps) await runInSteps(client, migration);
    else {
      const sql = migration.sql.replaceAll(/\bindex concurrently\b/gi, 'index');
      await client.query('savepoint migration');
      try {
        await client.query(sql);
      } catch (error) {
        if (!isRowTypeInUse(error)) throw error;
        await client.query('rollback to savepoint migration');
        await runWithoutRowFunctions(client, sql);
      }
      await client.query('release savepoint migration');
    }
    await recordApplied(client, migration);
  }
}

/**
 * Migrates the schema to this version: numbered files, forward only, each in a transaction of its own unless it builds indexes
 * concurrently or is a backfill in steps. Files marked `-- post-deployment` remove what only older servers use. They run in a database
 * without any migration, while no other server of Waybill is connected, with `postDeployment`, and ahead of a file that older servers
 * do not work with either; otherwise they stay pending. Locks on tables in use are requested with a lock_timeout of 300 ms and retried, so that queries
 * queued behind the request are blocked no longer than that; after ten tries it grows, up to 1.5 s, so that steady writers do not win for ever.
 *
 * A newer schema is accepted if all its newer migrations still serve this version: in a rolling upgrade an old server may restart.
 *
 * @returns the files that stay pending
 * @throws if the database is too new for this program, if a file was edited after it ran, or if another migrator holds the lock for
 *   5 minutes; the message is for the operator
 */
export async function migrate(
  connection: Connection,
  log: (message: string) => void,
  { timeouts = lockTimeouts, version = programVersion, folder = migrationFolder, postDeployment = false } = {},
): Promise<string[]> {
  // Override time-outs set on the database role: those are meant for requests.
  const client = new DatabaseClient({
    ...directOf(connection),
    role: 'migrations',
    settings: { statement_timeout: '0', idle_in_transaction_session_timeout: '0' },
  });
  await client.connect();
  try {
    await acquireMigrationLock(client, log, timeouts);
    await client.query(createMigrationsTable);
    const { missing, pending, isNew, edited, withoutChecksum, newer, tooNew } = await compareSchema(
      client,
      version,
      folder,
    );
    if (tooNew.length > 0) {
      throw new Error(
        `The database is newer than this program (it has ${tooNew.join(', ')}): start the newer version of Waybill.`,
      );
    }
    if (edited.length > 0) {
      throw new Error(
        `${edited.join(', ')} was edited after it ran on this database: put the file back as it was released.`,
      );
    }
    if (newer.length > 0) log(`the database is newer (${newer.join(', ')}) and still serves version ${version}`);
    const contracts = isNew || postDeployment || (pending.length > 0 && (await isAlone(client)));
    const due = contracts ? [...missing, ...pending].toSorted() : missing;
    for (const name of due) {
      const migration = await readMigration(name, folder);
      if (migration.inSteps) {
        await runInSteps(client, migration);
        await recordApplied(client, migration);
      } else await (migration.concurrent ? applyConcurrently : apply)(client, migration);
      log(`migrated the database: ${name}`);
    }
    const left = contracts ? [] : pending;
    if (left.length > 0) log(`${left.join(', ')} ${left.length > 1 ? 'wait' : 'waits'} until ${untilContraction}`);
    // Migrations that ran before checksums existed get the checksum of the present file.
    for (const name of withoutChecksum) {
      const { checksum } = await readMigration(name, folder);
      await client.query('update schema_migrations set checksum = $2 where name = $1', [name, checksum]);
    }
    await removeForeignXids(client, log);
    await advanceSequences(client, log);
    await createPartitions(
      {
        query: async <Row extends object>(sql: string, params?: unknown[]) =>
          (await client.query<Row>(sql, params)).rows,
      },
      new Date(),
    );
    return left;
  } finally {
    await client.end();
  }
}

/** When a pending post-deployment migration can run, and how. */
export const untilContraction =
  'no server of an older version runs any more: then npm run cli -- migrate --post-deployment';

/**
 * Whether no other server or command of Waybill uses this database. Those that wait for the migration lock do not count: they compare the
 * schema after this migrator. Looks again for a second, since PostgreSQL lists a connection for a moment after its end, this process's too.
 */
async function isAlone(client: pg.Client): Promise<boolean> {
  for (let looks = 1; ; looks++) {
    const { rows } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and application_name like 'waybill %' and application_name not like 'waybill migrations%' limit 1`,
    );
    if (rows.length === 0 || looks === 6) return rows.length === 0;
    await sleep(200);
  }
}

/** SQL: rows of the outbox whose transaction number (xid) this server has not assigned yet, so it is from another server. */
export const fromForeignXids = 'from outbox where xid >= pg_snapshot_xmax(pg_current_snapshot())';

/**
 * pg_restore and logical replication copy the old server's transaction numbers (xids), which mean nothing here: once this server reaches
 * those numbers, readers of the outbox would take the rows for new. Open screens have long been updated, so delete them.
 */
async function removeForeignXids(client: pg.Client, log: (message: string) => void): Promise<void> {
  const { rowCount } = await client.query(`delete ${fromForeignXids}`);
  if (rowCount) log(`${rowCount} events that came from another PostgreSQL server are told to nobody here`);
}

/**
 * Logical replication copies rows but not sequences: the next insert would get a number that is already used. Sets each sequence that is
 * behind its rows to their maximum; the others stay.
 */
async function advanceSequences(client: pg.Client, log: (message: string) => void): Promise<void> {
  const { rows: columns } = await client.query<{ table: string; column: string; sequence: string }>(
    `select quote_ident(t.relname) as table, quote_ident(a.attname) as column,
            pg_get_serial_sequence(quote_ident(t.relname), a.attname) as sequence
     from pg_attribute a join pg_class t on t.oid = a.attrelid
     where a.attidentity <> '' and t.relkind = 'r' and not t.relispartition and t.relnamespace = current_schema()::regnamespace
     -- A sequence shared by two tables is owned by neither: find it through the column defaults.
     union all
     select quote_ident(t.relname), quote_ident(a.attname), quote_ident(s.relname)
     from pg_attrdef d join pg_depend on classid = 'pg_attrdef'::regclass and objid = d.oid and refclassid = 'pg_class'::regclass
       join pg_class s on s.oid = refobjid and s.relkind = 'S'
       join pg_class t on t.oid = d.adrelid
       join pg_attribute a on a.attrelid = t.oid and a.attnum = d.adnum
     where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = current_schema()::regnamespace`,
  );
  for (const { table, column, sequence } of columns) {
    const { rows } = await client.query<{ value: string }>(
      `select setval($1::regclass, highest.value) as value
       from (select max(${column}) as value from ${table}) highest, ${sequence} as sequence
       where highest.value > sequence.last_value`,
      [sequence],
    );
    if (rows[0]) log(`${table}.${column} goes on after ${rows[0].value}: its rows came from another PostgreSQL server`);
  }
}

/**
 * Takes the migration lock by polling `pg_try_advisory_lock`. A blocking `pg_advisory_lock` would deadlock: `create index concurrently`
 * waits for all running statements, and the waiting lock call would be one of them.
 *
 * @throws after 5 minutes, with the lock's holder in the message
 */
export async function acquireMigrationLock(
  client: pg.Client,
  log: (message: string) => void,
  { logAfterMs, giveUpAfterMs, retryMs } = lockTimeouts,
): Promise<void> {
  const startedAt = performance.now();
  let hasLogged = false;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      migrationLock,
    ]);
    if (rows[0]?.taken) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= giveUpAfterMs) {
      throw new Error(
        `Another program has been migrating the database for too long (${await lockHolder(client)}): see what holds it up, or end it, and start again.`,
      );
    }
    if (!hasLogged && waitedMs >= logAfterMs) {
      hasLogged = true;
      log(`waiting for another program that is migrating the database: ${await lockHolder(client)}`);
    }
    await sleep(retryMs);
  }
}

/** Describes the session that holds the migration lock. */
async function lockHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; application_name: string | null; client: string | null }>(
    `select l.pid, a.application_name, host(a.client_addr) as client
     from pg_locks l left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objid = $1 and l.objsubid = 1
       and l.database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  const [holder] = rows;
  if (!holder) return 'it has just ended';
  const { pid, application_name: name, client: address } = holder;
  return [`PostgreSQL's process ${pid}`, name && `'${name}'`, address && `from ${address}`].filter(Boolean).join(' ');
}

export interface SchemaDifference {
  /** Files that have not run yet and must run before this version works, in order. */
  missing: string[];
  /** Post-deployment files that have not run yet and may wait, in order. */
  pending: string[];
  /** No migration has ever run. */
  isNew: boolean;
  /** Files that were changed after they ran. */
  edited: string[];
  /** Files that ran before checksums existed. */
  withoutChecksum: string[];
  /** Migrations that this program does not have, but that still serve this version. */
  newer: string[];
  /** Migrations that this program does not have and cannot work with. */
  tooNew: string[];
}

/** Compares the migrations in the database with those of this program. Changes nothing. */
export async function compareSchema(
  client: pg.Client,
  version = programVersion,
  folder = migrationFolder,
): Promise<SchemaDifference> {
  const files = await listMigrations(folder);
  const { rows: tables } = await client.query("select where to_regclass('schema_migrations') is not null");
  const { rows } =
    tables.length > 0
      ? await client.query<{ name: string; checksum: string | null; serves: string | null }>(
          // Through JSON: in an older database these columns do not exist.
          "select name, to_jsonb(m) ->> 'checksum' as checksum, to_jsonb(m) ->> 'serves' as serves from schema_migrations m",
        )
      : { rows: [] };
  const applied = new Map(rows.map((row) => [row.name, row]));
  const unknown = rows.filter(({ name }) => !files.includes(name));
  const isServed = ({ serves }: (typeof rows)[number]) => serves !== null && compareVersions(serves, version) <= 0;
  const edited: string[] = [];
  const missing: string[] = [];
  const pending: string[] = [];
  let servesFrom = '0.0.0';
  for (const name of files.toReversed()) {
    const migration = await readMigration(name, folder);
    const { checksum } = applied.get(name) ?? {};
    if (checksum && checksum !== migration.checksum) edited.unshift(name);
    const serves = migration.serves ?? '0.0.0';
    // Once a later file shuts the older servers out, this one need not wait for them.
    const canWait = migration.postDeployment && compareVersions(servesFrom, serves) < 0;
    if (!applied.has(name)) (canWait ? pending : missing).unshift(name);
    if (!canWait && compareVersions(servesFrom, serves) < 0) servesFrom = serves;
  }
  return {
    missing,
    pending,
    isNew: rows.length === 0,
    edited,
    withoutChecksum: files.filter((name) => applied.has(name) && !applied.get(name)?.checksum),
    newer: unknown.filter(isServed).map(({ name }) => name),
    tooNew: unknown.filter((row) => !isServed(row)).map(({ name }) => name),
  };
}

/** Compares versions such as 0.10.2. @returns below zero if the first is older */
const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });

/** Requests wait for 2 s at most (`lock_timeout`), so whoever queues behind this one is not refused. */
const lockTimeoutMs = (tries: number): number => Math.min(300 + 100 * Math.max(0, tries - 10), 1500);

/**
 * PostgreSQL since the minor releases of 2026 (15.20 does, 18.4 does not) refuses to add a column with a default to a table whose row type
 * is an argument of a function.
 */
const isRowTypeInUse = (error: unknown): boolean =>
  sqlState(error) === '0A000' && error instanceof Error && error.message.includes('row type');

/** Runs a file while the functions that take or return rows of a table are gone, and creates again those that it has not. */
async function runWithoutRowFunctions(client: pg.Client, sql: string): Promise<void> {
  const { rows: functions } = await client.query<{ name: string; definition: string }>(
    `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = current_schema()::regnamespace and prokind = 'f' and exists (
       select from pg_depend d join pg_type t on t.oid = d.refobjid join pg_class c on c.oid = t.typrelid
       where d.classid = 'pg_proc'::regclass and d.objid = pg_proc.oid and d.refclassid = 'pg_type'::regclass and c.relkind in ('r', 'p'))`,
  );
  if (functions.length > 0) await client.query(`drop function ${functions.map(({ name }) => name).join(', ')}`);
  await client.query(sql);
  // One that calls another has to wait for it.
  for (let left = functions; left.length > 0;) {
    const waiting: typeof left = [];
    for (const one of left) {
      await client.query('savepoint function');
      try {
        const { rows } = await client.query<{ is_there: boolean }>(
          'select to_regprocedure($1) is not null as is_there',
          [one.name],
        );
        if (!rows[0]?.is_there) await client.query(one.definition);
      } catch (error) {
        if (sqlState(error) !== '42883' || waiting.length === left.length - 1) throw error;
        await client.query('rollback to savepoint function');
        waiting.push(one);
      }
    }
    left = waiting;
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  let run = (sql: string): Promise<unknown> => client.query(sql);
  for (let tries = 1; ; tries++) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = '${lockTimeoutMs(tries)}ms'`);
      await run(migration.sql);
      await recordApplied(client, migration);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (isRowTypeInUse(error) && tries < 100) {
        run = (sql) => runWithoutRowFunctions(client, sql);
        continue;
      }
      if (sqlState(error) !== '55P03' || tries === 100) throw error;
      await sleep(100 + Math.random() * 400);
    }
  }
}

/**
 * Runs statement by statement, without a time-out: writers are not blocked. An interrupted build leaves an invalid index, which is dropped
 * and built again, so such a file can be repeated.
 */
async function applyConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of statementsOf(migration.sql)) {
    const index = /\bcreate (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1];
    if (index) {
      const { rows } = await client.query(
        'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
        [index],
      );
      if (rows.length > 0) await client.query(`drop index concurrently ${index}`);
    }
    await client.query(statement);
  }
  await recordApplied(client, migration);
}

/** Other writers of these rows wait for one step at most. After an interruption the next run continues where this one stopped. */
async function runInSteps(client: pg.Client, { sql }: Migration): Promise<void> {
  for (const statement of statementsOf(sql)) {
    while (((await client.query(statement)).rowCount ?? 0) > 0);
  }
}

/** Splits a file of plain statements, each ended by a semicolon at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
