import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { openLoadShedding } from '../platform/load/load-shedding.ts';
import { createPackage, eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { openFastLookup } from './fast-lookup.ts';

const opened: TestProduct[] = [];
afterEach(async () => {
  for (const product of opened.splice(0)) await product.close();
});

interface Sent {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
}

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Node's server adds these itself, and in process there is none. */
const ofTheConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

// A request over HTTP may be answered before Fastify; one in process is always answered by Fastify.
async function open(config: Record<string, string> = {}, logTo?: { write(line: string): void }) {
  const product = await openTestProduct({ runsJobs: false, config, ...(logTo && { logTo }) });
  opened.push(product);
  const url = await product.listen();
  const routing = vi.spyOn(product.app, 'routing');
  const overHttp = (path: string, { method = 'GET', headers = {} }: Sent = {}, agent?: Agent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = send(url + path, { method, headers, ...(agent && { agent }) }, (response) => {
        const { statusCode: status, headers: received } = response;
        text(response).then((body) => resolve({ status, headers: received, body }), reject);
      });
      request.on('error', reject).end();
    });
  const inProcess = async (path: string, { method = 'GET', headers = {} }: Sent = {}): Promise<Answer> => {
    const { statusCode: status, headers: received, body } = await product.app.inject({ url: path, method, headers });
    return { status, headers: received as IncomingHttpHeaders, body };
  };
  return { product, routing, overHttp, inProcess };
}

const comparable = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.has(name))),
  body,
});

test('the fast lookup and Fastify answer alike, header by header', async () => {
  const { product, routing, overHttp, inProcess } = await open({
    TRUST_PROXY: 'on',
    PUBLIC_URL: 'https://waybill.example.com',
    LOAD_SHEDDING: 'on',
    RATE_LIMITS: 'on',
  });
  const owner = await product.register('owner', 'Émile Østergård');
  const { trackingId } = await createPackage(owner, { name: 'Lámpara “Ñandú” 🚚', showSender: true });
  const path = `/api/track/${trackingId}`;
  const cases: [what: string, path: string, sent: Sent, status: number, isFast: boolean][] = [
    ['a hit', path, {}, 200, true],
    ['a conditional request', path, { headers: { 'if-none-match': '*' } }, 200, true],
    ['another language', path, { headers: { 'accept-language': 'de', accept: 'text/html' } }, 200, true],
    ['behind a proxy', path, { headers: { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' } }, 200, true],
    ['a session', path, { headers: { authorization: `Bearer ${owner.token}` } }, 200, false],
    ['lower case', path.toLowerCase().replace('/api/track', '/api/track'), {}, 200, false],
    ['a query', `${path}?a=1`, {}, 200, false],
    ['a slash at the end', `${path}/`, {}, 200, false],
    ['a miss', '/api/track/PKG-NOTTHERE', {}, 404, false],
    ['a malformed ID', '/api/track/PKG-1', {}, 404, false],
    ['HEAD', path, { method: 'HEAD' }, 404, false],
    ['POST', path, { method: 'POST' }, 404, false],
    ['the stream of a miss', '/api/track/PKG-NOTTHERE/live', {}, 404, false],
  ];
  for (const [what, at, sent, status, isFast] of cases) {
    // The same in both responses.
    const headers = { ...sent.headers, 'x-request-id': 'the-same-request' };
    const expected = comparable(await inProcess(at, { ...sent, headers }));
    routing.mockClear();
    const answered = comparable(await overHttp(at, { ...sent, headers }));
    expect({ what, ...answered }).toEqual({ what, ...expected });
    expect({ what, status: answered.status, isFast: routing.mock.calls.length === 0 }).toEqual({
      what,
      status,
      isFast,
    });
  }
});

test('the limits on guessing count the same client on both ways, whatever it claims to be forwarded for', async () => {
  const { product, overHttp, inProcess } = await open({ TRUST_PROXY: 'on', RATE_LIMITS: 'trackMissInAll=1000/1' });
  const { trackingId } = await createPackage(await product.register('owner'));
  const from = (address: string) => ({ headers: { 'x-forwarded-for': `192.0.2.99, ${address}` } });
  for (let guess = 10; guess < 40; guess++)
    expect(
      await (guess % 2 ? overHttp : inProcess)(`/api/track/PKG-GUESS0${guess}`, from('198.51.100.7')),
    ).toMatchObject({
      status: 404,
    });
  const [fast, slow] = [
    await overHttp(`/api/track/${trackingId}`, from('198.51.100.7')),
    await inProcess(`/api/track/${trackingId}`, from('198.51.100.7')),
  ];
  for (const { status, headers, body } of [fast, slow]) {
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(body)).toMatchObject({ code: 'too_many_requests' });
  }
  expect(Object.keys(comparable(fast).headers).toSorted()).toEqual(Object.keys(comparable(slow).headers).toSorted());
  expect(await overHttp(`/api/track/${trackingId}`, from('198.51.100.8'))).toMatchObject({ status: 200 });
});

test('metrics and log show a lookup the same on both ways, and its slot is free again', async () => {
  const lines: Record<string, unknown>[] = [];
  const { product, overHttp, inProcess } = await open(
    { METRICS_TOKEN: 'a-token-of-some-length', LOG_REQUESTS: 'all', LOG_LEVEL: 'info', LOAD_SHEDDING: 'on' },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const { trackingId } = await createPackage(await product.register('owner'));
  const metrics = async () => {
    const headers = { authorization: 'Bearer a-token-of-some-length' };
    return (await product.app.inject({ url: '/metrics', headers })).body;
  };
  const logged = () =>
    lines
      .filter(({ route }) => route === '/api/track/:id')
      .map((line) => ({ ...line, time: 'then', requestId: 'some id', ms: 0 }));
  for (const path of [`/api/track/${trackingId}`, '/api/track/PKG-NOTTHERE']) {
    await inProcess(path);
    await overHttp(path);
  }
  await eventually('all four are logged', () => logged().length === 4);
  const [hit, sameHit, miss, sameMiss] = logged();
  expect(hit).toMatchObject({ method: 'GET', status: 200, msg: 'request' });
  expect(sameHit).toEqual(hit);
  expect(miss).toMatchObject({ method: 'GET', status: 404, code: 'not_found', msg: 'a request was refused' });
  expect(sameMiss).toEqual(miss);
  const count = (status: string) =>
    `waybill_http_request_duration_seconds_count{worker="0",route="/api/track/:id",method="GET",status="${status}"} 2`;
  expect(await metrics()).toContain(count('2xx'));
  expect(await metrics()).toContain(count('4xx'));
  expect(await metrics()).toContain('waybill_http_requests_in_flight{class="lookups",worker="0"} 0');
});

test('a server that is stopping answers a lookup and closes its connection', async () => {
  const { product, overHttp } = await open({ DRAIN_SECONDS: '1' });
  const { trackingId } = await createPackage(await product.register('owner'));
  const agent = new Agent({ keepAlive: true });
  const lookUp = () => overHttp(`/api/track/${trackingId}`, {}, agent);
  expect(await lookUp()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
  const closed = product.close();
  opened.pop();
  expect(await lookUp()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
  agent.destroy();
});

test('a lookup that the database does not answer fails as on Fastify, and its slot is free again', async () => {
  const { product, routing, overHttp, inProcess } = await open({ LOAD_SHEDDING: 'on' });
  await product.ctx.db.query('alter table public_views rename to away');
  const headers = { 'x-request-id': 'not-trusted' };
  const [fast, slow] = [
    await overHttp('/api/track/PKG-AAAAAAAA', { headers }),
    await inProcess('/api/track/PKG-AAAAAAAA', { headers }),
  ];
  expect(fast.status).toBe(500);
  expect(slow.status).toBe(500);
  expect(Object.keys(comparable(fast).headers).toSorted()).toEqual(Object.keys(comparable(slow).headers).toSorted());
  expect(routing).toHaveBeenCalledTimes(1);
});

test('a lookup that takes too long is handed to Fastify as failed, once, and gives its slot back', async () => {
  const { product } = await open();
  const app = fastify();
  const loadShedding = openLoadShedding(app, true, { handlerMs: 30, sweepMs: 10 });
  const found = new WeakMap<IncomingMessage, Promise<string | null>>();
  let answer: (view: string) => void = () => {};
  const lookUp = () => new Promise<string>((resolve) => (answer = resolve));
  const outcomes: unknown[] = [];
  const answerFast = openFastLookup(
    product.ctx,
    { find: lookUp, found, limits: { lookUp } },
    {
      loadShedding,
      requestIdOf: () => 'an-id',
      onAnswered: [],
      handOver(request, response) {
        expect(loadShedding.inFlight('lookups')).toBe(0);
        void found.get(request)?.catch((error: unknown) => outcomes.push(error));
        response.writeHead(503).end();
        answer('too late');
      },
    },
  );
  const server = createServer((request, response) => void answerFast(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/api/track/PKG-AAAAAAAA`);
  expect(status).toBe(503);
  expect(outcomes).toMatchObject([{ code: 'unavailable' }]);
  expect(loadShedding.inFlight('lookups')).toBe(0);
  server.closeAllConnections();
  server.close();
  await app.close();
});
