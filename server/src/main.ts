import cluster from 'node:cluster';
import { enableCompileCache } from 'node:module';

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
