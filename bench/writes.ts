import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatePackageInput } from '@waybill/contract';
import pg from 'pg';
import type { Command } from './baselines/raw-sql.ts';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import type { Databases } from './databases.ts';
import type { Load, LoadRequest, LoadResult } from './load.ts';
import { startProduct, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { median, ratioOf } from './quantiles.ts';
import { driverEmail, largeOwner } from './seed.ts';
import { connections, smallTable } from './sizes.ts';
import { differences, rowsAddedBy } from './written-rows.ts';

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
  handling: {
    fragile: true,
    keepUpright: false,
    refrigerated: false,
    signatureRequired: false,
    pin: false,
    age: null,
    safePlace: null,
  },
  hideRecipient: false,
};

/** Creates packages and starts deliveries, over HTTP and with raw SQL. */
export async function benchWrites(context: BenchContext): Promise<void> {
  const { databases, size, rounds, report, note } = context;
  const faults = await checkBaseline(databases);
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
    const creates = await rounds.interleave(size.rounds, {
      product: () => send(Array.from({ length: size.writes }, () => createOne)),
      rawSql: () => rawSql.run({ ...createRaw, keyed: false }),
    });
    const keyedCreates = await rounds.interleave(size.rounds, {
      product: () => send(Array.from({ length: size.writes }, createKeyed)),
      rawSql: () => rawSql.run({ ...createRaw, keyed: true }),
    });
    report(
      finding('create', creates.product, creates.rawSql, 1.2),
      finding('create with Idempotency-Keys', keyedCreates.product, keyedCreates.rawSql, 1),
    );
    const pending = () => pendingPackages(observer, size.writes);
    const share = size.writes / connections;
    // Each connection belongs to one driver. The screens send a key with each start.
    const startAll = async () =>
      send(
        (await pending()).map((id, index) => ({
          method: 'POST',
          path: `/api/deliveries/${id}/start`,
          token: drivers[Math.floor(index / share)]?.token,
          key: randomUUID(),
        })),
      );
    const starts = await rounds.interleave(size.rounds, {
      withJobs: startAll,
      withoutJobs: () => withJobsPostponed(observer, startAll),
      rawSql: async () => rawSql.run({ start: await pending(), driverIds, keyed: true }),
    });
    report(
      finding(
        'start with Idempotency-Keys, and its notifications carried out meanwhile',
        starts.withJobs,
        starts.rawSql,
        0.7,
      ),
      finding('start with Idempotency-Keys, its notifications not carried out', starts.withoutJobs, starts.rawSql, 0.7),
    );
    note(
      `${connections} connections over HTTP, ${size.writes.toLocaleString('en')} writes of each contender in each round.`,
      `The baseline writes the same rows with SQL alone: each write in a transaction of its own with the product's pool size, with prepared statements, and without carrying out the jobs.`,
    );
    if (faults.length > 0)
      throw new Error(`The baseline does not write what the product writes: ${faults.join('; ')}.`);
    note('On a small table the baseline was seen to add as many rows to each table as the product.');
  } finally {
    await observer.end();
    await Promise.all([product.stop(), load.stop(), rawSql.stop()]);
  }
}

const checkedWrites = 20;

/** Compares the rows that product and baseline add to each table. @returns what differs */
async function checkBaseline(databases: Databases): Promise<string[]> {
  const database = await databases.copy('bench_check', smallTable);
  const product = await startProduct(database);
  const rawSql = await startChild<Command, number>('baselines/raw-sql.ts');
  const observer = new pg.Client(database.connection);
  await observer.connect();
  try {
    await rawSql.run({ open: database.connection, poolSize, callers: 1 });
    const owner = await product.signIn(largeOwner);
    const driver = await product.signIn(driverEmail(1));
    const added = (work: () => Promise<unknown>) => rowsAddedBy(observer, checkedWrites, work);
    const eachOf = async <Item>(items: Item[], write: (item: Item) => Promise<unknown>) => {
      for (const item of items) await write(item);
    };
    const keys = Array.from({ length: checkedWrites }, () => randomUUID());
    const creates = await withJobsPostponed(observer, async () =>
      differences(
        await added(() =>
          eachOf(keys, (idempotencyKey) => owner.api.packages.create({ body: newPackage, idempotencyKey })),
        ),
        await added(() => rawSql.run({ create: newPackage, ownerId: owner.id, times: checkedWrites, keyed: true })),
      ),
    );
    const pending = await pendingPackages(observer, 2 * checkedWrites);
    const start = (id: string) => driver.api.deliveries.start({ params: { id }, idempotencyKey: randomUUID() });
    const starts = await withJobsPostponed(observer, async () =>
      differences(
        await added(() => eachOf(pending.slice(0, checkedWrites), start)),
        await added(() => rawSql.run({ start: pending.slice(checkedWrites), driverIds: [driver.id], keyed: true })),
      ),
    );
    return [...creates.map((text) => `create: ${text}`), ...starts.map((text) => `start: ${text}`)];
  } finally {
    await observer.end();
    await Promise.all([product.stop(), rawSql.stop()]);
  }
}

const finding = (kind: string, ours: number[], theirs: number[], bound: number): Finding => ({
  measure: kind,
  unit: 'requests/s',
  product: median(ours),
  baseline: { name: 'the same rows by raw SQL, one transaction each', figure: median(theirs) },
  ratio: ratioOf(ours, theirs),
  goal: { of: 'ratio', is: 'at least', bound },
});

/** The jobs that notify accounts and tell recipients. */
const notifies = (name: string) => `(${name} like 'notify-%' or ${name} = 'tell-recipients')`;

/** Jobs that start meanwhile are never fetched, and deleted at the end. */
export async function withJobsPostponed<Result>(observer: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await observer.query(
    `create or replace function postpone() returns trigger language plpgsql as $$
     begin new.start_after := 'infinity'; return new; end $$`,
  );
  await observer.query(
    `create trigger postpone before insert on jobs.job_common for each row when (${notifies('new.name')}) execute function postpone()`,
  );
  try {
    return await work();
  } finally {
    await observer.query('drop trigger postpone on jobs.job_common');
    await observer.query("delete from jobs.job where start_after = 'infinity'");
  }
}

async function pendingPackages(observer: pg.Client, count: number): Promise<string[]> {
  const { rows } = await observer.query<{ id: string }>(
    "select id from packages where status = 'processing' order by random() limit $1",
    [count],
  );
  return rows.map((row) => row.id);
}

/** Waits for notification jobs, so that those of one round do not slow down the next. */
export async function untilJobsDone(observer: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await observer.query(
      `select from jobs.job where ${notifies('name')} and state < 'completed' and start_after < 'infinity' limit 1`,
    );
    if (rowCount === 0) return;
    await sleep(100);
  }
}
