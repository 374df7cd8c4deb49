import type { AuditAct } from '@waybill/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, inject, openTestProduct, type TestProduct, type TestUser } from '../testing.ts';
import { verifyAudit } from './service.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ works: false });
  admin = await product.register('admin');
  owner = await product.register('owner');
  driver = await product.register('driver');
});
afterAll(() => product.close());

const entries = async (query: Record<string, string>) => (await admin.api.audit.list({ query })).items;
const latest = async (act: AuditAct) => (await entries({ act, limit: '1' }))[0];

test('sign-ins stand in it, refused ones too, known account or not', async () => {
  await product.api().auth.login({ body: { email: owner.email, password: owner.password } });
  expect(await latest('session.started')).toMatchObject({ actorId: owner.id, subjectId: owner.id });
  const refused = (email: string) => product.api().auth.login({ body: { email, password: 'not the password' } });
  await expect(refused(owner.email)).rejects.toMatchObject({ status: 401 });
  expect(await latest('session.refused')).toMatchObject({ actorId: null, subjectId: owner.id });
  await expect(refused('nobody@example.com')).rejects.toMatchObject({ status: 401 });
  expect(await latest('session.refused')).toMatchObject({ actorId: null, subjectId: null });
});

test('a change of rights or status stands in it with what it was before; a change of profile does not', async () => {
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

test('an administrator who sees the contact of a recipient is written down; owner and driver of the package are not', async () => {
  const pkg = await createPackage(owner);
  const params = { id: pkg.id };
  await owner.api.packages.read({ params });
  await owner.api.packages.listOfUser({ params: { id: owner.id } });
  await driver.api.deliveries.start({ params });
  expect(await entries({ subject: pkg.id })).toEqual([]);
  await admin.api.packages.read({ params });
  expect(await entries({ subject: pkg.id })).toMatchObject([{ act: 'contact.viewed', actorId: admin.id }]);
  const other = await createPackage(owner);
  await admin.api.packages.listAll();
  expect((await latest('contact.viewed'))?.details).toEqual({ packages: [other.id, pkg.id] });
});

test('exports stand in it', async () => {
  await inject(product.app, '/api/users/export', {
    method: 'GET',
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(await latest('users.exported')).toMatchObject({ actorId: admin.id });
});

test('it is read newest first, page by page, by place, person and day', async () => {
  const first = await admin.api.audit.list({ query: { limit: 2, count: true } });
  const [newest, next] = first.items.map(({ id }) => id);
  expect(newest).toBe(first.total);
  expect(next).toBe((newest ?? 0) - 1);
  const second = await admin.api.audit.list({ query: { limit: 2, cursor: first.next ?? '' } });
  expect(second.items[0]?.id).toBe((next ?? 0) - 1);
  expect(await entries({ to: '2020-01-01' })).toEqual([]);
  expect(new Set((await entries({ actor: admin.id })).map(({ actorId }) => actorId))).toEqual(new Set([admin.id]));
});

test('what is rolled back leaves no trace, and acts at the same time no gap', async () => {
  const { rows } = await verifyAudit(product.ctx.db);
  await Promise.all([
    ...Array.from({ length: 10 }, () =>
      createPackage(owner).then(({ id }) => admin.api.packages.read({ params: { id } })),
    ),
    ...Array.from({ length: 3 }, () =>
      admin.api.users.update({ params: { id: admin.id }, body: { status: 'suspended' } }).catch(() => {}),
    ),
  ]);
  expect(await verifyAudit(product.ctx.db)).toEqual({ rows: rows + 10, brokenAt: null });
});

test('nobody changes it, and who does with the rights of the database is found out', async () => {
  const client = new pg.Client(product.connection);
  await client.connect();
  for (const statement of ['update audit set act = act', 'delete from audit', 'truncate audit'])
    await expect(client.query(statement)).rejects.toThrow('the audit log is only ever added to');
  const { rows } = await verifyAudit(product.ctx.db);
  await client.query('alter table audit disable trigger audit_is_kept');
  const forgeries = {
    changed: `update audit set actor_id = null where id = 2`,
    'changed, with a hash that fits': `update audit a set actor_id = null,
      hash = audit_hash((a.id, a.at, a.act, null, a.subject_id, a.details, a.previous_hash, null)::audit) where id = 2`,
    'taken out': 'delete from audit where id = 2',
  };
  const found: Record<string, unknown> = {};
  for (const [name, statement] of Object.entries(forgeries)) {
    await client.query('begin');
    await client.query(statement);
    found[name] = await verifyAudit({ query: async (sql) => (await client.query(sql)).rows as never });
    await client.query('rollback');
  }
  await client.end();
  expect(found).toEqual({
    changed: { rows, brokenAt: 2 },
    'changed, with a hash that fits': { rows, brokenAt: 3 },
    'taken out': { rows: rows - 1, brokenAt: 3 },
  });
});
