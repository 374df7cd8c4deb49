import { Worker } from 'node:worker_threads';
import type { Queryable } from '../platform/database/db.ts';
import type { Block, Router, Way } from './router.ts';

/** These roads do not lead there: no fault, and nothing to wait for. */
export class NotOnRoads extends Error {}

/** Until a new extract is noticed. */
const lookAgainMs = 30_000;
/** A thread holds the graph, some 100 bytes for each crossing. */
const idleMs = 300_000;

export interface Roads extends Router {
  close(): void;
}

interface Thread {
  version: string;
  worker: Worker;
  waiting: Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>;
}

/** Driving times by the roads of the extract that is imported, searched in a thread that starts when it is needed. */
export function openRoads(db: Queryable): Roads {
  let looked: { at: number; version: Promise<string | null> } | null = null;
  let thread: Promise<Thread> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = () => {
    clearTimeout(idle);
    void thread?.then(
      ({ worker }) => worker.terminate(),
      () => undefined,
    );
    thread = null;
  };
  async function start(version: string): Promise<Thread> {
    const [row] = await db.query<{ graph: Buffer }>('select graph from map_extracts where id = $1', [version]);
    if (!row) throw new NotOnRoads();
    const worker = new Worker(new URL('roads-worker.ts', import.meta.url), {
      execArgv: [],
      workerData: new Uint8Array(row.graph),
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    const waiting: Thread['waiting'] = new Map();
    worker.on('message', ({ id, answer }: { id: number; answer: unknown }) => waiting.get(id)?.resolve(answer));
    const fail = () => {
      for (const { reject } of waiting.values()) reject(new Error('the thread of the roads has ended'));
    };
    worker.on('error', fail);
    worker.on('exit', fail);
    worker.unref();
    return { version, worker, waiting };
  }
  const current = async (): Promise<Thread> => {
    if (!looked || performance.now() - looked.at > lookAgainMs) {
      const version = db
        .query<{ id: string }>('select id from map_extracts where is_current')
        .then(([row]) => row?.id ?? null);
      looked = { at: performance.now(), version };
    }
    const version = await looked.version;
    if (version === null) throw new NotOnRoads();
    if (thread && (await thread.catch(() => null))?.version !== version) end();
    return (thread ??= start(version));
  };
  async function ask<T>(question: object, signal?: AbortSignal): Promise<T> {
    const used = await current();
    clearTimeout(idle);
    const id = ++lastId;
    // A search that takes too long is ended with its thread.
    signal?.addEventListener('abort', end, { once: true });
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        used.waiting.set(id, { resolve, reject });
        used.worker.postMessage({ id, ...question });
      });
      if (answer === null) throw new NotOnRoads();
      return answer as T;
    } finally {
      used.waiting.delete(id);
      signal?.removeEventListener('abort', end);
      clearTimeout(idle);
      idle = setTimeout(end, idleMs).unref();
    }
  }
  return {
    // A search from one place finds the times to all others: rows are never divided.
    blockSize: 1_000_000,
    wayPoints: 1000,
    block: (sources, targets, signal) => ask<Block>({ sources, targets }, signal),
    way: (points, signal) => ask<Way>({ points }, signal),
    close: end,
  };
}
