import { availableParallelism } from 'node:os';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import { referenceCosts, type GeneratedName } from './generated-instances.ts';
import type { Command, Outcome } from './optimizer-run.ts';
import { readInstances, type Family } from './public-instances.ts';
import { median } from './quantiles.ts';
import type { Finding, Goal } from './report.ts';

const atMost = (bound: number, of: Goal['of'] = 'product'): Goal => ({ of, is: 'at most', bound });

/** Searches for a fixed CPU time, in one process for each core. */
export async function benchOptimizer({ size, report, note }: BenchContext): Promise<void> {
  const processes = Array.from({ length: Math.min(2, availableParallelism()) }, () =>
    startChild<Command, Outcome>('optimizer-run.ts'),
  );
  const children = await Promise.all(processes);
  const idle = [...children];
  const waiting: ((child: (typeof children)[number]) => void)[] = [];
  const faults: string[] = [];
  let runs = 0;

  async function run(command: Omit<Command, 'seconds' | 'seed'> & { seconds?: number; seed?: number }) {
    const { seconds = 1, seed = 1 } = command;
    const child = idle.pop() ?? (await new Promise<(typeof children)[number]>((resolve) => waiting.push(resolve)));
    const outcome = await child.run({ ...command, seconds: seconds * size.searchScale, seed });
    const next = waiting.shift();
    if (next) next(child);
    else idle.push(child);
    runs++;
    faults.push(...outcome.faults);
    return outcome;
  }
  const seeds = Array.from({ length: size.fewRounds }, (_, index) => index + 1);
  /** The median gap of some seeds to a cost, in %. */
  async function gapOf(instance: Command['instance'], seconds: number, cost: number): Promise<number> {
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
  const gapsOf = (family: Family, seconds: number) =>
    Promise.all(
      readInstances(family).map(async ({ name, bestKnown }) => ({
        name,
        gap: await gapOf({ family, name }, seconds, bestKnown),
      })),
    );

  try {
    const solomon = await gapsOf('solomon', 1);
    if (solomon.length > 0) {
      const mean = solomon.reduce((sum, { gap }) => sum + gap, 0) / solomon.length;
      report(gap(`mean gap to the best known cost at 1 CPU s: Solomon, ${solomon.length} instances`, mean, 1));
      note(`Solomon, by instance: ${solomon.map(({ name, gap }) => `${name} ${gap.toFixed(2)} %`).join(', ')}.`);
    } else note('Without the public instances, which do not belong to the repository.');
    for (const { name, gap: found } of await gapsOf('cvrp', 10))
      report(gap(`gap to the best known cost at 10 CPU s: ${name}`, found, 0.5));
    for (const { name, gap: found } of await gapsOf('tsp', 1))
      report(gap(`gap to the shortest tour at 1 CPU s: ${name}`, found, 0));
    for (const [name, cost] of Object.entries(referenceCosts))
      report(gap(`gap to the stored cost at 1 CPU s: ${name}`, await gapOf(name as GeneratedName, 1, cost), 5));

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
      if (long) report(against(`at ${longer} CPU s`, long, 1.02));
      for (const [index, by] of others.entries()) {
        const other = simple[index];
        if (other) report(against(`${by}, with ${other.unassigned} stops left out`, other, 1));
      }
      note(`${instance}: ${product.unassigned} left out by the product.`);
    };
    await costs('300 stops, 8 vehicles', 10, 60);
    await costs('1,000 stops, 25 vehicles', 60, null);
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
      'Costs are seconds of driving, with 600 for each vehicle and 14,400 for each stop that is left out.',
      ...faults.slice(0, 5),
    );
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}
