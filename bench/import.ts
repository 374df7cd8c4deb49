import type { CreatePackageInput } from '@waybill/contract';
import pg from 'pg';
import { packageInsert } from '../server/src/packages/store.ts';
import { storeViewsSql } from '../server/src/packages/stored-views.ts';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import type { Load, LoadResult } from './load.ts';
import { asProduct, type Databases } from './databases.ts';
import { startProduct, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { median, ratioOf } from './quantiles.ts';
import { largeOwner } from './seed.ts';
import { connections, smallTable } from './sizes.ts';
import { untilJobsDone, withJobsPostponed } from './writes.ts';
import { differences, rowsAddedBy } from './written-rows.ts';

const newPackage: CreatePackageInput = {
  name: 'Blue Kettle',
  description: 'Handed in at the counter, to be delivered on a weekday',
  category: 'Electronics',
  weight: 2.5,
  recipientName: 'Anna Schmidt',
  recipientContact: '+49301234567',
  location: 'Berlin',
  eta: '2030-01-31',
};

/** The product's batch size (server/src/packages/import.ts). */
const batchSize = 250;

/** Imports many packages from one file; the baselines create them one by one, and insert them with plain SQL. */
export async function benchImport({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const faults = await checkBaseline(databases);
  const database = await databases.copy('bench_import', size.packages);
  const product = await startProduct(database);
  const load = await startChild<Load, LoadResult>('load.ts');
  const client = new pg.Client({ ...database.connection, options: asProduct });
  await client.connect();
  try {
    await makeQueue(client);
    const owner = await product.signIn(largeOwner);
    const requests = Array.from({ length: size.writes }, () => ({
      method: 'POST' as const,
      path: '/api/packages',
      token: owner.token,
      body: newPackage,
    }));
    const perSecond = await rounds.interleave(size.rounds, {
      product: async () => {
        const imported = await importFile(owner, size.importRows);
        await untilJobsDone(client);
        return imported;
      },
      withoutMessages: () => withJobsPostponed(client, () => importFile(owner, size.importRows)),
      oneByOne: async () => {
        const { perSecond: created, failed } = await load.run({ url: product.url, connections, requests });
        if (failed > 0) throw new Error(`${failed} writes failed`);
        await untilJobsDone(client);
        return created;
      },
      rawSql: () => insertWithRawSql(client, owner.id, size.importRows),
    });
    const rows = `import of ${size.importRows.toLocaleString('en')} rows`;
    const finding = (measure: string, ours: number[], name: string, theirs: number[], bound: number): Finding => ({
      measure,
      unit: 'rows/s',
      product: median(ours),
      baseline: { name, figure: median(theirs) },
      ratio: ratioOf(ours, theirs),
      goal: { of: 'ratio', is: 'at least', bound },
    });
    const { product: imported, withoutMessages, oneByOne, rawSql } = perSecond;
    const byRawSql = `the same rows by raw SQL, ${batchSize} in each statement`;
    report(
      finding(rows, imported, `POST /packages, one by one, ${connections} connections`, oneByOne, 2),
      finding(`${rows}, and the messages to their recipients written meanwhile`, imported, byRawSql, rawSql, 0.65),
      finding(`${rows}, the messages to their recipients not written`, withoutMessages, byRawSql, rawSql, 0.65),
    );
    if (faults.length > 0) throw new Error(`The baseline does not write what an import writes: ${faults.join('; ')}.`);
    note(
      'On a small table the raw SQL was seen to add as many rows to each table as an import. Both store the recipient’s phone number and the jobs that tell of each batch; the raw SQL does not carry them out.',
    );
  } finally {
    await client.end();
    await Promise.all([product.stop(), load.stop()]);
  }
}

/** Compares the rows that an import and the raw SQL add to each table. @returns what differs */
async function checkBaseline(databases: Databases): Promise<string[]> {
  const database = await databases.copy('bench_check', smallTable);
  const product = await startProduct(database);
  const client = new pg.Client({ ...database.connection, options: asProduct });
  await client.connect();
  try {
    await makeQueue(client);
    const owner = await product.signIn(largeOwner);
    return await withJobsPostponed(client, async () =>
      differences(
        await rowsAddedBy(client, batchSize, () => importFile(owner, batchSize)),
        await rowsAddedBy(client, batchSize, () => insertWithRawSql(client, owner.id, batchSize)),
      ),
    );
  } finally {
    await client.end();
    await product.stop();
  }
}

/** A queue without a worker. */
const byHand = 'by-hand';
const makeQueue = (client: pg.Client) =>
  client.query('select jobs.create_queue($1, $2)', [byHand, { policy: 'standard' }]);
const insertJob = 'insert into jobs.job_common (name, data) values ($1, $2)';

const perSecondSince = (startedAt: number, rows: number) => (rows / (performance.now() - startedAt)) * 1000;

let files = 0;

async function importFile(owner: Session, rows: number): Promise<number> {
  const header = Object.keys(newPackage).join(',');
  // A row equal to an existing package creates none, so each file has different names.
  const file = files++;
  const row = Object.values({ ...newPackage, name: `${newPackage.name} ${file}` })
    .map((value) => `"${String(value)}"`)
    .join(',');
  const body = [header, ...Array.from({ length: rows }, () => row)].join('\n');
  const startedAt = performance.now();
  const { created } = await owner.api.packages.import({ body, idempotencyKey: `file-${file}` });
  if (created !== rows) throw new Error(`${created} of ${rows} rows were imported`);
  return perSecondSince(startedAt, rows);
}

/** The product's statements for packages and what is derived from them, and the simplest ones for their events. */
const insertRows = packageInsert(
  `id, owner_id, tracking_id, created_at, updated_at, status, name, description, category, weight, recipient_name, recipient_contact,
   recipient_phone, location, eta`,
  `select uuidv7(), $1, 'PKG-' || upper(substr(md5(random()::text), 1, 8)), now(), now(), 'processing', $3, $4, $5, $6, $7, $8, $8, $9, $10
   from generate_series(1, $2::int)`,
  'array_agg(id) as ids, (select json_agg(id::text) from events) as told',
  `events as (
     insert into package_events (type, at, actor_id, package_id, status, location, owner_id)
     select 'package.created', now(), owner_id, id, status, location, owner_id from changed
     returning id, type, package_id, owner_id
   ), counted as (insert into figure_changes (at, created) values (now(), $2::int)
   ), to_outbox as (
     insert into outbox (event_id, type, package_id, owner_id) select id, type, package_id, owner_id from events
   )`,
);

async function insertWithRawSql(client: pg.Client, ownerId: string, rows: number): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < rows; done += batchSize) {
    await client.query('begin');
    const batch = [ownerId, Math.min(batchSize, rows - done), ...Object.values(newPackage)];
    const inserted = await client.query<{ ids: string[]; told: string[] }>(insertRows, batch);
    await client.query(storeViewsSql, [inserted.rows[0]?.ids]);
    await client.query(insertJob, [byHand, { eventIds: inserted.rows[0]?.told, packageIds: inserted.rows[0]?.ids }]);
    await client.query('commit');
  }
  return perSecondSince(startedAt, rows);
}
