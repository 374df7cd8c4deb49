import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../platform/database/db.ts';
import { listMigrations, listPostDeployment, migrate, migrateWithin } from '../platform/database/migrate.ts';
import { createDatabase, createUpgradingDatabase } from '../testing/postgres.ts';
import { createPackage, openTestProduct } from '../testing/test-product.ts';

type Query = <Row extends object>(sql: string, params?: unknown[]) => Promise<Row[]>;

/** A connection without settings for the outbox, as in version 0.2.0. */
async function connect(connection: Connection): Promise<Query> {
  const client = new pg.Client({ ...connection, application_name: 'waybill requests' });
  await client.connect();
  onTestFinished(() => client.end());
  return async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows;
}

interface DeliveredEvent {
  type: string;
  tracking_id: string | null;
  user_id: string | null;
}

/** The feed of version 0.2.0, with its original statement. */
async function openOlderFeed(query: Query): Promise<() => Promise<DeliveredEvent[]>> {
  const [first] = await query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
  let seen = first?.snapshot ?? '';
  return async () => {
    const rows = await query<DeliveredEvent & { snapshot: string; id: string | null }>(
      `select now.snapshot::text as snapshot, pg_snapshot_xmax(now.snapshot)::text as xmax,
              e.id, e.type, e.package_id, p.tracking_id, e.owner_id, e.driver_id,
              e.previous_driver_id, e.incident_number, i.reporter_id, e.user_id, e.session_id, e.import_id
       from (select pg_current_snapshot() as snapshot) now
       left join events e on e.xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(e.xid, $1::pg_snapshot)
         and e.xid < pg_snapshot_xmax(now.snapshot)
       left join packages p on p.id = e.package_id
       left join incidents i on i.number = e.incident_number
       order by e.id`,
      [seen],
    );
    seen = rows[0]?.snapshot ?? seen;
    return rows
      .filter(({ id }) => id !== null)
      .map(({ type, tracking_id, user_id }) => ({ type, tracking_id, user_id }));
  };
}

const user = '00000000-0000-7000-8000-000000000001';
const packageId = '00000000-0000-7000-8000-000000000002';
const aboutPackage = (type: string, note: string | null = null) => ({
  type,
  at: '2026-11-01T10:00:00Z',
  package_id: packageId,
  status: 'in transit',
  note,
  owner_id: user,
});
const aboutAccount = (type: string) => ({ type, at: '2026-11-01T10:00:00Z', user_id: user });

/** How version 0.2.0 records events. */
const write = (query: Query, events: object[]) =>
  query<{ id: string; type: string }>(
    `insert into events (type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id,
       incident_number, user_id, session_id, import_id, changes, message_number)
     select type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id,
       incident_number, user_id, session_id, import_id, changes, message_number
     from json_to_recordset($1) as event (type text, at timestamptz, actor_id uuid, package_id uuid, status text,
       location text, note text, owner_id uuid, driver_id uuid, previous_driver_id uuid, incident_number integer, user_id uuid,
       session_id uuid, import_id uuid, changes jsonb, message_number integer)
     returning id, type`,
    [JSON.stringify(events)],
  );

const waiting = await listPostDeployment();
const names = (await listMigrations()).filter((name) => !waiting.includes(name));
const first = names.findIndex((name) => name.endsWith('_package_events.sql'));

async function inTransaction(connection: Connection, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('begin');
  await work(client);
  await client.query('commit');
  await client.end();
}

const migrateAsRestoreDoes = (connection: Connection) =>
  inTransaction(connection, (client) => migrateWithin(client, names.slice(first)));

const types = (rows: { type: string }[]) => rows.map(({ type }) => type);

test.each([
  ['while it is in use', migrate],
  ['in the one transaction of a restore', migrateAsRestoreDoes],
])(
  '%s the table of events is split in two: no event is lost, delivered twice or not delivered',
  async (_when, bringUpToDate) => {
    const connection = await createDatabase();
    await inTransaction(connection, (client) => migrateWithin(client, names.slice(0, first)));

    const query = await connect(connection);
    await query(`insert into users (id, name, email, password_hash, role, status)
    values ('${user}', 'Olga', 'olga@example.com', 'x', 'owner', 'active')`);
    await query(`insert into packages (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, handling, status,
      created_at, updated_at)
    values ('${packageId}', '${user}', 'PKG-AAAAAAAA', 'Lamp', 'A lamp', 'Other', 1, 'Anna', '{}', 'processing', now(), now())`);
    // More than one batch of the migration.
    await query(`insert into events (type, at, user_id, actor_id, changes)
    select (array['user.changed', 'notification.created'])[1 + n % 2], now(), '${user}', '${user}', '{"status": ["active", "suspended"]}'
    from generate_series(1, 21000) n`);
    // Read long ago: the migration looks for the events of the last 15 s, by transaction, and these are of one.
    await query('delete from outbox');
    const read = await openOlderFeed(query);
    const written = await write(query, [
      aboutPackage('package.created'),
      aboutPackage('package.updated'),
      aboutPackage('package.updated'),
      aboutAccount('user.changed'),
      aboutAccount('notification.created'),
    ]);
    const history = `select count(*)::int as count, md5(string_agg(concat_ws('|', id, type, at, actor_id, package_id, status, location, note,
      owner_id, driver_id, user_id, changes, shown), ',' order by id)) as hash
    from events where package_id is not null or type = 'user.changed'`;
    const before = await query(history);
    expect(before).toMatchObject([{ count: 10_504 }]);

    await bringUpToDate(connection, () => {});
    expect(await query(history)).toEqual(before);
    expect(await query('select count(*)::int as count from package_events')).toEqual([{ count: 3 }]);
    expect(await query('select type, count(*)::int as count from account_events group by 1')).toEqual([
      { type: 'user.changed', count: 10_501 },
    ]);
    // Events that were written before and not yet read are delivered once after it.
    expect(types(await read())).toEqual(expect.arrayContaining(types(written)));
    expect(await read()).toEqual([]);
    // Ids continue: jobs refer to events by them.
    const [next] = await write(query, [aboutPackage('delivery.started')]);
    expect(Number(next?.id)).toBeGreaterThan(Math.max(...written.map(({ id }) => Number(id))));
  },
);

test('during a rolling update a server of version 0.2.0 and this one receive each other’s events', async () => {
  const product = await openTestProduct({
    connection: await createUpgradingDatabase(),
    live: { pollMs: 2 ** 30, wakeUps: false },
    runsJobs: false,
  });
  onTestFinished(() => product.close());
  const query = await connect(product.connection);
  const read = await openOlderFeed(query);
  const received: string[] = [];
  product.ctx.feed.subscribe((events) => received.push(...types(events)));
  await product.ctx.feed.poll();

  // The older server gets the events of this one: of packages, of accounts, and signals.
  const owner = await product.register('owner');
  const pkg = await createPackage(owner);
  await owner.api.notifications.readAll();
  expect(await read()).toEqual([
    { type: 'notification.read', tracking_id: null, user_id: owner.id },
    { type: 'session.started', tracking_id: null, user_id: owner.id },
    { type: 'user.created', tracking_id: null, user_id: owner.id },
    { type: 'package.created', tracking_id: pkg.trackingId, user_id: null },
  ]);
  expect(await read()).toEqual([]);
  await product.ctx.feed.poll();
  received.length = 0;

  // This one gets and stores the events of the older server; signals are not stored.
  const written = await write(query, [
    { ...aboutPackage('delivery.completed', 'Left with Ben Novak'), package_id: pkg.id, owner_id: owner.id },
    { ...aboutAccount('user.changed'), user_id: owner.id },
    { ...aboutAccount('notification.created'), user_id: owner.id },
  ]);
  expect(types(written)).toEqual(['delivery.completed', 'user.changed', 'notification.created']);
  await product.ctx.feed.poll();
  expect(received).toEqual(['delivery.completed', 'user.changed', 'notification.created']);
  expect(types(await read()).toSorted()).toEqual(['delivery.completed', 'notification.created', 'user.changed']);
  const timeline = await owner.api.packages.events({ params: { id: pkg.id } });
  expect(timeline.items.map(({ type, note }) => [type, note])).toEqual([
    ['delivery.completed', 'Left with Ben Novak'],
    ['package.created', null],
  ]);
  expect(await query("select from package_events where type like 'notification.%'")).toEqual([]);
  expect(await query("select from account_events where type like 'notification.%' or type like 'session.%'")).toEqual(
    [],
  );

  // Its jobs and screens find both by their ids, each once.
  for (const { id, type } of written.slice(0, 2))
    expect(types(await query<{ type: string }>('select type from events where id = $1', [id]))).toEqual([type]);
  const events = 'select type, status, note, changes, shown from events where package_id = $1 order by id desc';
  expect(types(await query<{ type: string }>(events, [pkg.id]))).toEqual(['delivery.completed', 'package.created']);

  // It can erase recipients from the history, and reset transaction ids of another PostgreSQL server.
  await query("update events set note = null where package_id = any($1) and type = 'delivery.completed'", [[pkg.id]]);
  expect((await owner.api.packages.events({ params: { id: pkg.id } })).items[0]?.note).toBeNull();
  const elsewhere = 'select id from events where xid >= pg_snapshot_xmax(pg_current_snapshot())';
  await query("update outbox set xid = '900000000'");
  await query(`update events set xid = '0' where id in (${elsewhere} limit 10000)`);
  expect(await query(elsewhere)).toEqual([]);
});

/** How version 0.2.0 records a failed attempt, after it has changed the package. */
async function fail(query: Query, { id, number, reason }: { id: string; number: number; reason: string }) {
  await query('begin');
  await query("update packages set status = 'processing', failed_at = now() where id = $1", [id]);
  await query(
    `insert into delivery_attempts (number, package_id, started_at, ended_at, outcome, estimated_delivery_at)
     values ($2, $1, now(), now(), 'failed', now())`,
    [id, number],
  );
  await write(query, [{ ...aboutPackage('delivery.failed', reason), package_id: id }]);
  await query('commit');
}

test('during a rolling update attempts that fail on a server of version 0.2.0 have their reasons, and lose what it redacts', async () => {
  const product = await openTestProduct({ connection: await createUpgradingDatabase(), runsJobs: false });
  onTestFinished(() => product.close());
  const query = await connect(product.connection);
  const owner = await product.register('owner');
  const { id } = await createPackage(owner);
  const reasons = async () =>
    (await owner.api.packages.attempts({ params: { id } })).map(({ number, reason }) => [number, reason]);
  await fail(query, { id, number: 1, reason: 'Nobody home' });
  await fail(query, { id, number: 2, reason: 'Ask Ben Novak' });
  expect(await reasons()).toEqual([
    [2, 'Ask Ben Novak'],
    [1, 'Nobody home'],
  ]);
  await query("update events set note = replace(note, 'Ben Novak', 'Removed') where package_id = $1", [id]);
  expect(await reasons()).toEqual([
    [2, 'Ask Removed'],
    [1, 'Nobody home'],
  ]);
  const pkg = await owner.api.packages.read({ params: { id } });
  expect(pkg.failedAttempt).toMatchObject({ reason: 'Ask Removed' });
});

test('attempts from before have the reasons of their events', async () => {
  const connection = await createDatabase();
  const before = names.slice(
    0,
    names.findIndex((name) => name.endsWith('_attempt_reasons.sql')),
  );
  await inTransaction(connection, async (client) => {
    await migrateWithin(client, before);
    await client.query(`set local session_replication_role = replica`);
    // More than one batch; the first attempt of each package has failed, the second was completed, the third has failed without a reason.
    await client.query(`with package as (select gen_random_uuid() as id from generate_series(1, 2000)),
      attempt as (select id, number, (array['failed', 'completed', 'failed', 'failed'])[number] as outcome
        from package cross join generate_series(1, 4) number order by number, id),
      inserted as (
        insert into delivery_attempts (package_id, number, started_at, ended_at, outcome, estimated_delivery_at)
        select id, number, now(), now(), outcome, now() from attempt)
      insert into package_events (package_id, type, at, note)
      select id, 'delivery.' || outcome, now(), case when number <> 3 then concat(outcome, ' ', number, ' ', id) end from attempt`);
  });
  const query = await connect(connection);
  await migrate(connection, () => {});
  expect(
    await query(
      `select number, count(*)::int, count(reason)::int as reasons,
         count(*) filter (where reason = concat('failed ', number, ' ', package_id))::int as own
       from delivery_attempts group by 1 order by 1`,
    ),
  ).toEqual([
    { number: 1, count: 2000, reasons: 2000, own: 2000 },
    { number: 2, count: 2000, reasons: 0, own: 0 },
    { number: 3, count: 2000, reasons: 0, own: 0 },
    { number: 4, count: 2000, reasons: 2000, own: 2000 },
  ]);
});
