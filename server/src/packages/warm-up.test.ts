import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { warmUpCreates } from './warm-up.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
});
afterAll(() => product.close());

const rowsOf = async (table: string) => (await product.ctx.db.query(`select from ${table}`)).length;

/** Whether the connection that is used next has planned a create. */
const isPlanned = async () =>
  (
    await product.ctx.db.query(
      "select from pg_prepared_statements where statement like '%into packages%' and generic_plans + custom_plans > 0",
    )
  ).length > 0;

test('warming up does creates, and leaves no trace of them', async () => {
  expect(await isPlanned()).toBe(false);
  await warmUpCreates(product.ctx);
  expect(await isPlanned()).toBe(true);
  for (const table of ['packages', 'package_events', 'public_views', 'package_search', 'outbox', 'users', 'jobs.job'])
    expect([table, await rowsOf(table)]).toEqual([table, 0]);
});
