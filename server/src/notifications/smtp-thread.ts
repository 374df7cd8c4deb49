import { Worker } from 'node:worker_threads';
import { smtpConnections } from './smtp.ts';
import type { MailServer, Task, TaskResult } from './smtp-worker.ts';
import { BouncedError, RefusedError, type OutgoingMessage, type Transport } from './transport.ts';

/** An idle thread is ended, with its connections: it takes some 20 MB. */
const idleMs = 60_000;

interface Waiting {
  to: string;
  resolve(): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

/**
 * Sends by a mail server from a thread of its own: to encode a message and to talk to the server takes a millisecond
 * or two, ten messages at a time, which lookups would wait for. The thread starts with the first message.
 */
export function openSmtpThread(url: string, from: string): Transport {
  let thread: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;

  const start = (): Thread => {
    const workerData: MailServer = { url, from };
    const worker = new Worker(new URL('smtp-worker.ts', import.meta.url), {
      execArgv: [],
      workerData,
      // By itself the young generation grows to more than the limit of the old one. V8 then collected all garbage every 20 ms, on both cores.
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 },
    });
    const started: Thread = { worker, waiting: new Map() };
    worker.on('message', (result: TaskResult) => {
      const task = started.waiting.get(result.id);
      if (!task) return;
      started.waiting.delete(result.id);
      if (started.waiting.size === 0) endWhenIdle(started);
      if (result.failed === null) task.resolve();
      else task.reject(errorOf(result.failed, result.reason, task.to));
    });
    const end = (error?: Error) => {
      if (thread === started) thread = null;
      // What is under way when the transport is closed stays open: nobody knows what becomes of it.
      if (isClosed) return;
      for (const { reject } of started.waiting.values())
        reject(new Error(`the thread that sends emails has ended${error ? `: ${error.message}` : ''}`));
      started.waiting.clear();
    };
    worker.on('error', end);
    worker.on('exit', () => end());
    // After the listeners, which count as a reference: a thread must not delay the end of the process.
    worker.unref();
    return started;
  };

  const endWhenIdle = (used: Thread) => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (used.waiting.size > 0) return;
      if (thread === used) thread = null;
      void used.worker.terminate();
    }, idleMs).unref();
  };

  const run = (message: OutgoingMessage | null): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosed) return;
      const used = (thread ??= start());
      const id = ++lastId;
      used.waiting.set(id, { to: message?.to ?? '', resolve, reject });
      used.worker.postMessage({ id, message } satisfies Task);
    });

  return {
    concurrency: smtpConnections,
    send: run,
    verify: () => run(null),
    close() {
      isClosed = true;
      clearTimeout(idle);
      void thread?.worker.terminate();
    },
  };
}

function errorOf(failed: 'refused' | 'bounced' | 'else', reason: string, to: string): Error {
  if (failed === 'bounced') return new BouncedError(reason, to);
  return failed === 'refused' ? new RefusedError(reason) : new Error(reason);
}
