import pg from 'pg';
import type { Bytes } from './baselines/bare-http.ts';
import { startChild } from './child.ts';
import type { Connection, Databases } from './databases.ts';
import type { Load, LoadResult } from './load.ts';
import { startProduct } from './product.ts';
import type { Finding } from './report.ts';
import { interleave, median, ratioOf } from './rounds.ts';
import { connections, type Size } from './sizes.ts';

/** Each connection asks for its own: no two look up the same package at the same moment but by chance. */
const idsForEachConnection = 1_000;

/** Public lookup of random tracking IDs. */
export async function benchLookup(databases: Databases, size: Size): Promise<Finding[]> {
  const database = await databases.copy('bench_lookup', size.packages);
  const ids = await randomTrackingIds(database.connection, connections * idsForEachConnection);
  const product = await startProduct(database);
  const load = await startChild<Load, LoadResult>('load.ts');
  const bare = await startChild<Bytes, string>('baselines/bare-http.ts');
  const express = await startChild<Connection, string>('baselines/express-pg.ts');
  try {
    const bareUrl = await bare.ask(await answerOf(`${product.url}/api/track/${ids[0]}`));
    const expressUrl = await express.ask(database.connection);
    await assertSameView(`${product.url}/api/track/${ids[1]}`, `${expressUrl}/api/track/${ids[1]}`);
    const requests = ids.map((id) => ({ method: 'GET' as const, path: `/api/track/${id}` }));
    const lookups = (url: string) => async () => {
      const { perSecond, failed } = await load.ask({ url, connections, requests, seconds: size.lookupSeconds });
      if (failed > 0) throw new Error(`${failed} lookups at ${url} failed`);
      return perSecond;
    };
    const figures = await interleave(size.rounds, {
      product: lookups(product.url),
      bare: lookups(bareUrl),
      express: lookups(expressUrl),
    });
    const beside = (name: string, theirs: number[], bound: number): Finding => ({
      promise: `public lookup of random IDs, ${connections} connections`,
      unit: 'requests/s',
      product: median(figures.product),
      baseline: { name, figure: median(theirs) },
      ratio: ratioOf(figures.product, theirs),
      goal: { of: 'ratio', is: 'at least', bound },
    });
    return [
      beside('bare node:http with the same bytes', figures.bare, 0.4),
      beside('Express 5 and pg on the same table', figures.express, 4),
    ];
  } finally {
    await Promise.all([product.stop(), load.stop(), bare.stop(), express.stop()]);
  }
}

async function randomTrackingIds(connection: Connection, count: number): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    'select tracking_id from packages order by random() limit $1',
    [count],
  );
  await client.end();
  const ids = rows.map((row) => row.tracking_id);
  // A small table has fewer than are asked for: some are then looked up more than once.
  return Array.from({ length: count }, (_, place) => ids[place % ids.length] ?? '');
}

/** The bytes of an answer of the product, for the bare server to repeat. Date and connection are Node's own. */
async function answerOf(url: string): Promise<Bytes> {
  const reply = await fetch(url);
  const headers = [...reply.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { headers: Object.fromEntries(headers), body: await reply.text() };
}

/** A baseline that does less than the product proves nothing. */
async function assertSameView(ours: string, theirs: string): Promise<void> {
  const keys = async (url: string) => Object.keys((await (await fetch(url)).json()) as object).join();
  if ((await keys(ours)) !== (await keys(theirs))) throw new Error('product and baseline answer different views');
}
