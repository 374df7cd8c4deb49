import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from './bench.ts';
import { lookupsPerSecond, startLookups } from './lookups-beside.ts';
import { startProduct } from './product.ts';
import { median, ratioOf } from './quantiles.ts';
import { smallOwner } from './seed.ts';

const labelsAtOnce = 200;

/** Prints 200 labels at a time, one request after the other, while tracking IDs are looked up at a steady rate. */
export async function benchLabels({ databases, size, rounds, report }: BenchContext): Promise<void> {
  const database = await databases.shared(size.packages);
  const product = await startProduct(database);
  const lookups = await startLookups(product.url, database.connection, size.steadySeconds);
  try {
    const { id, api } = await product.signIn(smallOwner);
    const { items } = await api.packages.listOfUser({
      params: { id },
      query: { limit: labelsAtOnce, status: 'processing,in transit,out for delivery,delivered' },
    });
    const packageIds = items.map((pkg) => pkg.id);
    if (packageIds.length < labelsAtOnce) throw new Error(`the owner has only ${packageIds.length} packages`);
    const print = async () => {
      const before = await product.cpuTime();
      await (await api.labels.print({ body: { packageIds, size: 'a4' } })).arrayBuffer();
      return (await product.cpuTime()) - before;
    };
    // Starts the thread and opens the fonts.
    await print();
    const alone: number[] = [];
    for (let round = 0; round < size.rounds; round++) alone.push(await print());
    const figures = await rounds.interleave<'quiet' | 'busy', number>(size.rounds, {
      quiet: () => lookups.p99(),
      busy: async () => {
        let done = false;
        const printing = (async () => {
          while (!done) {
            await print();
            await sleep(10);
          }
        })();
        const lookupP99 = await lookups.p99();
        done = true;
        await printing;
        return lookupP99;
      },
    });
    report(
      {
        measure: `CPU time of ${labelsAtOnce} labels in one request`,
        unit: 'ms',
        product: median(alone),
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at most', bound: 2000 },
      },
      {
        measure: `lookup p99 at ${lookupsPerSecond}/s while ${labelsAtOnce} labels at a time are printed`,
        unit: 'ms',
        product: median(figures.busy),
        baseline: { name: 'without printing', figure: median(figures.quiet) },
        ratio: ratioOf(figures.busy, figures.quiet),
        // With both cores of a small machine in use, this shows the scheduler rather than the server.
        goal: null,
      },
    );
  } finally {
    await lookups.stop();
    await product.stop();
  }
}
