import { Agent, request } from 'node:http';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, SignedIn } from '@waybill/contract';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { cloneDatabase } from '../server/src/testing/postgres.ts';
import { eventually, packageInput } from '../server/src/testing/test-product.ts';
import type { Resources } from './soak-gauge.ts';
import { full, runsLong, size } from './storm-size.ts';

/** Requests until compilation, prepared statements and pools are warm; then batches, with a sample after each. */
const warmUp = size(500, 30_000);
const batchSize = size(300, 4000);
const batches = size(3, 15);

let product: RunningProduct | undefined;
afterAll(() => product?.stop());

interface RequestOptions {
  method?: string;
  token?: string;
  body?: object;
  /** Disconnects after the first bytes, to close a stream. */
  disconnects?: boolean;
}

/** @returns the text of the response, whatever its status: refusals take memory too */
const send = (agent: Agent, path: string, { method = 'GET', token, body, disconnects }: RequestOptions = {}) =>
  new Promise<string>((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    request(`${product?.url}/api${path}`, { method, agent, headers }, (response) => {
      let received = '';
      response.on('data', (chunk: Buffer) => (received += chunk.toString())).on('close', () => resolve(received));
      if (disconnects) response.once('data', () => response.destroy());
    })
      .on('error', reject)
      .end(text);
  });

const signUp = (by: Client, role: 'owner' | 'driver') =>
  by.auth.register({ body: { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role } });

/** Sends all kinds of requests in turn, including refused ones, with a concurrency of eight on new connections. */
async function serve(owner: SignedIn, driver: SignedIn, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const to = (path: string, options?: RequestOptions) => send(agent, path, options);
  const idOf = (answer: string) => JSON.parse(answer) as { id: string; trackingId: string };
  const create = async () => idOf(await to('/packages', { method: 'POST', token: owner.token, body: packageInput() }));
  const act = (id: string, action: string, body?: object) =>
    to(`/deliveries/${id}/${action}`, { method: 'POST', token: driver.token, ...(body && { body }) });
  const known = await create();
  // A delivery takes four requests.
  const deliver = async () => {
    const { id } = await create();
    await act(id, 'start');
    await act(id, 'next');
    await act(id, 'complete', { note: 'At the door' });
  };
  const kinds: (() => Promise<unknown>)[] = [
    deliver,
    () => to(`/track/${known.trackingId}`),
    () => to(`/track/${known.trackingId}/live`, { disconnects: true }),
    () => to('/live', { token: driver.token, disconnects: true }),
    () => to(`/packages/user/${owner.id}?limit=20&q=lamp`, owner),
    () => to(`/packages/${known.id}/events`, owner),
    () => to('/notifications', owner),
    () => to('/packages/none', owner),
    () => to('/packages', { method: 'POST', token: owner.token, body: { name: 'x', unknown: Math.random() } }),
    () => to(`/nothing/${Math.random()}`),
    () => to('/users/me'),
  ];
  let sent = 0;
  const sendInTurn = async () => {
    while (sent < count) await kinds[sent++ % kinds.length]?.();
  };
  await Promise.all(Array.from({ length: 8 }, sendInTurn));
  agent.destroy();
}

/**
 * The growth of the heap per 1,000 requests: the slope of a linear regression. Skips the first third of the samples: there the heap
 * still shrinks after the start, which would hide a leak.
 */
function slopeOf(all: { thousands: number; kilobytes: number }[]): number {
  const samples = all.slice(Math.floor(all.length / 3));
  const mean = (of: (sample: (typeof samples)[number]) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [x, y] = [mean(({ thousands }) => thousands), mean(({ kilobytes }) => kilobytes)];
  const covariance = mean(({ thousands, kilobytes }) => (thousands - x) * (kilobytes - y));
  return covariance / mean(({ thousands }) => (thousands - x) ** 2);
}

async function readResources(): Promise<Resources> {
  const reports = () => product?.output().match(/^held .*$/gm) ?? [];
  const before = reports().length;
  process.kill(product?.pid ?? 0, 'SIGUSR2');
  await eventually('what it holds', () => reports().length > before);
  return JSON.parse(reports().at(-1)?.slice('held '.length) ?? '') as Resources;
}

test.runIf(runsLong && existsSync('/proc/self/fd'))(
  `${batchSize * batches} requests of all kinds leak no memory, descriptors, timers or connections`,
  async () => {
    const { host = '', port, user, database } = await cloneDatabase();
    product = await startProduct({
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'soak-gauge.ts')).href}`,
    });
    const watcher = new pg.Client({ host, port, user, database });
    await watcher.connect();
    const connections = async () => {
      const { rows } = await watcher.query<{ open: number }>(
        'select count(*)::int as open from pg_stat_activity where datname = current_database()',
      );
      return rows[0]?.open ?? 0;
    };
    const owner = await signUp(product.api(), 'owner');
    const driver = await signUp(product.api(), 'driver');
    await serve(owner, driver, warmUp);
    const samples: (Resources & { connections: number })[] = [];
    for (let done = 0; done <= batches; done++) {
      if (done > 0) await serve(owner, driver, batchSize);
      samples.push({ ...(await readResources()), connections: await connections() });
    }
    await watcher.end();
    const slope = slopeOf(
      samples.map(({ heapKilobytes }, sample) => ({
        thousands: (sample * batchSize) / 1000,
        kilobytes: heapKilobytes,
      })),
    );
    const of = (kind: keyof (typeof samples)[number]) => samples.map((sample) => Math.round(sample[kind])).join(' ');
    console.log(
      `heap ${of('heapKilobytes')} KB, ${slope.toFixed(1)} KB for each 1,000 requests; descriptors ${of('descriptors')}; timers ${of('timers')}; connections ${of('connections')}`,
    );
    const [first, last] = [samples[0], samples.at(-1)];
    // A pool may open another connection at any time; a leak per request would add hundreds.
    for (const kind of ['descriptors', 'timers', 'connections'] as const)
      expect((last?.[kind] ?? 0) - (first?.[kind] ?? 0)).toBeLessThan(15);
    // A small run ends while code is still being compiled.
    if (full) expect(slope).toBeLessThan(30);
  },
);
