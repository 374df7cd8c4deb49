import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process holds once its garbage is gone. */
export interface Held {
  heapKilobytes: number;
  /** Open files and sockets. */
  descriptors: number;
  timers: number;
}

// Loaded before the product (node --import): it tells on SIGUSR2 what it holds, and knows nothing of that.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function tell(): Promise<void> {
  // What is closed is let go in turns of its own, and some of it by finalizers.
  for (let turn = 0; turn < 5; turn++) {
    await sleep(100);
    collect();
  }
  const held: Held = {
    heapKilobytes: process.memoryUsage().heapUsed / 1024,
    descriptors: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  };
  console.log(`held ${JSON.stringify(held)}`);
}

process.on('SIGUSR2', () => void tell());
