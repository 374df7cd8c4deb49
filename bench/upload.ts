import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import type { Connection } from './databases.ts';
import { startProduct } from './product.ts';
import { median, quantile, ratioOf } from './quantiles.ts';
import { smallOwner } from './seed.ts';
import type { Command } from './uploader.ts';

export const lookupsPerSecond = 200;

interface Round {
  lookupP99: number;
  uploads: number[];
}

/** Uploads 12-megapixel photos one after the other, while tracking IDs are looked up at a steady rate. */
export async function benchUpload({ databases, size, rounds, report }: BenchContext): Promise<void> {
  const database = await databases.shared(size.packages);
  const ids = await someTrackingIds(database.connection);
  // A separate process, so that sending uploads does not delay the lookups measured here.
  const uploader = await startChild<Command, unknown>('./uploader.ts');
  const product = await startProduct(database);
  try {
    const bytes = (await uploader.run('size')) as number;
    const { token } = await product.signIn(smallOwner);
    const lookups = () => lookUp(product.url, ids, size.steadySeconds);
    const figures = await rounds.interleave<'quiet' | 'busy', Round>(size.rounds, {
      quiet: async () => ({ lookupP99: await lookups(), uploads: [] }),
      busy: async () => {
        await uploader.run({ url: product.url, token });
        const lookupP99 = await lookups();
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
    await product.stop();
    await uploader.stop();
  }
}

/** Looks up IDs at a fixed rate, regardless of earlier responses (open workload). @returns the 99th percentile, in ms */
export async function lookUp(base: string, ids: string[], seconds: number): Promise<number> {
  const took: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < lookupsPerSecond * seconds; count++) {
    const dueAt = startedAt + (count * 1000) / lookupsPerSecond;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    took.push(lookupTime(`${base}/api/track/${ids[count % ids.length]}`, dueAt));
  }
  return quantile(await Promise.all(took), 0.99);
}

async function lookupTime(url: string, dueAt: number): Promise<number> {
  const reply = await fetch(url);
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`a lookup was answered ${reply.status}`);
  return performance.now() - dueAt;
}

export async function someTrackingIds(connection: Connection): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    'select tracking_id from packages order by random() limit 1000',
  );
  await client.end();
  return rows.map((row) => row.tracking_id);
}
