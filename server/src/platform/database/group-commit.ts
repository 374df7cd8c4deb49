import { AsyncLocalStorage } from 'node:async_hooks';
import { isConnectionError, sqlState } from '../errors.ts';
import type { Db, Tx } from './db.ts';

/** Gathers concurrent calls of one kind and commits each batch of them in one transaction. */
export interface GroupCommit<Item, Result> {
  /**
   * Resolves after the commit, with the result of this item.
   * @param alone does the same for this item in a transaction of its own. It is called for an item that no other one joined, for one that
   *   the batch left out, and for every item of a batch that was rolled back: so each caller gets its own error
   */
  run(item: Item, alone: () => Promise<Result>): Promise<Result>;
}

/** The results of a batch, in the order of its items; null for an item that is left out, for which nothing was changed. */
export type BatchResults<Result> = ({ result: Result } | null)[];

interface Call<Item, Result> {
  item: Item;
  alone(): Promise<Result>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Larger batches gained nothing, and delay their first callers. */
const maxBatchSize = 20;
/** Concurrent transactions. With several, one that waits for a lock does not stop the others. */
const maxTransactions = 3;

/**
 * There is no artificial delay: calls of one turn of the event loop start at its end while fewer than three transactions run. Batches grow
 * because calls queue up behind the running transactions.
 *
 * @param work does as many of the items as it can. It serves several requests, so it runs in the async context of none.
 */
export function openGroupCommit<Item, Result>(
  db: Db,
  work: (tx: Tx, items: Item[]) => Promise<BatchResults<Result>>,
): GroupCommit<Item, Result> {
  const waiting: Call<Item, Result>[] = [];
  const withoutRequest = AsyncLocalStorage.snapshot();
  let running = 0;
  let scheduled = false;

  const runAlone = ({ alone, resolve, reject }: Call<Item, Result>) => alone().then(resolve, reject);

  const runTogether = async (batch: Call<Item, Result>[]) => {
    try {
      const items = batch.map(({ item }) => item);
      const results = await withoutRequest(() => db.transaction((tx) => work(tx, items)));
      batch.forEach((call, index) => {
        const done = results[index];
        if (done) call.resolve(done.result);
        else void runAlone(call);
      });
    } catch (error) {
      for (const call of batch)
        if (isOutcomeUnknown(error)) call.reject(error);
        else void runAlone(call);
    }
  };

  const start = async (batch: Call<Item, Result>[]) => {
    running++;
    const [first] = batch;
    await (first && batch.length === 1 ? runAlone(first) : runTogether(batch));
    running--;
    startWaiting();
  };
  const startWaiting = () => {
    scheduled = false;
    while (waiting.length > 0 && running < maxTransactions) void start(waiting.splice(0, maxBatchSize));
  };

  return {
    run: (item, alone) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, alone: AsyncLocalStorage.bind(alone), resolve, reject });
        if (scheduled || running >= maxTransactions) return;
        scheduled = true;
        setImmediate(startWaiting);
      }),
  };
}

/**
 * Whether the transaction may have been committed although it failed: the connection was lost, perhaps after the commit reached the server.
 * To repeat its items could then do them twice.
 */
const isOutcomeUnknown = (error: unknown): boolean =>
  isConnectionError(error) || /^(08|57P|25P04)/.test(sqlState(error) ?? '');
