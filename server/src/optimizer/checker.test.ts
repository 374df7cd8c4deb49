import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRoutingProblem } from '../testing/routing-problems.ts';
import { checkSolution, type FaultCode } from './checker.ts';
import { optimize } from './optimize.ts';
import type { Problem, Route, Solution, Stop, Visit } from './problem.ts';

/** A depot and two stops on a line, 10 s and 100 m apart. */
const problem: Problem = {
  matrix: {
    size: 3,
    seconds: Float64Array.of(0, 10, 20, 10, 0, 10, 20, 10, 0),
    metres: Float64Array.of(0, 100, 200, 100, 0, 100, 200, 100, 0),
  },
  costs: { perSecond: 1, perMetre: 0.1 },
  stops: [
    {
      id: 'near',
      place: 1,
      serviceSeconds: 5,
      windows: [
        [0, 4],
        [50, 60],
      ],
      kilograms: 2,
      skills: [],
      penalty: 1000,
    },
    { id: 'far', place: 2, serviceSeconds: 5, windows: [], kilograms: 3, skills: ['cooled'], penalty: 2000 },
  ],
  vehicles: [
    {
      id: 'van',
      shift: [0, 100],
      start: 0,
      end: 0,
      capacityKg: 5,
      maxStops: 2,
      skills: ['cooled'],
      fixedCost: 7,
    },
  ],
};
const near: Visit = { stop: 'near', arrival: 50, begin: 50, departure: 55 };
const far: Visit = { stop: 'far', arrival: 65, begin: 65, departure: 70 };
const route: Route = {
  vehicle: 'van',
  departure: 40,
  visits: [near, far],
  arrival: 90,
  seconds: 40,
  metres: 400,
  kilograms: 5,
  cost: 87,
};
const correct: Solution = { routes: [route], unassigned: [], cost: 87 };

const codesOf = (solution: Solution, changed = problem) => [
  ...new Set(checkSolution(changed, solution).map(({ code }) => code)),
];
const withRoute = (change: Partial<Route>): Solution => ({ ...correct, routes: [{ ...route, ...change }] });
const withStops = (change: (stop: Stop) => Partial<Stop>): Problem => ({
  ...problem,
  stops: problem.stops.map((stop) => ({ ...stop, ...change(stop) })),
});
const withVehicle = (change: Partial<Problem['vehicles'][number]>): Problem => ({
  ...problem,
  vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, ...change })),
});

test('a correct solution has no fault: worked out by hand, with a wait for the second window', () => {
  expect(checkSolution(problem, correct)).toEqual([]);
  const waiting = withRoute({ departure: 0, visits: [{ ...near, arrival: 10 }, far] });
  expect(checkSolution(problem, waiting)).toEqual([]);
  expect(
    checkSolution(problem, {
      routes: [],
      unassigned: [
        { stop: 'near', reason: 'shift' },
        { stop: 'far', reason: 'shift' },
      ],
      cost: 3000,
    }),
  ).toEqual([]);
  const open = { ...route, arrival: 70, seconds: 20, metres: 200, cost: 47 };
  expect(checkSolution(withVehicle({ end: null }), { routes: [open], unassigned: [], cost: 47 })).toEqual([]);
});

const mistakes: [FaultCode, Solution, Problem?][] = [
  ['unknown_vehicle', withRoute({ vehicle: 'bus' })],
  ['vehicle_twice', { ...correct, routes: [route, route] }],
  ['empty_route', { ...correct, routes: [route, { ...route, visits: [] }] }],
  ['unknown_stop', withRoute({ visits: [near, far, { ...far, stop: 'nowhere' }] })],
  ['stop_twice', { ...correct, unassigned: [{ stop: 'far', reason: 'shift' }] }],
  ['stop_missing', withRoute({ visits: [near] })],
  ['left_before_shift', withRoute({ departure: -1 })],
  ['back_after_shift', correct, withVehicle({ shift: [0, 89] })],
  ['wrong_arrival', withRoute({ visits: [near, { ...far, arrival: 64 }] })],
  ['wrong_arrival', withRoute({ arrival: 91 })],
  ['begun_before_arrival', withRoute({ visits: [near, { ...far, begin: 64 }] })],
  ['outside_windows', correct, withStops(({ id }) => (id === 'near' ? { windows: [[0, 49]] } : {}))],
  ['wrong_departure', withRoute({ visits: [near, { ...far, departure: 69 }] })],
  ['over_capacity', correct, withVehicle({ capacityKg: 4.9 })],
  ['too_many_stops', correct, withVehicle({ maxStops: 1 })],
  ['skill_missing', correct, withVehicle({ skills: ['heavy'] })],
  ['lock_broken', correct, withStops(({ id }) => (id === 'far' ? { locked: { vehicle: 'van', position: 0 } } : {}))],
  ['wrong_total', withRoute({ seconds: 41 })],
  ['wrong_total', withRoute({ metres: 399 })],
  ['wrong_total', withRoute({ kilograms: 4 })],
  ['wrong_cost', withRoute({ cost: 86 })],
  ['wrong_cost', { ...correct, cost: 86 }],
  ['wrong_cost', withRoute({ arrival: Number.NaN, cost: Number.NaN })],
];
test.each(mistakes)('it names %s', (code, solution, changed) => {
  expect(codesOf(solution, changed)).toContain(code);
});

describe('locked stops', () => {
  const locked = (position: number) =>
    withStops(({ id }) => (id === 'far' ? { locked: { vehicle: 'van', position } } : {}));

  test('are at their position, or nearer to the beginning if no free stop follows', () => {
    expect(codesOf(correct, locked(1))).toEqual([]);
    expect(codesOf(correct, locked(7))).toEqual([]);
    expect(codesOf(correct, locked(0))).toEqual(['lock_broken']);
  });

  test('stay on their vehicle', () => {
    const left: Solution = {
      routes: [],
      unassigned: [
        { stop: 'near', reason: 'shift' },
        { stop: 'far', reason: 'shift' },
      ],
      cost: 3000,
    };
    expect(codesOf(left, locked(1))).toEqual(['lock_broken']);
  });

  test('may be late and need no skill at the frozen beginning', () => {
    const late = (position: number) =>
      withStops(({ id }) => (id === 'near' ? { windows: [[0, 4]], locked: { vehicle: 'van', position } } : {}));
    expect(codesOf(correct, late(0))).toEqual([]);
    expect(codesOf(correct, late(1))).toEqual(['outside_windows', 'lock_broken']);
  });
});

/** One change of a solution that makes it wrong, whatever it is. */
const mutations: ((solution: Solution, route: Route, visit: Visit) => void)[] = [
  (solution) => (solution.cost += 1),
  (solution) => void solution.routes.shift(),
  (solution, route) => void solution.routes.push(structuredClone(route)),
  (solution, _, { stop }) => void solution.unassigned.push({ stop, reason: 'window' }),
  (_, route) => (route.cost -= 1),
  (_, route) => (route.seconds += 1),
  (_, route) => (route.metres += 1),
  (_, route) => (route.kilograms += 0.1),
  (_, route) => (route.departure -= 1),
  (_, route) => (route.arrival += 1),
  (_, route) => void route.visits.pop(),
  (_, route) => void route.visits.push(structuredClone(route.visits[0] as Visit)),
  (_, route) => (route.vehicle = 'nobody'),
  (_, __, visit) => (visit.stop = 'nowhere'),
  (_, __, visit) => (visit.arrival += 1),
  (_, __, visit) => (visit.begin -= 20_000),
  (_, __, visit) => (visit.departure += 1),
];

test('any mutation of a solution is found', () => {
  const solved = fc.integer({ min: 1, max: 20 }).map((seed) => {
    const problem = createRoutingProblem({ seed, stops: 12, vehicles: 3 });
    return { problem, solution: optimize(problem, { limit: { iterations: 50 }, seed }) };
  });
  fc.assert(
    fc.property(solved, fc.constantFrom(...mutations), fc.nat(), fc.nat(), ({ problem, solution }, mutate, r, v) => {
      expect(checkSolution(problem, solution)).toEqual([]);
      const changed = structuredClone(solution);
      const route = changed.routes[r % changed.routes.length] as Route;
      mutate(changed, route, route.visits[v % route.visits.length] as Visit);
      expect(checkSolution(problem, changed)).not.toEqual([]);
    }),
    { numRuns: 200 },
  );
});
