import type { PackageStatus, Performance, PerformanceQuery, PerformanceTotals, Stats } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { countByStatus } from '../packages/kept-counts.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { countOverdue } from './overdue-queries.ts';
import { addUp, countCurrent, sumDays, type Sums } from './queries.ts';

export { rollUpStats } from './queries.ts';

/** Reads the exact figures at this moment: transactional sums for what is many, live counts for what is few. */
export async function readStats(ctx: Ctx, query: { zone?: string | undefined }): Promise<Stats> {
  const zone = await zoneOf(ctx.settings, query);
  const now = ctx.now();
  const [allTime, packages, current, days] = await Promise.all([
    ctx.allTimeSums.read(ctx.reads, zone),
    countByStatus(ctx.reads, null),
    countCurrent(ctx.reads),
    sumDays(ctx.reads, zone, now, { days: 1 }),
  ]);
  const [today] = days;
  if (!today) throw new Error('a day without its row');
  const total = [...packages.values()].reduce((sum, count) => sum + count, 0);
  const inactive = packages.get('inactive') ?? 0;
  const { waiting, onTheRoad, delivered } = countDeliveries(packages);
  const deliveries = waiting + onTheRoad + delivered;
  return {
    asOf: now.toISOString(),
    totalPackages: total,
    activePackages: total - delivered - inactive,
    deliveredPackages: delivered,
    inTransitPackages: onTheRoad,
    totalUsers: current.users,
    activeDrivers: current.active_drivers,
    totalDrivers: current.drivers,
    packageOwners: current.owners,
    totalDeliveries: deliveries,
    completedDeliveries: delivered,
    pendingDeliveries: waiting,
    openIssues: current.open_issues,
    // Each was reported once, and may have been reopened.
    resolvedIssues: Math.max(0, allTime.issues_opened - current.open_issues),
    metrics: {
      deliverySuccessRate: (100 * delivered) / Math.max(1, deliveries),
      averageDeliveryTime: minutesOf(allTime),
      onTimeDeliveryRate: percent(allTime.on_time, allTime.completed),
      customerSatisfaction: ratio(allTime.stars, allTime.ratings),
    },
    today: {
      day: today.day,
      created: today.created,
      started: today.started,
      completed: today.completed,
      failed: today.failed,
    },
  };
}

/** Counts that operators may want alerts on: deliveries at present, and today's attempts in the organisation's zone. */
export interface Operations {
  waiting: number;
  onTheRoad: number;
  overdue: number;
  completedToday: number;
  failedToday: number;
}

export async function readOperations(ctx: Pick<Ctx, 'db' | 'now' | 'settings'>): Promise<Operations> {
  const now = ctx.now();
  const zone = await zoneOf(ctx.settings, {});
  const [packages, overdue, [today]] = await Promise.all([
    countByStatus(ctx.db, null),
    countOverdue(ctx.db, zone, now),
    sumDays(ctx.db, zone, now, { days: 1 }),
  ]);
  const { waiting, onTheRoad } = countDeliveries(packages);
  return {
    waiting,
    onTheRoad,
    overdue,
    completedToday: today?.completed ?? 0,
    failedToday: today?.failed ?? 0,
  };
}

function countDeliveries(packages: ReadonlyMap<string, number>) {
  const count = (status: PackageStatus) => packages.get(status) ?? 0;
  return {
    waiting: count('processing'),
    onTheRoad: count('in transit') + count('out for delivery'),
    delivered: count('delivered'),
  };
}

export async function readPerformance(ctx: Ctx, query: PerformanceQuery): Promise<Performance> {
  const now = ctx.now();
  const zone = await zoneOf(ctx.settings, query);
  const summed = await sumDays(ctx.reads, zone, now, { ...query, ...(query.month && daysOfMonth(query.month)) });
  return {
    asOf: now.toISOString(),
    zone,
    totals: asTotals(addUp(summed)),
    days: summed.map(({ day, ...sums }) => ({ day, ...asTotals(sums) })),
  };
}

function daysOfMonth(month: string): { from: string; to: string } {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
  return { from: `${month}-01`, to: last.toISOString().slice(0, 10) };
}

function asTotals(sums: Sums): PerformanceTotals {
  return {
    created: sums.created,
    started: sums.started,
    completed: sums.completed,
    onTime: sums.on_time,
    late: sums.completed - sums.on_time,
    failed: sums.failed,
    firstAttempts: sums.first_attempts,
    averageDeliveryTime: minutesOf(sums),
    successRate: percent(sums.completed, sums.completed + sums.failed),
    onTimeRate: percent(sums.on_time, sums.completed),
    firstAttemptSuccess: percent(sums.first_completed, sums.first_attempts),
    issuesOpened: sums.issues_opened,
    issuesResolved: sums.issues_resolved,
    ratings: sums.ratings,
    satisfaction: ratio(sums.stars, sums.ratings),
  };
}

/** Null when there is nothing to divide by, rather than an invented figure. */
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const percent = (part: number, whole: number) => ratio(100 * part, whole);
const minutesOf = (sums: Sums) => ratio(sums.delivery_ms / 60_000, sums.completed);
