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

test('dead letters are listed with their errors and replayed: one or all, of any queue', async () => {
  const none = 'No job waits, and none has failed for good.';
  expect(await listJobs(product.ctx, null)).toEqual([none]);
  const admin = await product.register('admin');
  const deletedOwner = await product.register('owner');
  const pkg = await createPackage(deletedOwner);
  await admin.api.users.remove({ params: { id: deletedOwner.id } });
  await eventually('an empty queue', async () => (await listJobs(product.ctx, null))[0] === none);
  const createFailedJob = async () => {
    const jobId = await createDeadLetter(product, pkg.id);
    await sql(
      `update jobs.job set source_name = 'cancel-packages',
         data = (select jsonb_build_object('eventId', max(id)::text) from account_events where type = 'user.deleted') where source_id = $1`,
      [jobId],
    );
    return jobId;
  };
  const id = await createFailedJob();
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

  const others = [await createFailedJob(), await createFailedJob()];
  const answers = await Promise.all([replayJobs(product.ctx, null, null), replayJobs(product.ctx, null, null)]);
  expect(answers.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(2);
  for (const other of others) await eventually('it is done', () => isDone(other));
  expect(await listJobs(product.ctx, null)).toEqual([none]);
  const { items } = await admin.api.audit.list({ query: { act: 'job.replayed' } });
  expect(new Set(items.map(({ details }) => details.id))).toEqual(new Set([id, ...others]));
});

test('wrong usage prints the help and changes nothing', async () => {
  for (const args of [['--replay', 'x'], ['--replay', '0190aaaa-0000-7000-8000-000000000001', '--replay-all'], ['all']])
    expect([args, await jobsCommand.run(args)]).toEqual([args, 2]);
});
