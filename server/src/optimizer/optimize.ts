import { startProgress, type Limit, type Progress } from './limit.ts';
import { createModel, faultsOfLocks, isFeasible, withLocks, type Model } from './model.ts';
import { faultsOfProblem, InvalidProblem, type Problem, type Solution } from './problem.ts';
import { createRandom, type Random } from './random.ts';
import { searchRoutes, type Orders } from './sisr.ts';
import { createSolution } from './solution.ts';
import { improveTour } from './tour.ts';

export interface SearchOptions {
  limit: Limit;
  seed: number;
  /** Stops by vehicle to begin with, such as the present routes. A route that is not feasible is passed over. */
  initial?: Readonly<Record<string, readonly string[]>>;
  /** In s; the wall clock by default. */
  clock?: () => number;
  /** Looked at some thousand times a second; ends the search with the best solution so far. */
  isStopped?: () => boolean;
  /** Called with the cost of each better solution, the seconds since the beginning, and a function that makes it. */
  onBetter?: (cost: number, seconds: number, solution: () => Solution) => void;
}

/** The share of the limit after which a tour without regard to time must prove feasible. */
const trial = 0.2;

/**
 * Solves a routing problem in this thread, which it blocks. Deterministic with a limit of iterations.
 * @throws InvalidProblem
 */
export function optimize(problem: Problem, options: SearchOptions): Solution {
  const { limit, seed, clock = () => performance.now() / 1000, isStopped = () => false, onBetter } = options;
  const progress = startProgress(limit, clock, isStopped);
  const faults = faultsOfProblem(problem);
  if (faults.length > 0) throw new InvalidProblem(faults);
  const model = createModel(problem);
  const broken = faultsOfLocks(model);
  if (broken.length > 0) throw new InvalidProblem(broken);
  const random = createRandom(seed);

  let best: Orders = [];
  let bestCost = Infinity;
  const keep = (orders: () => Orders, cost: number) => {
    if (cost >= bestCost) return;
    const found = orders();
    best = found;
    bestCost = cost;
    onBetter?.(cost, progress.seconds(), () => createSolution(model, found));
  };
  const initial = ordersOf(model, options.initial ?? {});
  if (!isSingleTour(model)) searchRoutes(model, random, progress, keep, initial);
  else {
    const isTour = searchTour(model, random, partOf(progress, limit, 0, trial), keep, initial[0]!);
    const rest = partOf(progress, limit, trial, 1);
    if (isTour) searchTour(model, random, rest, keep, best[0]!);
    else searchRoutes(model, random, rest, keep, initial);
  }
  return createSolution(model, best);
}

/** @returns the stops of each vehicle; only the locked ones where the given order is not feasible */
function ordersOf(model: Model, initial: Readonly<Record<string, readonly string[]>>): Orders {
  const { stops, vehicles } = model.problem;
  const numbers = new Map(stops.map(({ id }, stop) => [id, stop]));
  const seen = new Set<number>(model.locks.flat());
  return vehicles.map(({ id }, vehicle) => {
    const free: number[] = [];
    for (const name of initial[id] ?? []) {
      const stop = numbers.get(name);
      if (stop === undefined || seen.has(stop) || model.allowed[vehicle * model.stops + stop] === 0) continue;
      seen.add(stop);
      free.push(stop);
    }
    const order = withLocks(model, vehicle, free);
    return isFeasible(model, vehicle, order) ? order : [...model.locks[vehicle]!];
  });
}

/** A part of a search, from one share of its limit to another. Its iterations count from its own beginning. */
function partOf(progress: Progress, limit: Limit, from: number, to: number): Progress {
  const done = 'iterations' in limit ? from * limit.iterations : 0;
  return { ...progress, share: (iteration) => Math.max(0, progress.share(iteration + done) - from) / (to - from) };
}

/** With fewer stops SISR tries nearly every order, and local search has too few moves. */
const fewestInTour = 8;

/** Whether the problem is the order of all stops on one vehicle, without windows: local search is better at that than SISR. */
function isSingleTour(model: Model): boolean {
  const { vehicles, stops, locks, frozen } = model;
  if (vehicles !== 1 || stops - frozen[0]! < fewestInTour || locks[0]!.length > frozen[0]!) return false;
  const isFrozen = (stop: number) => model.lockedTo[stop] === 0;
  const everyStop = Array.from({ length: stops }, (_, stop) => stop);
  const kilograms = model.kilograms.reduce((sum, weight) => sum + weight, 0);
  return (
    stops <= model.maxStops[0]! &&
    kilograms <= model.capacity[0]! &&
    everyStop.every(
      (stop) =>
        isFrozen(stop) ||
        (model.allowed[stop] === 1 && model.opens[stop] === -Infinity && model.closes[stop] === Infinity),
    )
  );
}

/**
 * Improves the tour of the only vehicle. Its start and end become one node, which makes the route a closed tour.
 * @returns whether there is a tour within the shift in which no stop is a detour that its penalty is not worth
 */
function searchTour(
  model: Model,
  random: Random,
  progress: Progress,
  onBetter: (orders: () => Orders, cost: number) => void,
  initial: readonly number[],
): boolean {
  const { stops, nodes, costFrom } = model;
  const frozen = model.locks[0]!;
  const free = Array.from({ length: stops }, (_, stop) => stop).filter((stop) => model.lockedTo[stop] !== 0);
  const size = free.length + 1;
  const start = frozen.at(-1) ?? model.startNode[0]!;
  const end = model.endNode[0]!;
  const arc = (from: number, to: number) => costFrom[from * nodes + to]!;
  const cost = new Float64Array(size * size);
  for (let from = 0; from < size; from++)
    for (let to = 0; to < size; to++)
      cost[from * size + to] = arc(from === 0 ? start : free[from - 1]!, to === 0 ? end : free[to - 1]!);

  let before = model.fixedCost[0]!;
  for (const [index, stop] of frozen.entries()) before += arc(frozen[index - 1] ?? model.startNode[0]!, stop);
  const place = new Map(free.map((stop, index) => [stop, index + 1]));
  const first = new Set([0, ...initial.flatMap((stop) => place.get(stop) ?? []), ...place.values()]);
  const penalties = model.penalty.reduce((sum, penalty) => sum + penalty, 0);
  let found = false;
  improveTour(cost, size, Int32Array.from(first), random, progress, (tour, length) => {
    const depot = tour.indexOf(0);
    const order = [...frozen];
    for (let offset = 1; offset < size; offset++) order.push(free[tour[(depot + offset) % size]! - 1]!);
    const isWorthIt = order.every((stop, index) => {
      const previous = order[index - 1] ?? model.startNode[0]!;
      const next = order[index + 1] ?? end;
      const detour = arc(previous, stop) + arc(stop, next) - arc(previous, next);
      return model.lockedTo[stop] === 0 || detour <= model.penalty[stop]!;
    });
    if (!isWorthIt || before + length > penalties || !isFeasible(model, 0, order)) return;
    found = true;
    onBetter(() => [order], before + length);
  });
  return found;
}
