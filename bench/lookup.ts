import { generateTrackingId } from '@waybill/contract';
import pg from 'pg';
import type { Bytes } from './baselines/bare-http.ts';
import type { Command as LookupCommand } from './baselines/bare-lookup.ts';
import type { Command as ExpressCommand } from './baselines/express-pg.ts';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import type { Connection } from './databases.ts';
import type { LightLoad, LightResult } from './light-client.ts';
import type { Load, LoadResult } from './load.ts';
import { measureLookupsOnRoutes } from './lookup-on-routes.ts';
import type { IdsByKind } from './lookup-paths.ts';
import { startProduct } from './product.ts';
import type { Finding } from './report.ts';
import { median, ratioOf } from './quantiles.ts';
import { connections } from './sizes.ts';

/** The number of client addresses behind the proxy, for limits per address. */
const addresses = 5_000;

/** More lookups than a server answers in a second: the load processes prepare so many different ones for each second of a round. */
const differentPerSecond = 40_000;

/** The limits and load shedding as they are by default, behind a proxy that names the client's address. */
const asShipped = { RATE_LIMITS: 'on', LOAD_SHEDDING: 'on', TRUST_PROXY: 'on' };

const recent = `p.created_at > now() - interval '25 days'`;
const old = `p.created_at < now() - interval '32 days'`;

/**
 * Kinds of packages, as conditions in SQL. The public view of the plain ones depends on their own events only; the others' is composed
 * from other rows, from settings or by the time of the lookup. As many of each are looked up, spread over the same days, so that they lie
 * as far apart in the database.
 */
const kinds = {
  plain: `not p.show_sender and p.status = 'processing' and ${recent}`,
  'with the sender shown': `p.show_sender and p.status = 'processing' and ${recent}`,
  'on the road with a driver': `not p.show_sender and p.status in ('in transit', 'out for delivery') and ${recent}`,
  'plain, old': `not p.show_sender and p.status = 'processing' and ${old}`,
  'delivered more than 30 days ago': `not p.show_sender and p.status = 'delivered' and ${old} and p.completed_at < now() - interval '31 days'`,
};

/** Public lookup of random tracking IDs: by two clients, with the limits off and on, of packages and of IDs that do not exist. */
export async function benchLookup(context: BenchContext): Promise<void> {
  const { databases, size, rounds, report, note } = context;
  const database = await databases.shared(size.packages);
  const ids = await findIds(database.connection, size.packages);
  const product = await startProduct(database);
  const shipped = await startProduct(database, asShipped);
  const masking = await startProduct(database, { PUBLIC_RECIPIENT: 'masked' });
  const load = await startChild<Load | { ids: IdsByKind }, LoadResult>('load.ts');
  const light = await startChild<LightLoad | { ids: IdsByKind }, LightResult>('light-client.ts');
  const bare = await startChild<Bytes, string>('baselines/bare-http.ts');
  const bareLookup = await startChild<LookupCommand, string>('baselines/bare-lookup.ts');
  const plainExpress = await startChild<ExpressCommand, string>('baselines/express-pg.ts');
  const tunedExpress = await startChild<ExpressCommand, string>('baselines/express-pg.ts');
  try {
    for (const client of [load, light]) await client.run({ ids });
    const { connection } = database;
    const path = `/api/track/${ids.all?.[0]}`;
    const response = await responseOf(product.url + path);
    const bareUrl = await bare.run(response);
    const bareLookupUrl = await bareLookup.run({ connection, headers: response.headers });
    const plainUrl = await plainExpress.run({ connection, variant: 'plain' });
    const tunedUrl = await tunedExpress.run({ connection, variant: 'tuned' });
    for (const url of [bareLookupUrl, plainUrl, tunedUrl]) await assertSameView(product.url + path, url + path);

    const seconds = size.lookupSeconds;
    const count = Math.ceil((differentPerSecond * seconds) / connections) * connections;
    const refused = { autocannon: 0, light: 0, of: 0 };
    const byAutocannon =
      (url: string, from = 0) =>
      async () => {
        const lookups = { kind: 'all', count, addresses: from };
        const { perSecond, failed } = await load.run({ url, connections, requests: lookups, seconds });
        if (url !== shipped.url && failed > 0) throw new Error(`${failed} lookups at ${url} failed`);
        if (url === shipped.url) {
          refused.autocannon += failed;
          refused.of += perSecond * seconds + failed;
        }
        return perSecond;
      };
    for (const { url } of [product, shipped, masking, ...[bareLookupUrl, plainUrl, tunedUrl].map((url) => ({ url }))]) {
      const warmUp = { kind: 'all', count: Math.min(size.packages, 40_000 * size.warmUpSeconds), addresses: 0 };
      if (size.warmUpSeconds > 0)
        await light.run({ url, connections, seconds: size.warmUpSeconds, lookups: warmUp, status: 200 });
    }
    const clientMicros: number[] = [];
    const byLightClient =
      (url: string, kind = 'all', status = 200, from = 0) =>
      async () => {
        const lookups = { kind, count: Math.min(count, ids[kind]?.length ?? 0), addresses: from };
        const result = await light.run({ url, connections, seconds, lookups, status });
        if (url !== shipped.url && result.failed > 0)
          throw new Error(`${result.failed} lookups ${kind} at ${url} failed`);
        if (url === shipped.url) {
          refused.light += result.failed;
          refused.of += result.perSecond * seconds + result.failed;
        }
        if (url === bareUrl) clientMicros.push(result.clientMicros);
        return result.perSecond;
      };

    const finding = (
      measure: string,
      ours: number[],
      name: string,
      theirs: number[],
      bound: number | null,
    ): Finding => ({
      measure,
      unit: 'requests/s',
      product: median(ours),
      baseline: { name, figure: median(theirs) },
      ratio: ratioOf(ours, theirs),
      goal: bound === null ? null : { of: 'ratio', is: 'at least', bound },
    });
    const everyId = `lookup of random IDs out of all ${ids.all?.length.toLocaleString('en')}`;
    const bareName = 'bare node:http with the same bytes';
    const bareLookupName = 'bare node:http with the same statement in the same batches';
    const limitsOff = 'with the limits off';
    const fromMany = `as shipped, from ${addresses.toLocaleString('en')} addresses`;
    const autocannon = await rounds.interleave(size.lookupRounds, {
      product: byAutocannon(product.url),
      oneAddress: byAutocannon(shipped.url),
      manyAddresses: byAutocannon(shipped.url, addresses),
      bare: byAutocannon(bareUrl),
      bareLookup: byAutocannon(bareLookupUrl),
      plain: byAutocannon(plainUrl),
      tuned: byAutocannon(tunedUrl),
    });
    const everyIdByAutocannon = `${everyId}, by autocannon`;
    report(
      finding(everyIdByAutocannon, autocannon.product, bareName, autocannon.bare, 0.5),
      finding(everyIdByAutocannon, autocannon.product, bareLookupName, autocannon.bareLookup, null),
      finding(`${bareLookupName}, by autocannon`, autocannon.bareLookup, bareName, autocannon.bare, null),
      finding(everyIdByAutocannon, autocannon.product, 'Express 5 and pg, plain', autocannon.plain, 6),
      finding(everyIdByAutocannon, autocannon.product, 'Express 5 and pg, tuned', autocannon.tuned, 3),
      finding('as shipped, from one address', autocannon.oneAddress, limitsOff, autocannon.product, 0.9),
      finding(fromMany, autocannon.manyAddresses, limitsOff, autocannon.product, 0.9),
    );

    const composed = {
      shown: byLightClient(product.url, 'with the sender shown'),
      onTheRoad: byLightClient(product.url, 'on the road with a driver'),
      old: byLightClient(product.url, 'delivered more than 30 days ago'),
      masked: byLightClient(masking.url, 'plain'),
    };
    const byLight = await rounds.interleave(size.lookupRounds, {
      product: byLightClient(product.url),
      oneAddress: byLightClient(shipped.url),
      manyAddresses: byLightClient(shipped.url, 'all', 200, addresses),
      bare: byLightClient(bareUrl),
      bareLookup: byLightClient(bareLookupUrl),
      misses: byLightClient(product.url, 'misses', 404),
      tuned: byLightClient(tunedUrl),
      plain: byLightClient(product.url, 'plain'),
      plainOld: byLightClient(product.url, 'plain, old'),
      ...composed,
    });
    const others = 'packages whose view depends on their own events only';
    report(
      finding(`${everyId}, by a light client`, byLight.product, bareName, byLight.bare, 0.2),
      finding(`${everyId}, by a light client`, byLight.product, bareLookupName, byLight.bareLookup, null),
      finding(`${bareLookupName}, by a light client`, byLight.bareLookup, bareName, byLight.bare, null),
      finding(`${everyId}, by a light client`, byLight.product, 'Express 5 and pg, tuned', byLight.tuned, null),
      finding('as shipped, from one address, by the light client', byLight.oneAddress, limitsOff, byLight.product, 0.9),
      finding(`${fromMany}, by the light client`, byLight.manyAddresses, limitsOff, byLight.product, 0.9),
      finding('IDs that do not exist, by the light client', byLight.misses, 'IDs that exist', byLight.product, null),
      finding('packages with the sender shown, by the light client', byLight.shown, others, byLight.plain, 0.8),
      finding('packages on the road with a driver, by the light client', byLight.onTheRoad, others, byLight.plain, 0.8),
      finding(
        'packages delivered more than 30 days ago, by the light client',
        byLight.old,
        others,
        byLight.plainOld,
        0.8,
      ),
      finding('recipients masked, by the light client', byLight.masked, others, byLight.plain, 0.8),
      {
        measure: 'as shipped, refused although only existing IDs were looked up',
        unit: 'of 100',
        product: (100 * (refused.autocannon + refused.light)) / refused.of,
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at most', bound: 0 },
      },
    );
    note(
      `${size.lookupRounds} rounds, ${connections} connections, ${seconds} s for each contender in each round. Both clients go through all IDs in random order, so that none is looked up twice before each was looked up once.`,
      `The ratios of the rounds, from the lowest to the highest: ${everyIdByAutocannon} ${spreadOf(autocannon.product, autocannon.bare)} of bare node:http and ${spreadOf(autocannon.product, autocannon.tuned)} of tuned Express; as shipped, from one address, ${spreadOf(autocannon.oneAddress, autocannon.product)} by autocannon and ${spreadOf(byLight.oneAddress, byLight.product)} by the light client.`,
      `The light client took ${median(clientMicros).toFixed(1)} µs of CPU per request against the bare server.`,
      `Of packages whose view is composed when it is read, and of plain ones, ${ids.plain?.length.toLocaleString('en')} each were looked up, of the same days, again and again: these rows are in the memory of the database.`,
      'Bare node:http with the same statement in the same batches shows what a Node server that reads each view from PostgreSQL reaches with nothing else to do.',
      'Plain Express has an unnamed statement and maps its row to JSON; tuned has a named prepared statement whose JSON the database makes.',
    );
  } finally {
    const children = [product, shipped, masking, load, light, bare, bareLookup, plainExpress, tunedExpress];
    await Promise.all(children.map((child) => child.stop()));
  }
  await measureLookupsOnRoutes(context);
}

/** The lowest and the highest ratio of one round. */
function spreadOf(ours: number[], theirs: number[]): string {
  const ratios = ours.map((figure, round) => figure / (theirs[round] ?? NaN));
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}

/** Finds tracking IDs of each kind, all those of the table, and as many that do not exist, in random order. */
async function findIds(connection: Connection, count: number): Promise<IdsByKind> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const find = async (condition: string) => {
      const { rows } = await client.query<{ tracking_id: string }>(
        `select tracking_id from packages p where ${condition} order by random()`,
      );
      return rows.map((row) => row.tracking_id);
    };
    const found: IdsByKind = {
      all: await find('true'),
      misses: Array.from({ length: count }, () => generateTrackingId()),
    };
    for (const [kind, condition] of Object.entries(kinds)) found[kind] = await find(condition);
    const fewest = Math.min(...Object.keys(kinds).map((kind) => found[kind]?.length ?? 0));
    for (const kind of Object.keys(kinds)) found[kind]?.splice(fewest);
    return found;
  } finally {
    await client.end();
  }
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
