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
/** What a driver's screen fetches again after a hint of the driver's own steps: more than any of them shows at a time. */
const readsOfOwn: Record<string, readonly OwnRead[]> = {
  delivery: ['summary', 'mine', 'next', 'rounds'],
  route: ['rounds'],
};
const sampledReads = 100;

type OwnRead = 'summary' | 'mine' | 'next' | 'rounds';

/** The list that waits for a driver, as a screen asks for it. */
const waitingList = '/api/deliveries?limit=20&count=true';

/**
 * A simulated day of drivers whose screens are open, with the acts and the screens on a server each. What hints and streams cost is what
 * the second one takes more than without them: events are read, and jobs done, in all cases. Then every screen shows what waits, which
 * changes with each act of anybody, and fetches it again at each hint. What a screen fetches because of the driver's own steps is
 * counted, not sent: it does so without hints, too, after each act. The cost of that is measured by itself.
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
    const server = await start();
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
    const cpuDuring = async () => {
      const before = await server.cpuTime();
      const startedAt = performance.now();
      await Promise.race([sleep(size.screensSeconds * 1000), day]);
      const seconds = (performance.now() - startedAt) / 1000;
      return { cpu: ((await server.cpuTime()) - before) / 1000 / seconds, seconds };
    };
    const [ofRounds, ofLists] = [emptyCounts(), emptyCounts()];
    const withScreens = async (counts: Counts, listsWaiting: boolean) => {
      const screens = await Promise.all(
        accounts.drivers.map(({ token }) => openScreen(server.url, token, listsWaiting)),
      );
      const { cpu, seconds } = await cpuDuring();
      for (const { sockets, ...screen } of screens) {
        for (const socket of sockets) socket.destroy();
        counts.hints += screen.hints;
        counts.ownReads += screen.ownReads;
        counts.lists += screen.lists;
        counts.failed += screen.failed;
        counts.longestMs = Math.max(counts.longestMs, screen.longestMs);
      }
      counts.seconds += seconds;
      return cpu;
    };
    const { streams, lists, none } = await rounds.interleave(size.fewRounds, {
      streams: () => withScreens(ofRounds, false),
      lists: () => withScreens(ofLists, true),
      none: async () => (await cpuDuring()).cpu,
    });
    over.abort();
    await day;
    const screens = `${size.screens.toLocaleString('en')} drivers’ screens`;
    const moreThanNone = (costs: number[]) => median(costs.map((cpu, round) => cpu - (none[round] ?? 0)));
    const goal = { of: 'product', is: 'at most', bound: 0.3 } as const;
    report(
      {
        measure: `hints and streams of ${screens} in a simulated day`,
        unit: 'CPU s a second',
        product: moreThanNone(streams),
        baseline: null,
        ratio: null,
        goal,
      },
      {
        measure: 'the same, when all of them show what waits, and fetch it at each hint',
        unit: 'CPU s a second',
        product: moreThanNone(lists),
        baseline: null,
        ratio: null,
        goal,
      },
      {
        measure: 'the whole server that has these streams',
        unit: 'CPU s a second',
        product: median(streams),
        baseline: { name: 'without open screens', figure: median(none) },
        ratio: ratioOf(streams, none),
        goal: null,
      },
      {
        measure: 'fetches of what waits that failed',
        unit: 'of 100',
        product: (100 * ofLists.failed) / Math.max(1, ofLists.lists),
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at most', bound: 0 },
      },
    );
    const readMs = await costOfOwnReads(acts, accounts.drivers);
    const ownReads = (ofRounds.ownReads + ofLists.ownReads) / (ofRounds.seconds + ofLists.seconds);
    const steps = tally.started + tally.delivered + tally.failed;
    const aSecond = (count: number, { seconds }: Counts) => Math.round(count / seconds).toLocaleString('en');
    note(
      `${aSecond(ofRounds.hints, ofRounds)} hints a second. Where all showed what waits they fetched it ${aSecond(ofLists.lists, ofLists)} times a second, the slowest in ${Math.round(ofLists.longestMs)} ms.`,
      `Because of the drivers’ own steps, which a screen does not need a hint for, ${Math.round(ownReads).toLocaleString('en')} reads a second; each takes ${readMs.toFixed(2)} ms of the server’s CPU time one after another, so all of them ${((ownReads * readMs) / 1000).toFixed(2)} CPU s a second. They are in none of these figures.`,
      `The day had ${tally.created.toLocaleString('en')} packages, ${tally.routesStarted.toLocaleString('en')} started routes and ${steps.toLocaleString('en')} deliveries started or ended; ${[...tally.errors.values()].reduce((sum, count) => sum + count, 0)} calls failed.`,
    );
  } finally {
    over.abort();
    await Promise.all(products.map((product) => product.stop()));
  }
}

interface Counts {
  hints: number;
  /** What screens would fetch because of their driver's own steps. */
  ownReads: number;
  /** How often the list of what waits was fetched, and how long it took at most. */
  lists: number;
  failed: number;
  longestMs: number;
  seconds: number;
}

const emptyCounts = (): Counts => ({ hints: 0, ownReads: 0, lists: 0, failed: 0, longestMs: 0, seconds: 0 });

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

interface Screen extends Omit<Counts, 'seconds'> {
  sockets: Socket[];
}

/** Resolves when the stream is open. Counts its hints and what they cause; with `listsWaiting` it fetches what waits, as a screen does. */
function openScreen(url: string, token: string, listsWaiting: boolean): Promise<Screen> {
  const { hostname: host, port } = new URL(url);
  const head = `HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  return new Promise((resolve, reject) => {
    const { seconds: _seconds, ...counts } = emptyCounts();
    const screen: Screen = { ...counts, sockets: [] };
    const fetchedAt = new Map<OwnRead, number>();
    const list = listsWaiting ? openList(host, Number(port), `GET ${waitingList} ${head}\r\n`, screen) : null;
    const socket = connect(Number(port), host, () =>
      socket.write(`GET /api/live ${head}Accept: text/event-stream\r\n\r\n`),
    );
    screen.sockets.push(socket);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      if (text.includes('event: hello')) resolve(screen);
      const now = performance.now();
      for (const [, type = ''] of text.matchAll(/"type":"(\w+)"/g)) {
        screen.hints++;
        if (type === 'deliveries') list?.();
        for (const read of readsOfOwn[type] ?? []) {
          // During a fetch and its pause one more is remembered, for its end.
          const last = fetchedAt.get(read) ?? -Infinity;
          if (last > now) continue;
          screen.ownReads++;
          fetchedAt.set(read, Math.max(now, last + refetchEveryMs));
        }
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server ended a stream')));
  });
}

/**
 * As a browser does, it connects when it has something to fetch, and again after the server has closed an idle connection.
 * @returns what fetches the list: one at a time, and once more after a pause if it is asked to meanwhile
 */
function openList(host: string, port: number, request: string, screen: Screen): () => void {
  let socket: Socket | null = null;
  /** Fetching, or in the pause after it. */
  let isBusy = false;
  let again = false;
  /** Null: nothing is being fetched. */
  let sentAt: number | null = null;
  let answer = Buffer.alloc(0);
  const fetch = () => {
    if (isBusy) {
      again = true;
      return;
    }
    [isBusy, again, sentAt] = [true, false, performance.now()];
    socket ??= open();
    socket.write(request);
  };
  const end = () => {
    sentAt = null;
    answer = Buffer.alloc(0);
    setTimeout(() => {
      isBusy = false;
      if (again) fetch();
    }, refetchEveryMs);
  };
  const open = (): Socket => {
    const opened = connect(port, host);
    screen.sockets.push(opened);
    opened.on('data', (chunk: Buffer) => {
      // A refusal of an idle connection answers no request.
      if (sentAt === null) return;
      answer = Buffer.concat([answer, chunk]);
      const headEnd = answer.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const header = answer.subarray(0, headEnd).toString('latin1');
      const length = Number(/content-length: (\d+)/i.exec(header)?.[1] ?? NaN);
      if (answer.length < headEnd + 4 + length) return;
      screen.lists++;
      screen.longestMs = Math.max(screen.longestMs, performance.now() - sentAt);
      // Without a length nothing more would be understood.
      if (!header.startsWith('HTTP/1.1 200') || Number.isNaN(length)) screen.failed++;
      end();
    });
    opened.on('error', () => {});
    opened.on('close', () => {
      socket = null;
      if (sentAt === null) return;
      screen.failed++;
      end();
    });
    return opened;
  };
  return fetch;
}

/** @returns the mean of all kinds, in ms of the server's CPU time */
async function costOfOwnReads(product: Product, drivers: Account[]): Promise<number> {
  const before = await product.cpuTime();
  let count = 0;
  for (let index = 0; index < sampledReads; index++) {
    const token = drivers[index % drivers.length]?.token ?? '';
    const api = createClient({ baseUrl: product.url, token: () => token });
    const reads: Record<OwnRead, () => Promise<unknown>> = {
      summary: () => api.deliveries.summary(),
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
