import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { poolOptions } from './database-client.ts';
import type { Connection } from './database-url.ts';
import { AppError, isConnectionError, readOnlyTransaction, sqlState } from '../errors.ts';

export type { Connection } from './database-url.ts';

export interface Queryable {
  /** Runs one statement. Each text is prepared once per connection: pass values as parameters, never interpolate them. */
  query<Row extends object>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** A job to enqueue. */
export interface NewJob {
  name: string;
  payload: object;
  /** Generated if it is missing. A job that is run again keeps its former id. */
  id?: string;
}

/** An open transaction. A function that takes a `Tx` cannot be called outside of one. */
export interface Tx extends Queryable {
  /** Enqueues jobs, which exist once the transaction commits: one statement for all with the same name. */
  enqueue(jobs: NewJob[]): Promise<void>;
  /** Wakes the readers of the outbox after the commit. */
  notifyAfterCommit(): void;
  /** Clears the cached sessions after the commit: the transaction ends a session or changes somebody's rights. */
  invalidateSessions(): void;
}

/** What a committed transaction changed, for its `onCommit`: whether it enqueued jobs, and whether cached sessions are out of date. */
export interface Committed {
  jobs: boolean;
  sessions: boolean;
}

export interface Db extends Queryable {
  /** The size of its pool: the number of transactions that can be open at once. */
  connections: number;
  /**
   * Runs `work` in one READ COMMITTED transaction, and wakes the readers of the outbox after the commit if `work` asked for it.
   * After a deadlock or serialization failure it is retried, at most twice: `work` must have no side effects outside the transaction.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs statements that only read and all see the state at the first one (REPEATABLE READ). */
  snapshot<T>(read: (db: Queryable) => Promise<T>): Promise<T>;
}

export interface Pool extends Queryable {
  pool: pg.Pool;
  close(): Promise<void>;
}

// Keep a SQL date as text: a Date would shift it into the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** How long closing a pool may take: connections to a database that no longer answers never close by themselves. */
const closeTimeoutMs = 2000;

/** Time-out of a request's statement. */
export const statementTimeoutMs = 5000;

/**
 * How long a connection is kept that nobody needs. The first statements on a new one take 20 to 30 ms longer, since PostgreSQL reads about
 * all partitions and plans; so those of a burst are kept for the next one.
 */
const idleMs = 30_000;

/** PostgreSQL settings of the connections that serve requests. */
export const requestSettings = {
  // So that dates and times cast to text look the same on every server.
  timezone: 'UTC',
  datestyle: 'ISO',
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  client_connection_check_interval: '1000',
  // Starting a worker takes longer than a request reads.
  max_parallel_workers_per_gather: '0',
  // Compiling a statement takes longer than running it; PostgreSQL would, where a plan seems expensive.
  jit: 'off',
  // Writers with this setting fill the outbox themselves. For all others (older servers) a trigger does it.
  'waybill.writes_outbox': 'on',
  // The same for what each package brings with it: search text, counts (server/src/packages/store.ts).
  'waybill.writes_packages': 'on',
};

interface PoolUse {
  role?: string;
  acceptsStandby?: boolean;
  /** When to give up connecting, and a statement. By default as long as a statement may take, and a second. */
  hangsAfterMs?: number;
}

/** The pool that serves requests. Every wait has a time-out, so that a stuck database leads to a 503 and not to a hang. */
export function openPool(
  connection: Connection,
  serverVersion: number,
  log: Logger,
  max = 10,
  { role = 'requests', acceptsStandby = false, hangsAfterMs }: PoolUse = {},
): Pool {
  const options = poolOptions(connection, {
    role,
    acceptsStandby,
    connectionTimeoutMillis: hangsAfterMs ?? 2000,
    // A database that answers has cancelled the statement by then (statement_timeout). This covers a connection that hangs.
    query_timeout: hangsAfterMs ?? statementTimeoutMs + 1000,
    // Send the statements of a transaction without waiting for the answer to the one before; answers arrive in order.
    pipeline: true,
    settings: { ...requestSettings, ...(serverVersion >= 17 && { transaction_timeout: '15000' }) },
  });
  const { pool, close } = createPool(log, { ...options, max, idleTimeoutMillis: idleMs });
  return { pool, query: async (sql, params) => runStatement(pool, sql, params), close };
}

/** A pool that survives the loss of idle connections, and whose `close` waits until all connections are closed (2 s at most). */
export function createPool(log: Logger, options: pg.PoolConfig): { pool: pg.Pool; close(): Promise<void> } {
  const pool = new pg.Pool(options);
  let open = 0;
  // Without an 'error' listener a lost idle connection would crash the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'));
  pool.on('connect', () => open++);
  pool.on('remove', () => open--);
  return {
    pool,
    async close() {
      await pool.end();
      // `end` only starts closing them. If the database stops next, it would cut the rest, which would be logged as lost connections.
      const signal = AbortSignal.timeout(closeTimeoutMs);
      while (open > 0 && !signal.aborted) await once(pool, 'remove', { signal }).catch(() => {});
    },
  };
}

// Prepared statements: each text gets a name, so each connection parses and plans it once. Texts are constants of the program plus
// filter combinations; past 500 they run unnamed.
const statementNames = new Map<string, string>();

/** SQL comment: the statement is not prepared but planned for its values, since a plan for any values would read far more rows. */
export const planForValues = '/* plan for values */';

// Searches are planned for each term: the generic plan took 474 ms for a common word, the custom plan takes 1.2 ms.
const isPlannedForValues = (text: string) => text.includes(' like ') || text.includes(planForValues);

/** Runs a statement on a connection, prepared under a name that every connection uses for its text. */
export async function runStatement<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  let name = statementNames.get(text);
  if (!name && statementNames.size < 500 && !isPlannedForValues(text))
    statementNames.set(text, (name = `w${statementNames.size}`));
  const result = await on.query<Row>(name ? { name, text, values } : { text, values });
  return result.rows;
}

const inFailedTransaction = '25P02';

/** @param enqueue writes jobs through the given transaction; @param onCommit called after each commit that asked to wake readers */
export function createDb(
  pool: Pool,
  enqueue: (tx: Queryable, jobs: NewJob[]) => Promise<void>,
  onCommit: (committed: Committed) => void,
): Db {
  async function attempt<T>(work: (tx: Tx) => Promise<T>, begin = 'begin'): Promise<T> {
    const client = await pool.pool.connect();
    let wakeAfterCommit = false;
    const committed: Committed = { jobs: false, sessions: false };
    let isBroken: Error | boolean = false;
    // With pipelined statements, a later one may be awaited first, and only says that the transaction has failed (25P02): keep the cause.
    let firstError: unknown = null;
    const noteFirstError = (error: unknown): never => {
      firstError ??= error;
      throw error;
    };
    const tx: Tx = {
      query: <Row extends object>(sql: string, params?: unknown[]) =>
        runStatement<Row>(client, sql, params).catch(noteFirstError),
      async enqueue(jobs) {
        if (jobs.length === 0) return;
        committed.jobs = true;
        await enqueue(tx, jobs);
      },
      notifyAfterCommit: () => (wakeAfterCommit = true),
      invalidateSessions: () => (committed.sessions = true),
    };
    try {
      // Do not wait for `begin`: it fails only if the connection does, and then the next statement fails too.
      const begun = client.query(begin);
      begun.catch(() => {});
      const result = await work(tx);
      await begun;
      await client.query('commit');
      if (wakeAfterCommit) onCommit(committed);
      return result;
    } catch (caught) {
      const error = sqlState(caught) === inFailedTransaction ? (firstError ?? caught) : caught;
      // A connection that is lost, hangs or cannot roll back is in an unknown state: destroy it instead of returning it to the pool.
      // Also destroy one to a server that became read-only: the next connection goes to the server that accepts writes.
      if (isConnectionError(error) || sqlState(error) === readOnlyTransaction) isBroken = true;
      else await client.query('rollback').catch(() => (isBroken = true));
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
  return {
    query: pool.query,
    connections: pool.pool.options.max,
    snapshot: (read) => attempt(read, 'begin isolation level repeatable read, read only'),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work);
        } catch (error) {
          if (error instanceof AppError) throw error;
          const isRetryable = sqlState(error) === '40001' || sqlState(error) === '40P01';
          if (!isRetryable || tries === 3) throw error;
          // Back off with jitter. An immediate retry would lock its first row again before the other transaction wakes up: same deadlock.
          await sleep(20 + Math.random() * 80);
        }
      }
    },
  };
}
