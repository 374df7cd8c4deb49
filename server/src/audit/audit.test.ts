import type { AuditAct } from '@waybill/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs } from '../jobs.ts';
import type { Queryable } from '../platform/database/db.ts';
import { listMigrations, migrateWithin } from '../platform/database/migrate.ts';
import { cloneDatabase } from '../testing/postgres.ts';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { audit, verifyAudit } from './service.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  admin = await product.register('admin');
  owner = await product.register('owner');
  driver = await product.register('driver');
});
afterAll(() => product.close());

const entries = async (query: Record<string, string>) => (await admin.api.audit.list({ query })).items;
const latest = async (act: AuditAct) => (await entries({ act, limit: '1' }))[0];

test('sign-ins and sign-outs are audited, with IP address and device', async () => {
  const { token } = await product.api().auth.login({ body: { email: owner.email, password: owner.password } });
  expect(await latest('session.started')).toMatchObject({
    actorId: owner.id,
    actorName: owner.user.name,
    subjectId: owner.id,
    address: '127.0.0.1',
    device: expect.any(String) as string,
  });
  const before = (await entries({ act: 'session.ended' })).length;
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'Firefox of the test' },
    remoteAddress: '203.0.113.9',
  });
  expect(answer.statusCode).toBe(204);
  expect(await entries({ act: 'session.ended' })).toHaveLength(before + 1);
  expect(await latest('session.ended')).toMatchObject({
    actorId: owner.id,
    address: '203.0.113.9',
    device: 'Firefox of the test',
    details: { session: 'own' },
  });
});

test('refused sign-ins are one entry per account and minute, with a counter; those of unknown accounts share one entry', async () => {
  const refused = (email: string) =>
    expect(product.api().auth.login({ body: { email, password: 'not the password' } })).rejects.toMatchObject({
      status: 401,
    });
  const timesOf = async (subjectId: string | null) =>
    (await entries({ act: 'session.refused' }))
      .filter((entry) => entry.subjectId === subjectId)
      .map(({ times, actorId, address }) => ({ times, actorId, address }));
  for (let time = 0; time < 3; time++) {
    await refused(owner.email);
    await refused(`nobody${time}@example.com`);
  }
  const sumOf = async (subjectId: string | null) =>
    (await timesOf(subjectId)).reduce((sum, { times }) => sum + times, 0);
  for (const subjectId of [owner.id, null]) {
    await eventually('the refusals', async () => (await sumOf(subjectId)) === 3);
    const found = await timesOf(subjectId);
    // A new minute may have begun in between.
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found[0]).toMatchObject({ actorId: null, address: '127.0.0.1' });
  }
  // Concurrent refusals are counted without loss.
  const { email, id } = await product.register('owner');
  await Promise.all(Array.from({ length: 8 }, () => refused(email)));
  await eventually('all eight', async () => (await sumOf(id)) === 8);
});

test('a refused sign-in does not wait for the audit log: the timing would reveal whether the account exists', async () => {
  const { email, id } = await product.register('owner');
  const client = new pg.Client(product.connection);
  await client.connect();
  await client.query('begin; lock table audit in exclusive mode');
  try {
    await expect(product.api().auth.login({ body: { email, password: 'not the password' } })).rejects.toMatchObject({
      status: 401,
    });
  } finally {
    await client.query('rollback');
    await client.end();
  }
  await eventually('the entry', async () => (await entries({ act: 'session.refused', subject: id })).length === 1);
});

test('a missing permission is audited once per hour and endpoint, with a counter', async () => {
  const nosy = await product.register('driver');
  for (let time = 0; time < 3; time++) await expect(nosy.api.users.list()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(nosy.api.audit.list()).rejects.toMatchObject({ code: 'forbidden' });
  const found = await entries({ act: 'permission.refused', actor: nosy.id });
  const timesOf = (endpoint: string) =>
    found.filter(({ details }) => details.endpoint === endpoint).reduce((sum, { times }) => sum + times, 0);
  expect(timesOf('GET /api/users')).toBe(3);
  expect(timesOf('GET /api/audit')).toBe(1);
  expect(found.length).toBeLessThanOrEqual(4);
  expect(found[0]).toMatchObject({ actorName: nosy.user.name, address: '127.0.0.1' });
});

test('a requested password reset, its link and its use are audited', async () => {
  const forgetful = await product.register('owner');
  await product.api().auth.forgot({ body: { email: forgetful.email } });
  const [job] = await product.ctx.db.query<{ data: object }>(
    "select data from jobs.job where name = 'request-password-reset' order by created_on desc limit 1",
  );
  await jobs(product.ctx)['request-password-reset']([{ id: '', payload: job?.data ?? {}, attempt: 1, isLast: false }]);
  expect(await latest('password.reset-requested')).toMatchObject({
    actorId: null,
    subjectId: forgetful.id,
    address: '127.0.0.1',
  });
  const { url } = await admin.api.users.resetLink({ params: { id: forgetful.id } });
  expect(await latest('password.link-made')).toMatchObject({ actorId: admin.id, subjectId: forgetful.id });
  const token = /token=(.+)$/.exec(url)?.[1] ?? '';
  await product.api().auth.reset({ body: { token, password: 'another fine password' } });
  expect(await latest('password.link-used')).toMatchObject({ subjectId: forgetful.id, address: '127.0.0.1' });
});

test('a change of rights or status is audited with the previous value; a change of the profile is not', async () => {
  const params = { id: driver.id };
  await admin.api.users.update({ params, body: { status: 'suspended' } });
  expect(await latest('user.changed')).toMatchObject({
    actorId: admin.id,
    subjectId: driver.id,
    details: { status: ['active', 'suspended'] },
  });
  await admin.api.users.update({ params, body: { status: 'active' } });
  const before = await entries({ act: 'user.changed' });
  await driver.api.users.updateProfile({ body: { phone: '+4915112345678' } });
  expect(await entries({ act: 'user.changed' })).toEqual(before);
});

/** The views of a package's contact: viewer -> number. */
async function viewsOf(packageId: string): Promise<Record<string, number>> {
  const { items } = await admin.api.audit.contactViews({ query: { package: packageId } });
  const times: Record<string, number> = {};
  for (const view of items) times[view.viewerId] = (times[view.viewerId] ?? 0) + view.times;
  return times;
}

test('an administrator who sees the contact of a recipient is recorded, whichever endpoint shows it', async () => {
  const pkg = await createPackage(owner, { address: { street: 'Hauptstr. 5', city: 'Berlin' } });
  const params = { id: pkg.id };
  const { rows } = await verifyAudit(product.ctx.db);
  let seen = 0;
  const expectSeen = async (way: string, call: () => Promise<unknown>) => {
    expect(JSON.stringify(await call()), way).toContain('2345678');
    expect(await viewsOf(pkg.id), way).toEqual({ [admin.id]: ++seen });
  };
  await expectSeen('the package', () => admin.api.packages.read({ params }));
  await expectSeen('all packages', () => admin.api.packages.listAll());
  await expectSeen('the packages of an owner', () => admin.api.packages.listOfUser({ params: { id: owner.id } }));
  await expectSeen('a change of nothing', () => admin.api.packages.update({ params, body: {} }));
  const assign = (idempotencyKey: string) =>
    admin.api.deliveries.assign({ params, body: { driverId: driver.id }, idempotencyKey });
  await expectSeen('an assignment', () => assign('first'));
  await expectSeen('one that changes nothing', () => assign('second'));
  await expectSeen('one that is repeated', () => assign('first'));
  await expectSeen('the deliveries on the road', () =>
    admin.api.deliveries.pending({ query: { status: 'in transit' } }),
  );
  await driver.api.deliveries.complete({ params, body: { receivedBy: 'Mr Berg' } });
  await expectSeen('the receipt', () => admin.api.deliveries.receipt({ params }));
  // No view was appended to the chain, which would take its global lock.
  expect(await verifyAudit(product.ctx.db)).toEqual({ rows, brokenAt: null });
  const [view] = (await admin.api.audit.contactViews({ query: { package: pkg.trackingId, person: admin.email } }))
    .items;
  expect(view).toMatchObject({ packageId: pkg.id, trackingId: pkg.trackingId, viewerName: admin.user.name });
});

test('owners and drivers who see their own contacts are not recorded, nor are replies without a contact', async () => {
  const pkg = await createPackage(owner);
  const params = { id: pkg.id };
  await owner.api.packages.read({ params });
  await owner.api.packages.listOfUser({ params: { id: owner.id } });
  await owner.api.packages.update({ params, body: { name: 'Another name' } });
  await admin.api.deliveries.pending();
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.mine();
  await driver.api.deliveries.complete({ params, body: {} });
  await driver.api.deliveries.completed();
  await owner.api.deliveries.receipt({ params });
  await owner.api.deliveries.ofOwner();
  expect(await viewsOf(pkg.id)).toEqual({});
});

test('the views of an hour are one row, also when concurrent, and lists in different orders do not deadlock', async () => {
  const packages = await Promise.all([createPackage(owner), createPackage(owner), createPackage(owner)]);
  await Promise.all(
    Array.from({ length: 12 }, (_, time) =>
      time % 2 ? admin.api.packages.listAll() : admin.api.packages.listOfUser({ params: { id: owner.id } }),
    ),
  );
  for (const { id } of packages) {
    expect(await viewsOf(id)).toEqual({ [admin.id]: 12 });
    expect((await admin.api.audit.contactViews({ query: { package: id } })).items.length).toBeLessThanOrEqual(2);
  }
  const first = await admin.api.audit.contactViews({ query: { limit: 1, person: 'admin', count: true } });
  expect(first.total).toBeGreaterThanOrEqual(3);
  const second = await admin.api.audit.contactViews({ query: { limit: 1, person: 'admin', cursor: first.next ?? '' } });
  expect(second.items[0]?.id).toBeLessThan(first.items[0]?.id ?? 0);
  expect((await admin.api.audit.contactViews({ query: { person: driver.email } })).items).toEqual([]);
});

test('exports are audited', async () => {
  await inject(product.app, '/api/users/export', {
    method: 'GET',
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(await latest('users.exported')).toMatchObject({ actorId: admin.id });
});

test('the export has the rows of the list with the same filters, and is itself audited', async () => {
  const file = await admin.api.audit.exportAll({ query: { act: 'users.exported' } });
  expect(file.headers.get('content-type')).toContain('text/csv');
  const [head, ...lines] = (await file.text()).trim().split('\r\n');
  expect(head).toContain('id,at,act,actorId,actorName,subjectId,subjectName,address,device,times,details');
  const listed = await entries({ act: 'users.exported', limit: '200' });
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(listed.map(({ id }) => id));
  expect(lines[0]).toContain(`"${admin.user.name}",,,"127.0.0.1"`);
  expect(await latest('audit.exported')).toMatchObject({ actorId: admin.id });
});

test('the filter by person matches a part of name or email address, of actor or subject', async () => {
  const quentin = await product.register('driver', 'Quentin Rarely');
  await admin.api.users.update({ params: { id: quentin.id }, body: { status: 'suspended' } });
  for (const person of ['quentin r', quentin.email, quentin.id]) {
    const found = await entries({ person });
    expect(found.map(({ act }) => act)).toEqual(['user.changed', 'session.started', 'user.created']);
    expect(found[0]).toMatchObject({ actorName: admin.user.name, subjectName: 'Quentin Rarely' });
  }
  expect(await entries({ person: 'nobody is called that' })).toEqual([]);
});

test('the list is newest first, with keyset pagination and filters by person and day', async () => {
  const first = await admin.api.audit.list({ query: { limit: 2, count: true } });
  const [newest, next] = first.items.map(({ id }) => id);
  expect(newest).toBe(first.total);
  expect(next).toBe((newest ?? 0) - 1);
  const second = await admin.api.audit.list({ query: { limit: 2, cursor: first.next ?? '' } });
  expect(second.items[0]?.id).toBe((next ?? 0) - 1);
  expect(await entries({ to: '2020-01-01' })).toEqual([]);
  expect(new Set((await entries({ actor: admin.id })).map(({ actorId }) => actorId))).toEqual(new Set([admin.id]));
});

test('rolled-back acts leave no entry, and concurrent acts no gap', async () => {
  const { rows } = await verifyAudit(product.ctx.db);
  await Promise.all([
    ...Array.from({ length: 10 }, () =>
      product.api().auth.login({ body: { email: owner.email, password: owner.password } }),
    ),
    ...Array.from({ length: 3 }, () =>
      admin.api.users.update({ params: { id: admin.id }, body: { status: 'suspended' } }).catch(() => {}),
    ),
  ]);
  expect(await verifyAudit(product.ctx.db)).toEqual({ rows: rows + 10, brokenAt: null });
});

/** Simulates an attacker with all rights on the database. Changes are rolled back. */
async function asOwnerOfTheDatabase(
  work: (on: pg.Client, verify: () => ReturnType<typeof verifyAudit>) => Promise<void>,
) {
  const client = new pg.Client(product.connection);
  await client.connect();
  await client.query('begin; alter table audit disable trigger audit_is_kept');
  await work(client, () =>
    verifyAudit({ query: async (sql, params) => (await client.query(sql, params)).rows as never }),
  );
  await client.query('rollback');
  await client.end();
}

test('the log is append-only, and tampering by the database owner is detected in every column', async () => {
  const { db } = product.ctx;
  for (const statement of ['update audit set act = act', 'delete from audit', 'truncate audit'])
    await expect(db.query(statement)).rejects.toThrow('the audit log is only ever added to');
  await admin.api.users.update({ params: { id: driver.id }, body: { status: 'suspended' } });
  await admin.api.users.update({ params: { id: driver.id }, body: { status: 'active' } });
  const [{ id } = { id: 0 }] = await entries({ act: 'user.changed', limit: '1' });
  const { rows } = await verifyAudit(db);
  const forgeries: Record<string, Record<string, string>> = {
    audit: {
      id: `${rows + 5}`,
      at: "at + interval '1 microsecond'",
      act: "'role.changed'",
      actor_id: 'gen_random_uuid()',
      subject_id: 'null',
      details: `'{"status": ["suspended", "suspended"]}'`,
      previous_hash: "sha256('')",
      hash: "sha256('')",
      hash_version: '1',
      origin_hash: 'null',
    },
    audit_origins: { salt: "''", address: "'198.51.100.7'", device: 'null', audit_id: '9999999' },
  };
  // Every column must have a forgery, so that new columns are not left out of the hash. The time of an origin is not hashed.
  const columns = await db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_name in ('audit', 'audit_origins') and (table_name, column_name) <> ('audit_origins', 'at')`,
  );
  expect(columns.map(({ name }) => name).toSorted()).toEqual(
    Object.entries(forgeries)
      .flatMap(([table, values]) => Object.keys(values).map((column) => `${table}.${column}`))
      .toSorted(),
  );
  for (const [table, values] of Object.entries(forgeries))
    for (const [column, value] of Object.entries(values))
      await asOwnerOfTheDatabase(async (client, verify) => {
        const where = table === 'audit' ? 'id' : 'audit_id';
        const { rowCount } = await client.query(`update ${table} set ${column} = ${value} where ${where} = $1`, [id]);
        expect(rowCount).toBe(1);
        expect((await verify()).brokenAt, `${table}.${column}`).not.toBeNull();
      });
  await asOwnerOfTheDatabase(async (client, verify) => {
    await client.query('update audit a set actor_id = null where id = 2');
    await client.query('update audit a set hash = audit_hash(a) where id = 2');
    expect(await verify(), 'with a hash that fits').toEqual({ rows, brokenAt: 3 });
  });
  await asOwnerOfTheDatabase(async (client, verify) => {
    await client.query('delete from audit where id = 2');
    expect(await verify(), 'taken out').toEqual({ rows: rows - 1, brokenAt: 3 });
  });
  await asOwnerOfTheDatabase(async (client, verify) => {
    await client.query('delete from audit_origins where audit_id = 2');
    expect(await verify(), 'its origin taken out before its time').toEqual({ rows, brokenAt: 2 });
  });
  expect(await verifyAudit(db)).toEqual({ rows, brokenAt: null });
});

test('entries that were hashed before there were origins stay valid, and no origin can be added to them', async () => {
  const client = new pg.Client(await cloneDatabase());
  await client.connect();
  const all = await listMigrations();
  const before = all.slice(0, all.indexOf('0024_audit_origins.sql'));
  await client.query('drop schema public cascade; create schema public; begin');
  await migrateWithin(client, before);
  await client.query(
    `insert into audit (act, details) values ('session.started', '{}'), ('contact.viewed', '{"packages": []}')`,
  );
  await migrateWithin(client, all.slice(before.length));
  await client.query('commit');
  const on: Queryable = { query: async (sql, params) => (await client.query(sql, params)).rows as never };
  await audit(on, { act: 'session.started', actorId: null, origin: { address: '192.0.2.1', device: 'A test' } });
  expect(await verifyAudit(on)).toEqual({ rows: 3, brokenAt: null });
  await client.query('begin; alter table audit disable trigger audit_is_kept');
  await client.query(`insert into audit_origins values (1, '', '192.0.2.1', null)`);
  await client.query(`update audit set origin_hash = audit_origin_hash('', '192.0.2.1', null) where id = 1`);
  expect(await verifyAudit(on)).toEqual({ rows: 3, brokenAt: 1 });
  await client.query('rollback');
  await client.end();
});

test('the origin of an entry can be removed after its retention, and the chain stays valid', async () => {
  await asOwnerOfTheDatabase(async (client, verify) => {
    const { rows } = await verify();
    // Recomputes the chain after backdating its entries, so that it is valid.
    await client.query("update audit set at = at - interval '91 days'");
    await client.query(`do $$ declare entry audit; before bytea := ''; begin
      for entry in select * from audit order by id loop
        entry.previous_hash := before;
        before := audit_hash(entry);
        update audit set previous_hash = entry.previous_hash, hash = before where id = entry.id;
      end loop; end $$`);
    await client.query('delete from audit_origins');
    expect(await verify()).toEqual({ rows, brokenAt: null });
  });
});
