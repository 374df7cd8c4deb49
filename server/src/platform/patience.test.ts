import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { group } from '@waybill/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../testing.ts';
import { admit, type Admission } from './admission.ts';
import type { Db } from './db.ts';
import { AppError } from './errors.ts';
import { bind, errorReply } from './http.ts';
import { unlimited } from './rate-limits.ts';
import { openSessions } from './sessions.ts';

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
/** More than the buffers of both ends hold. */
const longText = 'x'.repeat(40_000_000);

let app: FastifyInstance;
let admission: Admission;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  app = fastify();
  admission = admit(app, true, { readMs: 200, answerMs: 200, takenMs: 200, sweepMs: 10 });
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
  await app.listen({ host: '127.0.0.1', port: 0 });
});
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

test('who does not send the body in time is told so and let go; a file may take longer', async () => {
  const file = await say(`${post('/count', 'text/csv', 7)}a,b`);
  const slow = await say(`${post('/echo', 'application/json', 100)}{"word":`);
  await eventually('the end of the connection', () => slow.over);
  expect(slow.heard).toMatch(/^HTTP\/1\.1 408 /);
  expect(slow.heard).toContain('"code":"request_timeout"');
  expect(admission.inFlight('rest')).toBe(0);
  expect(admission.inFlight('transfers')).toBe(1);
  file.write('\n1,2');
  await eventually('the answer', () => file.heard.includes('{"bytes":7}'));
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
