import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { cloneDatabase } from '../server/src/testing/postgres.ts';
import { full, size } from './storm-size.ts';

const seconds = size(3, 15);
/** Nobody may have more than eight requests in flight, so a crowd of owners comes. */
const owners = 24;

let product: RunningProduct | undefined;
const agent = new Agent({ keepAlive: true });
afterAll(async () => {
  agent.destroy();
  await product?.stop();
});

const input = JSON.stringify({
  name: 'Desk lamp',
  description: 'One of very many',
  category: 'Other',
  weight: 1,
  recipientName: 'Anna Berg',
  recipientContact: '+49 151 2345678',
});

interface Answer {
  status: number;
  retryAfter: string | undefined;
  took: number;
}

/** Registers a package, without a client that would be busier than the server. */
const create = (token: string) =>
  new Promise<Answer>((resolve) => {
    const asked = performance.now();
    const done = (status: number, retryAfter?: string) =>
      resolve({ status, retryAfter, took: performance.now() - asked });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': input.length,
    };
    request(`${product?.url}/api/packages`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('close', () => done(response.statusCode ?? 0, response.headers['retry-after']));
    })
      .on('error', () => done(0))
      .end(input);
  });

/** A database that takes its time for each package: ten connections carry 200 a second, or 50 where others use the machine too. */
async function slowDown(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`
    create function take_time() returns trigger language plpgsql as 'begin perform pg_sleep(${size(0.2, 0.05)}); return new; end';
    create trigger take_time before insert on packages for each row execute function take_time()`);
  await client.end();
}

const perSecond = (answers: Answer[]) => answers.filter(({ status }) => status === 201).length / seconds;

function p99(answers: Answer[]): number {
  const times = answers.map(({ took }) => took).toSorted((a, b) => a - b);
  return Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
}

const metricsToken = 'for the test of overload';

/** Looks every tenth of a second how many requests the server has let in. @returns what ends it, with the most there were */
function watchInFlight(): () => Promise<number> {
  let most = 0;
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const answer = await fetch(`${product?.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
      const [, count] = /waybill_http_requests_in_flight{class="rest".*} (\d+)/.exec(await answer.text()) ?? [];
      most = Math.max(most, Number(count));
      await sleep(100);
    }
  };
  const looking = look();
  return async () => {
    isOver = true;
    await looking;
    return most;
  };
}

/** As many at once as make the server work all the time, none of them turned away. */
async function measureCapacity(tokens: string[]): Promise<number> {
  const answers: Answer[] = [];
  const end = performance.now() + seconds * 1000;
  const one = async (token: string) => {
    while (performance.now() < end) answers.push(await create(token));
  };
  await Promise.all(tokens.map(one));
  return perSecond(answers);
}

/** Comes at this rate, however slow the answers are. */
async function flood(tokens: string[], rate: number): Promise<Answer[]> {
  const under: Promise<Answer>[] = [];
  const began = performance.now();
  for (let now = began; now < began + seconds * 1000; now = performance.now()) {
    while (under.length < ((now - began) / 1000) * rate) under.push(create(tokens[under.length % owners] ?? ''));
    await sleep(1);
  }
  return Promise.all(under);
}

test('at ten times what a server can carry it goes on carrying that, and tells the others to come back', async () => {
  const { host = '', port, user, database } = await cloneDatabase();
  product = await startProduct({
    METRICS_TOKEN: metricsToken,
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  });
  await slowDown({ host, port, user, database });
  const api = product.api();
  const tokens: string[] = [];
  while (tokens.length < owners) {
    const email = `owner${tokens.length}@example.com`;
    const body = { name: 'An owner', email, password: 'secret of theirs', role: 'owner' } as const;
    tokens.push((await api.auth.register({ body })).token);
  }
  // Neither is to be measured while they still warm up.
  await flood(tokens, size(100, 500));
  // A busy machine disturbs a measure now and then.
  for (let rounds = full ? 2 : 3; ; rounds--) {
    const capacity = await measureCapacity(tokens);
    const mostInFlight = watchInFlight();
    const answers = await flood(tokens, capacity * 10);
    expect(await mostInFlight()).toBe(40);
    const admitted = answers.filter(({ status }) => status === 201);
    const goodput = perSecond(answers);
    console.log(
      `capacity ${Math.round(capacity)}/s; asked for ${Math.round(answers.length / seconds)}/s: goodput ${Math.round(goodput)}/s, admitted p99 ${p99(admitted)} ms, all p99 ${p99(answers)} ms`,
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, retryAfter }) => `${status}, ${retryAfter}`))).toEqual(new Set(['503, 1']));
    expect(refused.length).toBeGreaterThan(answers.length / 4);
    // Where others use the machine too, how many are let in tells more than how long they take.
    const holds = full ? goodput >= capacity * 0.9 && p99(admitted) <= 500 : goodput >= capacity * 0.5;
    if (holds) return;
    expect(rounds, `goodput ${goodput} of ${capacity}, p99 ${p99(admitted)} ms`).toBeGreaterThan(1);
  }
});
