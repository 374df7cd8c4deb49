import { simulateDays, type SimulatedOutcome } from '../server/src/testing/simulated-days.ts';
import {
  coldModel,
  horizons,
  learnPaces,
  learnQuantiles,
  learnRatios,
  type ArrivalModel,
} from '../server/src/travel/forecast.ts';
import type { BenchContext } from './bench.ts';
import type { Finding } from './report.ts';

/** Days to learn from, and seeds of other drivers, other weather and other streets to be judged on. */
const learnedDays = 28;
const judgedSeeds = [101, 102, 103, 104, 105];
const judgedDays = 10;

const stopsToGo = ['1 stop', '2 or 3 stops', '4 to 8 stops', '9 to 20 stops', '21 stops or more'];

/** How often arrivals are in their windows, and how far forecasts are off, on simulated days. The same numbers on every machine. */
export function benchArrivals({ size, report, note }: BenchContext): Promise<void> {
  const { legs } = simulateDays(1, 0, coldModel, new Map(), learnedDays);
  const ratios = learnRatios(legs, 0);
  // As each night: by what was known of roads and drivers before the days that are forecast.
  const outcomesOf = (seed: number, days: number, quantiles: ArrivalModel['quantiles']) => {
    const { rounds } = simulateDays(seed, 0, coldModel, new Map(), learnedDays);
    const paces = learnPaces(rounds, 0, { ratios, quantiles }).byDriver;
    return simulateDays(seed, days, { ratios, quantiles }, paces, learnedDays).outcomes;
  };
  const quantiles = learnQuantiles(outcomesOf(1, learnedDays, coldModel.quantiles));
  const seeds = judgedSeeds.slice(0, Math.max(1, size.rounds));
  const runs = seeds.map((seed) => outcomesOf(seed, judgedDays, quantiles));
  const all = runs.flat();
  const percentInside = (outcomes: SimulatedOutcome[]) =>
    (100 * outcomes.filter(({ isInside }) => isInside).length) / Math.max(1, outcomes.length);
  const coverage = (measure: string, product: number): Finding[] =>
    (['at least', 'at most'] as const).map((is) => ({
      measure,
      unit: '%',
      product,
      baseline: null,
      ratio: null,
      goal: { of: 'product', is, bound: is === 'at least' ? 75 : 85 },
    }));
  report(...coverage('arrivals in their windows', percentInside(all)));
  for (const [index, seed] of seeds.entries())
    report(...coverage(`arrivals in their windows, days of seed ${seed}`, percentInside(runs[index] ?? [])));
  for (const horizon of horizons.keys()) {
    const name = stopsToGo[horizon] ?? '';
    const outcomes = all.filter((outcome) => outcome.horizon === horizon);
    const minutes = (valueOf: (outcome: SimulatedOutcome) => number) =>
      outcomes.reduce((sum, outcome) => sum + valueOf(outcome), 0) / Math.max(1, outcomes.length) / 60_000;
    const [product, fixed] = [minutes(({ errorMs }) => errorMs), minutes(({ fixedErrorMs }) => fixedErrorMs)];
    report(...coverage(`arrivals in their windows, ${name} to go`, percentInside(outcomes)), {
      measure: `mean error of the arrival, ${name} to go`,
      unit: 'min',
      product,
      baseline: { name: 'so many minutes for each stop', figure: fixed },
      ratio: product / fixed,
      goal: { of: 'ratio', is: 'at most', bound: 1 },
    });
  }
  note(
    `Six drivers a day with rush hours, rain, slow drivers and long waits at doors, roads and widths learned from ${learnedDays} days each and judged on ${judgedDays} days of each of ${seeds.length} other seeds, whose drivers were known for ${learnedDays} days. Without positions of the drivers. The figures are the same on every machine.`,
  );
  return Promise.resolve();
}
