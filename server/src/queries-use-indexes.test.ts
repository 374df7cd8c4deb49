import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobName } from './events/event-jobs.ts';
import { openEventFeed } from './events/outbox.ts';
import { routeChangesSince } from './events/route-changes.ts';
import { jobs } from './jobs.ts';
import { claimMessages } from './notifications/message-queries.ts';
import { recountWaiting } from './packages/waiting-counts.ts';
import { planForValues, type Queryable, type Tx } from './platform/database/db.ts';
import { findRecipients } from './privacy/persons-queries.ts';
import { openSessions } from './users/sessions.ts';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from './testing/test-product.ts';
import { openLookup } from './tracking/queries.ts';

interface Statement {
  sql: string;
  params: unknown[];
}

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
let client: pg.Client;
let packageId: string;
let trackingId: string;
let deliveredId: string;
let waitingId: string;
let recorded: Statement[] = [];

/** Forwards statements to the database and records them. */
const recording = (on: Queryable): Queryable => ({
  query: (sql, params) => {
    recorded.push({ sql, params: params ?? [] });
    return on.query(sql, params);
  },
});

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
  client = new pg.Client(product.connection);
  await client.connect();
  await fill();
  // In the middle of the random IDs: few packages come after a cursor near the end, which are rightly read by other indexes.
  const [own] = (
    await client.query<{ id: string; tracking_id: string }>(
      'select id, tracking_id from packages where owner_id = $1 order by id offset 500 limit 1',
      [owner.id],
    )
  ).rows;
  packageId = own?.id ?? '';
  trackingId = own?.tracking_id ?? '';
  const [delivered] = (
    await client.query<{ id: string }>(
      "select id from packages where driver_id = $1 and status = 'delivered' limit 1",
      [driver.id],
    )
  ).rows;
  deliveredId = delivered?.id ?? '';
  const [waiting] = (
    await client.query<{ id: string }>(
      "select id from packages where status = 'processing' order by eta, id offset 2000 limit 1",
    )
  ).rows;
  waitingId = waiting?.id ?? '';
  const { db } = product.ctx;
  const { query } = recording(db);
  product.ctx.db = {
    ...db,
    query,
    transaction: (work) => db.transaction((tx) => work({ ...tx, ...recording(tx) } satisfies Tx)),
    snapshot: (read) => db.snapshot((snapshot) => read(recording(snapshot))),
  };
  product.ctx.reads = product.ctx.db;
  const { longRunning } = product.ctx;
  product.ctx.longRunning = {
    ...longRunning,
    streamRows: (sql, params, signal) => {
      recorded.push({ sql, params });
      return longRunning.streamRows(sql, params, signal);
    },
  };
}, 240_000);
afterAll(async () => {
  await client.end();
  await product.close();
});

/** Drops the indexes of these tables but for those of constraints. @returns what builds them again: at the end, that is faster */
async function dropIndexes(...tables: string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::text[]::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  await client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

/**
 * 100,000 packages of 1,000 owners and 100 drivers, 5 % pending and 1 % in transit, with 200,000 events. Our owner has 1,000 packages;
 * our driver has delivered 1,000, all of them rated, and has 20 in transit.
 */
async function fill(): Promise<void> {
  // Building these indexes afterwards takes a second, maintaining them row by row ten.
  const { rows: parts } = await client.query<{ index: string; definition: string }>(
    "select indexname as index, indexdef as definition from pg_indexes where indexname like 'package\\_search\\_%\\_numbers'",
  );
  await client.query(`drop index package_search_text, ${parts.map(({ index }) => index).join(', ')}`);
  // Skips the check of 400,000 foreign keys.
  await client.query('set session_replication_role = replica');
  // Freezes the statistics. A later autovacuum would include rows that the tests add (the administrator's many contact views are the
  // newest), and rightly lead to other plans.
  const { rows: tables } = await client.query<{ name: string }>(
    "select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace",
  );
  for (const { name } of tables) await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
  await client.query(`
    insert into users (id, name, email, password_hash, role, status)
      select gen_random_uuid(), 'User ' || n, 'filled' || n || '@example.com', 'x', case when n % 11 = 0 then 'driver' else 'owner' end, 'active'
      from generate_series(1, 1100) n;
    insert into sessions (id, user_id, token_hash) select gen_random_uuid(), id, sha256(email::bytea) from users;
  `);
  // 20 routes a day: our driver has those that are planned.
  await client.query(
    `insert into routes (id, day, depot_id, driver_id, state, created_at, updated_at)
     select md5('route ' || n)::uuid, current_date - n / 20, depots.id, case when n % 100 = 1 then $1::uuid end,
       case when n % 100 = 1 then 'planned' else 'finished' end, now(), now()
     from generate_series(0, 1999) n, depots`,
    [driver.id],
  );
  const buildIndexes = await dropIndexes('packages', 'images');
  await client.query(
    `with owners as (select array_agg(id) as ids from users where role = 'owner' and id <> $1),
          drivers as (select array_agg(id) as ids from users where role = 'driver' and id <> $2)
     insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, recipient_contact, address_street, address_postal_code, address_city, eta, status, driver_id,
       route_id, rating_stars, rated_at, location, created_at, updated_at, completed_at)
     select gen_random_uuid(),
       case when n % 100 = 0 then $1::uuid else owners.ids[1 + n % array_length(owners.ids, 1)] end,
       'PKG-' || lpad(upper(to_hex(n)), 8, '0'),
       (array['Lamp', 'Chair', 'Book', 'Violin', 'Cheese'])[1 + n % 5] || ' ' || n, 'A thing to be delivered', 'Other', 1,
       'Person ' || (n * 7919) % 100003, '+49170' || (n * 7919) % 10000019,
       'Street ' || n % 977, lpad((n % 9973)::text, 5, '0'), 'Town',
       current_date + case when n % 5000 = 1 then -2 else 10 end,
       case when n % 20 = 1 then 'processing' when n % 20 = 4 then 'cancelled' when n % 100 = 2 then 'in transit' else 'delivered' end,
       case when n % 20 in (1, 4) then null
         when n % 100 = 5 or n % 5000 = 2 then $2::uuid
         else drivers.ids[1 + n % array_length(drivers.ids, 1)] end,
       case when n % 100 = 1 or n % 10 = 3 then md5('route ' || n % 2000)::uuid end,
       case when n % 10 in (5, 7) then 1 + n / 10 % 5 end, case when n % 10 in (5, 7) then now() end,
       'Depot ' || n % 300, now() - n * interval '1 minute', now() - n * interval '1 minute',
       case when n % 20 not in (1, 4) and n % 100 <> 2 then now() - n * interval '1 minute' end
     from generate_series(1, 100000) n, owners, drivers`,
    [owner.id, driver.id],
  );
  // In separate transactions, as in production: the feed distinguishes events by transaction id.
  for (let batch = 0; batch < 2; batch++) {
    await client.query(`
      insert into package_events (type, at, package_id, status, owner_id)
        select 'package.updated', created_at, id, status, owner_id from packages`);
  }
  await client.query(`
    insert into notifications (id, user_id, event_id, package_id, type, title, body, created_at)
      select gen_random_uuid(), owner_id, id, package_id, type, 'Title', 'Body', at from package_events where owner_id is not null limit 10000;
    insert into notification_deliveries (id, channel, event_id, type, at, package_id, user_id, notification_id, state)
      select id, 'in-app', event_id, type, created_at, package_id, user_id, id, 'delivered' from notifications;
    insert into messages (id, at, channel, event_id, type, kind, audience, parameters, package_id, user_id, address, language, state, ends_at)
      select gen_random_uuid(), created_at, 'email', event_id, type, type, 'owner', '{}', package_id, user_id, 'a@example.com', 'en', 'sent', created_at
      from notifications`);
  await client.query(`
    insert into delivery_attempts (package_id, number, driver_id, owner_id, route_id, town, day, started_at, estimated_delivery_at, ended_at, outcome, due_at)
      select id, 1, driver_id, owner_id, route_id, 'Town ' || n % 300, (updated_at at time zone 'UTC')::date,
        updated_at - interval '1 hour', updated_at, updated_at, 'completed',
        updated_at + case when hashtext(tracking_id) % 30 = 0 then -1 else 1 end * interval '1 hour'
      from (select *, row_number() over () as n from packages where status = 'delivered') delivered`);
  // As if the days before the last had all been summed, for years.
  await client.query(`
    insert into attempt_sums
      select by, current_date - ago, 'key ' || n, 1, 0, 1, 1, 1, 1000, 1, 0, 0, 1000, 0
      from unnest(array['driver', 'owner', 'town', 'depot', 'route']) as by, generate_series(1, 1000) ago, generate_series(1, 20) n;
    insert into attempt_sums select 'all', current_date - ago, '', 20, 0, 20, 20, 20, 20000, 20, 0, 0, 20000, 0 from generate_series(1, 1000) ago;
    insert into attempt_sum_spans
      select by, days, current_date - ago * days, 'key ' || n, days, 0, days, days, days, days * 1000, days, 0, 0, days * 1000, 0
      from unnest(array['driver', 'owner', 'town', 'depot']) as by, unnest(array[4, 16, 64]) as days, generate_series(0, 1000 / days) ago, generate_series(1, 20) n`);
  await client.query('insert into attempt_sums_stale values (current_date)');
  // One package of five has an incident, most of them resolved.
  await client.query(`
    insert into incidents (id, package_id, reporter_id, type, status, description, created_at, updated_at)
      select gen_random_uuid(), id, owner_id, 'Delay', case when hashtext(tracking_id) % 200 = 0 then 'Open' else 'Resolved' end, 'It is late', created_at, created_at from packages
      where hashtext(tracking_id) % 5 = 0;
  `);
  await client.query(
    'insert into package_search select owner_id, id, package_search_text(packages), phone_digits(recipient_contact) from packages',
  );
  await client.query(
    `insert into public_views (tracking_id, package_id, view)
       select tracking_id, id, '{"trackingId":"' || tracking_id || repeat('x', 600) from packages on conflict do nothing`,
  );
  await client.query('create index package_search_text on package_search using gin (owner_id, text gin_trgm_ops)');
  for (const { definition } of parts) await client.query(definition);
  await client.query('select recount_inventory()');
  await client.query(
    'insert into owner_counts select owner_id, status, count(*) from packages group by 1, 2 on conflict (owner_id, status) do update set packages = excluded.packages',
  );
  await recountWaiting(client);
  await client.query(`
    insert into audit (id, at, act, actor_id, subject_id, details, previous_hash, hash)
      select 1000 + n, now(), (array['contact.viewed', 'session.started', 'session.refused', 'user.changed', 'users.exported'])[1 + n % 5], ids[1 + n % 1000], ids[1 + n % 1000], '{}', '', ''
      from generate_series(1, 20000) n, (select array_agg(id) as ids from users) people;
    insert into contact_views (package_id, viewer_id, hour)
      select p.id, ids[1 + n % 1000], now() - n * interval '1 hour'
      from generate_series(1, 20000) n, (select array_agg(id) as ids from users) people,
        lateral (select id from packages offset n % 50 limit 1) p;
    insert into route_changes (xid, route_id) select n::text::xid8, gen_random_uuid() from generate_series(1, 20000) n;
    insert into contact_messages (name, email, message, digest, status, created_at, resolved_at)
      select 'Visitor', 'visitor@example.com', 'Question ' || n, sha256(n::text::bytea), 'Resolved', now(), now()
      from generate_series(1, 20000) n`);
  await client.query(
    `insert into images (name, owner_id, type, size, folder, state, package_id, position)
       select id || '.png', owner_id, 'image/png', 1, 'packages', 'attached', id, 1 from packages
     union all
       select 'unused-' || n, $1, 'image/png', 1, null, 'uploading', null, null from generate_series(1, 500) n`,
    [owner.id],
  );
  await client.query(
    `update packages set place_lon = 6 + abs(hashtext(tracking_id) % 90000) / 10000.0, place_lat = 47 + abs(hashtext('lat' || tracking_id) % 80000) / 10000.0,
       place_accuracy = 'rooftop', place_source = 'gazetteer', reference = 'ref-' || tracking_id where status in ('processing', 'in transit', 'out for delivery')`,
  );
  await buildIndexes();
  // One shift per driver and day, for a month.
  await client.query(`
    insert into shifts (id, driver_id, starts_at, ends_at, created_at, updated_at)
      select gen_random_uuid(), u.id, day, day + interval '8 hours', now(), now()
      from users u, generate_series(now() - interval '20 days', now() + interval '10 days', interval '1 day') day
      where u.role = 'driver'`);
  await client.query(
    'vacuum (analyze) users, routes, attempt_sums, attempt_sum_spans, attempt_sums_stale, sessions, packages, images, delivery_attempts, package_search, public_views, package_events, incidents, notifications, notification_deliveries, messages, shifts, inventory, inventory_changes, waiting_counts, waiting_totals, waiting_by_owner, waiting_by_weight, waiting_by_attempts, waiting_by_owner_and_weight, waiting_by_owner_and_window, waiting_by_weight_and_window, waiting_changes, owner_counts, owner_count_changes, audit, contact_views, contact_messages, route_changes',
  );
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`);
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`);
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
};

let prepared = 0;

/** The final plan of a statement: after five runs of a prepared statement PostgreSQL may choose a generic plan. Some statements are never prepared. */
async function planOf({ sql, params }: Statement): Promise<Plan[]> {
  const name = `hot${prepared++}`;
  await client.query(
    `set plan_cache_mode = ${sql.includes(' like ') || sql.includes(planForValues) ? 'force_custom_plan' : 'auto'}`,
  );
  const call = `execute ${name}${params.length > 0 ? `(${params.map(literal).join(', ')})` : ''}`;
  await client.query(`prepare ${name} as ${sql}`);
  // `explain` counts as a run, without the work of one.
  for (let run = 0; run < 6; run++) await client.query(`explain ${call}`);
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${call}`);
  return rows[0]?.['QUERY PLAN'].flatMap(({ Plan: plan }) => flatten(plan)) ?? [];
}

/** Whether its plan is kept, so that it is not planned for each execution. */
async function isPlanKept({ sql, params }: Statement): Promise<boolean> {
  const name = `hot${prepared++}`;
  await client.query(`set plan_cache_mode = auto; prepare ${name} as ${sql}`);
  const call = `explain execute ${name}${params.length > 0 ? `(${params.map(literal).join(', ')})` : ''}`;
  for (let run = 0; run < 7; run++) await client.query(call);
  const { rows } = await client.query<{ kept: boolean }>(
    'select generic_plans > 0 as kept from pg_prepared_statements where name = $1',
    [name],
  );
  return rows[0]?.kept === true;
}

const largeTables = new Set([
  'packages',
  'images',
  'package_events',
  'account_events',
  'outbox',
  'users',
  'sessions',
  'incidents',
  'notifications',
  'notification_deliveries',
  'messages',
  'shifts',
  'attempt_sums',
  'attempt_sum_spans',
  'audit',
  'public_views',
  'contact_views',
  'contact_messages',
  'route_changes',
]);

/** @param scanned tables for which a sequential scan is acceptable */
async function expectIndexes(statements: Statement[], wanted: string[], scanned: string[] = []): Promise<void> {
  const plans: Plan[] = [];
  for (const statement of statements) plans.push(...(await planOf(statement)));
  // Partitions and their indexes count as their table's. A sequential scan of one with few rows is acceptable.
  const roots = new Map(
    (
      await client.query<{ name: string; root: string; rows: number }>(
        `select c.relname as name, r.relname as root, c.reltuples as rows
         from pg_class c join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid) where c.relkind in ('r', 'i')`,
      )
    ).rows.map(({ name, ...of }) => [name, of]),
  );
  // Those of the search table are built for each partition by itself.
  const partOf = (index: string) =>
    (roots.get(index)?.root ?? index).replace(
      /^package_search_\d+_(?:owner_id_)?(text(?=_idx)|numbers|pkey)(?:_idx)?$/,
      'package_search_$1',
    );
  const used = new Set(plans.flatMap((plan) => (plan['Index Name'] === undefined ? [] : [partOf(plan['Index Name'])])));
  expect([...used]).toEqual(expect.arrayContaining(wanted));
  const sequential = plans.flatMap((plan) => {
    const { root, rows = 0 } = roots.get(plan['Relation Name'] ?? '') ?? {};
    return plan['Node Type'] !== 'Seq Scan' || root === undefined || (root !== plan['Relation Name'] && rows < 1000)
      ? []
      : [root];
  });
  expect(sequential.filter((table) => largeTables.has(table) && !scanned.includes(table))).toEqual([]);
}

/** The statements of one request, without authentication, audit entries and contact views. */
async function statementsOf(call: () => Promise<unknown>): Promise<Statement[]> {
  recorded = [];
  await call();
  return recorded.filter(({ sql }) => !/from sessions|insert into audit|insert into contact_views|advisory/.test(sql));
}

/** Runs the jobs about a package, which has a recipient to tell. */
async function runJobsAbout(packageId: string): Promise<void> {
  const { rows } = await client.query<{ id: string; name: JobName; payload: object }>(
    'select id, name, data as payload from jobs.job where data::text like $1 order by created_on',
    [`%${packageId}%`],
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['notify-owner', 'tell-recipients']));
  for (const { name, ...run } of rows) await jobs(product.ctx)[name]([{ ...run, attempt: 1, isLast: false }]);
}

describe('on 100,000 packages the hot statements use their indexes', () => {
  test('authentication', async () => {
    recorded = [];
    // With an empty session cache.
    await openSessions(product.ctx.db).find(owner.token);
    await expectIndexes(recorded.slice(0, 1), ['sessions_token_hash_key', 'users_pkey']);
  });

  test('a person among all recipients', async () => {
    recorded = [];
    const longRunning = {
      async *streamRows(sql: string, params: unknown[]) {
        recorded.push({ sql, params });
        yield [{ ids: [packageId] }];
      },
    };
    for (const q of ['Quillfeather', '+49 151 555 12345'])
      await findRecipients({ longRunning } as never, q, null, AbortSignal.timeout(1000));
    await expectIndexes(recorded, ['package_search_text', 'packages_persons', 'packages_pkey']);
    // Words of all addresses: the newest packages are read.
    recorded = [];
    await findRecipients({ longRunning } as never, 'town', null, AbortSignal.timeout(1000), {
      candidates: 0,
      read: 10_000,
    });
    await expectIndexes(recorded.slice(1), ['packages_pkey']);
  });

  test('the public view', async () => {
    recorded = [];
    const lookup = openLookup(recording({ query: (sql, params) => product.ctx.db.query(sql, params) }), {
      recipient: async () => 'full',
      withheldBefore: () => new Date(),
      arrivals: { now: () => new Date(), msPerStop: 600_000 },
    });
    expect(await lookup.find(trackingId)).toContain(trackingId);
    await expectIndexes(recorded.slice(0, 1), ['public_views_pkey']);
    recorded = [];
    await lookup.find('PKG-UNKNOWN0');
    await expectIndexes(recorded, ['public_views_pkey', 'packages_tracking_id_key']);
    await client.query('delete from public_views where tracking_id = $1', [trackingId]);
    recorded = [];
    expect(await lookup.find(trackingId)).toContain(trackingId);
    await expectIndexes(recorded, ['public_views_pkey', 'packages_tracking_id_key', 'package_events_pkey']);
  });

  test('the changes of routes', async () => {
    const [snapshot] = (await client.query<{ seen: string }>('select pg_current_snapshot()::text as seen')).rows;
    await expectIndexes(
      [{ sql: `select ${routeChangesSince('$1')}`, params: [snapshot?.seen] }],
      ['route_changes_pkey'],
    );
  });

  test('what reads and changes a package, and its jobs, search the events of one month', async () => {
    const [sender, carrier] = [await product.register('owner'), await product.register('driver')];
    recorded = [];
    const { id } = await createPackage(sender, { recipientEmail: 'anna@example.com' });
    const at = { params: { id } };
    await carrier.api.deliveries.start(at);
    await carrier.api.deliveries.fail({ ...at, body: { reason: 'Nobody home' } });
    await sender.api.packages.update({ ...at, body: { instructions: 'Ring twice' } });
    await sender.api.packages.read(at);
    await sender.api.packages.events(at);
    await sender.api.packages.attempts(at);
    await carrier.api.deliveries.start(at);
    await carrier.api.deliveries.complete({ ...at, body: { receivedBy: 'Anna' } });
    await sender.api.packages.rate({ ...at, body: { stars: 5 } });
    await sender.api.deliveries.receipt(at);
    await runJobsAbout(id);
    const statements = recorded.filter(({ sql }) => /\b(?:from|join) package_events\b/.test(sql));
    expect(statements.length).toBeGreaterThan(10);
    for (const statement of statements) {
      const read = (await planOf(statement)).flatMap((plan) => plan['Relation Name'] ?? []);
      expect([statement.sql, new Set(read.filter((name) => name.startsWith('package_events_'))).size]).toEqual([
        statement.sql,
        1,
      ]);
    }
  });

  test('a step of a delivery, its jobs and the claim of its messages keep their plans', async () => {
    const [sender, carrier] = [await product.register('owner'), await product.register('driver')];
    await sender.api.notifications.setPreferences({ body: { email: [{ kind: 'delivery.completed', on: true }] } });
    const { id } = await createPackage(sender, { recipientEmail: 'anna@example.com' });
    const at = { params: { id } };
    recorded = [];
    await carrier.api.deliveries.start(at);
    await carrier.api.deliveries.next(at);
    await carrier.api.deliveries.arrive(at);
    await carrier.api.deliveries.complete({ ...at, body: { receivedBy: 'Anna' } });
    await runJobsAbout(id);
    await claimMessages(product.ctx.db, 'email', new Date(), 10, { lease: randomUUID(), leaseSeconds: 60 });
    expect(recorded.filter(({ sql }) => /\bmessages m\b/.test(sql)).length).toBeGreaterThan(1);
    // Those that read events are planned for one month of them, since the number of months grows.
    const statements = recorded.filter(({ sql }) => !/\b(?:from|join) package_events\b/.test(sql));
    const planned: string[] = [];
    for (const statement of statements) if (!(await isPlanKept(statement))) planned.push(statement.sql);
    expect(planned).toEqual([]);
  });

  const page = () => ({ params: { id: owner.id } });
  const weekFromNow = () => ({
    from: new Date().toISOString(),
    to: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  });
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const lastDays = (days: number) => ({ from: dayAgo(days - 1), to: dayAgo(0) });
  test.each<{ what: string; call: () => Promise<unknown>; indexes: string[]; scanned?: string[] }>([
    {
      what: 'an owner’s first page',
      call: () => owner.api.packages.listOfUser(page()),
      indexes: ['packages_owner', 'images_of_package'],
    },
    {
      what: 'an owner’s second page',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { cursor: packageId } }),
      indexes: ['packages_owner'],
    },
    {
      what: 'an owner’s status filter',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { status: 'processing' } }),
      indexes: ['packages_owner_status'],
    },
    ...[{}, { byStage: true }, { sort: 'createdAt' as const }].map((query) => ({
      what: `an owner’s packages of several statuses ${JSON.stringify(query)}`,
      call: () =>
        owner.api.packages.listOfUser({ ...page(), query: { status: 'delivered,cancelled', ...query, limit: 10 } }),
      indexes: ['packages_owner_status'],
    })),
    ...[{}, { status: 'out for delivery' }].map((query) => ({
      what: `an owner’s packages on the road by expected arrival ${JSON.stringify(query)}`,
      call: () => owner.api.packages.listOfUser({ ...page(), query: { byStage: true, ...query, limit: 10 } }),
      indexes: ['packages_owner_arriving'],
    })),
    ...(['lastUpdate', '-lastUpdate'] as const).map((sort) => ({
      what: `an owner’s packages by ${sort}`,
      call: () => owner.api.packages.listOfUser({ ...page(), query: { sort } }),
      indexes: ['packages_owner_updated'],
    })),
    {
      what: 'an owner’s packages by status',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { sort: 'status', limit: 10 } }),
      indexes: ['packages_owner_status'],
    },
    {
      what: 'an owner’s packages on the road by due time',
      call: () =>
        owner.api.packages.listOfUser({ ...page(), query: { sort: 'due', status: 'in transit,out for delivery' } }),
      indexes: ['packages_owner_due'],
    },
    {
      what: 'the second page of an owner’s packages by their last update',
      call: async () => {
        const query = { sort: 'lastUpdate' } as const;
        const { next } = await owner.api.packages.listOfUser({ ...page(), query });
        recorded = [];
        return owner.api.packages.listOfUser({ ...page(), query: { ...query, cursor: next ?? '' } });
      },
      indexes: ['packages_owner_updated'],
    },
    {
      what: 'an owner’s search',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { q: 'violin 4' } }),
      indexes: [],
    },
    {
      what: 'an owner’s summary',
      call: () => owner.api.packages.summary(page()),
      indexes: ['notifications_unread', 'owner_counts_pkey'],
    },
    {
      what: 'the figures',
      call: () => admin.api.stats.read(),
      indexes: ['packages_on_the_road', 'incidents_open'],
      scanned: ['users'],
    },
    {
      what: 'what waits for a decision',
      call: () => admin.api.stats.needs(),
      indexes: [
        'incidents_open',
        'packages_due',
        'packages_failed_and_waiting',
        'contact_messages_open',
        'users_status',
      ],
    },
    { what: 'the newest events', call: () => admin.api.stats.latestEvents(), indexes: ['package_events_id'] },
    { what: 'all packages', call: () => admin.api.packages.listAll(), indexes: ['packages_pkey'] },
    {
      what: 'all packages by their last update',
      call: () => admin.api.packages.listAll({ query: { sort: '-lastUpdate' } }),
      indexes: ['packages_updated'],
    },
    {
      what: 'a search for a word in all packages',
      call: () => admin.api.packages.listAll({ query: { q: 'zeppelin' } }),
      indexes: ['package_search_text'],
    },
    {
      what: 'a search for a word and a number in all packages',
      call: () => admin.api.packages.listAll({ query: { q: 'violin 4321' } }),
      indexes: ['package_search_numbers'],
    },
    {
      what: 'a search for a phone number in national format in all packages',
      call: () => admin.api.packages.listAll({ query: { q: '0170 7919' } }),
      indexes: ['package_search_numbers'],
    },
    {
      what: 'a search for a phone number in international format in all packages',
      call: () => admin.api.packages.listAll({ query: { q: '+49 170 7919' } }),
      indexes: ['package_search_numbers'],
    },
    {
      what: 'a search for digits in all packages',
      call: () => admin.api.packages.listAll({ query: { q: '0757527' } }),
      indexes: ['package_search_numbers'],
    },
    {
      what: 'an owner’s search for digits within a phone number',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { q: '70757' } }),
      indexes: ['package_search_numbers', 'packages_pkey'],
    },
    {
      what: 'a driver’s search for a person',
      call: () => driver.api.deliveries.mine({ query: { q: 'person 7919' } }),
      indexes: ['package_search_numbers'],
    },
    {
      what: 'an owner’s search for a common word in a status',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { q: 'lamp', status: 'delivered' } }),
      indexes: ['package_search_pkey', 'packages_pkey'],
    },
    {
      what: 'an owner’s search that matches all of their packages',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { q: 'town' } }),
      indexes: ['package_search_pkey'],
    },
    {
      what: 'all packages with a failed attempt',
      call: () => admin.api.packages.listAll({ query: { failed: true } }),
      indexes: ['packages_failed'],
    },
    {
      what: 'an owner’s packages with a failed attempt',
      call: () => owner.api.packages.listOfUser({ ...page(), query: { failed: true } }),
      indexes: [],
    },
    {
      what: 'overdue packages',
      call: () => admin.api.packages.listAll({ query: { overdue: true } }),
      indexes: ['packages_unfinished'],
    },
    {
      what: 'a driver’s stops in order',
      call: () => driver.api.deliveries.mine({ query: { status: 'in transit', order: 'stops' } }),
      indexes: ['packages_on_the_road'],
    },
    { what: 'pending deliveries', call: () => driver.api.deliveries.pending(), indexes: ['packages_pending'] },
    {
      what: 'pending deliveries by when they are due',
      call: () => driver.api.deliveries.pending({ query: { order: 'due' } }),
      indexes: ['packages_waiting_due'],
    },
    {
      what: 'a later page of pending deliveries by when they are due',
      call: () => driver.api.deliveries.pending({ query: { order: 'due', cursor: waitingId } }),
      indexes: ['packages_waiting_due'],
    },
    {
      what: 'the routes of a day',
      call: () => admin.api.routes.list({ query: { day: new Date().toISOString().slice(0, 10) } }),
      indexes: ['routes_of_day', 'packages_on_route'],
    },
    {
      what: 'a driver’s planned routes',
      call: () => driver.api.routes.mine(),
      indexes: ['routes_of_driver', 'packages_on_route'],
    },
    {
      what: 'the number of waiting deliveries, without the planned ones',
      call: () => driver.api.deliveries.summary(),
      indexes: ['packages_of_routes', 'packages_driver_status'],
    },
    { what: 'a driver’s deliveries', call: () => driver.api.deliveries.mine(), indexes: ['packages_driver'] },
    {
      what: 'a driver’s completed deliveries',
      call: () => driver.api.deliveries.completed(),
      indexes: ['packages_driver_done'],
    },
    {
      what: 'a driver’s deliveries that were completed today',
      call: () => driver.api.deliveries.completed({ query: { from: new Date().toISOString(), count: true } }),
      indexes: ['packages_driver_done'],
    },
    {
      what: 'a driver’s cards',
      call: () => driver.api.deliveries.summary(),
      indexes: ['packages_driver_status'],
    },
    { what: 'an owner’s deliveries', call: () => owner.api.deliveries.ofOwner(), indexes: ['packages_owner'] },
    {
      what: 'a package and its events',
      call: () => owner.api.packages.events({ params: { id: packageId } }),
      indexes: ['packages_pkey', 'package_events_pkey'],
    },
    { what: 'all incidents', call: () => admin.api.incidents.list(), indexes: ['incidents_number'] },
    {
      what: 'an owner’s incidents',
      call: () => owner.api.incidents.list(),
      indexes: ['incidents_reporter', 'incidents_pkey'],
    },
    {
      what: 'a driver’s incidents',
      call: () => driver.api.incidents.list(),
      indexes: ['incidents_reporter', 'incidents_pkey'],
    },
    {
      what: 'the driver of a package, with the average rating',
      call: () => admin.api.deliveries.driverOfPackage({ params: { id: deliveredId } }),
      indexes: ['packages_rated_by_anybody', 'packages_driver_done'],
    },
    {
      what: 'what waits to be planned, by postal code and town',
      call: () => admin.api.dispatch.waiting(),
      indexes: ['packages_of_routes'],
    },
    {
      what: 'what waits in a postal code and town',
      call: () => admin.api.dispatch.waitingPackages({ query: { postalCode: '00001', town: 'Town' } }),
      indexes: ['packages_waiting_in_order'],
    },
    {
      what: 'what waits in the morning of a day, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { window: 'morning', day: '2030-01-01' } }),
      indexes: ['packages_of_routes'],
    },
    {
      what: 'what waits by reference, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { reference: 'ref-PKG-7' } }),
      indexes: ['packages_waiting_referenced'],
    },
    {
      what: 'what failed and waits again, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { attempts: '1' } }),
      indexes: ['waiting_by_attempts_pkey', 'packages_going_back'],
    },
    {
      what: 'what failed twice and waits again, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { attempts: '2' } }),
      indexes: ['packages_failed_and_waiting'],
    },
    {
      what: 'what waits without a failed attempt, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { attempts: '0' } }),
      indexes: ['packages_of_routes', 'packages_going_back'],
    },
    {
      what: 'what waits of an owner, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { ownerId: owner.id } }),
      indexes: ['waiting_by_owner_pkey'],
    },
    {
      what: 'what waits within a kilogram, by postal code and town',
      call: () => admin.api.dispatch.waiting({ query: { weightFrom: '0.2', weightTo: '0.3' } }),
      indexes: ['packages_waiting_by_weight'],
    },
    {
      what: 'the first of all that waits, for a route',
      call: () => admin.api.dispatch.select({ body: { all: true } }),
      indexes: ['packages_waiting_in_order'],
    },
    { what: 'the inventory', call: () => admin.api.inventory.read(), indexes: ['packages_waiting'] },
    {
      what: 'the packages at a place, by status',
      call: () => admin.api.inventory.packages({ query: { place: 'depot 7', status: 'delivered' } }),
      indexes: ['packages_place'],
    },
    {
      what: 'the packages at a place',
      call: () => admin.api.inventory.packages({ query: { place: 'depot 7', count: true } }),
      indexes: ['packages_place'],
    },
    {
      what: 'the packages that wait longest',
      call: () => admin.api.inventory.packages({ query: { status: 'processing' } }),
      indexes: ['packages_waiting'],
    },
    {
      what: 'a week of shifts',
      call: () => admin.api.shifts.list({ query: weekFromNow() }),
      indexes: ['shifts_period'],
    },
    {
      what: 'a driver’s shifts',
      call: () => driver.api.shifts.mine({ query: { limit: 2 } }),
      indexes: ['shifts_driver'],
    },
    { what: 'notifications', call: () => owner.api.notifications.list(), indexes: ['notifications_user'] },
    {
      what: 'the packages behind a day’s figure',
      call: () => admin.api.stats.rows({ query: { figure: 'created', day: '2026-01-01' } }),
      indexes: ['events_created'],
    },
    {
      what: 'the attempts behind a day’s figure',
      call: () => admin.api.stats.rows({ query: { figure: 'completed', day: '2026-01-01' } }),
      indexes: ['delivery_attempts_ended'],
    },
    ...Object.entries({
      late: 'delivery_attempts_late',
      attempts: 'delivery_attempts_ended',
      firstAttempts: 'delivery_attempts_ended',
      ratings: 'package_events_rated',
      openIssues: 'incidents_open',
      resolvedIssues: 'incidents_number',
    } as const).map(([figure, index]) => ({
      what: `the rows behind the figure ${figure}`,
      call: () => admin.api.stats.rows({ query: { figure: figure as 'late' } }),
      indexes: [index],
    })),
    {
      what: 'ninety days of figures',
      call: () => admin.api.stats.performance({ query: { days: '90' } }),
      indexes: ['figures_pkey'],
    },
    ...(['driver', 'owner', 'town', 'depot'] as const).map((by) => ({
      what: `a month of figures by ${by}`,
      call: () => admin.api.stats.breakdown({ query: { by, ...lastDays(30) } }),
      indexes: ['attempt_sums_pkey', 'attempt_sum_spans_pkey', 'attempt_sums_of_key'],
      // The groups are joined with the thousand accounts that there are.
      scanned: ['users', 'routes'],
    })),
    {
      what: 'a month of figures by route',
      call: () => admin.api.stats.breakdown({ query: { by: 'route', ...lastDays(30) } }),
      indexes: ['attempt_sums_pkey', 'attempt_sums_of_key'],
      scanned: ['users', 'routes'],
    },
    {
      what: 'figures by month',
      call: () => admin.api.stats.breakdown({ query: { by: 'month', ...lastDays(30) } }),
      indexes: ['attempt_sums_of_key'],
      scanned: ['routes'],
    },
    {
      what: 'a driver’s own figures',
      call: () => driver.api.stats.own({ query: lastDays(30) }),
      indexes: ['attempt_sums_of_key'],
      scanned: ['routes'],
    },
    {
      what: 'the attempts behind a driver’s figures',
      call: () =>
        admin.api.stats.rows({ query: { figure: 'attempts', by: 'driver', key: driver.id, ...lastDays(30) } }),
      indexes: ['delivery_attempts_ended'],
    },
    {
      what: 'an owner’s export',
      call: () => owner.api.packages.exportOfUser({ params: { id: owner.id } }).then((file) => file.text()),
      indexes: [],
    },
    {
      what: 'sent notifications',
      call: () => admin.api.notifications.sent(),
      indexes: ['notification_deliveries_pkey', 'messages_pkey'],
      // A hash join with a thousand users is faster than a thousand lookups.
      scanned: ['users'],
    },
    {
      what: 'the second page of sent notifications',
      call: () => admin.api.notifications.sent({ query: { cursor: packageId } }),
      indexes: ['notification_deliveries_pkey', 'messages_pkey'],
      scanned: ['users'],
    },
    {
      what: 'failed notifications',
      call: () => admin.api.notifications.sent({ query: { state: 'failed' } }),
      indexes: ['messages_failed'],
      // The recipients of the page, who are joined.
      scanned: ['users'],
    },
    {
      what: 'notifications to a user',
      call: () => admin.api.notifications.sent({ query: { q: owner.email } }),
      indexes: ['notification_deliveries_user', 'messages_user'],
      scanned: ['users'],
    },
    {
      what: 'notifications to very many users',
      call: () => admin.api.notifications.sent({ query: { q: 'user' } }),
      indexes: ['notification_deliveries_pkey', 'messages_pkey'],
      scanned: ['users'],
    },
    {
      what: 'a rare kind of notification, with the count',
      call: () => admin.api.notifications.sent({ query: { kind: 'password.reset-requested', count: true } }),
      indexes: ['notification_deliveries_type', 'messages_type'],
      // The recipients of a page of 51, who are joined.
      scanned: ['users'],
    },
    {
      what: 'the notifications since yesterday, with the count',
      call: () =>
        admin.api.notifications.sent({
          query: { from: new Date(Date.now() - 86_400_000).toISOString(), count: true },
        }),
      indexes: ['notification_deliveries_at', 'messages_at'],
      scanned: ['users'],
    },
    { what: 'messages', call: () => admin.api.contact.list(), indexes: ['contact_messages_pkey'] },
    { what: 'the audit log', call: () => admin.api.audit.list(), indexes: ['audit_pkey'] },
    {
      what: 'the audit log by actor',
      call: () => admin.api.audit.list({ query: { actor: admin.id } }),
      indexes: ['audit_actor'],
    },
    {
      what: 'the audit log by subject',
      call: () => admin.api.audit.list({ query: { subject: packageId } }),
      indexes: ['audit_subject'],
    },
    {
      what: 'the audit log by person',
      call: () => admin.api.audit.list({ query: { person: admin.id } }),
      indexes: ['audit_actor', 'audit_subject'],
    },
    {
      what: 'contact views',
      call: () => admin.api.audit.contactViews(),
      indexes: ['contact_views_pkey'],
    },
    {
      what: 'contact views by package',
      call: () => admin.api.audit.contactViews({ query: { package: packageId } }),
      indexes: ['contact_views_package_id_viewer_id_hour_key'],
    },
    {
      what: 'contact views by viewer',
      call: () => admin.api.audit.contactViews({ query: { person: admin.id } }),
      indexes: ['contact_views_viewer'],
    },
    { what: 'the audit log by act', call: () => admin.api.audit.list({ query: { act: 'user.changed' } }), indexes: [] },
    { what: 'users', call: () => admin.api.users.list(), indexes: ['users_pkey'] },
    ...Object.entries({
      name: 'users_name',
      '-email': 'users_email_key',
      lastLogin: 'users_last_login',
      role: 'users_role',
      '-status': 'users_status',
    } as const).map(([sort, index]) => ({
      what: `users by ${sort}`,
      call: () => admin.api.users.list({ query: { sort: sort as 'name', limit: 20 } }),
      indexes: [index],
    })),
    {
      what: 'available packages',
      call: () => driver.api.deliveries.available({ query: { cursor: packageId } }),
      indexes: ['packages_pending'],
    },
    {
      what: 'the unfinished packages in a part of the map',
      call: () => admin.api.dispatch.map({ query: { bbox: '9.9,53.4,10.1,53.6' } }),
      indexes: ['packages_shown_on_map'],
    },
    {
      what: 'the unfinished packages nearest to a place',
      call: () => admin.api.dispatch.map({ query: { near: '9.99,53.55' } }),
      indexes: ['packages_shown_on_map'],
    },
    {
      what: 'unread notifications',
      call: () => owner.api.notifications.list({ query: { unread: true } }),
      indexes: [],
    },
  ])('$what', async ({ call, indexes, scanned }) => {
    await expectIndexes(await statementsOf(call), indexes, scanned);
  });

  test('a full view of the map is read from its index alone', async () => {
    const statements = await statementsOf(() => admin.api.dispatch.map({ query: { bbox: '5,46,16,56' } }));
    const plans = (await Promise.all(statements.map(planOf))).flat();
    expect(plans.map((plan) => [plan['Node Type'], plan['Index Name']])).toContainEqual([
      'Index Only Scan',
      'packages_shown_on_map',
    ]);
  });

  test('a count stops at 10,000 and says so, and is exact below and where counts are kept', async () => {
    const counted = async (list: Promise<{ total: number | null; isCapped: boolean }>) => {
      const { total, isCapped } = await list;
      return [total, isCapped];
    };
    const query = { count: true, limit: 1 };
    const all = (await client.query('select from packages')).rowCount;
    expect(await counted(admin.api.packages.listAll({ query }))).toEqual([all, false]);
    const since = { ...query, from: '2020-01-01' };
    expect(await counted(admin.api.packages.listAll({ query: since }))).toEqual([10_000, true]);
    expect(await counted(owner.api.packages.listOfUser({ params: { id: owner.id }, query }))).toEqual([1_000, false]);
    expect(await counted(owner.api.notifications.list({ query: { ...query, unread: true } }))).toEqual([
      (await client.query('select from notifications where user_id = $1 and read_at is null', [owner.id])).rowCount,
      false,
    ]);
  });

  test('the poll of the outbox', async () => {
    recorded = [];
    const feed = openEventFeed({
      ...recording({ query: (sql, params) => product.ctx.db.query(sql, params) }),
      pool: new pg.Pool(),
      close: async () => {},
    });
    await feed.poll();
    await owner.api.notifications.readAll();
    recorded = [];
    await feed.poll();
    await expectIndexes(recorded.slice(0, 1), ['outbox_xid']);
  });
});
