import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss, type JobResult, type JobWithMetadata } from 'pg-boss';
import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import { poolOptions } from './database-client.ts';
import type { Connection } from './database-url.ts';
import type { NewJob, Queryable, Tx } from './db.ts';

export interface JobRun {
  /** The job's id. */
  id: string;
  payload: object;
  /** Number of this attempt, from 1, including those before a replay. */
  attempt: number;
  /** If this attempt fails too, the job becomes a dead letter. */
  isLast: boolean;
}

/** Handles a batch, all or nothing. If the batch fails, its jobs are retried one by one, so that a poison job cannot block the others. */
export type JobHandler = (runs: JobRun[]) => Promise<void>;

/** Jobs in one call of a handler. */
const maxBatchSize = 20;

export interface Queue {
  /** Inserts jobs in the caller's transaction, by one statement for each name: the change and its jobs commit together, or neither. */
  enqueue(on: Queryable, jobs: NewJob[]): Promise<void>;
  /** Starts workers for these jobs in this process. A failed job is retried 8 times with exponential backoff, then becomes a dead letter. */
  work(jobs: Record<string, JobHandler>): Promise<void>;
  /** Polls for jobs: at once, or 250 ms after the last call that did, so that the jobs of a burst are handled in batches. */
  wake(): void;
  close(): Promise<void>;
}

/** Each poll asks for the jobs of every name. One for each commit of a burst would cost the database more than the commits do. */
const wakeEveryMs = 250;

/** How long `close` waits for running jobs. */
const stopTimeoutMs = 5000;

const deadLetters = 'dead-letters';
/** Dead letters are kept for 90 days: pg-boss's default of two weeks is shorter than a holiday. */
const deadLetterSeconds = 90 * 86_400;
/**
 * Jobs that have ended are kept for an hour, and removed every ten minutes: pg-boss counts the jobs of all states every few seconds, by a
 * scan of its table, and would keep them for a week.
 */
const endedJobSeconds = 3600;
const removeEverySeconds = 600;

/** A job that waits for its first or next attempt, is running, or has failed for good. */
export interface UnfinishedJob {
  id: string;
  job: string;
  payload: Record<string, unknown>;
  state: 'waiting' | 'failed';
  attempts: number;
  error: string | null;
  since: Date;
}

/** SQL subquery of all unfinished jobs, as rows of UnfinishedJob. A dead letter has the id of its job; a running job counts as waiting. */
export const unfinishedJobs = `(
  select coalesce(source_id, id) as id, coalesce(source_name, name) as job, data as payload,
    case when name = '${deadLetters}' then 'failed' else 'waiting' end as state,
    coalesce((data->>'triedBefore')::integer, 0)
      + coalesce(source_retry_count + 1, case when started_on is null then 0 else retry_count + 1 end) as attempts,
    left(output->>'reason', 500) as error, created_on as since
  from jobs.job where state < 'completed')`;

/**
 * Puts a dead letter back into its queue, under the same id and with as many attempts as a new job. Of two concurrent replays the
 * second finds no dead letter.
 *
 * @param id the job's id
 * @returns the job's name; null if there is no such dead letter
 */
export async function replay(tx: Tx, id: string): Promise<string | null> {
  const [letter] = await tx.query<{ source_name: string; data: Record<string, unknown>; tried: number }>(
    `delete from jobs.job where name = '${deadLetters}' and source_id = $1 and state < 'active'
     returning source_name, data, coalesce((data->>'triedBefore')::integer, 0) + source_retry_count + 1 as tried`,
    [id],
  );
  if (!letter) return null;
  await requeue(tx, letter.source_name, { ...letter.data, triedBefore: letter.tried }, id);
  return letter.source_name;
}

/** Enqueues a failed job again, whether or not its dead letter still exists. A job that already waits is left unchanged. */
export async function requeue(tx: Tx, job: string, payload: Record<string, unknown>, id: string): Promise<void> {
  await tx.query(`delete from jobs.job where name = '${deadLetters}' and source_id = $1 and state < 'active'`, [id]);
  // pg-boss keeps the failed job for a week, and its id would conflict.
  await tx.query("delete from jobs.job where name = $1 and id = $2 and state = 'failed'", [job, id]);
  await tx.enqueue([{ name: job, payload, id }]);
  tx.notifyAfterCommit();
}

/** While the database is down, each queue fails at each poll, many times a second: log the same reason only once in this time. */
const repeatedErrorMs = 10_000;

export function logErrorsOnce(log: Logger): (error: Error) => void {
  const logged = new LRUCache<string, true>({ max: 100, ttl: repeatedErrorMs, noUpdateTTL: true });
  return ({ message }) => {
    // pg-boss appends the queue and the worker: cut them off, so that equal reasons compare equal.
    const reason = message.replace(/ \(Queue: .*\)$/, '');
    if (logged.has(reason)) return;
    logged.set(reason, true);
    log.warn({ reason }, 'the job queue had trouble');
  };
}

/**
 * Opens the job queue: pg-boss behind the product's own interface, in its own schema `jobs`, on a connection of its own.
 * Jobs of a crashed worker are detected by their missing heartbeat and retried within 20 s; with pg-boss's default intervals it
 * would take 2 minutes.
 */
export async function openQueue(connection: Connection, log: Logger, jobs: readonly string[]): Promise<Queue> {
  const boss = new PgBoss({
    ...poolOptions(connection, { role: 'jobs' }),
    max: 1,
    schema: 'jobs',
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: removeEverySeconds,
  });
  boss.on('error', logErrorsOnce(log));
  await boss.start();
  await boss.createQueue(deadLetters, { retentionSeconds: deadLetterSeconds });
  await boss.updateQueue(deadLetters, { retentionSeconds: deadLetterSeconds });
  const options = {
    retryLimit: 8,
    retryDelay: 1,
    retryBackoff: true,
    heartbeatSeconds: 10,
    deleteAfterSeconds: endedJobSeconds,
    deadLetter: deadLetters,
  };
  for (const job of jobs) {
    await boss.createQueue(job, options);
    // One of an earlier version has other options.
    await boss.updateQueue(job, options);
  }
  // Worker id by job name.
  const workers = new Map<string, string>();
  let polledAt = -Infinity;
  let wakeTimer: NodeJS.Timeout | null = null;
  const poll = () => {
    wakeTimer = null;
    polledAt = performance.now();
    for (const id of workers.values()) boss.notifyWorker(id);
  };
  return {
    async enqueue(on, jobs) {
      const inTransaction = {
        executeSql: async (text: string, values?: unknown[]) => ({ rows: await on.query(text, values) }),
      };
      const byName = Map.groupBy(jobs, ({ name }) => name);
      await Promise.all(
        Array.from(byName, ([name, same]) => {
          // UUIDv7: sorts by time.
          const rows = same.map(({ payload, id = uuid() }) => ({ id, data: payload }));
          return boss.insert(name, rows, { db: inTransaction });
        }),
      );
    },
    async work(handlers) {
      for (const [name, handle] of Object.entries(handlers)) {
        const runBatch = async (batch: QueuedJob[]): Promise<JobResult[]> => {
          try {
            await handle(batch.map(toJobRun));
            return batch.map(({ id }) => ({ id, status: 'completed' }));
          } catch (error) {
            if (batch.length > 1) return (await runEach(batch)).flat();
            const reason = error instanceof Error ? error.message : String(error);
            const ids = batch.map(({ id }) => id);
            log.warn({ job: name, id: ids[0], reason }, 'a job failed and will be tried again');
            return ids.map((id) => ({ id, status: 'failed', output: { reason } }));
          }
        };
        const runEach = async (batch: QueuedJob[]): Promise<JobResult[][]> => {
          const results: JobResult[][] = [];
          for (const job of batch) results.push(await runBatch([job]));
          return results;
        };
        const options = {
          batchSize: maxBatchSize,
          burstWhenBatchFull: true,
          perJobResults: true,
          includeMetadata: true,
        } as const;
        workers.set(name, await boss.work<object, unknown, typeof options>(name, options, runBatch));
      }
    },
    wake() {
      if (wakeTimer) return;
      const waitMs = polledAt + wakeEveryMs - performance.now();
      if (waitMs > 0) wakeTimer = setTimeout(poll, waitMs);
      else poll();
    },
    async close() {
      if (wakeTimer) clearTimeout(wakeTimer);
      // Do not use `boss.stop` to wait for running jobs: it polls only every 500 ms.
      const ended = Promise.all([...workers.keys()].map((name) => boss.offWork(name, { wait: true })));
      await Promise.race([ended, sleep(stopTimeoutMs, null, { ref: false })]);
      // Jobs that still run are retried by another worker.
      await boss.stop({ graceful: false });
    },
  };
}

type QueuedJob = Pick<JobWithMetadata, 'id' | 'data' | 'retryCount' | 'retryLimit'>;

const toJobRun = ({ id, data, retryCount, retryLimit }: QueuedJob): JobRun => ({
  id,
  payload: data,
  attempt: attemptsBeforeReplay(data) + retryCount + 1,
  isLast: retryCount >= retryLimit,
});

const attemptsBeforeReplay = (payload: object): number =>
  'triedBefore' in payload && typeof payload.triedBefore === 'number' ? payload.triedBefore : 0;
