import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { cloneDatabase } from '../server/src/testing/postgres.ts';
import { createPackage, eventually, openTestProduct, packageInput } from '../server/src/testing/test-product.ts';
import { full, size } from './storm-size.ts';

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** A proxy to the database that can drop all bytes. A connection that has lost bytes stays dead, as after a long network outage. */
async function openBlackHoleProxy(to: string, socketName: string) {
  const host = mkdtempSync(join(tmpdir(), 'waybill-proxy-'));
  const state = { isDropping: false };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to);
    let lost = false;
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        lost ||= state.isDropping;
        if (!lost) into.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => into.destroy());
    }
  }).listen(join(host, socketName));
  await once(server, 'listening');
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(host, { recursive: true });
  });
  return { host, state };
}

const outageMs = size(3000, 8000);

test(`a network outage of ${outageMs / 1000} s to the database causes only 503s with Retry-After, and writes succeed afterwards`, async () => {
  const direct = await cloneDatabase();
  const proxy = await openBlackHoleProxy(join(direct.host ?? '', `.s.PGSQL.${direct.port}`), `.s.PGSQL.${direct.port}`);
  const product = await openTestProduct({ connection: { ...direct, host: proxy.host } });
  cleanUps.push(() => product.close());
  const owner = await product.register('owner');
  const { trackingId } = await createPackage(owner);
  const url = await product.listen();
  const post = {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(packageInput()),
  };

  const answers: { sentAt: number; took: number; status: number; retryAfter: string | null }[] = [];
  const send = async (path: string, init?: RequestInit) => {
    const sentAt = performance.now();
    const answer = await fetch(`${url}/api${path}`, init);
    await answer.arrayBuffer();
    const retryAfter = answer.headers.get('retry-after');
    answers.push({ sentAt, took: performance.now() - sentAt, status: answer.status, retryAfter });
  };
  // More concurrent requests than connections in the pool: some wait for one.
  const inFlight: Promise<void>[] = [];
  const sending = setInterval(() => inFlight.push(send('/packages', post), send(`/track/${trackingId}`)), 20);
  await sleep(500);
  proxy.state.isDropping = true;
  const began = performance.now();
  await sleep(outageMs);
  proxy.state.isDropping = false;
  const ended = performance.now();
  await eventually('writes are taken again', () =>
    answers.some(({ sentAt, status }) => sentAt > ended && status === 201),
  );
  clearInterval(sending);
  await Promise.all(inFlight);

  const during = answers.filter(({ sentAt }) => sentAt > began && sentAt < ended - 100);
  const longest = Math.max(...answers.map(({ took }) => took));
  const back = Math.min(
    ...answers
      .filter(({ sentAt, status }) => sentAt > began && status === 201)
      .map(({ sentAt, took }) => sentAt + took),
  );
  console.log(
    `black hole of ${outageMs} ms: ${during.length} answers, the longest after ${Math.round(longest)} ms; writes back after ${Math.round(back - ended)} ms`,
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
  for (const { status, retryAfter } of answers) if (status === 503) expect(retryAfter).toBe('1');
  expect(during.filter(({ status }) => status === 503).length).toBeGreaterThan(during.length * 0.9);
  // 1.5 s on an idle machine; without the connection watchdog it takes minutes.
  expect(longest).toBeLessThan(full ? 3500 : 10_000);
  expect(back - ended).toBeLessThan(full ? 3000 : 10_000);
});
