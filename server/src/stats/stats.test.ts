import { periodFigures, presentFigures, type FigureRow } from '@waybill/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { sumDays } from './queries.ts';

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
let database: pg.Client;
let time = new Date('2026-03-09T22:30:00.000Z');

beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false, now: () => time });
  admin = await product.register('admin');
  database = new pg.Client(product.connection);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
});

const at = (instant: string) => (time = new Date(instant));

test('without any data there are zeros and nulls, never an invented figure', async () => {
  expect(await admin.api.stats.read()).toMatchObject({
    totalPackages: 0,
    totalUsers: 1,
    metrics: {
      deliverySuccessRate: 0,
      averageDeliveryTime: null,
      onTimeDeliveryRate: null,
      customerSatisfaction: null,
    },
  });
  const { days, totals } = await admin.api.stats.performance({ query: { days: 30 } });
  expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].toSorted());
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, '2026-02-08', '2026-03-09']);
  expect(totals).toMatchObject({ completed: 0, successRate: null, averageDeliveryTime: null, satisfaction: null });
});

test.each([
  ['days', { days: 8 }],
  ['days', { days: 'all' }],
  ['zone', { zone: 'Nowhere/Land' }],
  ['zone', { zone: '+02:00' }],
])('%s that is not offered is refused (%j)', async (field, query: Record<string, string | number>) => {
  await expect(admin.api.stats.performance({ query })).rejects.toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) as string },
  });
});

test('days are those of the requested zone, while on time does not depend on it', async () => {
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver', 'Dora Driver');
  const withEta = await createPackage(owner, { eta: '2026-03-09' });
  const without = await createPackage(owner);
  for (const { id } of [withEta, without]) await driver.api.deliveries.start({ params: { id } });
  at('2026-03-09T23:00:00.000Z');
  await driver.api.deliveries.complete({ params: { id: withEta.id } });
  at('2026-03-10T06:00:00.000Z');
  await driver.api.deliveries.complete({ params: { id: without.id } });
  const days = async (zone: string) => {
    const performance = await admin.api.stats.performance({ query: { days: 7, zone } });
    return performance.days
      .filter(({ completed }) => completed > 0)
      .map(({ day, onTime, late, averageDeliveryTime }) => [day, onTime, late, averageDeliveryTime]);
  };
  expect(await days('UTC')).toEqual([
    ['2026-03-09', 1, 0, 30],
    ['2026-03-10', 0, 1, 450],
  ]);
  expect(await days('Asia/Kolkata')).toEqual([['2026-03-10', 1, 1, 240]]);
  expect(await days('America/New_York')).toEqual([
    ['2026-03-09', 1, 0, 30],
    ['2026-03-10', 0, 1, 450],
  ]);
});

test('every figure equals the number of its rows over all pages, and each row has its package, driver and attempt', async () => {
  const failed = await createPackage(owner, { name: 'Second try', eta: '2026-03-10' });
  const params = { id: failed.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
  await driver.api.deliveries.start({ params });
  await driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } });
  at('2026-03-10T08:00:00.000Z');
  await driver.api.deliveries.complete({ params });
  await owner.api.packages.rate({ params, body: { stars: 4 } });
  const waiting = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: waiting.id } });
  const [incident] = (await admin.api.incidents.list()).items;
  await admin.api.incidents.move({ params: { id: incident?.id ?? 0 }, body: { status: 'Resolved' } });
  for (let count = 0; count < 3; count++) {
    const { id } = await createPackage(owner);
    await owner.api.incidents.reportOnPackage({ params: { id }, body: { issue: 'Not as ordered' } });
    await owner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  }

  const rowsOf = async (figure: string, period: Record<string, string> = {}): Promise<FigureRow[]> => {
    const rows: FigureRow[] = [];
    for (let cursor: string | undefined; ;) {
      const query = { figure, limit: 2, count: true, ...period, ...(cursor && { cursor }) };
      const page = await admin.api.stats.rows({ query });
      rows.push(...page.items);
      if (page.next === null) {
        expect([figure, page.total]).toEqual([figure, rows.length]);
        return rows;
      }
      cursor = page.next;
    }
  };
  const stats: Record<string, unknown> = await admin.api.stats.read();
  for (const figure of presentFigures) {
    const rows = await rowsOf(figure);
    expect([figure, new Set(rows.map(({ id }) => id)).size]).toEqual([figure, stats[figure]]);
  }
  const { totals, days } = await admin.api.stats.performance({ query: { days: 7 } });
  const figures: Record<string, unknown> = { ...totals, attempts: totals.completed + totals.failed };
  for (const figure of periodFigures) {
    const rows = await rowsOf(figure, { from: '2026-03-04', to: '2026-03-10' });
    expect([figure, new Set(rows.map(({ id }) => id)).size]).toEqual([figure, figures[figure]]);
  }
  for (const [rate, figure, period] of [
    ['deliverySuccessRate', 'totalDeliveries'],
    ['averageDeliveryTime', 'completedDeliveries'],
    ['onTimeDeliveryRate', 'completedDeliveries'],
    ['customerSatisfaction', 'ratings'],
    ['successRate', 'attempts', '2026-03-10'],
    ['onTimeRate', 'completed', '2026-03-10'],
    ['firstAttemptSuccess', 'firstAttempts', '2026-03-10'],
    ['satisfaction', 'ratings', '2026-03-10'],
  ] as const) {
    const day = period && { day: period };
    const packagesOf = async (name: string) => new Set((await rowsOf(name, day)).map((row) => row.packageId));
    expect([rate, await packagesOf(rate)]).toEqual([rate, await packagesOf(figure)]);
  }
  expect(await rowsOf('completed', { day: '2026-03-10' })).toHaveLength(days.at(-1)?.completed ?? -1);
  expect((await rowsOf('completed'))[0]).toMatchObject({
    packageId: failed.id,
    trackingId: failed.trackingId,
    name: 'Second try',
    status: 'delivered',
    driver: 'Dora Driver',
    startedAt: '2026-03-10T06:00:00.000Z',
    endedAt: '2026-03-10T08:00:00.000Z',
    minutes: 120,
    outcome: 'completed',
    onTime: true,
    attempt: 2,
  });
  expect((await rowsOf('attempts')).find((row) => row.packageId === failed.id && row.attempt === 1)).toMatchObject({
    outcome: 'failed',
    status: 'delivered',
  });
  expect((await rowsOf('inTransitPackages'))[0]).toMatchObject({
    packageId: waiting.id,
    startedAt: '2026-03-10T08:00:00.000Z',
    endedAt: null,
    minutes: null,
  });
  // The newest ones, but nobody waits for them.
  const isCancelled = (await rowsOf('activePackages')).map(({ status }) => status === 'cancelled');
  expect(isCancelled.slice(-4)).toEqual([false, true, true, true]);
  expect((await rowsOf('ratings'))[0]).toMatchObject({ stars: 4 });
  expect((await rowsOf('issuesResolved'))[0]).toMatchObject({ issue: { id: incident?.id, status: 'Resolved' } });
});

test('later changes do not affect figures of the past', async () => {
  const query = { days: 90, zone: 'Asia/Kolkata' };
  const before = await admin.api.stats.performance({ query });
  await admin.api.users.update({ params: { id: driver.id }, body: { name: 'Another name', status: 'suspended' } });
  await admin.api.users.remove({ params: { id: driver.id } });
  // Written by SQL, around every rule of the product: even this must not affect the figures.
  await database.query(`
    update packages set eta = '2020-01-01', started_at = null, estimated_delivery_at = null, completed_at = now(), name = 'Edited',
      created_at = now(), status = case status when 'delivered' then 'inactive' else status end, rating_stars = null, rated_at = null`);
  expect(await admin.api.stats.performance({ query })).toEqual(before);
  const { items } = await admin.api.stats.rows({ query: { figure: 'onTime', zone: 'UTC' } });
  expect(items.map(({ onTime, minutes }) => [onTime, minutes])).toEqual([
    [true, 120],
    [true, 30],
  ]);
});

test('a calendar month has all its days up to today, and other formats are refused', async () => {
  const { days, totals } = await admin.api.stats.performance({ query: { month: '2026-02' } });
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([28, '2026-02-01', '2026-02-28']);
  expect(totals.created).toBe(0);
  const present = await admin.api.stats.performance({ query: { month: '2026-03' } });
  expect([present.days.length, present.days[0]?.day, present.days.at(-1)?.day]).toEqual([
    10,
    '2026-03-01',
    '2026-03-10',
  ]);
  expect(present.totals.completed).toBe(3);
  expect((await admin.api.stats.performance({ query: { month: '2026-04' } })).days).toEqual([]);
  for (const month of ['2026-13', '2026-1', 'March'])
    await expect(admin.api.stats.performance({ query: { month } })).rejects.toMatchObject({
      status: 422,
      fields: { month: 'month must be a calendar month like 2026-10' },
    });
});

test('a chosen period has each of its days up to today, and equals the month that it is', async () => {
  const { days, totals } = await admin.api.stats.performance({ query: { from: '2026-03-08', to: '2026-03-31' } });
  expect(days.map(({ day }) => day)).toEqual(['2026-03-08', '2026-03-09', '2026-03-10']);
  expect(totals.completed).toBe(3);
  const february = await admin.api.stats.performance({ query: { from: '2026-02-01', to: '2026-02-28' } });
  expect(february.days).toEqual((await admin.api.stats.performance({ query: { month: '2026-02' } })).days);
});

test.each([
  ['month', { month: '2026-02', from: '2026-02-01', to: '2026-02-28' }],
  ['to', { from: '2026-02-02', to: '2026-02-01' }],
  ['to', { from: '2026-02-02' }],
  ['to', { from: '2025-01-01', to: '2026-01-02' }],
  ['from', { from: '2026-02-30', to: '2026-03-01' }],
])('a period that cannot be shown is refused for its %s (%j)', async (field, query: Record<string, string>) => {
  await expect(admin.api.stats.performance({ query })).rejects.toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) as string },
  });
});

test('each quarter of an hour counts for its day where clocks skip or repeat the hour after midnight, rolled up or not', async () => {
  const createdOn = async (zone: string, first: string) => {
    const query = (sql: string, values?: unknown[]) => database.query(sql, values).then(({ rows }) => rows as never[]);
    const days = await sumDays({ query }, zone, new Date('2026-12-01'), { days: 30, from: first, to: '2026-12-01' });
    return days.slice(0, 3).map(({ created }) => created);
  };
  await database.query('begin');
  try {
    await database.query('delete from figures');
    await database.query('delete from figure_changes');
    await database.query(
      "insert into figures (at, created) select at, 1 from generate_series(timestamptz '2026-03-01 00:00Z', '2026-11-10 00:00Z', interval '15 minutes') at",
    );
    // Summer time in Havana begins at 0:00, and ends at 1:00, when it is 0:00 again.
    expect(await createdOn('America/Havana', '2026-03-07')).toEqual([96, 92, 96]);
    expect(await createdOn('America/Havana', '2026-10-31')).toEqual([96, 100, 96]);
    expect(await createdOn('Asia/Kathmandu', '2026-10-31')).toEqual([96, 96, 96]);
    await database.query("update figures set created = 0 where at >= '2026-11-01 00:00Z'");
    await database.query(
      "insert into figure_changes (at, created) select at, 1 from figures where at >= '2026-11-01 00:00Z'",
    );
    expect(await createdOn('America/Havana', '2026-10-31')).toEqual([96, 100, 96]);
  } finally {
    await database.query('rollback');
  }
});

test('a deleted driver counts neither as user nor as active, while the delivery stays on the road', async () => {
  expect(await admin.api.stats.read()).toMatchObject({
    totalUsers: 2,
    totalDrivers: 0,
    activeDrivers: 0,
    inTransitPackages: 1,
  });
});

test('what waits for a decision has the counts of the lists that it leads to, and the newest events name their packages', async () => {
  at('2026-04-20T10:00:00.000Z');
  const seller = await product.register('owner', 'Selma Seller');
  const courier = await product.register('driver', 'Carl Courier');
  const before = await admin.api.stats.needs();
  const failed = await createPackage(seller);
  await courier.api.deliveries.start({ params: { id: failed.id } });
  await courier.api.deliveries.fail({ params: { id: failed.id }, body: { reason: 'Nobody home' } });
  const late = await createPackage(seller, { eta: '2026-04-20' });
  await seller.api.incidents.reportOnPackage({ params: { id: late.id }, body: { issue: 'The box is wet' } });
  await product.api().contact.send({
    body: { name: 'Vera Visitor', email: 'vera@example.com', message: 'Where is my parcel?' },
  });
  at('2026-04-20T23:30:00.000Z');
  const needs = await admin.api.stats.needs();
  expect(needs.afterFailure?.today).toBe(1);
  at('2026-04-21T10:00:00.000Z');
  const next = await admin.api.stats.needs();
  expect(next.afterFailure).toEqual({ count: (before.afterFailure?.count ?? 0) + 1, isCapped: false, today: 0 });
  expect(next.overdue?.count).toBe((needs.overdue?.count ?? 0) + 1);
  expect(next.messages?.count).toBe((before.messages?.count ?? 0) + 1);
  expect(next.incidents?.count).toBe((before.incidents?.count ?? 0) + 1);
  expect(next.incidents?.newest[0]?.packageId).toBe(late.id);
  const { packages, incidents } = admin.api;
  const lists = await Promise.all([
    packages.listAll({ query: { overdue: true, count: true } }),
    packages.listAll({ query: { failed: true, status: 'processing', count: true } }),
    packages.listAll({ query: { status: 'processing', count: true } }),
    incidents.list({ query: { status: 'Open,Investigating', count: true } }),
  ]);
  expect([next.overdue, next.afterFailure, next.waiting, next.incidents].map((part) => part?.count)).toEqual(
    lists.map(({ total }) => total),
  );
  const events = await admin.api.stats.latestEvents({ query: { limit: 3 } });
  expect(events.map(({ type, name, actor, note }) => [type, name, actor, note])).toEqual([
    ['issue.reported', late.name, 'Selma Seller', 'The box is wet'],
    ['package.created', late.name, 'Selma Seller', null],
    ['delivery.failed', failed.name, 'Carl Courier', 'Nobody home'],
  ]);
});

describe('on time', () => {
  const dayOf = async (zone?: string) => {
    const { days, zone: usedZone } = await admin.api.stats.performance({ query: { days: 7, zone } });
    return [
      usedZone,
      ...days.filter(({ completed }) => completed > 0).map(({ day, onTime, late }) => [day, onTime, late]),
    ];
  };
  const deliver = async (fields: Parameters<typeof createPackage>[1], completedAt: string) => {
    at('2026-05-01T12:00:00.000Z');
    const { id } = await createPackage(owner, fields);
    await another.api.deliveries.start({ params: { id } });
    at(completedAt);
    await another.api.deliveries.complete({ params: { id } });
    return (await owner.api.deliveries.receipt({ params: { id } })).onTime;
  };
  let another: TestUser;

  test('is by the end of the preferred window, else by the end of the eta’s day in the organisation’s zone', async () => {
    another = await product.register('driver');
    await admin.api.settings.update({ body: { timeZone: 'America/New_York' } });
    const window = { from: '2026-05-01T14:00:00.000Z', to: '2026-05-01T16:00:00.000Z' };
    expect(await deliver({ window, eta: '2026-05-09' }, '2026-05-01T16:00:00.000Z')).toBe(true);
    expect(await deliver({ window, eta: '2026-05-09' }, '2026-05-01T16:00:00.001Z')).toBe(false);
    // In that zone 1 May ends at 04:00 UTC.
    expect(await deliver({ eta: '2026-05-01' }, '2026-05-02T03:59:59.999Z')).toBe(true);
    expect(await deliver({ eta: '2026-05-01' }, '2026-05-02T04:00:00.000Z')).toBe(false);
    expect(await dayOf()).toEqual(['America/New_York', ['2026-05-01', 2, 1], ['2026-05-02', 0, 1]]);
    expect(await dayOf('UTC')).toEqual(['UTC', ['2026-05-01', 1, 1], ['2026-05-02', 1, 1]]);
    const { items } = await admin.api.stats.rows({ query: { figure: 'completed', day: '2026-05-01' } });
    expect(items.map(({ onTime }) => onTime)).toEqual([true, false, true]);
    expect((await admin.api.stats.read()).today.day).toBe('2026-05-02');
  });

  test('does not change when the organisation’s zone changes', async () => {
    await admin.api.settings.update({ body: { timeZone: 'Pacific/Kiritimati' } });
    expect(await dayOf('UTC')).toEqual(['UTC', ['2026-05-01', 1, 1], ['2026-05-02', 1, 1]]);
    await database.query('select recount_figures()');
    expect(await dayOf('UTC')).toEqual(['UTC', ['2026-05-01', 1, 1], ['2026-05-02', 1, 1]]);
  });

  test('of attempts from before due times were recorded depends on the requested zone, as it did then', async () => {
    await database.query(`update delivery_attempts set due_at = null`);
    await database.query('select recount_figures()');
    expect(await dayOf('UTC')).toEqual(['UTC', ['2026-05-01', 2, 0], ['2026-05-02', 0, 2]]);
    expect(await dayOf('America/New_York')).toEqual(['America/New_York', ['2026-05-01', 3, 0], ['2026-05-02', 0, 1]]);
    await admin.api.settings.update({ body: { timeZone: null } });
  });
});
