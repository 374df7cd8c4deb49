import type pg from 'pg';

export interface Host {
  host: string;
  port: number;
}

/** A way to the database. */
export interface Connection extends Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'database' | 'connectionString' | 'password' | 'stream'
> {
  /** Several servers of one cluster, of which one takes writes. */
  hosts?: Host[];
  /** The way for what needs a session of its own for long; unset: this one. */
  direct?: Connection;
  /** Which of several servers of the product it belongs to, as pg_stat_activity shows it. */
  server?: string;
}

/** For listening, session locks and migrations: past a pooler, where there is one. */
export const directOf = (connection: Connection): Connection => connection.direct ?? connection;

const form = /^(?<scheme>postgres(?:ql)?:\/\/)(?<account>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>[/?#].*)?$/;

/**
 * Reads DATABASE_URL. With several hosts, separated by commas, the one that takes writes is looked for whenever a connection is
 * opened, whatever `target_session_attrs` says, unless it asks for one that does not.
 *
 * @returns a fault in words where it is none
 */
export function readDatabaseUrl(text: string): Connection | string {
  const parts = form.exec(text)?.groups;
  if (!parts) return 'must be a postgres:// address';
  const { scheme = '', account = '', rest = '' } = parts;
  const hosts = (parts.hosts ?? '').split(',');
  const urls = hosts.map((host) => `${scheme}${account}${host}${rest}`);
  if (!urls.every((url) => URL.canParse(url))) return 'must be a postgres:// address';
  const query = new URL(urls[0] ?? '').searchParams;
  const wanted = query.get('target_session_attrs');
  if (wanted !== null && !['any', 'read-write', 'primary'].includes(wanted))
    return 'must lead to a server that takes writes: target_session_attrs is any, read-write or primary';
  if ([...query.getAll('host'), ...query.getAll('port')].some((value) => value.includes(',')))
    return 'must name several hosts as postgres://user@host1:5432,host2:5432/database';
  const connectionString = (urls[0] ?? '').replace(/([?&])target_session_attrs=[^&#]*(&|(?=#|$))/, '$1');
  if (hosts.length === 1) return { connectionString };
  if (hosts.includes('')) return 'must be a postgres:// address';
  return {
    connectionString,
    hosts: urls.map((url) => {
      const { hostname, port } = new URL(url);
      return { host: decodeURIComponent(hostname.replace(/^\[|\]$/g, '')), port: Number(port || 5432) };
    }),
  };
}
