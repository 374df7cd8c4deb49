import * as z from 'zod/mini';
import { AbandonedStops } from './absences.ts';
import { Day, DayInput, Instant, PageQuery, invalidCursor, text, wholeNumber } from './common.ts';
import { group } from './endpoint.ts';
import { PackageEventType } from './events.ts';
import { Incident } from './incidents.ts';
import { ArrivalWindow, destinationFields, StopsAway } from './packages.ts';
import type { Permission } from './permissions.ts';
import { UserStatus } from './users.ts';
import { Zone } from './zones.ts';

/** Figures of a day or a period. A rate is in %, null where the divisor is 0. */
const performanceFields = {
  created: z.int(),
  /** Claimed by a driver, or assigned while waiting. A handover on the road does not count. */
  started: z.int(),
  completed: z.int(),
  /**
   * Completed by the end of the preferred window; without one, by the end of the eta's day in the organisation's zone; without either, by
   * the estimated delivery time. The values at that time count.
   */
  onTime: z.int(),
  late: z.int(),
  /** Failed attempts. */
  failed: z.int(),
  /** First attempts that ended, completed or failed. */
  firstAttempts: z.int(),
  /** Minutes from start to completion. */
  averageDeliveryTime: z.nullable(z.number()),
  /** Completed / all ended attempts. */
  successRate: z.nullable(z.number()),
  onTimeRate: z.nullable(z.number()),
  /** Completed first attempts / all ended first attempts. */
  firstAttemptSuccess: z.nullable(z.number()),
  issuesOpened: z.int(),
  issuesResolved: z.int(),
  ratings: z.int(),
  /** Average stars, 1 to 5. */
  satisfaction: z.nullable(z.number()),
};

export const PerformanceTotals = z.object(performanceFields);
export type PerformanceTotals = z.output<typeof PerformanceTotals>;

export const PerformanceDay = z.extend(z.object({ day: Day }), performanceFields);
export type PerformanceDay = z.output<typeof PerformanceDay>;

/** Every day of the period, empty ones included, oldest first, until now. `zone` is the time zone of the days. */
export const Performance = z.object({
  asOf: Instant,
  zone: z.string(),
  totals: PerformanceTotals,
  days: z.array(PerformanceDay),
});
export type Performance = z.output<typeof Performance>;

/** The current state. Every figure is exact at `asOf`. */
export const Stats = z.object({
  asOf: Instant,
  /** All that were ever registered, including cancelled and deleted ones. */
  totalPackages: z.int(),
  /** Neither delivered nor deleted. */
  activePackages: z.int(),
  deliveredPackages: z.int(),
  /** In transit or out for delivery. */
  inTransitPackages: z.int(),
  totalUsers: z.int(),
  /** Drivers with a delivery in transit. */
  activeDrivers: z.int(),
  totalDrivers: z.int(),
  packageOwners: z.int(),
  /** Pending, in transit or completed: neither cancelled nor deleted. */
  totalDeliveries: z.int(),
  completedDeliveries: z.int(),
  pendingDeliveries: z.int(),
  /** All but the resolved ones. */
  openIssues: z.int(),
  resolvedIssues: z.int(),
  /** Over all time; null where there is no data yet. */
  metrics: z.object({
    /** Completed / all deliveries, in %; the divisor is at least 1. */
    deliverySuccessRate: z.number(),
    /** Minutes from start to completion. */
    averageDeliveryTime: z.nullable(z.number()),
    /** On time / completed, in %. */
    onTimeDeliveryRate: z.nullable(z.number()),
    /** Average stars, 1 to 5. */
    customerSatisfaction: z.nullable(z.number()),
  }),
  today: z.object({ day: Day, created: z.int(), started: z.int(), completed: z.int(), failed: z.int() }),
});
export type Stats = z.output<typeof Stats>;

/** Figures of the current state: the rows behind them are read live. */
export const presentFigures = [
  'totalPackages',
  'activePackages',
  'deliveredPackages',
  'inTransitPackages',
  'totalDeliveries',
  'completedDeliveries',
  'pendingDeliveries',
  'openIssues',
  'resolvedIssues',
  'totalUsers',
  'activeDrivers',
  'totalDrivers',
  'packageOwners',
] as const;
export type PresentFigure = (typeof presentFigures)[number];

/** Figures of a day or a period. `attempts` are all that ended, completed or failed. */
export const periodFigures = [
  'created',
  'started',
  'completed',
  'onTime',
  'late',
  'failed',
  'attempts',
  'firstAttempts',
  'issuesOpened',
  'issuesResolved',
  'ratings',
] as const;
export type PeriodFigure = (typeof periodFigures)[number];

/** The rows behind an average or a rate are those of its denominator. */
const denominators = {
  deliverySuccessRate: 'totalDeliveries',
  onTimeDeliveryRate: 'completed',
  customerSatisfaction: 'ratings',
  averageDeliveryTime: 'completed',
  successRate: 'attempts',
  onTimeRate: 'completed',
  firstAttemptSuccess: 'firstAttempts',
  satisfaction: 'ratings',
} as const satisfies Record<string, PresentFigure | PeriodFigure>;
type Rate = keyof typeof denominators;
const rates = Object.keys(denominators) as Rate[];
const isRate = (figure: string): figure is Rate => Object.hasOwn(denominators, figure);

export const breakdownDimensions = ['month', 'driver', 'owner', 'town', 'depot', 'route'] as const;
export type BreakdownDimension = (typeof breakdownDimensions)[number];

/** Figures that a breakdown has: they count attempts. */
export const attemptRowFigures = [
  'completed',
  'onTime',
  'late',
  'failed',
  'attempts',
  'firstAttempts',
] as const satisfies readonly PeriodFigure[];
const isOfAttempts = (figure: string) => (attemptRowFigures as readonly string[]).includes(figure);

const noPeriod = 'A figure of the present has no period';

/**
 * `day`, or `from` and `to` (both inclusive), in `zone`; without them the rows of all time. With `by` and `key` the attempts of a row of the
 * breakdown, whose days are those of the depots.
 */
export const FigureRowsQuery = z
  .extend(PageQuery, {
    figure: z.pipe(
      z.enum([...presentFigures, ...periodFigures, ...rates]),
      z.transform((figure) => (isRate(figure) ? denominators[figure] : figure)),
    ),
    day: z.optional(DayInput),
    from: z.optional(DayInput),
    to: z.optional(DayInput),
    by: z.optional(z.enum(breakdownDimensions)),
    key: z.optional(text('key', { max: 200 })),
    zone: Zone,
    /** Keyset cursor: the `id` of the last row of the previous page, for cancelled ones of `activePackages` after 'c-'. */
    cursor: z.optional(z.string().check(z.regex(/^(c-)?[0-9a-f-]{1,36}$/, invalidCursor))),
  })
  .check(
    z.refine(({ day, from, to }) => day === undefined || (from ?? to) === undefined, {
      path: ['day'],
      error: 'Give either day, or from and to',
    }),
    z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['to'],
      error: 'to must not be before from',
    }),
    z.refine(({ figure, day, from, to }) => isPeriodFigure(figure) || (day ?? from ?? to) === undefined, {
      path: ['figure'],
      error: noPeriod,
    }),
    z.refine(({ figure, by }) => by === undefined || isOfAttempts(figure), {
      path: ['by'],
      error: 'Only figures of attempts have a breakdown',
    }),
  );
export type FigureRowsQuery = z.output<typeof FigureRowsQuery>;

const accountFigures = new Set<string>(['totalUsers', 'activeDrivers', 'totalDrivers', 'packageOwners']);

/** The permission for the rows of a figure, in addition to `admin.view_analytics`: unlike the figure, its rows name packages or people. */
export const permissionForRows = (figure: string): Permission =>
  accountFigures.has(figure) ? 'admin.manage_users' : 'packages.view_all';

export const isPeriodFigure = (figure: PresentFigure | PeriodFigure): figure is PeriodFigure =>
  (periodFigures as readonly string[]).includes(figure);

const figureRowFields = z.object({
  id: z.string(),
  packageId: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  /** The name of the package or account. */
  name: z.string(),
  /** The current status of the package or account. */
  status: z.string(),
  /** The driver's name; null where there is none, or the account is deleted. */
  driver: z.nullable(z.string()),
  driverId: z.nullable(z.string()),
  /** The status of the driver's account; null where there is no driver. */
  driverStatus: z.nullable(UserStatus),
});

/** One of the rows that a figure counts: a package, an attempt, an issue, a rating or, for the figures of users, an account. */
export const FigureRow = z.extend(z.extend(figureRowFields, destinationFields), {
  /** When the counted event happened. */
  at: Instant,
  /** The start of the attempt, if there is one; for a package also while it is on the road. */
  startedAt: z.nullable(Instant),
  endedAt: z.nullable(Instant),
  /** The forecast for a package that is on the road. */
  estimatedDeliveryTime: z.nullable(Instant),
  arrivalWindow: ArrivalWindow,
  stopsAway: StopsAway,
  minutes: z.nullable(z.number()),
  /** How the attempt ended, in the lists of attempts; `status` is the package's of today. */
  outcome: z.nullable(z.enum(['completed', 'failed'])),
  /** Null unless completed. */
  onTime: z.nullable(z.boolean()),
  /** The number of the attempt, from 1. */
  attempt: z.nullable(z.int()),
  /** The incident's number and status. */
  issue: z.nullable(z.object({ id: z.int(), status: z.string() })),
  stars: z.nullable(z.int()),
});
export type FigureRow = z.output<typeof FigureRow>;

/** The last 7, 30 or 90 days, or a calendar month. */
/** How many days a period has; both its days are inclusive. */
export const countDays = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** The longest period with a row for each day. */
export const maxPerformanceDays = 366;

export const PerformanceQuery = z
  .strictObject({
    days: z.pipe(z._default(z.enum(['7', '30', '90'], 'days must be 7, 30 or 90'), '7'), z.transform(Number)),
    /** Instead of `days`; the current month ends today. */
    month: z.optional(
      z.string().check(z.regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, 'month must be a calendar month like 2026-10')),
    ),
    /** Instead of `days`: both days are inclusive, and a period in the future ends today. */
    from: z.optional(DayInput),
    to: z.optional(DayInput),
    zone: Zone,
  })
  .check(
    z.refine(({ month, from, to }) => month === undefined || (from ?? to) === undefined, {
      path: ['month'],
      error: 'Give either month, or from and to',
    }),
    z.refine(({ from, to }) => (from === undefined) === (to === undefined), {
      path: ['to'],
      error: 'Give both from and to',
    }),
    z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['to'],
      error: 'to must not be before from',
    }),
    z.refine(
      ({ from, to }) => from === undefined || to === undefined || countDays({ from, to }) <= maxPerformanceDays,
      {
        path: ['to'],
        error: `A period has at most ${maxPerformanceDays} days`,
      },
    ),
  );
export type PerformanceQuery = z.output<typeof PerformanceQuery>;

/** A count that stops at 10,000; `isCapped`: there are more. */
const countedFields = { count: z.int(), isCapped: z.boolean() };
const Counted = z.object(countedFields);
export type Counted = z.output<typeof Counted>;

/** What waits for a decision. A part is null without the permission for its rows. */
export const Needs = z.object({
  asOf: Instant,
  /** All but the resolved ones, with the newest five. */
  incidents: z.nullable(z.extend(Counted, { newest: z.array(Incident) })),
  /** Under way after the end of their window, or else of their eta's day in the organisation's zone. */
  overdue: z.nullable(Counted),
  /** On the road, and expected after their window or eta's day, which is still to come. */
  atRisk: z.nullable(Counted),
  /** Routes of today and later whose driver is away, with open stops; the soonest ten. */
  absent: z.nullable(z.extend(Counted, { soonest: z.array(AbandonedStops) })),
  /** Waiting again after a failed attempt; `today`: those whose last attempt failed today. */
  afterFailure: z.nullable(z.extend(Counted, { today: z.int() })),
  /** Unfinished, with an address that nothing more exact than its town was found for. */
  pins: z.nullable(Counted),
  /** Waiting for a driver. Exact. */
  waiting: z.nullable(Counted),
  /** Open messages of visitors. */
  messages: z.nullable(Counted),
  /** Accounts that await approval. */
  accounts: z.nullable(Counted),
  /** Deliveries of notifications that have failed for good. */
  notifications: z.nullable(Counted),
});
export type Needs = z.output<typeof Needs>;

/** An event of any package, for the list of the newest. */
export const LatestEvent = z.object({
  id: z.string(),
  type: PackageEventType,
  at: Instant,
  packageId: z.string(),
  trackingId: z.string(),
  /** The package's name. */
  name: z.string(),
  /** The recipient's town; null without an address. */
  town: z.nullable(z.string()),
  /** The actor's name; null if the account is deleted. */
  actor: z.nullable(z.string()),
  note: z.nullable(z.string()),
});
export type LatestEvent = z.output<typeof LatestEvent>;

export const LatestEventsQuery = z.strictObject({
  limit: z._default(wholeNumber('limit', 1, 60), 30),
});

/** Figures of the attempts of a period, and of the returns. Averages and rates (in %) are null where there is nothing to divide by. */
const attemptFigures = {
  completed: z.int(),
  /** Failed attempts. */
  failed: z.int(),
  /** Completed / all ended attempts. */
  successRate: z.nullable(z.number()),
  /** As in PerformanceTotals. */
  onTime: z.int(),
  onTimeRate: z.nullable(z.number()),
  /** First attempts that ended, completed or failed. */
  firstAttempts: z.int(),
  firstAttemptSuccess: z.nullable(z.number()),
  /** Minutes from start to completion. */
  averageDeliveryTime: z.nullable(z.number()),
  /** Ended attempts per hour on the road: from the start of the route, or the end of the driver's stop before, to the end; without returns and their time. */
  stopsPerHour: z.nullable(z.number()),
  /** Minutes from the reported arrival to the end, of the attempts with one. */
  minutesAtDoor: z.nullable(z.number()),
  /** Attempts that each delivered package needed, on average. */
  attemptsPerPackage: z.nullable(z.number()),
  /** Brought back to their owners. A return is no attempt. */
  returns: z.int(),
  /** Of finished routes, as far as places are known. Null for owners and towns, which share routes. */
  kilometres: z.nullable(z.number()),
  co2Kg: z.nullable(z.number()),
  /** By the settings at the end of each route, in their currency. Null also where they said nothing, and for drivers and owners. */
  cost: z.nullable(z.number()),
};
export const AttemptFigures = z.object(attemptFigures);
export type AttemptFigures = z.output<typeof AttemptFigures>;

/** The figures of a driver, a town, … */
export const BreakdownRow = z.extend(
  z.object({
    /** The id of the driver, owner, depot or route, the town, or the month `YYYY-MM`; empty for none. */
    key: z.string(),
    /** Of a driver, an owner or a depot; null for none and for deleted accounts. */
    name: z.nullable(z.string()),
    /** Of a route. */
    route: z.nullable(z.object({ day: Day, driver: z.nullable(z.string()), depot: z.nullable(z.string()) })),
    /** Completed in the period before. */
    completedBefore: z.int(),
  }),
  attemptFigures,
);
export type BreakdownRow = z.output<typeof BreakdownRow>;

/** `from` and `to` are days of the depots' zones, both inclusive. The period before is as long, and ends on the day before `from`. */
export const Breakdown = z.object({
  asOf: Instant,
  from: Day,
  to: Day,
  totals: AttemptFigures,
  /** The totals of the period before. */
  before: AttemptFigures,
  /** The most delivered first, months the newest first. At most 500; the export has all. */
  rows: z.array(BreakdownRow),
  /** How many more rows there are. */
  more: z.int(),
  /** Of `cost`; null in the figures of one's own, which say none. */
  currency: z.nullable(z.string()),
});
export type Breakdown = z.output<typeof Breakdown>;

/** The most days of a breakdown: two years. */
export const maxBreakdownDays = 731;

/** `to` is today by default, and `from` 29 days before it. A period has at most 731 days. */
const breakdownPeriod = { from: z.optional(DayInput), to: z.optional(DayInput) };

export const BreakdownQuery = z.strictObject({
  by: z._default(z.enum(breakdownDimensions, `by must be one of ${breakdownDimensions.join(', ')}`), 'month'),
  ...breakdownPeriod,
});
export type BreakdownQuery = z.output<typeof BreakdownQuery>;

export const OwnFiguresQuery = z.strictObject(breakdownPeriod);
export type OwnFiguresQuery = z.output<typeof OwnFiguresQuery>;

/** The permission for a breakdown, in addition to `admin.view_analytics`: these name people. */
export const permissionForBreakdown = (by: BreakdownDimension): Permission | null =>
  by === 'driver' || by === 'owner' || by === 'route' ? 'packages.view_all' : null;

export const ArrivalsQuery = z.strictObject({ days: z._default(wholeNumber('days', 1, 60), 28) });
export type ArrivalsQuery = z.output<typeof ArrivalsQuery>;

/** How good arrival windows were, by the stops to go when they were shown, this one included. Shares are in %. */
export const ArrivalFigures = z.object({
  asOf: Instant,
  days: z.int(),
  /** When windows were last learned, and from how many legs and arrivals; null before. */
  learned: z.optional(z.object({ at: Instant, legs: z.int(), arrivals: z.int() })),
  horizons: z.array(
    z.object({
      fromStops: z.int(),
      /** Null: any more. */
      toStops: z.nullable(z.int()),
      arrivals: z.int(),
      inWindow: z.number(),
      /** After the window. */
      late: z.number(),
      /** The mean error of the median, in minutes and in % of the time until the arrival. */
      minutes: z.number(),
      percent: z.nullable(z.number()),
      /** The same of so many minutes for each stop. */
      fixedMinutes: z.number(),
      fixedPercent: z.nullable(z.number()),
    }),
  ),
});
export type ArrivalFigures = z.output<typeof ArrivalFigures>;

const access = { anyOf: ['admin.view_analytics'] } as const;

export const stats = group({
  read: {
    method: 'GET',
    path: '/stats',
    failure: 'Failed to fetch statistics.',
    access,
    scope: 'everything',
    query: z.strictObject({ zone: Zone }),
    reply: Stats,
  },
  performance: {
    method: 'GET',
    path: '/stats/performance',
    failure: 'Failed to fetch performance data.',
    access,
    scope: 'everything',
    query: PerformanceQuery,
    reply: Performance,
  },
  /**
   * The rows behind a figure, newest first; with `count=true` their number is the figure itself. Rows of packages also require
   * `packages.view_all`, rows of accounts `admin.manage_users`.
   */
  rows: {
    method: 'GET',
    path: '/stats/rows',
    failure: 'Failed to fetch the rows behind a figure.',
    access,
    scope: 'everything',
    query: FigureRowsQuery,
    reply: z.array(FigureRow),
    list: true,
  },
  arrivals: {
    method: 'GET',
    path: '/stats/arrivals',
    summary: 'Read how often arrivals were in their windows, by stops to go',
    failure: 'Failed to fetch the figures of arrivals.',
    access,
    scope: 'everything',
    query: ArrivalsQuery,
    reply: ArrivalFigures,
  },
  /** Each part also requires the permission for its rows, and is null without it. */
  needs: {
    method: 'GET',
    path: '/stats/needs',
    summary: 'Count what waits for a decision',
    failure: 'Failed to fetch what waits for a decision.',
    access,
    scope: 'everything',
    reply: Needs,
  },
  /** Also requires `packages.view_all`, like the rows of packages. */
  latestEvents: {
    method: 'GET',
    path: '/stats/events',
    summary: 'List the newest events of all packages',
    failure: 'Failed to fetch the newest events.',
    access,
    scope: 'everything',
    query: LatestEventsQuery,
    reply: z.array(LatestEvent),
  },
  /** By driver, owner or route it also requires `packages.view_all`. */
  breakdown: {
    method: 'GET',
    path: '/stats/breakdown',
    summary: 'Read the figures of a period by month, driver, owner, town, depot or route',
    failure: 'Failed to fetch the figures.',
    access,
    scope: 'everything',
    query: BreakdownQuery,
    reply: Breakdown,
  },
  exportBreakdown: {
    method: 'GET',
    path: '/stats/breakdown/export',
    summary: 'Export the figures of a period by month, driver, owner, town, depot or route as CSV',
    access,
    scope: 'everything',
    query: BreakdownQuery,
    reply: 'csv',
  },
  /** Of a driver: the own attempts. Of anybody else: the attempts of the own packages. */
  own: {
    method: 'GET',
    path: '/stats/mine',
    summary: 'Read the own figures of a period by month',
    failure: 'Failed to fetch the figures.',
    access: 'active',
    scope: 'self',
    query: OwnFiguresQuery,
    reply: Breakdown,
  },
});
