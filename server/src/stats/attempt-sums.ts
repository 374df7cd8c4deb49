import type { BreakdownDimension } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export const sumColumns = [
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
const columns = sumColumns;

/** Sums over attempts and returns. `doors` are attempts whose arrival was reported, `attempts_needed` the numbers of the completing ones. */
export type AttemptSums = Record<(typeof columns)[number], number>;

/** What sums are kept by. All together have the key ''. */
export type KeptBy = Exclude<BreakdownDimension, 'month'> | 'all';

/** SQL: the key of a row of `attempt_facts` for each dimension. */
const keys: Record<KeptBy, string> = {
  all: "''",
  driver: "coalesce(driver_id::text, '')",
  owner: "coalesce(owner_id::text, '')",
  town: "coalesce(town, '')",
  depot: "coalesce(depot_id::text, '')",
  route: "coalesce(route_id::text, '')",
};
const keyOf = (by: KeptBy): string => keys[by];
/** The same for a dimension in a column. */
const keyOfColumn = (by: string) =>
  `case ${by} ${Object.entries(keys)
    .map(([name, key]) => `when '${name}' then ${key}`)
    .join(' ')} end`;

/** SQL: an attempt counts for this key, by the same columns as its sums. @param key a placeholder, whose value is '' for none */
export const isOfKey = (attempt: string, by: Exclude<KeptBy, 'all'>, key: string): string =>
  by === 'owner'
    ? `coalesce(${attempt}.owner_id, (select owner_id from packages where packages.id = ${attempt}.package_id))::text = ${key}`
    : `coalesce(${attempt}.${by === 'town' ? 'town' : `${by}_id::text`}, '') = ${key}`;

/** SQL: an attempt ended on these days, both inclusive, of its depot's zone. The bounds of the time are those of an index. */
export const endedBetween = (attempt: string, from: string, to: string): string =>
  `coalesce(${attempt}.day, (${attempt}.ended_at at time zone 'UTC')::date) between ${from}::date and ${to}::date
    and ${attempt}.ended_at >= (${from}::date::timestamp - interval '14 hours') at time zone 'UTC'
    and ${attempt}.ended_at < (${to}::date::timestamp + interval '36 hours') at time zone 'UTC'`;

const listed = columns.join(', ');

/** SQL: the sums of rows of sums. Adding up bigint gives numeric, which is slow. */
const added = (when: string) =>
  columns
    .map((name) => `coalesce(sum(${name}${name.endsWith('_ms') ? '::float8' : ''}) ${when}, 0)::float8 as ${name}`)
    .join(', ');

/** Numbers of days in a row of which sums are kept, besides those of each day. */
const spans = [4, 16, 64];
/** Each route is of one day. */
const spannedBy: ReadonlySet<KeptBy> = new Set(['driver', 'owner', 'town', 'depot']);
const hasSpans = (by: string) => `${by} in ('driver', 'owner', 'town', 'depot')`;
/** SQL: the number of a day, from which spans are counted. */
const numberOf = (day: string) => `(${day} - '0001-01-01'::date)`;
const startOfSpan = (day: string, days: string) => `${day} - ${numberOf(day)} % ${days}`;

/** SQL: the first and the last day. Unknown to the planner, so that a plan for them is no better than one for any days, which is kept. */
const from = '(select $1::date)';
const until = '(select $2::date)';

/**
 * SQL: the attempts of stale days from $1 to $2, both inclusive; kept sums have the others. What reads both is one statement, so one snapshot:
 * a change and the mark that it leaves are visible together.
 */
const facts = `stale as (select coalesce(array_agg(distinct day), '{}') as days from attempt_sums_stale where day between ${from} and ${until}),
  facts as materialized (select facts.* from stale cross join lateral attempt_facts(stale.days) facts)`;
const isStale = 'day = any((select days from stale)::date[])';

/** SQL: each day of one key, from $1 to $2. */
const daysOfKey = (by: KeptBy, key: string) => `(
    select day, ${listed} from attempt_sums where by = '${by}' and key = ${key} and day between ${from} and ${until} and not ${isStale}
    union all
    select day, ${listed} from facts where ${keyOf(by)} = ${key})`;

/**
 * SQL: the days from $1 to $2 that are not stale, in as few pieces as there are kept sums. Those from $3 are `is_now`; no piece has days of
 * both sides.
 */
const pieces = (by: KeptBy) => `days as (
    select *, ${numberOf('day')} as number from (
      select listed::date as day, listed >= $3::date as is_now from generate_series(${from}::timestamp, ${until}::timestamp, interval '1 day') as listed
    ) listed where not ${isStale}
  ), filled as (
    select *, ${spans.map((span) => `count(*) over (partition by is_now, number / ${span}) = ${span} as is_${span}`).join(', ')} from days
  ), pieces as materialized (
    select distinct is_now, days, day - number % days as day
    from (
      select *, case ${
        spannedBy.has(by)
          ? spans
              .toReversed()
              .map((span) => `when is_${span} then ${span}`)
              .join(' ')
          : 'when false then 0'
      } else 1 end as days
      from filled
    ) of_days
  )`;

/** SQL: the kept sums of the pieces of one side, group by group. @param wanted columns */
const summedKept = (by: KeptBy, isNow: boolean, wanted: string) => {
  const side = isNow ? 'is_now' : 'not is_now';
  return `
    select key, ${wanted} from pieces cross join lateral (
      select * from attempt_sums sums where sums.by = '${by}' and sums.day = pieces.day offset 0) sums where ${side} and days = 1
    union all
    select key, ${wanted} from pieces cross join lateral (
      select * from attempt_sum_spans sums where sums.by = '${by}' and sums.days = pieces.days and sums.day = pieces.day offset 0) sums
      where ${side} and pieces.days > 1`;
};
/** The same with those of stale days. */
const summed = (by: KeptBy, isNow: boolean, wanted: string) => `${summedKept(by, isNow, wanted)}
    union all
    select ${keyOf(by)}, ${wanted} from facts where day ${isNow ? '>=' : '<'} $3::date`;

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
  cost: number | null;
}

export interface GroupRow extends AttemptSums, DrivenSums, Named {
  /** All groups together, and the same of the period before, or one group. */
  part: 'totals' | 'before' | 'group';
  key: string;
  /** Completed in the period before. */
  completed_before: number;
  /** How many groups there are; null in totals. */
  groups: number | null;
}

interface Range {
  by: KeptBy;
  /** Both days are inclusive. The period before ends on the day before `from`, and begins with `before`. */
  before: string;
  from: string;
  to: string;
  /** Groups by month instead, of this key alone. */
  months?: { key: string };
  /** Returns at most so many groups, and the totals. Otherwise all groups without totals. */
  limit?: number;
}

/** SQL: the key of a route for each dimension. Owners and towns share routes. */
const drivenKeys: Partial<Record<KeptBy, string>> = {
  all: "''",
  driver: 'driver_id::text',
  depot: 'depot_id::text',
  route: 'routes.id::text',
};
const isDriven = (by: KeptBy) => `state = 'finished' and metres is not null and ${by in drivenKeys}`;
const driven = 'sum(metres)::float8 as metres, sum(co2_grams)::float8 as co2_grams, sum(cost)::float8 as cost';

/** SQL: $4 groups, or all of them; and the totals, two rows, if $4 is given. @param isOfTotals a condition on routes */
const withTotals = (by: KeptBy, first: string, order: string, isOfTotals: string) => `, totals as (
    select day >= $3::date as is_now, ${added('')} from of_totals group by 1
  ), driven_totals as (
    select day >= $3::date as is_now, ${driven} from routes where ${isDriven(by)} and ${isOfTotals} and day between ${from} and ${until} group by 1
  ), first as (
    select *, count(*) over ()::integer as groups from grouped order by ${order} limit (select $4::integer)
  )
  select case when is_now then 'totals' else 'before' end as part, '' as key,
    ${columns.map((name) => `coalesce(${name}, 0) as ${name}`).join(', ')}, 0 as completed_before,
    metres, co2_grams, cost, null as name, null as day, null as driver, null as depot, null as groups
  from unnest(array[true, false]) as is_now left join totals using (is_now) left join driven_totals using (is_now) where $4::integer is not null
  union all
  (select * from (${first}) listed order by ${order})`;

/** SQL: the id that a key is, so that its row is found by its primary key. '' is none. */
const idOfKey = 'case when length(first.key) = 36 then first.key::uuid end';

/** SQL: what is known about the groups of a dimension, and the tables that know it. */
const named: Partial<Record<KeptBy, { columns: string; joins: string }>> = {
  driver: {
    columns: 'users.name as name, null as day, null as driver, null as depot',
    joins: `left join users on users.id = ${idOfKey} and users.deleted_at is null`,
  },
  depot: {
    columns: 'depots.name as name, null as day, null as driver, null as depot',
    joins: `left join depots on depots.id = ${idOfKey}`,
  },
  route: {
    columns: 'null as name, routes.day::text as day, drivers.name as driver, starts.name as depot',
    joins: `left join routes on routes.id = ${idOfKey}
       left join users drivers on drivers.id = routes.driver_id and drivers.deleted_at is null
       left join depots starts on starts.id = routes.depot_id`,
  },
};
named.owner = named.driver;
const unnamed = { columns: 'null as name, null as day, null as driver, null as depot', joins: '' };

/** The most delivered first. One text for each dimension, which is prepared: planning it takes as long as reading. */
const groups = (by: KeptBy) => `with ${facts}, ${pieces(by)}, of_totals as (
    select * from ${daysOfKey('all', "''")} of_all
  ), current_sums as (
    select key, ${added('')} from (${summed(by, true, listed)}) summed group by key
  ), grouped as (
    select current_sums.*, coalesce(former.completed_before, 0) as completed_before
    from current_sums left join (
      select key, sum(completed)::float8 as completed_before from (${summed(by, false, 'completed')}) summed group by key
    ) former on former.key = current_sums.key
  ), driven as (
    select ${drivenKeys[by] ?? 'null'} as key, ${driven} from routes where ${isDriven(by)} and day between (select $3::date) and ${until} group by 1
  )${withTotals(
    by,
    `select 'group' as part, first.key, ${listed}, completed_before, driven.metres, driven.co2_grams, driven.cost, ${(named[by] ?? unnamed).columns}, groups
     from first left join driven on driven.key = first.key ${(named[by] ?? unnamed).joins}`,
    // As a server orders what it remembers.
    'completed desc, key collate "C"',
    'true',
  )}`;

/** Newest first. $5 is the key. */
const months = (by: KeptBy) => `with ${facts}, of_totals as materialized (
    select * from ${daysOfKey(by, '$5')} of_key
  ), grouped as (
    select to_char(day, 'YYYY-MM') as key, ${added('filter (where day >= $3::date)')},
      coalesce(sum(completed) filter (where day < $3::date), 0)::float8 as completed_before
    from of_totals group by 1 having bool_or(day >= $3::date)
  ), driven as (
    select to_char(day, 'YYYY-MM') as key, ${driven} from routes
    where ${isDriven(by)} and ${drivenKeys[by] ?? 'null'} = $5 and day between (select $3::date) and ${until} group by 1
  )${withTotals(
    by,
    `select 'group' as part, first.key, ${listed}, completed_before, driven.metres, driven.co2_grams, driven.cost, ${unnamed.columns}, groups
     from first left join driven on driven.key = first.key`,
    'key desc',
    `${drivenKeys[by] ?? 'null'} = $5`,
  )}`;

export function groupStatement({ by, before, from, to, months: of, limit }: Range): [sql: string, params: unknown[]] {
  const params = [before, to, from, limit ?? null];
  return of ? [months(by), [...params, of.key]] : [groups(by), params];
}

/** What a breakdown names a row by, other than a month. */
export type NamedDimension = Exclude<KeptBy, 'all'>;

/** Statements whose row is JSON: hundreds of groups as rows of objects take longer than adding them up. */
interface Statement<Row> {
  sql: string;
  /** For its type alone. */
  row: Row;
}
const statement = <Row>(sql: string): Statement<Row> => ({ sql, row: undefined as Row });

/** SQL: rows as an array of arrays. */
const asArrays = (values: string, from: string) =>
  `(select coalesce(json_agg(json_build_array(${values})), '[]') from ${from} listed)`;
const version = '(select version from attempt_sums_version) as version';

/** The attempts of stale days by group, those from $3 on with `true`, and the version of the kept sums from the same snapshot. */
export const presentGroups = (by: NamedDimension) =>
  statement<{ version: string | null; stale: string[]; groups: [key: string, isNow: boolean, ...sums: number[]][] }>(`
  with ${facts}
  select ${version}, (select days::text[] from stale) as stale,
    ${asArrays(`key, is_now, ${listed}`, `(select ${keyOf(by)} as key, day >= $3::date as is_now, ${added('')} from facts group by 1, 2)`)} as groups`);

/** The kept sums of all days but the stale ones, $4: of each group, what it completed before $3, and of all together. */
export const keptGroups = (by: NamedDimension) =>
  statement<{
    version: string | null;
    groups: [key: string, ...sums: number[]][];
    before: [key: string, completed: number][];
    totals: [isNow: boolean, ...sums: number[]][];
  }>(`
  with stale as (select $4::date[] as days), ${pieces(by)}
  select ${version},
    ${asArrays(`key, ${listed}`, `(select key, ${added('')} from (${summedKept(by, true, listed)}) summed group by key)`)} as groups,
    ${asArrays('key, completed', `(select key, sum(completed)::float8 as completed from (${summedKept(by, false, 'completed')}) summed group by key)`)} as before,
    ${asArrays(
      `is_now, ${listed}`,
      `(select day >= $3::date as is_now, ${added('')} from attempt_sums
        where by = 'all' and key = '' and day between ${from} and ${until} and not ${isStale} group by 1)`,
    )} as totals`);

interface Days {
  before: string;
  from: string;
  to: string;
}

/** Of all groups together, those from `from` on with `is_now`. */
export const sumDriven = async (
  db: Queryable,
  by: NamedDimension,
  days: Days,
): Promise<(DrivenSums & { is_now: boolean })[]> =>
  by in drivenKeys
    ? db.query<DrivenSums & { is_now: boolean }>(
        `select day >= $3::date as is_now, ${driven} from routes where ${isDriven(by)} and day between ${from} and ${until} group by 1`,
        [days.before, days.to, days.from],
      )
    : [];

type NamedRow = [
  key: string,
  ...named: [Named['name'], Named['day'], Named['driver'], Named['depot']],
  ...driven: [DrivenSums['metres'], DrivenSums['co2_grams'], DrivenSums['cost']],
];

/** What is known about these groups, and what was driven for them. Nothing about towns. */
export async function namesOfGroups(
  db: Queryable,
  by: NamedDimension,
  keys: string[],
  days: Omit<Days, 'before'>,
): Promise<Map<string, Named & DrivenSums>> {
  const { columns: wanted, joins } = named[by] ?? unnamed;
  if (joins === '' || keys.length === 0) return new Map();
  const sums = by in drivenKeys;
  const sql = `${sums ? `with driven as (select ${drivenKeys[by]} as key, ${driven} from routes where ${isDriven(by)} and day between ${from} and ${until} group by 1)` : ''}
    select ${asArrays(
      'key, name, day, driver, depot, metres, co2_grams, cost',
      `(select first.key, ${sums ? 'driven.metres, driven.co2_grams, driven.cost' : 'null as metres, null as co2_grams, null as cost'}, ${wanted}
        from unnest(${sums ? '$3' : '$1'}::text[]) as first (key) ${sums ? 'left join driven on driven.key = first.key' : ''} ${joins})`,
    )} as rows`;
  const [found] = await db.query<{ rows: NamedRow[] }>(sql, sums ? [days.from, days.to, keys] : [keys]);
  return new Map(
    found?.rows.map(([key, name, day, driver, depot, metres, grams, cost]) => [
      key,
      { name, day, driver, depot, metres, co2_grams: grams, cost },
    ]),
  );
}

/** Sums in the order of `sumColumns` by name, written out: hundreds for one reply. */
export const sumsOf = (sums: readonly number[]): AttemptSums => ({
  completed: sums[0] ?? 0,
  failed: sums[1] ?? 0,
  on_time: sums[2] ?? 0,
  first_attempts: sums[3] ?? 0,
  first_completed: sums[4] ?? 0,
  delivery_ms: sums[5] ?? 0,
  attempts_needed: sums[6] ?? 0,
  doors: sums[7] ?? 0,
  door_ms: sums[8] ?? 0,
  worked_ms: sums[9] ?? 0,
  returns: sums[10] ?? 0,
});

/**
 * Today stays stale, and yesterday in the first hour: summing them anew every 20 s would be in vain, and who marks a day relies on it
 * (`markStaleDays`). For days shortly before, changes are gathered.
 */
const isOver = `(day < (now() at time zone 'UTC')::date - 3
  or (day < (now() at time zone 'UTC' - interval '1 hour')::date and at < now() - interval '10 minutes'))`;

/** Days per transaction: a statement must end before its time-out, however many attempts a day has. */
const batchSize = 7;

const takeStale = `delete from attempt_sums_stale where day in (
  select distinct day from attempt_sums_stale where ${isOver} order by day desc limit ${batchSize}) returning day::text as day`;

/** In order, so that rows that are read together are in the same pages of the table. */
const writeSums = `insert into attempt_sums (by, day, key, ${listed})
  select by, day, ${keyOfColumn('by')}, ${columns.map((column) => `sum(${column})`).join(', ')}
  from attempt_facts($1::date[]) cross join unnest(array['all', 'driver', 'owner', 'town', 'depot', 'route']) as by group by 1, 2, 3 order by 1, 2, 3`;

/** SQL: the spans that the days of $1 are in. */
const spansOfDays = `select distinct days, ${startOfSpan('day', 'days')} as day
  from unnest($1::date[]) as day cross join unnest(array[${spans.join(', ')}]) as days`;

const deleteSpans = `delete from attempt_sum_spans sums using (${spansOfDays}) changed where sums.days = changed.days and sums.day = changed.day
  and sums.by in ('driver', 'owner', 'town', 'depot')`;

/** In order as well: else the 800 owners of a span are in as many pages. */
const writeSpans = `insert into attempt_sum_spans (by, days, day, key, ${listed})
  select by, days, changed.day, key, ${columns.map((column) => `sum(${column})`).join(', ')}
  from (${spansOfDays}) changed join attempt_sums sums on sums.day >= changed.day and sums.day < changed.day + changed.days and ${hasSpans('by')}
  group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

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
  await tx.query(deleteSpans, [days]);
  await tx.query(writeSpans, [days]);
  return days.length;
}

/** Compares kept sums with what attempts say, and those of spans with those of days. @returns the days that are wrong */
const wrongDays = `select distinct day::text as day from (
    select day from (
      select by, day, key, ${listed} from attempt_sums where day = any($1::date[])
      union all
      select by, day, ${keyOfColumn('by')}, ${columns.map((column) => `-${column}`).join(', ')} from attempt_facts($1::date[])
        cross join unnest(array['all', 'driver', 'owner', 'town', 'depot', 'route']) as by
    ) counted
    where day not in (select day from attempt_sums_stale)
    group by by, day, key having ${columns.map((column) => `sum(${column}) <> 0`).join(' or ')}
    union all
    select day from (
      select by, days, day, key, ${listed} from attempt_sum_spans join (${spansOfDays}) checked using (days, day)
      union all
      select by, days, checked.day, key, ${columns.map((column) => `-${column}`).join(', ')} from (${spansOfDays}) checked
        join attempt_sums sums on sums.day >= checked.day and sums.day < checked.day + checked.days and ${hasSpans('by')}
    ) counted
    group by by, days, day, key having ${columns.map((column) => `sum(${column}) <> 0`).join(' or ')}
  ) wrong`;

const firstAndLastDay = `select (select min(day) from attempt_sums where by = 'all') as first,
  (select max(day) from attempt_sums where by = 'all') as last`;

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
       union select distinct day::text from attempt_sums union select distinct day::text from attempt_sum_spans`,
    );
    const found = await tx.query<{ day: string }>(wrongDays, [marked.map(({ day }) => day)]);
    await tx.query('insert into attempt_sums_stale select unnest($1::date[])', [found.map(({ day }) => day)]);
    return found.length;
  });
  while ((await transaction(sumStaleDays)) > 0);
  return wrong;
}
