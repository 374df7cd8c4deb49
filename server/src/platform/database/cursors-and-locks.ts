import type pg from 'pg';
import type { Logger } from 'pino';
import { poolOptions } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';
import { createPool } from './db.ts';
import type { Replica } from './replica.ts';

/** Database work that may take longer than a request: cursors and advisory locks. */
export interface LongRunning {
  /**
   * Yields the rows of one snapshot in batches of 200, from a server-side cursor. Backpressure: a batch is fetched only when the consumer
   * is ready for it. The query ends with the last batch, when the consumer leaves the loop, or when `signal` aborts.
   *
   * @throws when all connections are in use for 2 s, or the consumer pauses for longer than 30 s
   */
  streamRows<Row extends object>(sql: string, params: unknown[], signal: AbortSignal): AsyncGenerator<Row[]>;
  /**
   * Runs `work` under a session-level advisory lock. Returns null if this or another process holds the lock.
   * PostgreSQL releases the lock when the work ends, and at once when the process dies.
   */
  withAdvisoryLock<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  close(): Promise<void>;
}

/** SQL condition: some session holds the advisory lock of this name. @param name an SQL expression, such as `$2` */
export const isAdvisoryLockHeld = (name: string) => `exists (
  select from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and d.datname = current_database()
    and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(${name}, 0))`;

const batchSize = 200;
/** So that an export begins at once. */
const firstBatchSize = 50;
/** How long the statement of an export may still run that its client has left. */
const cancelAfterMs = 100;

/** PostgreSQL settings of the connections for exports. */
export const exportSettings = (serverVersion: number): Record<string, string> => ({
  default_transaction_read_only: 'on',
  statement_timeout: '30000',
  lock_timeout: '2000',
  // How long a consumer may pause between two batches.
  idle_in_transaction_session_timeout: '30000',
  client_connection_check_interval: '1000',
  ...(serverVersion >= 17 && { transaction_timeout: '120000' }),
});

/**
 * A small pool of its own for long-running work, so that an export of a minute neither takes a connection from requests nor runs under
 * their strict time-outs. Connections are opened on demand and closed after 1 s idle. When all are in use for 2 s, callers get a 503.
 *
 * @param max connections
 * @param replica answers exports if it can
 */
export function openLongRunning(
  connection: Connection,
  serverVersion: number,
  log: Logger,
  max: number,
  replica: Replica | null = null,
): LongRunning {
  const options = poolOptions(directOf(connection), {
    role: 'long-running',
    connectionTimeoutMillis: 2000,
    settings: exportSettings(serverVersion),
  });
  const { pool, close } = createPool(log, { ...options, max, idleTimeoutMillis: 1000 });
  return {
    async *streamRows<Row extends object>(sql: string, params: unknown[], signal: AbortSignal) {
      let client: pg.PoolClient | null = null;
      /** Whose statement runs. */
      let running: pg.PoolClient | null = null;
      const fetch = async (from: pg.PoolClient, size: number) => {
        running = from;
        const { rows } = await from.query<Row>(`fetch ${size} from batches`);
        running = null;
        return rows;
      };
      const begin = async (on: pg.PoolClient) => {
        running = on;
        await on.query('begin');
        await on.query(`declare batches no scroll cursor for ${sql}`, params);
        return fetch(on, firstBatchSize);
      };
      // Ends a statement that runs on: PostgreSQL notices the closed connection within 1 s (client_connection_check_interval). Most end at
      // once, and the next export uses the connection.
      const end = () => void running?.end().catch(() => {});
      const cancel = () => void setTimeout(end, cancelAfterMs).unref();
      signal.addEventListener('abort', cancel);
      try {
        signal.throwIfAborted();
        const begun = await replica?.begin(begin, signal);
        client = begun?.client ?? (await pool.connect());
        let rows = begun?.result ?? (await begin(client));
        for (let size = firstBatchSize; ; size = batchSize) {
          if (rows.length > 0) yield rows;
          signal.throwIfAborted();
          if (rows.length < size) break;
          rows = await fetch(client, batchSize);
        }
      } finally {
        signal.removeEventListener('abort', cancel);
        // Also for a consumer that leaves between two batches. After an error or an abort of a statement the state of the session is
        // unknown: destroy the connection.
        const isUsable =
          running === null &&
          (await client?.query('commit').then(
            () => true,
            () => false,
          ));
        client?.release(!isUsable);
      }
    },
    async withAdvisoryLock(name, work) {
      const client = await pool.connect();
      let isBroken = false;
      try {
        const { rows } = await client.query<{ got: boolean }>(
          'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
          [name],
        );
        return rows[0]?.got ? await work() : null;
      } finally {
        // Unlock before the caller continues. If that fails, destroy the connection: its locks end with it.
        await client.query('select pg_advisory_unlock_all()').catch(() => (isBroken = true));
        client.release(isBroken);
      }
    },
    close,
  };
}
