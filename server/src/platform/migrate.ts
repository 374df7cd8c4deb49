import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './db.ts';
import { sqlState } from './errors.ts';

const folder = join(import.meta.dirname, '../../migrations');

/** Held while migrating, by every process that wants to: any number may start at once. */
export const migrationLock = 7_236_001;

/** The names of all migrations, in their order. */
export const listMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).toSorted();

const readMigration = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

const makeList =
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())';

/** Runs these migrations in the caller's transaction. */
export async function migrateWithin(client: pg.Client, names: string[]): Promise<void> {
  await client.query(makeList);
  for (const name of names) {
    await client.query(await readMigration(name));
    await client.query('insert into schema_migrations (name) values ($1)', [name]);
  }
}

/**
 * Brings the schema up to this program: numbered files, forward only, each in a transaction of its own.
 * A table under use is waited for in slices of 300 ms, so that readers behind us are never blocked for longer.
 * @throws when the database is newer than the program
 */
export async function migrate(
  connection: Connection,
  log: (message: string) => void,
  { renumberAtOnce = 10_000 }: { renumberAtOnce?: number } = {},
): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(makeList);
    const { missing, unknown } = await compareSchema(client);
    if (unknown.length > 0) {
      throw new Error(
        `The database is newer than this program (it has ${unknown.join(', ')}): start the newer version of Waybill.`,
      );
    }
    for (const name of missing) {
      await apply(client, name, await readMigration(name));
      log(`migrated the database: ${name}`);
    }
    await renumberEvents(client, log, renumberAtOnce);
  } finally {
    await client.end();
  }
}

/** Events with the number of a transaction that this server has not begun yet: another one gave it. As SQL. */
export const eventsNumberedElsewhere = 'select id from events where xid >= pg_snapshot_xmax(pg_current_snapshot())';

/**
 * pg_restore and logical replication bring along the transaction numbers of the old server, which mean nothing here: once this server
 * gets there, they would be taken for its own. 0 is a transaction that everybody has seen. In steps, since these may be all events.
 */
async function renumberEvents(client: pg.Client, log: (message: string) => void, atOnce: number): Promise<void> {
  let total = 0;
  for (let changed = atOnce; changed === atOnce; total += changed) {
    const { rowCount } = await client.query(
      `update events set xid = '0' where id in (${eventsNumberedElsewhere} limit $1)`,
      [atOnce],
    );
    changed = rowCount ?? 0;
  }
  if (total > 0) log(`renumbered ${total} events that came from another PostgreSQL server`);
}

/** Which migrations the database lacks, in their order, and which it has that this program does not know. Changes nothing. */
export async function compareSchema(client: pg.Client): Promise<{ missing: string[]; unknown: string[] }> {
  const files = await listMigrations();
  const { rows: tables } = await client.query("select where to_regclass('schema_migrations') is not null");
  const { rows } =
    tables.length > 0 ? await client.query<{ name: string }>('select name from schema_migrations') : { rows: [] };
  const applied = new Set(rows.map((row) => row.name));
  return {
    missing: files.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !files.includes(name)),
  };
}

async function apply(client: pg.Client, name: string, sql: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query('begin');
      await client.query("set local lock_timeout = '300ms'");
      await client.query(sql);
      await client.query('insert into schema_migrations (name) values ($1)', [name]);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (sqlState(error) !== '55P03' || tries === 100) throw error;
      await sleep(100 + Math.random() * 400);
    }
  }
}
