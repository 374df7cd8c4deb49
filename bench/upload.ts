import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import type { Connection, Databases } from './databases.ts';
import { startProduct, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { interleave, median, quantile, ratioOf } from './rounds.ts';
import { smallOwner } from './seed.ts';
import type { Size } from './sizes.ts';

const lookupsPerSecond = 200;

interface Round {
  lookupP99: number;
  uploads: number[];
}

/** Uploads of a 12 megapixel photo, one after the other, while the tracker is asked at a steady rate. */
export async function benchUpload(databases: Databases, size: Size): Promise<Finding[]> {
  const database = await databases.copy('bench_upload', size.packages);
  const ids = await someTrackingIds(database.connection);
  const photo = await takePhoto();
  const product = await startProduct(database);
  try {
    const owner = await product.signIn(smallOwner);
    const lookups = () => lookUp(product.url, ids, size.lookupSeconds);
    const figures = await interleave<'quiet' | 'busy', Round>(size.rounds, {
      quiet: async () => ({ lookupP99: await lookups(), uploads: [] }),
      busy: async () => {
        const over = new AbortController();
        const uploads = uploadUntil(over.signal, owner, product.url, photo);
        const lookupP99 = await lookups();
        over.abort();
        return { lookupP99, uploads: await uploads };
      },
    });
    const p99 = (rounds: Round[]) => rounds.map((round) => round.lookupP99);
    return [
      {
        promise: `lookup p99 at ${lookupsPerSecond}/s while 12 Mpx photos are uploaded and re-encoded`,
        unit: 'ms',
        product: median(p99(figures.busy)),
        baseline: { name: 'without uploads', figure: median(p99(figures.quiet)) },
        ratio: ratioOf(p99(figures.busy), p99(figures.quiet)),
        goal: { of: 'ratio', is: 'at most', bound: 2 },
      },
      {
        promise: `upload of a 12 Mpx photo of ${(photo.length / 1024 / 1024).toFixed(1)} MB, until a package shows it`,
        unit: 'ms',
        product: median(figures.busy.flatMap((round) => round.uploads)),
        baseline: null,
        ratio: null,
        goal: null,
      },
    ];
  } finally {
    await product.stop();
  }
}

/** As grainy as a photo, so that it is as large and as slow to encode as one. */
const takePhoto = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .blur(1)
    .jpeg({ quality: 85 })
    .toBuffer();

async function uploadUntil(over: AbortSignal, owner: Session, base: string, photo: Buffer): Promise<number[]> {
  const took: number[] = [];
  while (!over.aborted) {
    const startedAt = performance.now();
    const { url, method, headers, image } = await owner.api.images.announce({
      body: { name: 'photo.jpg', type: 'image/jpeg', size: photo.length },
    });
    const put = await fetch(new URL(url, base), { method, headers, body: new Uint8Array(photo) });
    if (!put.ok) throw new Error(`an upload was answered ${put.status}`);
    await owner.api.packages.create({
      body: {
        name: 'With a photo',
        description: 'A package with a photo',
        category: 'Other',
        weight: 1,
        recipientName: 'Anna Schmidt',
        recipientContact: '+49 151 2345678',
        images: [image],
      },
    });
    took.push(performance.now() - startedAt);
  }
  return took;
}

/** The 99th percentile of lookups that start on time, whether those before are answered or not. */
async function lookUp(base: string, ids: string[], seconds: number): Promise<number> {
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

async function someTrackingIds(connection: Connection): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    'select tracking_id from packages order by random() limit 1000',
  );
  await client.end();
  return rows.map((row) => row.tracking_id);
}
