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
  untilWaiting,
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

type RawConnection = Socket & { received: string; isClosed: boolean };
let sockets: RawConnection[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** Opens a connection and sends this text, and nothing more. */
async function open(text: string): Promise<RawConnection> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { received: '', isClosed: false });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => (socket.received += chunk.toString()));
  socket.on('close', () => (socket.isClosed = true));
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** A request whose body never completes. */
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
])(
  '%s is answered with an error body like any other, and the connection is closed',
  async (_what, text, status, code) => {
    const socket = await open(text);
    await eventually('the end of the connection', () => socket.isClosed);
    const [head = '', body = ''] = socket.received.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('cache-control: no-store');
    expect(JSON.parse(body)).toEqual({
      code,
      message: expect.any(String) as string,
      requestId: expect.any(String) as string,
    });
  },
);

describe('requests whose bodies never arrive', () => {
  const floods: Record<
    string,
    { sockets: number; flood: () => Promise<RawConnection>; honest: () => Promise<number> }
  > = {
    'of an account that registers packages': {
      sockets: 44,
      flood: () => unfinished('/api/packages', owner.token),
      honest: () => ask(other, 'GET', '/api/users/me'),
    },
    'of an account that imports': {
      sockets: 12,
      flood: () => unfinished('/api/packages/import', owner.token, 'text/csv', 1_000_000),
      honest: () => ask(other, 'GET', `/api/packages/user/${other.id}/export`),
    },
    'of an account that uploads': {
      sockets: 12,
      flood: () => unfinished(`/api/packages/${packageId}/images`, owner.token, form, 1_000_000),
      honest: () => ask(other, 'GET', `/api/packages/user/${other.id}/export`),
    },
    'that sign in': {
      sockets: 22,
      flood: () => unfinished('/api/auth/login', null),
      honest: () => ask(null, 'POST', '/api/auth/login', { email: other.email, password }),
    },
    'of a driver who starts a delivery': {
      sockets: 66,
      flood: () => unfinished(`/api/deliveries/${packageId}/next`, driver.token),
      honest: () => ask(otherDriver, 'POST', `/api/deliveries/${packageId}/start`),
    },
    'that look up': {
      sockets: 270,
      flood: () => unfinished(`/api/track/${trackingId}`, null),
      honest: () => ask(null, 'GET', `/api/track/${trackingId}`),
    },
  };
  test.each(Object.entries(floods))(
    '%s do not affect other callers in their class',
    async (_what, { flood, honest, ...it }) => {
      await Promise.all(Array.from({ length: it.sockets }, flood));
      expect(await honest()).toBe(200);
    },
  );

  test('do not affect the same account either: a pending body occupies no slot', async () => {
    await Promise.all(Array.from({ length: 44 }, () => unfinished('/api/packages', owner.token)));
    expect(await ask(owner, 'GET', '/api/users/me')).toBe(200);
    expect((await createPackage(owner)).status).toBe('processing');
  });

  test('past the bound of an account its oldest pending request gets a 503 and is closed', async () => {
    const oldest = await unfinished('/api/packages', owner.token);
    const young: RawConnection[] = [];
    while (young.length < 64) young.push(await unfinished('/api/packages', owner.token));
    await eventually('the end of the oldest', () => oldest.isClosed);
    expect(oldest.received).toMatch(/^HTTP\/1\.1 503 /);
    expect(oldest.received).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(oldest.received).toMatch(/\r\nconnection: close\r\n/i);
    expect(young.every(({ received, isClosed }) => received === '' && !isClosed)).toBe(true);
  });
});

describe('without a valid token', () => {
  test.each([
    ['none', '/api/packages', null, 'application/json'],
    ['a wrong one', '/api/packages', 'x'.repeat(43), 'application/json'],
    ['none for an import', '/api/packages/import', null, 'text/csv'],
    ['a wrong one for an upload', '/api/packages/0/images', 'x'.repeat(43), form],
    ['none for a delivery', '/api/deliveries/0/start', null, 'application/json'],
    // Checked before the content type.
    ['none and a strange body', '/api/packages', null, 'text/plain'],
  ])('%s: 401 at once, without waiting for the body', async (_what, path, token, type) => {
    const socket = await unfinished(path, token, type);
    await eventually('the end of the connection', () => socket.isClosed);
    expect(socket.received).toMatch(/^HTTP\/1\.1 401 /);
    expect(socket.received).toMatch(/\r\nconnection: close\r\n/i);
    expect(socket.received).toContain('"code":"unauthenticated"');
  });

  test('a valid token without the permission: 403 at once', async () => {
    const socket = await unfinished('/api/packages', driver.token);
    await eventually('the end of the connection', () => socket.isClosed);
    expect(socket.received).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('a session that ends while the body arrives is refused once it has arrived', async () => {
    const leaving = await product.register('owner');
    const socket = await unfinished('/api/packages', leaving.token, 'application/json', 2);
    await leaving.api.auth.logout();
    socket.write('}');
    await eventually('the answer', () => socket.received.includes('"code"'));
    expect(socket.received).toMatch(/^HTTP\/1\.1 401 /);
  });
});

/** Blocks every query on packages while `work` runs. */
async function withPackagesLocked<T>(work: (locker: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(product.connection);
  await client.connect();
  await client.query('begin; lock table packages in access exclusive mode');
  try {
    return await work(client);
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

/** Sends `times` requests concurrently and expects that exactly `refused` of them get a 503. */
async function expectRefusals(refused: number, times: number, once: () => Promise<number>): Promise<void> {
  const answered: number[] = [];
  for (let number = 0; number < times; number++) void once().then((status) => answered.push(status));
  await eventually('the refusals', () => answered.length >= refused);
  // Time for an unexpected additional refusal.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(answered).toEqual(Array.from({ length: refused }, () => 503));
}

describe('a fair share', () => {
  test.each([
    ['of the rest', 16, () => ask(owner, 'GET', `/api/packages/${packageId}`)],
    ['of searches', 8, () => ask(driver, 'GET', '/api/deliveries?q=zz&count=true')],
    ['of exports', 4, () => ask(owner, 'GET', `/api/packages/user/${owner.id}/export`)],
  ] as const)('%s is %i requests at once for each account; beyond, 503', async (_what, share, once) => {
    await withPackagesLocked(async () => {
      await expectRefusals(3, share + 3, once);
      // Other accounts are not affected, nor is this account in other classes.
      expect(await ask(other, 'GET', '/api/users/me')).toBe(200);
      expect(await ask(driver, 'GET', '/api/users/me')).toBe(200);
    });
    await eventually('the slots are free again', async () => (await once()) === 200);
  });

  test('of an account eight requests run and eight wait, and others are not affected', async () => {
    const answers = await withPackagesLocked(async (locker) => {
      const reads = Array.from({ length: 16 }, () => ask(owner, 'GET', `/api/packages/${packageId}`));
      await untilWaiting(locker, 8);
      expect(await ask(other, 'GET', '/api/users/me')).toBe(200);
      return { reads: Promise.all(reads) };
    });
    expect(new Set(await answers.reads)).toEqual(new Set([200]));
  });

  test('70 concurrent searches of one account leave slots for another', async () => {
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

  // Last, as the jobs of the delivery that starts afterwards take connections too.
  test('of drivers is eight', async () => {
    await withPackagesLocked(async () => {
      await expectRefusals(2, 10, () => ask(otherDriver, 'POST', `/api/deliveries/${packageId}/start`));
    });
  });
});

test('a flood of lookups is shed once 256 of them wait for the database', async () => {
  await withPackagesLocked(async () => {
    const replies = Array.from({ length: 257 }, async () => product.app.inject(`/api/track/${trackingId}`));
    const last = await replies[256];
    expect([last?.statusCode, last?.headers['retry-after']]).toEqual([503, '1']);
    expect((await product.app.inject('/livez')).statusCode).toBe(200);
    expect(await ask(other, 'GET', '/api/users/me')).toBe(200);
  });
  await eventually(
    'the slots are free again',
    async () => (await ask(null, 'GET', `/api/track/${trackingId}`)) === 200,
  );
});

test('open streams occupy no slot', async () => {
  for (let number = 0; number < 41; number++) {
    const stream = await open(`GET /api/live HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${driver.token}\r\n\r\n`);
    await eventually('the stream', () => stream.received.includes('event: hello'));
  }
  expect(await ask(driver, 'GET', '/api/users/me')).toBe(200);
});

test('with load shedding off no request is shed', async () => {
  const lenient = await openTestProduct({ beside: product, runsJobs: false });
  const answers = await Promise.all(
    Array.from({ length: 41 }, () =>
      lenient.app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${owner.token}` } }),
    ),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await lenient.close();
});

test.each([
  ['JSON', () => '/api/packages', 'application/json', 422, 'invalid'],
  ['a table', () => '/api/packages/import', 'text/csv', 422, 'invalid'],
  ['a file', () => `/api/packages/${packageId}/images`, form, 415, 'unsupported_media_type'],
])(
  'a request that announces %s and has no body is answered at once, and its connection stays open',
  async (_what, path, type, status, code) => {
    const head = `host: x\r\nauthorization: Bearer ${owner.token}\r\ncontent-type: ${type}\r\n\r\n`;
    const socket = await open(`POST ${path()} HTTP/1.1\r\n${head}`);
    await eventually('the answer', () => socket.received.includes(`"code":"${code}"`));
    expect(socket.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.received = '';
    socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually('the next answer', () => socket.received.includes('"status":"alive"'));
  },
);

describe('an oversized request', () => {
  const headers = () => ({ authorization: `Bearer ${owner.token}`, 'idempotency-key': 'a-key' });
  test('with a URL of more than 4,096 characters is refused', async () => {
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
  ])('with a body of %s nested 5,000 deep is refused', async (_what, deep) => {
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/packages',
      headers: { ...headers(), 'content-type': 'application/json' },
      payload: `{"name":"Lamp","_id":${deep}}`,
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'unreadable']);
  });

  test('with thousands of unknown fields is refused with 50 field errors at most', async () => {
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
