import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSolution } from '../optimizer/checker.ts';
import { optimize } from '../optimizer/optimize.ts';
import { createRoutingProblem } from '../testing/routing-problems.ts';
import { engineFaults, startFakeEngine, type FakeEngine } from '../testing/fake-engine.ts';
import { openVroom } from './vroom.ts';

let engine: FakeEngine;
beforeAll(async () => (engine = await startFakeEngine()));
afterAll(() => engine.close());

const problem = createRoutingProblem({ seed: 3, stops: 30, vehicles: 3 });
const ours = optimize(problem, { limit: { iterations: 2000 }, seed: 1 });
const numberOf = (list: readonly { id: string }[], id: string) => list.findIndex((one) => one.id === id);
/** Our own solution, as VROOM would tell it. */
const told = () => ({
  code: 0,
  summary: { cost: 1, unassigned: ours.unassigned.length },
  unassigned: ours.unassigned.map(({ stop }) => ({ id: numberOf(problem.stops, stop), type: 'job' })),
  routes: ours.routes.map(({ vehicle, visits }) => ({
    vehicle: numberOf(problem.vehicles, vehicle),
    steps: [
      { type: 'start' },
      ...visits.map(({ stop }) => ({ type: 'job', id: numberOf(problem.stops, stop) })),
      { type: 'end' },
    ],
  })),
});
/** @param timeoutMs as long as a busy machine needs, but where the engine is not to answer */
const ask = (timeoutMs = 20_000) => openVroom(engine.url, timeoutMs).solve(problem, 0, new AbortController().signal);

test('VROOM gets our matrices, and its routes are timed by them again', async () => {
  engine.answer = told;
  const solution = await ask();
  expect(solution).toEqual(ours);
  expect(checkSolution(problem, solution)).toEqual([]);
  const sent = JSON.parse(engine.asked[0]?.body ?? '') as {
    jobs: { id: number; delivery: number[]; skills: number[]; time_windows?: number[][] }[];
    vehicles: { capacity: number[]; time_window: number[]; max_tasks?: number }[];
    matrices: { car: { durations: number[][]; costs: number[][] } };
  };
  expect(engine.asked[0]?.path).toBe('/');
  const { size, seconds } = problem.matrix;
  expect(sent.matrices.car.durations).toHaveLength(size);
  expect(sent.matrices.car.durations[2]?.[3]).toBe(seconds[2 * size + 3]);
  expect(sent.matrices.car.costs[2]).toHaveLength(size);
  expect(sent.jobs.map(({ delivery }) => delivery[0])).toEqual(
    problem.stops.map(({ kilograms }) => Math.round(kilograms * 1000)),
  );
  expect(sent.jobs.map((job) => job.time_windows?.length ?? 0)).toEqual(
    problem.stops.map((stop) => stop.windows.length),
  );
  expect(sent.vehicles).toHaveLength(problem.vehicles.length);
});

const steps = (...ids: unknown[]) => [{ type: 'start' }, ...ids.map((id) => ({ type: 'job', id })), { type: 'end' }];
const all = problem.stops.map((_, index) => index);
const broken: [string, unknown][] = [
  ['an error', { code: 2, error: 'input' }],
  ['a stop twice', { code: 0, routes: [{ vehicle: 0, steps: steps(0, 0) }] }],
  ['a stop that nobody asked for', { code: 0, routes: [{ vehicle: 0, steps: steps(0, 999) }] }],
  ['a job without a number', { code: 0, routes: [{ vehicle: 0, steps: steps('first') }] }],
  [
    'a vehicle twice',
    {
      code: 0,
      routes: [
        { vehicle: 0, steps: steps(0) },
        { vehicle: 0, steps: steps(1) },
      ],
    },
  ],
  ['a vehicle that nobody asked for', { code: 0, routes: [{ vehicle: -1, steps: steps(0) }] }],
  ['too much for one vehicle', { code: 0, routes: [{ vehicle: 0, steps: steps(...all) }] }],
  ['no routes', { code: 0 }],
];

test.each([...engineFaults.map((fault) => [fault, null] as const), ...broken])(
  'an answer of %s is refused',
  async (fault, body) => {
    engine.fault = engineFaults.find((one) => one === fault) ?? null;
    engine.answer = engine.fault ? told : () => body;
    await expect(ask(fault === 'hangs' || fault === 'drips' ? 300 : undefined)).rejects.toThrow();
  },
);
