import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { endpoints, type Endpoint } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPackage, eventually, openTestProduct, password, type TestProduct, type TestUser } from '../testing.ts';
import { loadClassOf } from './admission.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let trackingId: string;
let packageId: string;
let port: number;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  driver = await product.register('driver');
  ({ trackingId, id: packageId } = await createPackage(owner));
  port = Number(new URL(await product.listen()).port);
});
afterAll(() => product.close());

type Talk = Socket & { heard: string };

/** A connection that says this much and no more. */
async function open(text: string): Promise<Talk> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { heard: '' });
  socket.on('error', () => {});
  socket.on('data', (chunk) => (socket.heard += chunk.toString()));
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** A request whose body never comes whole. */
const unfinished = (path: string, type = 'application/json', token = owner.token) =>
  open(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\n{`,
  );

const classes: Record<
  string,
  { room: number; occupy: () => Promise<Talk>; ask: () => Promise<{ statusCode: number }> }
> = {
  lookups: {
    room: 256,
    occupy: () => unfinished(`/api/track/${trackingId}`),
    ask: async () => product.app.inject(`/api/track/${trackingId}`),
  },
  'actions of drivers': {
    room: 64,
    occupy: () => unfinished(`/api/deliveries/${packageId}/start`),
    ask: async () => product.app.inject({ method: 'POST', url: `/api/deliveries/${packageId}/next` }),
  },
  'uploads and exports': {
    room: 8,
    async occupy() {
      const body = { name: 'lamp.jpg', type: 'image/jpeg', size: 100 } as const;
      const { url, headers } = await owner.api.images.announce({ body });
      const { pathname, search } = new URL(url, 'http://localhost');
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return open(`PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\n${lines.join('')}content-length: 100\r\n\r\n{`);
    },
    ask: async () => product.app.inject('/api/packages/export'),
  },
  'sign-ins': {
    room: 20,
    occupy: () => unfinished('/api/auth/login'),
    ask: async () =>
      product.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: owner.email, password } }),
  },
  'all others': {
    room: 40,
    occupy: () => unfinished('/api/packages'),
    ask: async () => product.app.inject('/api/users/me'),
  },
};

describe('a flood', () => {
  const floods = Object.entries(classes).filter(([name]) => name !== 'lookups');
  test.each(floods)('of %s is turned away before its bodies are read, and holds up nobody else', async (name, it) => {
    const sockets = await Promise.all(Array.from({ length: it.room + 3 }, it.occupy));
    const refused = () => sockets.filter(({ heard }) => heard.includes('"code":"unavailable"'));
    // The answer comes although the body never does.
    await eventually('an answer to those who are too many', () => refused().length === 3);
    for (const { heard } of refused()) {
      expect(heard).toMatch(/^HTTP\/1\.1 503 .*\r\n/);
      expect(heard).toMatch(/\r\nretry-after: 1\r\n/i);
    }
    expect((await it.ask()).statusCode).toBe(503);
    for (const [other, { ask }] of Object.entries(classes)) {
      if (other !== name) expect((await ask()).statusCode, other).not.toBe(503);
    }
    expect((await product.app.inject('/livez')).statusCode).toBe(200);
    expect((await product.app.inject('/healthz')).statusCode).toBe(200);
    for (const socket of sockets) socket.destroy();
    await eventually('the room is free again', async () => (await it.ask()).statusCode !== 503);
  });

  test('of lookups is turned away when the database keeps 256 of them waiting', async () => {
    const client = new pg.Client(product.connection);
    await client.connect();
    await client.query('begin; lock table packages in access exclusive mode');
    const asked = Array.from({ length: 257 }, async () => product.app.inject(`/api/track/${trackingId}`));
    const last = await asked[256];
    expect([last?.statusCode, last?.headers['retry-after']]).toEqual([503, '1']);
    await client.query('rollback');
    await client.end();
    const answers = await Promise.all(asked.slice(0, 256));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  test('is let through where shedding is off, and open streams take no place', async () => {
    const lenient = await openTestProduct({ beside: product, works: false, config: { LOAD_SHEDDING: 'off' } });
    const answers = await Promise.all(
      Array.from({ length: 41 }, () =>
        lenient.app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${owner.token}` } }),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await lenient.close();

    const streams: Talk[] = [];
    while (streams.length < 41) {
      const stream = await open(`GET /api/live HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${driver.token}\r\n\r\n`);
      await eventually('the stream', () => stream.heard.includes('event: hello'));
      streams.push(stream);
    }
    expect((await classes['all others']?.ask())?.statusCode).toBe(401);
    for (const stream of streams) stream.destroy();
  });
});

test('every endpoint is in the class that its work belongs to', () => {
  const of = Object.fromEntries(
    Object.entries(endpoints as Record<string, Record<string, Endpoint>>).flatMap(([group, members]) =>
      Object.entries(members).map(([name, endpoint]) => [`${group}.${name}`, loadClassOf(endpoint)]),
    ),
  );
  expect(of).toMatchObject({
    'tracking.view': 'lookups',
    'tracking.live': 'lookups',
    'auth.login': 'sign',
    'auth.register': 'sign',
    'auth.logout': 'rest',
    'users.changePassword': 'sign',
    'deliveries.start': 'actions',
    'deliveries.complete': 'actions',
    'packages.exportAll': 'transfers',
    'users.exportAll': 'transfers',
    'packages.create': 'rest',
    'packages.listAll': 'rest',
  });
});
