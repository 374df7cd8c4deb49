import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { group } from '@waybill/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { eventually } from '../../testing/test-product.ts';
import { openLoadShedding, type LoadShedding } from './load-shedding.ts';
import type { Db } from '../database/db.ts';
import { AppError } from '../errors.ts';
import { bind } from '../http/http.ts';
import { errorReply } from '../errors.ts';
import { unlimited } from './rate-limits.ts';
import { openSessions } from '../../users/sessions.ts';

/** Public endpoints need no session, so no database. */
const noDatabase: Db = {
  connections: 1,
  query: () => Promise.reject(new Error('there is no database here')),
  transaction: () => Promise.reject(new Error('there is no database here')),
  snapshot: () => Promise.reject(new Error('there is no database here')),
};
const open = { access: 'public', scope: 'none' } as const;
const endpoints = group({
  echo: {
    ...open,
    method: 'POST',
    path: '/echo',
    body: z.object({ word: z.string() }),
    reply: z.object({ word: z.string() }),
  },
  count: { ...open, method: 'POST', path: '/count', body: 'csv', reply: z.object({ bytes: z.number() }) },
  never: { ...open, method: 'GET', path: '/never', reply: z.object({}) },
  long: { ...open, method: 'GET', path: '/long', reply: z.object({ text: z.string() }) },
});
/** 400 chunks of 64 KiB. */
function* pieces() {
  for (let number = 0; number < 400; number++) yield Buffer.alloc(64 * 1024);
}
/** More than the socket buffers of both ends hold. */
const longText = 'x'.repeat(40_000_000);

let app: FastifyInstance;
let loadShedding: LoadShedding;
let sockets: Socket[];
beforeEach(() => start({ receiveMs: 200, handlerMs: 200, sendMs: 200, sweepMs: 10, windowMs: 1000 }));

async function start(overrides: Parameters<typeof openLoadShedding>[2]): Promise<void> {
  sockets = [];
  // As in the product.
  app = fastify({ http: { optimizeEmptyRequests: true } });
  loadShedding = openLoadShedding(app, true, overrides);
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof AppError)) throw error;
    return reply.code(error.status).header('retry-after', error.retryAfterSeconds).send(errorReply(error, request.id));
  });
  bind(
    app,
    { db: noDatabase, rateLimits: unlimited, sessions: openSessions(noDatabase), log: pino({ level: 'silent' }) },
    endpoints,
    {
      echo: async (_ctx, { body }) => body,
      count: async (_ctx, { body }) => ({ bytes: body.length }),
      never: () => new Promise(() => {}),
      long: async () => ({ text: longText }),
    },
  );
  const pictures = { config: { load: 'pictures' as const } };
  app.get('/picture', pictures, (_request, reply) => reply.type('image/jpeg').send(Readable.from(pieces())));
  app.get('/hang', pictures, () => new Promise(() => {}));
  app.get('/page', () => 'a page');
  await app.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

async function send(text: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = Object.assign(connect(port, '127.0.0.1'), { received: '', isClosed: false });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => (socket.received += chunk.toString()));
  socket.on('close', () => (socket.isClosed = true));
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
const post = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

test('a body that does not arrive in time gets a 408 and is closed; a file may take longer while it makes progress', async () => {
  const large = 2_000_000;
  const file = await send(post('/count', 'text/csv', large));
  const silent = await send(`${post('/count', 'text/csv', large)}a,b`);
  const slow = await send(`${post('/echo', 'application/json', 100)}{"word":`);
  const closed = Promise.all(
    [slow, silent].map((socket) => eventually('the end of the connection', () => socket.isClosed)),
  );
  let sent = 0;
  let areClosed = false;
  void closed.then(() => (areClosed = true));
  // 10 times the minimum rate, until the silent connections are closed.
  while (!areClosed) {
    if (sent < large / 2) {
      file.write(Buffer.alloc(5000, 'x'));
      sent += 5000;
    }
    await sleep(50);
  }
  for (const { received } of [slow, silent]) {
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(received).toContain('"code":"request_timeout"');
  }
  // Pending bodies occupy no slot.
  expect([loadShedding.inFlight('rest'), loadShedding.inFlight('transfers')]).toEqual([0, 0]);
  file.write(Buffer.alloc(large - sent, 'x'));
  await eventually('the answer', () => file.received.includes(`{"bytes":${large}}`));
});

test('a handler that times out gives a 503 with Retry-After, keeps the connection open and releases the slot', async () => {
  const caller = await send('GET /never HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually('the answer', () => caller.received.includes('"code":"unavailable"'));
  expect(caller.received).toMatch(/^HTTP\/1\.1 503 /);
  expect(caller.received).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(loadShedding.inFlight('rest')).toBe(0);
  caller.received = '';
  caller.write(`${post('/echo', 'application/json', 15)}{"word":"here"}`);
  await eventually('the next answer', () => caller.received.includes('{"word":"here"}'));
});

test('a client that does not read the response in time is disconnected', async () => {
  const reader = await send('');
  reader.pause();
  const received = once(app.server, 'request');
  reader.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
  await received;
  const connected = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  await eventually('the end of the connection', async () => (await connected()) === 0);
  expect(loadShedding.inFlight('rest')).toBe(0);
  reader.resume();
  await eventually('the end of the connection', () => reader.isClosed);
  expect(reader.received.length).toBeLessThan(longText.length);
});

/** Requests something large and reads nothing of it. */
async function requestAndStall(path: string) {
  const reader = await send('');
  reader.pause();
  reader.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return reader;
}

test('a client that stops reading a picture is disconnected, and one that goes on reading gets all of it', async () => {
  const good = await send('GET /picture HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await requestAndStall('/picture');
  await eventually('one picture only', () => loadShedding.inFlight('pictures') === 2 || good.isClosed);
  await eventually('the end of both', () => loadShedding.inFlight('pictures') === 0);
  await eventually('the whole picture', () => good.isClosed);
  expect(good.received.length).toBeGreaterThan(400 * 64 * 1024);
});

test('an address has 32 picture slots; a stalled reader is evicted for the next request, and pages have slots of their own', async () => {
  await app.close();
  await start({ sweepMs: 10, stalledMs: 100 });
  for (let number = 0; number < 31; number++) await send('GET /hang HTTP/1.1\r\nhost: x\r\n\r\n');
  await requestAndStall('/picture');
  await eventually('all of them', () => loadShedding.inFlight('pictures') === 32);
  expect((await app.inject('/page')).statusCode).toBe(200);
  await eventually('a free slot', async () => (await app.inject('/picture')).statusCode === 200);
  // Only the stalled reader was evicted: requests that wait for the server are not stalled.
  expect(loadShedding.inFlight('pictures')).toBe(31);
  await send('GET /hang HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually('the last slot', () => loadShedding.inFlight('pictures') === 32);
  const refused = await app.inject('/picture');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(loadShedding.shed('pictures')).toBeGreaterThan(0);
});
