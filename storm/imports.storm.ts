import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@waybill/contract';
import { afterAll, expect, test } from 'vitest';
import { makeDataDir, startProduct, type RunningProduct } from '../e2e/product.ts';
import { size, runsLong } from './storm-size.ts';

const dataDir = makeDataDir();
let product: RunningProduct | undefined;
afterAll(async () => {
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const rows = size(3000, 10_000);
const kills = size(2, 8);

/** Every tenth row is bad. */
const names = Array.from({ length: rows }, (_, index) => `Lamp ${index}`);
const isGood = (_name: string, index: number) => index % 10 !== 0;
const file = [
  'name,description,category,weight,recipientName,recipientContact',
  ...names.map(
    (name, index) =>
      `${name},A lamp in two parts,Furniture,${isGood(name, index) ? '2.5' : 'heavy'},Anna Berg,+49 151 2345678`,
  ),
].join('\n');

test.runIf(runsLong)(
  `an import of ${rows} rows that is killed ${kills} times resumes: no row is missing or duplicated`,
  async () => {
    const start = async () => (product = await startProduct({ DATA_DIR: dataDir }));
    let running = await start();
    const { id: ownerId, token } = await running.api().auth.register({
      body: { name: 'The owner', email: 'owner@example.com', password: 'pond-heron-7', role: 'owner' },
    });
    const send = () => running.api(token).packages.import({ body: file, idempotencyKey: 'one-import' });
    const done = async () => (await running.api(token).packages.imports()).items[0]?.done ?? 0;

    const doneAtKill: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const before = await done();
      const answer = send().then(
        () => 'finished' as const,
        (error: unknown) => error,
      );
      // Probably in the middle of a batch.
      while ((await done()) === before) await sleep(2);
      await sleep(Math.random() * 30);
      const gone = running.gone();
      process.kill(running.pid, 'SIGKILL');
      await gone;
      expect(await answer).toBeInstanceOf(ApiError);
      running = await start();
      doneAtKill.push(await done());
    }
    console.log(`broken off after ${doneAtKill.join(', ')} of ${rows} rows`);
    expect(new Set(doneAtKill).size).toBe(kills);
    expect(Math.max(...doneAtKill)).toBeLessThan(rows);

    const report = await send();
    const good = names.filter(isGood);
    expect(report).toMatchObject({ status: 'finished', total: rows, done: rows, created: good.length });
    expect(report.errors.map(({ line }) => line)).toEqual(
      names.flatMap((name, index) => (isGood(name, index) ? [] : [index + 2])),
    );
    // Idempotent: sending it again creates nothing.
    expect(await send()).toEqual(report);
    const created: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: { items: { name: string }[]; next: string | null } = await running
        .api(token)
        .packages.listOfUser({ params: { id: ownerId }, query: { limit: 200, cursor } });
      created.push(...page.items.map(({ name }) => name));
      cursor = page.next;
    }
    expect(created.toSorted()).toEqual(good.toSorted());
  },
);
