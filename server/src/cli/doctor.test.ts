import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageFolder } from '../platform/storage/index.ts';
import { eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { evaluateClock, evaluateConnections, evaluateJobs, evaluateLocks, evaluateServer } from './doctor-database.ts';
import { evaluateAccount, evaluateSpace } from './doctor-environment.ts';
import { runChecks } from './doctor.ts';
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
/** The findings that are not ok; without `disk` and `account`, which depend on the machine. */
const problemsWith = async (changes: Record<string, string> = {}) =>
  (await runChecks({ ...settings, ...changes })).filter(
    ({ check, state }) => !['disk', 'account'].includes(check) && state !== 'ok',
  );

test('a healthy product passes every check, and its database stays unchanged', async () => {
  const count = () =>
    sql('select (select count(*) from package_events) as events, (select count(*) from jobs.job) as jobs');
  const before = await count();
  expect(await problemsWith()).toEqual([]);
  const findings = await runChecks(settings);
  expect(findings.map(({ check }) => check).join(' ')).toBe(
    'configuration exposure account disk storage backup key mail sms geocoder router optimizer database durability connections sessions clock extensions migrations locks administrators sign-up jobs events outbox derived data routes proofs audit server',
  );
  expect(findings.find(({ check }) => check === 'server')?.says).toMatch(/healthz answers 200$/);
  // The product under test has no server name, so it counts as another server.
  expect(findings.find(({ check }) => check === 'connections')?.says).toMatch(
    /^19 connections at most for WORKERS=1, \d+ held by other servers of Waybill now, \d+ offered$/,
  );
  expect(await count()).toEqual(before);
  const left: string[] = [];
  for await (const { path } of product.ctx.storage.list('')) left.push(path);
  expect(left).toEqual([]);
});

test('the doctor counts what a statement over all months locks', async () => {
  const [held] = await product.ctx.db.transaction(async (tx) => {
    await tx.query('explain select from package_events join delivery_attempts using (package_id)');
    return tx.query<{ relations: number }>(
      `select count(*)::int as relations from pg_locks
         join pg_class on pg_class.oid = relation and relnamespace = 'public'::regnamespace
       where pid = pg_backend_pid()`,
    );
  });
  expect(held?.relations).toBeGreaterThan(40);
  const findings = await runChecks(settings);
  expect(findings.find(({ check }) => check === 'locks')?.says).toMatch(
    new RegExp(`^a statement over all months locks ${held?.relations} relations, \\d+ have room$`),
  );
});

describe('each problem is reported', () => {
  test('every faulty setting, and the other checks still run', async () => {
    const problems = await problemsWith({ WORKERS: 'many', DEMO: 'perhaps' });
    expect(problems.map(({ check, state }) => `${state} ${check}`)).toEqual([
      'FAIL configuration',
      'FAIL configuration',
    ]);
    expect(await runChecks({ ...settings, DATABASE_URL: 'mysql://x' })).toEqual([
      { check: 'configuration', state: 'FAIL', says: expect.stringContaining('DATABASE_URL') },
    ]);
  });

  test('an unreachable database, without its password', async () => {
    const problems = await problemsWith({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' });
    expect(problems).toEqual([{ check: 'database', state: 'FAIL', says: expect.stringContaining('ECONNREFUSED') }]);
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  test('a product that strangers could take over', async () => {
    const open = { PUBLIC_URL: 'http://waybill.example.com', ADMIN_SIGNUP: 'open', RATE_LIMITS: 'off' };
    const says = (await problemsWith(open)).map((problem) => `${problem.state} ${problem.says}`);
    expect(says).toEqual([
      expect.stringMatching(/^warn .*ADMIN_SIGNUP/),
      expect.stringMatching(/^warn RATE_LIMITS/),
      expect.stringMatching(/^warn PUBLIC_URL/),
    ]);
  });

  test('an open sign-up of administrators in the stored settings', async () => {
    expect(
      (await problemsWith({ HOST: '0.0.0.0' })).map((problem) => `${problem.state} ${problem.says}`),
    ).toContainEqual(expect.stringMatching(/^warn PUBLIC_URL is not set, so no links/));
    const known = { PUBLIC_URL: 'https://waybill.example.com' };
    await sql("update settings set admin_sign_up = 'open'");
    expect(await problemsWith(known)).toEqual([
      { check: 'sign-up', state: 'warn', says: expect.stringContaining('/admin/settings') },
    ]);
    expect(await problemsWith({ ...known, ADMIN_SIGNUP: 'closed' })).toEqual([]);
    await sql('update settings set admin_sign_up = null');
  });

  test('incomplete S3 settings, and a folder that is not writable', async () => {
    expect(await problemsWith({ S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'me' })).toEqual([
      { check: 'storage', state: 'FAIL', says: expect.stringMatching(/^S3_SECRET_ACCESS_KEY must be set/) },
    ]);
    const folder = storageFolder(product.ctx.config);
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, 'in the way');
    try {
      // The running server notices it too, up to 3 s later.
      expect(await problemsWith()).toContainEqual(expect.objectContaining({ check: 'storage', state: 'FAIL' }));
    } finally {
      rmSync(folder);
    }
    await eventually(
      'the server can write again',
      async () => (await product.app.inject('/healthz')).statusCode === 200,
    );
  });

  test('no database yet, and the check does not create one', async () => {
    const DATA_DIR = join(settings.DATA_DIR ?? '', 'elsewhere');
    mkdirSync(DATA_DIR);
    const problems = await problemsWith({ DATA_DIR, DATABASE_URL: '' });
    expect(problems).toEqual([{ check: 'database', state: 'warn', says: expect.stringContaining('first start') }]);
  });

  test('no active administrator, and dead letters', async () => {
    await sql("update users set status = 'inactive'");
    await sql("insert into jobs.job (name, data) values ('dead-letters', '{}'), ('dead-letters', '{}')");
    expect(await problemsWith()).toEqual([
      { check: 'administrators', state: 'warn', says: expect.stringContaining('create-admin') },
      { check: 'jobs', state: 'warn', says: expect.stringMatching(/^2 failed for good/) },
    ]);
    await sql('delete from jobs.job');
    await sql("update users set status = 'active'");
  });

  test('events copied from another PostgreSQL server', async () => {
    await sql("insert into outbox (type, xid) values ('before', '900000000')");
    expect(await problemsWith()).toEqual([
      { check: 'events', state: 'warn', says: expect.stringContaining('another PostgreSQL server') },
    ]);
    await sql("delete from outbox where type = 'before'");
  });

  test('an altered audit log', async () => {
    await sql("insert into audit (act, details) values ('user.updated', '{}'), ('user.updated', '{}')");
    expect(await problemsWith()).toEqual([]);
    await sql('alter table audit disable trigger audit_is_kept');
    await sql("update audit set act = 'user.deleted' where id = (select max(id) - 1 from audit)");
    expect(await problemsWith()).toMatchObject([{ check: 'audit', state: 'FAIL' }]);
  });

  test('a database older or newer than the program', async () => {
    await sql("insert into schema_migrations (name) values ('9999_future.sql')");
    expect(await problemsWith()).toEqual([
      { check: 'migrations', state: 'FAIL', says: expect.stringContaining('9999_future.sql') },
    ]);
    await sql("delete from schema_migrations where name = '9999_future.sql'");
    await sql("delete from schema_migrations where name like '%_package_columns_only.sql'");
    expect(await problemsWith()).toMatchObject([
      { check: 'migrations', state: 'warn', says: expect.stringContaining('npm run cli -- migrate --post-deployment') },
      { check: 'audit' },
    ]);
    await sql("delete from schema_migrations where name > '0009'");
    expect(await problemsWith()).toMatchObject([{ check: 'migrations', state: 'warn' }]);
  });
});

describe('thresholds', () => {
  const problemsOf = (evaluate: (results: CheckResults) => void) => {
    const results = new CheckResults();
    evaluate(results);
    return results.all.filter(({ state }) => state !== 'ok').map(({ state, check }) => `${state} ${check}`);
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
  ])('PostgreSQL with %j: %j', (changes, problems) => {
    expect(problemsOf((results) => evaluateServer({ ...good, ...changes }, results))).toEqual(problems);
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
  ])('%i connections offered for %j, %i held by other servers: %j', (max, config, others, problems) => {
    const settings = { ...good, max_connections: String(max) };
    expect(problemsOf((results) => evaluateConnections(settings, config, others, results))).toEqual(problems);
  });

  test.each([
    // After four years, five and ten.
    [{}, 700, []],
    [{}, 850, ['256']],
    [{}, 1700, ['256']],
    [{ max_locks_per_transaction: '256' }, 1700, []],
    [{ max_locks_per_transaction: '16' }, 1700, ['256']],
    [{ max_connections: '20' }, 1700, ['1024']],
    [{ max_connections: '20', max_prepared_transactions: '200' }, 1700, []],
  ])('PostgreSQL with %j, where a statement over all months locks %i relations: %j', (changes, relations, raised) => {
    const results = new CheckResults();
    evaluateLocks({ ...good, max_locks_per_transaction: '64', ...changes }, relations, results);
    const warned = results.all.filter(({ state }) => state === 'warn').map(({ says }) => says.match(/ to (\d+),/)?.[1]);
    expect(warned).toEqual(raised);
  });

  test.each([
    [900, []],
    [-1100, ['warn clock']],
    [-31_000, ['FAIL clock']],
    [31_000, ['FAIL clock']],
  ])('a clock %i ms ahead: %j', (skew, problems) => {
    expect(problemsOf((results) => evaluateClock(skew, results))).toEqual(problems);
  });

  test.each([
    [50e9, 100e9, []],
    [9e9, 100e9, ['warn disk']],
    [1e9, 100e9, ['FAIL disk']],
    [150e6, 1e9, ['FAIL disk']],
  ])('%d bytes of %d free: %j', (free, total, problems) => {
    expect(problemsOf((results) => evaluateSpace(free, total, results))).toEqual(problems);
  });

  test.each([
    [0, ['warn account']],
    [1000, []],
    [undefined, []],
  ])('run by the account %s: %j', (uid, problems) => {
    expect(problemsOf((results) => evaluateAccount(uid, results))).toEqual(problems);
  });

  test.each([
    [0, 59, []],
    [0, 61, ['warn jobs']],
    [1, 0, ['warn jobs']],
  ])('%i dead letters, and a job that is overdue by %i s: %j', (dead, waited, problems) => {
    expect(problemsOf((results) => evaluateJobs(dead, waited, results))).toEqual(problems);
  });
});
