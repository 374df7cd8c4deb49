import type { BreakdownDimension } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

const columns = [
  'completed',
  'failed',
  'on_time',
  'first_attempts',
  'first_completed',
  'delivery_ms',
  'attempts_needed',
  'doors',
  'door_ms',
  'worked_ms',
  'returns',
] as const;

/** Sums over attempts and returns. `doors` are attempts whose arrival was reported, `attempts_needed` the numbers of the completing ones. */
export type AttemptSums = Record<(typeof columns)[number], number>;

/** What sums are kept by. */
export type KeptBy = Exclude<BreakdownDimension, 'month'>;

/** SQL: the key of a row of `attempt_facts` for a dimension. */
const keyOf = (by: string) => `coalesce(case ${by} when 'driver' then driver_id::text when 'owner' then owner_id::text
  when 'town' then town when 'depot' then depot_id::text else route_id::text end, '')`;

/** SQL: an attempt counts for this key, by the same columns as its sums. @param key a placeholder, whose value is '' for none */
export const isOfKey = (attempt: string, by: KeptBy, key: string): string =>
  by === 'owner'
    ? `coalesce(${attempt}.owner_id, (select owner_id from packages where packages.id = ${attempt}.package_id))::text = ${key}`
    : `coalesce(${attempt}.${by === 'town' ? 'town' : `${by}_id::text`}, '') = ${key}`;

/** SQL: an attempt ended on these days, both inclusive, of its depot's zone. The bounds of the time are those of an index. */
export const endedBetween = (attempt: string, from: string, to: string): string =>
  `coalesce(${attempt}.day, (${attempt}.ended_at at time zone 'UTC')::date) between ${from}::date and ${to}::date
    and ${attempt}.ended_at >= (${from}::date::timestamp - interval '14 hours') at time zone 'UTC'
    and ${attempt}.ended_at < (${to}::date::timestamp + interval '36 hours') at time zone 'UTC'`;

const listed = columns.join(', ');

/**
 * SQL: the sums by $1 of each day from $2 to $3, both inclusive. Those of stale days are computed. One statement, so one snapshot: a change
 * and the mark that it leaves are visible together.
 */
const ofDays = `
  stale as (select coalesce(array_agg(distinct day), '{}') as days from attempt_sums_stale where day between $2::date and $3::date),
  summed as (
    select day, key, ${listed} from attempt_sums
    where by = $1 and day between $2::date and $3::date and not day = any((select days from stale)::date[])
    union all
    select day, ${keyOf('$1')}, ${listed} from attempt_facts((select days from stale))
  )`;

/** What is known about a group besides its sums. All null for what is gone, and for '' (no driver, no depot, …). */
interface Named {
  /** Of a driver, an owner or a depot. */
  name: string | null;
  /** Of a route: its day, driver and depot. */
  day: string | null;
  driver: string | null;
  depot: string | null;
}

/** Of finished routes; null where no route counts. */
export interface DrivenSums {
  metres: number | null;
  co2_grams: number | null;
}

export interface GroupRow extends AttemptSums, DrivenSums, Named {
  key: string;
  /** Completed in the period before. */
  completed_before: number;
}

interface Range {
  by: KeptBy;
  /** Both days are inclusive. The period before ends on the day before `from`, and begins with `before`. */
  before: string;
  from: string;
  to: string;
  /** Groups by month instead, of this key alone if it is given. */
  months?: { key: string | null };
}

/** SQL: the key of a route for a dimension. Owners and towns share routes. */
const drivenKey = (by: string) =>
  `case ${by} when 'driver' then driver_id::text when 'depot' then depot_id::text when 'route' then routes.id::text end`;
const isDriven = "state = 'finished' and metres is not null and $1 in ('driver', 'depot', 'route')";

/** How far the routes of a period were, all together or those of a driver, a depot, … */
export async function sumDriven(
  db: Queryable,
  { by, from, to, key }: { by: KeptBy; from: string; to: string; key: string | null },
): Promise<DrivenSums> {
  const [row] = await db.query<DrivenSums>(
    `select sum(metres)::float8 as metres, sum(co2_grams)::float8 as co2_grams from routes
     where ${isDriven} and day between $2::date and $3::date and ($4::text is null or ${drivenKey('$1')} = $4)`,
    [by, from, to, key],
  );
  return row ?? { metres: null, co2_grams: null };
}

/** The most delivered first; months newest first. */
const groups = `with ${ofDays}, grouped as (
    select case when $5 then to_char(day, 'YYYY-MM') else key end as key,
      ${columns.map((column) => `coalesce(sum(${column}) filter (where day >= $4::date), 0)::float8 as ${column}`).join(', ')},
      coalesce(sum(completed) filter (where day < $4::date), 0)::float8 as completed_before,
      count(*) filter (where day >= $4::date) as days
    from summed where $6::text is null or key = $6 group by 1
  ), driven as (
    select case when $5 then to_char(day, 'YYYY-MM') else ${drivenKey('$1')} end as key, sum(metres)::float8 as metres, sum(co2_grams)::float8 as co2_grams
    from routes where ${isDriven} and day between $4::date and $3::date and ($6::text is null or ${drivenKey('$1')} = $6) group by 1
  )
  select grouped.key, ${listed}, completed_before, driven.metres, driven.co2_grams, coalesce(users.name, depots.name) as name, routes.day::text as day,
    drivers.name as driver, starts.name as depot
  from grouped left join driven on driven.key = grouped.key
    left join users on not $5 and $1 in ('driver', 'owner') and users.id::text = grouped.key and users.deleted_at is null
    left join depots on not $5 and $1 = 'depot' and depots.id::text = grouped.key
    left join routes on not $5 and $1 = 'route' and routes.id::text = grouped.key
    left join users drivers on drivers.id = routes.driver_id and drivers.deleted_at is null
    left join depots starts on starts.id = routes.depot_id
  where grouped.days > 0
  order by case when $5 then grouped.key end desc, completed desc, grouped.key`;

export const groupStatement = ({ by, before, from, to, months }: Range): [sql: string, params: unknown[]] => [
  groups,
  [by, before, to, from, months !== undefined, months?.key ?? null],
];

/** The sums of a period over all groups, or of one. */
export async function sumAttempts(
  db: Queryable,
  { by, from, to, key }: { by: KeptBy; from: string; to: string; key: string | null },
): Promise<AttemptSums> {
  const [row] = await db.query<AttemptSums>(
    `with ${ofDays} select ${columns.map((column) => `coalesce(sum(${column}), 0)::float8 as ${column}`).join(', ')}
     from summed where $4::text is null or key = $4`,
    [by, from, to, key],
  );
  if (!row) throw new Error('a sum without a row');
  return row;
}

/** The last days stay stale: summing them anew every 20 s would be in vain, and whoever marks a day relies on it (`markStaleDays`). */
const isOver = "day < (now() at time zone 'UTC')::date - 3";

/** Days per transaction: a statement must end before its time-out, however many attempts a day has. */
const batchSize = 7;

const takeStale = `delete from attempt_sums_stale where day in (
  select distinct day from attempt_sums_stale where ${isOver} order by day desc limit ${batchSize}) returning day::text as day`;

const writeSums = `insert into attempt_sums (by, day, key, ${listed})
  select by, day, ${keyOf('by')}, ${columns.map((column) => `sum(${column})`).join(', ')}
  from attempt_facts($1::date[]) cross join unnest(array['driver', 'owner', 'town', 'depot', 'route']) as by group by 1, 2, 3`;

/**
 * Sums stale days that are over. Idempotent, also among several servers.
 * @returns how many days it summed; there may be more
 */
export async function sumStaleDays(tx: Tx): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('attempt sums', 0))");
  // First the marks: what changes after this statement leaves a new one.
  const marks = await tx.query<{ day: string }>(takeStale);
  const days = [...new Set(marks.map(({ day }) => day))];
  if (days.length === 0) return 0;
  await tx.query('delete from attempt_sums where day = any($1::date[])', [days]);
  await tx.query(writeSums, [days]);
  return days.length;
}

/** Compares kept sums with what attempts say. @returns the days that are wrong; null for all days there are */
const wrongDays = `select distinct day::text as day from (
    select by, day, key, ${listed} from attempt_sums where day = any($1::date[])
    union all
    select by, day, ${keyOf('by')}, ${columns.map((column) => `-${column}`).join(', ')} from attempt_facts($1::date[])
      cross join unnest(array['driver', 'owner', 'town', 'depot', 'route']) as by
  ) counted
  where day not in (select day from attempt_sums_stale)
  group by by, day, key having ${columns.map((column) => `sum(${column}) <> 0`).join(' or ')}`;

const firstAndLastDay = `select (select min(day) from attempt_sums where by = 'driver') as first,
  (select max(day) from attempt_sums where by = 'driver') as last`;

/** Recounts the sums of some days, drawn at random. @returns how many days are wrong, and how many were drawn */
export async function checkSomeDays(db: Queryable, count = 5): Promise<{ size: number; wrong: number }> {
  const drawn = await db.query<{ day: string }>(
    `with bounds as (${firstAndLastDay})
     select distinct (first + floor(random() * (last - first + 1))::integer)::text as day
     from bounds cross join generate_series(1, $1::integer) where first is not null`,
    [count],
  );
  const days = drawn.map(({ day }) => day);
  return { size: days.length, wrong: (await db.query(wrongDays, [days])).length };
}

/** Sums every day anew. @param transaction runs a transaction without a time-out. @returns how many days were wrong */
export async function rebuildAttemptSums(
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
): Promise<number> {
  const wrong = await transaction(async (tx) => {
    const marked = await tx.query<{ day: string }>(
      `select distinct coalesce(day, (ended_at at time zone 'UTC')::date)::text as day from delivery_attempts
       union select distinct day::text from attempt_sums`,
    );
    const found = await tx.query<{ day: string }>(wrongDays, [marked.map(({ day }) => day)]);
    await tx.query('insert into attempt_sums_stale select unnest($1::date[])', [found.map(({ day }) => day)]);
    return found.length;
  });
  while ((await transaction(sumStaleDays)) > 0);
  return wrong;
}
