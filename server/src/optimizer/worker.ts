import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { putInOrder, type Sequence } from './changes.ts';
import { optimize, type SearchOptions } from './optimize.ts';
import { InvalidProblem, type Problem, type Solution } from './problem.ts';

/** What a thread is asked for. */
export interface Task {
  /** `order`: as `putInOrder` does. */
  kind: 'solve' | 'order';
  problem: Problem;
  limitSeconds: number;
  seed: number;
  /** Its first element becomes 1 when the search is to end. */
  stop: Int32Array;
}

export type TaskMessage =
  | { kind: 'better'; seconds: number; found: Sequence }
  | { kind: 'done'; seconds: number; found: Sequence }
  | { kind: 'refused'; faults: readonly string[] }
  | { kind: 'failed'; reason: string };

/** Better solutions are reported this often at most, in s. */
const reportInterval = 0.1;

// Requests go first. On Linux this is the priority of the calling thread alone, elsewhere of the process.
if (process.platform === 'linux') setPriority(10);

const inTime = (solution: Solution): Sequence => ({ solution, late: [], overtime: 0 });
const send = (message: TaskMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ kind, problem, limitSeconds, seed, stop }: Task) => {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  let pending: (() => void) | null = null;
  let reportedAt = -Infinity;
  const report = () => {
    if (!pending || elapsed() - reportedAt < reportInterval) return;
    pending();
    pending = null;
    reportedAt = elapsed();
  };
  try {
    const options: SearchOptions = {
      limit: { seconds: limitSeconds },
      seed,
      isStopped: () => {
        report();
        return Atomics.load(stop, 0) === 1;
      },
    };
    const onBetter = (_: number, seconds: number, make: () => Solution) => {
      pending = () => send({ kind: 'better', seconds, found: inTime(make()) });
      report();
    };
    const found = kind === 'order' ? putInOrder(problem, options) : inTime(optimize(problem, { ...options, onBetter }));
    send({ kind: 'done', seconds: elapsed(), found });
  } catch (error) {
    if (error instanceof InvalidProblem) send({ kind: 'refused', faults: error.faults });
    else send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
