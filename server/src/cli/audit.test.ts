import pg from 'pg';
import { expect, test } from 'vitest';
import { verifyAudit } from '../audit/service.ts';
import type { Queryable } from '../platform/database/db.ts';
import { openTestProduct } from '../testing/test-product.ts';
import { auditCommand, checkAudit } from './audit.ts';

test('a known end of the audit log reveals a truncated or entirely rewritten log', async () => {
  const product = await openTestProduct({ runsJobs: false });
  const { db } = product.ctx;
  const { email, password } = await product.register('owner');
  const signIn = () => product.api().auth.login({ body: { email, password } });
  await signIn();
  const knownEnd = /\d+:[\da-f]{64}$/.exec((await checkAudit(db, null)).says)?.[0] ?? '';
  const { rows } = await verifyAudit(db);
  expect(knownEnd).toMatch(new RegExp(`^${rows}:`));
  await signIn();
  expect(await checkAudit(db, knownEnd)).toMatchObject({
    ok: true,
    says: expect.stringContaining(`whole and goes through entry ${rows}. Its end: ${rows + 1}:`),
  });

  const client = new pg.Client(product.connection);
  await client.connect();
  const on: Queryable = { query: async (sql, params) => (await client.query(sql, params)).rows as never };
  await client.query('begin; alter table audit disable trigger audit_is_kept');
  await client.query('delete from audit where id >= $1', [rows]);
  await client.query('delete from audit_origins where audit_id >= $1', [rows]);
  // Without a known end, the truncated chain is valid.
  expect(await checkAudit(on, null)).toMatchObject({ ok: true });
  expect(await checkAudit(on, knownEnd)).toMatchObject({ ok: false, says: expect.stringContaining('cut off') });
  // Entries written in place of the deleted ones have other hashes.
  await client.query("insert into audit (act, details) values ('session.started', '{}'), ('session.started', '{}')");
  expect(await checkAudit(on, null)).toMatchObject({ ok: true });
  expect(await checkAudit(on, knownEnd)).toMatchObject({ ok: false, says: expect.stringContaining('written anew') });
  await client.query('rollback');
  await client.end();
  await product.close();
  expect(await auditCommand.run(['the end'])).toBe(2);
});
