import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { poolOptions } from './database-client.ts';
import type { Connection } from './database-url.ts';
import { AppError, isConnectionTrouble, readOnlyTransaction, sqlState } from '../errors.ts';

export type { Connection } from './database-url.ts';

export interface Queryable {
  /** Runs one statement. Constant texts are prepared once a connection: pass values as parameters, never spliced in. */
  query<Row extends object>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** An open transaction. What demands one by type cannot run outside. */
export interface Tx extends Queryable {
  /** Puts a job into the queue; it exists when the transaction commits. @param id its own, when it had one before */
  enqueue(job: string, payload: object, id?: string): Promise<void>;
  /** Says that listeners have something to read once this has committed. */
  notifyAfterCommit(): void;
  /** Says that this ends a session or changes somebody's rights: nobody is taken for whom they were once it has committed. */
  invalidateSessions(): void;
}

/** What a transaction that woke the listeners has done besides. */
export interface Committed {
  jobs: boolean;
  sessions: boolean;
}

export interface Db extends Queryable {
  /**
   * Runs `work` in one READ COMMITTED transaction and wakes the listeners after its commit.
   * A deadlock or serialization failure runs it again, at most twice: `work` must have no effects outside the transaction.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface Pool extends Queryable {
  pool: pg.Pool;
  close(): Promise<void>;
}

// A calendar day stays the text it is: a Date would put it into the server's zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** How long the connections of a pool may take to close: those to a database that is silent never do. */
const closeTimeoutMs = 2000;

/** How long a statement of a request may take. */
export const statementTimeoutMs = 5000;

/** What PostgreSQL holds to on the connections that serve requests. */
export const requestSettings = {
  // What a statement writes as text reads the same on every server.
  timezone: 'UTC',
  datestyle: 'ISO',
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  client_connection_check_interval: '1000',
  // Whoever writes events from here tells of them in the outbox: for others a trigger does it.
  'waybill.writes_outbox': 'on',
};

/** The pool that serves requests: every wait in it is bounded, so that a stuck database is an answer and not a hang. */
export function openPool(
  connection: Connection,
  serverVersion: number,
  log: Logger,
  max = 10,
  role = 'requests',
): Pool {
  const options = poolOptions(connection, {
    role,
    connectionTimeoutMillis: 2000,
    // A database that can be heard has ended the statement by then: this is for a connection that lost its way.
    query_timeout: statementTimeoutMs + 1000,
    // What a transaction asks without waiting for an answer goes out at once; answers come in order.
    pipeline: true,
    settings: { ...requestSettings, ...(serverVersion >= 17 && { transaction_timeout: '15000' }) },
  });
  const { pool, close } = createPool(log, { ...options, max });
  return { pool, query: async (sql, params) => run(pool, sql, params), close };
}

/** A pool that outlives the death of its idle connections, and whose `close` waits until all of them are closed. */
export function createPool(log: Logger, options: pg.PoolConfig): { pool: pg.Pool; close(): Promise<void> } {
  const pool = new pg.Pool(options);
  let open = 0;
  // Without listeners an idle connection that dies takes the whole process with it.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'));
  pool.on('connect', () => open++);
  pool.on('remove', () => open--);
  return {
    pool,
    async close() {
      await pool.end();
      // By now it has let go of them, no more: whoever stopped the database next would cut them, and that was logged as a loss.
      const signal = AbortSignal.timeout(closeTimeoutMs);
      while (open > 0 && !signal.aborted) await once(pool, 'remove', { signal }).catch(() => {});
    },
  };
}

// Statements are named by their text, so each connection parses and plans a text once. Texts are constants of the program
// plus a bounded number of filter combinations; past the bound they run unnamed.
const statementNames = new Map<string, string>();

// A search is planned for its term each time: one plan for all terms took 474 ms for a common word where its own takes 1.2 ms.
const isSearch = (text: string) => text.includes(' like ');

async function run<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  let name = statementNames.get(text);
  if (!name && statementNames.size < 500 && !isSearch(text))
    statementNames.set(text, (name = `w${statementNames.size}`));
  const result = await on.query<Row>(name ? { name, text, values } : { text, values });
  return result.rows;
}

const inFailedTransaction = '25P02';

/** @param enqueue writes a job through the given transaction; @param onCommit called after each commit that wakes the listeners */
export function createDb(
  pool: Pool,
  enqueue: (tx: Queryable, job: string, payload: object, id?: string) => Promise<void>,
  onCommit: (committed: Committed) => void,
): Db {
  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.pool.connect();
    let wakeAfterCommit = false;
    const committed: Committed = { jobs: false, sessions: false };
    let isBroken: Error | boolean = false;
    // Of statements that go out together the one behind the one that failed may be heard first: it says only that one has failed.
    let firstError: unknown = null;
    const noteFirstError = (error: unknown): never => {
      firstError ??= error;
      throw error;
    };
    const tx: Tx = {
      query: <Row extends object>(sql: string, params?: unknown[]) =>
        run<Row>(client, sql, params).catch(noteFirstError),
      enqueue: (job, payload, id) => {
        committed.jobs = true;
        return enqueue(tx, job, payload, id);
      },
      notifyAfterCommit: () => (wakeAfterCommit = true),
      invalidateSessions: () => (committed.sessions = true),
    };
    try {
      // The first statement does not wait for its answer: it fails only where the connection does, and then all that follows.
      const begun = client.query('begin');
      begun.catch(() => {});
      const result = await work(tx);
      await begun;
      await client.query('commit');
      if (wakeAfterCommit) onCommit(committed);
      return result;
    } catch (caught) {
      const error = sqlState(caught) === inFailedTransaction ? (firstError ?? caught) : caught;
      // A connection that is lost, hangs or cannot roll back is in an unknown state: it must not go back to the pool.
      // So must not one to a server that takes no writes any longer: the next one is opened to the server that does.
      if (isConnectionTrouble(error) || sqlState(error) === readOnlyTransaction) isBroken = true;
      else await client.query('rollback').catch(() => (isBroken = true));
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
  return {
    query: pool.query,
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work);
        } catch (error) {
          if (error instanceof AppError) throw error;
          const isRetryable = sqlState(error) === '40001' || sqlState(error) === '40P01';
          if (!isRetryable || tries === 3) throw error;
          // At once it would take back its first row before the other has woken up, and meet it again.
          await sleep(20 + Math.random() * 80);
        }
      }
    },
  };
}
