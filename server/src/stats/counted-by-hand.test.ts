import type { AttemptFigures, BreakdownDimension, Package } from '@waybill/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { checkSomeDays, sumStaleDays } from './attempt-sums.ts';

// Two days in two months, as drivers, owners and dispatchers live them. What each figure has to be was counted from this story by hand: the
// expected numbers below are no output of the product. Times are UTC; Hamburg is two hours ahead, Boston four behind.

const start = new Date('2026-07-30T12:00:00.000Z');
let time = start;
let product: TestProduct;
let admin: TestUser;
let olga: TestUser;
let otto: TestUser;
let oona: TestUser;
let dora: TestUser;
let emil: TestUser;
let fred: TestUser;
let hamburg: string;
let boston: string;

/** The packages of the story, by the names that the comments use. */
const packages: Record<string, Package> = {};
/** The routes, by the same kind of name. */
const routes: Record<string, string> = {};

const clock = (dayAndTime: string) => (time = new Date(`2026-${dayAndTime}:00.000Z`));
const at = (id: string) => ({ params: { id } });
const idOf = (name: string): string => {
  const pkg = packages[name];
  if (!pkg) throw new Error(`no package ${name}`);
  return pkg.id;
};
const route = (name: string) => routes[name] ?? '';
const of = (name: string) => at(idOf(name));

let doors = 0;
async function make(name: string, owner: TestUser, city: string, fields: Parameters<typeof createPackage>[1] = {}) {
  const address = { street: `Am Markt ${++doors}`, postalCode: '20095', city };
  packages[name] = await createPackage(owner, { recipientContact: 'At the front desk', address, ...fields });
}

async function plan(name: string, depotId: string, driver: TestUser, day: string, names: string[]) {
  const { id } = await admin.api.routes.create({ body: { day, depotId, driverId: driver.id } });
  routes[name] = id;
  const { refused } = await admin.api.routes.addStops({ ...at(id), body: { packageIds: names.map(idOf) } });
  expect(refused).toEqual([]);
}
const startRoute = (name: string, driver: TestUser) =>
  driver.api.routes.start({ ...at(route(name)), body: { missing: [] } });
const finish = (name: string, driver: TestUser, returned: string[] = []) =>
  driver.api.routes.finish({ ...at(route(name)), body: { returned: returned.map(idOf) } });
const arrive = (name: string, driver: TestUser) => driver.api.deliveries.arrive(of(name));
const complete = (name: string, driver: TestUser, body: { at?: string } = {}) =>
  driver.api.deliveries.complete({ ...of(name), body });
const fail = (name: string, driver: TestUser) =>
  driver.api.deliveries.fail({ ...of(name), body: { reason: 'Nobody home' } });

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false, now: () => time, config: { TIME_ZONE: 'Europe/Berlin' } });
  admin = await product.register('admin');
  [olga, otto, oona] = [
    await product.register('owner', 'Olga'),
    await product.register('owner', 'Otto'),
    await product.register('owner', 'Oona'),
  ];
  [dora, emil, fred] = [
    await product.register('driver', 'Dora'),
    await product.register('driver', 'Emil'),
    await product.register('driver', 'Fred'),
  ];
  await otto.api.users.updateProfile({
    body: { returnAddress: { street: 'Am Kai 3', postalCode: '24103', city: 'Kiel', country: null } },
  });
  const depot = async (name: string, timeZone: string) =>
    (await admin.api.depots.create({ body: { name, timeZone } })).id;
  hamburg = await depot('Hamburg', 'Europe/Berlin');
  boston = await depot('Boston', 'America/New_York');
  await liveTheDays();
});
afterAll(() => product.close());

async function liveTheDays() {
  const july = { eta: '2026-07-31' };
  const window = (day: string, from: string, to: string) => ({
    window: { from: `2026-${day}T${from}:00.000Z`, to: `2026-${day}T${to}:00.000Z` },
  });
  const address = { street: 'Deichstr. 7', postalCode: '20459', city: 'Hamburg' };
  await make('in its window', olga, 'Hamburg', window('07-31', '06:00', '08:00'));
  await make('door one', otto, 'Hamburg', { ...july, address });
  await make('door two', otto, 'Hamburg', { ...july, address });
  await make('after its window', olga, 'Hamburg', window('07-31', '07:00', '08:00'));
  await make('second try', oona, 'Hamburg', july);
  await make('handed over', olga, 'Hamburg');
  await make('cancelled', otto, 'Hamburg', july);
  await make('back to Otto', otto, 'Hamburg', july);
  await make('collected', oona, 'Hamburg', july);
  await make('early', oona, 'Boston', july);
  await make('reopened', olga, 'Boston', july);
  await make('never driven', otto, 'Hamburg', july);
  await make('before midnight', otto, 'Hamburg', july);
  await make('after midnight', otto, 'Hamburg', july);
  await make('before midnight in Boston', olga, 'Boston', july);
  await make('at its last minute', olga, 'Hamburg', window('08-01', '08:00', '10:00'));
  await make('alone', oona, 'Kiel', { eta: '2026-08-01' });
  await make('left in the van', oona, 'Hamburg', july);

  // Emil drives in Boston from 5:00. The handed over one is his third, though he gets it after the others.
  await plan('Emil', boston, emil, '2026-07-31', ['early', 'reopened']);
  clock('07-31T05:00');
  await startRoute('Emil', emil);

  await plan('Dora', hamburg, dora, '2026-07-31', [
    'in its window',
    'door one',
    'door two',
    'after its window',
    'second try',
    'handed over',
    'cancelled',
    'back to Otto',
    'collected',
  ]);
  clock('07-31T06:00');
  await startRoute('Dora', dora);
  await complete('early', emil);
  await expect(otto.api.packages.update({ ...of('cancelled'), body: { status: 'cancelled' } })).rejects.toMatchObject({
    status: 409,
  });
  clock('07-31T06:50');
  await arrive('in its window', dora);
  clock('07-31T07:00');
  await complete('in its window', dora);
  clock('07-31T07:20');
  await arrive('door one', dora);
  clock('07-31T07:30');
  await dora.api.deliveries.completeDoor({ body: { deliveryIds: [idOf('door one'), idOf('door two')] } });
  clock('07-31T08:30');
  await complete('after its window', dora);
  clock('07-31T08:50');
  await arrive('second try', dora);
  clock('07-31T09:00');
  await fail('second try', dora);
  clock('07-31T09:05');
  const offer = await dora.api.offers.create({
    ...at(route('Dora')),
    body: { packageIds: [idOf('handed over')], driverId: emil.id },
  });
  const { deliveries } = await emil.api.offers.accept(at(offer.id));
  // It has neither window nor day, so this promise decides: the second of two stops of ten minutes.
  expect(deliveries[0]?.estimatedDeliveryTime).toBe('2026-07-31T09:25:00.000Z');
  clock('07-31T09:20');
  await fail('cancelled', dora);
  clock('07-31T09:40');
  await fail('back to Otto', dora);
  clock('07-31T09:50');
  await fail('collected', dora);
  clock('07-31T10:00');
  await complete('handed over', emil);
  await otto.api.packages.update({ ...of('cancelled'), body: { status: 'cancelled' } });
  await otto.api.packages.chooseNextStep({ ...of('back to Otto'), body: { kind: 'return' } });
  await oona.api.packages.chooseNextStep({ ...of('collected'), body: { kind: 'collect' } });
  clock('07-31T10:30');
  await finish('Dora', dora, ['second try', 'back to Otto', 'collected']);
  clock('07-31T12:00');
  await complete('reopened', emil);
  clock('07-31T13:00');
  await admin.api.deliveries.reopen({ ...of('reopened'), body: { reason: 'The wrong door' } });
  clock('07-31T14:00');
  await complete('reopened', emil);
  clock('07-31T14:30');
  await finish('Emil', emil);

  // A route from 21:00 until after midnight in Hamburg.
  await plan('Fred', hamburg, fred, '2026-07-31', ['before midnight', 'after midnight']);
  clock('07-31T19:00');
  await startRoute('Fred', fred);
  clock('07-31T21:00');
  await complete('before midnight', fred);
  clock('07-31T22:30');
  await complete('after midnight', fred);
  clock('07-31T22:40');
  await finish('Fred', fred);
  // At the same time it is still July in Boston.
  await plan('late Emil', boston, emil, '2026-07-31', ['before midnight in Boston']);
  clock('08-01T02:00');
  await startRoute('late Emil', emil);
  clock('08-01T03:00');
  await complete('before midnight in Boston', emil);
  await finish('late Emil', emil);

  // Planned, and given up.
  await plan('given up', hamburg, dora, '2026-08-01', ['never driven']);
  await admin.api.routes.remove(at(route('given up')));
  // From the other depot: what counts there was counted back in Hamburg.
  await plan('next day', boston, fred, '2026-08-01', [
    'second try',
    'back to Otto',
    'at its last minute',
    'left in the van',
  ]);
  clock('08-01T08:00');
  await startRoute('next day', fred);
  clock('08-01T08:55');
  await arrive('second try', fred);
  clock('08-01T09:00');
  await complete('second try', fred);
  // Both offline: told ten minutes later.
  clock('08-01T09:40');
  const returned = await complete('back to Otto', fred, { at: '2026-08-01T09:30:00.000Z' });
  expect(returned).toMatchObject({ status: 'cancelled' });
  clock('08-01T10:10');
  await complete('at its last minute', fred, { at: '2026-08-01T10:00:00.000Z' });
  clock('08-01T10:30');
  await finish('next day', fred, ['left in the van']);
  await dora.api.deliveries.start(of('alone'));
  clock('08-01T11:00');
  await complete('alone', dora);
  clock('08-01T11:30');
  await admin.api.deliveries.collected({ ...of('collected'), body: { receivedBy: 'Anna' } });
}

/**
 * What a group has to count: attempts that succeeded, failed, were on time; first ones and those that succeeded; minutes from start to
 * delivery and minutes on the road, summed up; attempts that the delivered needed; minutes at doors, one by one; returns.
 */
type Counted = [
  completed: number,
  failed: number,
  onTime: number,
  first: number,
  firstCompleted: number,
  minutes: number,
  onTheRoad: number,
  needed: number,
  atDoors: number[],
  returns: number,
];

const figuresOf = ([
  completed,
  failed,
  onTime,
  first,
  firstCompleted,
  minutes,
  onTheRoad,
  needed,
  atDoors,
  returns,
]: Counted) => {
  const per = (part: number, whole: number) => (whole === 0 ? null : (expect.closeTo(part / whole, 6) as number));
  return {
    completed,
    failed,
    successRate: per(100 * completed, completed + failed),
    onTime,
    onTimeRate: per(100 * onTime, completed),
    firstAttempts: first,
    firstAttemptSuccess: per(100 * firstCompleted, first),
    averageDeliveryTime: per(minutes, completed),
    stopsPerHour: per(60 * (completed + failed), onTheRoad),
    attemptsPerPackage: per(needed, completed),
    minutesAtDoor: per(
      atDoors.reduce((sum, one) => sum + one, 0),
      atDoors.length,
    ),
    returns,
  };
};

// Dora's morning: delivered at 7:00, 7:30 (two), 8:30; failed at 9:00, 9:20, 9:40, 9:50; on the road from 6:00 to 9:50.
const doraInJuly: Counted = [4, 4, 3, 8, 4, 60 + 90 + 90 + 150, 230, 4, [10, 10, 10], 0];
// Emil from 5:00 to 14:00. The handed over one takes its own time from 9:05, and is later than promised; the reopened one counts from 5:00 to 14:00.
const emilsDay: Counted = [3, 0, 2, 3, 3, 60 + 55 + 540, 540, 3, [], 0];
const alone: Counted = [1, 0, 1, 1, 1, 30, 30, 1, [], 0];
// Fred's next day: a second attempt at 9:00, a return until 9:30, delivered at 10:00. The half hour of the return is not an attempt's.
const nextDay: Counted = [2, 0, 1, 1, 1, 60 + 120, 60 + 30, 3, [5], 1];

const total: Counted = [13, 4, 8, 16, 12, 1645, 1160, 14, [10, 10, 10, 5], 1];
const inJuly: Counted = [9, 4, 6, 13, 9, 1225, 950, 9, [10, 10, 10], 0];
const inAugust: Counted = [4, 0, 2, 3, 3, 420, 210, 5, [5], 1];
const none: Counted = [0, 0, 0, 0, 0, 0, 0, 0, [], 0];

const expected = (): Record<BreakdownDimension, Record<string, Counted>> => ({
  month: { '2026-07': inJuly, '2026-08': inAugust },
  driver: {
    [dora.id]: [5, 4, 4, 9, 5, 420, 260, 5, [10, 10, 10], 0],
    [emil.id]: [4, 0, 2, 4, 4, 715, 600, 4, [], 0],
    // From 19:00 to 22:30 over midnight, and the next day.
    [fred.id]: [4, 0, 2, 3, 3, 510, 300, 5, [5], 1],
  },
  owner: {
    [olga.id]: [6, 0, 3, 6, 6, 985, 690, 6, [10], 0],
    [otto.id]: [4, 2, 3, 6, 4, 510, 280, 4, [10], 1],
    [oona.id]: [3, 2, 2, 4, 2, 150, 190, 4, [10, 5], 0],
  },
  town: {
    Hamburg: [9, 4, 5, 12, 8, 955, 770, 10, [10, 10, 10, 5], 1],
    Boston: [3, 0, 2, 3, 3, 660, 360, 3, [], 0],
    Kiel: alone,
  },
  depot: {
    [hamburg]: [6, 4, 4, 10, 6, 720, 440, 6, [10, 10, 10], 0],
    [boston]: [6, 0, 3, 5, 5, 895, 690, 7, [5], 1],
    '': alone,
  },
  route: {
    [route('Dora')]: doraInJuly,
    [route('Emil')]: emilsDay,
    [route('Fred')]: [2, 0, 1, 2, 2, 330, 210, 2, [], 0],
    [route('late Emil')]: [1, 0, 0, 1, 1, 60, 60, 1, [], 0],
    [route('next day')]: nextDay,
    '': alone,
  },
});

const both = { from: '2026-07-31', to: '2026-08-01' };
const read = (by: BreakdownDimension, period = both) => admin.api.stats.breakdown({ query: { by, ...period } });
const byKey = (rows: (AttemptFigures & { key: string })[]) =>
  Object.fromEntries(rows.map(({ key, ...figures }) => [key, figures]));
const figuresByKey = (groups: Record<string, Counted>) =>
  Object.fromEntries(Object.entries(groups).map(([key, counted]) => [key, figuresOf(counted)]));

async function expectAllCounted() {
  for (const [by, groups] of Object.entries(expected()) as [BreakdownDimension, Record<string, Counted>][]) {
    const { rows, totals, before, more } = await read(by);
    expect(Object.keys(byKey(rows)).toSorted(), by).toEqual(Object.keys(groups).toSorted());
    expect(byKey(rows), by).toMatchObject(figuresByKey(groups));
    expect([totals, before], by).toMatchObject([figuresOf(total), figuresOf(none)]);
    expect(more).toBe(0);
  }
}

test('each figure of a wicked day is what its story says, by month, driver, owner, town, depot and route', async () => {
  await expectAllCounted();
  const august = await read('month', { from: '2026-08-01', to: '2026-08-01' });
  expect([august.totals, august.before]).toMatchObject([figuresOf(inAugust), figuresOf(inJuly)]);
});

test('kept sums are the same, and each is right', async () => {
  while ((await product.ctx.db.transaction(sumStaleDays)) > 0);
  await expectAllCounted();
  expect((await checkSomeDays(product.ctx.db, 20)).wrong).toBe(0);
});

test('the file has the figures of the screen, and the rows behind a figure are as many as it says', async () => {
  for (const [by, groups] of Object.entries(expected()) as [BreakdownDimension, Record<string, Counted>][]) {
    const file = await admin.api.stats.exportBreakdown({ query: { by, ...both } });
    const lines: Record<string, string>[] = parse(await file.text(), { columns: true, bom: true });
    const { rows } = await read(by);
    expect(lines.map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
    for (const [index, row] of rows.entries())
      for (const [figure, value] of Object.entries(row))
        if (typeof value === 'number') expect([figure, Number(lines[index]?.[figure])]).toEqual([figure, round(value)]);
    if (by === 'month') continue;
    for (const [key, [completed, failed, onTime, first]] of Object.entries(groups)) {
      const counts = { completed, failed, onTime, late: completed - onTime, attempts: completed + failed };
      for (const [figure, count] of Object.entries({ ...counts, firstAttempts: first })) {
        const query = { figure: figure as 'completed', by, key, ...both, limit: 1, count: true };
        expect([by, key, figure, (await admin.api.stats.rows({ query })).total]).toEqual([by, key, figure, count]);
      }
    }
  }
});
const round = (value: number) => Math.round(value * 100) / 100;

test('own figures are those of the breakdown', async () => {
  const months = expected().month;
  const own = async (who: TestUser) => who.api.stats.own({ query: both });
  const ofDora = await own(dora);
  expect(ofDora.totals).toMatchObject(figuresOf(expected().driver[dora.id] ?? none));
  expect(byKey(ofDora.rows)).toMatchObject(figuresByKey({ '2026-07': doraInJuly, '2026-08': alone }));
  expect(Object.keys(months)).toEqual(ofDora.rows.map(({ key }) => key).toReversed());
  expect((await own(oona)).totals).toMatchObject(figuresOf(expected().owner[oona.id] ?? none));
});

test('the figures of the organisation count the same attempts, by the days of its zone', async () => {
  const { totals, days } = await admin.api.stats.performance({ query: both });
  expect(totals).toMatchObject({
    started: 19,
    completed: 13,
    onTime: 8,
    late: 5,
    failed: 4,
    firstAttempts: 16,
    created: 0,
  });
  expect(days.map(({ day, completed, failed }) => [day, completed, failed])).toEqual([
    ['2026-07-31', 8, 4],
    ['2026-08-01', 5, 0],
  ]);
});

test('a delivery of the evening that is reopened gives its time to the one after midnight, in kept sums as well', async () => {
  while ((await product.ctx.db.transaction(sumStaleDays)) > 0);
  await admin.api.deliveries.reopen({ ...of('before midnight'), body: { reason: 'The wrong door' } });
  const hours = async () => (await read('route')).rows.find(({ key }) => key === route('Fred'))?.stopsPerHour;
  // One attempt from 19:00 to 22:30.
  expect(await hours()).toBeCloseTo(1 / 3.5);
  while ((await product.ctx.db.transaction(sumStaleDays)) > 0);
  expect(await hours()).toBeCloseTo(1 / 3.5);
  expect((await checkSomeDays(product.ctx.db, 20)).wrong).toBe(0);
});

test('the evening before is read once for all who drive over midnight, and not for a day on which nobody did', async () => {
  const { db } = product.ctx;
  // Thirty drivers from 20:00, who deliver at 23:00, at 0:30 and at 6:00, and one who delivers at noon of the day after.
  await db.query(
    `insert into delivery_attempts (package_id, number, driver_id, owner_id, day, started_at, estimated_delivery_at, ended_at, outcome)
     select gen_random_uuid(), 1, driver.id, $1::uuid, ended.at::date, ended.at - make_interval(mins => ended.since), ended.at, ended.at, 'completed'
     from (select gen_random_uuid() as id from generate_series(1, 30)) driver cross join (values
       (timestamp '2026-06-10 23:00', 180), ('2026-06-11 00:30', 270), ('2026-06-11 06:00', 600)) as ended (at, since)
     union all select gen_random_uuid(), 1, gen_random_uuid(), $1, date '2026-06-12', noon - interval '1 hour', noon, noon, 'completed' from (select timestamp '2026-06-12 12:00' as noon) late`,
    [olga.id],
  );
  const minutes = (day: string) =>
    db.query(
      'select count(*)::integer as attempts, sum(worked_ms)::integer / 60000 as minutes from attempt_facts($1)',
      [[day]],
    );
  expect(await minutes('2026-06-10')).toEqual([{ attempts: 30, minutes: 30 * 180 }]);
  expect(await minutes('2026-06-11')).toEqual([{ attempts: 60, minutes: 30 * (90 + 330) }]);
  /** How often a partition of the attempts was read at most. */
  const readings = async (day: string) => {
    const [facts] = await db.query<{ body: string }>(
      "select prosrc as body from pg_proc where proname = 'attempt_facts'",
    );
    const statement = facts?.body.slice(
      facts.body.indexOf('return query') + 'return query'.length,
      facts.body.lastIndexOf(';'),
    );
    if (!statement?.includes('unnest(days)')) throw new Error('attempt_facts has no statement that could be explained');
    const [row] = await db.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, format json) ${statement.replace('unnest(days)', `unnest(array['${day}'::date])`)}`,
    );
    const counts = new Map<string, number>();
    const visit = (node: Node) => {
      const table = node['Relation Name'] ?? '';
      if (table.startsWith('delivery_attempts')) counts.set(table, (counts.get(table) ?? 0) + node['Actual Loops']);
      for (const inner of node.Plans ?? []) visit(inner);
    };
    visit(row?.['QUERY PLAN'][0]?.Plan ?? { 'Actual Loops': 0 });
    return Math.max(...counts.values());
  };
  expect(await readings('2026-06-11')).toBe(2);
  expect(await readings('2026-06-12')).toBe(1);
});
test('times are rounded to milliseconds like numbers with decimals, whatever their microseconds', async () => {
  const { db } = product.ctx;
  const [rounded] = await db.query<{ expected: string }>(
    `with attempts as (
       insert into delivery_attempts (package_id, number, driver_id, owner_id, day, started_at, arrived_at, estimated_delivery_at, ended_at, outcome)
       select gen_random_uuid(), 1, gen_random_uuid(), $1::uuid, ended_at::date, started_at, started_at, ended_at, ended_at, 'completed'
       from (select timestamptz '2026-05-04T08:00:00.000417Z' as started_at, generate_series(1, 4000) as number) started
         cross join lateral (select started_at + make_interval(secs => number * 7.0035) + number * interval '499 microseconds' as ended_at) ended
       returning ended_at - started_at as took
     )
     select sum(round(extract(epoch from took) * 1000))::text as expected from attempts`,
    [olga.id],
  );
  const [summed] = await db.query<{ delivery: string; door: string; worked: string }>(
    `select sum(delivery_ms)::text as delivery, sum(door_ms)::text as door, sum(worked_ms)::text as worked from attempt_facts(array['2026-05-04'::date])`,
  );
  expect(summed).toEqual({ delivery: rounded?.expected, door: rounded?.expected, worked: rounded?.expected });
});

interface Node {
  'Relation Name'?: string;
  'Actual Loops': number;
  Plans?: Node[];
}
