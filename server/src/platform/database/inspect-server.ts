import { DatabaseClient } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';
import { requestSettings, statementTimeoutMs } from './db.ts';

const openClient = (connection: Connection, settings: Record<string, string> = {}) =>
  new DatabaseClient({ ...connection, role: 'start', connectionTimeoutMillis: 5000, query_timeout: 5000, settings });

/**
 * Checks the server at the start: the pooler in front of it, its version, and that acknowledged commits survive a crash.
 *
 * @returns its major version
 * @throws an error whose message tells the operator what to change
 */
export async function inspectServer(connection: Connection): Promise<{ version: number }> {
  await inspectSessions(connection);
  const client = openClient(connection);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
       where name in ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit')`,
    );
    const settings = new Map(rows.map((row) => [row.name, row.setting]));
    const version = Math.floor(Number(settings.get('server_version_num')) / 10_000);
    if (version < 15) throw new Error(`PostgreSQL ${version} is too old: Waybill needs 15 or later.`);
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      if (settings.get(name) === 'off') {
        throw new Error(
          `PostgreSQL runs with ${name} = off and would lose acknowledged changes in a crash: turn it on.`,
        );
      }
    }
    return { version };
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws if a connection does not keep its settings and locks, as behind a pooler in transaction mode; the message is for the operator */
export async function inspectSessions(connection: Connection): Promise<void> {
  const direct = directOf(connection);
  await inspectConnection(connection, 'DATABASE_URL');
  if (direct !== connection) await inspectConnection(direct, 'DATABASE_DIRECT_URL');
}

async function inspectConnection(connection: Connection, setting: string): Promise<void> {
  // Without settings: they would stay behind on a pooler's shared connections.
  const [one, other] = [openClient(connection), openClient(connection)];
  // With the settings of the pool that serves requests.
  const bound = openClient(connection, requestSettings);
  try {
    await Promise.all([one.connect(), other.connect()]);
    await rejectTransactionPooler(one, other, setting);
    await bound.connect();
    const { rows } = await bound.query<{ ms: string }>(
      `select setting as ms from pg_settings where name = 'statement_timeout'`,
    );
    const ms = Number(rows[0]?.ms);
    if (ms === statementTimeoutMs) return;
    throw new Error(
      `${setting} leads to a connection whose statement_timeout is ${ms} ms where ${statementTimeoutMs} ms was asked for: what stands in front of PostgreSQL must keep the settings of a session.`,
    );
  } finally {
    await Promise.all([one, other, bound].map((client) => client.end().catch(() => {})));
  }
}

/** One round is enough on an idle pooler; under load a single round may miss it. */
const rounds = 8;

/**
 * A pooler in transaction mode gives each transaction any free connection, so settings, session locks and LISTEN leak to the next client.
 * To detect it, two clients query their backend pid alternately: they share one, or one client's pid changes. The second client asks twice
 * in a row and the order is reversed within a round, since poolers hand out connections last-in-first-out or round-robin.
 */
async function rejectTransactionPooler(one: DatabaseClient, other: DatabaseClient, setting: string): Promise<void> {
  const backendPid = async (client: DatabaseClient) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid;
  };
  const pidsOfOne = new Set<number | undefined>();
  const pidsOfOther = new Set<number | undefined>();
  for (let round = 0; round < rounds; round++) {
    pidsOfOne.add(await backendPid(one));
    pidsOfOther.add(await backendPid(other));
    pidsOfOther.add(await backendPid(other));
    pidsOfOne.add(await backendPid(one));
  }
  if (new Set([...pidsOfOne, ...pidsOfOther]).size === 2 && pidsOfOne.size === 1 && pidsOfOther.size === 1) return;
  throw new Error(
    `${setting} leads to a pooler in transaction mode, which takes away settings, locks and live updates: use its session mode, or PostgreSQL's own address.`,
  );
}
