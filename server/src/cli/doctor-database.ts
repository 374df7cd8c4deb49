import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { verifyAudit } from '../audit/service.ts';
import { verifyProofs } from '../deliveries/proof-chain.ts';
import { replicaDatabase, type Config } from '../config.ts';
import { findLongWrite, readOldestInOutbox } from '../events/outbox-sweep.ts';
import { checkFigures, checkSample } from '../packages/rebuild.ts';
import { checkSomeDays } from '../stats/attempt-sums.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import type { Connection, Queryable } from '../platform/database/db.ts';
import { inspectSessions } from '../platform/database/inspect-server.ts';
import { compareSchema, fromForeignXids, untilContraction } from '../platform/database/migrate.ts';
import { countRelationsOfAllMonths } from '../platform/database/partitions.ts';
import { findRouteFaults } from '../routes/doctor.ts';
import { connectionsOf } from '../server.ts';
import { findSettings } from '../settings/queries.ts';
import { withPostgres } from './database.ts';
import { evaluateSignUp } from './doctor-environment.ts';
import type { CheckResults } from './check-results.ts';

/** @returns a description of the process that owns the embedded PostgreSQL, null if none does */
export async function checkDatabase(config: Config, results: CheckResults): Promise<string | null> {
  // Connecting to an embedded database would create it.
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) {
    results.add('database', 'warn', 'there is none in DATA_DIR yet: the first start makes it');
    return null;
  }
  let holder: string | null = null;
  await results.run('database', () =>
    withPostgres(async (server) => {
      holder = server.holder;
      await checkConnection(server.connection, config, results);
    }, config),
  );
  return holder;
}

async function checkConnection(connection: Connection, config: Config, results: CheckResults): Promise<void> {
  const client = new DatabaseClient({
    ...connection,
    role: 'doctor',
    connectionTimeoutMillis: 5000,
    query_timeout: 60_000,
  });
  try {
    await client.connect().catch((error: unknown) => {
      const { message = '', code = '' } = error as Partial<NodeJS.ErrnoException>;
      throw new Error(`cannot be reached (${message || code}): check DATABASE_URL, and that PostgreSQL runs`);
    });
    const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings');
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    evaluateServer(settings, results);
    await results.run('connections', async () =>
      evaluateConnections(settings, config, await countOthers(client, connection.server), results),
    );
    const standby = replicaDatabase(config);
    if (standby) await results.run('replica', () => checkReplica(standby, client, results));
    let isOwn = false;
    await results.run('sessions', async () => {
      await inspectSessions(connection);
      results.add('sessions', 'ok', 'a connection keeps its settings and locks');
      isOwn = true;
    });
    // Behind a pooler that shares sessions, the `set` below would apply to other clients too.
    if (!isOwn) return;
    // Read-only, so that no check can change data.
    await client.query(
      "set default_transaction_read_only = on; set statement_timeout = '60s'; set lock_timeout = '2s'",
    );
    await results.run('clock', () => checkClock(client, results));
    await results.run('extensions', () => checkExtensions(client, results));
    await results.run('migrations', () => checkContent(client, config, settings, results));
  } finally {
    await client.end().catch(() => {});
  }
}

/** What the standby of DATABASE_READ_URL is, and how far behind. Without it the primary answers, so nothing here is a failure. */
async function checkReplica(connection: Connection, primary: pg.ClientBase, results: CheckResults): Promise<void> {
  const client = new DatabaseClient({
    ...connection,
    role: 'doctor',
    acceptsStandby: true,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  const position =
    'select pg_current_wal_lsn()::text as lsn, (select system_identifier::text from pg_control_system()) as system';
  try {
    await client.connect();
    const [at] = (await primary.query<{ lsn: string; system: string }>(position)).rows;
    const { rows } = await client.query<{ is_standby: boolean; is_same: boolean; behind: string | null }>(
      `select pg_is_in_recovery() as is_standby, system_identifier::text = $2 as is_same,
         greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::text as behind
       from pg_control_system()`,
      [at?.lsn, at?.system],
    );
    const [found] = rows;
    if (!found?.is_standby)
      results.add(
        'replica',
        'warn',
        'DATABASE_READ_URL leads to a server that is no standby: the primary answers all reads',
      );
    else if (!found.is_same)
      results.add(
        'replica',
        'warn',
        'DATABASE_READ_URL leads to a standby of another database: the primary answers all reads',
      );
    else results.add('replica', 'ok', `a standby of this database, ${found.behind ?? 0} bytes of its log behind`);
  } catch (error) {
    const { message = '', code = '' } = error as Partial<NodeJS.ErrnoException>;
    results.add('replica', 'warn', `cannot be read (${message || code}): the primary answers all reads`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @param settings those of PostgreSQL */
export function evaluateServer(settings: Record<string, string | undefined>, results: CheckResults): void {
  const version = Math.floor(Number(settings.server_version_num) / 10_000);
  if (version < 15) results.add('database', 'FAIL', `PostgreSQL ${version} is too old: install 15 or later`);
  else results.add('database', 'ok', `PostgreSQL ${version} answers`);

  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => settings[name] === 'off');
  for (const name of off)
    results.add('durability', 'FAIL', `${name} is off, and a crash would lose acknowledged changes: turn it on`);
  if (off.length === 0) results.add('durability', 'ok', 'what is acknowledged survives a crash');
}

/**
 * Counts the connections that other servers of the product hold on this database now (they may open more under load). Other
 * clients are not counted.
 *
 * @param own the name of this server in its connections' application_name
 */
async function countOthers(client: pg.Client, own = ''): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and application_name like 'waybill %' and split_part(application_name, ' ', 3) <> $1`,
    [own],
  );
  return rows[0]?.others ?? 0;
}

/** @param settings those of PostgreSQL; @param others connections of other servers of the product */
export function evaluateConnections(
  settings: Record<string, string | undefined>,
  config: Pick<Config, 'WORKERS' | 'POOL_SIZE'>,
  others: number,
  results: CheckResults,
): void {
  const reserved = Number(settings.superuser_reserved_connections ?? 0) + Number(settings.reserved_connections ?? 0);
  const [needed, offered] = [connectionsOf(config), Number(settings.max_connections) - reserved];
  const held = others > 0 ? `, ${others} held by other servers of Waybill now` : '';
  const says = `${needed} connections at most for WORKERS=${config.WORKERS}${held}, ${offered} offered`;
  const state = needed > offered ? 'FAIL' : needed + others > offered ? 'warn' : 'ok';
  results.add(
    'connections',
    state,
    state === 'ok' ? says : `${says}: raise max_connections of PostgreSQL, or lower WORKERS or POOL_SIZE`,
  );
}

/** So many statements over all months are to find room for their locks at once. */
const statementsAtOnce = 8;

/** @param settings those of PostgreSQL; @param relations what one such statement locks */
export function evaluateLocks(
  settings: Record<string, string | undefined>,
  relations: number,
  results: CheckResults,
): void {
  const perTransaction = Number(settings.max_locks_per_transaction);
  const transactions = Number(settings.max_connections) + Number(settings.max_prepared_transactions ?? 0);
  const says = `a statement over all months locks ${relations} relations, ${perTransaction * transactions} have room`;
  let enough = perTransaction;
  while (enough * transactions < statementsAtOnce * relations) enough *= 4;
  if (enough === perTransaction) results.add('locks', 'ok', says);
  else
    results.add(
      'locks',
      'warn',
      `${says}: set max_locks_per_transaction of PostgreSQL to ${enough}, which takes a restart, before statements are refused`,
    );
}

async function checkClock(client: pg.Client, results: CheckResults): Promise<void> {
  const before = Date.now();
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  const middle = (before + Date.now()) / 2;
  evaluateClock((rows[0]?.at.getTime() ?? 0) - middle, results);
}

/** @param skewMs by how much the database is ahead */
export function evaluateClock(skewMs: number, results: CheckResults): void {
  const seconds = Math.abs(skewMs) / 1000;
  const state = seconds > 30 ? 'FAIL' : seconds > 1 ? 'warn' : 'ok';
  const says = `the database's clock and this machine's differ by ${seconds.toFixed(1)} s`;
  results.add('clock', state, state === 'ok' ? says : `${says}: set both by NTP`);
}

async function checkExtensions(client: pg.Client, results: CheckResults): Promise<void> {
  const { rows } = await client.query<{ name: string; there: boolean; can: boolean }>(
    `select wanted.name, e.installed_version is not null as there,
            e.name is not null and has_database_privilege(current_database(), 'create') as can
     from unnest(array['pg_trgm', 'btree_gin', 'btree_gist']) as wanted (name) left join pg_available_extensions e using (name)`,
  );
  const lacking = rows.filter(({ there, can }) => !there && !can);
  for (const { name } of lacking)
    results.add(
      'extensions',
      'FAIL',
      `${name} is missing: install PostgreSQL's contrib package, and give the user the right to create`,
    );
  if (lacking.length === 0)
    results.add('extensions', 'ok', 'pg_trgm, btree_gin and btree_gist are there, or can be made');
}

const asDb = (client: pg.Client): Queryable => ({
  query: async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows,
});

/** Recounts a random sample of what is derived from packages, and the figures of all time unless that takes too long. */
async function checkDerived(client: pg.Client, results: CheckResults): Promise<void> {
  const { size, wrong } = await checkSample(asDb(client));
  const days = await checkSomeDays(asDb(client));
  const quarters = await checkFigures(asDb(client));
  const found = [
    `${wrong.searchTexts} search texts`,
    `${wrong.publicViews} public views`,
    `${wrong.references} references`,
    `${wrong.counts} counts of owners or places`,
    `${days.wrong} days of figures`,
    `${quarters ?? 0} quarters of an hour of figures`,
  ].filter((text) => !text.startsWith('0 '));
  if (found.length === 0)
    results.add(
      'derived data',
      'ok',
      `search texts, public views, references and counts of ${size} packages, and figures of ${days.size} days${quarters === null ? '' : ' and of all time'}, are right`,
    );
  else
    results.add(
      'derived data',
      'FAIL',
      `${found.join(', ')} are wrong in a sample of ${size} packages and ${days.size} days${quarters === null ? '' : ' and the figures of all time'}: npm run cli -- rebuild`,
    );
}

/** Checks the schema version, and the data if no migration is pending and the schema is not too new. */
async function checkContent(
  client: pg.Client,
  config: Config,
  settings: Record<string, string | undefined>,
  results: CheckResults,
): Promise<void> {
  const { missing, pending, edited, newer, tooNew } = await compareSchema(client);
  if (tooNew.length > 0)
    return results.add(
      'migrations',
      'FAIL',
      `the database is newer than this program (${tooNew.join(', ')}): use the newer one`,
    );
  if (edited.length > 0)
    return results.add(
      'migrations',
      'FAIL',
      `${edited.join(', ')} was edited after it ran: put the file back as it was released`,
    );
  if (missing.length > 0)
    return results.add(
      'migrations',
      'warn',
      `${missing.length} are to come: start the server, or npm run cli -- migrate`,
    );
  if (newer.length > 0)
    results.add('migrations', 'warn', `the database is newer (${newer.join(', ')}): upgrade this program too`);
  else if (pending.length > 0)
    results.add('migrations', 'warn', `${pending.length} still to come, which can wait until ${untilContraction}`);
  else results.add('migrations', 'ok', 'the database is up to date');
  await results.run('locks', async () =>
    evaluateLocks(settings, await countRelationsOfAllMonths(asDb(client)), results),
  );
  await results.run('administrators', () => checkAdministrators(client, results));
  await results.run('sign-up', async () => evaluateSignUp(config, (await findSettings(asDb(client))).stored, results));
  await results.run('jobs', () => checkJobs(client, results));
  await results.run('events', () => checkEvents(client, results));
  await results.run('outbox', () => checkOutbox(client, results));
  await results.run('derived data', () => checkDerived(client, results));
  await results.run('routes', () => checkRoutes(client, results));
  await results.run('proofs', () => checkProofs(client, results));
  await results.run('audit', () => checkAudit(client, results));
}

async function checkAdministrators(client: pg.Client, results: CheckResults): Promise<void> {
  const { rows } = await client.query("select from users where role = 'admin' and status = 'active' limit 1");
  if (rows.length > 0) results.add('administrators', 'ok', 'there is an active one');
  else results.add('administrators', 'warn', 'there is no active one: npm run cli -- create-admin');
}

async function checkJobs(client: pg.Client, results: CheckResults): Promise<void> {
  const { rows: tables } = await client.query("select where to_regclass('jobs.job') is not null");
  if (tables.length === 0) return results.add('jobs', 'ok', 'there is no queue yet: the first start makes it');
  const { rows } = await client.query<{ dead: string; seconds: number | null }>(
    `select count(*) filter (where name = 'dead-letters') as dead,
            extract(epoch from now() - min(start_after) filter (where name <> 'dead-letters' and start_after <= now()))::float8 as seconds
     from jobs.job where state in ('created', 'retry')`,
  );
  evaluateJobs(Number(rows[0]?.dead ?? 0), rows[0]?.seconds ?? 0, results);
}

/** @param waited seconds that the oldest due job has been waiting */
export function evaluateJobs(dead: number, waited: number, results: CheckResults): void {
  if (dead > 0)
    results.add(
      'jobs',
      'warn',
      `${dead} failed for good: npm run cli -- jobs tells which and why, and runs them again with --replay-all`,
    );
  if (waited > 60)
    results.add('jobs', 'warn', `one has waited for ${Math.floor(waited)} s: see that the server runs, and its log`);
  if (dead === 0 && waited <= 60) results.add('jobs', 'ok', 'none failed for good, and none waits for long');
}

async function checkEvents(client: pg.Client, results: CheckResults): Promise<void> {
  const { rows } = await client.query(`select ${fromForeignXids} limit 1`);
  if (rows.length === 0) results.add('events', 'ok', 'all were numbered by this PostgreSQL server');
  else
    results.add(
      'events',
      'warn',
      'some carry numbers of another PostgreSQL server, from which they were copied: restart Waybill, which puts it right',
    );
}

/** A day's partition is dropped 10 minutes after its end (the longest that a process may be unresponsive). */
const maxOutboxAgeSeconds = 25 * 3600;

async function checkOutbox(client: pg.Client, results: CheckResults): Promise<void> {
  const oldest = await readOldestInOutbox(asDb(client));
  const says = oldest === null ? 'nothing waits' : `the oldest row is ${Math.round(oldest)} s old`;
  if (oldest === null || oldest <= maxOutboxAgeSeconds) results.add('outbox', 'ok', says);
  else results.add('outbox', 'warn', `${says}: a server that runs removes it after its day, see the log`);
  const open = await findLongWrite(asDb(client), 60);
  if (open)
    results.add(
      'outbox',
      'warn',
      `a transaction that writes is open for ${Math.round(open.seconds)} s (process ${open.pid}, '${open.name}'): end it, it holds up the clean-up of all tables`,
    );
}

async function checkRoutes(client: pg.Client, results: CheckResults): Promise<void> {
  const faults = await findRouteFaults(asDb(client));
  if (faults.length === 0) results.add('routes', 'ok', 'packages and orders of routes agree');
  else
    results.add('routes', 'FAIL', `${faults.join(', ')}: move these packages on their routes, and report it as a bug`);
}

async function checkProofs(client: pg.Client, results: CheckResults): Promise<void> {
  const { links, brokenAt } = await verifyProofs(asDb(client));
  if (brokenAt === null) results.add('proofs', 'ok', `the chain of ${links} proofs of delivery is whole`);
  else
    results.add(
      'proofs',
      'FAIL',
      `link ${brokenAt} was changed, or one before it taken out: compare with a backup, and ask who had access`,
    );
}

async function checkAudit(client: pg.Client, results: CheckResults): Promise<void> {
  const { rows, brokenAt } = await verifyAudit(asDb(client));
  if (brokenAt === null) results.add('audit', 'ok', `the chain of its ${rows} entries is whole`);
  else
    results.add(
      'audit',
      'FAIL',
      `entry ${brokenAt} was changed, or one before it taken out: compare with a backup, and ask who had access`,
    );
}
