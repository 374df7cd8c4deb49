import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BenchContext } from './bench.ts';
import { startProduct, type Product, type Session } from './product.ts';
import { median, quantile, ratioOf } from './quantiles.ts';
import { administrator, driverEmail, largeOwner } from './seed.ts';
import { smallTable } from './sizes.ts';

const zone = 'Asia/Kolkata';

const dayMs = 86_400_000;
const lastDays = (days: number) => {
  const dayOf = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  return { from: dayOf(days - 1), to: dayOf(0) };
};

/** The API calls of the administrators' dashboard, and the counts of the owner of a tenth of the packages and of a driver. */
const calls: { name: string; as: string; run: (session: Session) => Promise<unknown> }[] = [
  { name: 'GET /stats', as: administrator, run: ({ api }) => api.stats.read({ query: { zone } }) },
  ...[7, 30, 90].map((days) => ({
    name: `GET /stats/performance, ${days} days`,
    as: administrator,
    run: ({ api }: Session) => api.stats.performance({ query: { days, zone } }),
  })),
  ...(['month', 'driver', 'owner', 'town'] as const).map((by) => ({
    name: `GET /stats/breakdown by ${by}, 30 days`,
    as: administrator,
    run: ({ api }: Session) => api.stats.breakdown({ query: { by, ...lastDays(30) } }),
  })),
  {
    name: 'GET /stats/breakdown by driver, a year',
    as: administrator,
    run: ({ api }: Session) => api.stats.breakdown({ query: { by: 'driver', ...lastDays(365) } }),
  },
  {
    name: 'GET /stats/mine of the large owner, a year',
    as: largeOwner,
    run: ({ api }: Session) => api.stats.own({ query: lastDays(365) }),
  },
  {
    name: 'counts of the large owner',
    as: largeOwner,
    run: ({ api, id }) => api.packages.summary({ params: { id } }),
  },
  {
    name: 'counts of a driver',
    as: driverEmail(1),
    run: ({ api }) => api.deliveries.summary(),
  },
  {
    name: 'a driver’s profile',
    as: driverEmail(1),
    run: ({ api, id }) => api.deliveries.driverInfo({ params: { id } }),
  },
];

/** The dashboards' API calls: how the response time grows with the table, and whether it stays below the goal. */
export async function benchStats({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const small = await databases.shared(smallTable);
  const large = await databases.shared(size.packages);
  const products: Product[] = [];
  try {
    for (const database of [small, large]) products.push(await startProduct(database));
    for (const { name, as, run } of calls) {
      const [ofSmall, ofLarge] = await Promise.all(products.map((product) => product.signIn(as)));
      if (!ofSmall || !ofLarge) throw new Error('nobody signed in');
      const took = await rounds.interleave(size.rounds, {
        small: () => p95Of(() => run(ofSmall), size.calls),
        large: () => p95Of(() => run(ofLarge), size.calls),
      });
      report({
        measure: `${name}, p95: ${size.packages.toLocaleString('en')} packages`,
        unit: 'ms',
        product: median(took.large),
        baseline: { name: `${smallTable.toLocaleString('en')} packages`, figure: median(took.small) },
        ratio: ratioOf(took.large, took.small),
        goal: { of: 'product', is: 'at most', bound: 25 },
      });
    }
    note('The client collects its garbage between the calls.');
  } finally {
    await Promise.all(products.map((product) => product.stop()));
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor'; execution: 'sync' }) => void;

/**
 * This process collects its garbage between the calls: else one of ten was slowed down by that, up to twice its time, since the threads that
 * mark what lives take the cores from the database.
 */
async function p95Of(run: () => Promise<unknown>, times: number): Promise<number> {
  const took: number[] = [];
  collect({ type: 'major', execution: 'sync' });
  for (let time = 0; time < times; time++) {
    collect({ type: 'minor', execution: 'sync' });
    const startedAt = performance.now();
    await run();
    took.push(performance.now() - startedAt);
  }
  return quantile(took, 0.95);
}
