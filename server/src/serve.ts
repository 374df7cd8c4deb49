import cluster from 'node:cluster';
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Let V8's old generation grow to 5x its live size before a major GC. Each major GC pauses all requests for some 10 ms, and every
// uploaded photo used to trigger one.
setFlagsFromString('--heap-growing-percent=400');
enableCompileCache();

// Imported after enabling the compile cache, so that later starts load the whole program from it.
const { runWorker } = await import('./worker.ts');
const { runPrimary } = await import('./primary.ts');

try {
  await (cluster.isPrimary ? runPrimary(process.env) : runWorker(process.env));
} catch (error) {
  // Operators get a sentence that says what is wrong and what to do, not a stack trace.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
