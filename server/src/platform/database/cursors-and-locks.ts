import type { Logger } from 'pino';
import { poolOptions } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';
import { createPool } from './db.ts';

/** What may take longer than a request. */
export interface LongRunning {
  /**
   * The rows in batches, all from one moment. No batch is read before it is asked for: whoever writes slowly makes the database wait.
   * The query ends with the last batch, with the loop, or with `signal`, whichever comes first.
   */
  streamRows<Row extends object>(sql: string, params: unknown[], signal: AbortSignal): AsyncGenerator<Row[]>;
  /**
   * Does the work unless it is being done already under this name, by this process or another: then null.
   * The name is free again when the work ends, and at once when its process dies.
   */
  withAdvisoryLock<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  close(): Promise<void>;
}

/** Whether work under the name that is parameter $n is being done, as SQL. */
export const isAdvisoryLockHeld = (name: string) => `exists (
  select from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and d.datname = current_database()
    and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(${name}, 0))`;

const batchSize = 200;

/**
 * A few connections beside the pool: what takes a minute must neither hold one of those that requests wait for nor have their
 * strict limits. Opened when asked for and closed soon after. When all are taken the caller is asked to come back.
 */
export function openLongRunning(connection: Connection, serverVersion: number, log: Logger, max: number): LongRunning {
  const options = poolOptions(directOf(connection), {
    role: 'long-running',
    connectionTimeoutMillis: 2000,
    settings: {
      default_transaction_read_only: 'on',
      statement_timeout: '30000',
      lock_timeout: '2000',
      // The longest pause of a client that does not read on.
      idle_in_transaction_session_timeout: '30000',
      client_connection_check_interval: '1000',
      ...(serverVersion >= 17 && { transaction_timeout: '120000' }),
    },
  });
  const { pool, close } = createPool(log, { ...options, max, idleTimeoutMillis: 1000 });
  return {
    async *streamRows<Row extends object>(sql: string, params: unknown[], signal: AbortSignal) {
      const client = await pool.connect();
      // Breaks off the statement under way; the database notices within a second.
      const cancel = () => void client.end().catch(() => {});
      signal.addEventListener('abort', cancel);
      let isComplete = false;
      try {
        signal.throwIfAborted();
        await client.query('begin');
        await client.query(`declare batches no scroll cursor for ${sql}`, params);
        for (;;) {
          const { rows } = await client.query<Row>(`fetch ${batchSize} from batches`);
          if (rows.length > 0) yield rows;
          if (rows.length < batchSize) break;
        }
        await client.query('commit');
        isComplete = true;
      } finally {
        signal.removeEventListener('abort', cancel);
        // What was broken off is in an unknown state.
        client.release(!isComplete);
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
        // Given back before the caller is told; a connection that cannot is closed, and the lock ends with it.
        await client.query('select pg_advisory_unlock_all()').catch(() => (isBroken = true));
        client.release(isBroken);
      }
    },
    close,
  };
}
