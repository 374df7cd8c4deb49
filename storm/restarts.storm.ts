import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { makeDataDir, startProduct, type RunningProduct } from '../e2e/product.ts';
import { cloneDatabase } from '../server/src/testing/postgres.ts';
import { eventually } from '../server/src/testing/test-product.ts';
import { full, runsLong, size } from './storm-size.ts';

// Low enough at the small size, beside other tests, that no server sheds load.
const perSecond = size(30, 100);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const input = JSON.stringify({
  name: 'Desk lamp',
  description: 'Written while something restarts',
  category: 'Other',
  weight: 1,
  recipientName: 'Anna Berg',
  recipientContact: '+49 151 2345678',
});

const registerOwner = async (product: RunningProduct): Promise<string> =>
  (
    await product.api().auth.register({
      body: { name: 'The owner', email: 'owner@example.com', password: 'pond-heron-7', role: 'owner' },
    })
  ).token;

interface Answer {
  status: number;
  answeredAt: number;
}

/** Creates packages at a steady rate until stopped. @returns the responses so far; status 0 if there was none */
function writeSteadily(url: string, token: string): { answers: Answer[]; stop(): Promise<unknown> } {
  const inFlight: Promise<void>[] = [];
  const answers: Answer[] = [];
  const write = async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const status = await fetch(`${url}/api/packages`, { method: 'POST', headers, body: input }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    answers.push({ status, answeredAt: performance.now() });
  };
  const writing = setInterval(() => inFlight.push(write()), 1000 / perSecond);
  return {
    answers,
    stop() {
      clearInterval(writing);
      return Promise.all(inFlight);
    },
  };
}

const distinctStatuses = (answers: Answer[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);

test('a restart of PostgreSQL under writes causes only 503s, which end with the restart', async () => {
  const dataDir = makeDataDir();
  cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const product = await startProduct({ DATA_DIR: dataDir });
  cleanUps.push(() => product.stop());
  const token = await registerOwner(product);
  const postmaster = () => Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

  for (let restart = 0; restart < size(1, 10); restart++) {
    const { answers, stop } = writeSteadily(product.url, token);
    await eventually('writes are taken', () => answers.length >= 20);
    const began = performance.now();
    process.kill(postmaster(), 'SIGINT');
    while (product.output().split('PostgreSQL runs again').length < restart + 2) await sleep(5);
    const runs = performance.now();
    await eventually('the refusals end', () => {
      const since = answers.filter(({ answeredAt }) => answeredAt > runs).slice(-50);
      return since.length === 50 && since.every(({ status }) => status === 201);
    });
    await stop();
    const refused = answers.filter(({ status }) => status === 503);
    const last = Math.max(...refused.map(({ answeredAt }) => answeredAt));
    console.log(
      `PostgreSQL away for ${Math.round(runs - began)} ms: ${refused.length} of ${answers.length} refused, the last ${Math.round(last - runs)} ms after it was back`,
    );
    expect(distinctStatuses(answers)).toEqual([201, 503]);
    // Not on a busy machine, where times prove nothing.
    if (full) expect(last - runs).toBeLessThan(2000);
  }
});

/**
 * A round-robin load balancer with health checks every 100 ms. It is not told when a server stops, and it never retries: a lost
 * request fails.
 */
async function balance(servers: Set<RunningProduct>): Promise<{ url: string; ready: ReadonlySet<RunningProduct> }> {
  const ready = new Set(servers);
  let turn = 0;
  const agent = new Agent({ keepAlive: true });
  const front = createServer((incoming, answer) => {
    const all = [...ready];
    const to = all[turn++ % all.length];
    const { method, url, headers } = incoming;
    const pass = (reply: IncomingMessage) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    };
    incoming.pipe(request(`${to?.url}${url}`, { method, headers, agent }, pass).on('error', () => answer.destroy()));
  }).listen(0, '127.0.0.1');
  const checking = setInterval(() => {
    for (const server of ready) if (!servers.has(server)) ready.delete(server);
    for (const server of servers) {
      fetch(`${server.url}/healthz`).then(
        async (answer) => {
          await answer.arrayBuffer();
          if (answer.ok && servers.has(server)) ready.add(server);
          else ready.delete(server);
        },
        () => ready.delete(server),
      );
    }
  }, 100);
  // The servers' keep-alive headers pass through unchanged.
  front.keepAliveTimeout = 0;
  await once(front, 'listening');
  cleanUps.push(() => {
    clearInterval(checking);
    agent.destroy();
    front.closeAllConnections();
    front.close();
  });
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, ready };
}

test.runIf(runsLong)(
  'a rolling restart of two servers, one with two workers, under load fails no request',
  async () => {
    const { host = '', port, user, database } = await cloneDatabase();
    const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    const start = async (WORKERS: string) => ({
      WORKERS,
      // Longer than the balancer takes to notice, even on a busy machine.
      server: await startProduct({ DATABASE_URL, WORKERS, DRAIN_SECONDS: String(size(2, 3)) }),
    });
    const running = await Promise.all([start('1'), start('2')]);
    const servers = new Set(running.map(({ server }) => server));
    cleanUps.push(() => Promise.all([...servers].map((server) => server.stop())));
    const token = await registerOwner(running[0].server);
    const { url, ready } = await balance(servers);
    const { answers, stop } = writeSteadily(url, token);
    for (let round = 0; round < size(1, 5); round++) {
      for (const [index, old] of running.entries()) {
        await sleep(size(300, 2000));
        await old.server.stop();
        servers.delete(old.server);
        const fresh = await start(old.WORKERS);
        running[index] = fresh;
        servers.add(fresh.server);
        // The balancer must know that it is ready before the other server stops.
        await eventually('the balancer gives it requests', () => ready.has(fresh.server));
      }
    }
    await stop();
    console.log(
      `restarted in turn: ${answers.filter(({ status }) => status !== 201).length} of ${answers.length} failed`,
    );
    expect(distinctStatuses(answers)).toEqual([201]);
  },
);
