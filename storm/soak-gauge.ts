import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The resources of a process after garbage collection. */
export interface Resources {
  heapKilobytes: number;
  /** Open files and sockets. */
  descriptors: number;
  timers: number;
}

// Preloaded with `node --import`: on SIGUSR2 the product's process prints its resources, without code in the product.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function report(): Promise<void> {
  // Several turns of the event loop: some resources are released later, some by finalizers.
  for (let turn = 0; turn < 5; turn++) {
    await sleep(100);
    collect();
  }
  const resources: Resources = {
    heapKilobytes: process.memoryUsage().heapUsed / 1024,
    descriptors: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  };
  console.log(`held ${JSON.stringify(resources)}`);
}

process.on('SIGUSR2', () => void report());
