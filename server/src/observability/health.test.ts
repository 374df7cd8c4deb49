import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import type { Pool } from '../platform/database/db.ts';
import { storageFolder } from '../platform/storage/index.ts';
import { eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { openHealth } from './health.ts';

let product: TestProduct;
afterEach(() => product.close());

const probe = async () => {
  const { statusCode, body } = await product.app.inject('/healthz');
  return { code: statusCode, ...(JSON.parse(body) as { status: string; reason?: string }) };
};

test('/healthz reports a read-only database and its recovery, and its probe leaves no rows', async () => {
  product = await openTestProduct({ runsJobs: false });
  expect(await probe()).toEqual({ code: 200, status: 'ok' });
  const client = new pg.Client({ ...product.connection, database: 'postgres' });
  await client.connect();
  const name = pg.escapeIdentifier(String(product.connection.database));
  const setReadOnly = async (setting: string) => {
    await client.query(`alter database ${name} set default_transaction_read_only = ${setting}`);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [product.connection.database],
    );
  };
  await setReadOnly('on');
  await eventually('it says so', async () => (await probe()).reason?.startsWith('Nothing can be written') ?? false);
  expect(await probe()).toEqual({
    code: 503,
    status: 'unavailable',
    reason: 'Nothing can be written: the database is read-only, as a standby is',
  });
  // Liveness is unaffected: a restart would not help.
  expect((await product.app.inject('/livez')).statusCode).toBe(200);
  await setReadOnly('off');
  await eventually('it is well again', async () => (await probe()).status === 'ok');
  await client.end();
  expect(await product.ctx.db.query('select from health_probe')).toEqual([]);
});

test('/healthz reports when no files can be written, without naming the folder', async () => {
  product = await openTestProduct({ runsJobs: false });
  const folder = storageFolder(product.ctx.config);
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, 'in the way');
  const answer = await probe();
  expect(answer.reason).toMatch(/^Files cannot be written: E[A-Z]+$/);
  rmSync(folder);
  await eventually('it is well again', async () => (await probe()).status === 'ok');
  expect(readdirSync(join(folder, 'incoming/unfinished'))).toEqual([]);
});

/** Mounts a 1 MB file system; null where this machine does not allow it. */
function mountSmallDisk(folder: string): string | null {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0 ? folder : null;
}

test('/healthz reports a full disk (only where a file system can be mounted)', async ({ skip }) => {
  product = await openTestProduct({ runsJobs: false });
  const disk = mountSmallDisk(storageFolder(product.ctx.config));
  if (!disk) skip();
  try {
    expect(await probe()).toEqual({ code: 200, status: 'ok' });
    const filler = openSync(join(String(disk), 'filler'), 'w');
    for (let bytes = 1 << 16; bytes >= 1;) {
      try {
        writeSync(filler, Buffer.alloc(bytes));
      } catch {
        bytes >>= 1;
      }
    }
    closeSync(filler);
    await eventually('it says so', async () => (await probe()).reason !== undefined);
    expect((await probe()).reason).toBe('Files cannot be written: the disk of DATA_DIR is full');
    rmSync(join(String(disk), 'filler'));
    await eventually('it is well again', async () => (await probe()).status === 'ok');
  } finally {
    if (existsSync(String(disk))) spawnSync('umount', ['-l', String(disk)]);
  }
});

test('on a full disk of the embedded database /healthz says so, and writes no probe', async () => {
  product = await openTestProduct({ runsJobs: false });
  const statements: string[] = [];
  const pool = { query: async (sql: string) => (statements.push(sql), []) } as unknown as Pool;
  const health = openHealth(pool, product.ctx.storage, () => true);
  expect(await health()).toBe('Nothing can be written: the disk of the database is full');
  expect(statements).toEqual(['select 1']);
});

test('fifty concurrent health checks share one write', async () => {
  product = await openTestProduct({ runsJobs: false });
  await product.ctx.db.query('create sequence probes');
  await product.ctx.db.query(
    "create function count_probe() returns trigger language plpgsql as $$ begin perform nextval('probes'); return new; end $$",
  );
  await product.ctx.db.query(
    'create trigger count_probe before insert on health_probe for each row execute function count_probe()',
  );
  await Promise.all(Array.from({ length: 50 }, probe));
  const [counted] = await product.ctx.db.query<{ probes: string }>('select last_value as probes from probes');
  expect(Number(counted?.probes)).toBe(1);
});
