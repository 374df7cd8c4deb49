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
import { storageFolder } from '../platform/storage/index.ts';
import { eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
afterEach(() => product.close());

const ask = async () => {
  const { statusCode, body } = await product.app.inject('/healthz');
  return { code: statusCode, ...(JSON.parse(body) as { status: string; reason?: string }) };
};

test('/healthz says when the database is read-only, and when it is no more; what is written for it is gone again', async () => {
  product = await openTestProduct({ runsJobs: false });
  expect(await ask()).toEqual({ code: 200, status: 'ok' });
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
  await eventually('it says so', async () => (await ask()).reason?.startsWith('Nothing can be written') ?? false);
  expect(await ask()).toEqual({
    code: 503,
    status: 'unavailable',
    reason: 'Nothing can be written: the database is read-only, as a standby is',
  });
  // It lives all the same: nobody need start it anew.
  expect((await product.app.inject('/livez')).statusCode).toBe(200);
  await setReadOnly('off');
  await eventually('it is well again', async () => (await ask()).status === 'ok');
  await client.end();
  expect(await product.ctx.db.query('select from health_probe')).toEqual([]);
});

test('/healthz says when no files can be written, without naming the folder', async () => {
  product = await openTestProduct({ runsJobs: false });
  const folder = storageFolder(product.ctx.config);
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, 'in the way');
  const answer = await ask();
  expect(answer.reason).toMatch(/^Files cannot be written: E[A-Z]+$/);
  rmSync(folder);
  await eventually('it is well again', async () => (await ask()).status === 'ok');
  expect(readdirSync(join(folder, 'incoming/unfinished'))).toEqual([]);
});

/** A file system of its own, or null where this machine does not let us have one. */
function mountSmallDisk(folder: string): string | null {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0 ? folder : null;
}

test('/healthz says when the disk is full (only where a file system can be mounted)', async ({ skip }) => {
  product = await openTestProduct({ runsJobs: false });
  const disk = mountSmallDisk(storageFolder(product.ctx.config));
  if (!disk) skip();
  try {
    expect(await ask()).toEqual({ code: 200, status: 'ok' });
    const filler = openSync(join(String(disk), 'filler'), 'w');
    for (let bytes = 1 << 16; bytes >= 1;) {
      try {
        writeSync(filler, Buffer.alloc(bytes));
      } catch {
        bytes >>= 1;
      }
    }
    closeSync(filler);
    await eventually('it says so', async () => (await ask()).reason !== undefined);
    expect((await ask()).reason).toBe('Files cannot be written: the disk of DATA_DIR is full');
    rmSync(join(String(disk), 'filler'));
    await eventually('it is well again', async () => (await ask()).status === 'ok');
  } finally {
    if (existsSync(String(disk))) spawnSync('umount', ['-l', String(disk)]);
  }
});

test('however often it is asked, it writes once in three seconds', async () => {
  product = await openTestProduct({ runsJobs: false });
  await product.ctx.db.query('create sequence probes');
  await product.ctx.db.query(
    "create function count_probe() returns trigger language plpgsql as $$ begin perform nextval('probes'); return new; end $$",
  );
  await product.ctx.db.query(
    'create trigger count_probe before insert on health_probe for each row execute function count_probe()',
  );
  await Promise.all(Array.from({ length: 50 }, ask));
  const [counted] = await product.ctx.db.query<{ probes: string }>('select last_value as probes from probes');
  expect(Number(counted?.probes)).toBe(1);
});
