import {
  isPeriodFigure,
  permissionForRows,
  type FigureRow,
  type FigureRowsQuery,
  type PeriodFigure,
  type PresentFigure,
  type UserStatus,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { auditContactViews } from '../audit/contact-views.ts';
import { asDestination, destinationColumns, type DestinationRow } from '../packages/destination.ts';
import { arrivalIn, findRounds, stopMs } from '../packages/rounds.ts';
import { fromCarrier } from '../packages/row.ts';
import { forbidden } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList, keysOf, orderBy } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { endedBetween, isOfKey } from './attempt-sums.ts';
import { dayIn, isActiveDriver } from './queries.ts';

/** What a figure counts: the table, by `kind`, and the SQL condition on its rows, as `counted`. */
interface Source {
  kind: 'package' | 'attempt' | 'event' | 'incident' | 'account';
  where: string;
}

const source = (kind: Source['kind'], where: string): Source => ({ kind, where });

/** SQL: whether a completed attempt was on time. Attempts from before due times were recorded go by the eta's day in the zone $1, as they did then. */
const isOnTime = (
  attempt: string,
) => `case when ${attempt}.due_at is not null then ${attempt}.ended_at <= ${attempt}.due_at
  when ${attempt}.eta is null then ${attempt}.ended_at <= ${attempt}.estimated_delivery_at
  else ${dayIn(`${attempt}.ended_at`, '$1')} <= ${attempt}.eta end`;

const anyOutcome = "counted.outcome in ('completed', 'failed')";

const started = `(counted.type = 'delivery.started' or (counted.type = 'delivery.assigned' and counted.previous_driver_id is null))`;

const sources: Record<PresentFigure | PeriodFigure, Source> = {
  totalPackages: source('package', 'true'),
  activePackages: source('package', "counted.status not in ('delivered', 'inactive')"),
  deliveredPackages: source('package', "counted.status = 'delivered'"),
  inTransitPackages: source('package', "counted.status in ('in transit', 'out for delivery')"),
  totalDeliveries: source('package', "counted.status not in ('cancelled', 'inactive')"),
  completedDeliveries: source('package', "counted.status = 'delivered'"),
  pendingDeliveries: source('package', "counted.status = 'processing'"),
  openIssues: source('incident', "counted.status <> 'Resolved'"),
  resolvedIssues: source('incident', "counted.status = 'Resolved'"),
  totalUsers: source('account', 'counted.deleted_at is null'),
  activeDrivers: source('account', isActiveDriver('counted')),
  totalDrivers: source('account', "counted.deleted_at is null and counted.role = 'driver'"),
  packageOwners: source('account', "counted.deleted_at is null and counted.role = 'owner'"),
  created: source('event', "counted.type = 'package.created'"),
  started: source('event', started),
  completed: source('attempt', "counted.outcome = 'completed'"),
  onTime: source('attempt', `counted.outcome = 'completed' and ${isOnTime('counted')}`),
  // The condition on `due_at` is implied, and that of a partial index.
  late: source(
    'attempt',
    `counted.outcome = 'completed' and (counted.due_at is null or counted.ended_at > counted.due_at) and not (${isOnTime('counted')})`,
  ),
  failed: source('attempt', "counted.outcome = 'failed'"),
  attempts: source('attempt', anyOutcome),
  firstAttempts: source('attempt', `${anyOutcome} and counted.number = 1`),
  issuesOpened: source('event', "counted.type = 'issue.reported'"),
  issuesResolved: source('event', "counted.type = 'incident.resolved'"),
  // A reopened delivery lost the rating that it had before.
  ratings: source(
    'event',
    `counted.type in ('package.rated', 'package.rated-by-recipient') and not exists (select from package_events later
      where later.package_id = counted.package_id and later.id > counted.id and later.type = 'delivery.reopened')`,
  ),
};

const attempt = `a.ended_at, a.number, case when a.outcome = 'completed' then ${isOnTime('a')} end as on_time`;
const noAttempt =
  'null::timestamptz as started_at, null::timestamptz as ended_at, null::int as number, null::boolean as on_time, null::text as outcome';
const noIssue = 'null::int as incident, null as incident_status';
const pkg = `p.id as package_id, p.tracking_id, p.name, p.status, d.name as driver, d.id as driver_id, d.status as driver_status,
  case when p.status in ('in transit', 'out for delivery') then ${fromCarrier('p', 'p.estimated_delivery_at')} end as expected_at,
  case when p.status in ('in transit', 'out for delivery') then ${fromCarrier('p', 'p.route_id')} end as round_id,
  ${destinationColumns('p')}`;
const joins = (package_id: string, driver_id: string) =>
  `join packages p on p.id = ${package_id} left join users d on d.id = ${driver_id} and d.deleted_at is null`;
const completed = "left join delivery_attempts a on a.package_id = p.id and a.outcome = 'completed'";

/** Per kind: its table, the time it is sorted by, the column that sorts by time and identifies a row, and the columns and joins of a row. */
const kinds: Record<Source['kind'], { table: string; at: string; key: string; shown: string; joined: string }> = {
  package: {
    table: 'packages',
    at: 'created_at',
    key: 'id',
    shown: `${pkg}, p.started_at, ${attempt}, null::text as outcome, ${noIssue}, coalesce(p.recipient_stars, p.rating_stars) as stars`,
    joined: `${joins('counted.id', 'counted.driver_id')} ${completed}`,
  },
  attempt: {
    table: 'delivery_attempts',
    at: 'ended_at',
    key: 'id',
    shown: `${pkg}, a.started_at, ${attempt}, a.outcome, ${noIssue}, null::int as stars`,
    joined: `${joins('counted.package_id', 'counted.driver_id')} join delivery_attempts a on a.package_id = counted.package_id and a.id = counted.id`,
  },
  event: {
    table: 'package_events',
    at: 'at',
    key: 'id',
    shown: `${pkg}, ${noAttempt}, i.number as incident, i.status as incident_status,
      case counted.type when 'package.rated' then p.rating_stars when 'package.rated-by-recipient' then p.recipient_stars end as stars`,
    joined: `${joins('counted.package_id', 'counted.driver_id')} left join incidents i on i.package_id = counted.package_id and i.number = counted.incident_number`,
  },
  incident: {
    table: 'incidents',
    at: 'created_at',
    key: 'number',
    shown: `${pkg}, ${noAttempt}, counted.number as incident, counted.status as incident_status, null::int as stars`,
    joined: joins('counted.package_id', 'p.driver_id'),
  },
  account: {
    table: 'users',
    at: 'created_at',
    key: 'id',
    shown: `null as package_id, null as tracking_id, counted.name, counted.status, null as driver, null::uuid as driver_id, null as driver_status,
      null::timestamptz as expected_at, null::uuid as round_id, null::uuid as owner_id, null as address_street, null as address_postal_code, null as address_city, null as address_country, null::timestamptz as window_from, null::timestamptz as window_to, null as owner,
      ${noAttempt}, ${noIssue}, null::int as stars`,
    joined: '',
  },
};

interface Row extends DestinationRow {
  id: string;
  at: Date;
  package_id: string | null;
  tracking_id: string | null;
  name: string;
  status: string;
  driver: string | null;
  driver_id: string | null;
  driver_status: UserStatus | null;
  started_at: Date | null;
  ended_at: Date | null;
  expected_at: Date | null;
  /** The route of a package on the road. */
  round_id: string | null;
  number: number | null;
  on_time: boolean | null;
  outcome: FigureRow['outcome'];
  incident: number | null;
  incident_status: string | null;
  stars: number | null;
}

/** @param part a condition on this page alone, which the count leaves out */
async function readPage(ctx: Ctx, query: FigureRowsQuery, part?: string) {
  const { kind, where } = sources[query.figure];
  const { table, at, key, shown, joined } = kinds[kind];
  const paging = { cursor: query.cursor, limit: query.limit };
  const filter = filterList({}, paging, [await zoneOf(ctx.settings, query)]);
  // Always refer to $1: PostgreSQL has to infer the type of every parameter.
  filter.where(`$1::text is not null and ${where}`);
  if (isPeriodFigure(query.figure)) {
    const [from, to] = query.day ? [query.day, query.day] : [query.from, query.to];
    if (query.by && from && to) filter.where(endedBetween('counted', filter.value(from), filter.value(to)));
    else if (from) filter.where(`counted.${at} >= ${filter.value(from)}::date::timestamp at time zone $1`);
    if (to && !query.by) filter.where(`counted.${at} < (${filter.value(to)}::date + 1)::timestamp at time zone $1`);
  }
  if (query.by && query.by !== 'month') filter.where(isOfKey('counted', query.by, filter.value(query.key ?? '')));
  // Numbers of incidents and ids of packages and accounts sort by time; ids of events and attempts only by the order of writing.
  const keys = isPeriodFigure(query.figure) ? [at, 'id'] : [key];
  // The index of attempts has the outcome first, so a page of any outcome is merged from one of each.
  const order = { keys: keys.map((key) => `counted.${key}`), descending: true, last: keysOf(keys, table) };
  const page = where.startsWith(anyOutcome)
    ? `unnest(array['completed', 'failed']) as listed (outcome) cross join lateral
         (select counted.* from ${table} counted ${filter.page(order, { part: 'counted.outcome = listed.outcome' })}) counted
       order by ${orderBy(order)} limit ${query.limit + 1}`
    : `${table} counted ${filter.page(order, part ? { part } : {})}`;
  const rows = await ctx.db.query<Row>(
    `select counted.id, counted.${at} as at, ${shown} from (select counted.* from ${page}) counted ${joined} order by ${orderBy(order)}`,
    filter.values(),
  );
  return { rows, count: () => filter.count(ctx.db, `${table} counted`) };
}

/** Before the id in a cursor: the page continues among the cancelled packages. */
const amongCancelled = 'c-';

/**
 * The figure counts cancelled packages, but whoever looks at it looks for those on their way: they come first. Two queries, so that the
 * first page does not read on until it has found all that are cancelled.
 */
async function readActivePackages(ctx: Ctx, query: FigureRowsQuery) {
  const isLast = query.cursor?.startsWith(amongCancelled) === true;
  const first = isLast ? null : await readPage(ctx, query, "counted.status <> 'cancelled'");
  if (first && first.rows.length > query.limit) return first;
  const limit = query.limit - (first?.rows.length ?? 0);
  const cursor = isLast ? query.cursor?.slice(amongCancelled.length) : undefined;
  const last = await readPage(ctx, { ...query, limit, cursor }, "counted.status = 'cancelled'");
  return { rows: [...(first?.rows ?? []), ...last.rows], count: last.count };
}

/**
 * Lists the rows that a figure counts, newest first, by the same conditions; of the active packages the cancelled ones last.
 * @throws forbidden without the permission to read the packages or accounts themselves: figures are anonymous, rows name people
 */
export async function listFigureRows(ctx: Ctx, actor: Actor, query: FigureRowsQuery): Promise<Page<FigureRow>> {
  if (!actor.permissions.includes(permissionForRows(query.figure))) throw forbidden();
  const isActive = query.figure === 'activePackages';
  const page = isActive ? await readActivePackages(ctx, query) : await readPage(ctx, query);
  const { rows } = page;
  await auditContactViews(ctx.db, actor, rows.slice(0, query.limit).flatMap(contactViewsOf));
  const count = query.count ? await page.count() : null;
  const rounds = await findRounds(
    ctx.db,
    rows.flatMap(({ round_id: id }) => id ?? []),
  );
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => (isActive && row.status === 'cancelled' ? `${amongCancelled}${row.id}` : row.id),
    (row) => {
      const round = rounds.get(row.round_id ?? '');
      const arrival = row.package_id && arrivalIn(round, row.package_id, stopMs(ctx), ctx.now());
      return arrival ? { ...asFigureRow(row), ...arrival } : asFigureRow(row);
    },
  );
}

/** The package whose address the row shows, for the audit of contact views. */
const contactViewsOf = ({ package_id: id, owner_id, driver_id, address_street: street }: Row) =>
  id && owner_id && street ? [{ id, owner_id, driver_id }] : [];

const asFigureRow = (row: Row): FigureRow => ({
  id: row.id,
  packageId: row.package_id,
  trackingId: row.tracking_id,
  name: row.name,
  status: row.status,
  driver: row.driver,
  driverId: row.driver_id,
  driverStatus: row.driver_status,
  ...asDestination(row),
  at: row.at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  estimatedDeliveryTime: row.expected_at?.toISOString() ?? null,
  arrivalWindow: null,
  stopsAway: null,
  minutes: row.started_at && row.ended_at && (row.ended_at.getTime() - row.started_at.getTime()) / 60_000,
  outcome: row.outcome,
  onTime: row.on_time,
  attempt: row.number,
  issue:
    row.incident === null || row.incident_status === null ? null : { id: row.incident, status: row.incident_status },
  stars: row.stars,
});
