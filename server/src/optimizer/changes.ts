import type { Limit } from './limit.ts';
import { costOfOrder, createModel, earliestBegin, withLocks, type Model } from './model.ts';
import { optimize, type SearchOptions } from './optimize.ts';
import { faultsOfProblem, InvalidProblem, type Problem, type Solution, type Stop } from './problem.ts';

/** All stops of one vehicle in an order, in which some may come too late. */
export interface Sequence {
  solution: Solution;
  /** Stops that are served after their windows, apart from those of the frozen beginning. */
  late: string[];
  /** How long after its shift the vehicle is back, in s. */
  overtime: number;
}

/** How much later than it has to be a stop may be served that misses its windows, in s. If that is too little, any time will do. */
const lateness = 900;
/** The share of the limit within which a search must have placed all stops; otherwise limits are loosened. */
const trial = 0.2;

/**
 * Puts the stops of one vehicle in a better order, such as the rest of a route under way. None is left out: the driver has them all, so
 * capacity, skills and the number of stops do not count any more, and what cannot be in time is late.
 * @param problem with one vehicle; its stops in their present order, and those that are done locked as the frozen beginning
 * @throws InvalidProblem
 */
export function putInOrder(problem: Problem, options: Omit<SearchOptions, 'initial'>): Sequence {
  const [vehicle, ...others] = problem.vehicles;
  const faults = faultsOfProblem(problem);
  if (!vehicle || others.length > 0) faults.push('there is not exactly one vehicle');
  if (!vehicle || faults.length > 0) throw new InvalidProblem(faults);
  let order = problem.stops.map(({ id }) => id);
  let share = 1;
  for (const loosened of loosenedStepwise(problem)) {
    const search = (part: number) =>
      optimize(loosened, { ...options, limit: partOf(options.limit, part), initial: { [vehicle.id]: order } });
    try {
      const { routes, unassigned } = search(trial);
      if (unassigned.length > 0) continue;
      order = routes.flatMap(({ visits }) => visits.map(({ stop }) => stop));
      const solution = search(share - trial);
      return { solution, ...missedBy(problem, solution) };
    } catch (error) {
      // The locked stops alone are late already.
      if (!(error instanceof InvalidProblem)) throw error;
    } finally {
      share -= trial;
    }
  }
  throw new Error('without windows and the end of the shift every stop has a place');
}

const partOf = (limit: Limit, share: number): Limit =>
  'iterations' in limit ? { iterations: Math.ceil(limit.iterations * share) } : { seconds: limit.seconds * share };

/** The problem without the limits that a route under way cannot have; then with later ends of windows; then with none, and no end of the shift. */
function loosenedStepwise(problem: Problem): Problem[] {
  const { matrix, costs, stops, vehicles } = problem;
  let dearest = 0;
  for (const [arc, seconds] of matrix.seconds.entries())
    dearest = Math.max(dearest, costs.perSecond * seconds + costs.perMetre * matrix.metres[arc]!);
  const fixed = vehicles[0]?.fixedCost ?? 0;
  const withEnds = (endOf: (stop: Stop, number: number) => number | null, hasShift: boolean): Problem => ({
    ...problem,
    vehicles: vehicles.map(({ shift: [from, to], ...vehicle }) => ({
      ...vehicle,
      shift: [from, hasShift ? to : Infinity],
      capacityKg: null,
      maxStops: null,
    })),
    stops: stops.map((stop, number) => {
      const end = stop.windows.length > 0 ? endOf(stop, number) : null;
      // No order of all stops costs as much as leaving out one of them.
      const penalty = 1 + fixed + dearest * (stops.length + 1);
      if (end === null) return { ...stop, skills: [], penalty };
      return { ...stop, skills: [], penalty, windows: [[Math.min(...stop.windows.map(([from]) => from)), end]] };
    }),
  });
  const anyTime = withEnds(() => Infinity, false);
  const soonest = soonestBegins(createModel(anyTime));
  const lastEnd = ({ windows }: Stop) => Math.max(...windows.map(([, to]) => to));
  return [
    // Only what nothing could be in time for any more is late.
    withEnds((stop, number) => (soonest[number]! > lastEnd(stop) ? soonest[number]! + lateness : null), true),
    withEnds((stop, number) => Math.max(lastEnd(stop), soonest[number]!) + lateness, true),
    withEnds((stop, number) => Math.max(lastEnd(stop), soonest[number]!) + lateness, false),
    anyTime,
  ];
}

/** When the service of each stop could begin if the vehicle drove there next, after its frozen beginning. */
function soonestBegins(model: Model): number[] {
  const { nodes, timeFrom, service, locks, frozen } = model;
  let node = model.startNode[0]!;
  let clock = model.shiftFrom[0]!;
  for (const stop of locks[0]!.slice(0, frozen[0])) {
    clock = earliestBegin(model, stop, clock + timeFrom[node * nodes + stop]!) + service[stop]!;
    node = stop;
  }
  return Array.from({ length: model.stops }, (_, stop) =>
    Math.max(clock + timeFrom[node * nodes + stop]!, model.opens[stop]!),
  );
}

function missedBy({ stops, vehicles }: Problem, { routes }: Solution): Pick<Sequence, 'late' | 'overtime'> {
  const begins = new Map(routes.flatMap(({ visits }) => visits.map(({ stop, begin }) => [stop, begin])));
  const positions = new Map(routes.flatMap(({ visits }) => visits.map(({ stop }, position) => [stop, position])));
  const isLate = ({ id, windows }: Stop) => {
    const begin = begins.get(id) ?? 0;
    return windows.length > 0 && !windows.some(([from, to]) => begin >= from && begin <= to);
  };
  const firstFree = Math.min(...stops.filter(({ locked }) => !locked).map(({ id }) => positions.get(id) ?? 0));
  return {
    late: stops.filter((stop) => isLate(stop) && positions.get(stop.id)! >= firstFree).map(({ id }) => id),
    overtime: Math.max(0, ...routes.map(({ arrival }) => arrival - vehicles[0]!.shift[1])),
  };
}

/** Where a stop costs least in routes whose order stays. */
export interface Placement {
  vehicle: string;
  position: number;
  /** What the routes cost more. */
  cost: number;
  /** The lateness that it causes, at the stop itself and at all others, in s; 0 if there is a place that causes none. */
  lateness: number;
}

/**
 * Finds the place for one more stop, such as an urgent package: where it makes nobody late if there is such a place, and of these where it
 * costs least. Other stops keep their order; routes that are late already may stay so.
 * @param routes the stops of each vehicle in their order; those of the frozen beginning are locked
 * @returns null if no vehicle has the skills and room for it
 * @throws InvalidProblem
 */
export function placeStop(
  problem: Problem,
  routes: Readonly<Record<string, readonly string[]>>,
  stopId: string,
): Placement | null {
  const faults = faultsOfProblem(problem);
  if (faults.length > 0) throw new InvalidProblem(faults);
  const model = createModel(problem);
  const numbers = new Map(problem.stops.map(({ id }, stop) => [id, stop]));
  const stop = numbers.get(stopId);
  if (stop === undefined) throw new InvalidProblem([`the problem has no stop ${stopId}`]);
  let best: Placement | null = null;
  for (const [vehicle, { id }] of problem.vehicles.entries()) {
    const order = (routes[id] ?? []).flatMap((name) => numbers.get(name) ?? []);
    const kilograms = [...order, stop].reduce((sum, one) => sum + model.kilograms[one]!, 0);
    const hasRoom = order.length < model.maxStops[vehicle]! && kilograms <= model.capacity[vehicle]! + 1e-9;
    if (!hasRoom || model.allowed[vehicle * model.stops + stop] === 0) continue;
    const late = latenessOf(model, vehicle, order);
    const cost = costOfOrder(model, vehicle, order);
    const free = order.filter((one) => model.lockedTo[one] !== vehicle);
    for (let index = 0; index <= free.length; index++) {
      const candidate = withLocks(model, vehicle, free.toSpliced(index, 0, stop));
      const placement: Placement = {
        vehicle: id,
        position: candidate.indexOf(stop),
        cost: costOfOrder(model, vehicle, candidate) - cost,
        lateness: Math.max(0, latenessOf(model, vehicle, candidate) - late),
      };
      const saved = best ? best.lateness - placement.lateness || best.cost - placement.cost : 1;
      if (saved > 0) best = placement;
    }
  }
  return best;
}

/** How late all stops of a route are served together, and how late the vehicle is back, in s. */
function latenessOf(model: Model, vehicle: number, order: readonly number[]): number {
  const { nodes, timeFrom, service, closes } = model;
  let node = model.startNode[vehicle]!;
  let clock = model.shiftFrom[vehicle]!;
  let late = 0;
  for (const stop of order) {
    const arrival = clock + timeFrom[node * nodes + stop]!;
    late += Math.max(0, arrival - closes[stop]!);
    clock = (arrival > closes[stop]! ? arrival : earliestBegin(model, stop, arrival)) + service[stop]!;
    node = stop;
  }
  clock += timeFrom[node * nodes + model.endNode[vehicle]!]!;
  return late + (order.length > 0 ? Math.max(0, clock - model.shiftTo[vehicle]!) : 0);
}
