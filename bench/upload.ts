import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import { lookupsPerSecond, startLookups } from './lookups-beside.ts';
import { startProduct } from './product.ts';
import { median, ratioOf } from './quantiles.ts';
import { smallOwner } from './seed.ts';
import type { Command } from './uploader.ts';

interface Round {
  lookupP99: number;
  uploads: number[];
}

/** Uploads 12-megapixel photos one after the other, while tracking IDs are looked up at a steady rate. */
export async function benchUpload({ databases, size, rounds, report }: BenchContext): Promise<void> {
  const database = await databases.shared(size.packages);
  // A separate process, so that sending uploads does not delay the lookups measured here.
  const uploader = await startChild<Command, unknown>('./uploader.ts');
  const product = await startProduct(database);
  const lookups = await startLookups(product.url, database.connection, size.steadySeconds);
  try {
    const bytes = (await uploader.run('size')) as number;
    const { token } = await product.signIn(smallOwner);
    const figures = await rounds.interleave<'quiet' | 'busy', Round>(size.rounds, {
      quiet: async () => ({ lookupP99: await lookups.p99(), uploads: [] }),
      busy: async () => {
        await uploader.run({ url: product.url, token });
        const lookupP99 = await lookups.p99();
        return { lookupP99, uploads: (await uploader.run('stop')) as number[] };
      },
    });
    const p99 = (rounds: Round[]) => rounds.map((round) => round.lookupP99);
    report(
      {
        measure: `lookup p99 at ${lookupsPerSecond}/s while 12 Mpx photos are uploaded and re-encoded`,
        unit: 'ms',
        product: median(p99(figures.busy)),
        baseline: { name: 'without uploads', figure: median(p99(figures.quiet)) },
        ratio: ratioOf(p99(figures.busy), p99(figures.quiet)),
        goal: { of: 'ratio', is: 'at most', bound: 2 },
      },
      {
        measure: `upload of a 12 Mpx photo of ${(bytes / 1024 / 1024).toFixed(1)} MB, until a package shows it`,
        unit: 'ms',
        product: median(figures.busy.flatMap((round) => round.uploads)),
        baseline: null,
        ratio: null,
        goal: null,
      },
    );
  } finally {
    await Promise.all([lookups.stop(), uploader.stop()]);
    await product.stop();
  }
}
