import { setTimeout as sleep } from 'node:timers/promises';

/** This process's memory in bytes once its garbage is gone; it must run with --expose-gc. */
export async function settledMemory(): Promise<number> {
  for (let times = 0; times < 5; times++) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await sleep(200);
  }
  return process.memoryUsage.rss();
}
