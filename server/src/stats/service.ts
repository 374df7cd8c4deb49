import type { Performance, PerformanceQuery, PerformanceTotals, Stats } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import {
  addUp,
  countOverdue,
  countStanding,
  sumDays,
  sumEverything,
  type Sums,
  type SumsOfEverything,
} from './queries.ts';

export { rollUpStats } from './queries.ts';

/** How things stand, exactly: what transactions have added up, and what is few counted live. */
export async function readStats(ctx: Ctx, query: { zone?: string | undefined }): Promise<Stats> {
  const zone = await zoneOf(ctx.settings, query);
  const now = ctx.now();
  const [ever, standing, days] = await Promise.all([
    sumEverything(ctx.db, zone),
    countStanding(ctx.db),
    sumDays(ctx.db, zone, now, { days: 1 }),
  ]);
  const [today] = days;
  if (!today) throw new Error('a day without its row');
  const { waiting: pending, onTheRoad } = underWay(ever);
  const deliveries = pending + onTheRoad + ever.completed;
  return {
    asOf: now.toISOString(),
    totalPackages: ever.created,
    activePackages: ever.created - ever.completed - ever.deleted,
    deliveredPackages: ever.completed,
    inTransitPackages: onTheRoad,
    totalUsers: standing.users,
    activeDrivers: standing.active_drivers,
    totalDrivers: standing.drivers,
    packageOwners: standing.owners,
    totalDeliveries: deliveries,
    completedDeliveries: ever.completed,
    pendingDeliveries: pending,
    openIssues: standing.open_issues,
    resolvedIssues: standing.resolved_issues,
    metrics: {
      deliverySuccessRate: (100 * ever.completed) / Math.max(1, deliveries),
      averageDeliveryTime: minutesOf(ever),
      onTimeDeliveryRate: percent(ever.on_time, ever.completed),
      customerSatisfaction: ratio(ever.stars, ever.ratings),
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

/** What whoever runs the firm wants to be woken for: counts of deliveries as they stand, and of the attempts of the organisation's today. */
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
  const [ever, overdue, [today]] = await Promise.all([
    sumEverything(ctx.db, zone),
    countOverdue(ctx.db, zone, now),
    sumDays(ctx.db, zone, now, { days: 1 }),
  ]);
  return {
    ...underWay(ever),
    overdue,
    completedToday: today?.completed ?? 0,
    failedToday: today?.failed ?? 0,
  };
}

/** Of everything that ever happened, what is still to be done. */
const underWay = (ever: SumsOfEverything) => ({
  waiting: ever.created - ever.started + ever.failed + ever.released - ever.withdrawn,
  onTheRoad: ever.started - ever.completed - ever.failed - ever.released,
});

export async function readPerformance(ctx: Ctx, query: PerformanceQuery): Promise<Performance> {
  const now = ctx.now();
  const zone = await zoneOf(ctx.settings, query);
  const summed = await sumDays(ctx.db, zone, now, query);
  return {
    asOf: now.toISOString(),
    zone,
    totals: asTotals(addUp(summed)),
    days: summed.map(({ day, ...sums }) => ({ day, ...asTotals(sums) })),
  };
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

/** Null rather than a figure that nobody has measured. */
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const percent = (part: number, whole: number) => ratio(100 * part, whole);
const minutesOf = (sums: Sums) => ratio(sums.delivery_ms / 60_000, sums.completed);
