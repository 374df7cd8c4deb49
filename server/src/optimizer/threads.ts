import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkSolution, type Fault, type FaultCode } from './checker.ts';
import type { Sequence } from './changes.ts';
import { InvalidProblem, type Problem, type Solution } from './problem.ts';
import type { Task, TaskMessage } from './worker.ts';

export interface SolveOptions {
  /** Of the search, by the wall clock; waiting for a free thread comes in front of it. */
  limitSeconds: number;
  /** How many threads search with different seeds; the best result counts. One for each core by default, which is also the most. */
  seeds?: number;
  /** Ends the search at once: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Receives each better solution, already checked, ten times a second at most; and the seconds that the search has taken. */
  onBest?: (solution: Solution, seconds: number) => void;
}

export interface Optimizer {
  /**
   * Solves a routing problem in threads, without blocking the event loop.
   * @throws InvalidProblem, OptimizerBusy, OptimizerFailed, or the reason of the signal
   */
  solve(problem: Problem, options: SolveOptions): Promise<Solution>;
  /** Puts the stops of one vehicle in a better order, as `putInOrder` of `changes.ts` does. Throws the same. */
  putInOrder(problem: Problem, options: Omit<SolveOptions, 'onBest'>): Promise<Sequence>;
  /** Ends all threads; what is being solved fails. */
  close(): Promise<void>;
}

/** Too many problems wait for a thread. */
export class OptimizerBusy extends Error {
  override name = 'OptimizerBusy';
}

/** No thread returned a solution that passes the checker. */
export class OptimizerFailed extends Error {
  override name = 'OptimizerFailed';
}

interface Terms {
  /** The most threads for quick problems, and the most for others. */
  threads?: number;
  /** Problems that may wait for a thread, of each of these two. */
  maxWaiting?: number;
  /** Injected by tests. */
  script?: URL;
}

/** The limit up to which a problem is quick: somebody waits for the answer, which must not queue behind plans that take minutes. */
export const quickSeconds = 3;
/** An idle thread for quick problems is ended. */
const idleMs = 60_000;
/** How much longer than its limit a thread may take, and how long after it was told to stop, before it is ended. */
const graceMs = 10_000;
const stopMs = 1000;

interface Job {
  kind: Task['kind'];
  options: SolveOptions;
  problem: Problem;
  /** Shared with the threads: 1 tells them to stop. */
  stop: Int32Array;
  /** Seeds that no thread has begun with. */
  waiting: number[];
  running: Set<Thread>;
  best: Sequence | null;
  failures: string[];
  settled: boolean;
  settle(error: Error | null): void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  seed: number;
  timer: NodeJS.Timeout | undefined;
  failure: string;
}

export function openOptimizer({
  threads = availableParallelism(),
  maxWaiting = 20,
  script = new URL('worker.ts', import.meta.url),
}: Terms = {}): Optimizer {
  const quick = openLane(threads, maxWaiting, script, true);
  // V8 compiles the search for the arrays of the first one in a thread; every later one is a third slower. So a long search has a new thread.
  const long = openLane(threads, maxWaiting, script, false);
  const run = async (kind: Task['kind'], problem: Problem, options: SolveOptions) => {
    options.signal?.throwIfAborted();
    const lane = options.limitSeconds <= quickSeconds ? quick : long;
    return lane.run(kind, problem, { ...options, seeds: Math.max(1, Math.min(options.seeds ?? threads, threads)) });
  };
  return {
    solve: async (problem, options) => (await run('solve', problem, options)).solution,
    putInOrder: (problem, options) => run('order', problem, options),
    close: async () => {
      await Promise.all([quick.close(), long.close()]);
    },
  };
}

interface Lane {
  run(kind: Task['kind'], problem: Problem, options: SolveOptions): Promise<Sequence>;
  close(): Promise<void>;
}

/** Threads with a queue. */
function openLane(maxThreads: number, maxWaiting: number, script: URL, reusesThreads: boolean): Lane {
  const threads = new Set<Thread>();
  const queue: Job[] = [];

  function startThread(): Thread {
    const worker = new Worker(script, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 1024 } });
    const thread: Thread = { worker, job: null, seed: 0, timer: undefined, failure: 'the thread has ended' };
    threads.add(thread);
    worker.on('message', (message: TaskMessage) => receive(thread, message));
    worker.on('error', (error) => (thread.failure = error instanceof Error ? error.message : String(error)));
    // Only now it is certain that all its messages have come.
    worker.on('exit', () => lose(thread));
    // After the listeners, which count as a reference: an idle thread must not delay the end of the process.
    worker.unref();
    return thread;
  }

  function assign(thread: Thread, job: Job, seed: number): void {
    thread.job = job;
    thread.seed = seed;
    job.running.add(thread);
    const { kind, problem, stop } = job;
    const { limitSeconds } = job.options;
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => void thread.worker.terminate(), limitSeconds * 1000 + graceMs).unref();
    thread.worker.ref();
    thread.worker.postMessage({ kind, problem, limitSeconds, seed, stop } satisfies Task);
  }

  function release(thread: Thread): Job | null {
    const { job } = thread;
    job?.running.delete(thread);
    thread.job = null;
    clearTimeout(thread.timer);
    thread.worker.unref();
    return job;
  }

  function startWaiting(): void {
    while (queue.length > 0) {
      const job = queue[0];
      const seed = job?.waiting[0];
      if (!job || seed === undefined) {
        queue.shift();
        continue;
      }
      const idle = [...threads].find((thread) => thread.job === null);
      if (!idle && threads.size >= maxThreads) return;
      job.waiting.shift();
      assign(idle ?? startThread(), job, seed);
    }
  }

  /** A solution with faults never leaves this file. */
  function consider(job: Job, found: Sequence, seconds: number): void {
    if (job.best && found.solution.cost >= job.best.solution.cost) return;
    const faults = faultsOf(job, found);
    if (faults.length > 0) {
      job.failures.push(...faults.map(({ of, message }) => `${of}: ${message}`));
      return;
    }
    job.best = found;
    job.options.onBest?.(found.solution, seconds);
  }

  function receive(thread: Thread, message: TaskMessage): void {
    const { job } = thread;
    if (!job) return;
    if ((message.kind === 'better' || message.kind === 'done') && !job.settled) {
      consider(job, message.found, message.seconds);
    }
    if (message.kind === 'better') return;
    release(thread);
    if (reusesThreads) thread.timer = setTimeout(() => void thread.worker.terminate(), idleMs).unref();
    else {
      threads.delete(thread);
      void thread.worker.terminate();
    }
    // Seeds that have not begun by now would only make the answer late.
    job.waiting.length = 0;
    if (message.kind === 'refused') job.settle(new InvalidProblem(message.faults));
    if (message.kind === 'failed') job.failures.push(message.reason);
    finish(job);
  }

  /** A thread that crashes loses its search, but not the better solutions that it has reported. With nothing else the seed is tried once more. */
  function lose(thread: Thread): void {
    if (!threads.delete(thread)) return;
    const job = release(thread);
    if (job && !job.settled) {
      job.failures.push(thread.failure);
      const isFirst = job.failures.length === 1;
      if (isFirst && !job.best && job.running.size === 0 && job.waiting.length === 0) {
        job.waiting.push(thread.seed);
        queue.unshift(job);
      }
    }
    if (job) finish(job);
    startWaiting();
  }

  function finish(job: Job): void {
    if (job.running.size === 0 && job.waiting.length === 0) {
      job.settle(job.best ? null : new OptimizerFailed(job.failures.slice(0, 5).join('; ')));
    }
    startWaiting();
  }

  return {
    run(kind, problem, options) {
      if (queue.length >= maxWaiting) throw new OptimizerBusy(`${queue.length} problems wait for a thread`);
      return new Promise<Sequence>((resolve, reject) => {
        const { matrix } = problem;
        const job: Job = {
          kind,
          options,
          problem: {
            ...problem,
            matrix: { ...matrix, seconds: shared(matrix.seconds), metres: shared(matrix.metres) },
          },
          stop: new Int32Array(new SharedArrayBuffer(4)),
          waiting: Array.from({ length: options.seeds ?? 1 }, (_, index) => index + 1),
          running: new Set(),
          best: null,
          failures: [],
          settled: false,
          settle: (error) => {
            if (job.settled) return;
            job.settled = true;
            job.waiting.length = 0;
            options.signal?.removeEventListener('abort', abort);
            Atomics.store(job.stop, 0, 1);
            for (const thread of job.running) {
              clearTimeout(thread.timer);
              thread.timer = setTimeout(() => void thread.worker.terminate(), stopMs).unref();
            }
            if (error) reject(error);
            else if (job.best) resolve(job.best);
          },
        };
        const abort = () => job.settle(options.signal?.reason as Error);
        options.signal?.addEventListener('abort', abort);
        queue.push(job);
        startWaiting();
      });
    },
    async close() {
      for (const job of new Set([...queue, ...[...threads].flatMap(({ job }) => job ?? [])])) {
        job.settle(new OptimizerFailed('the optimizer was closed'));
      }
      queue.length = 0;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** An order may miss the limits that it cannot keep, but says so. Whatever else the checker finds is wrong. */
function faultsOf({ kind, problem }: Job, { solution, late, overtime }: Sequence): Fault[] {
  const faults = checkSolution(problem, solution);
  if (kind === 'solve') return faults;
  const declared = (code: FaultCode, of: string) =>
    loosened.has(code) ||
    (code === 'outside_windows' && late.includes(of)) ||
    (code === 'back_after_shift' && overtime > 0);
  return faults.filter(({ code, of }) => solution.unassigned.length > 0 || !declared(code, of));
}

const loosened = new Set<FaultCode>(['over_capacity', 'too_many_stops', 'skill_missing']);

/** Shared memory is not copied for each thread. */
function shared(matrix: Float64Array): Float64Array {
  if (matrix.buffer instanceof SharedArrayBuffer) return matrix;
  const copy = new Float64Array(new SharedArrayBuffer(matrix.byteLength));
  copy.set(matrix);
  return copy;
}
