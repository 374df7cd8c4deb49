import pg from 'pg';
import type { Connection, Host } from './database-url.ts';

/** How long each host may take to answer; all are asked at once. */
const probeTimeoutMs = 2000;

/** Whether the server is a standby, or was told to take no writes: as SQL. */
export const isReadOnlySql = "(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')";

const keyOf = (hosts: Host[]) => hosts.map(({ host, port }) => `${host}:${port}`).join(',');

/** What was found last, in this process, by the list of hosts. Each connection that is opened proves it anew, or forgets it. */
const writableHosts = new Map<string, Host>();
const searches = new Map<string, Promise<Host>>();

export const forgetWritableHost = (hosts: Host[]): void => void writableHosts.delete(keyOf(hosts));

/**
 * The first of the hosts, in their order, that takes writes.
 *
 * @throws an error of class 57 that says of each why not
 */
export async function findWritableHost(hosts: Host[], connection: Connection): Promise<Host> {
  const key = keyOf(hosts);
  const cached = writableHosts.get(key);
  if (cached) return cached;
  let searching = searches.get(key);
  if (!searching) {
    searching = search(hosts, connection).finally(() => searches.delete(key));
    searches.set(key, searching);
  }
  const host = await searching;
  writableHosts.set(key, host);
  return host;
}

async function search(hosts: Host[], connection: Connection): Promise<Host> {
  const probes = hosts.map((host) => ({ host, refusal: probeHost(host, connection) }));
  const refusals: string[] = [];
  for (const { host, refusal } of probes) {
    const reason = await refusal;
    if (reason === null) return host;
    refusals.push(`${host.host}:${host.port} ${reason}`);
  }
  throw Object.assign(new Error(`none of the servers takes writes (${refusals.join('; ')})`), { code: '57P03' });
}

/** Why it takes no writes, or null where it does. */
async function probeHost({ host, port }: Host, connection: Connection): Promise<string | null> {
  // Not watched: an answer of a standby does not mean that the database is there.
  const { stream: _, ...options } = connection;
  const client = new pg.Client({
    ...options,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
    application_name: 'waybill search',
  });
  [client.host, client.port] = [host, port];
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ refuses: boolean }>(`select ${isReadOnlySql} as refuses`);
    return rows[0]?.refuses ? 'is a standby or read only' : null;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return message || (code ?? 'does not answer');
  } finally {
    client.end().catch(() => {});
  }
}
