import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { verifyAudit } from '../audit/service.ts';
import type { Config } from '../config.ts';
import { findLongWrite, readOutboxState } from '../events/outbox-sweep.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import type { Connection, Queryable } from '../platform/database/db.ts';
import { inspectSessions } from '../platform/database/inspect-server.ts';
import { compareSchema, numberedElsewhere } from '../platform/database/migrate.ts';
import { connectionsOf } from '../product.ts';
import { findSettings } from '../settings/queries.ts';
import { withPostgres } from './database.ts';
import { judgeSignUp } from './doctor-environment.ts';
import type { CheckResults } from './check-results.ts';

/** @returns who has the embedded PostgreSQL, in words */
export async function examineDatabase(config: Config, findings: CheckResults): Promise<string | null> {
  // Reaching an embedded one would make it.
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) {
    findings.add('database', 'warn', 'there is none in DATA_DIR yet: the first start makes it');
    return null;
  }
  let holder: string | null = null;
  await findings.run('database', () =>
    withPostgres(async (server) => {
      holder = server.holder;
      await examineConnection(server.connection, config, findings);
    }, config),
  );
  return holder;
}

async function examineConnection(connection: Connection, config: Config, findings: CheckResults): Promise<void> {
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
    judgeServer(settings, findings);
    await findings.run('connections', async () =>
      judgeConnections(settings, config, await countOthers(client, connection.server), findings),
    );
    let isOwn = false;
    await findings.run('sessions', async () => {
      await inspectSessions(connection);
      findings.add('sessions', 'ok', 'a connection keeps its settings and locks');
      isOwn = true;
    });
    // Whoever shares it through a pooler would be bound by what is set now.
    if (!isOwn) return;
    // So that looking cannot change anything.
    await client.query(
      "set default_transaction_read_only = on; set statement_timeout = '60s'; set lock_timeout = '2s'",
    );
    await findings.run('clock', () => examineClock(client, findings));
    await findings.run('extensions', () => examineExtensions(client, findings));
    await findings.run('migrations', () => examineContent(client, config, findings));
  } finally {
    await client.end().catch(() => {});
  }
}

/** @param settings those of PostgreSQL */
export function judgeServer(settings: Record<string, string | undefined>, findings: CheckResults): void {
  const version = Math.floor(Number(settings.server_version_num) / 10_000);
  if (version < 15) findings.add('database', 'FAIL', `PostgreSQL ${version} is too old: install 15 or later`);
  else findings.add('database', 'ok', `PostgreSQL ${version} answers`);

  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => settings[name] === 'off');
  for (const name of off)
    findings.add('durability', 'FAIL', `${name} is off, and a crash would lose acknowledged changes: turn it on`);
  if (off.length === 0) findings.add('durability', 'ok', 'what is acknowledged survives a crash');
}

/**
 * Connections that other servers of the product hold on this database now. They may open more when they are busy; what else is
 * connected is not ours to judge.
 *
 * @param own this server, as its connections name it
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
export function judgeConnections(
  settings: Record<string, string | undefined>,
  config: Pick<Config, 'WORKERS' | 'POOL_SIZE'>,
  others: number,
  findings: CheckResults,
): void {
  const reserved = Number(settings.superuser_reserved_connections ?? 0) + Number(settings.reserved_connections ?? 0);
  const [needed, offered] = [connectionsOf(config), Number(settings.max_connections) - reserved];
  const held = others > 0 ? `, ${others} held by other servers of Waybill now` : '';
  const says = `${needed} connections at most for WORKERS=${config.WORKERS}${held}, ${offered} offered`;
  const state = needed > offered ? 'FAIL' : needed + others > offered ? 'warn' : 'ok';
  findings.add(
    'connections',
    state,
    state === 'ok' ? says : `${says}: raise max_connections of PostgreSQL, or lower WORKERS or POOL_SIZE`,
  );
}

async function examineClock(client: pg.Client, findings: CheckResults): Promise<void> {
  const before = Date.now();
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  const middle = (before + Date.now()) / 2;
  judgeClock((rows[0]?.at.getTime() ?? 0) - middle, findings);
}

/** @param skewMs by how much the database is ahead */
export function judgeClock(skewMs: number, findings: CheckResults): void {
  const seconds = Math.abs(skewMs) / 1000;
  const state = seconds > 30 ? 'FAIL' : seconds > 1 ? 'warn' : 'ok';
  const says = `the database's clock and this machine's differ by ${seconds.toFixed(1)} s`;
  findings.add('clock', state, state === 'ok' ? says : `${says}: set both by NTP`);
}

async function examineExtensions(client: pg.Client, findings: CheckResults): Promise<void> {
  const { rows } = await client.query<{ name: string; there: boolean; can: boolean }>(
    `select wanted.name, e.installed_version is not null as there,
            e.name is not null and has_database_privilege(current_database(), 'create') as can
     from unnest(array['pg_trgm', 'btree_gin', 'btree_gist']) as wanted (name) left join pg_available_extensions e using (name)`,
  );
  const lacking = rows.filter(({ there, can }) => !there && !can);
  for (const { name } of lacking)
    findings.add(
      'extensions',
      'FAIL',
      `${name} is missing: install PostgreSQL's contrib package, and give the user the right to create`,
    );
  if (lacking.length === 0)
    findings.add('extensions', 'ok', 'pg_trgm, btree_gin and btree_gist are there, or can be made');
}

const asDb = (client: pg.Client): Queryable => ({
  query: async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows,
});

/** What is in the database, where it is of this version. */
async function examineContent(client: pg.Client, config: Config, findings: CheckResults): Promise<void> {
  const { missing, edited, newer, tooNew } = await compareSchema(client);
  if (tooNew.length > 0)
    return findings.add(
      'migrations',
      'FAIL',
      `the database is newer than this program (${tooNew.join(', ')}): use the newer one`,
    );
  if (edited.length > 0)
    return findings.add(
      'migrations',
      'FAIL',
      `${edited.join(', ')} was edited after it ran: put the file back as it was released`,
    );
  if (missing.length > 0)
    return findings.add(
      'migrations',
      'warn',
      `${missing.length} are to come: start the server, or npm run cli -- migrate`,
    );
  if (newer.length > 0)
    findings.add('migrations', 'warn', `the database is newer (${newer.join(', ')}): upgrade this program too`);
  else findings.add('migrations', 'ok', 'the database is up to date');
  await findings.run('administrators', () => examineAdministrators(client, findings));
  await findings.run('sign-up', async () => judgeSignUp(config, (await findSettings(asDb(client))).stored, findings));
  await findings.run('jobs', () => examineJobs(client, findings));
  await findings.run('events', () => examineEvents(client, findings));
  await findings.run('outbox', () => examineOutbox(client, findings));
  await findings.run('audit', () => examineAudit(client, findings));
}

async function examineAdministrators(client: pg.Client, findings: CheckResults): Promise<void> {
  const { rows } = await client.query("select from users where role = 'admin' and status = 'active' limit 1");
  if (rows.length > 0) findings.add('administrators', 'ok', 'there is an active one');
  else findings.add('administrators', 'warn', 'there is no active one: npm run cli -- create-admin');
}

async function examineJobs(client: pg.Client, findings: CheckResults): Promise<void> {
  const { rows: tables } = await client.query("select where to_regclass('jobs.job') is not null");
  if (tables.length === 0) return findings.add('jobs', 'ok', 'there is no queue yet: the first start makes it');
  const { rows } = await client.query<{ dead: string; seconds: number | null }>(
    `select count(*) filter (where name = 'dead-letters') as dead,
            extract(epoch from now() - min(start_after) filter (where name <> 'dead-letters' and start_after <= now()))::float8 as seconds
     from jobs.job where state in ('created', 'retry')`,
  );
  judgeJobs(Number(rows[0]?.dead ?? 0), rows[0]?.seconds ?? 0, findings);
}

/** @param waited seconds that the oldest job has waited beyond its time */
export function judgeJobs(dead: number, waited: number, findings: CheckResults): void {
  if (dead > 0)
    findings.add(
      'jobs',
      'warn',
      `${dead} failed for good: npm run cli -- jobs tells which and why, and runs them again with --replay-all`,
    );
  if (waited > 60)
    findings.add('jobs', 'warn', `one has waited for ${Math.floor(waited)} s: see that the server runs, and its log`);
  if (dead === 0 && waited <= 60) findings.add('jobs', 'ok', 'none failed for good, and none waits for long');
}

async function examineEvents(client: pg.Client, findings: CheckResults): Promise<void> {
  const { rows } = await client.query(`select ${numberedElsewhere} limit 1`);
  if (rows.length === 0) findings.add('events', 'ok', 'all were numbered by this PostgreSQL server');
  else
    findings.add(
      'events',
      'warn',
      'some carry numbers of another PostgreSQL server, from which they were copied: restart Waybill, which puts it right',
    );
}

/** Nothing waits there for longer than a process may be silent, and the time between two sweeps. */
const maxOutboxAgeSeconds = 15 * 60;

async function examineOutbox(client: pg.Client, findings: CheckResults): Promise<void> {
  const { rows, oldest } = await readOutboxState(asDb(client));
  const says = rows === 0 ? 'nothing waits' : `${rows} rows, the oldest ${Math.round(oldest)} s old`;
  if (oldest <= maxOutboxAgeSeconds) findings.add('outbox', 'ok', says);
  else findings.add('outbox', 'warn', `${says}: a server that runs removes them after 10 minutes, see its log`);
  const open = await findLongWrite(asDb(client), 60);
  if (open)
    findings.add(
      'outbox',
      'warn',
      `a transaction that writes is open for ${Math.round(open.seconds)} s (process ${open.pid}, '${open.name}'): end it, it holds up the clean-up of all tables`,
    );
}

async function examineAudit(client: pg.Client, findings: CheckResults): Promise<void> {
  const { rows, brokenAt } = await verifyAudit(asDb(client));
  if (brokenAt === null) findings.add('audit', 'ok', `the chain of its ${rows} entries is whole`);
  else
    findings.add(
      'audit',
      'FAIL',
      `entry ${brokenAt} was changed, or one before it taken out: compare with a backup, and ask who had access`,
    );
}
