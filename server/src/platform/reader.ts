import pg from 'pg';
import type { Logger } from 'pino';
import type { Connection } from './db.ts';

/** Reads more rows than fit into memory. */
export interface Reader {
  /**
   * The rows in batches, all from one moment. No batch is read before it is asked for: whoever writes slowly makes the database wait.
   * The query ends with the last batch, with the loop, or with `signal`, whichever comes first.
   */
  batches<Row extends object>(sql: string, params: unknown[], signal: AbortSignal): AsyncGenerator<Row[]>;
  close(): Promise<void>;
}

const batchSize = 200;

/**
 * A few connections of their own: what takes a minute must neither hold one of those that requests wait for nor have their
 * strict limits. Opened when asked for and closed soon after. When all are taken the caller is asked to come back.
 */
export function openReader(connection: Connection, serverVersion: number, log: Logger, max: number): Reader {
  const limits = [
    'default_transaction_read_only=on',
    'statement_timeout=30000',
    'lock_timeout=2000',
    // The longest pause of a client that does not read on.
    'idle_in_transaction_session_timeout=30000',
    'client_connection_check_interval=1000',
    ...(serverVersion >= 17 ? ['transaction_timeout=120000'] : []),
  ];
  const pool = new pg.Pool({
    ...connection,
    max,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 1000,
    options: limits.map((limit) => `-c ${limit}`).join(' '),
  });
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle connection of the reader was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async *batches<Row extends object>(sql: string, params: unknown[], signal: AbortSignal) {
      const client = await pool.connect();
      // Breaks off the statement under way; the database notices within a second.
      const leave = () => void client.end().catch(() => {});
      signal.addEventListener('abort', leave);
      let whole = false;
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
        whole = true;
      } finally {
        signal.removeEventListener('abort', leave);
        // What was broken off is in an unknown state.
        client.release(!whole);
      }
    },
    close: () => pool.end(),
  };
}
