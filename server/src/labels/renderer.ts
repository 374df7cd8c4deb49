import { Worker } from 'node:worker_threads';
import { unavailable } from '../platform/errors.ts';
import type { RenderRequest, RenderResponse } from './pdf-worker.ts';
import type { LabelsToRender } from './pdf.ts';

/** For 200 labels, which take about a second of CPU, on a very busy machine. */
const timeoutMs = 30_000;
/** An idle thread is ended: its fonts take some 40 MB. */
const idleMs = 60_000;

interface Waiting {
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

interface Renderer {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

let renderer: Renderer | null = null;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;

/**
 * Renders labels in a thread of its own, one request after the other, so that the event loop stays free. The thread starts with the first
 * request: the libraries take no memory where nobody prints.
 * @throws unavailable if it takes longer than 30 s or the thread dies
 */
export async function renderLabels(labels: LabelsToRender): Promise<Uint8Array> {
  clearTimeout(idle);
  const used = (renderer ??= startRenderer());
  const id = ++lastId;
  const timer = setTimeout(() => void used.worker.terminate(), timeoutMs);
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      used.waiting.set(id, { resolve, reject });
      used.worker.postMessage({ id, labels } satisfies RenderRequest);
    });
  } finally {
    clearTimeout(timer);
    used.waiting.delete(id);
    if (renderer === used && used.waiting.size === 0) {
      clearTimeout(idle);
      idle = setTimeout(() => void used.worker.terminate(), idleMs).unref();
    }
  }
}

function startRenderer(): Renderer {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const waiting: Renderer['waiting'] = new Map();
  const started = { worker, waiting };
  worker.on('message', (response: RenderResponse) => {
    const request = waiting.get(response.id);
    if ('bytes' in response) request?.resolve(response.bytes);
    else request?.reject(new Error(response.reason));
  });
  const end = () => {
    if (renderer === started) renderer = null;
    for (const { reject } of waiting.values()) reject(unavailable(5));
  };
  worker.on('error', end);
  worker.on('exit', end);
  // After the listeners, which count as a reference: an idle thread must not delay the end of the process.
  worker.unref();
  return started;
}
