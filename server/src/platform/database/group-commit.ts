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
/** Concurrent transactions of one kind, without slow ones. More made the batches smaller and the database busier. */
const maxTransactions = 3;
/**
 * A transaction that runs longer is slow, and others may start beside it: it probably waits for a lock, for up to 2 s (`lock_timeout`).
 * A batch of 20 takes about 10 ms.
 */
const slowMs = 80;
/** Transactions of all kinds on one database, with the slow ones. */
const maxOpen = 8;
/** Connections of the pool that are left to everything else. */
const keptFree = 2;

/** The open transactions of all groups on a database, and how each group starts what waits. */
interface OpenTransactions {
  count: number;
  startWaiting: (() => void)[];
}
const openOn = new WeakMap<object, OpenTransactions>();

/**
 * There is no artificial delay: calls of one turn of the event loop start at its end while fewer than three transactions run, not counting
 * slow ones. Batches grow because calls queue up behind the running transactions.
 *
 * @param on the context; its groups share the connections of its database
 * @param work does as many of the items as it can. It serves several requests, so it runs in the async context of none.
 */
export function openGroupCommit<Item, Result>(
  on: { db: Db },
  work: (tx: Tx, items: Item[]) => Promise<BatchResults<Result>>,
): GroupCommit<Item, Result> {
  const waiting: Call<Item, Result>[] = [];
  /** By batches, to be done alone: in turn like batches, so that the pool is left to other requests while all of them wait for one lock. */
  const leftOut: Call<Item, Result>[] = [];
  const withoutRequest = AsyncLocalStorage.snapshot();
  const open = openOn.get(on) ?? { count: 0, startWaiting: [] };
  openOn.set(on, open);
  const mayOpen = Math.max(1, Math.min(maxOpen, on.db.connections - keptFree));
  /** Without slow ones. */
  let running = 0;
  let scheduled = false;
  const mayStart = () => running < maxTransactions && open.count < mayOpen;

  const runAlone = ({ alone, resolve, reject }: Call<Item, Result>) => alone().then(resolve, reject);

  /** @returns the calls that are still to be done, each alone */
  const runTogether = async (batch: Call<Item, Result>[]): Promise<Call<Item, Result>[]> => {
    try {
      const items = batch.map(({ item }) => item);
      const results = await withoutRequest(() => on.db.transaction((tx) => work(tx, items)));
      return batch.filter((call, index) => {
        const done = results[index];
        if (done) call.resolve(done.result);
        return !done;
      });
    } catch (error) {
      if (!isOutcomeUnknown(error)) return batch;
      for (const call of batch) call.reject(error);
      return [];
    }
  };

  const start = async (batch: Call<Item, Result>[]) => {
    running++;
    open.count++;
    let isSlow = false;
    const slowTimer = setTimeout(() => {
      isSlow = true;
      running--;
      startWaiting();
    }, slowMs);
    const [first] = batch;
    if (first && batch.length === 1) await runAlone(first);
    else leftOut.push(...(await runTogether(batch)));
    clearTimeout(slowTimer);
    if (!isSlow) running--;
    open.count--;
    for (const startIn of open.startWaiting) startIn();
  };
  /** Those that were left out first, as they have waited for longest. */
  const nextBatch = () => (leftOut.length > 0 ? leftOut.splice(0, 1) : waiting.splice(0, maxBatchSize));
  const startWaiting = () => {
    scheduled = false;
    while (leftOut.length + waiting.length > 0 && mayStart()) void start(nextBatch());
  };
  open.startWaiting.push(startWaiting);

  return {
    run: (item, alone) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, alone: AsyncLocalStorage.bind(alone), resolve, reject });
        if (scheduled || !mayStart()) return;
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
