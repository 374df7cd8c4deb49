import pg from 'pg';
import type { Connection, Host } from './database-url.ts';

/** Time-out of each host's probe; all hosts are probed at the same time. */
const probeTimeoutMs = 2000;

/** SQL condition: the server is a standby, or was set to read-only. */
export const isReadOnlySql = "(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')";

const keyOf = (hosts: Host[]) => hosts.map(({ host, port }) => `${host}:${port}`).join(',');

/** Cache of this process: the writable host by list of hosts. Each new connection checks that it is still writable, and otherwise invalidates it. */
const writableHosts = new Map<string, Host>();
const searches = new Map<string, Promise<Host>>();

export const forgetWritableHost = (hosts: Host[]): void => void writableHosts.delete(keyOf(hosts));

/**
 * Finds the first host, in order, that accepts writes. Concurrent searches for the same hosts share one set of probes.
 *
 * @throws an error of SQLSTATE class 57 with the reason of each host
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

/** @returns why the host is not writable; null if it is */
async function probeHost({ host, port }: Host, connection: Connection): Promise<string | null> {
  // Bypass the watchdog: bytes from a standby do not mean that the primary answers.
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
