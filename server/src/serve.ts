import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';

/** Starts the primary process or a worker. */
export async function serve(): Promise<void> {
  // Let V8's old generation grow to 5x its live size before a major GC. Each major GC pauses all requests for some 10 ms, and every
  // uploaded photo used to trigger one.
  setFlagsFromString('--heap-growing-percent=400');
  try {
    // Not before the flag is set, which counts for the loading of the whole program too.
    const { runWorker } = await import('./worker.ts');
    const { runPrimary } = await import('./primary.ts');
    await (cluster.isPrimary ? runPrimary(process.env) : runWorker(process.env));
  } catch (error) {
    // Operators get a sentence that says what is wrong and what to do, not a stack trace.
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
