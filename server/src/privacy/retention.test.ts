import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLongRunning } from '../platform/database/cursors-and-locks.ts';
import { countExpired, purge } from './retention.ts';
import {
  eventually,
  openTestProduct,
  packageInput,
  untilJobsDone,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ config: { RETENTION_RECIPIENT_DAYS: '90' } });
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const sql = (text: string, params?: unknown[]) => product.ctx.db.query<Record<string, string>>(text, params);
const nothing = {
  sessions: 0,
  'idempotency keys': 0,
  'rate limits': 0,
  'failed sign-ins': 0,
  'password links': 0,
  'import reports': 0,
  'read notifications': 0,
  'unread notifications': 0,
  positions: 0,
  'last positions': 0,
  'stays at doors': 0,
  absences: 0,
  'forecasts of arrivals': 0,
  'sent messages': 0,
  'resolved messages': 0,
  'origins of audited acts': 0,
  'views of contacts': 0,
  'offers of stops': 0,
  recipients: 0,
  addresses: 0,
  'deleted users in texts': 0,
  'withdrawn images': 0,
  'unused images': 0,
};

const body = packageInput({
  address: { street: 'Hauptstr. 5', city: 'Berlin' },
  handling: { safePlace: 'Behind the shed' },
});
let delivered = 0;

async function deliver() {
  const idempotencyKey = `delivered-${delivered++}`;
  const pkg = await owner.api.packages.create({ body, idempotencyKey });
  const params = { id: pkg.id };
  await product.api().tracking.message({
    params: { id: pkg.trackingId },
    body: { text: 'Please ring at Berg', replyTo: 'berg@example.com' },
  });
  await driver.api.deliveries.start({ params, idempotencyKey });
  const photo = await uploadImage(product, driver);
  await driver.api.deliveries.complete({ params, body: { receivedBy: 'Mr Berg', note: 'Third floor', photo } });
  return params;
}

/** All rows of a table, for comparison. */
const all = async (table: string) =>
  (await sql(`select t::text as row from ${table} t order by 1`)).map(({ row }) => row);
const tables = [
  'sessions',
  'idempotency_keys',
  'rate_limits',
  'sign_in_failures',
  'password_resets',
  'package_imports',
  'notifications',
  'contact_messages',
];

test('expired data is purged, other data stays, and counting alone changes nothing', async () => {
  const [depot] = await admin.api.depots.list();
  const route = await admin.api.routes.create({
    body: { day: '2026-06-10', depotId: depot?.id ?? '', driverId: driver.id },
  });
  // Two of each kind: one that expired a minute ago, and one that has a minute left.
  for (const minute of ['- interval', '+ interval']) {
    const ago = (age: string) => `now() - interval '${age}' ${minute} '1 minute'`;
    await sql(
      `insert into sessions (id, user_id, token_hash, last_used_at, created_at) values
         (gen_random_uuid(), $1, gen_random_uuid()::text::bytea, ${ago('7 days')}, now()),
         (gen_random_uuid(), $1, gen_random_uuid()::text::bytea, now(), ${ago('30 days')})`,
      [owner.id],
    );
    await sql(
      `insert into idempotency_keys (user_id, path, key, body_hash, created_at) values ($1, '/', gen_random_uuid(), '', ${ago('7 days')})`,
      [owner.id],
    );
    await sql(`insert into audit_origins (audit_id, salt, at) select coalesce(max(audit_id), 1000000) + 1, '', ${ago('90 days')}
       from audit_origins where audit_id > 1000000`);
    await sql(
      `insert into contact_views (package_id, viewer_id, hour) values (gen_random_uuid(), $1, ${ago('365 days')})`,
      [owner.id],
    );
    await sql(
      `insert into route_offers (id, route_id, from_driver_id, to_driver_id, package_ids, created_at, expires_at)
       values (gen_random_uuid(), $1, $2, $2, '{}', now(), ${ago('30 days')})`,
      [route.id, driver.id],
    );
    await sql(
      `insert into absences (id, driver_id, kind, first_day, last_day, starts_at, ends_at, created_at, updated_at)
       select gen_random_uuid(), $1, 'sick', day, day, now() - interval '3 years', ${ago('365 days')}, now(), now()
       from (select date '2000-01-01' + count(*)::integer as day from absences) one`,
      [driver.id],
    );
    await sql(
      `insert into arrival_forecasts (package_id, route_id, horizon, stops_ahead, made_at, expected_at, median_at, from_at, to_at, fixed_at)
       values (gen_random_uuid(), gen_random_uuid(), 0, 0, ${ago('60 days')}, now(), now(), now(), now(), now())`,
    );
    for (const table of ['positions', 'driver_positions'])
      await sql(
        `insert into ${table} (driver_id, at, lon, lat) values (gen_random_uuid(), ${ago('30 days')}, 13.4, 52.5)`,
      );
    await sql(
      `insert into door_stays (package_id, number, driver_id, near_at, near_until)
       values (gen_random_uuid(), 1, gen_random_uuid(), ${ago('30 days')}, now())`,
    );
    await sql(
      `insert into addresses (id, owner_id, street, city, key, created_at, used_at)
       values (gen_random_uuid(), $1, 'Hauptstr. 5', 'Berlin', gen_random_uuid(), now(), ${ago('90 days')})`,
      [owner.id],
    );
    await sql(
      `insert into rate_limits (key, points, expire) values (gen_random_uuid(), 1, extract(epoch from ${ago('0 days')}) * 1000)`,
    );
    await sql(
      `insert into sign_in_failures (key, failures, since, last_at) values (gen_random_uuid()::text::bytea, 1, now(), ${ago('2 hours')})`,
    );
    await sql(
      `insert into package_imports (id, owner_id, file_hash, total, created_at, started_at)
       values (gen_random_uuid(), $1, '', 1, ${ago('90 days')}, now())`,
      [owner.id],
    );
  }
  await sql(
    `insert into password_resets (user_id, token_hash, expires_at)
     values ($1, '1', now() - interval '1 minute'), ($2, '2', now() + interval '1 minute')`,
    [owner.id, driver.id],
  );
  await sql(
    `insert into contact_messages (name, email, message, digest, status, created_at, resolved_at) values
       ('Vera', 'vera@example.com', 'Resolved', '1', 'Resolved', now(), now() - interval '180 days 1 minute'),
       ('Vera', 'vera@example.com', 'Not yet', '2', 'Resolved', now(), now() - interval '179 days 23 hours 59 minutes'),
       ('Vera', 'vera@example.com', 'Open, however old', '3', 'Open', '2020-01-01', null)`,
  );
  const [first, second, third] = [await deliver(), await deliver(), await deliver()];
  await eventually(
    'the owner is told',
    async () => (await sql('select from notifications where user_id = $1', [owner.id])).length >= 6,
  );
  const notificationIds = await sql('select id from notifications where user_id = $1 order by id limit 4', [owner.id]);
  const setRead = (index: number, read: string) =>
    sql(`update notifications set read_at = ${read} where id = $1`, [notificationIds[index]?.id]);
  // Delivered packages are told of by email, which is held.
  const held = await sql('select id from messages where user_id = $1 order by id limit 2', [owner.id]);
  const setSent = (index: number, at: string) => sql(`update messages set at = ${at} where id = $1`, [held[index]?.id]);
  await setSent(0, "now() - interval '180 days 1 minute'");
  await setSent(1, "now() - interval '179 days 23 hours 59 minutes'");
  await setRead(0, "now() - interval '180 days 1 minute'");
  await setRead(1, "now() - interval '179 days 23 hours 59 minutes'");
  const setCreated = (index: number, created: string) =>
    sql(`update notifications set created_at = ${created} where id = $1`, [notificationIds[index]?.id]);
  await setCreated(2, "now() - interval '365 days 1 minute'");
  await setCreated(3, "now() - interval '364 days 23 hours 59 minutes'");
  await sql("update packages set completed_at = now() - interval '90 days 1 minute' where id = $1", [first.id]);
  await sql("update packages set completed_at = now() - interval '89 days 23 hours' where id = $1", [second.id]);
  await uploadImage(product, driver);
  await sql("update images set since = now() - interval '25 hours' where state <> 'attached'");
  await uploadImage(product, driver);

  // Wait for all jobs: the purge skips packages that a job has locked.
  await untilJobsDone(product);
  const due = {
    sessions: 2,
    'idempotency keys': 1,
    'rate limits': 1,
    'failed sign-ins': 1,
    'password links': 1,
    'import reports': 1,
    'read notifications': 1,
    'unread notifications': 1,
    positions: 1,
    'last positions': 1,
    'stays at doors': 1,
    'forecasts of arrivals': 1,
    'sent messages': 1,
    'resolved messages': 1,
    'origins of audited acts': 1,
    'views of contacts': 1,
    absences: 1,
    'offers of stops': 1,
    recipients: 1,
    addresses: 1,
    'deleted users in texts': 0,
    'withdrawn images': 0,
    'unused images': 1,
  };
  const snapshot = () => Promise.all([...tables, 'packages', 'proofs', 'images', 'package_events'].map(all));
  const before = await snapshot();
  expect(await countExpired(product.ctx)).toEqual(due);
  expect(await snapshot()).toEqual(before);

  const stats = await admin.api.stats.read();
  const kept = await Promise.all([second, third].map((params) => owner.api.deliveries.receipt({ params })));
  const counts = () =>
    Promise.all([...tables, 'packages', 'package_events', 'audit'].map(async (table) => (await all(table)).length));
  const [sessions, keys, limits, failures, links, imports, notifications, messages, ...stay] = await counts();
  // Removing the recipient also removes the row and files of the photo.
  expect(await purge(product.ctx)).toEqual({ removed: { ...due, 'unused images': 2 }, faults: [] });
  expect(await counts()).toEqual([
    Number(sessions) - 2,
    Number(keys) - 1,
    Number(limits) - 1,
    Number(failures) - 1,
    Number(links) - 1,
    Number(imports) - 1,
    Number(notifications) - 2,
    Number(messages) - 1,
    ...stay,
  ]);
  expect(await admin.api.stats.read()).toEqual({ ...stats, asOf: expect.any(String) });
  expect(await countExpired(product.ctx)).toEqual(nothing);
  const again = await Promise.all([second, third].map((params) => owner.api.deliveries.receipt({ params })));
  // Signed URLs depend on the time.
  const withoutUrls = (receipts: typeof kept) => receipts.map(({ proof, ...rest }) => ({ ...rest, note: proof.note }));
  expect(withoutUrls(again)).toEqual(withoutUrls(kept));
  expect(again.every(({ proof }) => proof.photo)).toBe(true);

  expect(await owner.api.deliveries.receipt({ params: first })).toMatchObject({
    recipientName: 'Removed',
    recipientContact: null,
    recipientAddress: null,
    handling: { safePlace: null },
    proof: { receivedBy: null, note: null, photo: null },
  });
  const everywhere = await Promise.all([
    ...['packages', 'proofs'].map((table) =>
      sql(`select t::text as row from ${table} t where ${table === 'proofs' ? 'package_id' : 'id'} = $1`, [first.id]),
    ),
    sql('select t::text as row from package_events t where package_id = $1', [first.id]),
    sql('select reply as row from idempotency_keys where subject_id = $1', [first.id]),
  ]);
  // A repeated request still creates no second package.
  expect(everywhere.at(-1)).toHaveLength(2);
  expect(await owner.api.packages.create({ body, idempotencyKey: 'delivered-0' })).toMatchObject({
    id: first.id,
    recipientName: 'Removed',
  });
  expect(JSON.stringify(everywhere)).not.toMatch(/Berg|Hauptstr|Third floor|shed|2345678/i);
  const found = (q?: string) => owner.api.packages.listOfUser({ params: { id: owner.id }, query: { ...(q && { q }) } });
  expect((await found()).items).toHaveLength(3);
  expect((await found('Anna Maria')).items).toHaveLength(2);
});

test('recipients of cancelled, deleted and undelivered packages are removed by the time of the last change', async () => {
  const made = async () => (await owner.api.packages.create({ body })).id;
  const [waiting, cancelled, deleted, onTheRoad, recent] = [
    await made(),
    await made(),
    await made(),
    await made(),
    await made(),
  ];
  await owner.api.packages.update({ params: { id: cancelled }, body: { status: 'cancelled' } });
  await owner.api.packages.update({ params: { id: deleted }, body: { status: 'inactive' } });
  await driver.api.deliveries.start({ params: { id: onTheRoad } });
  const due = [waiting, cancelled, deleted, onTheRoad];
  await sql("update packages set updated_at = now() - interval '90 days 1 minute' where id = any($1)", [due]);
  await sql("update packages set updated_at = now() - interval '89 days 23 hours' where id = $1", [recent]);
  expect((await countExpired(product.ctx)).recipients).toBe(4);
  // The purge skips packages that a job has locked: repeat it.
  let removed = 0;
  await eventually('all four are removed', async () => {
    removed += (await purge(product.ctx))?.removed.recipients ?? 0;
    return removed >= 4;
  });
  expect(removed).toBe(4);
  const rows = await sql('select id, p::text as row from packages p where id = any($1)', [due]);
  expect(rows).toHaveLength(4);
  expect(JSON.stringify(rows)).not.toMatch(/Berg|Hauptstr|shed|2345678/i);
  expect(await owner.api.packages.read({ params: { id: recent } })).toMatchObject({ recipientName: 'Anna Maria Berg' });
});

test('without RETENTION_RECIPIENT_DAYS recipients are kept for good', async () => {
  const other = await openTestProduct({ beside: product, runsJobs: false });
  await sql("update packages set completed_at = '2020-01-01'");
  expect(await purge(other.ctx)).toEqual({ removed: nothing, faults: [] });
  expect(await countExpired(other.ctx)).toEqual(nothing);
  await other.close();
});

test('a failing image store does not stop the purge of other kinds, and is reported', async () => {
  await sql("update sessions set last_used_at = now() - interval '8 days' where user_id = $1", [driver.id]);
  const storage = { ...product.ctx.storage, delete: () => Promise.reject(new Error('out of reach')) };
  await sql("update images set since = now() - interval '25 hours' where state <> 'attached'");
  const done = await purge({ ...product.ctx, storage });
  expect(done?.removed).toMatchObject({ sessions: 1, 'import reports': 0 });
  expect(done?.faults).toEqual([expect.stringMatching(/^unused images: /)]);
});

test('only one process purges at a time', async () => {
  const other = openLongRunning(product.connection, 15, product.ctx.log, 1);
  try {
    await other.withAdvisoryLock('purge', async () => expect(await purge(product.ctx)).toBeNull());
  } finally {
    await other.close();
  }
});
