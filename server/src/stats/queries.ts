import type { Queryable } from '../platform/database/db.ts';

const columns = [
  'created',
  'started',
  'withdrawn',
  'deleted',
  'completed',
  'failed',
  'first_attempts',
  'first_completed',
  'delivery_ms',
  'completed_before',
  'completed_on_day',
  'completed_day_after',
  'issues_opened',
  'issues_resolved',
  'ratings',
  'stars',
] as const;

type Name = Exclude<(typeof columns)[number], `completed_${string}`> | 'on_time';

/** The sums of a day, or of all time. */
export type Sums = Record<Name, number>;

/** SQL for the day of an instant in a zone. */
export const dayIn = (instant: string, zone: string) => `(${instant} at time zone ${zone})::date`;

/**
 * SQL for how many attempts that were completed at `at` were on time in the zone $1. Newer rows have them all in `completed_before`; in
 * older ones some depend on the day that it was in the zone. Computing a day costs more than adding up a row, so that is done only for
 * rows that need it.
 */
const onTime = `completed_before + case
  when completed_on_day = 0 and completed_day_after = 0 then 0
  else case sign(${dayIn('at', '$1')} - ${dayIn('at', "'UTC'")})
    when 1 then 0 when 0 then completed_on_day else completed_on_day + completed_day_after end
  end`;

const summed = columns.filter((column) => !column.startsWith('completed_')) as Exclude<Name, 'on_time'>[];
const names: Name[] = [...summed, 'on_time'];
const sums = `${summed.map((column) => `coalesce(sum(${column}), 0)::float8 as ${column}`).join(', ')},
  coalesce(sum(${onTime}), 0)::float8 as on_time`;

/** The rolled-up sums and the rows not yet rolled up. One statement, so one snapshot: a row that is being moved is in exactly one of them. */
const all = (where: string) => `(
  select at, ${columns.join(', ')} from figures ${where} union all select at, ${columns.join(', ')} from figure_changes ${where}) counted`;

export const addUp = (rows: Sums[]): Sums =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Sums;

/** Sums of the rolled-up past. They hold as long as the version that the database has for it stays the same. */
export interface PastSums extends Sums {
  version: string | null;
  /** Only buckets before this time are included. */
  before: Date;
}

/**
 * Sums the buckets that lie more than two days back. Whatever changes a bucket that lies more than one day back replaces the version, in
 * the same transaction (triggers on `figures`).
 */
export async function sumPast(db: Queryable, zone: string): Promise<PastSums> {
  const [row] = await db.query<PastSums>(
    `with bound as (select date_bin('15 minutes', now() - interval '2 days', 'epoch') as before)
     select (select version from figures_version) as version, (select before from bound) as before, ${sums}
     from figures where at < (select before from bound)`,
    [zone],
  );
  if (!row) throw new Error('a sum without a row');
  return row;
}

/** Sums everything that `sumPast` left out, with the version of the past from the same snapshot. */
export async function sumSince(db: Queryable, zone: string, before: Date): Promise<Sums & { version: string | null }> {
  const [row] = await db.query<Sums & { version: string | null }>(
    `select (select version from figures_version) as version, ${sums}
     from (select at, ${columns.join(', ')} from figures where at >= $2
       union all select at, ${columns.join(', ')} from figure_changes) counted`,
    [zone, before],
  );
  if (!row) throw new Error('a sum without a row');
  return row;
}

/** Sums all figures from one snapshot, without anything remembered. */
export async function sumAllTime(db: Queryable, zone: string): Promise<Sums> {
  const [row] = await db.query<Sums>(`select ${sums} from ${all('')}`, [zone]);
  if (!row) throw new Error('a sum without a row');
  return row;
}

/**
 * SQL: when a day begins in the zone $1. Where clocks go back at midnight that is an hour before the midnight that PostgreSQL takes.
 * @param day a timestamp
 */
const startOfDay = (day: string) => `${day} at time zone $1
  - case when ${dayIn(`(${day} at time zone $1 - interval '1 hour')`, '$1')} = ${day}::date then interval '1 hour' else interval '0' end`;

/**
 * Sums per day in the zone, oldest first: from one day to another, or of the last `days` days, both up to today. What is rolled up is read day
 * by day: to find the day of each of 96 rows a day took longer than adding them up.
 */
export const sumDays = (
  db: Queryable,
  zone: string,
  now: Date,
  { days, from, to }: { days: number; from?: string | undefined; to?: string | undefined },
) =>
  db.query<Sums & { day: string }>(
    `with today as (select ${dayIn('$2::timestamptz', '$1')} as day),
       period as (
         select coalesce($4::date, day - $3::int + 1) as first,
           least(day, coalesce($5::date, day)) as last
         from today
       ),
       days as (
         select first_instant.day, first_instant.at, lead(first_instant.at) over (order by first_instant.day) as until from (
           select listed::date as day, ${startOfDay('listed')} as at
           from period cross join generate_series(first::timestamp, (last + 1)::timestamp, interval '1 day') as listed
         ) first_instant
       ),
       changed as (
         select ${dayIn('at', '$1')} as day, ${sums} from figure_changes
         where at >= (select min(at) from days) and at < (select max(at) from days) group by 1
       )
     select days.day, ${names.map((column) => `summed.${column} + coalesce(changed.${column}, 0) as ${column}`).join(', ')}
     from days cross join lateral (select ${sums} from figures where at >= days.at and at < days.until) summed
     left join changed on changed.day = days.day
     where days.until is not null order by days.day`,
    [zone, now, days, from ?? null, to ?? null],
  );

export interface AccountCounts {
  users: number;
  drivers: number;
  owners: number;
  active_drivers: number;
}

/** Whether an account is a driver, not suspended, with a delivery in transit. */
export const isActiveDriver = (user: string) => `${user}.role = 'driver' and ${user}.status = 'active' and exists (
  select from packages where driver_id = ${user}.id and status in ('in transit', 'out for delivery'))`;

/** Counts live what is few. `active_drivers` are those of `isActiveDriver`. */
export async function countCurrent(db: Queryable): Promise<AccountCounts & { open_issues: number }> {
  const [[accounts], [issues]] = await Promise.all([
    db.query<AccountCounts>(`
      select accounts.*, active_drivers
      from (select count(*)::float8 as users, count(*) filter (where role = 'driver')::float8 as drivers,
              count(*) filter (where role = 'owner')::float8 as owners
            from users where deleted_at is null) accounts,
           (select count(distinct driver_id)::float8 as active_drivers from packages p join users u on u.id = p.driver_id
            where p.status in ('in transit', 'out for delivery') and u.role = 'driver' and u.status = 'active') drivers`),
    db.query<{ open_issues: number }>(
      "select count(*)::float8 as open_issues from incidents where status <> 'Resolved'",
    ),
  ]);
  if (!accounts || !issues) throw new Error('a count without a row');
  return { ...accounts, ...issues };
}

/** Rolls the appended rows up into buckets of 15 minutes. Safe to run concurrently: each row is moved exactly once. */
export const rollUpStats = (db: Queryable) =>
  db.query(`
    with moved as (delete from figure_changes returning *)
    insert into figures as kept (at, ${columns.join(', ')})
    select date_bin('15 minutes', at, 'epoch'), ${columns.map((column) => `sum(${column})`).join(', ')} from moved group by 1
    on conflict (at) do update set ${columns.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ')}`);
