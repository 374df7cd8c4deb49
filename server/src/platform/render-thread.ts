import { parentPort, Worker } from 'node:worker_threads';
import { unavailable } from './errors.ts';

/** An idle thread is ended: its libraries and fonts take some 40 MB. */
const idleMs = 60_000;

interface Waiting {
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

type Response = { id: number; bytes: Uint8Array } | { id: number; reason: string };

/**
 * Renders files in a thread of its own, one request after the other, so that the event loop stays free. The thread starts with the first
 * request: the libraries take no memory where nobody needs them.
 *
 * @param script a module that calls `answerRenderRequests`
 * @param limits `timeoutMs` for one request; `maxWaiting`: how many may wait, all by default
 * @returns renders one file. It throws `unavailable` when the queue is full, after the timeout, and if the thread dies
 */
export function openRenderThread(
  script: URL,
  { timeoutMs, maxWaiting = Infinity }: { timeoutMs: number; maxWaiting?: number },
): (request: unknown) => Promise<Uint8Array> {
  let thread: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Thread => {
    const worker = new Worker(script, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 256 } });
    const waiting: Thread['waiting'] = new Map();
    const started = { worker, waiting };
    worker.on('message', (response: Response) => {
      const request = waiting.get(response.id);
      if ('bytes' in response) request?.resolve(response.bytes);
      else request?.reject(new Error(response.reason));
    });
    const end = () => {
      if (thread === started) thread = null;
      for (const { reject } of waiting.values()) reject(unavailable(5));
    };
    worker.on('error', end);
    worker.on('exit', end);
    // After the listeners, which count as a reference: an idle thread must not delay the end of the process.
    worker.unref();
    return started;
  };

  return async (request) => {
    clearTimeout(idle);
    if (thread && thread.waiting.size >= maxWaiting) throw unavailable(5);
    const used = (thread ??= start());
    const id = ++lastId;
    const timer = setTimeout(() => void used.worker.terminate(), timeoutMs);
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        used.waiting.set(id, { resolve, reject });
        used.worker.postMessage({ id, request });
      });
    } finally {
      clearTimeout(timer);
      used.waiting.delete(id);
      if (thread === used && used.waiting.size === 0) {
        clearTimeout(idle);
        idle = setTimeout(() => void used.worker.terminate(), idleMs).unref();
      }
    }
  };
}

/** The other side, in the thread. */
export function answerRenderRequests(render: (request: never) => Promise<Uint8Array>): void {
  parentPort?.on('message', ({ id, request }: { id: number; request: never }) => {
    void render(request).then(
      (bytes) => parentPort?.postMessage({ id, bytes } satisfies Response),
      (error: unknown) => {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        parentPort?.postMessage({ id, reason } satisfies Response);
      },
    );
  });
}
