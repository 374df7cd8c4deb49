import { ApiError } from '@waybill/contract';
import fc from 'fast-check';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../platform/database/db.ts';
import { rollUpInventory } from '../inventory/service.ts';
import { purge } from '../privacy/retention.ts';
import { cloneDatabase, createUpgradingDatabase } from '../testing/postgres.ts';
import {
  createPackage,
  openTestProduct,
  packageInput,
  untilJobsDone,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { composeViews, openLookup } from '../tracking/service.ts';
import { rebuildOn } from '../cli/rebuild.ts';
import { checkFigures, checkSample } from './rebuild.ts';
import { contentHash as content } from './content-queries.ts';
import { rollUpOwnerCounts } from './owner-counts.ts';
import { rollUpWaiting } from './waiting-counts.ts';
import { storeStaleViews } from './stored-views.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let admin: TestUser;
let drivers: TestUser[];
let time = Date.parse('2025-03-01T08:00:00.000Z');

async function open(connection?: Connection): Promise<void> {
  const config = { RETENTION_RECIPIENT_DAYS: '30' };
  product = await openTestProduct({ now: () => new Date(time), config, ...(connection && { connection }) });
  onTestFinished(() => product.close());
  admin = await product.register('admin');
  drivers = [await product.register('driver'), await product.register('driver')];
}

const sql = <Row extends object>(text: string, params?: unknown[]) => product.ctx.db.query<Row>(text, params);

test('no trigger is on packages: whatever writes them writes what is derived from them', async () => {
  await open();
  const triggers = await sql("select tgname from pg_trigger where tgrelid = 'packages'::regclass and not tgisinternal");
  expect(triggers).toEqual([]);
});

/** The writes of packages, and how often each comes. */
const acts = {
  create: 2,
  'create together': 1,
  import: 1,
  edit: 2,
  move: 1,
  place: 1,
  scan: 1,
  plan: 4,
  'take off': 1,
  'start route': 3,
  'finish route': 3,
  start: 4,
  assign: 1,
  next: 3,
  arrive: 3,
  retract: 2,
  'report location': 2,
  complete: 5,
  fail: 4,
  choose: 4,
  collect: 2,
  reopen: 3,
  rate: 3,
  cancel: 1,
  delete: 1,
  'roll up': 2,
  purge: 1,
  'delete owner': 1,
} as const;
type Act = keyof typeof acts;

interface Step {
  act: Act;
  which: number;
  text: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.oneof(...Object.entries(acts).map(([act, weight]) => ({ arbitrary: fc.constant(act as Act), weight }))),
  which: fc.nat(30),
  text: fc.constantFrom('Riverton', '  Riverton ', 'riverton', 'Mühlstr. 7', '"quoted" \\ text', 'Anna Berg'),
});

const csv = (rows: string[]) =>
  `name,description,category,weight,recipientName,recipientContact,location\n${rows.join('\n')}\n`;

/** Packages created by imports. */
let imported = 0;

interface World {
  owners: TestUser[];
  ids: { id: string; trackingId: string; owner: TestUser }[];
  routes: string[];
}

/** How often each act was not refused. */
const performed = new Map<Act, number>();

async function perform({ act, which, text }: Step, world: World): Promise<void> {
  time += 60_000;
  const owner = world.owners[which % world.owners.length] as TestUser;
  const driver = drivers[which % drivers.length] as TestUser;
  // The newest ones, else most of what comes is refused.
  const pkg = world.ids.at(-1 - (which % Math.min(5, Math.max(1, world.ids.length))));
  const add = ({ id, trackingId }: { id: string; trackingId: string }) => world.ids.push({ id, trackingId, owner });
  if (act === 'create' || !pkg) {
    const reference = which % 3 === 0 ? `${text} ${which}` : null;
    return unlessRefused(act, async () => add(await createPackage(owner, { location: text, reference })));
  }
  const params = { id: pkg.id };
  const depot = async () => (await admin.api.depots.list())[0]?.id ?? '';
  const route = { id: world.routes.at(-1 - (which % 3)) ?? uuid() };
  const carrier = async () => {
    const { driverId } = await admin.api.packages.read({ params });
    return (drivers.find((one) => one.id === driverId) ?? driver).api.deliveries;
  };
  const steps: Record<Exclude<Act, 'create'>, () => Promise<unknown>> = {
    'create together': async () => {
      const inputs = Array.from({ length: 5 }, (_, n) => packageInput({ name: `${text} ${n}`, location: text }));
      (await Promise.all(inputs.map((body) => owner.api.packages.create({ body })))).forEach(add);
    },
    import: async () => {
      const rows = Array.from(
        { length: 4 },
        (_, n) => `Lamp ${which} ${n},A lamp for the desk,Other,1,Anna Berg,+49 170 ${n}1234,Hall ${n % 2}`,
      );
      const report = await owner.api.packages.import({ body: csv([...rows, 'no weight,x,Other,,Anna,1,']) });
      imported += report.created;
    },
    edit: () =>
      pkg.owner.api.packages.update({
        params,
        body: {
          showSender: which % 2 === 0,
          hideRecipient: which % 5 === 0,
          name: text,
          recipientName: text,
          recipientContact: `+49 170 ${1_000_000 + which}`,
          ...(which % 2 === 0 && { reference: which % 4 === 0 ? null : `${text} ${which % 7}` }),
        },
      }),
    move: () => pkg.owner.api.packages.update({ params, body: { location: text } }),
    start: () => driver.api.deliveries.start({ params }),
    next: async () => (await carrier()).next({ params }),
    complete: async () => (await carrier()).complete({ params, body: { receivedBy: text } }),
    fail: async () => (await carrier()).fail({ params, body: { reason: 'Nobody home', location: text } }),
    assign: () => admin.api.deliveries.assign({ params, body: { driverId: driver.id } }),
    cancel: () => pkg.owner.api.packages.update({ params, body: { status: 'cancelled' } }),
    delete: () => admin.api.packages.update({ params, body: { status: 'inactive' } }),
    rate: () => pkg.owner.api.packages.rate({ params, body: { stars: 4, comment: text } }),
    purge: () => {
      // The retention of recipients is over for whatever was delivered until now.
      time += 31 * 86_400_000;
      return purge(product.ctx);
    },
    'delete owner': async () => {
      await admin.api.users.remove({ params: { id: owner.id } });
      await untilJobsDone(product);
      world.owners[which % world.owners.length] = await product.register('owner', 'Anna Berg');
    },
    'roll up': () =>
      Promise.all([rollUpInventory, rollUpOwnerCounts, rollUpWaiting].map((rollUp) => rollUp(product.ctx.db))),
    plan: async () => {
      const day = new Date(time).toISOString().slice(0, 10);
      const body = { day, depotId: await depot(), driverId: driver.id, confirm: true };
      if (world.routes.length === 0 || which % 3 === 0) world.routes.push((await admin.api.routes.create({ body })).id);
      const packageIds = [...new Set([pkg, ...world.ids.slice(-2)].map(({ id }) => id))];
      await admin.api.routes.addStops({ params: { id: world.routes.at(-1) ?? '' }, body: { packageIds } });
    },
    'take off': () => admin.api.routes.move({ params: route, body: { packageIds: [pkg.id], to: null } }),
    'start route': () => admin.api.routes.start({ params: route, body: { missing: [] } }),
    'finish route': () => admin.api.routes.finish({ params: route, body: { returned: [] } }),
    arrive: async () => (await carrier()).arrive({ params, body: {} }),
    retract: async () => (await carrier()).retract({ params }),
    'report location': async () => (await carrier()).reportLocation({ params, body: { location: text } }),
    choose: () => {
      const kind = (['again', 'collect', 'return'] as const)[which % 3] ?? 'again';
      return pkg.owner.api.packages.chooseNextStep({ params, body: { kind } });
    },
    collect: () => admin.api.deliveries.collected({ params }),
    reopen: () => admin.api.deliveries.reopen({ params, body: { reason: text } }),
    place: () => admin.api.packages.setPlace({ params, body: { lon: 10 + which / 100, lat: 53.5 } }),
    scan: async () =>
      admin.api.routes.receive({ params: { id: await depot() }, body: { trackingIds: [pkg.trackingId] } }),
  };
  await unlessRefused(act, steps[act]);
}

/** Refusals are part of any sequence, such as a reference that the owner has used before. */
async function unlessRefused(act: Act, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
    performed.set(act, (performed.get(act) ?? 0) + 1);
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 403, 404, 409, 422].includes(error.status)) throw error;
  }
}

/** The hash of each package's content when it was registered. */
const registered = new Map<string, string>();

async function noteRegistered(): Promise<void> {
  const rows = await sql<{ id: string; hash: string }>(
    `select id, ${content}::text as hash from packages where version = 1`,
  );
  for (const { id, hash } of rows) if (!registered.has(id)) registered.set(id, hash);
}

/** The lookup's answer with each setting and age, in place of which the stored views stand, is what the tables compose. */
async function compareViews(): Promise<void> {
  expect(
    await sql('select tracking_id from packages except select tracking_id from public_views where not stale'),
  ).toEqual([]);
  const ids = (await sql<{ id: string }>('select tracking_id as id from packages')).map(({ id }) => id);
  const arrivals = { now: () => new Date(time), msPerStop: 600_000 };
  for (const recipient of ['full', 'masked', 'hidden'] as const) {
    for (const withheldBefore of [new Date(0), new Date(time - 600_000), new Date(time + 600_000)]) {
      const lookup = openLookup(product.ctx.db, {
        recipient: () => Promise.resolve(recipient),
        withheldBefore: () => withheldBefore,
        arrivals,
      });
      const found = await Promise.all(ids.map(async (id) => [id, await lookup.find(id)] as const));
      expect(new Map(found)).toEqual(await composeViews(product.ctx.db, ids, { recipient, withheldBefore, arrivals }));
    }
  }
}

async function recount(): Promise<void> {
  expect(
    await sql(`select id, s.text, s.phone, package_search_text(p) as right_text from packages p
      full join package_search s on s.owner_id = p.owner_id and s.package_id = p.id
      where (s.text, s.phone) is distinct from (package_search_text(p), phone_digits(p.recipient_contact))`),
  ).toEqual([]);
  expect(
    await sql(`select owner_id, reference, p.id, kept.package_id from (
        select * from packages where reference is not null and status not in ('cancelled', 'inactive')) p
      full join package_references kept using (owner_id, reference) where p.id is distinct from kept.package_id`),
  ).toEqual([]);
  expect(
    await sql(`select location, status, sum(packages) from (
        select coalesce(btrim(location), '') as location, status, count(*) as packages from packages group by 1, 2
        union all select location, status, -packages from inventory union all select location, status, -packages from inventory_changes
      ) kept group by 1, 2 having sum(packages) <> 0`),
  ).toEqual([]);
  expect(
    await sql(`select owner_id, status, sum(packages) from (
        select owner_id, status, count(*) as packages from packages group by 1, 2
        union all select owner_id, status, -packages from owner_counts
        union all select owner_id, status, -packages from owner_count_changes
      ) kept group by 1, 2 having sum(packages) <> 0`),
  ).toEqual([]);
  expect(
    await sql(`select postal_code, city, window_from, eta, sum(packages), sum(kilograms) from (
        select coalesce(address_postal_code, '') as postal_code, coalesce(address_city, '') as city,
          coalesce(window_from, '-infinity') as window_from, coalesce(eta, '-infinity') as eta, count(*) as packages, sum(weight) as kilograms
          from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect' group by 1, 2, 3, 4
        union all select postal_code, city, window_from, eta, -packages, -kilograms from waiting_counts
        union all select postal_code, city, window_from, eta, -packages, -kilograms from waiting_changes
      ) kept group by 1, 2, 3, 4 having sum(packages) <> 0 or sum(kilograms) <> 0`),
  ).toEqual([]);
  expect(
    await sql(`select postal_code, city, has_window, sum(packages), sum(kilograms) from (
        select postal_code, city, window_from > '-infinity' as has_window, packages, kilograms from waiting_counts
        union all select postal_code, city, has_window, -packages, -kilograms from waiting_totals
      ) kept group by 1, 2, 3 having sum(packages) <> 0 or sum(kilograms) <> 0`),
  ).toEqual([]);
  const kilograms = 'floor(weight)::int as whole_kilograms';
  const windowAndEta = `coalesce(window_from, '-infinity') as window_from, coalesce(eta, '-infinity') as eta`;
  for (const [table, columns, counted] of [
    ['waiting_by_owner', 'owner_id', 'owner_id'],
    ['waiting_by_weight', 'whole_kilograms', kilograms],
    ['waiting_by_attempts', 'has_failed', 'failed_at is not null as has_failed'],
    ['waiting_by_owner_and_weight', 'owner_id, whole_kilograms', `owner_id, ${kilograms}`],
    ['waiting_by_owner_and_window', 'owner_id, window_from, eta', `owner_id, ${windowAndEta}`],
    ['waiting_by_weight_and_window', 'whole_kilograms, window_from, eta', `${kilograms}, ${windowAndEta}`],
  ] as const) {
    const key = `${columns}, postal_code, city`;
    expect(
      await sql(`select ${key}, sum(packages), sum(kilograms) from (
          select ${counted}, coalesce(address_postal_code, '') as postal_code, coalesce(address_city, '') as city, 1 as packages, weight as kilograms
            from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect'
          union all select ${key}, -packages, -kilograms from ${table}
          union all select ${key}, -packages, -kilograms from waiting_changes
        ) kept group by ${key} having sum(packages) <> 0 or sum(kilograms) <> 0`),
    ).toEqual([]);
  }
  await compareViews();
  const hashes = await sql<{ id: string; hash: string | null; removed: boolean; kept: boolean }>(
    `select id, coalesce(registered_content, ${content})::text as hash, recipient_removed as removed, registered_content is not null as kept
     from packages`,
  );
  for (const { id, hash, removed, kept } of hashes) {
    if (removed) expect(kept).toBe(false);
    else expect([id, hash]).toEqual([id, registered.get(id)]);
  }
}

const equalARecount = 'search texts, sums, kept counts and registered contents equal a recount';

const databases = { 'in a new database': cloneDatabase, 'during a rolling upgrade': createUpgradingDatabase };

test.each(Object.entries(databases).slice(0, runsAll ? 2 : 1))(
  `%s, after any sequence of writes, ${equalARecount}`,
  async (_when, create) => {
    await open(await create());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120, size: 'max' }), async (steps) => {
        const owners = [await product.register('owner'), await product.register('owner')];
        const world: World = { owners, ids: [], routes: [] };
        for (const one of steps) {
          await perform(one, world);
          await noteRegistered();
        }
        await recount();
      }),
      // No shrinking: a shrunk history would run on top of all earlier ones, so its result would mean nothing.
      { numRuns: runsAll ? 8 : 4, endOnFailure: true, includeErrorInReport: true },
    );
    expect(imported).toBeGreaterThan(0);
    // Else most of them were refused.
    expect(performed.size).toBeGreaterThan(15);
  },
  120_000,
);

test(`after the writes of a server of version 0.2.0, ${equalARecount}`, async () => {
  await open(await createUpgradingDatabase());
  const owner = await product.register('owner');
  const { id } = await createPackage(owner);
  const { id: second } = await createPackage(owner);
  await noteRegistered();
  const older = new pg.Client(product.connection);
  await older.connect();
  onTestFinished(() => older.end());
  await older.query(
    `insert into packages select (jsonb_populate_record(packages, '{"id": "${uuid()}", "tracking_id": "PKG-OLDER123", "reference": "#1"}')).* from packages
     where id = $1`,
    [id],
  );
  await noteRegistered();
  await older.query("update packages set name = 'Lamp of before', version = 2 where id = $1", [id]);
  await older.query("update packages set reference = '#2', version = 2 where id = $1", [second]);
  await older.query("update packages set status = 'cancelled', version = 3 where id = $1", [second]);
  await older.query('update packages set failed_at = now(), version = 3 where id = $1', [id]);
  await older.query(
    "update packages set location = ' Riverton', recipient_contact = '0171 2345', version = 4 where id = $1",
    [id],
  );
  // Until the job has stored them, a lookup composes what the older server changed.
  const track = async () => (await product.api().tracking.view({ params: { id: 'PKG-OLDER123' } })).name;
  expect(await track()).toBe('Desk lamp');
  await older.query("update packages set name = 'Older name', version = 2 where tracking_id = 'PKG-OLDER123'");
  expect(await track()).toBe('Older name');
  expect(await storeStaleViews(product.ctx.db)).toBe(3);
  await recount();
});

test('a view says the same of sender and driver stored and composed, whatever their names, with a position, suspended', async () => {
  await open();
  const owner = await product.register('owner');
  const [driver] = drivers as [TestUser];
  const { id } = await createPackage(owner, { showSender: true });
  await createPackage(owner, { showSender: true });
  await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.next({ params: { id } });
  const names = [
    'Anna',
    'Berg, Anna',
    ' Berg ,Anna\u00a0Maria',
    'Ana\u3000Ruiz',
    '"Q" \\ x',
    'a\u001f-\u001fb c',
    '-',
    '0',
    '安娜，李',
    'N\nO',
  ];
  const compareNames = async () => {
    for (const name of names) {
      await sql('update users set name = $1 where id = any($2)', [name, [owner.id, driver.id]]);
      await compareViews();
    }
  };
  await compareNames();
  await sql('insert into position_consents (user_id, agreed_at) values ($1, now())', [driver.id]);
  await sql('insert into driver_positions (driver_id, at, lon, lat) values ($1, $2, 13.4, 52.5)', [
    driver.id,
    new Date(time),
  ]);
  await compareNames();
  const views = await sql<{ tracking_id: string }>('select tracking_id from public_views where driver_id is not null');
  const shown = await product.api().tracking.view({ params: { id: views[0]?.tracking_id ?? '' } });
  expect(shown).toMatchObject({
    carrier: { firstName: 'N' },
    driverPosition: { lon: 13.4, lat: 52.5 },
    sender: 'N\nO',
  });
  await sql("update users set status = 'suspended' where id = $1", [driver.id]);
  await compareViews();
});

test('what SQL by hand left wrong is found by the doctor’s sample, and a rebuild beside writers mends it', async () => {
  await open();
  const owner = await product.register('owner');
  const { id } = await createPackage(owner);
  for (let count = 0; count < 20; count++) await createPackage(owner, { reference: `#${count}` });
  expect((await checkSample(product.ctx.db)).wrong).toEqual({
    searchTexts: 0,
    publicViews: 0,
    references: 0,
    counts: 0,
  });
  expect(await checkFigures(product.ctx.db)).toBe(0);
  await sql("update packages set name = 'By hand', status = 'cancelled', location = 'Elsewhere' where id = $1", [id]);
  await sql(
    'delete from public_views where package_id = (select package_id from public_views where package_id <> $1 limit 1)',
    [id],
  );
  // Another package's, and nobody's.
  await sql("update package_references set reference = 'By hand' where reference = '#7'");
  await sql('update figure_changes set created = created + 3, stars = 1');
  await sql("insert into waiting_totals values ('99999', 'Elsewhere', true, 2, 3)");
  await sql("insert into waiting_by_attempts values (true, '99999', 'Elsewhere', 2, 3)");
  // Two statuses of the owner, two places, what waits without an address in each of eight tables, and an invented postal code in two of them.
  expect(await checkSample(product.ctx.db)).toEqual({
    size: 21,
    wrong: { searchTexts: 1, publicViews: 2, references: 2, counts: 14 },
  });
  expect(await checkFigures(product.ctx.db)).toBe(1);
  const writes = Array.from({ length: 30 }, async (_, n) => {
    const { id: other } = await createPackage(owner, { location: `Hall ${n % 3}` });
    await owner.api.packages.update({ params: { id: other }, body: { name: `Written meanwhile ${n}` } });
  });
  const [repaired] = await Promise.all([rebuildOn(product.connection), ...writes]);
  // The same.
  expect(repaired).toEqual({ searchTexts: 1, publicViews: 2, references: 2, counts: 14, figures: 1, days: 0 });
  expect(await rebuildOn(product.connection)).toEqual({
    searchTexts: 0,
    publicViews: 0,
    references: 0,
    counts: 0,
    figures: 0,
    days: 0,
  });
  await noteRegistered();
  registered.set(
    id,
    (await sql<{ hash: string }>(`select ${content}::text as hash from packages where id = $1`, [id]))[0]?.hash ?? '',
  );
  for (const row of await sql<{ id: string; hash: string }>(
    `select id, coalesce(registered_content, ${content})::text as hash from packages`,
  ))
    registered.set(row.id, row.hash);
  await recount();
});

test('concurrent changes of the same packages leave their stored views as the tables have them', async () => {
  await open();
  const owner = await product.register('owner');
  const ids = await Promise.all(Array.from({ length: 4 }, async () => (await createPackage(owner)).id));
  const acts = ids.flatMap((id) => {
    const params = { id };
    const [one, other] = drivers.map(({ api }) => api.deliveries);
    return [
      () => one?.start({ params }),
      () => other?.start({ params }),
      () => one?.next({ params }),
      () => one?.reportLocation({ params, body: { location: 'Riverton' } }),
      () => owner.api.packages.update({ params, body: { name: 'Another name' } }),
      () => owner.api.packages.update({ params, body: { location: 'Harbour' } }),
      () => other?.fail({ params, body: { reason: 'Nobody home' } }),
      () => one?.complete({ params }),
    ];
  });
  for (let round = 0; round < 4; round++) {
    time += 60_000;
    await Promise.allSettled(acts.map(async (act) => act()));
  }
  await compareViews();
});
