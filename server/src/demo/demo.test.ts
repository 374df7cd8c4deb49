import { packageStatuses, type Incident, type Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDemo } from './demo.ts';
import { planDemo } from './plan.ts';
import type { people } from './story.ts';
import type { Db } from '../platform/database/db.ts';
import { findWrongDerivedData } from '../testing/derived-data.ts';
import { openTestProduct, type TestProduct } from '../testing/test-product.ts';

const now = new Date('2026-05-20T14:30:00.000Z');
const products: TestProduct[] = [];
let password: string;

/** Sets a transaction_timeout of 100 ms: seeding the demo takes 1 s, and 10 s on a slow machine. */
const withShortTimeout = (db: Db): Db => ({
  ...db,
  transaction: (work) =>
    db.transaction(async (tx) => {
      // Reset it first: a running timeout is not shortened.
      for (const limit of ['0', '100']) await tx.query("select set_config('transaction_timeout', $1, true)", [limit]);
      return work(tx);
    }),
});

/** Opens a product with the demo and lists its packages and incidents as the administrator. */
async function openDemo() {
  const product = await openTestProduct({ now: () => now });
  products.push(product);
  password = await makeDemo({ ...product.ctx, db: withShortTimeout(product.ctx.db) });
  const login = async (person: keyof typeof people) => {
    const { id, token } = await product.api().auth.login({ body: { email: `${person}@demo.example`, password } });
    return { id, api: product.api(token) };
  };
  const { api } = await login('admin');
  const { items: packages } = await api.packages.listAll({ query: { limit: 200 } });
  const { items: incidents } = await api.incidents.list({ query: { limit: 200 } });
  return { product, login, api, packages, incidents };
}

let demo: Awaited<ReturnType<typeof openDemo>>;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(async () => {
  for (const product of products) await product.close();
});

const ageInDays = (pkg: Package) => (now.getTime() - Date.parse(pkg.createdAt)) / 86_400_000;

test('the demo has about 60 packages over 90 days, in every status, most of them recent and some from today', () => {
  const { packages } = demo;
  expect(packages.length).toBeGreaterThan(55);
  expect(new Set(packages.map(({ status }) => status))).toEqual(new Set(packageStatuses));
  expect(Math.max(...packages.map(ageInDays))).toBeGreaterThan(85);
  const within = (days: number) => packages.filter((pkg) => ageInDays(pkg) < days).length;
  expect(within(30)).toBeGreaterThan(packages.length / 2);
  expect(within(0.5)).toBeGreaterThan(5);
  expect(packages.filter(({ lastUpdate }) => Date.parse(lastUpdate) > now.getTime())).toEqual([]);
  expect(new Set(packages.map(({ driverId }) => driverId)).size).toBeGreaterThan(6);
});

test('the demo has routes of two depots: one finished, two started, one that its driver can start, and those of tomorrow; a parcel goes back to its owner', async () => {
  const { api, login } = demo;
  const routes = (await api.routes.list({ query: {} })).items;
  const states = (day: string) => routes.flatMap((route) => (route.day === day ? route.state : [])).toSorted();
  expect(states('2026-05-19')).toEqual(['finished']);
  expect(states('2026-05-20')).toEqual(['planned', 'started', 'started']);
  expect(states('2026-05-21')).toEqual(['planned', 'planned', 'planned']);
  expect(new Set(routes.map(({ depotId }) => depotId)).size).toBe(2);
  const stops = routes.flatMap(({ stops }) => stops.map(({ state }) => state));
  expect(new Set(stops)).toEqual(new Set(['open', 'next', 'delivered', 'failed']));
  const driver = await login('driver');
  const [own] = (await driver.api.routes.mine({ query: {} })).items;
  expect(own).toMatchObject({ state: 'planned', driverId: driver.id });
  // Three parcels for one door.
  expect(own?.stops.filter(({ delivery }) => delivery.recipientAddress?.startsWith('Lakeside 7,'))).toHaveLength(3);
  expect(own?.stops.filter(({ delivery }) => delivery.returnDue)).toHaveLength(1);
});

test('at every minute of a day each step of a route comes after its start, and a driver arrives after the stop before', () => {
  for (let minute = 0; minute < 24 * 60; minute += minute < 20 ? 1 : 30) {
    const { steps } = planDemo(new Date(Date.parse('2026-05-20T00:00:30.000Z') + minute * 60_000), 'UTC');
    const seen: string[] = [];
    for (const step of steps) {
      if ('route' in step) seen.push(...step.parcels.map((parcel) => `${step.do} ${parcel}`));
      else if (step.do === 'arrive') {
        expect(seen, `arrival at minute ${minute}`).toContain(`startRoute ${step.parcel}`);
        expect(seen.filter((done) => done === `arrive of ${step.by}`)).toEqual([]);
        seen.push(`arrive of ${step.by}`);
      } else if (step.do === 'complete' || step.do === 'fail') {
        const arrived = seen.indexOf(`arrive of ${step.by}`);
        if (arrived >= 0) seen.splice(arrived, 1);
      }
    }
  }
});

test('the demo has statistics of every kind: on-time and late deliveries, failed attempts, ratings, and incidents from number 12345 in every state', async () => {
  const { totals, days } = await demo.api.stats.performance({ query: { days: 90 } });
  for (const figure of ['completed', 'onTime', 'late', 'failed', 'ratings', 'issuesOpened', 'issuesResolved'] as const)
    expect(totals[figure], figure).toBeGreaterThan(0);
  expect(totals.onTime).toBeGreaterThan(totals.late);
  expect(totals.averageDeliveryTime).toBeGreaterThan(30);
  expect(days.at(-1)).toMatchObject({ completed: expect.any(Number) as number });
  expect(days.at(-1)?.completed).toBeGreaterThan(0);
  const numbers = demo.incidents.map(({ id }) => id).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 12_345 + index));
  expect(new Set(demo.incidents.map(({ status }) => status))).toEqual(new Set(['Open', 'Investigating', 'Resolved']));
});

test('some drivers are on duty now, others later or not at all, and packages are at several locations', async () => {
  const { items: drivers } = await demo.api.shifts.drivers();
  expect(drivers.filter(({ onDuty }) => onDuty).map(({ name }) => name)).toEqual([
    'Ben Okonkwo',
    'Dana Driver',
    'Marek Nowak',
  ]);
  expect(drivers.filter(({ onDuty, next }) => !onDuty && next === null)).toHaveLength(1);
  const { places, totals } = await demo.api.inventory.read();
  expect(places.length).toBeGreaterThan(2);
  expect(totals.total).toBe(demo.packages.length);
});

test('some packages have up to three images; a delivery has a proof, an incident a photo, and a driver a profile picture', async () => {
  const { api, packages, incidents, product } = demo;
  const pictured = packages.filter(({ images }) => images.length > 0);
  expect(pictured.length).toBeGreaterThanOrEqual(6);
  expect(Math.max(...pictured.map(({ images }) => images.length))).toBe(3);
  const shoes = pictured.find(({ name }) => name === 'Running shoes');
  const { proof } = await api.deliveries.receipt({ params: { id: shoes?.id ?? '' } });
  const { profilePicture } = await api.deliveries.driverOfPackage({ params: { id: shoes?.id ?? '' } });
  const photographed = incidents.find(({ photo }) => photo !== null);
  const shown = [...pictured.flatMap(({ images }) => images), proof.photo, proof.signature, profilePicture];
  for (const url of [...shown, photographed?.photo]) {
    const { statusCode, headers } = await product.app.inject({ url: url ?? '' });
    expect([statusCode, headers['content-type']]).toEqual([200, expect.stringMatching(/^image\/(jpeg|png)$/)]);
  }
});

test('the demo owner has exactly three unread notifications, and no pending job would add more', async () => {
  const [left] = await demo.product.ctx.db.query("select from jobs.job where name like 'notify-%'");
  expect(left).toBeUndefined();
  const owner = await demo.login('owner');
  const { total, items } = await owner.api.notifications.list({ query: { count: true } });
  expect(total).toBeGreaterThan(60);
  expect(items.map(({ readAt }) => readAt === null).slice(0, 4)).toEqual([true, true, true, false]);
  expect((await owner.api.packages.summary({ params: { id: owner.id } })).unreadNotifications).toBe(3);
});

test('seeding at the same moment is deterministic: names, statuses, times, tracking IDs, incidents', async () => {
  const again = await openDemo();
  const facts = (packages: Package[]) =>
    packages.map(({ trackingId, name, status, createdAt, completedAt, lastUpdate, receivedBy, rating, images }) => ({
      trackingId,
      name,
      status,
      createdAt,
      completedAt,
      lastUpdate,
      receivedBy,
      rating,
      images: images.length,
    }));
  const issuesOf = (incidents: Incident[]) =>
    incidents.map(({ id, type, status, time }) => ({ id, type, status, time }));
  expect(facts(again.packages)).toEqual(facts(demo.packages));
  const shiftsOf = async ({ api }: typeof demo) =>
    (await api.shifts.list({ query: { from: '2000-01-01T00:00:00Z', limit: 200 } })).items
      .map(({ driver, startsAt, endsAt }) => `${startsAt} ${endsAt} ${driver}`)
      .toSorted();
  expect(await shiftsOf(again)).toEqual(await shiftsOf(demo));
  expect(issuesOf(again.incidents)).toEqual(issuesOf(demo.incidents));
});

test('what is derived from the packages of the demo equals a recount', async () => {
  expect(await findWrongDerivedData(demo.product.connection)).toEqual({});
});

test.each(['00:00', '00:01', '00:05', '00:10', '12:00', '23:59'])(
  'at %s nobody arrives at a stop before its route starts, or after its end, and tomorrow is tomorrow',
  (time) => {
    const { steps, routes } = planDemo(new Date(`2026-05-20T${time}:00.000Z`), 'UTC');
    const started = new Map<number, number>();
    let arrivals = 0;
    for (const [index, step] of steps.entries()) {
      if (step.do === 'startRoute') for (const parcel of step.parcels) started.set(parcel, index);
      if (step.do !== 'arrive') continue;
      arrivals++;
      expect(started.has(step.parcel)).toBe(true);
      const ends = steps.findIndex(
        (one) => 'parcel' in one && one.parcel === step.parcel && /complete|fail/.test(one.do),
      );
      expect(ends).toBeGreaterThan(index);
    }
    expect(arrivals).toBe(12);
    // Tomorrow's routes begin tomorrow.
    for (const { day, startsAt } of routes.slice(4)) expect(startsAt.toISOString().slice(0, 10)).toBe(day);
  },
);

test('a failed seeding is rolled back', async () => {
  const product = await openTestProduct({ now: () => now });
  products.push(product);
  const body = { name: 'Adam', email: 'admin@demo.example', password: 'pond-heron-7', role: 'admin' as const };
  await product.api().auth.register({ body });
  await expect(makeDemo(product.ctx)).rejects.toMatchObject({ code: 'email_taken' });
  expect(await product.ctx.db.query('select name from users')).toEqual([{ name: 'Adam' }]);
});
