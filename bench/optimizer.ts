import { availableParallelism } from 'node:os';
import type { BenchContext } from './bench.ts';
import { quickSeconds } from '../server/src/optimizer/threads.ts';
import { startChild } from './child-process.ts';
import { referenceCosts, type GeneratedName } from './generated-instances.ts';
import type { Command, Outcome } from './optimizer-run.ts';
import { readInstances, type Family } from './public-instances.ts';
import { median } from './quantiles.ts';
import type { Finding, Goal } from './report.ts';

const atMost = (bound: number, of: Goal['of'] = 'product'): Goal => ({ of, is: 'at most', bound });

type Run = (command: Omit<Command, 'seconds' | 'seed'> & { seconds?: number; seed?: number }) => Promise<Outcome>;

/** Searches of a part: each for a fixed CPU time, in one process for each core. */
async function withSearches({ size, report, note }: BenchContext, measure: (run: Run) => Promise<void>): Promise<void> {
  const start = () => startChild<Command, Outcome>('optimizer-run.ts');
  const idle = await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, start));
  const waiting: ((child: (typeof idle)[number]) => void)[] = [];
  const faults: string[] = [];
  let runs = 0;
  try {
    await measure(async ({ seconds = 1, seed = 1, ...command }) => {
      let child = idle.pop() ?? (await new Promise<(typeof idle)[number]>((resolve) => waiting.push(resolve)));
      // As in the product, a long search is the first one of its thread.
      if (seconds > quickSeconds) {
        await child.stop();
        child = await start();
      }
      const outcome = await child.run({ ...command, seconds: seconds * size.searchScale, seed });
      const next = waiting.shift();
      if (next) next(child);
      else idle.push(child);
      runs++;
      faults.push(...outcome.faults);
      return outcome;
    });
    report({
      measure: `faults that the checker finds in the results of all ${runs} runs`,
      unit: 'faults',
      product: faults.length,
      baseline: null,
      ratio: null,
      goal: atMost(0),
    });
    note(
      'A search is given CPU time of its thread, so that other load on the machine hardly matters. Figures are medians of the seeds.',
      ...faults.slice(0, 5),
    );
  } finally {
    await Promise.all(idle.map((child) => child.stop()));
  }
}

/** The median gap of some seeds to a cost, in %. */
async function gapOf(
  { fewRounds }: BenchContext['size'],
  run: Run,
  command: { instance: Command['instance']; seconds: number; cost: number },
): Promise<number> {
  const { instance, seconds, cost } = command;
  const seeds = Array.from({ length: fewRounds }, (_, index) => index + 1);
  const outcomes = await Promise.all(seeds.map((seed) => run({ instance, by: 'product', seconds, seed })));
  return median(outcomes.map((outcome) => 100 * (outcome.cost / cost - 1)));
}

const gap = (measure: string, product: number, bound: number): Finding => ({
  measure,
  unit: '%',
  product,
  baseline: null,
  ratio: null,
  goal: atMost(bound),
});

/** Public instances with the best costs that anybody has published. */
export async function benchPublicInstances(context: BenchContext): Promise<void> {
  const { size, report, note } = context;
  const families = { cvrp: readInstances('cvrp'), solomon: readInstances('solomon'), tsp: readInstances('tsp') };
  if (Object.values(families).every((instances) => instances.length === 0)) {
    note(
      'Not measured: `ROUTING_INSTANCES` names no folder with public instances, which do not belong to the repository.',
    );
    return;
  }
  await withSearches(context, async (run) => {
    const gapsOf = (family: Family, seconds: number) =>
      Promise.all(
        families[family].map(async ({ name, bestKnown }) => ({
          name,
          gap: await gapOf(size, run, { instance: { family, name }, seconds, cost: bestKnown }),
        })),
      );
    // The long searches first: short ones fill what they leave of the cores.
    const [cvrp, solomon, tsp] = await Promise.all([gapsOf('cvrp', 10), gapsOf('solomon', 1), gapsOf('tsp', 1)]);
    if (solomon.length > 0) {
      const mean = solomon.reduce((sum, { gap }) => sum + gap, 0) / solomon.length;
      report(gap(`mean gap to the best known cost at 1 CPU s: Solomon, ${solomon.length} instances`, mean, 1));
      note(`Solomon, by instance: ${solomon.map(({ name, gap }) => `${name} ${gap.toFixed(2)} %`).join(', ')}.`);
    }
    for (const { name, gap: found } of cvrp) report(gap(`gap to the best known cost at 10 CPU s: ${name}`, found, 0.5));
    for (const { name, gap: found } of tsp) report(gap(`gap to the shortest tour at 1 CPU s: ${name}`, found, 0));
  });
}

/** The repository's own instances, against stored costs, longer searches and simple algorithms. */
export async function benchOptimizer(context: BenchContext): Promise<void> {
  const { size, report, note } = context;
  await withSearches(context, async (run) => {
    const costs = async (instance: GeneratedName, seconds: number, longer: number | null) => {
      const others = ['greedy insertion', 'nearest neighbour'] as const;
      const [product, long, ...simple] = await Promise.all([
        run({ instance, by: 'product', seconds }),
        longer === null ? null : run({ instance, by: 'product', seconds: longer }),
        ...others.map((by) => run({ instance, by })),
      ]);
      const against = (name: string, other: Outcome, bound: number): Finding => ({
        measure: `cost at ${seconds} CPU s: ${instance}`,
        unit: 's',
        product: product.cost,
        baseline: { name, figure: other.cost },
        ratio: product.cost / other.cost,
        goal: atMost(bound, 'ratio'),
      });
      note(`${instance}: ${product.unassigned} left out by the product.`);
      return [
        ...(long ? [against(`at ${longer} CPU s`, long, 1.02)] : []),
        ...simple.map((other, index) => against(`${others[index]}, with ${other.unassigned} stops left out`, other, 1)),
      ];
    };
    const stored = Object.entries(referenceCosts).map(async ([name, cost]) => {
      const found = await gapOf(size, run, { instance: name as GeneratedName, seconds: 1, cost });
      return [gap(`gap to the stored cost at 1 CPU s: ${name}`, found, 5)];
    });
    // Together, so that no core waits for the longest search.
    const findings = await Promise.all([
      ...stored,
      costs('300 stops, 8 vehicles', 10, 60),
      costs('1,000 stops, 25 vehicles', 60, null),
    ]);
    report(...findings.flat());
    note('Costs are seconds of driving, with 600 for each vehicle and 14,400 for each stop that is left out.');
  });
}
