import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicView } from '@waybill/contract';
import pg from 'pg';
import type { Command as BareCommand } from './baselines/bare-streams.ts';
import { startChild, type Child } from './child-process.ts';
import { now } from './monotonic-clock.ts';
import type { Connection, Databases } from './databases.ts';
import { startProduct, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { interleave, median, quantile, ratioOf } from './quantiles.ts';
import { driverEmail } from './seed.ts';
import type { Size } from './sizes.ts';
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

/** Latency of events after their change, in ms: median and 99th percentile of one round. */
interface Delays {
  fromAnswer: { p50: number; p99: number };
  fromSending: { p50: number; p99: number };
}

type Subscribers = Child<Command, Arrival[]>;

const streamsOfPackage = 2;
const changesPerSecond = 50;
const steps = ['start', 'next', 'complete'] as const;

/** The latency from a change to its subscribers, and the memory of a stream. */
export async function benchLive(databases: Databases, size: Size): Promise<Finding[]> {
  const database = await databases.copy('bench_live', size.packages);
  const watched = await newestPending(database.connection, size.streams / streamsOfPackage);
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
    const delays = await interleave(size.rounds, {
      product: () => measure(ofProduct, takeNext(forProduct), (pkg, step) => changeProduct(driver, pkg, step)),
      bare: () => measure(ofBare, takeNext(forBare), (pkg) => changeBare(bareUrl, pkg)),
    });
    const findings = (['fromAnswer', 'fromSending'] as const).flatMap((since) =>
      (['p50', 'p99'] as const).map((point) => {
        const ours = delays.product.map((round) => round[since][point]);
        const theirs = delays.bare.map((round) => round[since][point]);
        return {
          promise: `change to subscriber, ${size.streams.toLocaleString('en')} streams: ${point} ${since === 'fromAnswer' ? 'from its answer' : 'from its sending'}`,
          unit: 'ms',
          product: median(ours),
          baseline: { name: 'bare node:http that stores nothing', figure: median(theirs) },
          ratio: since === 'fromAnswer' ? null : ratioOf(ours, theirs),
          goal: null,
        } satisfies Finding;
      }),
    );
    return [
      ...findings,
      {
        promise: `memory of a stream, ${size.streams.toLocaleString('en')} open`,
        unit: 'KB',
        product: memory.product,
        baseline: { name: 'bare node:http that stores nothing', figure: memory.bare },
        ratio: memory.product / memory.bare,
        goal: { of: 'product', is: 'at most', bound: 25 },
      },
    ];
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
  const points = (delays: number[]) => ({ p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) });
  return {
    fromAnswer: points(latencies.map(({ fromAnswer }) => fromAnswer)),
    fromSending: points(latencies.map(({ fromSending }) => fromSending)),
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
