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

/** A way to the database that can swallow everything. What has lost bytes once stays dead, as after a long cut of the network. */
async function openWay(to: string, socketName: string) {
  const host = mkdtempSync(join(tmpdir(), 'waybill-way-'));
  const state = { swallows: false };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to);
    let lost = false;
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        lost ||= state.swallows;
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

const holeMs = size(3000, 8000);

test(`while everything to and from the database is swallowed for ${holeMs / 1000} s, all are told to come back soon; then writes are taken again`, async () => {
  const direct = await cloneDatabase();
  const way = await openWay(join(direct.host ?? '', `.s.PGSQL.${direct.port}`), `.s.PGSQL.${direct.port}`);
  const product = await openTestProduct({ connection: { ...direct, host: way.host } });
  cleanUps.push(() => product.close());
  const owner = await product.register('owner');
  const { trackingId } = await createPackage(owner);
  const url = await product.listen();
  const post = {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(packageInput()),
  };

  const answers: { asked: number; took: number; status: number; retryAfter: string | null }[] = [];
  const ask = async (path: string, init?: RequestInit) => {
    const asked = performance.now();
    const answer = await fetch(`${url}/api${path}`, init);
    await answer.arrayBuffer();
    const retryAfter = answer.headers.get('retry-after');
    answers.push({ asked, took: performance.now() - asked, status: answer.status, retryAfter });
  };
  // More of them at once than there are connections: some wait for one.
  const under: Promise<void>[] = [];
  const asking = setInterval(() => under.push(ask('/packages', post), ask(`/track/${trackingId}`)), 20);
  await sleep(500);
  way.state.swallows = true;
  const began = performance.now();
  await sleep(holeMs);
  way.state.swallows = false;
  const ended = performance.now();
  await eventually('writes are taken again', () =>
    answers.some(({ asked, status }) => asked > ended && status === 201),
  );
  clearInterval(asking);
  await Promise.all(under);

  const during = answers.filter(({ asked }) => asked > began && asked < ended - 100);
  const longest = Math.max(...answers.map(({ took }) => took));
  const back = Math.min(
    ...answers.filter(({ asked, status }) => asked > began && status === 201).map(({ asked, took }) => asked + took),
  );
  console.log(
    `black hole of ${holeMs} ms: ${during.length} answers, the longest after ${Math.round(longest)} ms; writes back after ${Math.round(back - ended)} ms`,
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
  for (const { status, retryAfter } of answers) if (status === 503) expect(retryAfter).toBe('1');
  expect(during.filter(({ status }) => status === 503).length).toBeGreaterThan(during.length * 0.9);
  // 1.5 s where nothing else wants the processor; without the watch it takes minutes.
  expect(longest).toBeLessThan(full ? 3500 : 10_000);
  expect(back - ended).toBeLessThan(full ? 3000 : 10_000);
});
