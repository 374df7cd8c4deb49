import type { DevicePosition, PublicView } from '@waybill/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { noticeArrivals } from '../deliveries/coming-near.ts';
import {
  anyVersion,
  createPackage,
  eventually,
  openTestProduct,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
let time = new Date('2026-06-10T08:00:00.000Z');

beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  admin = await product.register('admin');
  owner = await product.register('owner');
});
afterAll(() => product.close());
beforeEach(async () => {
  time = new Date('2026-06-10T08:00:00.000Z');
  driver = await product.register('driver', 'Dana Driver');
});

const agree = (agreed = true) => driver.api.positions.agree({ body: { agreed } });
/** A point of so many seconds after 08:00. */
const pointAt = (seconds: number, lon = 13.404_954, lat = 52.520_008): DevicePosition => ({
  at: new Date(Date.parse('2026-06-10T08:00:00.000Z') + seconds * 1000).toISOString(),
  lon,
  lat,
});
const report = (...positions: DevicePosition[]) => driver.api.positions.report({ body: { positions } });
const codeOf = (call: Promise<unknown>) =>
  call.then(() => null).catch((error: unknown) => (error as { code: string }).code);
const lastOf = async () => (await admin.api.positions.list()).find(({ driverId }) => driverId === driver.id);
const stored = async () => {
  const rows = await product.ctx.db.query<{ at: Date }>('select at from positions where driver_id = $1 order by at', [
    driver.id,
  ]);
  return rows.map(({ at }) => (at.getTime() - Date.parse('2026-06-10T08:00:00.000Z')) / 1000);
};
const startOne = async () => {
  const pkg = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  return pkg;
};
const track = ({ trackingId }: { trackingId: string }) => product.api().tracking.view({ params: { id: trackingId } });

test('positions are stored only after the driver has agreed, while at work; taking it back deletes them, and both are in the audit log', async () => {
  await startOne();
  expect(await driver.api.positions.consent()).toEqual({ agreedAt: null, keptDays: 30 });
  expect(await codeOf(report(pointAt(0)))).toBe('no_consent');
  expect(await agree()).toEqual({ agreedAt: time.toISOString(), keptDays: 30 });
  time = new Date(time.getTime() + 10_000);
  // From before the consent, and from the future.
  expect(await report(pointAt(-1), pointAt(5), pointAt(90))).toEqual({ accepted: 1, late: 0, refused: 2 });
  expect(await lastOf()).toMatchObject({
    name: 'Dana Driver',
    lon: 13.404_954,
    ageSeconds: 5,
    carrying: 1,
    next: null,
  });
  await agree();
  await product.ctx.db.query('insert into door_stays values (gen_random_uuid(), 1, $1, $2, $2)', [driver.id, time]);
  await agree(false);
  expect([await stored(), await lastOf()]).toEqual([[], undefined]);
  expect(await product.ctx.db.query('select from door_stays where driver_id = $1', [driver.id])).toEqual([]);
  expect(await codeOf(report(pointAt(8)))).toBe('no_consent');
  const acts = (await admin.api.audit.list({ query: {} })).items.map(({ act }) => act);
  expect(acts.filter((act) => act.startsWith('positions.'))).toEqual(['positions.revoked', 'positions.agreed']);
});

test('off duty a phone is told to stop, and what it kept from a shift is still taken', async () => {
  await agree();
  time = new Date(time.getTime() + 60_000);
  expect(await codeOf(report(pointAt(30)))).toBe('off_duty');
  const [startsAt, endsAt] = [30, 1800].map((seconds) => pointAt(seconds).at);
  await admin.api.shifts.create({ body: { driverId: driver.id, startsAt: startsAt ?? '', endsAt: endsAt ?? '' } });
  expect(await report(pointAt(20), pointAt(30))).toEqual({ accepted: 2, late: 0, refused: 0 });
  expect(await lastOf()).toMatchObject({ carrying: 0, routeId: null });
  time = new Date(time.getTime() + 3_600_000);
  expect(await lastOf()).toBeUndefined();
  expect(await report(pointAt(1700), pointAt(1801))).toEqual({ accepted: 1, late: 0, refused: 1 });
  expect(await codeOf(report(pointAt(1900)))).toBe('off_duty');
});

test('the last position is the newest, and the history has each point once, however batches are ordered, split and repeated', async () => {
  await startOne();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 4,
      }),
      async (batches) => {
        await agree(false);
        time = new Date('2026-06-10T08:00:00.000Z');
        await agree();
        time = new Date('2026-06-10T08:10:00.000Z');
        const replies = await Promise.all(
          batches.map((seconds) => report(...seconds.map((second) => pointAt(second, second / 10)))),
        );
        for (const [index, { accepted, late, refused }] of replies.entries())
          expect([accepted + late, refused]).toEqual([batches[index]?.length, 0]);
        const all = [...new Set(batches.flat())].toSorted((a, b) => a - b);
        expect(await stored()).toEqual(all);
        expect(await lastOf()).toMatchObject({ at: pointAt(all.at(-1) ?? 0).at, lon: (all.at(-1) ?? 0) / 10 });
      },
    ),
    { numRuns: 25 },
  );
});

test('of drivers who report at the same moment each gets an own answer, and only what is theirs is stored', async () => {
  const drivers = await Promise.all(['Ann', 'Ben', 'Cem', 'Dee'].map((name) => product.register('driver', name)));
  const [ann, ben, cem, dee] = drivers as [TestUser, TestUser, TestUser, TestUser];
  for (const one of [ann, ben, dee]) await one.api.positions.agree({ body: { agreed: true } });
  for (const one of [ann, ben, cem]) {
    const pkg = await createPackage(owner);
    await one.api.deliveries.start({ params: { id: pkg.id } });
  }
  time = new Date(time.getTime() + 60_000);
  const reportOf = (one: TestUser, ...positions: DevicePosition[]) => one.api.positions.report({ body: { positions } });
  for (let round = 0; round < 5; round++) {
    const start = round * 5;
    const [ofAnn, again, ofBen, ...refused] = await Promise.all([
      reportOf(ann, pointAt(start + 1, 1), pointAt(start + 2, 1)),
      reportOf(ann, pointAt(start + 3, 1)),
      reportOf(ben, pointAt(start + 1, 2), pointAt(-5, 2)),
      codeOf(reportOf(cem, pointAt(start + 1, 3))),
      codeOf(reportOf(dee, pointAt(start + 1, 4))),
    ]);
    expect(ofAnn.accepted + ofAnn.late + again.accepted + again.late).toBe(3);
    expect(ofBen).toEqual({ accepted: 1, late: 0, refused: 1 });
    expect(refused).toEqual(['no_consent', 'off_duty']);
  }
  const rows = await product.ctx.db.query<{ driver_id: string; lon: number; points: number }>(
    'select driver_id, lon, count(*)::integer as points from positions where driver_id = any($1) group by 1, 2 order by 2',
    [drivers.map(({ id }) => id)],
  );
  expect(rows).toEqual([
    { driver_id: ann.id, lon: 1, points: 15 },
    { driver_id: ben.id, lon: 2, points: 5 },
  ]);
  const last = new Map((await admin.api.positions.list()).map(({ driverId, at }) => [driverId, at]));
  expect(drivers.map(({ id }) => last.get(id))).toEqual([pointAt(23).at, pointAt(21).at, undefined, undefined]);
});

test('the tracker shows where the driver is, to three decimals and live, only while its package is the next stop', async () => {
  const [first, second] = [await startOne(), await startOne()];
  const next = (pkg: { id: string }) => driver.api.deliveries.next({ params: { id: pkg.id } });
  await agree();
  // Devices may send more digits than milliseconds have.
  await report({ ...pointAt(0), at: pointAt(0).at.replace('Z', '999Z') });
  const shown = async () => [(await track(first)).driverPosition, (await track(second)).driverPosition];
  expect(await shown()).toEqual([null, null]);
  await next(first);
  const rounded = { lon: 13.405, lat: 52.52, at: pointAt(0).at };
  expect(await shown()).toEqual([rounded, null]);
  await product.ctx.db.query('update public_views set stale = true where package_id = $1', [first.id]);
  expect(await shown()).toEqual([rounded, null]);
  const tracker = await watch(product, `/track/${first.trackingId}/live`);
  time = new Date(time.getTime() + 20_000);
  for (let second = 1; second <= 20; second++) await report(pointAt(second, 13.5));
  const seen = () => tracker.events.map(({ data }) => (data as PublicView).driverPosition?.at);
  await eventually('the position', () => seen().includes(pointAt(20).at));
  // One a second at most, and not one for each report.
  expect(seen().length).toBeLessThan(8);
  tracker.stop();
  time = new Date(time.getTime() + 16 * 60_000);
  expect(await shown()).toEqual([null, null]);
  await report(pointAt(16 * 60));
  await next(second);
  expect(await shown()).toEqual([null, null]);
  await driver.api.deliveries.complete({ params: { id: first.id } });
  expect(await shown()).toEqual([null, { lon: 13.405, lat: 52.52, at: pointAt(16 * 60).at }]);
  await driver.api.deliveries.complete({ params: { id: second.id } });
  expect(await shown()).toEqual([null, null]);
  const third = await startOne();
  await next(third);
  expect((await track(third)).driverPosition).toMatchObject({ lon: 13.405 });
  await agree(false);
  expect((await track(third)).driverPosition).toBeNull();
});

test('the map of Live Operations has drivers at work and the open stops of their routes, and says when the stops have changed', async () => {
  const packageIds: string[] = [];
  for (const number of [1, 2, 3]) {
    const address = { street: `Weg ${number}`, postalCode: '20457', city: 'Hamburg' };
    const { id } = await createPackage(owner, { address });
    // The third has no place.
    if (number < 3)
      await owner.api.packages.setPlace({ params: { id }, body: { lon: 10 + number / 1000, lat: 53.55 } });
    packageIds.push(id);
  }
  const [first = '', second = ''] = packageIds;
  const [depot] = await admin.api.depots.list();
  const { id: routeId } = await admin.api.routes.create({
    body: { day: '2026-06-10', depotId: depot?.id ?? '', driverId: driver.id },
  });
  await admin.api.routes.addStops({ params: { id: routeId }, body: { packageIds } });
  await admin.api.routes.update({ params: { id: routeId }, body: { order: packageIds, version: anyVersion } });
  const shown = async () => {
    const { features } = await admin.api.positions.stops();
    return new Map(
      features
        .filter(({ properties }) => properties.routeId === routeId)
        .map(({ properties: { id, state }, geometry: { coordinates } }) => [id, [state, ...coordinates]]),
    );
  };
  const shownDriver = async () =>
    (await admin.api.positions.drivers()).features.find(({ properties: { id } }) => id === driver.id);
  expect(await shown()).toEqual(new Map());
  await driver.api.routes.start({ params: { id: routeId }, body: {} });
  await agree();
  await report(pointAt(0, 10.123_456_7));
  // What was read a moment before may be answered again.
  await eventually('the driver', async () => (await shownDriver()) !== undefined);
  expect(await shownDriver()).toEqual({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [10.123_46, 52.520_01] },
    properties: { id: driver.id, name: 'Dana Driver', text: 'DD', stale: false },
  });
  expect(await shown()).toEqual(
    new Map([
      [first, ['next', 10.001, 53.55]],
      [second, ['open', 10.002, 53.55]],
    ]),
  );
  const { stopsVersion, driversVersion } = await admin.api.positions.live();
  await report(pointAt(5, 10.125));
  await eventually('the move', async () => (await shownDriver())?.geometry.coordinates[0] === 10.125);
  const moved = await admin.api.positions.live();
  expect(moved.stopsVersion).toBe(stopsVersion);
  expect(moved.driversVersion).not.toBe(driversVersion);
  await driver.api.deliveries.arrive({ params: { id: first } });
  await eventually('the arrival', async () => (await shown()).get(first)?.[0] === 'arrived');
  expect((await admin.api.positions.live()).stopsVersion).not.toBe(stopsVersion);
  await driver.api.deliveries.complete({ params: { id: first } });
  await eventually('the end', async () => (await shown()).size === 1);
  await agree(false);
  await eventually('the withdrawal', async () => (await shownDriver()) === undefined);
});

test('coming near the next stop and staying is an arrival at the time of the phone, told to everybody; the driver takes it back for good', async () => {
  const [pkg, other] = [await startOne(), await startOne()];
  const params = { id: pkg.id };
  await product.ctx.db.query(
    "update packages set place_lon = 10, place_lat = 53.55, place_accuracy = 'rooftop', place_source = 'pin' where id = any($1::uuid[])",
    [[pkg.id, other.id]],
  );
  await driver.api.deliveries.next({ params });
  await agree();
  time = new Date(time.getTime() + 600_000);
  const arrivedAt = async ({ id } = pkg) => {
    await noticeArrivals(product.ctx);
    const { items } = await driver.api.deliveries.mine({ query: {} });
    return items.find((one) => one.id === id)?.arrivedAt;
  };
  const near = (seconds: number) => ({ ...pointAt(seconds, 10, 53.5501), accuracy: 8 });
  // On the way, one wild point at the door, and points that are known to a kilometre.
  await report(pointAt(20, 10, 53.57), near(40), pointAt(60, 10, 53.56));
  await report(...[70, 90, 110].map((second) => ({ ...near(second), accuracy: 1000 })));
  expect(await arrivedAt()).toBeNull();
  // Late, and not in their order.
  await report(near(190));
  await report(near(160), near(130));
  expect(await arrivedAt()).toBe(pointAt(130).at);
  // Only the next stop.
  expect(await arrivedAt(other)).toBeNull();
  const events = async () => (await owner.api.packages.events({ params })).items;
  expect((await events())[0]).toMatchObject({ type: 'delivery.arrived', at: pointAt(130).at, actor: null });
  expect((await track(pkg)).events[0]).toMatchObject({ type: 'delivery.arrived' });
  expect(await arrivedAt()).toBe(pointAt(130).at);
  const retracted = await driver.api.deliveries.retract({ params });
  expect(retracted).toMatchObject({ arrivedAt: null, next: true });
  expect(await driver.api.deliveries.retract({ params })).toEqual(retracted);
  await report(near(220), near(250), near(280));
  expect(await arrivedAt()).toBeNull();
  expect((await events()).slice(0, 3).map(({ type }) => type)).toEqual([
    'delivery.arrival-retracted',
    'delivery.arrived',
    'delivery.next',
  ]);
  // The button still says so, and what the next stop was told by the same place counts from when it became the next.
  await driver.api.deliveries.arrive({ params });
  await driver.api.deliveries.complete({ params });
  await driver.api.deliveries.next({ params: { id: other.id } });
  expect(await arrivedAt(other)).toBeNull();
  time = new Date(time.getTime() + 120_000);
  await report(near(610), near(640), near(670));
  expect(await arrivedAt(other)).toBe(pointAt(610).at);
});

test('what goes back arrives where its driver comes near the return address, and not at the door of its recipient', async () => {
  const sender = await product.register('owner');
  await sender.api.users.updateProfile({ body: { returnAddress: { street: 'Am Kai 3', city: 'Hamburg' } } });
  const pkg = await createPackage(sender);
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  await sender.api.packages.chooseNextStep({ params, body: { kind: 'return' } });
  const { db } = product.ctx;
  await db.query(
    `update packages set place_lon = 10, place_lat = 53.55, place_accuracy = 'rooftop', place_source = 'pin' where id = $1`,
    [pkg.id],
  );
  const setReturnPlace = (accuracy: string) =>
    db.query(
      `update users set return_lon = 10.1, return_lat = 53.6, return_accuracy = $2, return_source = 'pin' where id = $1`,
      [sender.id, accuracy],
    );
  await setReturnPlace('rooftop');
  await admin.api.deliveries.assign({ params, body: { driverId: driver.id } });
  await driver.api.deliveries.next({ params });
  await agree();
  time = new Date(time.getTime() + 600_000);
  const arrivedAt = async () => {
    await noticeArrivals(product.ctx);
    return (await driver.api.deliveries.mine({ query: {} })).items[0]?.arrivedAt;
  };
  const at = (lon: number, lat: number, seconds: number[]) =>
    report(...seconds.map((second) => ({ ...pointAt(second, lon, lat), accuracy: 8 })));
  await at(10, 53.55, [30, 60, 90, 120]);
  expect(await arrivedAt()).toBeNull();
  await at(10.1, 53.6001, [300, 330, 360]);
  expect(await arrivedAt()).toBe(pointAt(300).at);
});

test('nothing is left of the positions of a deleted driver', async () => {
  const pkg = await startOne();
  await agree();
  await report(pointAt(0));
  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  await product.ctx.db.query('insert into door_stays values ($1, 1, $2, $3, $3)', [pkg.id, driver.id, time]);
  await admin.api.users.remove({ params: { id: driver.id } });
  const left = await product.ctx.db.query<{ left: string }>(
    `select (select count(*) from positions where driver_id = $1) + (select count(*) from driver_positions where driver_id = $1)
       + (select count(*) from door_stays where driver_id = $1) + (select count(*) from position_consents where user_id = $1) as left`,
    [driver.id],
  );
  expect(left).toEqual([{ left: '0' }]);
});
