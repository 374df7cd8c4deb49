import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { optimize } from './optimize.ts';
import { InvalidProblem, type Problem, type Solution } from './problem.ts';

/** What a thread is asked for. */
export interface Task {
  problem: Problem;
  limitSeconds: number;
  seed: number;
  /** Its first element becomes 1 when the search is to end. */
  stop: Int32Array;
}

export type TaskMessage =
  | { kind: 'better' | 'done'; seconds: number; solution: Solution }
  | { kind: 'refused'; faults: readonly string[] }
  | { kind: 'failed'; reason: string };

/** Better solutions are reported this often at most, in s. */
const reportInterval = 0.1;

// Requests go first. On Linux this is the priority of the calling thread alone, elsewhere of the process.
if (process.platform === 'linux') setPriority(10);

const send = (message: TaskMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ problem, limitSeconds, seed, stop }: Task) => {
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
    const solution = optimize(problem, {
      limit: { seconds: limitSeconds },
      seed,
      isStopped: () => {
        report();
        return Atomics.load(stop, 0) === 1;
      },
      onBetter: (_, seconds, make) => {
        pending = () => send({ kind: 'better', seconds, solution: make() });
        report();
      },
    });
    send({ kind: 'done', seconds: elapsed(), solution });
  } catch (error) {
    if (error instanceof InvalidProblem) send({ kind: 'refused', faults: error.faults });
    else send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
