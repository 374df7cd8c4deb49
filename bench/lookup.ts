import pg from 'pg';
import type { Bytes } from './baselines/bare-http.ts';
import { startChild } from './child-process.ts';
import type { Connection, Databases } from './databases.ts';
import type { Load, LoadRequest, LoadResult } from './load.ts';
import { startProduct } from './product.ts';
import type { Finding } from './report.ts';
import { interleave, median, ratioOf } from './quantiles.ts';
import { connections, type Size } from './sizes.ts';

/** Each connection has its own IDs, so that concurrent lookups of the same package are rare. */
const idsPerConnection = 1_000;

/** The number of client addresses behind the proxy, for limits per address. */
const addresses = 5_000;

/** Public lookup of random tracking IDs, with the limits off and as shipped, with the limits on. */
export async function benchLookup(databases: Databases, size: Size): Promise<Finding[]> {
  const database = await databases.copy('bench_lookup', size.packages);
  const ids = await randomTrackingIds(database.connection, connections * idsPerConnection);
  const product = await startProduct(database);
  const shipped = await startProduct(database, { RATE_LIMITS: 'on', LOAD_SHEDDING: 'on', TRUST_PROXY: 'on' });
  const load = await startChild<Load, LoadResult>('load.ts');
  const bare = await startChild<Bytes, string>('baselines/bare-http.ts');
  const express = await startChild<Connection, string>('baselines/express-pg.ts');
  try {
    const bareUrl = await bare.run(await responseOf(`${product.url}/api/track/${ids[0]}`));
    const expressUrl = await express.run(database.connection);
    await assertSameView(`${product.url}/api/track/${ids[1]}`, `${expressUrl}/api/track/${ids[1]}`);
    const requests = ids.map((id) => ({ method: 'GET' as const, path: `/api/track/${id}` }));
    const fromMany = requests.map((request, index) => ({ ...request, from: addressOf(index % addresses) }));
    const answers = { good: 0, refused: 0 };
    const lookupsAsShipped = (shippedRequests: LoadRequest[]) => async () => {
      const { perSecond, failed } = await load.run({
        url: shipped.url,
        connections,
        requests: shippedRequests,
        seconds: size.lookupSeconds,
      });
      answers.refused += failed;
      answers.good += perSecond * size.lookupSeconds;
      return perSecond;
    };
    const lookups = (url: string) => async () => {
      const { perSecond, failed } = await load.run({ url, connections, requests, seconds: size.lookupSeconds });
      if (failed > 0) throw new Error(`${failed} lookups at ${url} failed`);
      return perSecond;
    };
    const figures = await interleave(size.rounds, {
      product: lookups(product.url),
      oneAddress: lookupsAsShipped(requests),
      manyAddresses: lookupsAsShipped(fromMany),
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
    const asShipped = (from: string, ours: number[]): Finding => ({
      promise: `as shipped, with the limits on, from ${from}`,
      unit: 'requests/s',
      product: median(ours),
      baseline: { name: 'the same with the limits off', figure: median(figures.product) },
      ratio: ratioOf(ours, figures.product),
      goal: { of: 'ratio', is: 'at least', bound: 0.9 },
    });
    return [
      beside('bare node:http with the same bytes', figures.bare, 0.4),
      beside('Express 5 and pg on the same table', figures.express, 4),
      asShipped('one address', figures.oneAddress),
      asShipped(`${addresses.toLocaleString('en')} addresses`, figures.manyAddresses),
      {
        promise: 'as shipped, refused although nothing but existing IDs was asked for',
        unit: 'of 100',
        product: (100 * answers.refused) / (answers.good + answers.refused),
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at most', bound: 0 },
      },
    ];
  } finally {
    await Promise.all([product.stop(), shipped.stop(), load.stop(), bare.stop(), express.stop()]);
  }
}

/** An address of the range reserved for benchmarks (RFC 2544). */
const addressOf = (index: number): string => `198.18.${index >> 8}.${index & 255}`;

async function randomTrackingIds(connection: Connection, count: number): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    'select tracking_id from packages order by random() limit $1',
    [count],
  );
  await client.end();
  const ids = rows.map((row) => row.tracking_id);
  // A small table has fewer IDs than needed; repeat them.
  return Array.from({ length: count }, (_, index) => ids[index % ids.length] ?? '');
}

/** A response of the product, for the bare server to repeat. Node adds the headers date and connection itself. */
async function responseOf(url: string): Promise<Bytes> {
  const reply = await fetch(url);
  const headers = [...reply.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { headers: Object.fromEntries(headers), body: await reply.text() };
}

/** Asserts that the baseline returns the same fields: one that does less would prove nothing. */
async function assertSameView(ours: string, theirs: string): Promise<void> {
  const keys = async (url: string) =>
    Object.keys((await (await fetch(url)).json()) as object)
      .toSorted()
      .join();
  if ((await keys(ours)) !== (await keys(theirs))) throw new Error('product and baseline answer different views');
}
