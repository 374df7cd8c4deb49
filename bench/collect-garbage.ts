import { settledMemory } from './memory.ts';

// Preloaded with `node --import`: the product's process reports its memory on request, without code in the product.
process.on('message', (message) => {
  if (message === 'memory') void settledMemory().then((memory) => process.send?.(memory));
});
process.channel?.unref();
