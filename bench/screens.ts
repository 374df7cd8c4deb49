import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@waybill/contract';
import pg from 'pg';
import { emptyTally, simulate, type Account } from '../server/src/demo/simulator.ts';
import type { BenchContext } from './bench.ts';
import type { Connection } from './databases.ts';
import { startProduct, type Product } from './product.ts';
import { median, ratioOf } from './quantiles.ts';
import { administrator, driverEmail, password } from './seed.ts';
import { smallTable } from './sizes.ts';

const owners = 20;
/** A simulated driver takes a package in less than half a minute. */
const packagesPerDriverAndMinute = 2.6;
/** Of one query on a screen, as in web/src/platform/invalidation.ts. */
const refetchEveryMs = 300;
/** What a driver's screen fetches again after a hint: more than any tab of it shows at a time. */
const readsAfter: Record<string, readonly Read[]> = {
  delivery: ['summary', 'mine', 'next', 'rounds'],
  deliveries: ['summary', 'pending'],
  route: ['rounds'],
};
const sampledReads = 100;

type Read = 'summary' | 'pending' | 'mine' | 'next' | 'rounds';

/**
 * A simulated day of drivers whose screens are open, with the acts and the streams in a server each. What hints and streams cost is what the
 * second one takes more than without them: events are read, and jobs done, in both cases. The reads that hints cause are counted, not sent:
 * their cost is measured by itself.
 */
export async function benchScreens({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const database = await databases.copy('bench_screens', smallTable);
  const accounts = await addAccounts(database.connection, size.screens);
  const products: Product[] = [];
  const start = async () => {
    const product = await startProduct(database);
    products.push(product);
    return product;
  };
  const over = new AbortController();
  try {
    const acts = await start();
    const streams = await start();
    const tally = emptyTally();
    const day = simulate(
      {
        api: (token) => createClient({ baseUrl: acts.url, token: () => token }),
        owners,
        drivers: size.screens,
        packagesPerMinute: size.screens * packagesPerDriverAndMinute,
        speed: 1,
        admin: { email: administrator, password },
        present: accounts,
        signal: over.signal,
      },
      tally,
    );
    await Promise.race([sleep(size.screensWarmUpSeconds * 1000), day]);
    const counts = { hints: 0, reads: 0, seconds: 0 };
    const cpuDuring = async () => {
      const before = await streams.cpuTime();
      const startedAt = performance.now();
      await Promise.race([sleep(size.screensSeconds * 1000), day]);
      const seconds = (performance.now() - startedAt) / 1000;
      return { cpu: ((await streams.cpuTime()) - before) / 1000 / seconds, seconds };
    };
    const { open, none } = await rounds.interleave(size.fewRounds, {
      open: async () => {
        const screens = await Promise.all(accounts.drivers.map((driver) => openScreen(streams.url, driver.token)));
        const { cpu, seconds } = await cpuDuring();
        for (const screen of screens) {
          screen.socket.destroy();
          counts.hints += screen.hints;
          counts.reads += screen.reads;
        }
        counts.seconds += seconds;
        return cpu;
      },
      none: async () => (await cpuDuring()).cpu,
    });
    over.abort();
    await day;
    const screens = `${size.screens.toLocaleString('en')} drivers’ screens`;
    report(
      {
        measure: `hints and streams of ${screens} in a simulated day`,
        unit: 'CPU s a second',
        product: median(open.map((cpu, round) => cpu - (none[round] ?? 0))),
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at most', bound: 0.3 },
      },
      {
        measure: `the whole server that has these streams`,
        unit: 'CPU s a second',
        product: median(open),
        baseline: { name: 'without open screens', figure: median(none) },
        ratio: ratioOf(open, none),
        goal: null,
      },
    );
    const readMs = await costOfReads(acts, accounts.drivers);
    const readsPerSecond = counts.reads / counts.seconds;
    report({
      measure: `reads that hints cause on ${screens}`,
      unit: 'a second',
      product: readsPerSecond,
      baseline: null,
      ratio: null,
      goal: null,
    });
    const steps = tally.started + tally.delivered + tally.failed;
    note(
      `${Math.round(counts.hints / counts.seconds).toLocaleString('en')} hints a second. Each read takes ${readMs.toFixed(2)} ms of the server’s CPU time (mean of all kinds), so all of them ${((readsPerSecond * readMs) / 1000).toFixed(2)} CPU s a second.`,
      `The day had ${tally.created.toLocaleString('en')} packages, ${tally.routesStarted.toLocaleString('en')} started routes and ${steps.toLocaleString('en')} deliveries started or ended; ${[...tally.errors.values()].reduce((sum, count) => sum + count, 0)} calls failed.`,
    );
  } finally {
    over.abort();
    await Promise.all(products.map((product) => product.stop()));
  }
}

/** Adds drivers and owners who are signed in: signing in a thousand would take longer than the day. */
async function addAccounts(
  connection: Connection,
  drivers: number,
): Promise<{ owners: Account[]; drivers: Account[] }> {
  const client = new pg.Client(connection);
  await client.connect();
  const add = async (role: 'owner' | 'driver', count: number): Promise<Account[]> => {
    const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
    const { rows } = await client.query<{ id: string }>(
      `with added as (
         insert into users (id, name, email, password_hash, role, status)
         select uuidv7(), 'Screen ' || i, 'screen-' || $1 || i || '@example.com', (select password_hash from users where email = $2), $1, 'active'
         from generate_series(1, $3::int) i returning id
       ), numbered as (select id, row_number() over (order by id) as number from added)
       insert into sessions (id, user_id, token_hash)
       select uuidv7(), id, token_hash from numbered join unnest($4::bytea[]) with ordinality given (token_hash, number) using (number)
       order by number returning user_id as id`,
      [role, driverEmail(1), count, tokens.map((token) => createHash('sha256').update(token).digest())],
    );
    return rows.map(({ id }, index) => ({ id, token: tokens[index] ?? '' }));
  };
  try {
    return { owners: await add('owner', owners), drivers: await add('driver', drivers) };
  } finally {
    await client.end();
  }
}

interface Screen {
  socket: Socket;
  hints: number;
  reads: number;
}

/** Resolves when the stream is open. Counts its hints, and the reads that a driver's screen makes because of them. */
function openScreen(url: string, token: string): Promise<Screen> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () =>
      socket.write(
        `GET /api/live HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
      ),
    );
    const screen: Screen = { socket, hints: 0, reads: 0 };
    const fetchedAt = new Map<Read, number>();
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      if (text.includes('event: hello')) resolve(screen);
      const now = performance.now();
      for (const [, type = ''] of text.matchAll(/"type":"(\w+)"/g)) {
        screen.hints++;
        for (const read of readsAfter[type] ?? []) {
          // During a fetch and its pause one more is remembered, for its end.
          const last = fetchedAt.get(read) ?? -Infinity;
          if (last > now) continue;
          screen.reads++;
          fetchedAt.set(read, Math.max(now, last + refetchEveryMs));
        }
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server ended a stream')));
  });
}

/** @returns the mean of all kinds, in ms of the server's CPU time */
async function costOfReads(product: Product, drivers: Account[]): Promise<number> {
  const before = await product.cpuTime();
  let count = 0;
  for (let index = 0; index < sampledReads; index++) {
    const token = drivers[index % drivers.length]?.token ?? '';
    const api = createClient({ baseUrl: product.url, token: () => token });
    const reads: Record<Read, () => Promise<unknown>> = {
      summary: () => api.deliveries.summary(),
      pending: () => api.deliveries.pending({ query: { limit: 20 } }),
      mine: () => api.deliveries.mine({ query: { limit: 20 } }),
      next: () => api.deliveries.mine({ query: { limit: 1, status: 'out for delivery' } }),
      rounds: () => api.routes.mine({ query: {} }),
    };
    for (const read of Object.values(reads)) {
      await read();
      count++;
    }
  }
  return ((await product.cpuTime()) - before) / count;
}
