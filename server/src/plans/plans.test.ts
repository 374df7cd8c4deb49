import type { Package, Plan } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OptimizerFailed } from '../optimizer/threads.ts';
import { costOfOrder, everyPlan, smallDay } from '../testing/best-plan.ts';
import {
  anyVersion,
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { startFakeEngine } from '../testing/fake-engine.ts';
import { claimPlan } from './queries.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let depotId: string;
let time = new Date('2026-06-09T18:00:00.000Z');
const day = '2026-06-10';

beforeAll(async () => {
  product = await openTestProduct({ now: () => time, config: { TIME_ZONE: 'UTC' } });
  admin = await product.register('admin');
  owner = await product.register('owner');
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
});
afterAll(() => product.close());

const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);
const setPlace = (table: 'packages' | 'depots', id: string, lon: number, lat: number, accuracy = 'pin') =>
  product.ctx.db.query(
    `update ${table} set place_lon = $2, place_lat = $3, place_accuracy = $4, place_source = 'pin' where id = $1`,
    [id, lon, lat, accuracy],
  );
/** At hours of a clock face around the depot, twice as far in `far`. */
const place = (pkg: Package, hour: number, far = 1) =>
  setPlace(
    'packages',
    pkg.id,
    9.99 + far * 0.03 * Math.cos((hour * Math.PI) / 6),
    53.55 + far * 0.018 * Math.sin((hour * Math.PI) / 6),
  );
const driverWithShift = async (name: string) => {
  const driver = await product.register('driver', name);
  await admin.api.shifts.create({
    body: { driverId: driver.id, startsAt: `${day}T07:00:00Z`, endsAt: `${day}T12:00:00Z` },
  });
  return driver;
};
const create = (body: object = {}) => admin.api.plans.create({ body: { day, depotId, limitSeconds: 1, ...body } });
const read = ({ id }: { id: string }, who = admin) => who.api.plans.read({ params: { id } });
async function solved(plan: Plan): Promise<Plan> {
  await eventually('the plan', async () => (await read(plan)).state !== 'solving');
  return read(plan);
}

test('a day is planned: windows are kept, what is left out has its reason, and the plan becomes routes, all or nothing', async () => {
  expect(await failureOf(create())).toMatchObject({ code: 'no_place' });
  await setPlace('depots', depotId, 9.99, 53.55);
  expect(await failureOf(create())).toMatchObject({ code: 'no_driver' });
  const drivers = [await driverWithShift('Dana'), await driverWithShift('Emil')];
  expect(await failureOf(create())).toMatchObject({ code: 'empty' });

  const address = { street: 'Am Markt 3', postalCode: '20095', city: 'Hamburg' };
  const packages: Package[] = [];
  for (let hour = 1; hour <= 12; hour++) packages.push(await createPackage(owner, { address }));
  const [urgent, impossible, unplaced, inTown] = packages.slice(8) as [Package, Package, Package, Package];
  expect(await failureOf(create())).toMatchObject({ code: 'no_place' });
  for (const [index, pkg] of packages.slice(0, 10).entries()) await place(pkg, index < 4 ? index : index + 2);
  await setPlace('packages', inTown.id, 9.99, 53.55, 'town');
  const window = (from: string, to: string) => ({ from: `${day}T${from}:00.000Z`, to: `${day}T${to}:00.000Z` });
  const setWindow = (pkg: Package, of: object) =>
    owner.api.packages.update({ params: { id: pkg.id }, body: { window: of } as never });
  await setWindow(urgent, window('07:00', '07:30'));
  await setWindow(impossible, window('13:00', '14:00'));

  const begun = await create();
  expect(begun).toMatchObject({ state: 'solving', day, depotId, limitSeconds: 1, routes: [] });
  const plan = await solved(begun);
  expect(plan).toMatchObject({ state: 'ready', failure: null, travelTimes: 'estimated' });
  const reasons = new Map(plan.unassigned.map(({ packageId, reason }) => [packageId, reason]));
  expect(reasons).toEqual(
    new Map([
      [unplaced.id, 'no_place'],
      [inTown.id, 'no_place'],
      [impossible.id, 'window'],
    ]),
  );
  const stops = plan.routes.flatMap((route) => route.stops);
  expect(new Set(stops.map(({ packageId }) => packageId))).toEqual(new Set(packages.slice(0, 9).map(({ id }) => id)));
  expect(stops).toHaveLength(9);
  expect(plan.routes.map(({ driverId }) => driverId).toSorted()).toEqual(drivers.map(({ id }) => id).toSorted());
  const arrival = stops.find(({ packageId }) => packageId === urgent.id)?.arrivesAt ?? '';
  expect(arrival <= window('07:00', '07:30').to).toBe(true);
  for (const route of plan.routes) {
    expect(route.startsAt >= `${day}T07:00:00.000Z` && route.endsAt <= `${day}T12:00:00.000Z`).toBe(true);
    expect(route.stops.length).toBeLessThanOrEqual(7);
  }
  const metres = plan.routes.reduce((sum, route) => sum + route.metres, 0);
  expect(metres).toBeLessThanOrEqual(plan.split?.metres ?? 0);
  expect(plan.rates).toBeNull();
  await admin.api.settings.update({ body: { costPerHour: 30 } });
  const { rates } = await admin.api.plans.read({ params: { id: plan.id } });
  expect(rates).toEqual({ perKilometre: 0, perHour: 30, currency: 'EUR' });
  await admin.api.settings.update({ body: { costPerHour: null } });
  expect(plan.best.at(-1)?.cost).toBe(Math.round(plan.cost ?? 0));

  // Something changed: nothing of it is planned.
  const [first] = stops;
  const params = { id: first?.packageId ?? '' };
  await owner.api.packages.update({ params, body: { status: 'cancelled' } });
  expect(await failureOf(admin.api.plans.apply({ params: plan }))).toMatchObject({
    code: 'stale',
    fields: { [params.id]: 'This package is no longer available' },
  });
  expect((await admin.api.routes.list({ query: { day } })).items).toEqual([]);

  const again = await solved(await create());
  const [applied, repeated] = [
    await admin.api.plans.apply({ params: again }),
    await admin.api.plans.apply({ params: again }),
  ];
  expect(repeated).toEqual(applied);
  const routes = (await admin.api.routes.list({ query: { day } })).items;
  const stopsOf = (list: { stops: { packageId: string }[] }[]) =>
    list.map((route) => route.stops.map(({ packageId }) => packageId).join()).toSorted();
  expect(stopsOf(routes)).toEqual(stopsOf(again.routes));
  expect(new Set(applied.routes.map(({ routeId }) => routeId))).toEqual(new Set(routes.map(({ id }) => id)));
  expect(await failureOf(create())).toMatchObject({ code: 'no_driver' });
  expect(await failureOf(create({ driverIds: [drivers[0]?.id] }))).toMatchObject({ status: 422 });
  for (const { id } of routes) await admin.api.routes.remove({ params: { id } });
});

test('what goes back is planned at the return address, in no window of its recipient, and not without the place of that address', async () => {
  await setPlace('depots', depotId, 9.99, 53.55);
  const [dana, sender] = [await driverWithShift('Dora'), await product.register('owner')];
  await sender.api.users.updateProfile({ body: { returnAddress: { street: 'Am Kai 3', city: 'Hamburg' } } });
  const window = { from: `${day}T20:00:00.000Z`, to: `${day}T21:00:00.000Z` };
  const back = await createPackage(sender, { address: { street: 'Am Markt 3', city: 'Hamburg' }, window });
  const params = { id: back.id };
  await place(back, 3, 20);
  await dana.api.deliveries.start({ params });
  await dana.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  await sender.api.packages.chooseNextStep({ params, body: { kind: 'return' } });
  const near = await createPackage(owner);
  await place(near, 3);
  const planOf = () => create({ driverIds: [dana.id], packageIds: [back.id, near.id] }).then(solved);
  const without = await planOf();
  expect(without.unassigned).toEqual([expect.objectContaining({ packageId: back.id, reason: 'no_place' })]);
  // At the same place as the other one: not a metre more.
  await product.ctx.db.query(
    `update users set (return_lon, return_lat, return_accuracy, return_source) = (select place_lon, place_lat, 'pin', 'pin' from packages where id = $2) where id = $1`,
    [sender.id, near.id],
  );
  const plan = await planOf();
  expect(plan.unassigned).toEqual([]);
  expect(plan.routes.map(({ stops }) => stops.map(({ packageId }) => packageId).toSorted())).toEqual([
    [back.id, near.id].toSorted(),
  ]);
  expect(plan.routes[0]?.metres).toBe(without.routes[0]?.metres);
  const shown = (id: string) => plan.routes[0]?.stops.find(({ packageId }) => packageId === id);
  expect(shown(back.id)).toMatchObject({ street: 'Am Kai 3', window: null, place: shown(near.id)?.place });
  await admin.api.plans.apply({ params: plan });
  const [route] = (await admin.api.routes.list({ query: { day, driverId: dana.id } })).items;
  expect(route?.drive).toMatchObject({ withoutPlace: 0 });
  expect(route?.stops.find(({ packageId }) => packageId === back.id)?.delivery.recipientAddress).toBe(
    'Am Kai 3, Hamburg',
  );
  await admin.api.routes.remove({ params: { id: route?.id ?? '' } });
  await sender.api.packages.update({ params, body: { status: 'cancelled' } });
  await owner.api.packages.update({ params: { id: near.id }, body: { status: 'cancelled' } });
  await admin.api.users.update({ params: { id: dana.id }, body: { status: 'suspended' } });
});

test('a plan keeps to what vehicles can carry and to where drivers begin and end; a route that is made by hand says what its vehicle can carry', async () => {
  const [cold, warm] = [await driverWithShift('Grete'), await driverWithShift('Hanno')];
  const home = { lon: 10.2, lat: 53.55 };
  await cold.api.users.updateProfile({ body: { vehicleInfo: { capacityKg: 6, skills: ['refrigerated'] } } });
  await admin.api.users.update({
    params: { id: warm.id },
    body: { vehicleInfo: { maxStops: 1 }, startPlace: home, endPlace: home },
  });
  const make = async (hour: number, fields: object) => {
    const pkg = await createPackage(owner, fields);
    await place(pkg, hour);
    return pkg;
  };
  const refrigerated = { handling: { refrigerated: true } };
  const [milk, fish, ice] = [await make(1, refrigerated), await make(2, refrigerated), await make(3, refrigerated)];
  const [safe, book, lamp] = [await make(4, { weight: 50 }), await make(5, {}), await make(6, {})];
  const ids = (...of: { id: string }[]) => of.map(({ id }) => id);
  const plan = await solved(
    await create({ driverIds: ids(cold, warm), packageIds: ids(milk, fish, ice, safe, book), confirm: true }),
  );
  const stopsOf = (driver: { id: string }) =>
    plan.routes.find(({ driverId }) => driverId === driver.id)?.stops.map(({ packageId }) => packageId) ?? [];
  expect(stopsOf(cold)).toHaveLength(2);
  expect(ids(milk, fish, ice)).toEqual(expect.arrayContaining(stopsOf(cold)));
  expect(stopsOf(warm)).toHaveLength(1);
  // Both would fit into the first vehicle but for their weight.
  expect(plan.unassigned.map(({ reason }) => reason)).toEqual(['capacity', 'capacity']);
  // Some 14 km there, and as far back.
  expect(plan.routes.find(({ driverId }) => driverId === warm.id)?.metres).toBeGreaterThan(25_000);
  expect(plan.routes.find(({ driverId }) => driverId === warm.id)).toMatchObject({ start: home, end: home });
  expect(plan.routes.find(({ driverId }) => driverId === cold.id)).toMatchObject({ start: null, end: null });
  const only = await solved(await create({ driverIds: [warm.id], packageIds: ids(milk, book, lamp), confirm: true }));
  expect(only.unassigned.map(({ reason }) => reason).toSorted()).toEqual(['skill', 'too_many_stops']);

  const route = await admin.api.routes.create({ body: { day, depotId, driverId: warm.id, confirm: true } });
  expect(route).toMatchObject({ vehicle: { capacityKg: null, maxStops: 1, skills: [] }, start: home, end: home });
  const { done } = await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: ids(milk, safe) } });
  expect(done).toHaveLength(2);
  await admin.api.routes.remove({ params: { id: route.id } });
  await admin.api.plans.remove({ params: only });

  // A VROOM that is set: its routes count if they pass, and the day goes on if it breaks.
  const engine = await startFakeEngine();
  const { config } = product.ctx;
  try {
    product.ctx.config = { ...config, OPTIMIZER_URL: engine.url };
    const wanted = { driverIds: [cold.id], packageIds: ids(milk, fish), confirm: true };
    const steps = [
      { type: 'job', id: 1 },
      { type: 'job', id: 0 },
    ];
    engine.answer = () => ({ code: 0, routes: [{ vehicle: 0, steps }] });
    const byVroom = await solved(await create(wanted));
    expect(byVroom).toMatchObject({ state: 'ready', optimizer: 'vroom', missed: [], unassigned: [] });
    expect(byVroom.routes[0]?.stops).toHaveLength(2);
    engine.fault = 'HTML';
    const without = await solved(await create(wanted));
    expect(without).toMatchObject({ state: 'ready', optimizer: 'built-in', missed: ['vroom'], unassigned: [] });
    for (const params of [byVroom, without]) await admin.api.plans.remove({ params });
  } finally {
    product.ctx.config = config;
    await engine.close();
  }
});

test('planned routes are planned anew with what waits: the one best plan is found, changed by hand and applied; one more is placed where it costs least', async () => {
  await setPlace('depots', depotId, 9.99, 53.55);
  const [near, far] = [await driverWithShift('Ida'), await driverWithShift('Jost')];
  const { depot, home, stops: spots } = smallDay;
  await admin.api.users.update({ params: { id: far.id }, body: { startPlace: home } });
  const packages: Package[] = [];
  for (const [index, { lon, lat }] of spots.entries()) {
    const pkg = await createPackage(owner, { name: `Best ${index}` });
    await setPlace('packages', pkg.id, lon, lat);
    packages.push(pkg);
  }
  const ids = packages.map(({ id }) => id);
  const window = { from: `${day}T07:00:00.000Z`, to: `${day}T07:10:00.000Z` };
  await owner.api.packages.update({ params: { id: ids[3] ?? '' }, body: { window } });
  const planned = async (driverId: string, packageIds: string[]) => {
    const { id } = await admin.api.routes.create({ body: { day, depotId, driverId, confirm: true } });
    await admin.api.routes.addStops({ params: { id }, body: { packageIds } });
    return id;
  };
  const [one, other] = [
    await planned(near.id, [ids[0] ?? '', ids[4] ?? '']),
    await planned(far.id, [ids[3] ?? '', ids[1] ?? '']),
  ];

  const [best, second] = everyPlan();
  expect(second?.cost).toBeGreaterThan((best?.cost ?? Infinity) + 1);
  const wanted = new Map([
    [near.id, best?.near.map((stop) => ids[stop])],
    [far.id, best?.far.map((stop) => ids[stop])],
  ]);

  const input = { driverIds: [near.id, far.id], packageIds: [ids[2], ids[5]], routeIds: [one, other], confirm: true };
  expect(await failureOf(create({ ...input, routeIds: [] }))).toMatchObject({ status: 422 });
  expect(await failureOf(create({ ...input, routeIds: [near.id] }))).toMatchObject({ status: 422 });
  const plan = await solved(await create(input));
  const stopsOf = ({ routes }: Pick<Plan, 'routes'>) =>
    new Map(routes.map(({ driverId, stops }) => [driverId, stops.map(({ packageId }) => packageId)]));
  expect(stopsOf(plan)).toEqual(wanted);
  expect(plan.cost).toBeCloseTo(best?.cost ?? 0, 3);
  expect(plan.routes.flatMap(({ faults }) => faults)).toEqual([]);
  expect(plan.routes[0]?.stops[0]).toMatchObject({ place: { lon: expect.any(Number) as number } });
  expect(plan.present.map(({ routeId, stops, late }) => ({ routeId, stops, late }))).toEqual([
    { routeId: one, stops: 2, late: 0 },
    // From home the first window is too far away.
    { routeId: other, stops: 2, late: 1 },
  ]);
  expect(plan.present.reduce((sum, { metres, seconds }) => sum + 0.02 * metres + seconds, 0)).toBeCloseTo(
    costOfOrder(depot, [0, 4]) + costOfOrder(home, [3, 1], Infinity),
    3,
  );

  // By hand: the stop with a window comes last, and one is taken out.
  const mine = plan.routes.find(({ stops }) => stops.some(({ packageId }) => packageId === ids[3]));
  const others = plan.routes.filter((route) => route !== mine);
  const asInput = ({ driverId, stops }: Plan['routes'][number]) => ({
    driverId,
    packageIds: stops.map(({ packageId }) => packageId),
  });
  const before = plan.routes.map(asInput);
  const late = (mine ? asInput(mine).packageIds : []).filter((id) => id !== ids[3]);
  const out = late.shift() ?? '';
  const change = (version: number, routes: typeof before) =>
    admin.api.plans.change({ params: plan, body: { version, routes } });
  const changed = await change(1, [
    ...others.map(asInput),
    { driverId: mine?.driverId ?? '', packageIds: [...late, ids[3] ?? ''] },
  ]);
  expect(changed).toMatchObject({ version: 2, unassigned: [{ packageId: out, reason: 'taken_out' }] });
  expect(changed.routes.find(({ driverId }) => driverId === mine?.driverId)?.faults).toEqual([
    { reason: 'window', packageId: ids[3], by: expect.any(Number) as number },
  ]);
  expect(await failureOf(change(1, before))).toMatchObject({ code: 'stale' });
  expect(await failureOf(change(2, [{ driverId: admin.id, packageIds: [out] }]))).toMatchObject({ status: 422 });
  const restored = await change(2, before);
  expect(restored).toMatchObject({ version: 3, unassigned: [] });
  expect(stopsOf(restored)).toEqual(wanted);
  expect(restored.cost).toBeCloseTo(best?.cost ?? 0, 3);
  expect(restored.routes.map(({ metres, endsAt }) => ({ metres, endsAt }))).toEqual(
    plan.routes.map(({ metres, endsAt }) => ({ metres, endsAt })),
  );

  // A route that changed since: nothing is applied. A plan of it as it is now is.
  await admin.api.routes.update({
    params: { id: one },
    body: { order: [ids[4] ?? '', ids[0] ?? ''], version: anyVersion },
  });
  expect(await failureOf(admin.api.plans.apply({ params: plan }))).toMatchObject({
    code: 'stale',
    fields: { [one]: 'This route was changed' },
  });
  const again = await solved(await create(input));
  expect(stopsOf(again)).toEqual(wanted);
  const applied = await admin.api.plans.apply({ params: again });
  expect(new Map(applied.routes.map(({ driverId, routeId }) => [driverId, routeId]))).toEqual(
    new Map([
      [near.id, one],
      [far.id, other],
    ]),
  );
  for (const [id, driver] of [
    [one, near],
    [other, far],
  ] as const) {
    const route = await admin.api.routes.read({ params: { id } });
    expect(route.stops.map(({ packageId }) => packageId)).toEqual(wanted.get(driver.id));
  }

  // One more package: it costs least where a count of every place says so, and nobody is late by it.
  const urgentAt = { lon: 10.022, lat: 53.548 };
  const make = async () => {
    const pkg = await createPackage(owner);
    await setPlace('packages', pkg.id, urgentAt.lon, urgentAt.lat);
    return pkg;
  };
  const urgent = await make();
  const withUrgent = [...spots, urgentAt];
  const places = (
    [
      [one, depot, best?.near ?? []],
      [other, home, best?.far ?? []],
    ] as const
  )
    .flatMap(([routeId, start, order]) =>
      [...order, -1].map((_, at) => ({
        routeId,
        before: ids[order[at] ?? -1] ?? null,
        cost:
          costOfOrder(start, order.toSpliced(at, 0, spots.length), undefined, withUrgent) - costOfOrder(start, order),
      })),
    )
    .toSorted((a, b) => a.cost - b.cost);
  const ask = (packageId: string) => admin.api.dispatch.insertions({ query: { packageId, day, depotId } });
  const { insertions, travelTimes } = await ask(urgent.id);
  const [cheapest] = insertions;
  expect(insertions).toHaveLength(2);
  expect(travelTimes).toBe('estimated');
  expect(cheapest).toMatchObject({ routeId: places[0]?.routeId, before: places[0]?.before, late: [] });
  expect((cheapest?.metres ?? 0) * 0.02 + ((cheapest?.seconds ?? 0) - 180)).toBeCloseTo(places[0]?.cost ?? 0, 3);
  const insert = (packageId: string, { routeId, before: next, version }: NonNullable<typeof cheapest>) =>
    admin.api.routes.insert({ params: { id: routeId }, body: { packageId, before: next, version } });
  if (!cheapest) throw new Error('no place');
  const placed = await insert(urgent.id, cheapest);
  expect(placed.stops[cheapest.position - 1]?.packageId).toBe(urgent.id);
  expect(await insert(urgent.id, cheapest)).toEqual(placed);

  // On the road it is in transit at once. An old version is refused, and a window that nobody can keep is told.
  const another = await make();
  expect(await failureOf(insert(another.id, cheapest))).toMatchObject({ code: 'stale' });
  await admin.api.routes.start({ params: { id: cheapest.routeId }, body: {} });
  await owner.api.packages.update({
    params: { id: another.id },
    body: { window: { from: `${day}T07:00:00.000Z`, to: `${day}T07:01:00.000Z` } },
  });
  time = new Date(`${day}T07:30:00.000Z`);
  const onRoad = (await ask(another.id)).insertions.find(({ routeId }) => routeId === cheapest.routeId);
  expect(onRoad).toMatchObject({ state: 'started' });
  expect(onRoad?.late.map(({ packageId }) => packageId)).toContain(another.id);
  if (!onRoad) throw new Error('no place on the road');
  await insert(another.id, onRoad);
  expect(await owner.api.packages.read({ params: { id: another.id } })).toMatchObject({ status: 'in transit' });
  await admin.api.routes.move({
    params: { id: cheapest.routeId },
    body: { packageIds: [another.id, urgent.id, ...ids], to: null },
  });
  await admin.api.routes.finish({ params: { id: cheapest.routeId }, body: { returned: [] } });
  await admin.api.routes.remove({ params: { id: cheapest.routeId === one ? other : one } });
});

test.runIf(runsAll)(
  'one plan is solved at a time; one that is deleted ends, one whose server died is solved again once, and a fault fails it',
  async () => {
    const { optimizer } = product.ctx;
    const driver = await driverWithShift('Finn');
    const pkg = await createPackage(owner);
    await place(pkg, 3);
    // One stop has one order.
    const only = { driverIds: [driver.id], packageIds: [pkg.id] };
    const running: string[] = [];
    const solve = (found: typeof optimizer.solve) => (product.ctx.optimizer = { ...optimizer, solve: found });
    try {
      // Two that take their time: the second one waits until the first one is deleted.
      solve(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            running.push('one');
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      );
      const first = await create(only);
      const second = await create(only);
      await eventually('the first search', () => running.length === 1);
      expect(await product.ctx.db.transaction((tx) => claimPlan(tx, 15))).toBeNull();
      await admin.api.plans.remove({ params: first });
      expect(await failureOf(read(first))).toMatchObject({ status: 404 });
      await eventually('the second search', () => running.length === 2);
      expect(await read(second)).toMatchObject({ state: 'solving' });
      solve(() => Promise.reject(new OptimizerFailed('wrong_arrival: 2 instead of 1')));
      await admin.api.plans.remove({ params: second });
      expect(await solved(await create(only))).toMatchObject({
        state: 'failed',
        failure: 'No plan was found. Please try again.',
      });
    } finally {
      product.ctx.optimizer = optimizer;
    }
    // As a server that died left them: one at its first attempt, one that took two servers down.
    const left = async (attempts: number) => {
      const plan = await create(only);
      const done = await solved(plan);
      await product.ctx.db.query(
        "update plans set state = 'solving', attempts = $2, lease_until = now() - interval '1 s' where id = $1",
        [plan.id, attempts],
      );
      product.ctx.wakePlanner();
      return [done, await solved(plan)] as const;
    };
    const [before, after] = await left(1);
    expect(after).toMatchObject({ state: 'ready', routes: before.routes });
    const [, failed] = await left(2);
    expect(failed).toMatchObject({
      state: 'failed',
      failure: 'The server stopped while it searched. Please try again.',
    });
  },
);
