import { settledMemory } from './memory.ts';

// Loaded before the product (node --import): it tells its memory on request, and knows nothing of that.
process.on('message', async (message) => {
  if (message === 'memory') process.send?.(await settledMemory());
});
process.channel?.unref();
