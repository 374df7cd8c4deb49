import { PgBoss, type JobResult } from 'pg-boss';
import type { Logger } from 'pino';
import type { Connection, Queryable } from './db.ts';

export type Job = (payload: object) => Promise<void>;

export interface Queue {
  /** Writes the job through the caller's transaction: 'changed' and 'will be told' are one commit. */
  enqueue(on: Queryable, job: string, payload: object): Promise<void>;
  /** Runs the jobs here: retried with growing pauses, then kept as dead letters. */
  work(jobs: Record<string, Job>): Promise<void>;
  /** Looks for jobs now instead of at the next poll. */
  wake(): void;
  close(): Promise<void>;
}

const deadLetters = 'dead-letters';

/**
 * pg-boss behind the one door the product uses, in its own schema `jobs` and on its own two connections.
 * A worker that dies is noticed by its missing heartbeat, and its job handed on: within 20 s, where the library's own
 * intervals would let it lie for two minutes.
 */
export async function openQueue(connection: Connection, log: Logger, jobs: readonly string[]): Promise<Queue> {
  const boss = new PgBoss({
    ...connection,
    max: 2,
    schema: 'jobs',
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', (error) => log.warn({ reason: error.message }, 'the job queue had trouble'));
  await boss.start();
  await boss.createQueue(deadLetters);
  for (const job of jobs) {
    await boss.createQueue(job, {
      retryLimit: 8,
      retryDelay: 1,
      retryBackoff: true,
      heartbeatSeconds: 10,
      deadLetter: deadLetters,
    });
  }
  const workers: string[] = [];
  return {
    async enqueue(on, job, payload) {
      const inTransaction = {
        executeSql: async (text: string, values?: unknown[]) => ({ rows: await on.query(text, values) }),
      };
      await boss.send(job, payload, { db: inTransaction });
    },
    async work(handlers) {
      for (const [name, handle] of Object.entries(handlers)) {
        const settle = async (id: string, payload: object): Promise<JobResult> => {
          try {
            await handle(payload);
            return { id, status: 'completed' };
          } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            log.warn({ job: name, id, reason }, 'a job failed and will be tried again');
            return { id, status: 'failed', output: { reason } };
          }
        };
        const options = { batchSize: 20, burstWhenBatchFull: true, perJobResults: true } as const;
        const worker = await boss.work<object, unknown, typeof options>(name, options, async (batch) => {
          const results: JobResult[] = [];
          for (const job of batch) results.push(await settle(job.id, job.data));
          return results;
        });
        workers.push(worker);
      }
    },
    wake: () => workers.forEach((id) => boss.notifyWorker(id)),
    close: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}
