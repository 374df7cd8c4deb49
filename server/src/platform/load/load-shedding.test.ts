import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  password,
  type TestProduct,
  type TestUser,
} from '../../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let other: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let trackingId: string;
let packageId: string;
let port: number;
beforeAll(async () => {
  product = await openTestProduct({ config: { LOAD_SHEDDING: 'on' } });
  owner = await product.register('owner');
  other = await product.register('owner');
  driver = await product.register('driver');
  otherDriver = await product.register('driver');
  ({ trackingId, id: packageId } = await createPackage(owner));
  port = Number(new URL(await product.listen()).port);
});
afterAll(() => product.close());

type Talk = Socket & { heard: string; over: boolean };
let sockets: Talk[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** A connection that says this much and no more. */
async function open(text: string): Promise<Talk> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { heard: '', over: false });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => (socket.heard += chunk.toString()));
  socket.on('close', () => (socket.over = true));
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** A request whose body never comes whole. */
const unfinished = (path: string, token: string | null, type = 'application/json', length = 60_000) =>
  open(
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n{`,
  );
const form = 'multipart/form-data; boundary=x';

const ask = async (user: TestUser | null, method: 'GET' | 'POST', url: string, payload?: string | object) =>
  (
    await product.app.inject({
      method,
      url,
      headers: {
        ...(user && { authorization: `Bearer ${user.token}` }),
        ...(typeof payload === 'string' && { 'content-type': 'text/csv' }),
      },
      ...(payload !== undefined && { payload }),
    })
  ).statusCode;

test.each([
  ['no request', 'NONSENSE\r\n\r\n', 400, 'unreadable'],
  ['headers beyond 16 KB', `GET /api/packages?q=${'x'.repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 413, 'too_large'],
])('%s is answered in the form of every error, and the connection closed', async (_what, text, status, code) => {
  const socket = await open(text);
  await eventually('the end of the connection', () => socket.over);
  const [head = '', body = ''] = socket.heard.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('cache-control: no-store');
  expect(JSON.parse(body)).toEqual({
    code,
    message: expect.any(String) as string,
    requestId: expect.any(String) as string,
  });
});

describe('connections whose bodies never come', () => {
  const floods: Record<string, { sockets: number; hold: () => Promise<Talk>; honest: () => Promise<number> }> = {
    'of an account that registers packages': {
      sockets: 44,
      hold: () => unfinished('/api/packages', owner.token),
      honest: () => ask(other, 'GET', '/api/users/me'),
    },
    'of an account that imports': {
      sockets: 12,
      hold: () => unfinished('/api/packages/import', owner.token, 'text/csv', 1_000_000),
      honest: () => ask(other, 'GET', `/api/packages/user/${other.id}/export`),
    },
    'of an account that uploads': {
      sockets: 12,
      hold: () => unfinished(`/api/packages/${packageId}/images`, owner.token, form, 1_000_000),
      honest: () => ask(other, 'GET', `/api/packages/user/${other.id}/export`),
    },
    'that sign in': {
      sockets: 22,
      hold: () => unfinished('/api/auth/login', null),
      honest: () => ask(null, 'POST', '/api/auth/login', { email: other.email, password }),
    },
    'of a driver who starts a delivery': {
      sockets: 66,
      hold: () => unfinished(`/api/deliveries/${packageId}/next`, driver.token),
      honest: () => ask(otherDriver, 'POST', `/api/deliveries/${packageId}/start`),
    },
    'that look up': {
      sockets: 270,
      hold: () => unfinished(`/api/track/${trackingId}`, null),
      honest: () => ask(null, 'GET', `/api/track/${trackingId}`),
    },
  };
  test.each(Object.entries(floods))('%s hold up nobody in their class', async (_what, { hold, honest, ...it }) => {
    await Promise.all(Array.from({ length: it.sockets }, hold));
    expect(await honest()).toBe(200);
  });

  test('and the same account goes on too, since a body on its way takes no place', async () => {
    await Promise.all(Array.from({ length: 44 }, () => unfinished('/api/packages', owner.token)));
    expect(await ask(owner, 'GET', '/api/users/me')).toBe(200);
    expect((await createPackage(owner)).status).toBe('processing');
  });

  test('past what an account may have on its way the oldest is turned away and let go', async () => {
    const oldest = await unfinished('/api/packages', owner.token);
    const young: Talk[] = [];
    while (young.length < 64) young.push(await unfinished('/api/packages', owner.token));
    await eventually('the end of the oldest', () => oldest.over);
    expect(oldest.heard).toMatch(/^HTTP\/1\.1 503 /);
    expect(oldest.heard).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(oldest.heard).toMatch(/\r\nconnection: close\r\n/i);
    expect(young.every(({ heard, over }) => heard === '' && !over)).toBe(true);
  });
});

describe('without a right token', () => {
  test.each([
    ['none', '/api/packages', null, 'application/json'],
    ['a wrong one', '/api/packages', 'x'.repeat(43), 'application/json'],
    ['none for an import', '/api/packages/import', null, 'text/csv'],
    ['a wrong one for an upload', '/api/packages/0/images', 'x'.repeat(43), form],
    ['none for a delivery', '/api/deliveries/0/start', null, 'application/json'],
    // Before the type of the body, too.
    ['none and a strange body', '/api/packages', null, 'text/plain'],
  ])('%s: 401 at once, and the body is not waited for', async (_what, path, token, type) => {
    const socket = await unfinished(path, token, type);
    await eventually('the end of the connection', () => socket.over);
    expect(socket.heard).toMatch(/^HTTP\/1\.1 401 /);
    expect(socket.heard).toMatch(/\r\nconnection: close\r\n/i);
    expect(socket.heard).toContain('"code":"unauthenticated"');
  });

  test('a right token of somebody who may not: 403 at once', async () => {
    const socket = await unfinished('/api/packages', driver.token);
    await eventually('the end of the connection', () => socket.over);
    expect(socket.heard).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('who is signed out while the body is on its way is refused when it is there', async () => {
    const leaving = await product.register('owner');
    const socket = await unfinished('/api/packages', leaving.token, 'application/json', 2);
    await leaving.api.auth.logout();
    socket.write('}');
    await eventually('the answer', () => socket.heard.includes('"code"'));
    expect(socket.heard).toMatch(/^HTTP\/1\.1 401 /);
  });
});

/** Keeps every question about packages waiting while `work` runs. */
async function withPackagesLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client(product.connection);
  await client.connect();
  await client.query('begin; lock table packages in access exclusive mode');
  try {
    return await work();
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

/** Asks so often at once: so many are refused, and the others go on. */
async function expectRefusals(refused: number, times: number, once: () => Promise<number>): Promise<void> {
  const answered: number[] = [];
  for (let number = 0; number < times; number++) void once().then((status) => answered.push(status));
  await eventually('the refusals', () => answered.length >= refused);
  // For one too many.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(answered).toEqual(Array.from({ length: refused }, () => 503));
}

describe('a fair share', () => {
  test.each([
    ['of the rest', 8, () => ask(owner, 'GET', `/api/packages/${packageId}`)],
    ['of searches', 8, () => ask(driver, 'GET', '/api/deliveries?q=zz&count=true')],
    ['of exports', 4, () => ask(owner, 'GET', `/api/packages/user/${owner.id}/export`)],
  ] as const)('%s is %i requests at once for each account; beyond, 503', async (_what, share, once) => {
    await withPackagesLocked(async () => {
      await expectRefusals(3, share + 3, once);
      // Nobody else is refused for it, and the account neither in other classes.
      expect(await ask(other, 'GET', '/api/users/me')).toBe(200);
      expect(await ask(driver, 'GET', '/api/users/me')).toBe(200);
    });
    await eventually('the room is free again', async () => (await once()) === 200);
  });

  test('of drivers, the same', async () => {
    await withPackagesLocked(async () => {
      await expectRefusals(2, 10, () => ask(otherDriver, 'POST', `/api/deliveries/${packageId}/start`));
    });
  });

  test('seventy searches of one account leave another the place for its own', async () => {
    const answers = await withPackagesLocked(async () => {
      const many = Array.from({ length: 70 }, () => ask(driver, 'GET', '/api/deliveries?q=zz&count=true'));
      const honest = ask(otherDriver, 'GET', '/api/deliveries?q=zz&count=true');
      expect(await ask(driver, 'GET', '/api/users/me')).toBe(200);
      return { many: Promise.all(many), honest };
    });
    expect(await answers.honest).toBe(200);
    const statuses = await answers.many;
    expect(statuses.filter((status) => status === 503)).toHaveLength(62);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  });
});

test('a flood of lookups is turned away when the database keeps 256 of them waiting', async () => {
  await withPackagesLocked(async () => {
    const asked = Array.from({ length: 257 }, async () => product.app.inject(`/api/track/${trackingId}`));
    const last = await asked[256];
    expect([last?.statusCode, last?.headers['retry-after']]).toEqual([503, '1']);
    expect((await product.app.inject('/livez')).statusCode).toBe(200);
    expect(await ask(other, 'GET', '/api/users/me')).toBe(200);
  });
  await eventually('the room is free again', async () => (await ask(null, 'GET', `/api/track/${trackingId}`)) === 200);
});

test('open streams take no place', async () => {
  for (let number = 0; number < 41; number++) {
    const stream = await open(`GET /api/live HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${driver.token}\r\n\r\n`);
    await eventually('the stream', () => stream.heard.includes('event: hello'));
  }
  expect(await ask(driver, 'GET', '/api/users/me')).toBe(200);
});

test('where shedding is off, everybody is let in', async () => {
  const lenient = await openTestProduct({ beside: product, runsJobs: false });
  const answers = await Promise.all(
    Array.from({ length: 41 }, () =>
      lenient.app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${owner.token}` } }),
    ),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await lenient.close();
});

describe('too much of one request', () => {
  const headers = () => ({ authorization: `Bearer ${owner.token}`, 'idempotency-key': 'a-key' });
  test('an address past 4,096 characters is refused', async () => {
    const answer = await product.app.inject({
      method: 'POST',
      url: `/api/notifications/read-all?x=${'y'.repeat(9000)}`,
      headers: headers(),
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([413, 'too_large']);
  });

  test.each([
    ['lists', '['.repeat(5000) + ']'.repeat(5000)],
    ['objects', '{"a":'.repeat(5000) + '1' + '}'.repeat(5000)],
  ])('a body of %s nested 5,000 deep is refused', async (_what, deep) => {
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/packages',
      headers: { ...headers(), 'content-type': 'application/json' },
      payload: `{"name":"Lamp","_id":${deep}}`,
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'unreadable']);
  });

  test('a body with thousands of fields that nobody knows is refused in a few words', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 4000 }, (_, number) => [`f${number}`, 1]));
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/packages',
      headers: headers(),
      payload: unknown,
    });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toHaveLength(50);
  });
});
