import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  createDeadLetter,
  type TestProduct,
} from '../testing/test-product.ts';
import { jobsCommand, listJobs, replayJobs } from './jobs.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await openTestProduct();
});
afterAll(() => product.close());

const sql = <Row extends object>(text: string, params?: unknown[]) => product.ctx.db.query<Row>(text, params);

test('what failed for good is listed with its reason, and runs again: one, or all, of any queue', async () => {
  const none = 'No job waits, and none has failed for good.';
  expect(await listJobs(product.ctx, null)).toEqual([none]);
  const admin = await product.register('admin');
  const leaver = await product.register('owner');
  const pkg = await createPackage(leaver);
  await admin.api.users.remove({ params: { id: leaver.id } });
  await eventually('an empty queue', async () => (await listJobs(product.ctx, null))[0] === none);
  const plant = async () => {
    const planted = await createDeadLetter(product, pkg.id);
    await sql(
      `update jobs.job set source_name = 'cancel-packages',
         data = (select jsonb_build_object('eventId', max(id)::text) from account_events where type = 'user.deleted') where source_id = $1`,
      [planted],
    );
    return planted;
  };
  const id = await plant();
  const lines = await listJobs(product.ctx, null);
  expect(lines).toEqual([
    '       1 failed  cancel-packages',
    expect.stringMatching(new RegExp(`^${id}  .*Z  cancel-packages  9 attempts  planted$`)),
  ]);
  expect(await listJobs(product.ctx, 'notify-owner')).toHaveLength(1);

  expect(await replayJobs(product.ctx, 'notify-owner', id)).toEqual({ found: 0, replayed: 0 });
  expect(await replayJobs(product.ctx, null, id)).toEqual({ found: 1, replayed: 1 });
  expect(await replayJobs(product.ctx, null, id)).toEqual({ found: 0, replayed: 0 });
  const isDone = async (job: string) =>
    (await sql("select from jobs.job where id = $1 and state = 'completed'", [job])).length === 1;
  await eventually('it is done', () => isDone(id));

  const others = [await plant(), await plant()];
  const answers = await Promise.all([replayJobs(product.ctx, null, null), replayJobs(product.ctx, null, null)]);
  expect(answers.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(2);
  for (const other of others) await eventually('it is done', () => isDone(other));
  expect(await listJobs(product.ctx, null)).toEqual([none]);
  const { items } = await admin.api.audit.list({ query: { act: 'job.replayed' } });
  expect(new Set(items.map(({ details }) => details.id))).toEqual(new Set([id, ...others]));
});

test('called wrongly it says how, and touches nothing', async () => {
  for (const args of [['--replay', 'x'], ['--replay', '0190aaaa-0000-7000-8000-000000000001', '--replay-all'], ['all']])
    expect([args, await jobsCommand.run(args)]).toEqual([args, 2]);
});
