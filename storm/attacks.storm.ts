import { Agent, request } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { cloneDatabase } from '../server/src/testing/postgres.ts';
import { packageInput } from '../server/src/testing/test-product.ts';
import { full, size } from './storm-size.ts';

/** Attackers come from an address of their own, as they would. */
const elsewhere = '127.0.0.66';
const asks = size(40, 500);
/** In milliseconds: what is quicker than this is quick, and three times as much the breath of a busy machine. */
const least = 30;

let product: RunningProduct;
let connection: pg.ClientConfig;
const agent = new Agent({ keepAlive: true });
/** The visitor is there to sign in, again and again. */
const names = ['owner', 'attacker', 'visitor', 'driver', 'rival'] as const;
const tokens = {} as Record<(typeof names)[number], string>;
let started = '';

beforeAll(async () => {
  connection = await cloneDatabase();
  const { host = '', port, user, database } = connection;
  product = await startProduct({
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  });
  for (const name of names) {
    const role = name === 'driver' || name === 'rival' ? 'driver' : 'owner';
    const body = { name: `The ${name}`, email: `${name}@example.com`, password: 'secret of theirs', role } as const;
    tokens[name] = (await product.api().auth.register({ body })).token;
  }
  started = (await product.api(tokens.owner).packages.create({ body: packageInput() })).id;
  await product.api(tokens.driver).deliveries.start({ params: { id: started } });
  await fill();
});
afterAll(async () => {
  agent.destroy();
  await product?.stop();
});

/** So many waiting packages that to search and count them is work, and a picture of 3 MB. */
async function fill(): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(
    `insert into packages (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, handling, status, location,
       created_at, updated_at)
     select gen_random_uuid(), owner_id, 'PKG-' || lpad(upper(to_hex(n)), 8, '0'), 'Lamp ' || n, description, category, weight_kg,
       recipient_name, handling, 'processing', location, created_at, updated_at
     from packages, generate_series(1, 20000) n where id = $1`,
    [started],
  );
  await client.end();
  const folder = join(product.dataDir, 'storage/packages');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '1795304819130-abcde1-large.jpg'), Buffer.alloc(3_400_000, 'x'));
  writeFileSync(join(folder, '1795304819130-abcde1-small.jpg'), Buffer.alloc(30_000, 'x'));
}
const largePicture = '/media/packages/1795304819130-abcde1-large.jpg';
const smallPicture = '/media/packages/1795304819130-abcde1-small.jpg';

interface Ask {
  method?: 'GET' | 'POST';
  path: string;
  token?: string;
  type?: string;
  body?: string;
}

function head({ method = 'GET', path, token, type = 'application/json' }: Ask, length: number): string {
  const authorization = token ? `authorization: Bearer ${token}\r\n` : '';
  const content = length > 0 ? `content-type: ${type}\r\ncontent-length: ${length}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nhost: x\r\n${authorization}${content}\r\n`;
}

/** @returns the status; 0 when there was no answer */
const send = ({ method = 'GET', path, token, type = 'application/json', body }: Ask, from?: string) =>
  new Promise<number>((resolve) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type, 'content-length': body.length }),
    };
    const options = { method, headers, ...(from ? { localAddress: from } : { agent }) };
    request(`${product.url}${path}`, options, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 0));
    })
      .on('error', () => resolve(0))
      .end(body);
  });

/** Asks one after the other. @returns how long the slowest of a hundred took, in milliseconds */
async function measure(honest: Ask[]): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < asks; number++) {
    const ask = honest[number % honest.length] as Ask;
    const before = performance.now();
    const status = await send(ask);
    times.push(performance.now() - before);
    expect(status, `${ask.method ?? 'GET'} ${ask.path}`).toBeGreaterThanOrEqual(200);
    expect(status, `${ask.method ?? 'GET'} ${ask.path}`).toBeLessThan(300);
    await sleep(10);
  }
  return times.toSorted((a, b) => a - b)[Math.ceil(asks * 0.99) - 1] ?? 0;
}

const warmUp = async (honest: Ask[]) => {
  for (let number = 0; number < 10; number++) await send(honest[number % honest.length] as Ask);
};

interface Attack {
  /** Begins it. @returns what ends it */
  begin: () => Promise<() => void>;
  honest: Ask[];
}

/** So many connections, opened again when they are closed, with a request whose body does not come. */
const silent = (sockets: number, ask: Ask, length = 60_000) =>
  hold(sockets, (socket) => {
    socket.write(`${head(ask, length)}{`);
    const dribble = setInterval(() => socket.write(' '), 1000);
    socket.on('close', () => clearInterval(dribble));
    socket.resume();
  });

/** So many readers of something large who do not read. */
const stalled = (sockets: number, ask: Ask) =>
  hold(sockets, (socket) => {
    socket.pause();
    socket.write(head(ask, 0));
  });

function hold(sockets: number, talk: (socket: Socket) => void): () => Promise<() => void> {
  return async () => {
    const open = new Set<Socket>();
    let isOver = false;
    const one = () => {
      const port = Number(new URL(product.url).port);
      const socket = connect({ port, host: '127.0.0.1', localAddress: elsewhere }, () => talk(socket));
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        if (!isOver) setTimeout(() => isOver || one(), 1000);
      });
    };
    for (let number = 0; number < sockets; number++) one();
    await sleep(500);
    return () => {
      isOver = true;
      open.forEach((socket) => socket.destroy());
    };
  };
}

/** So many requests at once, all the time; who is refused comes again after a moment. */
const busy = (requests: number, ask: Ask) => async () => {
  let isOver = false;
  const one = async () => {
    while (!isOver) if ((await send(ask, elsewhere)) !== 200) await sleep(200);
  };
  for (let number = 0; number < requests; number++) void one();
  await sleep(500);
  return () => void (isOver = true);
};

const create = (): Ask => ({
  method: 'POST',
  path: '/api/packages',
  token: tokens.owner,
  body: JSON.stringify(packageInput()),
});
const search = (token: string): Ask => ({ path: '/api/deliveries?q=lamp+1&count=true', token });

const attacks: Record<string, () => Attack> = {
  '44 silent connections of an account that registers packages': () => ({
    begin: silent(44, { method: 'POST', path: '/api/packages', token: tokens.attacker }),
    honest: [create(), { path: '/api/users/me', token: tokens.owner }],
  }),
  '44 silent connections without a token': () => ({
    begin: silent(44, { method: 'POST', path: '/api/packages' }),
    honest: [create()],
  }),
  '8 silent imports': () => ({
    begin: silent(8, { method: 'POST', path: '/api/packages/import', token: tokens.attacker, type: 'text/csv' }),
    honest: [
      {
        method: 'POST',
        path: '/api/packages/import',
        token: tokens.owner,
        type: 'text/csv',
        body: 'name,description,category,weight,recipientName,recipientContact\nLamp',
      },
    ],
  }),
  '22 silent sign-ins': () => ({
    begin: silent(22, { method: 'POST', path: '/api/auth/login' }),
    honest: [
      {
        method: 'POST',
        path: '/api/auth/login',
        body: JSON.stringify({ email: 'visitor@example.com', password: 'secret of theirs' }),
      },
    ],
  }),
  '66 silent connections of a driver': () => ({
    begin: silent(66, { method: 'POST', path: `/api/deliveries/${started}/next`, token: tokens.rival }),
    honest: [{ method: 'POST', path: `/api/deliveries/${started}/start`, token: tokens.driver }],
  }),
  '70 searches at once of one driver': () => ({
    begin: busy(70, search(tokens.rival)),
    honest: [search(tokens.driver), { path: '/api/users/me', token: tokens.driver }],
  }),
  '300 readers of a picture who do not read': () => ({
    begin: stalled(300, { path: largePicture }),
    honest: [{ path: smallPicture }, { path: '/api/docs.css' }],
  }),
};

test.each(Object.keys(attacks))('%s hold up nobody else in their class', async (name) => {
  const attack = attacks[name]?.();
  if (!attack) throw new Error('no such attack');
  // A busy machine disturbs a measure now and then: what is slow by itself is slow again.
  for (let rounds = full ? 2 : 4; ; rounds--) {
    await warmUp(attack.honest);
    const alone = await measure(attack.honest);
    const end = await attack.begin();
    const beside = await measure(attack.honest).finally(end);
    // Let go of before the next.
    await sleep(300);
    console.log(`${name}: p99 ${Math.round(alone)} ms alone, ${Math.round(beside)} ms beside them`);
    const isHeldUp = full ? beside > 500 : beside > 3 * Math.max(alone, least);
    if (!isHeldUp) return;
    expect(rounds, `p99 ${beside} ms beside them, ${alone} ms alone`).toBeGreaterThan(1);
  }
});

test('a store for pictures that accepts and says nothing holds up no page and no call', async () => {
  const silentStore = createTcpServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await new Promise((resolve) => silentStore.once('listening', resolve));
  const before = product;
  const { host = '', port, user, database } = connection;
  product = await startProduct({
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    S3_ENDPOINT: `http://127.0.0.1:${(silentStore.address() as AddressInfo).port}`,
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 's',
  });
  try {
    const honest = [{ path: '/api/docs.css' }, { path: '/api/users/me', token: tokens.owner }];
    for (let rounds = full ? 2 : 4; ; rounds--) {
      await warmUp(honest);
      const alone = await measure(honest);
      const asked = Array.from({ length: 256 }, (_, number) => {
        const path = `/media/packages/1795304819130-abcde1-${number}.jpg`;
        return send({ path }, elsewhere);
      });
      await sleep(500);
      const beside = await measure(honest);
      // At most five seconds each, and not one after the other.
      expect(new Set(await Promise.all(asked))).toEqual(new Set([503]));
      console.log(`a silent store: p99 ${Math.round(alone)} ms alone, ${Math.round(beside)} ms beside`);
      if (full ? beside <= 500 : beside <= 3 * Math.max(alone, least)) return;
      expect(rounds, `p99 ${beside} ms beside, ${alone} ms alone`).toBeGreaterThan(1);
    }
  } finally {
    await product.stop();
    product = before;
    silentStore.close();
  }
});
