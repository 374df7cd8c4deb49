import { checkSolution } from '../server/src/optimizer/checker.ts';
import { optimize } from '../server/src/optimizer/optimize.ts';
import { insertGreedily, visitNearest } from './baselines/simple-routes.ts';
import { handleCommands } from './child-process.ts';
import { generatedInstances, type GeneratedName } from './generated-instances.ts';
import { readInstances, type Family } from './public-instances.ts';

/** One search for a problem, or a baseline. `seconds` are CPU time of the thread. */
export interface Command {
  instance: { family: Family; name: string } | GeneratedName;
  by: 'product' | 'greedy insertion' | 'nearest neighbour';
  seconds: number;
  seed: number;
}

export interface Outcome {
  cost: number;
  unassigned: number;
  /** What the checker found. */
  faults: string[];
}

function problemOf(instance: Command['instance']) {
  if (typeof instance === 'string') return generatedInstances[instance]();
  const found = readInstances(instance.family).find(({ name }) => name === instance.name);
  if (!found) throw new Error(`there is no instance ${instance.name}`);
  return found.problem;
}

/** The CPU time of this thread: neither other processes nor V8's own threads count. */
function clock(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

handleCommands(({ instance, by, seconds, seed }: Command): Outcome => {
  const problem = problemOf(instance);
  const solve = {
    product: () => optimize(problem, { limit: { seconds }, seed, clock }),
    'greedy insertion': () => insertGreedily(problem),
    'nearest neighbour': () => visitNearest(problem),
  };
  const solution = solve[by]();
  const faults = checkSolution(problem, solution).map(({ of, message }) => `${of}: ${message}`);
  return { cost: solution.cost, unassigned: solution.unassigned.length, faults };
});
