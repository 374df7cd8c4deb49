import type { Delivery, Package } from '@waybill/contract';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  openTestProduct,
  packageInput,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import {
  groupsOf,
  keyOf,
  orderOf,
  receiverOf,
  suspended,
  type Call,
  type Model,
  type ModelPackage,
  type Reply,
  type Stored,
} from '../testing/step-model.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let owner: TestUser;
let admin: TestUser;
let depotId: string | undefined;
let drivers: TestUser[];
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  owner = await product.register('owner');
  admin = await product.register('admin');
  depotId = (await admin.api.depots.list())[0]?.id;
  drivers = [];
  for (let count = 0; count < 4; count++) drivers.push(await product.register('driver'));
});
afterAll(() => product.close());

async function post(by: TestUser, path: string, payload: object | undefined, key: string | null): Promise<Reply> {
  const reply = await product.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${by.token}`, ...(key !== null && { 'idempotency-key': key }) },
    ...(payload && { payload }),
  });
  return { status: reply.statusCode, body: reply.json<Reply['body']>() };
}

const take = (by: TestUser, kind: string, id: string, payload?: object, key: string | null = null) =>
  post(by, `/deliveries/${id}/${kind}`, payload, key);

const outcome = ({ status, body }: Reply) => body.code ?? status;
const sql = <Row extends object>(text: string, params: unknown[] = []) => product.ctx.db.query<Row>(text, params);
const createMany = (count: number, fields: object = {}) =>
  Promise.all(Array.from({ length: count }, () => createPackage(owner, fields)));
const driverAt = (index: number) => drivers[index % drivers.length] as TestUser;

/** The number of transactions that last wrote these packages. */
async function transactionsOf(packages: { id: string }[]): Promise<number> {
  const rows = await sql('select distinct xmin::text from packages where id = any($1)', [packages.map(({ id }) => id)]);
  return rows.length;
}

/** Everything that is stored about a package, with `names` in place of ids, and without times and other random values. */
async function storedAbout(id: string, names: Map<string, string>): Promise<unknown> {
  const [stored] = await sql<{ stored: object }>(
    `select jsonb_build_object(
       'package', (select to_jsonb(p) from (select status, driver_id, route_id, location, received_by, version, started_at is null as waits,
          estimated_delivery_at is null as without_forecast, completed_at is null as open, failed_at is null as never_failed,
          arrived_at is null as not_arrived
          from packages where id = $1) p),
       'events', (select jsonb_agg(to_jsonb(e) order by id) from (select 0 as id, type, actor_id, status, location, note, owner_id, driver_id,
          previous_driver_id, incident_number, changes, shown from package_events where package_id = $1 order by package_events.id) e),
       'attempts', (select jsonb_agg(to_jsonb(a) order by number) from (select number, driver_id, route_id, outcome, reason, eta, due_at is null as without_due,
          arrived_at is null as not_arrived
          from delivery_attempts where package_id = $1) a),
       'proofs', (select jsonb_agg(to_jsonb(r)) from (select note, photo is null as without_photo from proofs where package_id = $1) r),
       'outbox', (select jsonb_agg(type order by id) from outbox where package_id = $1),
       'jobs', (select jsonb_agg(jsonb_build_array(j.name, e.type) order by e.id, j.name)
          from jobs.job j join package_events e on e.id = (j.data->>'eventId')::bigint where e.package_id = $1),
       'deliveries', (select jsonb_agg(jsonb_build_array(job, type, user_id, state) order by event_id, job)
          from notification_deliveries where package_id = $1)) as stored`,
    [id],
  );
  let text = JSON.stringify(stored?.stored);
  for (const [name, value] of names) text = text.replaceAll(name, value);
  return JSON.parse(text);
}

const figureNames = 'started completed failed first_attempts first_completed completed_before'.split(' ');
async function figures(): Promise<Record<string, number>> {
  const [sums] = await sql<Record<string, number>>(
    `select ${figureNames.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', ')} from figure_changes`,
  );
  return sums ?? {};
}
async function figuresOf<T>(work: () => Promise<T>): Promise<{ result: T; added: Record<string, number> }> {
  const before = await figures();
  const result = await work();
  const after = await figures();
  return {
    result,
    added: Object.fromEntries(figureNames.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)])),
  };
}

test('concurrent steps of all kinds share transactions, with and without Idempotency-Keys', async () => {
  const packages = await createMany(40);
  const all = (kind: string, payload?: object) =>
    Promise.all(
      packages.map(({ id }, index) => take(driverAt(index), kind, id, payload, index % 2 ? `shared-${kind}` : null)),
    );
  for (const [kind, payload] of [
    ['start', undefined],
    ['next', undefined],
    ['fail', { reason: 'Nobody there' }],
    ['start', undefined],
    ['complete', { receivedBy: 'Anna' }],
  ] as const) {
    // The second start has new keys.
    if (kind === 'start') await sql('delete from idempotency_keys');
    const replies = await all(kind, payload);
    expect(replies.map(outcome)).toEqual(packages.map(() => 200));
    expect(await transactionsOf(packages)).toBeLessThan(30);
  }
  const stored = await sql("select from idempotency_keys where key = 'shared-complete'");
  expect(stored.length).toBe(20);
  const repeated = await all('complete', { receivedBy: 'Berta' });
  expect(repeated.map(outcome)).toEqual(packages.map((_, index) => (index % 2 ? 'key_reused' : 200)));
});

/** @returns the route's id */
async function openRoute(driver: TestUser, packages: Package[], isStarted = true): Promise<string> {
  const day = new Date().toISOString().slice(0, 10);
  const { body: route } = await post(admin, '/routes', { day, depotId, driverId: driver.id }, null);
  await post(admin, `/routes/${route.id}/stops`, { packageIds: packages.map(({ id }) => id) }, null);
  if (isStarted) expect(outcome(await post(driver, `/routes/${route.id}/start`, {}, null))).toBe(200);
  return route.id;
}

/** Started routes of a driver each, with `stops` stops. */
async function startRoutes(count: number, stops: number) {
  const routes: { driver: TestUser; packages: Package[]; id: string }[] = [];
  for (let index = 0; index < count; index++) {
    const driver = await product.register('driver', 'Driver');
    const packages: Package[] = [];
    for (let stop = 0; stop < stops; stop++) packages.push(await createPackage(owner));
    routes.push({ driver, packages, id: await openRoute(driver, packages) });
  }
  return routes;
}

test('steps on routes share transactions too, and leave what they leave one by one', async () => {
  const rounds = [
    ['next', 1],
    ['arrive', 1],
    ['complete', 1],
    ['fail', 0],
  ] as const;
  const bodies = { next: undefined, arrive: undefined, complete: {}, fail: { reason: 'Nobody there' } };
  const [together, apart] = [await startRoutes(6, 4), await startRoutes(1, 4)];
  const [single] = apart;
  if (!single) throw new Error('no route');
  const idOf = ({ packages }: (typeof together)[number], stop: number) => packages[stop]?.id ?? '';
  const namesOf = ({ driver, packages, id: routeId }: (typeof together)[number]) =>
    new Map([
      ...packages.map(({ id }, index) => [id, `package ${index}`] as const),
      [driver.id, 'driver'],
      [routeId, 'route'],
    ]);
  for (const [kind, stop] of rounds) {
    const key = `route-${kind}`;
    const replies = await Promise.all(
      together.map((route) => take(route.driver, kind, idOf(route, stop), bodies[kind], key)),
    );
    expect(replies.map(outcome)).toEqual(together.map(() => 200));
    expect(await transactionsOf(together.map((route) => ({ id: idOf(route, stop) })))).toBeLessThan(together.length);
    const alone = await take(single.driver, kind, idOf(single, stop), bodies[kind], key);
    for (const { body } of replies)
      expect([body.status, body.version]).toEqual([alone.body.status, alone.body.version]);
    for (const route of together)
      for (const index of route.packages.keys())
        expect(await storedAbout(idOf(route, index), namesOf(route))).toEqual(
          await storedAbout(idOf(single, index), namesOf(single)),
        );
  }
});

test('of the steps of one route in one turn each is answered, and one stop at most is next', async () => {
  const routes = await startRoutes(4, 4);
  const ids = routes.flatMap(({ packages }) => packages.map(({ id }) => id));
  const replies = await Promise.all(
    routes.flatMap(({ driver, packages: [first, second, third, fourth] }) => [
      take(driver, 'next', second?.id ?? ''),
      take(driver, 'complete', first?.id ?? '', {}),
      take(driver, 'next', third?.id ?? ''),
      take(driver, 'fail', fourth?.id ?? '', { reason: 'Nobody there' }),
    ]),
  );
  expect(replies.map(outcome)).toEqual(replies.map(() => 200));
  const next = await sql<{ stops: number }>(
    "select count(*)::int as stops from packages where id = any($1) and status = 'out for delivery' group by route_id",
    [ids],
  );
  expect(next).toEqual(routes.map(() => ({ stops: 1 })));
});

test('a route whose row or next stop is locked does not delay the others of its batch', async () => {
  const routes = await startRoutes(5, 3);
  const firstOf = (index: number, stop = 0) => routes[index]?.packages[stop]?.id ?? '';
  const pending = await product.ctx.db.transaction(async (tx) => {
    await tx.query('select from routes where id = (select route_id from packages where id = $1) for update', [
      firstOf(0),
    ]);
    await tx.query('select from packages where id = $1 for update', [firstOf(1)]);
    const waiting = [0, 1].map((index) => take(routes[index]?.driver as TestUser, 'next', firstOf(index, 1)));
    const others = [2, 3, 4].map((index) => take(routes[index]?.driver as TestUser, 'next', firstOf(index, 1)));
    const sentAt = performance.now();
    expect((await Promise.all(others)).map(outcome)).toEqual([200, 200, 200]);
    expect(performance.now() - sentAt).toBeLessThan(1500);
    return waiting;
  });
  expect((await Promise.all(pending)).map(outcome)).toEqual([200, 200]);
});

test('each delivery of a batch leaves what a step alone leaves', async () => {
  const names = (id: string) =>
    new Map([
      [id, 'package'],
      [owner.id, 'owner'],
      [driverAt(0).id, 'driver'],
    ] as const);
  const fields = { eta: '2090-01-31', location: 'Depot', address: { street: 'Long Street 5', city: 'Berlin' } };
  const steps = [
    ['start', undefined],
    ['next', undefined],
    ['fail', { reason: 'Nobody "there"', location: 'Hub 3' }],
    ['start', undefined],
    ['fail', { reason: 'Still nobody' }],
    ['start', undefined],
    ['complete', { receivedBy: 'Anna', note: 'Left with a neighbour' }],
  ] as const;
  const [single] = await createMany(1, fields);
  const alone = await figuresOf(async () => {
    const replies: Reply[] = [];
    for (const [kind, payload] of steps) replies.push(await take(driverAt(0), kind, single?.id ?? '', payload));
    return replies;
  });
  const packages = await createMany(8, fields);
  const together = await figuresOf(async () => {
    const replies: Reply[][] = [];
    for (const [kind, payload] of steps)
      replies.push(await Promise.all(packages.map(({ id }) => take(driverAt(0), kind, id, payload))));
    return replies;
  });
  expect(await transactionsOf(packages)).toBeLessThan(8);
  const expected = await storedAbout(single?.id ?? '', names(single?.id ?? ''));
  for (const { id } of packages) expect(await storedAbout(id, names(id))).toEqual(expected);
  for (const [name, added] of Object.entries(alone.added))
    expect([name, together.added[name]]).toEqual([name, 8 * added]);
  const constant = ({ status, body }: Reply | undefined = { status: 0, body: {} as Delivery }) => {
    const times = ['createdAt', 'updatedAt', 'startTime', 'estimatedDeliveryTime', 'completedAt', 'actualDeliveryTime'];
    const without = new Set(['id', 'trackingId', ...times]);
    return { status, ...Object.fromEntries(Object.entries(body).filter(([name]) => !without.has(name))) };
  };
  for (const [index, replies] of together.result.entries())
    for (const reply of replies) expect(constant(reply)).toEqual(constant(alone.result[index]));
});

test('of the drivers who start one package in one turn exactly one wins; a repeated start has the present state', async () => {
  for (let round = 0; round < 10; round++) {
    const [contested, other] = await createMany(2);
    const id = contested?.id ?? '';
    const replies = await Promise.all([
      ...drivers.flatMap((driver) => [take(driver, 'start', id), take(driver, 'start', id)]),
      take(driverAt(0), 'start', other?.id ?? ''),
    ]);
    const winner = (await createdBy(id)).driver_id;
    drivers.forEach((driver, index) => {
      const expected = driver.id === winner ? 200 : 'already_started';
      expect(replies.slice(2 * index, 2 * index + 2).map(outcome)).toEqual([expected, expected]);
    });
    expect(replies.at(-1)?.status).toBe(200);
    const events = await sql("select from package_events where package_id = $1 and type = 'delivery.started'", [id]);
    expect(events.length).toBe(1);
  }
});

async function createdBy(id: string) {
  const [row] = await sql<{ driver_id: string | null; status: string; version: number }>(
    'select driver_id, status, version from packages where id = $1',
    [id],
  );
  if (!row) throw new Error('no package');
  return row;
}

test('each caller of a batch has its own error', async () => {
  const suspended = await product.register('driver');
  const [started, waiting, signed, foreign, plain, toStart] = await createMany(6, {
    handling: { fragile: false, keepUpright: false, refrigerated: false, signatureRequired: true, safePlace: null },
  });
  const ids = [started, waiting, signed, foreign, plain, toStart].map((pkg) => pkg?.id ?? '');
  for (const [index, driver] of [
    [0, 0],
    [2, 0],
    [3, 1],
  ] as const)
    await take(driverAt(driver), 'start', ids[index] ?? '');
  // Only the transaction can notice the suspension: the session is in the cache.
  await take(suspended, 'start', '00000000-0000-7000-8000-000000000000');
  await sql("update users set status = 'suspended' where id = $1", [suspended.id]);
  const replies = await Promise.all([
    take(driverAt(0), 'next', ids[0] ?? ''),
    take(driverAt(0), 'next', ids[1] ?? ''),
    take(driverAt(0), 'complete', ids[2] ?? ''),
    take(driverAt(0), 'complete', ids[3] ?? ''),
    take(suspended, 'start', ids[4] ?? ''),
    take(driverAt(0), 'start', '00000000-0000-7000-8000-000000000000'),
    take(driverAt(2), 'start', ids[5] ?? ''),
    take(driverAt(2), 'fail', ids[3] ?? '', { reason: 'Not mine' }),
  ]);
  expect(replies.map(outcome)).toEqual([
    200,
    'illegal_step',
    'invalid',
    'not_found',
    'not_active',
    'not_found',
    200,
    'not_found',
  ]);
  expect(replies[2]?.body.fields).toHaveProperty('receivedBy');
  expect((await createdBy(ids[4] ?? '')).status).toBe('processing');
});

test('a package whose row is locked does not delay the others of its batch', async () => {
  const packages = await createMany(6);
  await product.ctx.db
    .transaction(async (tx) => {
      await tx.query('select from packages where id = $1 for update', [packages[2]?.id]);
      const sentAt = performance.now();
      const starts = packages.map(({ id }) => take(driverAt(0), 'start', id));
      const others = await Promise.all(starts.filter((_, index) => index !== 2));
      // Whoever waits for the lock waits for 2 s.
      expect(performance.now() - sentAt).toBeLessThan(1500);
      expect(others.map(outcome)).toEqual([200, 200, 200, 200, 200]);
      return { waiting: starts[2] };
    })
    .then(async ({ waiting }) => expect((await waiting)?.status).toBe(200));
});

test('repeated keys in one batch take one step; another body is refused', async () => {
  const packages = await createMany(3);
  const [id, other, third] = packages.map((pkg) => pkg.id) as [string, string, string];
  const driver = driverAt(0);
  const first = await Promise.all([
    take(driver, 'start', id, undefined, 'k'),
    take(driver, 'start', id, undefined, 'k'),
    take(driver, 'start', other),
  ]);
  expect(first.map(outcome).filter((each) => each !== 'still_running').length).toBeGreaterThanOrEqual(2);
  expect((await createdBy(id)).version).toBe(2);
  const complete = (receivedBy: string) => take(driver, 'complete', id, { receivedBy }, 'c');
  const [completed] = await Promise.all([complete('Anna'), take(driver, 'start', third)]);
  expect(completed.body).toMatchObject({ status: 'delivered', receivedBy: 'Anna' });
  const [repeated] = await Promise.all([complete('Anna'), take(driver, 'next', third)]);
  expect(repeated).toEqual(completed);
  const [reused] = await Promise.all([complete('Berta'), take(driver, 'complete', third)]);
  expect(outcome(reused)).toBe('key_reused');
});

test('a batch whose commit fails is done one by one, and only the cause of the failure is refused', async () => {
  const packages = await createMany(4);
  const driver = driverAt(0);
  await Promise.all(packages.map(({ id }) => take(driver, 'start', id)));
  await sql(
    `create function refuse_poison() returns trigger language plpgsql as
     $$ begin if new.note = 'Poison' then raise exception 'poison' using errcode = '23514'; end if; return null; end $$`,
  );
  await sql(
    `create constraint trigger poison after insert on proofs deferrable initially deferred for each row execute function refuse_poison()`,
  );
  try {
    const replies = await Promise.all(
      packages.map(({ id }, index) =>
        take(driver, 'complete', id, { note: index === 1 ? 'Poison' : 'Fine' }, `p${index}`),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 500, 200, 200]);
    const proofs = await sql('select from proofs where package_id = any($1)', [packages.map(({ id }) => id)]);
    expect(proofs.length).toBe(3);
  } finally {
    await sql('drop trigger poison on proofs');
    await sql('drop function refuse_poison()');
  }
});

/** Small ranges, so that conflicts are frequent. */
const callOf = (weight: number, kinds: Call['kind'][], by: number[], packages: number[]) => ({
  weight,
  arbitrary: fc.record({
    kind: fc.constantFrom(...kinds),
    by: fc.constantFrom(...by),
    pkg: fc.constantFrom(...packages),
    key: fc.option(fc.nat(1), { nil: null, freq: 2 }),
    text: fc.nat(2),
    hasPhoto: fc.integer({ min: 0, max: 14 }).map((number) => number === 0),
  }),
});
const stepsOfStops: Call['kind'][] = ['start', 'next', 'next', 'arrive', 'arrive', 'complete', 'complete', 'fail'];
const call: fc.Arbitrary<Call> = fc.oneof(
  callOf(
    4,
    ['start', 'start', 'next', 'arrive', 'complete', 'complete', 'fail', 'create'],
    [0, 0, 0, 0, 1, 1, 1, suspended, 3, 4],
    [0, 1, 2, 3, 4, 5],
  ),
  callOf(3, stepsOfStops, [3, 3, 3, 3, 3, 3, 4, 0, suspended], [6, 7, 8]),
  callOf(2, stepsOfStops, [4, 4, 4, 4, 3, 1], [9, 10]),
  callOf(1, stepsOfStops, [0, 0, 1, 3], [11, 12]),
);

interface World {
  packages: Package[];
  routes: string[];
  names: Map<string, string>;
  /** What is stored about each package as the model has it. */
  read(): Promise<Stored[]>;
  prepare(calls: Call[]): Promise<(call: Call) => Promise<Reply>>;
}

const waiting: ModelPackage = {
  status: 'processing',
  driver: null,
  version: 1,
  route: null,
  events: [],
  hasArrived: false,
  needsReceiver: false,
  door: null,
};
const onRoad = { ...waiting, status: 'in transit', version: 2 };

/** Driver 2 is suspended. */
const initial: Model = {
  packages: [
    waiting,
    { ...waiting, needsReceiver: true },
    { ...onRoad, driver: 0 },
    { ...onRoad, driver: 0, needsReceiver: true },
    { ...onRoad, status: 'out for delivery', driver: 1, version: 3 },
    // Given back once.
    { ...waiting, version: 3 },
    { ...onRoad, status: 'out for delivery', driver: 3, route: 0, door: 'Long Street 5' },
    { ...onRoad, driver: 3, route: 0, door: 'Long Street 5' },
    { ...onRoad, driver: 3, route: 0, door: 'Short Street 2' },
    { ...onRoad, status: 'out for delivery', driver: 4, route: 1, door: 'Long Street 5', needsReceiver: true },
    { ...onRoad, driver: 4, route: 1, door: 'Long Street 5' },
    { ...waiting, route: 2, door: 'Long Street 5' },
    { ...waiting, route: 2 },
  ],
  routes: [
    { driver: 3, isStarted: true, order: [6, 7, 8] },
    { driver: 4, isStarted: true, order: [9, 10] },
    { driver: 0, isStarted: false, order: [11, 12] },
  ],
};

let worlds = 0;

/** Makes what the model begins with. */
async function openWorld(): Promise<World> {
  const world = ++worlds;
  const owners = [await product.register('owner', 'Owner'), await product.register('owner', 'Owner')];
  const people: TestUser[] = [];
  while (people.length < 5) people.push(await product.register('driver', 'Driver'));
  const driver = (index: number) => people[index] as TestUser;
  const packages: Package[] = [];
  for (const { needsReceiver, door } of initial.packages) {
    const flags = { fragile: false, keepUpright: false, refrigerated: false, safePlace: null };
    const handling = { ...flags, signatureRequired: needsReceiver };
    const address = door === null ? {} : { address: { street: door, city: 'Berlin' } };
    packages.push(await createPackage(owners[0] as TestUser, { handling, ...address }));
  }
  const id = (index: number) => packages[index]?.id ?? '';
  for (const index of [2, 3]) await take(driver(0), 'start', id(index));
  await take(driver(1), 'start', id(4));
  await take(driver(1), 'next', id(4));
  await take(driver(1), 'start', id(5));
  await take(driver(1), 'fail', id(5), { reason: 'Closed' });
  const routes: string[] = [];
  for (const { driver: of, order, isStarted } of initial.routes)
    routes.push(await openRoute(driver(of), packages.slice(order[0], (order.at(-1) ?? 0) + 1), isStarted));
  await take(driver(suspended), 'start', '00000000-0000-7000-8000-000000000000');
  await createPackage(owners[1] as TestUser, { trackingId: `PKG-WT${String(world).padStart(6, '0')}` });
  await sql("update users set status = 'suspended' where id = any($1)", [[driver(suspended).id, owners[1]?.id]]);
  const names = new Map([
    ...packages.map((pkg, index) => [pkg.id, `package ${index}`] as const),
    ...people.map((person, index) => [person.id, `driver ${index}`] as const),
    ...owners.map((person, index) => [person.id, `owner ${index}`] as const),
    ...routes.map((routeId, index) => [routeId, `route ${index}`] as const),
  ]);
  const [begun] = await sql<{ events: string }>('select max(id) as events from package_events');
  return {
    packages,
    routes,
    names,
    async read() {
      const rows = await sql<Stored & { driver: string | null; route: string | null }>(
        `select status, driver_id as driver, version, route_id as route, array(
           select e.type || ' by ' || e.actor_id from package_events e
           where e.package_id = packages.id and e.id > $2 order by e.id) as events
         from packages where id = any($1) order by id`,
        [packages.map((pkg) => pkg.id), begun?.events],
      );
      const numberOf = (of: string | null) => (of === null ? null : Number(names.get(of)?.split(' ')[1]));
      return rows.map(({ status, driver: driverId, version, route, events }) => ({
        status,
        driver: numberOf(driverId),
        version,
        route: numberOf(route),
        events: events.map((event) => event.replace(/[^ ]+$/, (actor) => String(numberOf(actor)))),
      }));
    },
    async prepare(calls) {
      const photos = new Map<Call, string>();
      for (const each of calls)
        if (each.kind === 'complete' && each.hasPhoto && each.by !== suspended)
          photos.set(each, await uploadImage(product, driver(each.by)));
      return (each) => {
        const key = each.key === null ? null : `key-${each.key}`;
        if (each.kind === 'create') {
          const taken = each.text === 0 && { trackingId: `PKG-WT${String(world).padStart(6, '0')}` };
          return post(
            owners[each.by === suspended ? 1 : 0] as TestUser,
            '/packages',
            packageInput({ name: `Lamp ${each.text}`, ...taken }),
            key,
          );
        }
        const photo = photos.get(each);
        const bodies = {
          start: undefined,
          next: undefined,
          arrive: undefined,
          complete: { receivedBy: receiverOf(each), ...(photo && { photo }) },
          fail: { reason: `Reason ${each.text}`, location: `Hub ${each.text}` },
        };
        return take(driver(each.by), each.kind, id(each.pkg), bodies[each.kind], key);
      };
    },
  };
}

/** Everything that is stored about a route, with `names`, and without times. */
async function storedAboutRoute(id: string, names: Map<string, string>): Promise<unknown> {
  const [row] = await sql(
    `select driver_id, state, version, started_at is null as planned, finished_at is null as unfinished, stop_ids, locked_ids, left_ids, changed_by
     from routes where id = $1`,
    [id],
  );
  let text = JSON.stringify(row);
  for (const [value, name] of names) text = text.replaceAll(value, name);
  return JSON.parse(text);
}

/** Takes a step while another transaction has this package, if one is given: it does not become the next stop. */
const whileHeld = (pkg: Package | undefined, send: () => Promise<Reply>): Promise<Reply> =>
  pkg === undefined
    ? send()
    : product.ctx.db.transaction(async (tx) => {
        await tx.query('select from packages where id = $1 for update', [pkg.id]);
        return send();
      });

test('a mixed batch has the replies and the effects of the same calls one by one, in some order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 6, maxLength: 30 }), async (calls) => {
      const [together, apart] = await Promise.all([openWorld(), openWorld()]);
      const send = await together.prepare(calls);
      const batch = await figuresOf(() => Promise.all(calls.map((each) => send(each))));
      const done = calls.map((each, index) => ({ call: each, reply: batch.result[index] as Reply }));

      const explained = done.filter(({ call: each, reply }) => {
        if (outcome(reply) !== 'still_running') return true;
        expect(calls.filter((other) => keyOf(other) === keyOf(each)).length).toBeGreaterThan(1);
        return false;
      });
      const sendAlone = await apart.prepare(calls);
      const stored = await together.read();
      const called = new Set(calls.flatMap(({ kind, pkg }) => (kind === 'create' ? [] : pkg)));
      const singles = await figuresOf(async () => {
        for (const group of groupsOf(initial, calls)) {
          const ofGroup = explained.filter(({ call: { kind, pkg } }) => kind !== 'create' && group.includes(pkg));
          const wanted = new Map(group.map((index) => [index, stored[index] as Stored]));
          for (const { call: each, reply, held } of orderOf(ofGroup, initial, wanted, called)) {
            const single = await whileHeld(apart.packages[held ?? -1], () => sendAlone(each));
            expect([each, outcome(reply), reply.body.status, reply.body.version, reply.body.fields]).toEqual([
              each,
              outcome(single),
              single.body.status,
              single.body.version,
              single.body.fields,
            ]);
          }
        }
      });
      for (const [index, { id }] of together.packages.entries())
        expect(await storedAbout(id, together.names)).toEqual(
          await storedAbout(apart.packages[index]?.id ?? '', apart.names),
        );
      for (const [index, id] of together.routes.entries())
        expect(await storedAboutRoute(id, together.names)).toEqual(
          await storedAboutRoute(apart.routes[index] ?? '', apart.names),
        );
      expect(batch.added).toEqual(singles.added);
      const succeeded = explained.filter(({ reply }) => reply.status < 300);
      const keys = new Set(succeeded.map((one) => keyOf(one.call)).filter((key) => key !== ''));
      const users = [...together.names].filter(([, name]) => !name.startsWith('package')).map(([id]) => id);
      expect((await sql('select from idempotency_keys where user_id = any($1)', [users])).length).toBe(keys.size);
      for (const { call: each, reply } of explained) {
        if (each.kind !== 'create') continue;
        const expected = each.by === suspended ? 'not_active' : each.text === 0 ? 'tracking_id_taken' : 201;
        // A key is used for one name.
        if (outcome(reply) !== 'key_reused') expect(outcome(reply)).toBe(expected);
      }
    }),
    { numRuns: runsAll ? 20 : 6, endOnFailure: true },
  );
}, 120_000);

test('creates and steps run while others wait for a lock', async () => {
  const packages = await createMany(30);
  await product.ctx.db
    .transaction(async (tx) => {
      await tx.query('select from packages where id = any($1) for update', [packages.slice(0, 4).map(({ id }) => id)]);
      const waiting = packages.slice(0, 4).map(({ id }, index) => take(driverAt(index), 'start', id));
      await sleep(50);
      const sentAt = performance.now();
      const others = await Promise.all([
        ...packages.slice(4).map(({ id }, index) => take(driverAt(index), 'start', id)),
        createPackage(owner),
        createPackage(owner),
      ]);
      expect(performance.now() - sentAt).toBeLessThan(1500);
      expect(new Set(others.slice(0, 26).map((one) => outcome(one as Reply)))).toEqual(new Set([200]));
      return { waiting };
    })
    .then(async ({ waiting }) => expect((await Promise.all(waiting)).map(outcome)).toEqual([200, 200, 200, 200]));
});
