import { setTimeout as sleep } from 'node:timers/promises';
import { getPriority } from 'node:os';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createRoutingProblem } from '../testing/routing-problems.ts';
import { checkSolution } from './checker.ts';
import { InvalidProblem, type Problem, type Solution } from './problem.ts';
import { openOptimizer, OptimizerBusy, OptimizerFailed } from './threads.ts';

const problem = createRoutingProblem({ seed: 1, stops: 40, vehicles: 3 });
const optimizer = openOptimizer({ threads: 2 });
afterAll(() => optimizer.close());

/** The same at the end of the shift. */
const withoutTime = (present: Problem): Problem => ({
  ...present,
  vehicles: present.vehicles.map((vehicle) => ({ ...vehicle, shift: [17.5 * 3600, 18 * 3600] })),
});

/** Resolves with the first better solution of a search that would take an hour. */
function startLongSearch(used = optimizer) {
  const abort = new AbortController();
  const { promise: found, resolve } = Promise.withResolvers<Solution>();
  const answer = used.solve(problem, { limitSeconds: 3600, signal: abort.signal, onBest: resolve });
  answer.catch(() => {});
  return { abort, found, answer };
}

const inTime = (solution: Solution) => ({ solution, late: [], overtime: 0 });

/** A thread whose search is this code. */
const threadOf = (code: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`);
function openWith(code: string, terms: { threads: number; maxWaiting?: number } = { threads: 1 }) {
  const opened = openOptimizer({ ...terms, script: threadOf(code) });
  onTestFinished(() => opened.close());
  return opened;
}

test('threads find a solution that passes the checker, and report each better one, while the event loop goes on', async () => {
  const priority = getPriority();
  const reports: { cost: number; seconds: number }[] = [];
  let turns = 0;
  const turning = setInterval(() => turns++, 5);
  const solution = await optimizer.solve(problem, {
    limitSeconds: 0.5,
    onBest: ({ cost }, seconds) => reports.push({ cost, seconds }),
  });
  clearInterval(turning);
  expect(checkSolution(problem, solution)).toEqual([]);
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.at(-1)?.cost).toBe(solution.cost);
  const costs = reports.map(({ cost }) => cost);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  expect(turns).toBeGreaterThan(5);
  // Only the threads yield to others.
  expect(getPriority()).toBe(priority);
});

test('a search is cancelled at once, and its thread is free for the next one', async () => {
  const { abort, found, answer } = startLongSearch();
  await found;
  abort.abort(new Error('nobody waits any more'));
  await expect(answer).rejects.toThrow('nobody waits any more');
  const already = optimizer.solve(problem, { limitSeconds: 3600, signal: abort.signal });
  await expect(already).rejects.toThrow('nobody waits any more');
  const next = startLongSearch();
  await next.found;
  next.abort.abort();
});

test('a quick problem does not wait for long ones', async () => {
  const long = [startLongSearch(), startLongSearch()];
  const solution = await optimizer.solve(problem, { limitSeconds: 0.05 });
  expect(solution.unassigned.length + solution.routes.flatMap(({ visits }) => visits).length).toBe(40);
  for (const { abort } of long) abort.abort();
});

test('a route that is late is put in order, with what comes too late', async () => {
  const late = withoutTime(createRoutingProblem({ seed: 2, stops: 20, vehicles: 1 }, { windows: 0.5 }));
  const { solution, late: stops, overtime } = await optimizer.putInOrder(late, { limitSeconds: 0.3 });
  expect(solution.routes.flatMap(({ visits }) => visits)).toHaveLength(20);
  expect(stops.length).toBeGreaterThan(0);
  expect(overtime).toBeGreaterThan(0);
});

test('an invalid problem is refused, with its faults', async () => {
  const invalid = { ...problem, stops: problem.stops.map((stop) => ({ ...stop, id: 'same' })) };
  const answer = optimizer.solve(invalid, { limitSeconds: 0.1 });
  await expect(answer).rejects.toBeInstanceOf(InvalidProblem);
  await expect(answer).rejects.toMatchObject({ faults: ['two stops are named same'] });
});

test('a thread that crashes costs its search alone: what it has reported counts, and the next problem gets a new thread', async () => {
  const good = await optimizer.solve(problem, { limitSeconds: 0.1 });
  const better = JSON.stringify({ kind: 'better', seconds: 0, found: inTime(good) });
  const crashing = openWith(
    `parentPort.once('message', () => { parentPort.postMessage(${better}); setImmediate(() => { throw new Error('crash') }) })`,
  );
  expect(await crashing.solve(problem, { limitSeconds: 10 })).toEqual(good);
  expect(await crashing.solve(problem, { limitSeconds: 10 })).toEqual(good);
});

test('a crash before anything was found is tried once more, then it fails', async () => {
  const hopeless = openWith(`parentPort.once('message', () => { throw new Error('crash') })`);
  const answer = hopeless.solve(problem, { limitSeconds: 10 });
  await expect(answer).rejects.toBeInstanceOf(OptimizerFailed);
  await expect(answer).rejects.toThrow('crash; crash');
});

test('a solution with a fault is never returned', async () => {
  const good = await optimizer.solve(problem, { limitSeconds: 0.1 });
  const wrong = JSON.stringify({ kind: 'done', seconds: 0, found: inTime({ ...good, cost: good.cost - 1 }) });
  const lying = openWith(`parentPort.on('message', () => parentPort.postMessage(${wrong}))`);
  const reports: Solution[] = [];
  const answer = lying.solve(problem, { limitSeconds: 10, onBest: (solution) => reports.push(solution) });
  await expect(answer).rejects.toBeInstanceOf(OptimizerFailed);
  expect(reports).toEqual([]);
});

test('with too many problems in the queue the next one is refused, and closing ends them all', async () => {
  const hanging = openWith(`parentPort.on('message', () => {})`, { threads: 1, maxWaiting: 1 });
  const options = { limitSeconds: 3600 };
  const waiting = [hanging.solve(problem, options), hanging.solve(problem, options)];
  const closed = Promise.all(waiting.map((answer) => expect(answer).rejects.toBeInstanceOf(OptimizerFailed)));
  await sleep(0);
  await expect(hanging.solve(problem, options)).rejects.toBeInstanceOf(OptimizerBusy);
  await hanging.close();
  await closed;
});

test('a long search has a thread of its own, quick ones share theirs', async () => {
  const naming = openWith(
    `import { threadId } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.postMessage({ kind: 'failed', reason: String(threadId) }))`,
  );
  const threadFor = (limitSeconds: number) =>
    naming.solve(problem, { limitSeconds }).catch((error: Error) => error.message);
  expect(await threadFor(10)).not.toBe(await threadFor(10));
  expect(await threadFor(1)).toBe(await threadFor(1));
});
