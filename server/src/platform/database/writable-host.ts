import pg from 'pg';
import type { Connection, Host } from './database-url.ts';

/** How long each host may take to answer; all are asked at once. */
const answerWithinMs = 2000;

/** Whether the server is a standby, or was told to take no writes: as SQL. */
export const takesNoWrites = "(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')";

const keyOf = (hosts: Host[]) => hosts.map(({ host, port }) => `${host}:${port}`).join(',');

/** What was found last, in this process, by the list of hosts. Each connection that is opened proves it anew, or forgets it. */
const found = new Map<string, Host>();
const underWay = new Map<string, Promise<Host>>();

export const forgetWritable = (hosts: Host[]): void => void found.delete(keyOf(hosts));

/**
 * The first of the hosts, in their order, that takes writes.
 *
 * @throws an error of class 57 that says of each why not
 */
export async function findWritable(hosts: Host[], connection: Connection): Promise<Host> {
  const key = keyOf(hosts);
  const known = found.get(key);
  if (known) return known;
  let searching = underWay.get(key);
  if (!searching) {
    searching = search(hosts, connection).finally(() => underWay.delete(key));
    underWay.set(key, searching);
  }
  const host = await searching;
  found.set(key, host);
  return host;
}

async function search(hosts: Host[], connection: Connection): Promise<Host> {
  const answers = hosts.map((host) => ({ host, refusal: askHost(host, connection) }));
  const refusals: string[] = [];
  for (const { host, refusal } of answers) {
    const reason = await refusal;
    if (reason === null) return host;
    refusals.push(`${host.host}:${host.port} ${reason}`);
  }
  throw Object.assign(new Error(`none of the servers takes writes (${refusals.join('; ')})`), { code: '57P03' });
}

/** Why it takes no writes, or null where it does. */
async function askHost({ host, port }: Host, connection: Connection): Promise<string | null> {
  // Not watched: an answer of a standby does not mean that the database is there.
  const { stream: _, ...options } = connection;
  const client = new pg.Client({
    ...options,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: 'waybill search',
  });
  [client.host, client.port] = [host, port];
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ refuses: boolean }>(`select ${takesNoWrites} as refuses`);
    return rows[0]?.refuses ? 'is a standby or read only' : null;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return message || (code ?? 'does not answer');
  } finally {
    client.end().catch(() => {});
  }
}
