import { ApiError, type PackageStatus, type TrackingEvent } from '@waybill/contract';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { rollUpStats } from './service.ts';

/** Recounts every figure in TypeScript from the API: the exported CSV, the timelines and the incidents. */

let product: TestProduct;
let admin: TestUser;
let owners: TestUser[];
let drivers: TestUser[];
let time = Date.parse('2026-01-20T22:00:00.000Z');

const zones = ['UTC', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Europe/Berlin'];

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false, now: () => new Date(time) });
  admin = await product.register('admin');
  owners = [await product.register('owner'), await product.register('owner')];
  const returnAddress = { street: 'Am Kai 3', city: 'Hamburg' };
  for (const { api } of owners) await api.users.updateProfile({ body: { returnAddress } });
  drivers = [await product.register('driver'), await product.register('driver'), await product.register('driver')];
});
afterAll(() => product.close());

interface Step {
  act:
    | 'create'
    | 'start'
    | 'next'
    | 'arrive'
    | 'fail'
    | 'complete'
    | 'assign'
    | 'collect'
    | 'reopenDelivery'
    | 'sendBack'
    | 'edit'
    | 'cancel'
    | 'delete'
    | 'report'
    | 'resolve'
    | 'reopen'
    | 'rate'
    | 'rollUp';
  who: number;
  which: number;
  minutes: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    ...(['create', 'start', 'start', 'complete', 'complete', 'next', 'arrive', 'fail', 'assign', 'edit'] as const),
    ...(['collect', 'reopenDelivery', 'reopenDelivery', 'sendBack', 'sendBack'] as const),
    ...(['cancel', 'delete', 'report', 'resolve', 'reopen', 'rate', 'rate', 'rollUp'] as const),
  ),
  who: fc.nat(2),
  which: fc.nat(3),
  minutes: fc.oneof(fc.nat(90), fc.nat(900)),
});

const dayMs = 86_400_000;
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Performs the step if the life cycle allows it; otherwise changes nothing. */
async function perform({ act, who, which, minutes }: Step, own: { owner: TestUser; id: string }[]): Promise<void> {
  time += minutes * 60_000;
  const driver = drivers[who % drivers.length] as TestUser;
  const target = own[which % Math.max(1, own.length)];
  if (act === 'create' || !target) {
    const owner = owners[who % owners.length] as TestUser;
    const eta = which === 0 ? null : dayAt(time + (which - 1) * dayMs);
    const promised = { from: new Date(time).toISOString(), to: new Date(time + (1 + minutes) * 60_000).toISOString() };
    const window = which === 3 ? promised : null;
    own.push({ owner, id: (await createPackage(owner, { eta, window })).id });
    return;
  }
  const params = { id: target.id };
  const carrier = async () => {
    const { driverId } = await admin.api.packages.read({ params });
    return (drivers.find(({ id }) => id === driverId) ?? driver).api.deliveries;
  };
  const steps: Record<Exclude<Step['act'], 'create'>, () => Promise<unknown>> = {
    start: () => driver.api.deliveries.start({ params }),
    next: async () => (await carrier()).next({ params }),
    arrive: async () => (await carrier()).arrive({ params }),
    fail: async () => (await carrier()).fail({ params, body: { reason: 'Nobody home' } }),
    complete: async () => (await carrier()).complete({ params }),
    assign: () => admin.api.deliveries.assign({ params, body: { driverId: driver.id } }),
    collect: () => admin.api.deliveries.collected({ params }),
    reopenDelivery: () => admin.api.deliveries.reopen({ params, body: { reason: 'Wrong door' } }),
    sendBack: () => target.owner.api.packages.chooseNextStep({ params, body: { kind: 'return' } }),
    edit: () => target.owner.api.packages.update({ params, body: { name: `Name ${time}`, eta: dayAt(time + dayMs) } }),
    cancel: () => target.owner.api.packages.update({ params, body: { status: 'cancelled' } }),
    delete: () => target.owner.api.packages.update({ params, body: { status: 'inactive' } }),
    report: () => target.owner.api.incidents.reportOnPackage({ params, body: { issue: 'It is late' } }),
    resolve: () => moveNewest(target.id, 'Resolved'),
    reopen: () => moveNewest(target.id, 'Investigating'),
    rate: () => target.owner.api.packages.rate({ params, body: { stars: 1 + ((who + which) % 5) } }),
    rollUp: () => rollUpStats(product.ctx.db),
  };
  try {
    await steps[act]();
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
  }
}

async function moveNewest(packageId: string, status: 'Resolved' | 'Investigating'): Promise<void> {
  const { items } = await admin.api.incidents.list({ query: { limit: 200 } });
  const incident = items.find((one) => one.packageId === packageId);
  if (incident) await admin.api.incidents.move({ params: { id: incident.id }, body: { status } });
}

/** The status transition of each event; any other one means a broken history. */
const transitions: Partial<Record<TrackingEvent['type'], [from: PackageStatus[], to: PackageStatus]>> = {
  'delivery.started': [['processing'], 'in transit'],
  'delivery.assigned': [['processing', 'in transit', 'out for delivery'], 'in transit'],
  'delivery.next': [['in transit'], 'out for delivery'],
  'delivery.arrived': [['in transit', 'out for delivery'], 'out for delivery'],
  'delivery.completed': [['in transit', 'out for delivery'], 'delivered'],
  'delivery.failed': [['in transit', 'out for delivery'], 'processing'],
  'package.returned': [['in transit', 'out for delivery'], 'cancelled'],
  'package.collected': [['processing'], 'delivered'],
  'package.cancelled': [['processing'], 'cancelled'],
  'package.deleted': [['processing', 'cancelled'], 'inactive'],
};

interface Fact {
  what: 'created' | 'started' | 'completed' | 'failed' | 'opened' | 'resolved' | 'rated';
  at: number;
  startedAt: number;
  first: boolean;
  pkg: Record<string, string>;
}

/** Derives a package's facts from its timeline, and checks that folding its events gives its status. */
async function factsOf(pkg: Record<string, string>): Promise<Fact[]> {
  const { items } = await admin.api.packages.events({ params: { id: pkg.id ?? '' }, query: { limit: 200 } });
  const facts: Fact[] = [];
  let status: PackageStatus | null = null;
  let startedAt = 0;
  let attempts = 0;
  /** By a driver, not collected. */
  let wasCompleted = false;
  for (const event of items.toReversed()) {
    const at = Date.parse(event.at);
    const add = (what: Fact['what']) => facts.push({ what, at, startedAt, first: attempts === 1, pkg });
    const before: PackageStatus | null = status;
    const [from, to]: [PackageStatus[] | null, PackageStatus | null] = transitions[event.type] ?? [
      null,
      event.type === 'package.created' ? 'processing' : before,
    ];
    if (event.type === 'delivery.reopened') {
      // The completion and its rating count no more.
      if (before !== 'delivered') throw new Error(`${event.type} from ${before}`);
      status = event.status as PackageStatus;
      const dropLast = (what: Fact['what']) => {
        const index = facts.findLastIndex((fact) => fact.what === what);
        if (index >= 0) facts.splice(index, 1);
        return index >= 0;
      };
      dropLast('rated');
      if (wasCompleted && dropLast('completed')) attempts--;
      continue;
    }
    if (from && (before === null || !from.includes(before))) throw new Error(`${event.type} from ${before}`);
    status = to;
    if (event.type === 'package.created') add('created');
    if (event.type === 'delivery.started' || event.type === 'delivery.assigned') {
      startedAt = at;
      if (before === 'processing') add('started');
    }
    if (event.type === 'delivery.completed' || event.type === 'delivery.failed') {
      attempts++;
      add(event.type === 'delivery.completed' ? 'completed' : 'failed');
      wasCompleted = event.type === 'delivery.completed';
    }
    if (event.type === 'package.collected') wasCompleted = false;
    if (event.type === 'issue.reported') add('opened');
    if (event.type === 'incident.resolved') add('resolved');
    if (event.type === 'package.rated') add('rated');
  }
  expect(status).toBe(pkg.status);
  return facts;
}

const dayIn = (zone: string, at: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

/** By the end of the window, else by the eta's day in the organisation's zone, else by the estimated time. */
function isOnTime({ at, pkg }: Fact): boolean {
  if (pkg.windowTo) return at <= Date.parse(pkg.windowTo);
  if (!pkg.eta) return at <= Date.parse(pkg.estimatedDeliveryTime ?? '');
  return dayIn('UTC', at) <= pkg.eta;
}

const average = (values: number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const rate = (part: number, whole: number) => (whole === 0 ? null : (100 * part) / whole);

function totalsOf(facts: Fact[]) {
  const those = (what: Fact['what']) => facts.filter((fact) => fact.what === what);
  const completed = those('completed');
  const failed = those('failed');
  const onTime = completed.filter((fact) => isOnTime(fact)).length;
  const first = [...completed, ...failed].filter((fact) => fact.first);
  const stars = those('rated').map(({ pkg }) => Number(pkg.ratingStars));
  return {
    created: those('created').length,
    started: those('started').length,
    completed: completed.length,
    onTime,
    late: completed.length - onTime,
    failed: failed.length,
    firstAttempts: first.length,
    averageDeliveryTime: average(completed.map(({ at, startedAt }) => (at - startedAt) / 60_000)),
    successRate: rate(completed.length, completed.length + failed.length),
    onTimeRate: rate(onTime, completed.length),
    firstAttemptSuccess: rate(first.filter(({ what }) => what === 'completed').length, first.length),
    issuesOpened: those('opened').length,
    issuesResolved: those('resolved').length,
    ratings: stars.length,
    satisfaction: average(stars),
  };
}

/** Rounds to 12 digits: floating point sums differ by the order of addition. */
const rounded = (figures: object): unknown =>
  JSON.parse(
    JSON.stringify(figures, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value)),
  );

/** Caches facts of packages that have not changed since they were last read, by id. */
const cachedFacts = new Map<string, { version: string; facts: Fact[] }>();

async function readFactsOf(pkg: Record<string, string>): Promise<Fact[]> {
  const [id, version] = [pkg.id ?? '', `${pkg.version} ${pkg.lastUpdate} ${pkg.ratingStars}`];
  const cached = cachedFacts.get(id);
  if (cached?.version === version) return cached.facts;
  const facts = await factsOf(pkg);
  cachedFacts.set(id, { version, facts });
  return facts;
}

async function recount(zone: string, days: number): Promise<void> {
  const csv = await (await admin.api.packages.exportAll()).text();
  const packages: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  const facts: Fact[] = [];
  for (const pkg of packages) facts.push(...(await readFactsOf(pkg)));
  const { items: incidents } = await admin.api.incidents.list({ query: { limit: 200 } });
  const unresolved = incidents.filter(({ status }) => status !== 'Resolved').length;
  const today = dayIn(zone, time);
  const dayList = Array.from({ length: days }, (_, n) => dayAt(Date.parse(today) - (days - 1 - n) * dayMs));
  const byDay = Map.groupBy(facts, ({ at }) => dayIn(zone, at));
  const inPeriod = dayList.flatMap((day) => byDay.get(day) ?? []);

  expect(rounded(await admin.api.stats.performance({ query: { days, zone } }))).toEqual(
    rounded({
      asOf: new Date(time).toISOString(),
      zone,
      totals: totalsOf(inPeriod),
      days: dayList.map((day) => ({ day, ...totalsOf(byDay.get(day) ?? []) })),
    }),
  );

  const count = (...statuses: PackageStatus[]) =>
    packages.filter(({ status }) => statuses.includes(status as PackageStatus)).length;
  const allTime = totalsOf(facts);
  const { created, started, completed, failed } = totalsOf(byDay.get(today) ?? []);
  const deliveries = count('processing', 'in transit', 'out for delivery', 'delivered');
  const busy = packages.filter(({ status }) => status === 'in transit' || status === 'out for delivery');
  expect(rounded(await admin.api.stats.read({ query: { zone } }))).toEqual(
    rounded({
      asOf: new Date(time).toISOString(),
      totalPackages: packages.length,
      activePackages: count('processing', 'in transit', 'out for delivery', 'cancelled'),
      deliveredPackages: count('delivered'),
      inTransitPackages: count('in transit', 'out for delivery'),
      totalUsers: 1 + owners.length + drivers.length,
      activeDrivers: new Set(busy.map(({ driverId }) => driverId)).size,
      totalDrivers: drivers.length,
      packageOwners: owners.length,
      totalDeliveries: deliveries,
      completedDeliveries: count('delivered'),
      pendingDeliveries: count('processing'),
      openIssues: unresolved,
      resolvedIssues: incidents.length - unresolved,
      metrics: {
        deliverySuccessRate: (100 * count('delivered')) / Math.max(1, deliveries),
        averageDeliveryTime: allTime.averageDeliveryTime,
        onTimeDeliveryRate: allTime.onTimeRate,
        customerSatisfaction: allTime.satisfaction,
      },
      today: { day: today, created, started, completed, failed },
    }),
  );
}

test('on random histories every figure equals a recount from the CSV and the timelines, and every status the fold of its events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 22 }),
      fc.constantFrom(...zones),
      fc.constantFrom(7, 30, 90),
      async (steps, zone, days) => {
        const own: { owner: TestUser; id: string }[] = [];
        for (const one of steps) await perform(one, own);
        await recount(zone, days);
      },
    ),
    // No shrinking: a shrunk history would run on top of all earlier ones, so its result would mean nothing.
    { numRuns: 20, endOnFailure: true },
  );
  cachedFacts.clear();
  for (const zone of zones) await recount(zone, 90);
});

test('recount_figures() in the database gives the same figures', async () => {
  const read = () => Promise.all(zones.map((zone) => admin.api.stats.performance({ query: { days: 90, zone } })));
  const kept = await read();
  await product.ctx.db.query('select recount_figures()');
  expect(await read()).toEqual(kept);
});
