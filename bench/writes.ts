import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatePackageInput } from '@waybill/contract';
import pg from 'pg';
import type { Command } from './baselines/raw-sql.ts';
import { startChild } from './child-process.ts';
import type { Databases } from './databases.ts';
import type { Load, LoadRequest, LoadResult } from './load.ts';
import { startProduct, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { interleave, median, ratioOf } from './quantiles.ts';
import { driverEmail, largeOwner } from './seed.ts';
import { connections, type Size } from './sizes.ts';

/** The product's pool size (server/src/platform/database/db.ts). */
const poolSize = 10;

const newPackage: CreatePackageInput = {
  name: 'Blue Kettle',
  description: 'Handed in at the counter, to be delivered on a weekday',
  category: 'Electronics',
  weight: 2.5,
  dimensions: { width: 20, height: 15, length: 30 },
  recipientName: 'Anna Schmidt',
  recipientContact: '+49301234567',
  location: 'Berlin',
  eta: '2030-01-31',
  address: { street: 'Long Street 5', postalCode: '10115', city: 'Berlin', country: null },
  handling: { fragile: true, keepUpright: false, refrigerated: false, signatureRequired: false, safePlace: null },
  hideRecipient: false,
};

/** Creates packages and starts deliveries, over HTTP and with raw SQL. */
export async function benchWrites(databases: Databases, size: Size): Promise<Finding[]> {
  const database = await databases.copy('bench_writes', size.packages);
  const product = await startProduct(database);
  const load = await startChild<Load, LoadResult>('load.ts');
  const rawSql = await startChild<Command, number>('baselines/raw-sql.ts');
  const observer = new pg.Client(database.connection);
  await observer.connect();
  try {
    await rawSql.run({ open: database.connection, poolSize, callers: connections });
    const owner = await product.signIn(largeOwner);
    const drivers: Session[] = [];
    for (let number = 1; number <= connections; number++) drivers.push(await product.signIn(driverEmail(number)));
    const driverIds = drivers.map((driver) => driver.id);

    const send = async (requests: LoadRequest[]) => {
      const { perSecond, failed } = await load.run({ url: product.url, connections, requests });
      if (failed > 0) throw new Error(`${failed} writes failed`);
      await untilJobsDone(observer);
      return perSecond;
    };
    const createOne: LoadRequest = { method: 'POST', path: '/api/packages', token: owner.token, body: newPackage };
    const createKeyed = () => ({ ...createOne, key: randomUUID() });
    const createRaw = { create: newPackage, ownerId: owner.id, times: size.writes };
    const creates = await interleave(size.rounds, {
      product: () => send(Array.from({ length: size.writes }, () => createOne)),
      rawSql: () => rawSql.run({ ...createRaw, keyed: false }),
    });
    const keyedCreates = await interleave(size.rounds, {
      product: () => send(Array.from({ length: size.writes }, createKeyed)),
      rawSql: () => rawSql.run({ ...createRaw, keyed: true }),
    });
    const pending = () => pendingPackages(observer, size.writes);
    const share = size.writes / connections;
    const starts = await interleave(size.rounds, {
      // Each connection belongs to one driver.
      product: async () =>
        send(
          (await pending()).map((id, index) => ({
            method: 'POST',
            path: `/api/deliveries/${id}/start`,
            token: drivers[Math.floor(index / share)]?.token,
          })),
        ),
      rawSql: async () => rawSql.run({ start: await pending(), driverIds }),
    });
    return [
      finding('create', creates, 1.2),
      finding('create with Idempotency-Keys', keyedCreates, 1),
      finding('start', starts, 0.5),
    ];
  } finally {
    await observer.end();
    await Promise.all([product.stop(), load.stop(), rawSql.stop()]);
  }
}

const finding = (kind: string, figures: { product: number[]; rawSql: number[] }, bound: number): Finding => ({
  promise: `${kind} over HTTP, ${connections} connections`,
  unit: 'requests/s',
  product: median(figures.product),
  baseline: { name: 'the same statements by hand, one transaction, same pool', figure: median(figures.rawSql) },
  ratio: ratioOf(figures.product, figures.rawSql),
  goal: { of: 'ratio', is: 'at least', bound },
});

async function pendingPackages(observer: pg.Client, count: number): Promise<string[]> {
  const { rows } = await observer.query<{ id: string }>(
    "select id from packages where status = 'processing' order by random() limit $1",
    [count],
  );
  return rows.map((row) => row.id);
}

/** Waits for notification jobs, so that those of one round do not slow down the next. */
async function untilJobsDone(observer: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await observer.query(
      "select from jobs.job where name = 'notify-owner' and state < 'completed' limit 1",
    );
    if (rowCount === 0) return;
    await sleep(100);
  }
}
