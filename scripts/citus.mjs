// Says what Citus still refuses to distribute: npm run citus -- postgres://user:password@host:5432/database
// On a PostgreSQL where Citus is installed it creates a database of its own, loads the schema, tries the plan below table by table, prints
// each refusal with PostgreSQL's message, and drops the database. The database of the address itself is not changed.
// Exit code: 0 if nothing is refused, 1 if something is, 2 if it could not be tried.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { leaveKeysToDirectories } from '../server/src/packages/distributed-keys.ts';
import { migrate } from '../server/src/platform/database/migrate.ts';

/** The column by which each of these tables is distributed, so that all rows of a package are on one node. */
export const distributed = {
  packages: 'id',
  package_events: 'package_id',
  delivery_attempts: 'package_id',
  incidents: 'package_id',
  proofs: 'package_id',
  pin_checks: 'package_id',
  place_searches: 'package_id',
};

/** Tables that queries join with packages: each node has a copy. */
export const reference = ['roles', 'users', 'images'];

/** Tables that stay on the coordinator, and why. */
export const local = {
  account_events: 'accounts are not distributed',
  addresses: 'found by owner',
  arrival_forecasts: 'facts about arrivals, by route',
  arrival_model: 'one row',
  packages_at_risk: 'few rows, read together',
  attempt_sum_spans: 'sums over all packages',
  attempt_sums: 'sums over all packages',
  attempt_sums_stale: 'sums over all packages',
  audit: 'one hash chain',
  audit_origins: 'beside the audit log',
  audit_repeats: 'beside the audit log',
  blocked_addresses: 'found by address',
  bounced_addresses: 'found by address',
  contact_messages: 'few',
  contact_views: 'beside the audit log',
  depots: 'few',
  door_stays: 'found by driver, and by time',
  driver_paces: 'found by driver',
  driver_positions: 'accounts are not distributed',
  erasures: 'few',
  figure_changes: 'sums over all packages',
  figures: 'sums over all packages',
  figures_version: 'one row',
  attempt_sums_version: 'one row',
  gazetteer: 'found by address, and by place',
  health_probe: 'one row',
  idempotency_keys: 'found before the package is known; partitioned by day',
  inventory: 'sums over all packages',
  inventory_changes: 'sums over all packages',
  known_addresses: 'accounts are not distributed',
  map_addresses: 'empty but while an extract is imported',
  map_extracts: 'one row',
  map_tiles: 'found by tile',
  map_upload_parts: 'empty but while an extract is uploaded',
  map_uploads: 'one at a time',
  message_templates: 'few',
  messages: 'found by user, by package and by time',
  notification_deliveries: 'found by user and by time',
  notification_preferences: 'accounts are not distributed',
  notifications: 'found by user',
  outbox: 'a snapshot is valid on one node only; partitioned by day',
  outbox_readers: 'beside the outbox',
  owner_count_changes: 'sums over all packages of an owner',
  owner_counts: 'sums over all packages of an owner',
  package_import_errors: 'found by import',
  package_import_skips: 'found by import',
  package_imports: 'found by import',
  package_references: 'a directory: owner and reference to package',
  package_search: 'partitioned by the hash of the owner; Citus distributes partitions by range only',
  password_resets: 'accounts are not distributed',
  plans: 'a day; their packages and drivers are named',
  position_consents: 'accounts are not distributed',
  positions: 'found by driver; partitioned by day',
  proof_links: 'one hash chain',
  public_views: 'a directory: tracking ID to package',
  push_subscriptions: 'accounts are not distributed',
  rate_limits: 'counters of all servers',
  recovery_codes: 'accounts are not distributed',
  schema_migrations: 'one list',
  route_changes: 'beside routes',
  route_offers: 'beside routes',
  routes: 'a driver and a day; their packages name them',
  second_factors: 'accounts are not distributed',
  secrets: 'few',
  sessions: 'accounts are not distributed',
  settings: 'one row',
  absences: 'an exclusion constraint by driver',
  shifts: 'an exclusion constraint by driver',
  sign_in_failures: 'counters of all servers',
  waiting_changes: 'sums over all packages',
  waiting_counts: 'sums over all packages',
  waiting_totals: 'sums over all packages',
  waiting_by_owner: 'sums over all packages',
  waiting_by_weight: 'sums over all packages',
  waiting_by_attempts: 'sums over all packages',
  waiting_by_owner_and_weight: 'sums over all packages',
  waiting_by_owner_and_window: 'sums over all packages',
  waiting_by_weight_and_window: 'sums over all packages',
};

/**
 * Leaves unique keys to the directories, and makes the tables of the plan reference and distributed tables, as far as possible.
 * @param {pg.Client} client
 * @returns what is refused: the table and PostgreSQL's message
 */
export async function distribute(client) {
  /** @type {{ table: string; message: string }[]} */
  const refused = [];
  const attempt = async (/** @type {string} */ table, /** @type {string} */ sql, /** @type {string[]} */ values) => {
    try {
      await client.query(sql, values);
    } catch (error) {
      refused.push({ table, message: [error.message, error.detail, error.hint].filter(Boolean).join(' ') });
    }
  };
  for (const statement of leaveKeysToDirectories) await client.query(statement);
  for (const table of reference) await attempt(table, 'select create_reference_table($1::text::regclass)', [table]);
  for (const [table, column] of Object.entries(distributed))
    await attempt(table, 'select create_distributed_table($1::text::regclass, $2, colocate_with => $3)', [
      table,
      column,
      table === 'packages' ? 'none' : 'packages',
    ]);
  return refused;
}

/**
 * Tries the plan on a new database, and prints what is refused.
 * @param connect how to connect to a database of the server, by its name; null: the one that is there
 * @returns the exit code
 * @throws if Citus is not installed
 */
export async function check(connect) {
  const server = new pg.Client(connect(null));
  await server.connect();
  const database = `waybill_citus_${randomUUID().slice(0, 8)}`;
  try {
    const { rows } = await server.query("select from pg_available_extensions where name = 'citus'");
    if (rows.length === 0)
      throw new Error('Citus is not installed on this PostgreSQL server, so nothing was tried: see docs/scale.md.');
    await server.query(`create database ${database}`);
    return await tryPlan(connect(database));
  } finally {
    await server.query(`drop database if exists ${database} with (force)`).catch(() => {});
    await server.end();
  }
}

async function tryPlan(connection) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('create extension citus');
    await migrate(connection, () => {});
    const refused = await distribute(client);
    for (const { table, message } of refused) console.log(`${table}: ${message}`);
    const tried = reference.length + Object.keys(distributed).length;
    console.log(`${tried - refused.length} of ${tried} tables distributed, ${Object.keys(local).length} stay local.`);
    return refused.length > 0 ? 1 : 0;
  } finally {
    await client.end();
  }
}

if (import.meta.main) {
  const address = process.argv[2] ?? process.env.DATABASE_URL ?? '';
  const connect = (database) => {
    if (!URL.canParse(address)) throw new Error('Which server? npm run citus -- postgres://user@host:5432/database');
    const url = new URL(address);
    if (database) url.pathname = `/${database}`;
    return { connectionString: url.href };
  };
  process.exitCode = await check(connect).catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  });
}
