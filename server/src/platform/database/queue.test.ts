import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Connection, Queryable } from './db.ts';
import { openQueue, logErrorsOnce, type JobHandler, type Queue } from './queue.ts';
import { cloneDatabase } from '../../testing/postgres.ts';

const log = pino({ level: 'silent' });
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

interface Database extends Queryable {
  connection: Connection;
}

async function openDatabase(): Promise<Database> {
  const connection = await cloneDatabase();
  const pool = new pg.Pool(connection);
  opened.push({ close: () => pool.end() });
  return {
    connection,
    query: async <Row extends object>(sql: string, params?: unknown[]) => (await pool.query<Row>(sql, params)).rows,
  };
}

async function openWorker(database: Database, handlers: Record<string, JobHandler>): Promise<Queue> {
  const queue = await openQueue(database.connection, log, ['work']);
  opened.push(queue);
  await queue.work(handlers);
  return queue;
}

/** Makes all retries due now, again and again until the condition holds. */
async function retryNowUntil(database: Database, queue: Queue, until: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await until())) {
    if (Date.now() > deadline) throw new Error('the queue did not get there');
    await database.query("update jobs.job set start_after = now() where state = 'retry'");
    queue.wake();
    await sleep(20);
  }
}

test('a failed job is retried until it succeeds', async () => {
  const database = await openDatabase();
  let tries = 0;
  const queue = await openWorker(database, {
    work: async () => {
      if (++tries < 4) throw new Error('not yet');
    },
  });
  await queue.enqueue(database, [{ name: 'work', payload: { some: 'thing' } }]);
  await retryNowUntil(
    database,
    queue,
    async () => (await database.query("select 1 from jobs.job where state = 'completed'")).length > 0,
  );
  expect(tries).toBe(4);
});

test('a poison job becomes a dead letter with its payload, and does not block other jobs', async () => {
  const database = await openDatabase();
  const done: object[] = [];
  let tries = 0;
  const queue = await openWorker(database, {
    work: async (runs) => {
      const payloads = runs.map(({ payload }) => payload);
      if (payloads.some((payload) => 'bad' in payload)) {
        if (payloads.length === 1) tries++;
        throw new Error('never');
      }
      done.push(...payloads);
    },
  });
  await queue.enqueue(database, [{ name: 'work', payload: { bad: 1 } }]);
  await queue.enqueue(database, [{ name: 'work', payload: { good: 1 } }]);
  const deadLetters = () => database.query<{ data: object }>("select data from jobs.job where name = 'dead-letters'");
  await retryNowUntil(database, queue, async () => (await deadLetters()).length > 0);
  await queue.enqueue(database, [{ name: 'work', payload: { good: 2 } }]);
  await retryNowUntil(database, queue, () => done.length === 2);
  expect(await deadLetters()).toEqual([{ data: { bad: 1 } }]);
  expect(tries).toBe(9);
  expect(done).toEqual([{ good: 1 }, { good: 2 }]);
});

test('waiting jobs are handled in a batch; after a failure each runs alone, and only jobs that fail alone are retried', async () => {
  const database = await openDatabase();
  const batches: string[] = [];
  const queue = await openQueue(database.connection, log, ['work']);
  opened.push(queue);
  for (const name of ['a', 'b', 'c']) await queue.enqueue(database, [{ name: 'work', payload: { name } }]);
  await queue.work({
    work: async (runs) => {
      const names = runs.map(({ payload }) => (payload as { name: string }).name);
      batches.push(names.toSorted().join());
      if (names.includes('b') && batches.length < 5) throw new Error('not yet');
    },
  });
  await retryNowUntil(database, queue, () => batches.length === 5);
  expect([batches[0], batches.slice(1, 4).toSorted(), batches[4]]).toEqual(['a,b,c', ['a', 'b', 'c'], 'b']);
});

test('a job exists only when the transaction that wrote it commits', async () => {
  const database = await openDatabase();
  const done: object[] = [];
  const queue = await openWorker(database, {
    work: async (runs) => void done.push(...runs.map(({ payload }) => payload)),
  });
  const client = new pg.Client(database.connection);
  await client.connect();
  const tx: Queryable = {
    query: async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows,
  };
  await client.query('begin');
  await queue.enqueue(tx, [{ name: 'work', payload: { kept: false } }]);
  await client.query('rollback');
  await client.query('begin');
  await queue.enqueue(tx, [{ name: 'work', payload: { kept: true } }]);
  await client.query('commit');
  await client.end();
  await retryNowUntil(database, queue, () => done.length > 0);
  expect(done).toEqual([{ kept: true }]);
});

test('a job on an idle queue runs at once; those of a burst are handled in few batches', async () => {
  const database = await openDatabase();
  const batches: number[] = [];
  const queue = await openWorker(database, { work: async (runs) => void batches.push(runs.length) });
  const add = async () => {
    await queue.enqueue(database, [{ name: 'work', payload: {} }]);
    queue.wake();
  };
  // The worker polls when it starts; the next poll of its own comes 2 s later.
  await sleep(300);
  const addedAt = performance.now();
  await add();
  await expect.poll(() => batches.length, { interval: 5 }).toBe(1);
  expect(performance.now() - addedAt).toBeLessThan(1500);
  const burstAt = performance.now();
  for (let count = 0; count < 15; count++) {
    await add();
    await sleep(10);
  }
  await expect.poll(() => batches.reduce((sum, length) => sum + length, 0), { timeout: 5000 }).toBe(16);
  expect(batches.length).toBeLessThan(4 + (performance.now() - burstAt) / 200);
});

test('two workers share the jobs and none runs twice', async () => {
  const database = await openDatabase();
  const done: number[] = [];
  const work: JobHandler = async (runs) => {
    await sleep(1);
    done.push(...runs.map(({ payload }) => (payload as { n: number }).n));
  };
  const one = await openWorker(database, { work });
  const two = await openWorker(database, { work });
  for (let n = 0; n < 100; n++) await one.enqueue(database, [{ name: 'work', payload: { n } }]);
  two.wake();
  await retryNowUntil(database, one, () => done.length >= 100);
  expect([...done].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test('an error that recurs in every queue at every poll is logged once per reason', () => {
  const lines: unknown[] = [];
  const logError = logErrorsOnce(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }));
  for (let round = 0; round < 3; round++)
    for (const queue of ['notify-owner', 'move-images'])
      logError(new Error(`Connection terminated (Queue: ${queue}, Worker: ${queue}-${round})`));
  logError(new Error('the disk is full'));
  expect(lines).toMatchObject([{ reason: 'Connection terminated' }, { reason: 'the disk is full' }]);
});

test('jobs that ended an hour ago are removed, also in a queue of an earlier version', async () => {
  const database = await openDatabase();
  const former = await openQueue(database.connection, log, ['work']);
  await database.query('update jobs.queue set deletion_seconds = 604800');
  await former.close();
  const done: object[] = [];
  const queue = await openWorker(database, {
    work: async (runs) => void done.push(...runs.map(({ payload }) => payload)),
  });
  await queue.enqueue(
    database,
    [59, 61].map((minutes) => ({ name: 'work', payload: { minutes } })),
  );
  const left = () =>
    database.query<{ minutes: number }>(
      "select (data->>'minutes')::integer as minutes from jobs.job where state = 'completed' order by 1",
    );
  await retryNowUntil(database, queue, async () => (await left()).length === 2);

  await database.query(
    "update jobs.job set completed_on = completed_on - make_interval(mins => (data->>'minutes')::integer)",
  );
  await database.query('update jobs.queue set maintain_on = null');
  await retryNowUntil(database, queue, async () => (await left()).length < 2);
  expect(await left()).toEqual([{ minutes: 59 }]);
});
