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

/** Public endpoints never ask the database who is calling. */
const noDatabase: Db = {
  query: () => Promise.reject(new Error('there is no database here')),
  transaction: () => Promise.reject(new Error('there is no database here')),
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
/** As much again and again, as long as somebody takes it. */
function* pieces() {
  for (let number = 0; number < 400; number++) yield Buffer.alloc(64 * 1024);
}
/** More than the buffers of both ends hold. */
const longText = 'x'.repeat(40_000_000);

let app: FastifyInstance;
let admission: LoadShedding;
let sockets: Socket[];
beforeEach(() => start({ readMs: 200, answerMs: 200, takenMs: 200, sweepMs: 10, windowMs: 1000 }));

async function start(patience: Parameters<typeof openLoadShedding>[2]): Promise<void> {
  sockets = [];
  app = fastify();
  admission = openLoadShedding(app, true, patience);
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

async function say(text: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = Object.assign(connect(port, '127.0.0.1'), { heard: '', over: false });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => (socket.heard += chunk.toString()));
  socket.on('close', () => (socket.over = true));
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
const post = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

test('who does not send the body in time is told so and let go; a file may take longer while it makes progress', async () => {
  const large = 2_000_000;
  const file = await say(post('/count', 'text/csv', large));
  const silent = await say(`${post('/count', 'text/csv', large)}a,b`);
  const slow = await say(`${post('/echo', 'application/json', 100)}{"word":`);
  const over = Promise.all([slow, silent].map((socket) => eventually('the end of the connection', () => socket.over)));
  let sent = 0;
  let isOver = false;
  void over.then(() => (isOver = true));
  // Ten times the least rate, until the silent ones are gone.
  while (!isOver) {
    if (sent < large / 2) {
      file.write(Buffer.alloc(5000, 'x'));
      sent += 5000;
    }
    await sleep(50);
  }
  for (const { heard } of [slow, silent]) {
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
    expect(heard).toContain('"code":"request_timeout"');
  }
  // Bodies on their way take no place.
  expect([admission.inFlight('rest'), admission.inFlight('transfers')]).toEqual([0, 0]);
  file.write(Buffer.alloc(large - sent, 'x'));
  await eventually('the answer', () => file.heard.includes(`{"bytes":${large}}`));
});

test('whose request is not answered in time is told to come back, keeps the connection, and takes no place any more', async () => {
  const caller = await say('GET /never HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually('the answer', () => caller.heard.includes('"code":"unavailable"'));
  expect(caller.heard).toMatch(/^HTTP\/1\.1 503 /);
  expect(caller.heard).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(admission.inFlight('rest')).toBe(0);
  caller.heard = '';
  caller.write(`${post('/echo', 'application/json', 15)}{"word":"here"}`);
  await eventually('the next answer', () => caller.heard.includes('{"word":"here"}'));
});

test('who does not take the answer in time is cut off', async () => {
  const reader = await say('');
  reader.pause();
  const asked = once(app.server, 'request');
  reader.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
  await asked;
  const connected = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  await eventually('the end of the connection', async () => (await connected()) === 0);
  expect(admission.inFlight('rest')).toBe(0);
  reader.resume();
  await eventually('the end of the connection', () => reader.over);
  expect(reader.heard.length).toBeLessThan(longText.length);
});

/** Asks for something large and reads nothing of it. */
async function askAndStall(path: string) {
  const reader = await say('');
  reader.pause();
  reader.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return reader;
}

test('who stops reading a picture is cut off, and who goes on reading gets all of it', async () => {
  const good = await say('GET /picture HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await askAndStall('/picture');
  await eventually('one picture only', () => admission.inFlight('pictures') === 2 || good.over);
  await eventually('the end of both', () => admission.inFlight('pictures') === 0);
  await eventually('the whole picture', () => good.over);
  expect(good.heard.length).toBeGreaterThan(400 * 64 * 1024);
});

test('an address has 32 pictures at once; who has stopped reading gives way to the next, and pages have room of their own', async () => {
  await app.close();
  await start({ sweepMs: 10, stalledMs: 100 });
  for (let number = 0; number < 31; number++) await say('GET /hang HTTP/1.1\r\nhost: x\r\n\r\n');
  await askAndStall('/picture');
  await eventually('all of them', () => admission.inFlight('pictures') === 32);
  expect((await app.inject('/page')).statusCode).toBe(200);
  await eventually('a place', async () => (await app.inject('/picture')).statusCode === 200);
  // The stalled one has been cut, and a server that works for the others is no reason to cut them.
  expect(admission.inFlight('pictures')).toBe(31);
  await say('GET /hang HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually('the last place', () => admission.inFlight('pictures') === 32);
  const refused = await app.inject('/picture');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(admission.shed('pictures')).toBeGreaterThan(0);
});
