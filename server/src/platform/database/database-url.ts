import type pg from 'pg';

export interface Host {
  host: string;
  port: number;
}

/** How to connect to the database. */
export interface Connection extends Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'database' | 'connectionString' | 'password' | 'stream'
> {
  /** Several hosts of one cluster, of which one accepts writes. */
  hosts?: Host[];
  /** PostgreSQL's own address behind a pooler, for work that needs a session of its own for long; unset: this connection. */
  direct?: Connection;
  /** Which server of the product opens it, such as `web-1:3000`; part of application_name in pg_stat_activity. */
  server?: string;
}

/** The connection for LISTEN, session locks and migrations: it bypasses a pooler, if there is one. */
export const directOf = (connection: Connection): Connection => connection.direct ?? connection;

const form = /^(?<scheme>postgres(?:ql)?:\/\/)(?<account>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>[/?#].*)?$/;

/**
 * Parses DATABASE_URL. With several hosts, separated by commas, each new connection goes to the one that accepts writes, as with
 * `target_session_attrs=read-write`. A value that asks for a standby is an error.
 *
 * @returns the error message if the URL is not valid
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
