import type { BreakdownDimension, BreakdownRow, Package } from '@waybill/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuildOn } from '../cli/rebuild.ts';
import { measureRoutes } from '../routes/drive.ts';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { checkSomeDays, sumStaleDays } from './attempt-sums.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
let depotId: string;
let routeId: string;
let packages: Package[];
let time = new Date('2026-06-10T06:00:00.000Z');

// In Hamburg, 10 June ends at 22:00 UTC.
const clock = (hoursAndMinutes: string) => (time = new Date(`2026-06-10T${hoursAndMinutes}:00.000Z`));
const at = ({ id }: { id: string }) => ({ params: { id } });
const june = { from: '2026-06-01', to: '2026-06-30' };
const read = (by: BreakdownDimension, period = june, who = admin) =>
  who.api.stats.breakdown({ query: { by, ...period } });

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false, now: () => time, config: { TIME_ZONE: 'Europe/Berlin' } });
  admin = await product.register('admin');
  owner = await product.register('owner', '=Olga Owner');
  driver = await product.register('driver', 'Dora Driver');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
  packages = [];
  const window = { from: '2026-06-10T18:00:00.000Z', to: '2026-06-10T20:00:00.000Z' };
  for (const city of ['Hamburg', 'Hamburg', 'Hamburg', 'Kiel']) {
    const address = { street: 'Am Markt 3', postalCode: '20095', city };
    packages.push(await createPackage(owner, { address, ...(city === 'Kiel' ? { window } : { eta: '2026-06-10' }) }));
  }
  const route = await admin.api.routes.create({ body: { day: '2026-06-10', depotId, driverId: driver.id } });
  routeId = route.id;
  await admin.api.routes.addStops({ ...at(route), body: { packageIds: packages.map(({ id }) => id) } });
  await driver.api.routes.start({ ...at(route), body: { missing: [] } });
  const [one, two, three, four] = packages as [Package, Package, Package, Package];
  // A door of two at 8:20, after 10 minutes there; a failed attempt at 9:00; a late one at 23:30 by the clock of the depot.
  clock('06:10');
  await driver.api.deliveries.arrive(at(one));
  clock('06:20');
  await driver.api.deliveries.complete(at(one));
  await driver.api.deliveries.complete(at(two));
  clock('07:00');
  await driver.api.deliveries.fail({ ...at(three), body: { reason: 'Nobody home' } });
  clock('21:30');
  await driver.api.deliveries.complete(at(four));
});
afterAll(() => product.close());

const expected = {
  completed: 3,
  failed: 1,
  successRate: 75,
  onTime: 2,
  firstAttempts: 4,
  firstAttemptSuccess: 75,
  minutesAtDoor: 10,
  attemptsPerPackage: 1,
  returns: 0,
};

test('attempts count for their month, driver, owner, town, depot and route, by the day of the depot', async () => {
  expect((await read('month')).rows).toMatchObject([{ key: '2026-06', name: null, ...expected }]);
  expect((await read('driver')).rows).toMatchObject([{ key: driver.id, name: 'Dora Driver', ...expected }]);
  expect((await read('owner')).rows).toMatchObject([{ key: owner.id, name: '=Olga Owner', ...expected }]);
  expect((await read('depot')).rows).toMatchObject([{ key: depotId, ...expected }]);
  expect((await read('route')).rows).toMatchObject([
    { key: routeId, route: { day: '2026-06-10', driver: 'Dora Driver' }, ...expected },
  ]);
  const towns = await read('town');
  expect(towns.totals).toMatchObject(expected);
  expect(towns.rows.map(({ key, completed, failed, onTime }) => [key, completed, failed, onTime])).toEqual([
    ['Hamburg', 2, 1, 2],
    ['Kiel', 1, 0, 0],
  ]);
  // Four stops from 6:00 to 21:30; two of them at one door in no time.
  expect(towns.totals.stopsPerHour).toBeCloseTo(4 / 15.5);
  expect(towns.totals.averageDeliveryTime).toBeCloseTo((20 + 20 + 930) / 3);
  const day = { from: '2026-06-10', to: '2026-06-10' };
  expect((await read('depot', day)).totals.completed).toBe(3);
  expect((await read('depot', { from: '2026-06-11', to: '2026-06-11' })).rows).toEqual([]);
});

test('a breakdown that is read again names its rows as they are called now', async () => {
  const names = async () => (await read('driver')).rows.map(({ name }) => name);
  const rename = (name: string) => product.ctx.db.query('update users set name = $1 where id = $2', [name, driver.id]);
  expect([await names(), await names()]).toEqual([['Dora Driver'], ['Dora Driver']]);
  await rename('Dora Diaz');
  expect(await names()).toEqual(['Dora Diaz']);
  await rename('Dora Driver');
});

test('a period is compared with the one before it', async () => {
  const after = await read('driver', { from: '2026-06-11', to: '2026-06-11' });
  expect([after.totals.completed, after.before.completed, after.rows]).toEqual([0, 3, []]);
  expect(after.totals).toMatchObject({ successRate: null, stopsPerHour: null, minutesAtDoor: null });
});

test('kept sums are those of the attempts, also after a delivery is reopened or repeated; wrong ones are found and mended', async () => {
  const dimensions = ['month', 'driver', 'owner', 'town', 'depot', 'route'] as const;
  const all = () =>
    Promise.all(
      dimensions.map(async (by) => {
        const { asOf: _, ...breakdown } = await read(by);
        return breakdown;
      }),
    );
  const live = await all();
  // The clock of the database is long after June: the day is over, and so is the day after, whose time on the road may begin with it.
  expect(await product.ctx.db.transaction(sumStaleDays)).toBe(2);
  expect(await product.ctx.db.transaction(sumStaleDays)).toBe(0);
  expect(await all()).toEqual(live);
  const [one] = packages as [Package];
  await admin.api.deliveries.reopen({ ...at(one), body: { reason: 'The wrong door' } });
  expect((await read('town')).rows[0]).toMatchObject({ key: 'Hamburg', completed: 1, failed: 1 });
  clock('21:40');
  await driver.api.deliveries.complete(at(one));
  const again = await all();
  expect(again[1]?.totals).toMatchObject({ completed: 3, failed: 1 });
  await product.ctx.db.transaction(sumStaleDays);
  expect(await all()).toEqual(again);
  expect(await checkSomeDays(product.ctx.db)).toEqual({ size: 1, wrong: 0 });
  await product.ctx.db.query("update attempt_sums set completed = completed + 5 where by = 'all'");
  expect((await read('driver')).totals.completed).toBe(8);
  expect(await checkSomeDays(product.ctx.db)).toEqual({ size: 1, wrong: 1 });
  expect((await rebuildOn(product.connection)).days).toBe(1);
  expect(await all()).toEqual(again);
});

test('any period is the sum of its days, also where sums of several days are kept and some are stale', async () => {
  const { db } = product.ctx;
  const days = 140;
  // Two attempts a day in 2025, of two drivers in three towns.
  const other = await product.register('driver');
  await db.query(
    `insert into delivery_attempts (package_id, number, driver_id, owner_id, town, day, started_at, ended_at, outcome, estimated_delivery_at)
     select $1, 100 + n, case when n % 3 = 0 then $2::uuid else $3::uuid end, $4, 'Town ' || n % 3, at::date, at, at + interval '20 minutes',
       case when n % 5 = 0 then 'failed' else 'completed' end, at
     from generate_series(0, $5::integer * 2 - 1) as n, lateral (select '2025-03-01T06:00Z'::timestamptz + n / 2 * interval '1 day' + n % 2 * interval '1 hour') as of_n (at)`,
    [packages[0]?.id, driver.id, other.id, owner.id, days],
  );
  const stale = (condition: string) =>
    db.query(
      `insert into attempt_sums_stale select distinct day from delivery_attempts where day between '2025-03-01' and '2025-08-01' and ${condition}`,
    );
  const dayAt = (n: number) => new Date(Date.UTC(2025, 2, 1 + n)).toISOString().slice(0, 10);
  const periods = [
    [0, 0],
    [3, 90],
    [5, 6],
    [17, 139],
    [64, 127],
    [100, 139],
  ].map(([from = 0, to = 0]) => ({ from: dayAt(from), to: dayAt(to) }));
  const all = () =>
    Promise.all(
      periods.flatMap((period) =>
        (['month', 'driver', 'owner', 'town', 'depot'] as const).map(async (by) => {
          const { asOf: _, ...breakdown } = await read(by, period);
          return breakdown;
        }),
      ),
    );
  await stale('true');
  const live = await all();
  expect(live.map(({ totals }) => totals.completed + totals.failed)).toEqual(
    periods.flatMap(({ from, to }) => Array(5).fill((2 * (Date.parse(to) - Date.parse(from))) / 86_400_000 + 2)),
  );
  while ((await db.transaction(sumStaleDays)) > 0);
  const spans = await db.query<{ days: number }>('select distinct days from attempt_sum_spans order by days');
  expect(spans.map((span) => span.days)).toEqual([4, 16, 64]);
  expect(await all()).toEqual(live);
  // Now from what the server remembers; also where it has to read a part of it again, and after sums were replaced without its knowledge.
  expect(await all()).toEqual(live);
  await stale('extract(day from day) in (7, 8, 20)');
  expect(await all()).toEqual(live);
  const [first] = periods;
  const add = (completed: number) =>
    db.query("update attempt_sums set completed = completed + $1::integer where day = $2 and by <> 'all'", [
      completed,
      first?.from,
    ]);
  await add(1000);
  expect((await read('driver', first)).rows[0]?.completed).toBeGreaterThan(1000);
  await add(-1000);
  expect(await all()).toEqual(live);
  while ((await db.transaction(sumStaleDays)) > 0);
  await db.query('update attempt_sum_spans set failed = failed + 1 where days = 16');
  expect((await rebuildOn(product.connection)).days).toBeGreaterThan(0);
  expect(await all()).toEqual(live);
  await db.query("delete from delivery_attempts where day < '2025-08-01'");
  await rebuildOn(product.connection);
  expect((await read('month', { from: dayAt(0), to: dayAt(139) })).totals.completed).toBe(0);
});

test('a return counts, and is no attempt', async () => {
  const failed = packages[2] as Package;
  await owner.api.users.updateProfile({
    body: { returnAddress: { street: 'Am Kai 3', postalCode: '20457', city: 'Hamburg', country: null } },
  });
  await owner.api.packages.chooseNextStep({ ...at(failed), body: { kind: 'return' } });
  await admin.api.routes.finish({ params: { id: routeId }, body: { returned: [failed.id] } });
  const before = (await read('driver')).totals;
  await admin.api.deliveries.assign({ ...at(failed), body: { driverId: driver.id } });
  await driver.api.deliveries.complete(at(failed));
  expect((await read('driver')).totals).toEqual({ ...before, returns: 1 });
  expect((await read('depot')).rows).toMatchObject([{ key: depotId, returns: 1 }]);
  await product.ctx.db.transaction(sumStaleDays);
  expect((await read('owner')).totals).toEqual({ ...before, returns: 1 });
});

test('the kilometres, CO2 and cost of finished routes count for month, driver, depot and route, as far as places are known', async () => {
  const { db } = product.ctx;
  const setPlace = (table: string, ids: string[], lon: number, lat: number) =>
    db.query(`update ${table} set place_lon = $2, place_lat = $3, place_accuracy = 'pin' where id = any($1::uuid[])`, [
      ids,
      lon,
      lat,
    ]);
  await setPlace('depots', [depotId], 10, 53.5);
  const ids = packages.map(({ id }) => id);
  await setPlace('packages', ids.slice(0, 2), 10, 53.6);
  await setPlace('packages', ids.slice(3), 10, 53.7);
  await driver.api.users.updateProfile({ body: { vehicleInfo: { type: 'Electric van' } } });
  const route = await admin.api.routes.read({ params: { id: routeId } });
  // 0.2 degrees of latitude there and back, 1.35 times as far by road; the third stop has no place.
  const metres = 2 * 1.35 * 22_239;
  expect(route.drive).toMatchObject({ co2Kg: 0, travelTimes: 'estimated', withoutPlace: 1 });
  expect(Math.abs((route.drive?.metres ?? 0) - metres)).toBeLessThan(100);
  await admin.api.users.update({ params: { id: driver.id }, body: { vehicleInfo: { gramsPerKm: 200 } } });
  expect(route.drive?.cost).toBeNull();
  await admin.api.settings.update({ body: { costPerKilometre: 0.5, costPerHour: 20, currency: 'chf' } });
  const { drive } = await admin.api.routes.read({ params: { id: routeId } });
  const cost = (drive?.metres ?? 0) / 2000 + (drive?.seconds ?? 0) / 180;
  expect(drive?.cost).toEqual({ amount: expect.closeTo(cost, 1) as number, currency: 'CHF' });
  expect((await driver.api.routes.read({ params: { id: routeId } })).drive?.cost).toBeNull();
  // As the job does that the end of the route enqueued.
  await db.query('update routes set finished_at = now() where id = $1', [routeId]);
  await measureRoutes(product.ctx);
  for (const by of ['month', 'driver', 'depot', 'route'] as const) {
    const { rows, totals, before } = await read(by);
    expect([by, rows[0]?.kilometres]).toEqual([by, totals.kilometres]);
    expect(totals.kilometres).toBeCloseTo((route.drive?.metres ?? 0) / 1000, 3);
    expect(totals.co2Kg).toBeCloseTo((totals.kilometres ?? 0) * 0.2, 2);
    expect([before.kilometres, before.cost]).toEqual([null, null]);
    expect([totals.cost, rows[0]?.cost]).toEqual([drive?.cost?.amount, drive?.cost?.amount]);
  }
  for (const by of ['owner', 'town'] as const)
    expect(await read(by)).toMatchObject({
      totals: { kilometres: null },
      rows: [{ co2Kg: null }, ...(by === 'town' ? [{}] : [])],
    });
  expect((await read('depot')).currency).toBe('CHF');
  // What a route has cost stays, and its driver is not told.
  await admin.api.settings.update({ body: { costPerKilometre: 9, currency: null } });
  expect((await read('route')).totals.cost).toBe(drive?.cost?.amount);
  const own = await driver.api.stats.own({ query: june });
  expect([own.totals.cost, own.rows[0]?.cost, own.currency]).toEqual([null, null, null]);
  expect(own.totals.kilometres).toBeGreaterThan(59);
  expect((await owner.api.stats.own({ query: june })).totals.kilometres).toBeNull();
  // What is measured does not change any more.
  await setPlace('depots', [depotId], 11, 53.5);
  await measureRoutes(product.ctx);
  expect((await admin.api.routes.read({ params: { id: routeId } })).drive?.metres).toBe(route.drive?.metres);
});

test('the rows behind a group are its attempts', async () => {
  const rows = async (by: BreakdownDimension, key: string, figure = 'attempts') => {
    const query = { figure: figure as 'attempts', by, key, ...june, count: true };
    const { items, total } = await admin.api.stats.rows({ query });
    expect(total).toBe(items.length);
    return items.map(({ packageId }) => packageId ?? '').toSorted((a, b) => (a < b ? -1 : 1));
  };
  const ids = packages.map(({ id }) => id);
  for (const [by, key] of Object.entries({
    month: '',
    driver: driver.id,
    owner: owner.id,
    depot: depotId,
    route: routeId,
  }))
    expect([by, await rows(by as 'month', key)]).toEqual([by, ids.toSorted((a, b) => (a < b ? -1 : 1))]);
  expect(await rows('town', 'Kiel')).toEqual([ids[3]]);
  expect(await rows('town', 'Kiel', 'late')).toEqual([ids[3]]);
  expect(await rows('town', '')).toEqual([]);
  await expect(admin.api.stats.rows({ query: { figure: 'created', by: 'town' } })).rejects.toMatchObject({
    status: 422,
    fields: { by: 'Only figures of attempts have a breakdown' },
  });
});

test('a file has the same rows, and no formula', async () => {
  const answer = await admin.api.stats.exportBreakdown({ query: { by: 'owner', ...june } });
  expect(answer.headers.get('content-disposition')).toContain('figures-by-owner-2026-06-01-to-2026-06-30.csv');
  const lines: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true });
  const [row] = (await read('owner')).rows as [BreakdownRow];
  expect(lines).toMatchObject([
    { key: owner.id, name: "'=Olga Owner", completed: String(row.completed), successRate: '75', returns: '1' },
  ]);
});

test('a driver and an owner read their own figures, by month; others need the permissions for the names', async () => {
  const mine = await driver.api.stats.own({ query: june });
  expect(mine.rows).toMatchObject([{ key: '2026-06', completed: 3, failed: 1, returns: 1 }]);
  // Owners share routes.
  const shared = { kilometres: null, co2Kg: null };
  expect((await owner.api.stats.own({ query: june })).totals).toEqual({ ...mine.totals, ...shared });
  const other = await product.register('driver');
  expect((await other.api.stats.own({ query: june })).rows).toEqual([]);
  const analyst = await product.register('admin');
  await admin.api.users.update({
    params: { id: analyst.id },
    body: { permissions: ['admin.access', 'admin.view_analytics'] },
  });
  expect((await read('town', june, analyst)).rows).toHaveLength(2);
  for (const by of ['driver', 'owner', 'route'] as const)
    await expect(read(by, june, analyst)).rejects.toMatchObject({ status: 403 });
});

test.each([
  [{ from: '2026-06-02', to: '2026-06-01' }, 'to must not be before from'],
  [{ from: '2024-01-01', to: '2026-06-01' }, 'A period has at most 731 days'],
])('the period %j is refused: %s', async (period, message) => {
  await expect(read('month', period)).rejects.toMatchObject({ status: 422, fields: { to: message } });
});
