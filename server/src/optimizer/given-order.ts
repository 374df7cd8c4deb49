import { createModel } from './model.ts';
import { faultsOfProblem, InvalidProblem, type Problem, type Solution } from './problem.ts';
import { createSolution } from './solution.ts';

/**
 * The solution in which each vehicle serves these stops in this order, such as another engine has found it. Nothing is made sure of: it is
 * for the checker to find what is wrong with it.
 * @throws InvalidProblem; Error for a stop or a vehicle that the problem does not have
 */
export function solutionOf(problem: Problem, routes: ReadonlyMap<string, readonly string[]>): Solution {
  const faults = faultsOfProblem(problem);
  if (faults.length > 0) throw new InvalidProblem(faults);
  const numbers = new Map(problem.stops.map(({ id }, stop) => [id, stop]));
  const vehicles = new Set(problem.vehicles.map(({ id }) => id));
  for (const id of routes.keys()) if (!vehicles.has(id)) throw new Error(`the problem has no vehicle ${id}`);
  const orders = problem.vehicles.map(({ id }) =>
    (routes.get(id) ?? []).map((name) => {
      const stop = numbers.get(name);
      if (stop === undefined) throw new Error(`the problem has no stop ${name}`);
      return stop;
    }),
  );
  return createSolution(createModel(problem), orders);
}
