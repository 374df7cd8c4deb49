import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runsAll } from '../testing/suite.ts';
import { createRoutingProblem } from '../testing/routing-problems.ts';
import { checkSolution } from './checker.ts';
import { optimize } from './optimize.ts';
import { InvalidProblem, type Problem, type Solution, type Stop, type TimeWindow, type Vehicle } from './problem.ts';

/** Repeatable in `npm test`; other problems each time in `npm run test:all`. */
const atRandom = runsAll ? { numRuns: 2000 } : { numRuns: 300, seed: 647242998 };
const quickly = { limit: { iterations: 300 }, seed: 1 };

/** Small problems with every feature, few of which can be solved without leaving something out. */
const problems: fc.Arbitrary<Problem> = fc
  .record({ places: fc.integer({ min: 1, max: 8 }), stops: fc.integer({ min: 0, max: 14 }) })
  .chain(({ places, stops }) => {
    const place = fc.nat(places - 1);
    // Times with and without fractions, whose sums differ by rounding; detours may be shorter than straight ways.
    const amounts = fc
      .tuple(
        fc.array(fc.nat(50), { minLength: places * places, maxLength: places * places }),
        fc.constantFrom(1, 0.1, 1 / 3),
      )
      .map(([list, unit]) => Float64Array.from(list, (amount) => amount * unit));
    const skills = fc.subarray(['cooled', 'heavy'], { maxLength: 1 });
    const window = fc.tuple(fc.nat(200), fc.nat(100)).map(([from, width]): TimeWindow => [from, from + width]);
    const vehicle: fc.Arbitrary<Omit<Vehicle, 'id'>> = fc.record({
      shift: fc.tuple(
        fc.nat(20),
        fc.oneof(
          fc.integer({ min: 50, max: 400 }),
          fc.double({ min: 1e3, max: 1e9, noNaN: true }),
          fc.constant(Infinity),
        ),
      ),
      start: place,
      end: fc.option(place),
      capacityKg: fc.option(fc.nat(20)),
      maxStops: fc.option(fc.nat(6)),
      skills: fc.subarray(['cooled', 'heavy']),
      fixedCost: fc.nat(30),
    });
    const stop: fc.Arbitrary<Omit<Stop, 'id'>> = fc.record({
      place,
      serviceSeconds: fc.nat(20),
      windows: fc.oneof(fc.constant([]), fc.array(window, { maxLength: 3 })),
      kilograms: fc.nat(40).map((tenths) => tenths / 10),
      skills,
      penalty: fc.oneof(fc.nat(100), fc.constant(10_000)),
    });
    return fc.record({
      matrix: fc.record({ size: fc.constant(places), seconds: amounts, metres: amounts }),
      costs: fc.constantFrom({ perSecond: 1, perMetre: 0 }, { perSecond: 0.5, perMetre: 2 }),
      vehicles: fc
        .array(vehicle, { maxLength: 4 })
        .map((list) => list.map((one, index) => ({ ...one, id: `v${index}` }))),
      stops: fc
        .array(stop, { minLength: stops, maxLength: stops })
        .map((list) => list.map((one, index) => ({ ...one, id: `s${index}` }))),
    });
  });

/** Locks some stops where a solution has them, so that the locks can be kept together. */
const withSomeLocks = fc.tuple(problems, fc.array(fc.nat(30), { maxLength: 6 })).map(([problem, picks]): Problem => {
  const { routes } = optimize(problem, quickly);
  const places = routes.flatMap(({ vehicle, visits }) =>
    visits.map(({ stop }, position) => [stop, { vehicle, position }] as const),
  );
  const locks = new Map(picks.flatMap((pick) => places.slice(pick, pick + 1)));
  return {
    ...problem,
    stops: problem.stops.map((stop) => {
      const locked = locks.get(stop.id);
      return locked ? { ...stop, locked } : stop;
    }),
  };
});

test('every solution passes the checker: with windows, skills, capacity, open ends, asymmetric ways, and whatever cannot be served', () => {
  fc.assert(
    fc.property(problems, (problem) => {
      expect(checkSolution(problem, optimize(problem, quickly))).toEqual([]);
    }),
    atRandom,
  );
});

test('a vehicle whose shift has no end keeps no stop that closes before it comes, where losing another stop has made the way longer', () => {
  const stop = (id: string, place: number, more: Partial<Stop> = {}): Stop => ({
    id,
    place,
    serviceSeconds: 0,
    windows: [],
    kilograms: 0,
    skills: [],
    penalty: 10_000,
    ...more,
  });
  const problem: Problem = {
    matrix: {
      size: 7,
      seconds: Float64Array.from(
        [
          [0, 18, 9, 32, 37, 6, 0],
          [29, 47, 11, 33, 0, 42, 0],
          [22, 9, 45, 17, 29, 15, 0],
          [3, 30, 0, 0, 0, 0, 0],
          [0, 0, 3, 0, 0, 0, 0],
          [48, 26, 0, 36, 0, 0, 0],
          [0, 0, 0, 0, 0, 0, 0],
        ].flat(),
      ),
      metres: Float64Array.from(
        [
          [0, 12, 15, 9, 19, 0, 0],
          [10, 16, 10, 0, 15, 0, 0],
          [2, 29, 0, 0, 16, 6, 0],
          [0, 37, 44, 0, 14, 0, 0],
          [10, 36, 20, 17, 0, 19, 0],
          [0, 26, 39, 40, 25, 10, 0],
          [0, 0, 0, 0, 0, 0, 0],
        ].flat(),
      ),
    },
    costs: { perSecond: 0.5, perMetre: 2 },
    vehicles: [
      {
        id: 'v0',
        shift: [0, Infinity],
        start: 0,
        end: null,
        capacityKg: null,
        maxStops: null,
        skills: [],
        fixedCost: 0,
      },
    ],
    stops: [
      stop('s0', 0),
      stop('s1', 0, { serviceSeconds: 8, kilograms: 1 }),
      stop('s2', 4, { penalty: 31 }),
      stop('s3', 5, { serviceSeconds: 15 }),
      stop('s4', 2, { windows: [[1, 61]] }),
      stop('s5', 0),
      stop('s6', 0),
      stop('s7', 3, { windows: [[62, 73]], kilograms: 2.8 }),
      stop('s8', 2, { windows: [[12, 12]] }),
    ],
  };
  expect(checkSolution(problem, optimize(problem, quickly))).toEqual([]);
});

test('locked stops keep their places', () => {
  fc.assert(
    fc.property(withSomeLocks, (problem) => {
      const lockable = () => {
        try {
          return optimize(problem, quickly);
        } catch (error) {
          // Locked stops without those in between can be infeasible.
          expect(error).toBeInstanceOf(InvalidProblem);
          return null;
        }
      };
      const solution = lockable();
      if (solution) expect(checkSolution(problem, solution)).toEqual([]);
    }),
    atRandom,
  );
});

/** The search is a heuristic, which proves nothing about problems that it has not seen: always the same ones. */
const certain = { numRuns: 100, seed: 1 };

/** The least cost of one vehicle, by trying every order of every subset. */
function leastCost(problem: Problem): number {
  const [vehicle] = problem.vehicles as [Vehicle];
  const { size, seconds, metres } = problem.matrix;
  const { perSecond, perMetre } = problem.costs;
  let least = Infinity;
  const extend = (place: number, clock: number, cost: number, kilograms: number, left: readonly Stop[]): void => {
    if (cost >= least) return;
    const count = problem.stops.length - left.length;
    const home = place * size + (vehicle.end ?? place);
    const wayHome = vehicle.end === null ? [0, 0] : [seconds[home] ?? 0, metres[home] ?? 0];
    const [backSeconds = 0, backMetres = 0] = count === 0 ? [0, 0] : wayHome;
    if (clock + backSeconds <= vehicle.shift[1]) {
      const penalties = left.reduce((sum, { penalty }) => sum + penalty, 0);
      const total = cost + perSecond * backSeconds + perMetre * backMetres + penalties;
      least = Math.min(least, total + (count > 0 ? vehicle.fixedCost : 0));
    }
    for (const stop of left) {
      if (!stop.skills.every((skill) => vehicle.skills.includes(skill)) || count >= (vehicle.maxStops ?? Infinity))
        continue;
      if (kilograms + stop.kilograms > (vehicle.capacityKg ?? Infinity) + 1e-9) continue;
      const arc = place * size + stop.place;
      const arrival = clock + (seconds[arc] ?? 0);
      const begins = stop.windows.filter(([, to]) => to >= arrival).map(([from]) => Math.max(from, arrival));
      const begin = stop.windows.length === 0 ? arrival : Math.min(...begins);
      if (begin === Infinity) continue;
      const way = perSecond * (seconds[arc] ?? 0) + perMetre * (metres[arc] ?? 0);
      const others = left.filter((other) => other !== stop);
      extend(stop.place, begin + stop.serviceSeconds, cost + way, kilograms + stop.kilograms, others);
    }
  };
  extend(vehicle.start, vehicle.shift[0], 0, 0, problem.stops);
  return least;
}

test('with one vehicle and few stops nothing is cheaper, by trying every order', () => {
  const small = problems
    .filter(({ vehicles }) => vehicles.length > 0)
    .map((problem) => ({
      ...problem,
      vehicles: problem.vehicles.slice(0, 1),
      // Penalties that are worth more than any detour: stops that are only worth it together are not found.
      stops: problem.stops.slice(0, 5).map((stop) => ({ ...stop, penalty: 10_000 })),
    }));
  fc.assert(
    fc.property(small, (problem) => {
      const { cost } = optimize(problem, { limit: { iterations: 1000 }, seed: 1 });
      expect(cost).toBeCloseTo(leastCost(problem), 6);
    }),
    certain,
  );
});

test('a tour without windows is the shortest one, in both directions of an asymmetric matrix', () => {
  const tours = problems
    .filter(({ vehicles, stops }) => vehicles.length > 0 && stops.length >= 8)
    .map((problem): Problem => ({
      ...problem,
      stops: problem.stops.slice(0, 8).map((stop) => ({ ...stop, windows: [], skills: [], penalty: 10_000 })),
      vehicles: problem.vehicles
        .slice(0, 1)
        .map((vehicle) => ({ ...vehicle, shift: [0, Infinity], capacityKg: null, maxStops: null })),
    }));
  fc.assert(
    fc.property(tours, (problem) => {
      const { cost } = optimize(problem, { limit: { iterations: 1000 }, seed: 1 });
      expect(cost).toBeCloseTo(leastCost(problem), 6);
    }),
    certain,
  );
});

test('the same seed and number of iterations find the same solution, and each better one costs less', () => {
  const problem = createRoutingProblem({ seed: 3, stops: 40, vehicles: 3 });
  const solve = (seed: number) => {
    const costs: number[] = [];
    const solution = optimize(problem, { limit: { iterations: 400 }, seed, onBetter: (cost) => costs.push(cost) });
    return { solution, costs };
  };
  const first = solve(1);
  expect(solve(1)).toEqual(first);
  expect(solve(2).costs).not.toEqual(first.costs);
  expect(first.costs.length).toBeGreaterThan(3);
  expect(first.costs).toEqual(first.costs.toSorted((a, b) => b - a));
  expect(first.solution.cost).toBeCloseTo(first.costs.at(-1) ?? 0, 6);
});

test('a search ends when its time is up, and at once when it is stopped', () => {
  const problem = createRoutingProblem({ seed: 3, stops: 40, vehicles: 3 });
  let now = 0;
  const clock = () => (now += 0.01);
  optimize(problem, { limit: { seconds: 1 }, seed: 1, clock });
  expect(now).toBeGreaterThan(1);
  expect(now).toBeLessThan(2);
  let looks = 0;
  const isStopped = () => ++looks > 3;
  const solution = optimize(problem, { limit: { seconds: Infinity }, seed: 1, isStopped });
  expect(checkSolution(problem, solution)).toEqual([]);
});

describe('a stop that is left out has a reason', () => {
  const place = (id: string, change: Partial<Stop> = {}): Stop => ({
    id,
    place: 1,
    serviceSeconds: 10,
    windows: [],
    kilograms: 1,
    skills: [],
    penalty: 10_000,
    ...change,
  });
  const solve = (stops: Stop[], change: Partial<Vehicle> = {}): Solution => {
    const problem: Problem = {
      matrix: { size: 2, seconds: Float64Array.of(0, 100, 100, 0), metres: new Float64Array(4) },
      costs: { perSecond: 1, perMetre: 0 },
      stops,
      vehicles: [
        {
          id: 'van',
          shift: [0, 1000],
          start: 0,
          end: 0,
          capacityKg: 3,
          maxStops: 5,
          skills: [],
          fixedCost: 0,
          ...change,
        },
      ],
    };
    const solution = optimize(problem, quickly);
    expect(checkSolution(problem, solution)).toEqual([]);
    return solution;
  };
  const two = [place('a'), place('b')];

  test.each([
    ['skill', [place('a', { skills: ['cooled'] })], {}],
    ['capacity', [place('a', { kilograms: 4 })], {}],
    ['capacity', two, { capacityKg: 1 }],
    ['too_far', [place('a')], { shift: [0, 209] }],
    ['too_far', [place('a', { penalty: 199 })], {}],
    ['window', [place('a', { windows: [[0, 99]] })], {}],
    ['window', two.map((stop) => ({ ...stop, windows: [[100, 105]] as const })), {}],
    ['too_many_stops', two, { maxStops: 1 }],
    ['too_many_stops', two, { maxStops: 0 }],
    ['shift', two, { shift: [0, 219] }],
    ['skill', two, { skills: [] }],
  ] as const)('%s', (reason, stops, change) => {
    const needsSkill = reason === 'skill' ? stops.map((stop) => ({ ...stop, skills: ['cooled'] })) : [...stops];
    const { unassigned } = solve(needsSkill, change);
    expect(new Set(unassigned.map((left) => left.reason))).toEqual(new Set([reason]));
  });
});

test('a driver leaves so late that nobody waits at the first stop', () => {
  const problem = createRoutingProblem({ seed: 5, stops: 3, vehicles: 1 }, { windows: 1, skills: 0 });
  const { routes } = optimize(problem, quickly);
  const [first] = routes[0]?.visits ?? [];
  expect(first?.arrival).toBe(first?.begin);
  expect(routes[0]?.departure).toBeGreaterThan(8 * 3600);
});

test('problems that contradict themselves are refused, by name', () => {
  const problem = createRoutingProblem({ seed: 5, stops: 3, vehicles: 2 });
  const [stop, ...others] = problem.stops as [Stop, ...Stop[]];
  const [vehicle, ...fleet] = problem.vehicles as [Vehicle, ...Vehicle[]];
  const refused: [Partial<Problem>, string][] = [
    [{ stops: [{ ...stop, place: 99 }, ...others] }, 'stop stop 0 has no place in the matrix'],
    [{ stops: [stop, stop] }, 'two stops are named stop 0'],
    [{ stops: [{ ...stop, kilograms: -1 }] }, 'stop stop 0 has a kilograms that is negative or not a number'],
    [{ stops: [{ ...stop, windows: [[2, 1]] }] }, 'stop stop 0 has a window that ends before it begins'],
    [
      { stops: [{ ...stop, locked: { vehicle: 'x', position: 0 } }] },
      'stop stop 0 is locked to vehicle x, which does not exist',
    ],
    [
      { stops: problem.stops.map((one) => ({ ...one, locked: { vehicle: vehicle.id, position: 0 } })) },
      'two stops are locked to position 0 of vehicle vehicle 0',
    ],
    [
      { stops: [{ ...stop, kilograms: 1e6, locked: { vehicle: vehicle.id, position: 0 } }] },
      'the locked stops of vehicle vehicle 0 cannot be kept together',
    ],
    [{ vehicles: [vehicle, vehicle] }, 'two vehicles are named vehicle 0'],
    [{ vehicles: [{ ...vehicle, shift: [2, 1] }, ...fleet] }, 'vehicle vehicle 0 has no shift'],
    [{ matrix: { ...problem.matrix, metres: new Float64Array(3) } }, 'the matrix of metres is not 4 by 4'],
    [{ costs: { perSecond: Number.NaN, perMetre: 0 } }, 'perSecond is negative or not a number'],
  ];
  for (const [change, sentence] of refused) {
    let faults: readonly string[] = [];
    try {
      optimize({ ...problem, ...change }, quickly);
    } catch (error) {
      faults = (error as InvalidProblem).faults;
    }
    expect(faults).toContain(sentence);
  }
});
