import { settledMemory } from './memory.ts';

// Preloaded with `node --import`: the product's process reports its memory and CPU time on request, without code in the product.
process.on('message', (message) => {
  if (message === 'memory') void settledMemory().then((memory) => process.send?.(memory));
  if (message === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  }
});
process.channel?.unref();
