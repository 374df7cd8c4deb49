import { expect, test } from 'vitest';
import { createRoutingProblem } from '../testing/routing-problems.ts';
import { placeStop, putInOrder } from './changes.ts';
import { checkSolution } from './checker.ts';
import { optimize } from './optimize.ts';
import { InvalidProblem, type Problem, type Stop, type Vehicle } from './problem.ts';

const quickly = { limit: { iterations: 2000 }, seed: 1 };

/** Stops on a line, one minute apart, with the depot at its beginning. */
function onLine(stops: (Partial<Stop> & { at: number })[], change: Partial<Vehicle> = {}): Problem {
  const size = 1 + Math.max(...stops.map(({ at }) => at));
  const seconds = Float64Array.from(
    { length: size * size },
    (_, arc) => 60 * Math.abs(Math.floor(arc / size) - (arc % size)),
  );
  return {
    matrix: { size, seconds, metres: seconds },
    costs: { perSecond: 1, perMetre: 0 },
    stops: stops.map(({ at, ...stop }) => ({
      id: `at ${at}`,
      place: at,
      serviceSeconds: 0,
      windows: [],
      kilograms: 1,
      skills: [],
      penalty: 1e6,
      ...stop,
    })),
    vehicles: [
      {
        id: 'van',
        shift: [0, 3600],
        start: 0,
        end: null,
        capacityKg: null,
        maxStops: null,
        skills: [],
        fixedCost: 0,
        ...change,
      },
    ],
  };
}
const orderOf = (problem: Problem) => {
  const { solution, late, overtime } = putInOrder(problem, quickly);
  return { order: solution.routes[0]?.visits.map(({ stop }) => stop), late, overtime, solution };
};
const locked = (position: number) => ({ locked: { vehicle: 'van', position } });

test('the rest of a route is put in the shortest order, and what is done stays', () => {
  const problem = onLine([
    { at: 5, ...locked(0) },
    { at: 2, ...locked(1) },
    { at: 9 },
    { at: 3 },
    { at: 7 },
    { at: 1 },
  ]);
  const { order, late, solution } = orderOf(problem);
  expect(order).toEqual(['at 5', 'at 2', 'at 1', 'at 3', 'at 7', 'at 9']);
  expect(late).toEqual([]);
  expect(checkSolution(problem, solution)).toEqual([]);
});

test('a locked stop keeps its place in the middle', () => {
  const problem = onLine([{ at: 3 }, { at: 1 }, { at: 4, ...locked(1) }, { at: 2 }]);
  const { order, solution } = orderOf(problem);
  expect(order?.[1]).toBe('at 4');
  expect(checkSolution(problem, solution)).toEqual([]);
});

test('capacity, skills and the number of stops do not count any more', () => {
  const { order, late, overtime } = orderOf(
    onLine(
      [
        { at: 2, skills: ['cooled'] },
        { at: 1, kilograms: 50 },
      ],
      { capacityKg: 1, maxStops: 1 },
    ),
  );
  expect({ order, late, overtime }).toEqual({ order: ['at 1', 'at 2'], late: [], overtime: 0 });
});

test('a window that is over already is late by little, and others are kept', () => {
  const { order, late } = orderOf(onLine([{ at: 3 }, { at: 1, windows: [[0, 30]] }, { at: 2, windows: [[0, 130]] }]));
  expect(order).toEqual(['at 1', 'at 2', 'at 3']);
  expect(late).toEqual(['at 1']);
});

test('of two windows that exclude each other one is missed, and no stop is left out', () => {
  const problem = onLine([
    { at: 20, windows: [[0, 1200]] },
    { at: 1, windows: [[1200, 1260]] },
  ]);
  const { order, late } = orderOf(problem);
  expect(order).toHaveLength(2);
  expect(late).toHaveLength(1);
});

test('a route beyond the end of its shift is put in order all the same', () => {
  const problem = onLine([{ at: 30, ...locked(0) }, { at: 10 }, { at: 40 }], { shift: [0, 600] });
  const { order, overtime } = orderOf(problem);
  expect(order).toEqual(['at 30', 'at 40', 'at 10']);
  expect(overtime).toBe((30 + 10 + 30 - 10) * 60);
});

test('the order is never worse than the present one', () => {
  for (const seed of [1, 2, 3, 4]) {
    const problem = createRoutingProblem({ seed, stops: 25, vehicles: 1 }, { windows: 0.3, skills: 0 });
    const best = optimize(problem, quickly).routes[0]?.visits.map(({ stop }) => stop) ?? [];
    const rank = (id: string) => (best.includes(id) ? best.indexOf(id) : best.length);
    const sorted = { ...problem, stops: problem.stops.toSorted((a, b) => rank(a.id) - rank(b.id)) };
    const present = putInOrder(sorted, { limit: { iterations: 1 }, seed: 1 }).solution.cost;
    expect(putInOrder(sorted, quickly).solution.cost).toBeLessThanOrEqual(present);
  }
});

test('only one vehicle is put in order', () => {
  const two = createRoutingProblem({ seed: 1, stops: 3, vehicles: 2 });
  expect(() => putInOrder(two, quickly)).toThrow(InvalidProblem);
});

test('one more stop is placed where it costs least, behind what is done', () => {
  const problem = onLine([{ at: 6, ...locked(0) }, { at: 8 }, { at: 10 }, { at: 9 }, { at: 5 }], { end: 0 });
  const routes = { van: ['at 6', 'at 8', 'at 10'] };
  expect(placeStop(problem, routes, 'at 9')).toEqual({ vehicle: 'van', position: 2, cost: 0, lateness: 0 });
  // On the way out it would cost nothing either, but that part is done.
  expect(placeStop(problem, routes, 'at 5')).toEqual({ vehicle: 'van', position: 3, cost: 0, lateness: 0 });
});

test('one more stop makes nobody late while there is such a place, even if it costs more', () => {
  const problem = onLine([
    { at: 8, windows: [[0, 480]] },
    { at: 2, serviceSeconds: 60 },
  ]);
  expect(placeStop(problem, { van: ['at 8'] }, 'at 2')).toEqual({
    vehicle: 'van',
    position: 1,
    cost: 360,
    lateness: 0,
  });
});

test('one more stop goes to a vehicle with room and skills, or nowhere', () => {
  const full = onLine([{ at: 3 }, { at: 2, skills: ['cooled'] }], { maxStops: 1 });
  expect(placeStop(full, { van: ['at 3'] }, 'at 2')).toBeNull();
  const [van] = full.vehicles as [Vehicle];
  const second = { ...full, vehicles: [van, { ...van, id: 'cooled van', skills: ['cooled'] }] };
  expect(placeStop(second, { van: ['at 3'] }, 'at 2')).toMatchObject({ vehicle: 'cooled van', position: 0, cost: 120 });
  expect(() => placeStop(full, {}, 'nowhere')).toThrow(InvalidProblem);
});
