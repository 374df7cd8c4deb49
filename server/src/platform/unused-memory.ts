import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void;

/** How often to look whether the process is idle, and the CPU time that an idle one takes at most: it still does what is due every 20 s. */
const everyMs = 30_000;
const idleShare = 0.03;
/** Less than this is not worth a collection, in bytes. */
const worthwhile = 4_000_000;

/**
 * Collects all garbage and returns free memory to the system, in about 0.1 s: call it before the process serves anything. V8 does so by
 * itself only when much more is allocated, so an idle server kept 34 MB from its start. A smaller young generation (--max-semi-space-size=4)
 * would save 19 MB, but took 18 % more CPU time for each lookup.
 *
 * Does so again, in 0.05 s, whenever the process was idle for a while and has garbage: V8 lets five times what lives be allocated first
 * (serve.ts), so that a server on which nobody works grew by 2.5 MB a minute.
 */
export function releaseUnusedMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  let live = process.memoryUsage().heapUsed;
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isIdle = (user + system) / 1000 < idleShare * everyMs;
    if (!isIdle || process.memoryUsage().heapUsed < live + worthwhile) return;
    collect({ type: 'major', execution: 'sync', flavor: 'regular' });
    live = process.memoryUsage().heapUsed;
  }, everyMs).unref();
}
