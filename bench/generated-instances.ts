import type { Problem } from '../server/src/optimizer/problem.ts';
import { createRoutingProblem } from '../server/src/testing/routing-problems.ts';

export const generatedInstances = {
  'a tour of 60 stops': () => createRoutingProblem({ seed: 1, stops: 60, vehicles: 1 }, { windows: 0, skills: 0 }),
  '100 stops, 4 vehicles': () => createRoutingProblem({ seed: 2, stops: 100, vehicles: 4 }),
  '100 stops, all with windows, 5 vehicles': () =>
    createRoutingProblem({ seed: 3, stops: 100, vehicles: 5 }, { windows: 1, loadFactor: 0.97 }),
  '300 stops, 8 vehicles': () => createRoutingProblem({ seed: 4, stops: 300, vehicles: 8 }),
  '1,000 stops, 25 vehicles': () => createRoutingProblem({ seed: 5, stops: 1000, vehicles: 25 }),
} satisfies Record<string, () => Problem>;

export type GeneratedName = keyof typeof generatedInstances;

/** The least costs that searches of 8 and 10 CPU s found. */
export const referenceCosts: Partial<Record<GeneratedName, number>> = {
  'a tour of 60 stops': 22_092,
  '100 stops, 4 vehicles': 34_387,
  '100 stops, all with windows, 5 vehicles': 45_497,
};
