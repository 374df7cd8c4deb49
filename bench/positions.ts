import { setTimeout as sleep } from 'node:timers/promises';
import type { MapQuery } from '@waybill/contract';
import pg from 'pg';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import { findOnMap } from '../server/src/packages/on-map.ts';
import type { Queryable } from '../server/src/platform/database/db.ts';
import { lookupsPerSecond, startLookups } from './lookups-beside.ts';
import { now } from './monotonic-clock.ts';
import type { Command, Sent } from './positions-run.ts';
import { startProduct, type Session } from './product.ts';
import { median, quantile, ratioOf } from './quantiles.ts';
import { driverEmail } from './seed.ts';
import type { Arrival, Command as StreamCommand } from './subscribers.ts';

/** As a phone sends them that was without a network for a few minutes. */
const pointsOfBatch = 20;
const drivers = 25;
const steadyPointsPerSecond = 5_000;
/** How long a tracker is watched. */
const shownSeconds = 10;

/** Points of drivers: how many a second, what they do to lookups, and what they send to trackers. */
export async function benchPositions({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const database = await databases.copy('bench_positions', size.packages);
  const product = await startProduct(database);
  const lookups = await startLookups(product.url, database.connection, size.steadySeconds);
  const client = new pg.Client(database.connection);
  const sender = await startChild<Command, Sent | null>('positions-run.ts');
  const stream = await startChild<StreamCommand, Arrival[]>('subscribers.ts');
  try {
    await client.connect();
    // One after the other: passwords are hashed a few at a time.
    const sessions: Session[] = [];
    for (let driver = 1; driver <= drivers; driver++) sessions.push(await product.signIn(driverEmail(driver)));
    const { rows: others } = await client.query<{ id: string }>(
      "select id from users where role = 'driver' and not id = any($1::uuid[]) order by id limit $2",
      [sessions.map(({ id }) => id), drivers],
    );
    await client.query(
      "insert into position_consents (user_id, agreed_at) select id, now() - interval '1 day' from users where role = 'driver'",
    );
    const tokens = sessions.map(({ token }) => token);
    await sender.run({ open: database.connection });
    // Each round has times of its own, so that no point is known before.
    let startsAt = Date.now() - 40 * 60_000;
    const count = size.writes;
    const next = () => {
      const batches = { count, points: pointsOfBatch, startsAt };
      startsAt += count * pointsOfBatch;
      return batches;
    };
    const speeds = await rounds.interleave(size.fewRounds, {
      product: async () => (await sender.run({ url: product.url, tokens, batches: next() }))?.pointsPerSecond ?? 0,
      bare: async () =>
        (await sender.run({ driverIds: others.map(({ id }) => id), batches: next() }))?.pointsPerSecond ?? 0,
    });
    report(
      {
        measure: `positions in batches of ${pointsOfBatch}`,
        unit: 'points/s',
        product: median(speeds.product),
        baseline: { name: 'the same batches by unnest, without HTTP', figure: median(speeds.bare) },
        ratio: ratioOf(speeds.product, speeds.bare),
        goal: { of: 'ratio', is: 'at least', bound: 0.5 },
      },
      {
        measure: `positions in batches of ${pointsOfBatch}`,
        unit: 'points/s',
        product: median(speeds.product),
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at least', bound: 10_000 },
      },
    );

    const sent: number[] = [];
    const p99 = await rounds.interleave(size.rounds, {
      quiet: () => lookups.p99(),
      busy: async () => {
        await sender.run({ url: product.url, tokens, batches: next(), perSecond: steadyPointsPerSecond });
        startsAt += size.steadySeconds * 2 * steadyPointsPerSecond;
        const took = await lookups.p99();
        sent.push((await sender.run('stop'))?.pointsPerSecond ?? 0);
        return took;
      },
    });
    report({
      measure: `lookup p99 at ${lookupsPerSecond}/s beside ${steadyPointsPerSecond.toLocaleString('en')} points a second`,
      unit: 'ms',
      product: median(p99.busy),
      baseline: { name: 'without points', figure: median(p99.quiet) },
      ratio: ratioOf(p99.busy, p99.quiet),
      goal: { of: 'ratio', is: 'at most', bound: 2 },
    });

    // So often that one slow read, such as the first, is not the p95.
    await measureMap(client, 5 * size.lists, report);

    // A tracker that shows the driver, who has one next stop and reports ten times a second.
    const [driver] = sessions;
    if (!driver) throw new Error('no driver');
    await client.query(
      "update packages set status = 'in transit' where driver_id = $1 and status = 'out for delivery'",
      [driver.id],
    );
    const { rows: shown } = await client.query<{ id: string; trackingId: string }>(
      `select id, tracking_id as "trackingId" from packages where driver_id = $1 and status = 'in transit' order by id desc limit 1`,
      [driver.id],
    );
    for (const { id } of shown) await driver.api.deliveries.next({ params: { id } });
    const { hostname: host, port } = new URL(product.url);
    await stream.run({
      open: shown.map(({ trackingId }) => `/api/track/${trackingId}/live`),
      host,
      port: Number(port),
    });
    // The change itself is no position.
    await stream.run('arrivals');
    const shownFrom = now();
    await sender.run({
      url: product.url,
      tokens: tokens.slice(0, 1),
      batches: { count: 1, points: 1, startsAt: Date.now() - 5_000 },
      perSecond: 10,
    });
    await sleep(shownSeconds * 1000);
    await sender.run('stop');
    // On a busy machine the last points take a while: what comes meanwhile counts, and the time as well.
    const shownTo = now();
    const events = (await stream.run('arrivals')).filter(({ at }) => at <= shownTo);
    report({
      measure: 'events on the tracker of a package whose driver reports ten times a second',
      unit: 'a second',
      product: events.length / ((shownTo - shownFrom) / 1000),
      baseline: null,
      ratio: null,
      goal: { of: 'product', is: 'at most', bound: 1 },
    });
    note(
      `${drivers} drivers at work, 32 batches under way at a time. At the steady rate ${Math.round(median(sent)).toLocaleString('en')} points a second came through. The baseline writes the same two tables by one statement, without consent, duty and time being checked.`,
    );
  } finally {
    await Promise.all([lookups.stop(), sender.stop(), stream.stop(), client.end()]);
    await product.stop();
  }
}

/** A part of a town, and the nearest packages to somewhere in it. */
const mapQueries: Record<string, MapQuery> = {
  'a viewport': { bbox: [13.38, 52.48, 13.44, 52.52] },
  'the nearest 20': { near: { lon: 13.41, lat: 52.5 } },
};

/** The statements of the map, alone in the database: unfinished packages lie around twelve towns. */
async function measureMap(client: pg.Client, times: number, report: BenchContext['report']): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 0');
  for (const [name, query] of Object.entries(mapQueries)) {
    const took: number[] = [];
    let rows = 0;
    const explaining: Queryable = {
      async query(sql, params) {
        const { rows: found } = await client.query<{ 'QUERY PLAN': Explained[] }>(
          `explain (analyze, format json) ${sql}`,
          params,
        );
        const explained = found[0]?.['QUERY PLAN'][0];
        if (!explained || !JSON.stringify(explained).includes('"packages_shown_on_map"'))
          throw new Error('the index of the map was not used');
        took.push(explained['Execution Time']);
        rows = explained.Plan['Actual Rows'];
        return [];
      },
    };
    for (let time = 0; time < times; time++) await findOnMap(explaining, query);
    report({
      measure: `${name} of the map, ${Math.round(rows)} packages: p95 in the database`,
      unit: 'ms',
      product: quantile(took, 0.95),
      baseline: null,
      ratio: null,
      goal: { of: 'product', is: 'at most', bound: 5 },
    });
  }
}

interface Explained {
  'Execution Time': number;
  Plan: { 'Actual Rows': number };
}
