import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPorts, startProduct, type RunningProduct } from '../e2e/product.ts';
import { eventually } from '../server/src/testing/test-product.ts';

const METRICS_TOKEN = 'a-token-of-some-length';
let metricsPort: number;
let product: RunningProduct;
let token: string;
beforeAll(async () => {
  metricsPort = await findPorts(2);
  product = await startProduct({
    WORKERS: '2',
    RATE_LIMITS: 'create=6/3600',
    METRICS_PORT: String(metricsPort),
    METRICS_TOKEN,
  });
  ({ token } = await product.api().auth.register({
    body: { name: 'The owner', email: 'owner@example.com', password: 'pond-heron-7', role: 'owner' },
  }));
});
afterAll(() => product.stop());

const workers = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(product.pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts')
      );
    } catch {
      // The process has exited since /proc was read.
      return false;
    }
  });

const headers = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  connection: 'close',
  ...more,
});

const input = JSON.stringify({
  name: 'Desk lamp',
  description: 'One of a dozen',
  category: 'Other',
  weight: 1,
  recipientName: 'Anna Berg',
  recipientContact: '+49 151 2345678',
});

/** Reads the metrics of one worker: the number of responses to POST /api/packages, and the worker's label. */
async function readMetrics(port: number): Promise<{ worker: string; creates: number }> {
  const bearer = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: bearer })).text();
  const lines = text.matchAll(
    /^waybill_http_request_duration_seconds_count\{worker="(\d+)",route="\/api\/packages",method="POST",status="\dxx"\} (\d+)$/gm,
  );
  const [worker = ''] = /(?<=worker=")\d+/.exec(text) ?? [];
  return { worker, creates: [...lines].reduce((sum, [, , count]) => sum + Number(count), 0) };
}

test('a rate limit counts the requests of all workers, and the metrics of the workers add up to them', async () => {
  // A new connection for each request, so that they are distributed over the workers.
  const create = async () => {
    const answer = await fetch(`${product.url}/api/packages`, {
      method: 'POST',
      headers: headers({ 'content-type': 'application/json' }),
      body: input,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const answers: number[] = [];
  while (answers.length < 12) answers.push(await create());
  expect(answers).toEqual([...Array<number>(6).fill(201), ...Array<number>(6).fill(429)]);
  const measure = () => Promise.all([readMetrics(metricsPort), readMetrics(metricsPort + 1)]);
  let each = await measure();
  const counted = () => each.reduce((sum, { creates }) => sum + creates, 0);
  await eventually('both workers have answered some, and counted them', async () => {
    each = await measure();
    // If one worker got none of the twelve requests, send more until it gets one.
    if (each.some(({ creates }) => creates === 0)) answers.push(await create());
    return counted() >= answers.length;
  });
  expect(each.map(({ worker }) => worker)).toEqual(['0', '1']);
  expect(counted()).toBe(answers.length);
  // On the shared port any worker responds to /metrics, with its own label.
  const seen = new Set<string>();
  await eventually('both workers to be met', async () => {
    const bearer = { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' };
    const text = await (await fetch(`${product.url}/metrics`, { headers: bearer })).text();
    seen.add(/worker="(\d)"/.exec(text)?.[1] ?? '');
    return seen.has('0') && seen.has('1');
  });
  expect([...seen].toSorted()).toEqual(['0', '1']);
});

interface Stream {
  isOpen: boolean;
  close(): void;
}

/** Opens a stream; null when that is one too many. */
async function open(path: string): Promise<Stream | null> {
  const abort = new AbortController();
  const answer = await fetch(`${product.url}/api${path}`, { headers: headers(), signal: abort.signal });
  if (answer.status === 429) return null;
  expect(answer.status).toBe(200);
  const stream = { isOpen: true, close: () => abort.abort() };
  void answer.body
    ?.pipeTo(new WritableStream())
    .catch(() => {})
    .finally(() => (stream.isOpen = false));
  return stream;
}

test('the limit of open streams counts all workers, and a killed worker releases its slots', async () => {
  const streams = await Promise.all(Array.from({ length: 9 }, () => open('/live')));
  const opened = streams.filter((stream) => stream !== null);
  expect(opened).toHaveLength(5);
  opened.pop()?.close();
  await eventually('room again', async () => {
    const stream = await open('/live');
    if (stream) opened.push(stream);
    return stream !== null;
  });
  expect(await open('/live')).toBe(null);

  const before = workers();
  expect(before).toHaveLength(2);
  const [first] = before;
  process.kill(Number(first), 'SIGKILL');
  await eventually('another worker', () => {
    const now = workers();
    return now.length === 2 && !now.includes(first ?? '');
  });
  // Exactly as many slots are free as the killed worker held of the five.
  const areOpen = () => opened.filter((stream) => stream.isOpen).length;
  await eventually('room for those that it held', async () => {
    const one = await open('/live').catch(() => null);
    if (one) opened.push(one);
    return one === null && areOpen() === 5;
  });
  for (const stream of opened) stream.close();
});
