import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { handleCommands } from './child-process.ts';
import type { Connection } from './databases.ts';

/** Who reports: so many batches of so many points, a millisecond apart from `startsAt`. */
export interface Batches {
  count: number;
  points: number;
  startsAt: number;
}

export type Command =
  | { open: Connection }
  /** By each in turn, as fast as answers come; or so many points a second, until `stop`. */
  | { url: string; tokens: string[]; batches: Batches; perSecond?: number }
  | { driverIds: string[]; batches: Batches }
  | 'stop';

export interface Sent {
  points: number;
  pointsPerSecond: number;
}

/** As many at once as the product's requests; the pool is as large as the product's. */
const callers = 32;
const agent = new Agent({ keepAlive: true, maxSockets: callers });
let pool = new pg.Pool();
let steady: { isOver: boolean; done: Promise<Sent> } | null = null;

interface Point {
  at: string;
  lon: number;
  lat: number;
  accuracy: number;
}

const pointsOf = ({ points, startsAt }: Batches, batch: number): Point[] =>
  Array.from({ length: points }, (_, index) => {
    const step = batch * points + index;
    return {
      at: new Date(startsAt + step).toISOString(),
      lon: 13.4 + (step % 1000) / 10_000,
      lat: 52.5 + (step % 777) / 10_000,
      accuracy: 12,
    };
  });

function post(url: string, token: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/positions`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.on('response', (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (answer += text));
      response.on('end', () => {
        if (response.statusCode === 202 && answer.includes('"refused":0')) resolve();
        else reject(new Error(`positions were answered ${response.statusCode}: ${answer}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function repeat<T>(items: T[], work: (item: T) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const call = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (performance.now() - startedAt) / 1000;
}

/** The columns of the points as arrays, into the same two tables as the product, and nothing else. */
const insert = `
  with given as (
    select * from unnest($2::timestamptz[], $3::float8[], $4::float8[], $5::real[]) as point (at, lon, lat, accuracy)
  ), kept as (
    insert into positions (driver_id, at, lon, lat, accuracy) select $1::uuid, at, lon, lat, accuracy from given on conflict do nothing
  )
  insert into driver_positions (driver_id, at, lon, lat, accuracy)
  select $1::uuid, at, lon, lat, accuracy from given order by at desc limit 1
  on conflict (driver_id) do update set at = excluded.at, lon = excluded.lon, lat = excluded.lat, accuracy = excluded.accuracy
  where excluded.at > driver_positions.at`;

async function sendSteadily(
  { url, tokens, batches }: { url: string; tokens: string[]; batches: Batches },
  perSecond: number,
  run: { isOver: boolean },
): Promise<Sent> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  for (; !run.isOver; sent++) {
    const dueAt = startedAt + (sent * batches.points * 1000) / perSecond;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    const one = post(url, tokens[sent % tokens.length] ?? '', JSON.stringify({ positions: pointsOf(batches, sent) }));
    underWay.add(one);
    one.then(
      () => underWay.delete(one),
      () => {},
    );
  }
  await Promise.all(underWay);
  const points = sent * batches.points;
  return { points, pointsPerSecond: points / ((performance.now() - startedAt) / 1000) };
}

handleCommands(async (command: Command): Promise<Sent | null> => {
  if (command === 'stop') {
    if (!steady) return null;
    steady.isOver = true;
    const { done } = steady;
    steady = null;
    return done;
  }
  if ('open' in command) {
    await pool.end();
    pool = new pg.Pool({ ...command.open, max: 10 });
    return null;
  }
  const { batches } = command;
  const numbers = Array.from({ length: batches.count }, (_, index) => index);
  const points = batches.count * batches.points;
  if ('url' in command) {
    const { url, tokens, perSecond } = command;
    if (perSecond !== undefined) {
      const run = { isOver: false };
      steady = Object.assign(run, { done: sendSteadily(command, perSecond, run) });
      return null;
    }
    const bodies = numbers.map((batch) => ({
      token: tokens[batch % tokens.length] ?? '',
      body: JSON.stringify({ positions: pointsOf(batches, batch) }),
    }));
    return { points, pointsPerSecond: points / (await repeat(bodies, ({ token, body }) => post(url, token, body))) };
  }
  const rows = numbers.map((batch) => {
    const given = pointsOf(batches, batch);
    return [
      command.driverIds[batch % command.driverIds.length],
      given.map(({ at }) => at),
      given.map(({ lon }) => lon),
      given.map(({ lat }) => lat),
      given.map(({ accuracy }) => accuracy),
    ];
  });
  const seconds = await repeat(rows, async (values) => {
    await pool.query({ name: 'positions', text: insert, values });
  });
  return { points, pointsPerSecond: points / seconds };
});
