import { isOverdue } from '../packages/lists.ts';
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

/** What happened on a day or since ever. */
export type Sums = Record<Name, number>;

/** Deliveries that were taken back without an attempt: so few that they are counted, and so of every time alone. */
export type SumsOfEverything = Sums & { released: number };

/** The day of an instant in a zone. */
export const dayIn = (instant: string, zone: string) => `(${instant} at time zone ${zone})::date`;

/**
 * $1 the zone. How many completed at `at` were on time there: due on the day it was there, or on a later one. To tell a day costs
 * more than to add up a row: each is told once, and only where something was due around it.
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

/** What is counted up and what is not yet, in one statement and so of one moment: a row that is being moved is in one of the two. */
const all = (where: string) => `(
  select at, ${columns.join(', ')} from figures ${where} union all select at, ${columns.join(', ')} from figure_changes ${where}) counted`;

export const addUp = (rows: Sums[]): Sums =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Sums;

export async function sumEverything(db: Queryable, zone: string): Promise<SumsOfEverything> {
  const [row] = await db.query<SumsOfEverything>(
    `select ${sums}, (select count(*)::float8 from package_events where type = 'delivery.released') as released from ${all('')}`,
    [zone],
  );
  if (!row) throw new Error('a sum without a row');
  return row;
}

/** Every day of a calendar month `YYYY-MM`, or so many days, in the zone and up to today's, oldest first. */
export const sumDays = (
  db: Queryable,
  zone: string,
  now: Date,
  { days, month }: { days: number; month?: string | undefined },
) =>
  db.query<Sums & { day: string }>(
    `with today as (select ${dayIn('$2::timestamptz', '$1')} as day),
       period as (
         select coalesce($4::date, day - $3::int + 1) as first,
           least(day, coalesce(($4::date + interval '1 month')::date - 1, day)) as last
         from today
       ),
       summed as (
         select ${dayIn('at', '$1')} as day, ${sums}
         from ${all(`where at >= (select (first - 1)::timestamp at time zone $1 from period) - interval '15 minutes'
           and at < (select (last + 2)::timestamp at time zone $1 from period)`)}
         group by 1
       )
     select days.day::date as day, ${names.map((column) => `coalesce(${column}, 0) as ${column}`).join(', ')}
     from period cross join generate_series(first, last, interval '1 day') as days (day)
     left join summed on summed.day = days.day
     order by days.day`,
    [zone, now, days, month === undefined ? null : `${month}-01`],
  );

export interface Standing {
  users: number;
  drivers: number;
  owners: number;
  active_drivers: number;
  open_issues: number;
  resolved_issues: number;
}

/** Whether an account is a driver, not suspended, with a delivery in transit. */
export const isActiveDriver = (user: string) => `${user}.role = 'driver' and ${user}.status = 'active' and exists (
  select from packages where driver_id = ${user}.id and status in ('in transit', 'out for delivery'))`;

/** What is counted live, since it is few. */
export async function countStanding(db: Queryable): Promise<Standing> {
  const [row] = await db.query<Standing>(`
    select accounts.*, issues.*, (select count(*)::float8 from users u where ${isActiveDriver('u')}) as active_drivers
    from (select count(*)::float8 as users, count(*) filter (where role = 'driver')::float8 as drivers,
            count(*) filter (where role = 'owner')::float8 as owners
          from users where deleted_at is null) accounts,
         (select count(*) filter (where status <> 'Resolved')::float8 as open_issues,
            count(*) filter (where status = 'Resolved')::float8 as resolved_issues
          from incidents) issues`);
  if (!row) throw new Error('a count without a row');
  return row;
}

/** How many are under way past the end of their window, or of their eta's day in the zone. */
export async function countOverdue(db: Queryable, zone: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from packages where ${isOverdue('$1', '$2')}`,
    [now, zone],
  );
  return row?.count ?? 0;
}

/** Moves what has been appended into its quarters of an hour. Any number of processes may do so at once: each row is moved once. */
export const rollUpStats = (db: Queryable) =>
  db.query(`
    with moved as (delete from figure_changes returning *)
    insert into figures as kept (at, ${columns.join(', ')})
    select date_bin('15 minutes', at, 'epoch'), ${columns.map((column) => `sum(${column})`).join(', ')} from moved group by 1
    on conflict (at) do update set ${columns.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ')}`);
