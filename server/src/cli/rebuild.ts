import { rebuild } from '../packages/rebuild.ts';
import { rebuildAttemptSums } from '../stats/attempt-sums.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { directOf } from '../platform/database/database-url.ts';
import { requestSettings, type Connection, type Tx } from '../platform/database/db.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';
import { noProgress, showProgress, type Progress } from './progress-bar.ts';

export const rebuildCommand = defineCommand(
  {
    help: `npm run cli -- rebuild

Writes anew what is derived from packages: search texts, public views, references, counts and the figures of statistics, and tells how
many were wrong. 'doctor' checks a sample, and the figures of up to 300,000 packages. The server may run: whoever changes a package waits for 500 of them at most.`,
    options: {},
  },
  () =>
    withDatabase(async (_db, { connection }) => {
      const progress = showProgress();
      const wrong = await rebuildOn(connection, progress);
      progress.end();
      console.log(
        `Were wrong: ${wrong.searchTexts} search texts, ${wrong.publicViews} public views, ${wrong.references} references, ${wrong.counts} counts, ${wrong.figures} quarters of an hour of figures, ${wrong.days} days of figures by driver, owner, town, depot and route. They are right now.`,
      );
    }),
);

export async function rebuildOn(connection: Connection, progress: Progress = noProgress) {
  const settings = {
    ...requestSettings,
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: '60s',
  };
  const client = new DatabaseClient({ ...directOf(connection), role: 'rebuild', settings });
  await client.connect();
  const notHere = () => Promise.reject(new Error('a rebuild puts no jobs into the queue'));
  const tx: Tx = {
    query: async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows,
    enqueue: notHere,
    notifyAfterCommit: () => {},
    invalidateSessions: () => {},
  };
  try {
    // Two at once would both append the difference of the counts.
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('rebuild', 0)) as taken",
    );
    if (!rows[0]?.taken) throw new Error('Another rebuild is under way.');
    progress.step('packages');
    const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      await client.query('begin');
      try {
        const result = await work(tx);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    };
    const wrong = await rebuild(transaction, (done, total) => progress.move(done, total));
    return { ...wrong, days: await rebuildAttemptSums(transaction) };
  } finally {
    await client.end();
  }
}
