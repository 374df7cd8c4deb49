import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Collects all garbage and returns free memory to the system, in about 0.1 s: call it before the process serves anything. V8 does so by
 * itself only when much more is allocated, so an idle server kept 34 MB from its start. A smaller young generation (--max-semi-space-size=4)
 * would save 19 MB, but took 18 % more CPU time for each lookup.
 */
export function releaseUnusedMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
