import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicView } from '@waybill/contract';
import pg from 'pg';
import type { Command as BareCommand } from './baselines/bare-streams.ts';
import type { BenchContext } from './bench.ts';
import { startChild, type Child } from './child-process.ts';
import { now } from './monotonic-clock.ts';
import type { Connection, Database } from './databases.ts';
import { startProduct, type Session } from './product.ts';
import { quantile, ratioOf } from './quantiles.ts';
import { driverEmail } from './seed.ts';
import type { Arrival, Command } from './subscribers.ts';

interface Watched {
  id: string;
  trackingId: string;
}

interface Change {
  trackingId: string;
  changedAt: string;
  sentAt: number;
  answeredAt: number;
}

/** Latencies of events after their change in one round, in ms. */
interface Delays {
  fromAnswer: number[];
  fromSending: number[];
}

type Subscribers = Child<Command, Arrival[]>;

const streamsOfPackage = 2;
const changesPerSecond = 50;
const steps = ['start', 'next', 'complete'] as const;

/** The latency from a change to its subscribers, and the memory of a stream. */
export async function benchLive(context: BenchContext): Promise<void> {
  const { databases, size, note } = context;
  const database = await databases.copy('bench_live', size.packages);
  for (const streams of size.streams) {
    const isGoal = streams === size.streams[0];
    await benchStreams(context, database, streams, isGoal ? 50 : null);
  }
  note(
    `${changesPerSecond} changes a second, each seen by ${streamsOfPackage} streams; ${size.changes} changes in each round. Quantiles are of the events of all rounds together, ratios of each round's quantiles.`,
  );
}

/** @param goal the bound for the 99th percentile, in ms */
async function benchStreams(
  { size, rounds, report }: BenchContext,
  database: Database,
  streams: number,
  goal: number | null,
): Promise<void> {
  const watched = await newestPending(database.connection, streams / streamsOfPackage);
  const product = await startProduct(database);
  const bare = await startChild<BareCommand, string | number>('baselines/bare-streams.ts');
  const ofProduct: Subscribers = await startChild('subscribers.ts');
  const ofBare: Subscribers = await startChild('subscribers.ts');
  try {
    const driver = await product.signIn(driverEmail(1));
    const view = (await driver.api.tracking.view({
      params: { id: watched[0]?.trackingId ?? '' },
    })) satisfies PublicView;
    const bareUrl = String(await bare.run({ view }));
    const bareMemory = async () => Number(await bare.run('memory'));
    const memory = {
      product: await memoryOfStream(ofProduct, product.url, watched, product.settledMemory),
      bare: await memoryOfStream(ofBare, bareUrl, watched, bareMemory),
    };

    const takeNext = (queue: Watched[]) => queue.splice(0, size.changes / steps.length);
    const [forProduct, forBare] = [[...watched], [...watched]];
    const delays = await rounds.interleave(size.fewRounds, {
      product: () => measure(ofProduct, takeNext(forProduct), (pkg, step) => changeProduct(driver, pkg, step)),
      bare: () => measure(ofBare, takeNext(forBare), (pkg) => changeBare(bareUrl, pkg)),
    });
    const counted = `${streams.toLocaleString('en')} streams`;
    const bareName = 'bare node:http that stores nothing';
    for (const since of ['fromAnswer', 'fromSending'] as const)
      for (const [point, p] of [
        ['p50', 0.5],
        ['p99', 0.99],
      ] as const) {
        const all = (latencies: Delays[]) =>
          quantile(
            latencies.flatMap((round) => round[since]),
            p,
          );
        const each = (latencies: Delays[]) => latencies.map((round) => quantile(round[since], p));
        const isBound = goal !== null && point === 'p99' && since === 'fromSending';
        report({
          measure: `change to subscriber, ${counted}: ${point} from its ${since === 'fromAnswer' ? 'response' : 'sending'}`,
          unit: 'ms',
          product: all(delays.product),
          baseline: { name: bareName, figure: all(delays.bare) },
          // The bare server answers before it sends, so a ratio from its response means nothing.
          ratio: since === 'fromAnswer' ? null : ratioOf(each(delays.product), each(delays.bare)),
          goal: isBound ? { of: 'product', is: 'at most', bound: goal } : null,
        });
      }
    report({
      measure: `memory of a stream, ${counted}`,
      unit: 'KB',
      product: memory.product,
      baseline: { name: bareName, figure: memory.bare },
      ratio: memory.product / memory.bare,
      goal: { of: 'product', is: 'at most', bound: 25 },
    });
  } finally {
    await Promise.all([ofProduct.stop(), ofBare.stop()]);
    await Promise.all([product.stop(), bare.stop()]);
  }
}

async function newestPending(connection: Connection, count: number): Promise<Watched[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<Watched>(
    `select id, tracking_id as "trackingId" from packages where status = 'processing' order by id desc limit $1`,
    [count],
  );
  await client.end();
  return rows;
}

/** Opens all streams. @returns the growth of the server's memory per stream, in KB (1,000 bytes) */
async function memoryOfStream(
  subscribers: Subscribers,
  url: string,
  watched: Watched[],
  settled: () => Promise<number>,
): Promise<number> {
  const { hostname: host, port } = new URL(url);
  const open = Array.from({ length: streamsOfPackage }, () =>
    watched.map(({ trackingId }) => `/api/track/${trackingId}/live`),
  ).flat();
  const before = await settled();
  await subscribers.run({ open, host, port: Number(port) });
  return ((await settled()) - before) / open.length / 1000;
}

/** Takes each package through its delivery at a steady rate, and measures when its subscribers receive the events. */
async function measure(
  subscribers: Subscribers,
  packages: Watched[],
  change: (pkg: Watched, step: (typeof steps)[number]) => Promise<string>,
): Promise<Delays> {
  const changing: Promise<Change>[] = [];
  for (const step of steps) {
    for (const pkg of packages) {
      const sentAt = now();
      changing.push(
        change(pkg, step).then((changedAt) => ({ trackingId: pkg.trackingId, changedAt, sentAt, answeredAt: now() })),
      );
      await sleep(1000 / changesPerSecond);
    }
  }
  const changes = await Promise.all(changing);
  return delaysOf(changes, await subscribers.run('arrivals'));
}

function delaysOf(changes: Change[], arrivals: Arrival[]): Delays {
  const key = ({ trackingId, changedAt }: Pick<Arrival, 'trackingId' | 'changedAt'>) => `${trackingId} ${changedAt}`;
  const changeOf = new Map(changes.map((change) => [key(change), change]));
  const latencies = arrivals.flatMap((arrival) => {
    const change = changeOf.get(key(arrival));
    return change ? [{ fromAnswer: arrival.at - change.answeredAt, fromSending: arrival.at - change.sentAt }] : [];
  });
  const missing = changes.length * streamsOfPackage - latencies.length;
  if (missing > 0) throw new Error(`${missing} of ${changes.length * streamsOfPackage} events never came`);
  return {
    fromAnswer: latencies.map(({ fromAnswer }) => fromAnswer),
    fromSending: latencies.map(({ fromSending }) => fromSending),
  };
}

/** @returns the package's `updatedAt` after the change */
async function changeProduct({ api }: Session, { id }: Watched, step: (typeof steps)[number]): Promise<string> {
  const { updatedAt } = await api.deliveries[step]({ params: { id } });
  return updatedAt;
}

async function changeBare(url: string, { trackingId }: Watched): Promise<string> {
  const reply = await fetch(`${url}/api/change/${trackingId}`, { method: 'POST' });
  return ((await reply.json()) as { lastUpdate: string }).lastUpdate;
}
