import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from './bench.ts';
import { startProduct } from './product.ts';
import { median, ratioOf } from './quantiles.ts';
import { smallOwner } from './seed.ts';
import { lookUp, lookupsPerSecond, someTrackingIds } from './upload.ts';

const labelsAtOnce = 200;

/** Prints 200 labels at a time, one request after the other, while tracking IDs are looked up at a steady rate. */
export async function benchLabels({ databases, size, rounds, report }: BenchContext): Promise<void> {
  const database = await databases.shared(size.packages);
  const ids = await someTrackingIds(database.connection);
  const product = await startProduct(database);
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
    const lookups = () => lookUp(product.url, ids, size.steadySeconds);
    const figures = await rounds.interleave<'quiet' | 'busy', number>(size.rounds, {
      quiet: lookups,
      busy: async () => {
        let done = false;
        const printing = (async () => {
          while (!done) {
            await print();
            await sleep(10);
          }
        })();
        const lookupP99 = await lookups();
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
    await product.stop();
  }
}
