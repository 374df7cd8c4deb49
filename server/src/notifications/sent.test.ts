import type { SentNotification } from '@waybill/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createUpgradingDatabase } from '../testing/postgres.ts';
import { reconcileDeliveries } from './notification-deliveries.ts';
import { storeFailedAttempt } from './service.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
let otherAdmin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver');
  admin = await product.register('admin', 'Ada Admin');
  otherAdmin = await product.register('admin', 'Otto Admin');
});
afterAll(() => product.close());

const sql = <Row extends object>(text: string, params?: unknown[]) => product.ctx.db.query<Row>(text, params);
type SentQuery = Record<string, string | number | boolean>;
/** Without the deliveries by other channels, which have rows of their own. */
const sentInApp = async (reader: TestUser, query: SentQuery = {}) =>
  (await reader.api.notifications.sent({ query })).items.filter(({ channel }) => channel === 'in-app');
const sent = (query: SentQuery = {}) => sentInApp(admin, { limit: 200, ...query });
const sentOf = async (trackingId: string) => (await sent()).filter((one) => one.trackingId === trackingId);
const retry = (one: SentNotification | undefined, by = admin) =>
  by.api.notifications.retry({ params: { id: one?.id ?? '' } });
const eventualSent = async (trackingId: string, holds: (one: SentNotification) => boolean) => {
  let found: SentNotification[] = [];
  await eventually('a matching delivery', async () => {
    found = (await sentOf(trackingId)).filter(holds);
    return found.length > 0;
  });
  return found;
};
const startDelivery = async () => {
  const pkg = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  return pkg;
};

/** Makes every delivery attempt fail while `work` runs. */
async function withFailingDeliveries<T>(work: () => Promise<T>): Promise<T> {
  await sql(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'planted fault'; end $$`,
  );
  await sql('create trigger refuse before insert on notifications for each row execute function refuse()');
  try {
    return await work();
  } finally {
    await sql('drop function refuse cascade');
  }
}

/** Retries all failed jobs without their backoff, until all are dead letters. */
const exhaustRetries = () =>
  eventually('dead letters', async () => {
    await product.ctx.db.transaction(async (tx) => {
      await tx.query("update jobs.job set start_after = now() where state = 'retry'");
      // Enqueues a job, which wakes the workers.
      await tx.enqueue([{ name: 'request-password-reset', payload: { userId: null } }]);
      tx.notifyAfterCommit();
    });
    const rows = await sql("select from jobs.job where name like 'notify-%' and state < 'completed' limit 1");
    return rows.length === 0;
  });

test('the list shows a delivered notification with its recipient, package and state', async () => {
  const pkg = await startDelivery();
  await eventually('it is delivered', async () => (await sentOf(pkg.trackingId))[0]?.state === 'delivered');
  const [event] = (await owner.api.packages.events({ params: { id: pkg.id } })).items;
  expect(await sentOf(pkg.trackingId)).toEqual([
    {
      id: expect.any(String) as string,
      at: event?.at,
      type: 'delivery.started',
      recipient: { id: owner.id, name: 'Olga Owner', role: 'owner' },
      packageId: pkg.id,
      trackingId: pkg.trackingId,
      incidentId: null,
      channel: 'in-app',
      state: 'delivered',
      reason: null,
      attempts: 1,
      error: null,
    },
  ]);
});

test('the list shows a waiting notification with its attempts and latest error', async () => {
  const idle = await openTestProduct({ runsJobs: false });
  try {
    const [otherOwner, reader] = [await idle.register('owner'), await idle.register('admin')];
    const pkg = await createPackage(otherOwner);
    await otherOwner.api.packages.update({ params: { id: pkg.id }, body: { status: 'cancelled' } });
    const waiting = await sentInApp(reader);
    expect(waiting).toMatchObject([{ state: 'queued', attempts: 0, error: null, recipient: { id: otherOwner.id } }]);
    const job = { id: waiting[0]?.id ?? '', attempt: 3, isLast: false };
    await storeFailedAttempt(idle.ctx, job, new Error('it rained'));
    // The list reads the rows of deliveries, not the queue.
    await idle.ctx.db.query('delete from jobs.job');
    expect(await sentInApp(reader)).toEqual([{ ...waiting[0], attempts: 3, error: 'it rained' }]);
  } finally {
    await idle.close();
  }
});

test('each failed attempt stores its error, until a retry delivers the notification', async () => {
  const pkg = await withFailingDeliveries(async () => {
    const made = await startDelivery();
    const [first] = await eventualSent(made.trackingId, ({ error }) => error !== null);
    expect(first).toMatchObject({ state: 'queued', error: 'planted fault', recipient: { id: owner.id } });
    expect(first?.attempts).toBeGreaterThan(0);
    return made;
  });
  const [delivered] = await eventualSent(pkg.trackingId, ({ state }) => state === 'delivered');
  expect(delivered).toMatchObject({ error: null });
  expect(delivered?.attempts).toBeGreaterThan(1);
});

test('a dead letter is retried by hand: it is delivered once, however often it is retried, and audited', async () => {
  const pkg = await withFailingDeliveries(async () => {
    const made = await startDelivery();
    await owner.api.incidents.reportOnPackage({ params: { id: made.id }, body: { issue: 'It is late' } });
    await exhaustRetries();
    return made;
  });
  const failed = await sentOf(pkg.trackingId);
  expect(
    failed.map(({ type, state, attempts, recipient }) => [type, state, attempts, recipient.role, recipient.name]),
  ).toEqual(
    expect.arrayContaining([
      ['delivery.started', 'failed', 9, 'owner', 'Olga Owner'],
      ['issue.reported', 'failed', 9, 'owner', 'Olga Owner'],
      ['issue.reported', 'failed', 9, 'admin', null],
    ]),
  );
  expect(failed).toHaveLength(3);
  expect(failed.every(({ error }) => error?.includes('planted fault'))).toBe(true);
  expect((await owner.api.notifications.list()).items.map(({ packageId }) => packageId)).not.toContain(pkg.id);

  const start = failed.find(({ type }) => type === 'delivery.started');
  const replies = await Promise.allSettled([retry(start), retry(start, otherAdmin), retry(start), retry(start)]);
  for (const reply of replies) {
    if (reply.status === 'fulfilled') expect(['queued', 'delivered']).toContain(reply.value.state);
    else expect(reply.reason).toMatchObject({ status: 409, code: 'illegal_step' });
  }
  expect(replies[0]?.status).toBe('fulfilled');
  const mine = async () => (await owner.api.notifications.list()).items.filter(({ packageId }) => packageId === pkg.id);
  await eventually('it is delivered', async () => (await mine()).length > 0);
  const starts = async () => (await sentOf(pkg.trackingId)).filter(({ type }) => type === 'delivery.started');
  await eventually('and its delivery is listed as delivered', async () =>
    (await starts()).every(({ state }) => state === 'delivered'),
  );
  await expect(retry(start)).rejects.toMatchObject({
    status: 409,
    message: 'This notification has been delivered already',
  });
  const delivered = await starts();
  expect(delivered).toMatchObject([{ state: 'delivered', attempts: 10, error: null }]);
  await expect(retry(delivered[0])).rejects.toMatchObject({ status: 409 });
  const [{ count } = { count: 0 }] = await sql<{ count: string }>(
    "select count(*) from audit where act = 'job.replayed' and details->>'id' = $1",
    [start?.id],
  );
  expect(Number(count)).toBe(1);

  // A notification to all administrators is delivered to each of them.
  await retry(failed.find(({ recipient }) => recipient.role === 'admin'));
  const countOf = async (user: TestUser) =>
    (await user.api.notifications.list()).items.filter(({ packageId }) => packageId === pkg.id).length;
  await eventually('both are notified', async () => (await countOf(admin)) === 1 && (await countOf(otherAdmin)) === 1);
  expect(await mine()).toHaveLength(1);
});

test('only a notification that exists can be retried, and no other job', async () => {
  const id = '0190aaaa-0000-7000-8000-000000000001';
  await sql(
    `insert into jobs.job (name, data, source_name, source_id, source_retry_count)
     values ('dead-letters', '{"eventId": "1"}', 'cancel-packages', $1, 8)`,
    [id],
  );
  await expect(admin.api.notifications.retry({ params: { id } })).rejects.toMatchObject({ status: 404 });
  expect(await sql('select from jobs.job where source_id = $1', [id])).toHaveLength(1);
  await sql('delete from jobs.job where source_id = $1', [id]);
  await expect(
    admin.api.notifications.retry({ params: { id: '0190aaaa-0000-7000-8000-000000000002' } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('the list is filtered by state, kind, recipient and day, and so is its export', async () => {
  await product.register('owner', 'Paul 50% Person');
  const pkg = await withFailingDeliveries(async () => {
    const made = await startDelivery();
    await exhaustRetries();
    return made;
  });
  expect((await sent({ state: 'failed', q: 'olga' })).map(({ trackingId }) => trackingId)).toContain(pkg.trackingId);
  expect(await sent({ state: 'failed', q: 'paul' })).toEqual([]);
  expect((await sent({ state: 'failed' })).every(({ state }) => state === 'failed')).toBe(true);
  expect((await sent({ state: 'delivered' })).every(({ state }) => state === 'delivered')).toBe(true);
  expect(await sent({ state: 'queued' })).toEqual([]);
  const incidents = await sent({ kind: 'incident' });
  expect(new Set(incidents.map(({ type }) => type))).toEqual(new Set(['issue.reported']));
  expect((await sent({ q: owner.email.toUpperCase() })).every(({ recipient }) => recipient.id === owner.id)).toBe(true);
  expect(await sent({ q: '%' })).toEqual([]);
  expect(await sent({ to: '2020-01-01' })).toEqual([]);
  expect(await sent({ from: '2020-01-01' })).toEqual(await sent());

  const file = await (await admin.api.notifications.exportSent({ query: { state: 'failed' } })).text();
  const [head, ...lines] = file.trim().split('\r\n');
  const rows = lines.filter((line) => line.includes(',"in-app",'));
  expect(head).toBe('id,at,type,recipientName,recipientRole,trackingId,incidentId,channel,state,reason,attempts,error');
  expect(rows).toHaveLength((await sent({ state: 'failed' })).length);
  expect(rows.find((row) => row.includes(pkg.trackingId))).toMatch(/"Olga Owner","owner".*"failed",,9,"planted fault"/);
});

test('an upgrade inserts a delivery for each existing notification', async () => {
  await eventually('all are delivered', async () => (await sent({ state: 'queued' })).length === 0);
  const delivered = async () => {
    const rows = (await sent({ state: 'delivered' })).map((one) => ({ ...one, id: '' }));
    return rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  };
  const before = await delivered();
  expect(before.length).toBeGreaterThan(3);
  // The oldest one keeps its row, as if an older server's clock were behind: the backfill walks down the ids from below it.
  await sql(
    "delete from notification_deliveries where state = 'delivered' and notification_id <> (select id from notifications order by id limit 1)",
  );
  // The tracking IDs are added by a later file.
  await sql(`create table tracking_ids_added as
    select '00000000-0000-0000-0000-000000000000'::uuid as notifications, '00000000-0000-0000-0000-000000000000'::uuid as deliveries`);
  await sql(
    "delete from schema_migrations where name ~ 'notification_(deliveries_filled|tracking_ids_added|tracking_ids_done)'",
  );
  await migrate(product.connection, () => {});
  expect(await delivered()).toEqual(before);
});

test('a notification that a server of 0.2.0 delivers has one delivery, whichever server enqueued it', async () => {
  const idle = await openTestProduct({ connection: await createUpgradingDatabase(), runsJobs: false });
  const older = new pg.Client(idle.connection);
  await older.connect();
  try {
    const [otherOwner, reader, secondReader] = [
      await idle.register('owner'),
      await idle.register('admin'),
      await idle.register('admin'),
    ];
    const pkg = await createPackage(otherOwner);
    await otherOwner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It is late' } });
    const items = () => sentInApp(reader);
    expect((await items()).map(({ state, recipient }) => [state, recipient.id])).toEqual(
      expect.arrayContaining([
        ['queued', otherOwner.id],
        ['queued', null],
      ]),
    );
    for (const { id } of [reader, secondReader, otherOwner]) {
      await older.query(
        `insert into notifications (id, user_id, event_id, package_id, incident_number, type, title, body, created_at, attempts)
         select gen_random_uuid(), $1, id, package_id, incident_number, type, 'Issue reported', 'It is late.', at, 2
         from package_events where type = 'issue.reported'`,
        [id],
      );
    }
    const delivered = await items();
    expect(delivered).toHaveLength(3);
    expect(new Set(delivered.map(({ recipient }) => recipient.id))).toEqual(
      new Set([reader.id, secondReader.id, otherOwner.id]),
    );
    expect(delivered.every((one) => one.state === 'delivered' && one.attempts === 2 && one.packageId === pkg.id)).toBe(
      true,
    );
    // Deleting a notification deletes its delivery.
    await older.query('delete from notifications where user_id = $1', [otherOwner.id]);
    expect(await items()).toHaveLength(2);
  } finally {
    await older.end();
    await idle.close();
  }
});

test('reconciling sets the rows to the state of the queue after a worker was killed or an older server had the job', async () => {
  const idle = await openTestProduct({ runsJobs: false });
  const run = (text: string, params?: unknown[]) => idle.ctx.db.query(text, params);
  try {
    const [otherOwner, reader] = [await idle.register('owner'), await idle.register('admin')];
    const cancelled = async () => {
      const { id } = await createPackage(otherOwner);
      await otherOwner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
      return id;
    };
    const [killed, unknown, done, waiting] = [
      await cancelled(),
      await cancelled(),
      await cancelled(),
      await cancelled(),
    ];
    const ids = new Map((await sentInApp(reader)).map(({ id, packageId }) => [packageId, id]));
    // The worker was killed in the last attempt, so the queue made it a dead letter.
    await run(
      `insert into jobs.job (name, data, source_name, source_id, source_retry_count)
       select 'dead-letters', data, name, id, 8 from jobs.job where id = any($1)`,
      [[ids.get(killed), ids.get(unknown)]],
    );
    await run('delete from jobs.job where id = any($1)', [[ids.get(killed), ids.get(unknown), ids.get(done)]]);
    await run('delete from notification_deliveries where id = $1', [ids.get(unknown)]);
    const states = async () =>
      Object.fromEntries((await sentInApp(reader)).map((one) => [one.packageId, [one.state, one.attempts]]));
    // Rows updated less than a minute ago are skipped.
    await reconcileDeliveries(idle.ctx.db);
    expect(await states()).toEqual({
      [killed]: ['queued', 0],
      [unknown]: ['failed', 9],
      [done]: ['queued', 0],
      [waiting]: ['queued', 0],
    });
    await run("update notification_deliveries set updated_at = now() - interval '2 minutes'");
    await reconcileDeliveries(idle.ctx.db);
    expect(await states()).toEqual({ [killed]: ['failed', 9], [unknown]: ['failed', 9], [waiting]: ['queued', 0] });
    // A failed row can be retried without its dead letter, until both would expire after 90 days.
    await run("delete from jobs.job where name = 'dead-letters'");
    await run("update notification_deliveries set updated_at = now() - interval '89 days' where state = 'failed'");
    await reconcileDeliveries(idle.ctx.db);
    const retried = await reader.api.notifications.retry({ params: { id: ids.get(killed) ?? '' } });
    expect(retried).toMatchObject({ state: 'queued', attempts: 9, packageId: killed });
    expect(await run('select from jobs.job where id = $1', [ids.get(killed)])).toHaveLength(1);
    await run("update notification_deliveries set updated_at = now() - interval '91 days' where state = 'failed'");
    await reconcileDeliveries(idle.ctx.db);
    expect(Object.keys(await states())).not.toContain(unknown);
  } finally {
    await idle.close();
  }
});
