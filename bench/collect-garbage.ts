import { setTimeout as sleep } from 'node:timers/promises';

// Loaded before the server (node --expose-gc --import): on request it collects garbage and tells what memory remains.
process.on('message', async (message) => {
  if (message !== 'collect garbage') return;
  for (let times = 0; times < 5; times++) {
    globalThis.gc?.();
    await sleep(200);
  }
  process.send?.(process.memoryUsage.rss());
});
process.channel?.unref();
