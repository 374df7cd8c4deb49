import cluster from 'node:cluster';
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Let V8's old generation grow to five times its live size before a major garbage collection. Each one pauses all requests for some
// 10 ms, and every uploaded photo used to trigger one.
setFlagsFromString('--heap-growing-percent=400');
enableCompileCache();

// Imported after the cache is on, so that a second start reads the whole program from it.
const { runWorker } = await import('./worker.ts');
const { runPrimary } = await import('./primary.ts');

try {
  await (cluster.isPrimary ? runPrimary(process.env) : runWorker(process.env));
} catch (error) {
  // A sentence for people who run the product, not a stack: what is wrong and what to do.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
