import { ApiError, packageStatuses, type InventoryPackage, type PackageStatus } from '@waybill/contract';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { rollUpInventory } from './service.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let drivers: TestUser[];
let time = Date.parse('2026-04-01T08:00:00.000Z');

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false, now: () => new Date(time) });
  admin = await product.register('admin');
  owner = await product.register('owner');
  drivers = [await product.register('driver'), await product.register('driver')];
});
afterAll(() => product.close());

const locations = [
  'Riverton depot',
  'riverton DEPOT',
  '  Harbour Street ',
  'Harbour Street',
  'ÄNGELHOLM',
  'ängelholm',
  '',
  null,
];

interface Step {
  act:
    | 'create'
    | 'start'
    | 'next'
    | 'fail'
    | 'complete'
    | 'assign'
    | 'move'
    | 'cancel'
    | 'delete'
    | 'rollUp'
    | 'recount';
  which: number;
  where: number;
  minutes: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    ...(['create', 'create', 'start', 'start', 'next', 'fail', 'fail', 'complete', 'assign'] as const),
    ...(['move', 'move', 'cancel', 'delete', 'rollUp', 'recount'] as const),
  ),
  which: fc.nat(5),
  where: fc.nat(locations.length - 1),
  minutes: fc.nat(500),
});

/** Performs the step if the life cycle allows it; otherwise changes nothing. */
async function perform({ act, which, where, minutes }: Step, own: string[]): Promise<void> {
  time += minutes * 60_000;
  const location = locations[where] ?? null;
  const id = own[which % Math.max(1, own.length)];
  if (act === 'create' || !id) {
    own.push((await createPackage(owner, { location })).id);
    return;
  }
  const params = { id };
  const driver = drivers[which % drivers.length] as TestUser;
  const carrier = async () => {
    const { driverId } = await admin.api.packages.read({ params });
    return (drivers.find((one) => one.id === driverId) ?? driver).api.deliveries;
  };
  const steps: Record<Exclude<Step['act'], 'create'>, () => Promise<unknown>> = {
    start: () => driver.api.deliveries.start({ params }),
    next: async () => (await carrier()).next({ params }),
    fail: async () => (await carrier()).fail({ params, body: { reason: 'Nobody home' } }),
    complete: async () => (await carrier()).complete({ params }),
    assign: () => admin.api.deliveries.assign({ params, body: { driverId: driver.id } }),
    move: () => owner.api.packages.update({ params, body: { location } }),
    cancel: () => owner.api.packages.update({ params, body: { status: 'cancelled' } }),
    delete: () => owner.api.packages.update({ params, body: { status: 'inactive' } }),
    rollUp: () => rollUpInventory(product.ctx.db),
    recount: () => product.ctx.db.query('select recount_inventory()'),
  };
  try {
    await steps[act]();
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
  }
}

const exported = async (): Promise<Record<string, string>[]> =>
  parse(await (await admin.api.packages.exportAll()).text(), { columns: true, bom: true });

const zeroCounts = (): Record<PackageStatus, number> =>
  Object.fromEntries(packageStatuses.map((status) => [status, 0])) as Record<PackageStatus, number>;

/** Since when a package has been waiting, according to its timeline. */
async function waitingSince(id: string): Promise<string> {
  const { items } = await admin.api.packages.events({ params: { id }, query: { limit: 200 } });
  return items.find(({ type }) => type === 'delivery.failed' || type === 'package.created')?.at ?? '';
}

async function recount(): Promise<void> {
  const packages = await exported();
  const places = new Map<string, Record<PackageStatus, number>>();
  const totals = zeroCounts();
  for (const { location = '', status } of packages) {
    const place = location.trim().toLowerCase();
    const counts = places.get(place) ?? zeroCounts();
    counts[status as PackageStatus] += 1;
    totals[status as PackageStatus] += 1;
    places.set(place, counts);
  }
  const inventory = await admin.api.inventory.read({ query: { limit: 200 } });
  expect(inventory.totals).toEqual({ counts: totals, total: packages.length });
  expect(inventory.matching).toBe(places.size);
  expect(new Map(inventory.places.map(({ place, counts }) => [place, counts]))).toEqual(places);
  for (const { place, name, counts, total } of inventory.places) {
    expect(name?.toLowerCase() ?? '').toBe(place);
    expect(total).toBe(Object.values(counts).reduce((sum, one) => sum + one, 0));
  }

  const waiting = packages.filter(({ status }) => status === 'processing');
  const since = await Promise.all(waiting.map(async ({ id = '' }) => ({ id, waitingSince: await waitingSince(id) })));
  const longest = since.toSorted((a, b) => a.waitingSince.localeCompare(b.waitingSince) || a.id.localeCompare(b.id));
  const waitsOf = (rows: InventoryPackage[]) => rows.map(({ id, waitingSince: at }) => ({ id, waitingSince: at }));
  expect(waitsOf(inventory.waitingLongest)).toEqual(longest.slice(0, 10));
  const all = await admin.api.inventory.packages({ query: { status: 'processing', limit: 200 } });
  expect(waitsOf(all.items)).toEqual(longest.slice(0, 200));
}

test('on random histories the inventory equals a recount from the exported CSV, and waiting times match the timelines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const own: string[] = [];
      for (const one of steps) await perform(one, own);
      await recount();
    }),
    // No shrinking: a shrunk history would run on top of all earlier ones, so its result would mean nothing.
    { numRuns: 12, endOnFailure: true },
  );
  await rollUpInventory(product.ctx.db);
  expect(await product.ctx.db.query('select location from inventory_changes')).toEqual([]);
  await recount();
});

test('every count equals the number of packages with its place and status', async () => {
  const { places } = await admin.api.inventory.read();
  expect(places.length).toBeGreaterThan(2);
  for (const { place, counts, total } of places) {
    const rows = await admin.api.inventory.packages({ query: { place, count: true } });
    expect([place, rows.total]).toEqual([place, total]);
    for (const status of packageStatuses) {
      const page = await admin.api.inventory.packages({ query: { place, status, count: true, limit: 1 } });
      expect([place, status, page.total]).toEqual([place, status, counts[status]]);
      for (const row of page.items) {
        expect([row.status, row.location?.trim().toLowerCase() ?? '']).toEqual([status, place]);
        expect(row.waitingSince === null).toBe(status !== 'processing');
      }
    }
  }
});

test('the packages at a place are listed newest first in pages of any size, of all or several statuses', async () => {
  const [largest] = (await admin.api.inventory.read()).places.toSorted((one, other) => other.total - one.total);
  const place = largest?.place ?? '';
  for (const status of [undefined, 'processing,delivered', 'cancelled,in transit,processing']) {
    const ids = async (limit: number) => {
      const all: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await admin.api.inventory.packages({ query: { place, status, limit, cursor } });
        all.push(...page.items.map(({ id }) => id));
        if (!page.next) return all;
        cursor = page.next;
      }
    };
    const whole = await ids(200);
    expect(whole).toEqual(whole.toSorted().toReversed());
    expect(await ids(2)).toEqual(whole);
    const { total } = await admin.api.inventory.packages({ query: { place, status, count: true, limit: 1 } });
    expect(total).toBe(whole.length);
  }
});

test('the longest waits are listed in pages of any size, without gaps or duplicates', async () => {
  const ids = async (limit: number) => {
    const all: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await admin.api.inventory.packages({ query: { status: 'processing', limit, cursor } });
      all.push(...page.items.map(({ id }) => id));
      if (!page.next) return all;
      cursor = page.next;
    }
  };
  // The histories may have left only a few waiting. The last two have waited equally long.
  for (const minutes of [0, 1, 1, 1, 1, 0]) {
    time += minutes * 60_000;
    await createPackage(owner);
  }
  const whole = await ids(200);
  expect(whole.length).toBeGreaterThan(5);
  expect(await ids(3)).toEqual(whole);
});

test('places are sorted by name in pages, and found by a part of the name in any case, taken literally', async () => {
  for (const location of ['50% Hall', 'Hall 50', 'hall 50']) await createPackage(owner, { location });
  const whole = await admin.api.inventory.read({ query: { limit: 200 } });
  const paged: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await admin.api.inventory.read({ query: { limit: 1, cursor } });
    expect(page.totals).toEqual(whole.totals);
    paged.push(...page.places.map(({ place }) => place));
    if (page.next === null) break;
    cursor = page.next;
  }
  expect(paged).toEqual(whole.places.map(({ place }) => place));
  expect(paged).toEqual(paged.toSorted());
  // Packages without a location come first, without a name.
  expect(whole.places[0]).toMatchObject({ place: '', name: null });
  const found = await admin.api.inventory.read({ query: { q: 'HALL' } });
  expect(found.places.map(({ place, total }) => [place, total])).toEqual([
    ['50% hall', 1],
    ['hall 50', 2],
  ]);
  expect(found.matching).toBe(2);
  expect(found.totals).toEqual(whole.totals);
  expect((await admin.api.inventory.read({ query: { q: '0%' } })).places.map(({ name }) => name)).toEqual(['50% Hall']);
});

test('a place has the most frequent spelling among its packages', async () => {
  for (const location of ['north gate', 'North Gate', 'North Gate']) await createPackage(owner, { location });
  const { places } = await admin.api.inventory.read({ query: { q: 'north' } });
  expect(places).toMatchObject([{ place: 'north gate', name: 'North Gate', total: 3 }]);
});

test('the export has what the screen shows, in the same order, and is audited', async () => {
  const { places } = await admin.api.inventory.read({ query: { limit: 200 } });
  const answer = await admin.api.inventory.exportCounts();
  expect(answer.headers.get('content-disposition')).toMatch(/filename="inventory-\d{4}-\d\d-\d\d\.csv"/);
  const rows: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true });
  expect(rows).toEqual(
    places.map(({ name, counts, total }) => ({
      place: name ?? '',
      ...Object.fromEntries(packageStatuses.map((status) => [status, String(counts[status])])),
      total: String(total),
    })),
  );
  const found = await (await admin.api.inventory.exportCounts({ query: { q: 'north' } })).text();
  expect(found.trim().split('\r\n')).toHaveLength(2);
  const [entry] = (await admin.api.audit.list({ query: { act: 'inventory.exported' } })).items;
  expect(entry).toMatchObject({ actorId: admin.id });
});

test('a row has the destination, window and owner of its package, and reading it is audited', async () => {
  const address = { street: 'Mill Lane 77', postalCode: '4711', city: 'Opentown' };
  const window = { from: '2031-01-01T08:00:00.000Z', to: '2031-01-01T12:00:00.000Z' };
  time += 60_000;
  const pkg = await createPackage(owner, { name: 'Zither', address, window });
  const goal = { recipientAddress: 'Mill Lane 77, 4711 Opentown', window, owner: owner.user.name };
  const overseer = await product.register('admin');
  const seenBy = async () =>
    (await admin.api.audit.contactViews({ query: { person: overseer.email } })).items.map(({ packageId }) => packageId);
  expect(await seenBy()).toEqual([]);
  const found = await overseer.api.inventory.packages({ query: { q: 'mill lane 77' } });
  expect(found.items).toMatchObject([{ id: pkg.id, ...goal }]);
  expect(await seenBy()).toEqual([pkg.id]);
  const { items } = await admin.api.stats.rows({ query: { figure: 'pendingDeliveries', limit: 1 } });
  expect(items).toMatchObject([{ packageId: pkg.id, ...goal }]);
  const { waitingLongest } = await admin.api.inventory.read();
  expect(waitingLongest[0]).toMatchObject({ owner: owner.user.name, window: null, recipientAddress: null });
});
