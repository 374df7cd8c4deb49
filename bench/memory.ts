import { setTimeout as sleep } from 'node:timers/promises';

/** Returns this process's memory (RSS, in bytes) after garbage collection; requires --expose-gc. */
export async function settledMemory(): Promise<number> {
  for (let times = 0; times < 5; times++) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await sleep(200);
  }
  return process.memoryUsage.rss();
}
