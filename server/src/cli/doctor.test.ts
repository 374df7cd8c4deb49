import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageFolder } from '../platform/storage/index.ts';
import { openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { judgeClock, judgeConnections, judgeJobs, judgeServer } from './doctor-database.ts';
import { judgeAccount, judgeSpace } from './doctor-environment.ts';
import { examine } from './doctor.ts';
import { CheckResults } from './check-results.ts';

let product: TestProduct;
let settings: Record<string, string>;
beforeAll(async () => {
  product = await openTestProduct();
  await product.register('admin');
  const { host = '', port, user, database } = product.connection;
  settings = {
    DATA_DIR: product.ctx.config.DATA_DIR,
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    PORT: new URL(await product.listen()).port,
  };
});
afterAll(() => product.close());

const sql = (text: string) => product.ctx.db.query(text);
/** What is not ok, but for the disk and who runs this, which are the machine's own affair. */
const troublesWith = async (changes: Record<string, string> = {}) =>
  (await examine({ ...settings, ...changes })).filter(
    ({ check, state }) => !['disk', 'account'].includes(check) && state !== 'ok',
  );

test('a healthy product is ok in every line, and its database stays as it is', async () => {
  const count = () =>
    sql('select (select count(*) from package_events) as events, (select count(*) from jobs.job) as jobs');
  const before = await count();
  expect(await troublesWith()).toEqual([]);
  const findings = await examine(settings);
  expect(findings.map(({ check }) => check).join(' ')).toBe(
    'configuration exposure account disk storage backup key mail database durability connections sessions clock extensions migrations administrators sign-up jobs events outbox audit server',
  );
  expect(findings.find(({ check }) => check === 'server')?.says).toMatch(/healthz answers 200$/);
  // The one that runs here was started without a name, and so is another server.
  expect(findings.find(({ check }) => check === 'connections')?.says).toMatch(
    /^20 connections at most for WORKERS=1, \d+ held by other servers of Waybill now, \d+ offered$/,
  );
  expect(await count()).toEqual(before);
  const left: string[] = [];
  for await (const { path } of product.ctx.storage.list('')) left.push(path);
  expect(left).toEqual([]);
});

describe('each trouble is named', () => {
  test('settings, all of them, and the rest is looked at nevertheless', async () => {
    const troubles = await troublesWith({ WORKERS: 'many', DEMO: 'perhaps' });
    expect(troubles.map(({ check, state }) => `${state} ${check}`)).toEqual([
      'FAIL configuration',
      'FAIL configuration',
    ]);
    expect(await examine({ ...settings, DATABASE_URL: 'mysql://x' })).toEqual([
      { check: 'configuration', state: 'FAIL', says: expect.stringContaining('DATABASE_URL') },
    ]);
  });

  test('a database out of reach, without its password', async () => {
    const troubles = await troublesWith({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' });
    expect(troubles).toEqual([{ check: 'database', state: 'FAIL', says: expect.stringContaining('ECONNREFUSED') }]);
    expect(JSON.stringify(troubles)).not.toContain('secret');
  });

  test('a product that strangers could take over', async () => {
    const open = { PUBLIC_URL: 'http://waybill.example.com', ADMIN_SIGNUP: 'open', RATE_LIMITS: 'off' };
    const says = (await troublesWith(open)).map((trouble) => `${trouble.state} ${trouble.says}`);
    expect(says).toEqual([
      expect.stringMatching(/^warn .*ADMIN_SIGNUP/),
      expect.stringMatching(/^warn RATE_LIMITS/),
      expect.stringMatching(/^warn PUBLIC_URL/),
    ]);
  });

  test('a sign-up of administrators that was opened on the screen', async () => {
    expect(
      (await troublesWith({ HOST: '0.0.0.0' })).map((trouble) => `${trouble.state} ${trouble.says}`),
    ).toContainEqual(expect.stringMatching(/^warn PUBLIC_URL is not set, so no links/));
    const known = { PUBLIC_URL: 'https://waybill.example.com' };
    await sql("update settings set admin_sign_up = 'open'");
    expect(await troublesWith(known)).toEqual([
      { check: 'sign-up', state: 'warn', says: expect.stringContaining('/admin/settings') },
    ]);
    expect(await troublesWith({ ...known, ADMIN_SIGNUP: 'closed' })).toEqual([]);
    await sql('update settings set admin_sign_up = null');
  });

  test('half-set S3, and a folder that takes no files', async () => {
    expect(await troublesWith({ S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'me' })).toEqual([
      { check: 'storage', state: 'FAIL', says: expect.stringMatching(/^S3_SECRET_ACCESS_KEY must be set/) },
    ]);
    const folder = storageFolder(product.ctx.config);
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, 'in the way');
    expect(await troublesWith()).toMatchObject([{ check: 'storage', state: 'FAIL' }]);
    rmSync(folder);
  });

  test('no database yet, which is not made by looking', async () => {
    const DATA_DIR = join(settings.DATA_DIR ?? '', 'elsewhere');
    mkdirSync(DATA_DIR);
    const troubles = await troublesWith({ DATA_DIR, DATABASE_URL: '' });
    expect(troubles).toEqual([{ check: 'database', state: 'warn', says: expect.stringContaining('first start') }]);
  });

  test('nobody to administer, and jobs that failed for good', async () => {
    await sql("update users set status = 'inactive'");
    await sql("insert into jobs.job (name, data) values ('dead-letters', '{}'), ('dead-letters', '{}')");
    expect(await troublesWith()).toEqual([
      { check: 'administrators', state: 'warn', says: expect.stringContaining('create-admin') },
      { check: 'jobs', state: 'warn', says: expect.stringMatching(/^2 failed for good/) },
    ]);
    await sql('delete from jobs.job');
    await sql("update users set status = 'active'");
  });

  test('events that a copy brought from another server', async () => {
    await sql("insert into outbox (type, xid) values ('before', '900000000')");
    expect(await troublesWith()).toEqual([
      { check: 'events', state: 'warn', says: expect.stringContaining('another PostgreSQL server') },
    ]);
    await sql("delete from outbox where type = 'before'");
  });

  test('an audit log that somebody has changed', async () => {
    await sql("insert into audit (act, details) values ('user.updated', '{}'), ('user.updated', '{}')");
    expect(await troublesWith()).toEqual([]);
    await sql('alter table audit disable trigger audit_is_kept');
    await sql("update audit set act = 'user.deleted' where id = (select max(id) - 1 from audit)");
    expect(await troublesWith()).toMatchObject([{ check: 'audit', state: 'FAIL' }]);
  });

  test('a database older or newer than the program', async () => {
    await sql("insert into schema_migrations (name) values ('9999_future.sql')");
    expect(await troublesWith()).toEqual([
      { check: 'migrations', state: 'FAIL', says: expect.stringContaining('9999_future.sql') },
    ]);
    await sql("delete from schema_migrations where name > '0009'");
    expect(await troublesWith()).toMatchObject([{ check: 'migrations', state: 'warn' }]);
  });
});

describe('judgements', () => {
  const judged = (judge: (findings: CheckResults) => void) => {
    const findings = new CheckResults();
    judge(findings);
    return findings.all.filter(({ state }) => state !== 'ok').map(({ state, check }) => `${state} ${check}`);
  };
  const good = {
    server_version_num: '150004',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    max_connections: '100',
    superuser_reserved_connections: '3',
  };

  test.each([
    [{}, []],
    [{ server_version_num: '140012' }, ['FAIL database']],
    [{ fsync: 'off', synchronous_commit: 'off' }, ['FAIL durability', 'FAIL durability']],
    [{ full_page_writes: 'off' }, ['FAIL durability']],
    [{ synchronous_commit: 'local' }, []],
  ])('PostgreSQL with %j: %j', (changes, troubles) => {
    expect(judged((findings) => judgeServer({ ...good, ...changes }, findings))).toEqual(troubles);
  });

  test.each([
    [100, { WORKERS: 1 }, 0, []],
    [100, { WORKERS: 8 }, 0, []],
    [20, { WORKERS: 1 }, 0, ['FAIL connections']],
    [60, { WORKERS: 8 }, 0, ['FAIL connections']],
    [100, { WORKERS: 1 }, 60, []],
    [100, { WORKERS: 8 }, 40, ['warn connections']],
    [100, { WORKERS: 2, POOL_SIZE: 30 }, 0, []],
    [100, { WORKERS: 2, POOL_SIZE: 40 }, 0, ['FAIL connections']],
  ])('%i connections offered for %j, %i held by other servers: %j', (max, config, others, troubles) => {
    const settings = { ...good, max_connections: String(max) };
    expect(judged((findings) => judgeConnections(settings, config, others, findings))).toEqual(troubles);
  });

  test.each([
    [900, []],
    [-1100, ['warn clock']],
    [-31_000, ['FAIL clock']],
    [31_000, ['FAIL clock']],
  ])('a clock %i ms ahead: %j', (skew, troubles) => {
    expect(judged((findings) => judgeClock(skew, findings))).toEqual(troubles);
  });

  test.each([
    [50e9, 100e9, []],
    [9e9, 100e9, ['warn disk']],
    [1e9, 100e9, ['FAIL disk']],
    [150e6, 1e9, ['FAIL disk']],
  ])('%d bytes of %d free: %j', (free, total, troubles) => {
    expect(judged((findings) => judgeSpace(free, total, findings))).toEqual(troubles);
  });

  test.each([
    [0, ['warn account']],
    [1000, []],
    [undefined, []],
  ])('run by the account %s: %j', (uid, troubles) => {
    expect(judged((findings) => judgeAccount(uid, findings))).toEqual(troubles);
  });

  test.each([
    [0, 59, []],
    [0, 61, ['warn jobs']],
    [1, 0, ['warn jobs']],
  ])('%i dead letters, and a job that has waited %i s: %j', (dead, waited, troubles) => {
    expect(judged((findings) => judgeJobs(dead, waited, findings))).toEqual(troubles);
  });
});
