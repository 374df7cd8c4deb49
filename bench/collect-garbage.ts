import { settledMemory } from './memory.ts';

// Loaded before the product (node --import): it tells its memory on request, and knows nothing of that.
process.on('message', (message) => {
  if (message === 'memory') void settledMemory().then((memory) => process.send?.(memory));
});
process.channel?.unref();
