import {
  byAddress,
  invalidCursor,
  maskTrackingId,
  maxMappedWaiting,
  maxStops,
  maxTried,
  maxWaitingGroups,
  withTheDriver,
  type MappedWaiting,
  type Waiting,
  type WaitingFilter,
  type WaitingPackage,
  type WaitingSelection,
} from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import type { AddressColumns } from '../packages/row.ts';
import { findPackages } from '../packages/search.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { planForValues, type Queryable } from '../platform/database/db.ts';
import { filterList, keysOf, likeContains, type ListFilter } from '../platform/database/keyset-lists.ts';
import { invalid } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { findProposedDays, wasTried } from './next-days.ts';
import { isCountedAsWaiting, type WaitingSums } from '../packages/waiting-counts.ts';
import { isWaiting } from './waiting-condition.ts';

/**
 * SQL: what goes back to its owner, as a table of packages with the address where it goes, and without window and ETA, which are the
 * recipient's. Few rows, found by `packages_held`.
 */
const returning = `(select p.id, p.owner_id, p.driver_id, p.tracking_id, p.name, p.status, p.weight, p.failed_at, p.reference, p.route_id,
    p.location, p.depot_id, p.next_step, p.next_day, p.return_due, u.return_street as address_street, nullif(u.return_postal_code, '') as address_postal_code,
    nullif(u.return_city, '') as address_city, null::timestamptz as window_from, null::timestamptz as window_to, null::date as eta,
    u.return_lon as place_lon, u.return_lat as place_lat, u.return_accuracy as place_accuracy
  from packages p cross join lateral (select * from users where users.id = p.owner_id offset 0) u where p.status = 'processing' and p.return_due) packages`;
/** All others. Compared by id, which the indexes of what waits have. */
const delivering = `(select packages.* from packages
  where packages.id not in (select held.id from packages held where held.status = 'processing' and held.return_due)) packages`;
const listedColumns = `id, owner_id, driver_id, tracking_id, name, status, weight, failed_at, reference, route_id, location, depot_id, next_step, next_day, return_due,
  address_street, address_postal_code, address_city, window_from, window_to, eta`;
/** Both. */
const anywhere = `(select ${listedColumns} from ${delivering} union all select ${listedColumns} from ${returning}) packages`;

/** Mostly nothing goes back, and what waits is read from one index. */
async function hasReturns(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ any: boolean }>(
    "select exists (select from packages where status = 'processing' and return_due) as any",
  );
  return found?.any === true;
}

/** A page of what waits, where it goes. @param page its `where … order by … limit …` */
const pageOfWaiting = (
  returns: boolean,
  { columns, keys, page, limit }: { columns: string; keys: readonly string[]; page: string; limit: number },
) => {
  if (!returns) return `select ${columns} from packages ${page}`;
  const named = keys.map((key, index) => `${key} as key_${index}`).join(', ');
  const part = (from: string) => `(select ${columns}, ${named} from ${from} ${page})`;
  return `select * from (${part(delivering)} union all ${part(returning)}) listed
    order by ${keys.map((_, index) => `key_${index}`).join(', ')} limit ${limit + 1}`;
};

const likeBegins = (term: string): string => likeContains(term.toLowerCase()).slice(1);

/** As many owners are compared by their ids. Of more, which only one or two letters are a part of, the database keeps the names. */
const maxOwners = 1000;

/**
 * The condition of the owners of a filter; null without one. Names are looked up before: a statement that is planned for the ids compares
 * them by a hash, and the database knows whose packages are many.
 */
async function ofOwners(
  db: Queryable,
  { ownerId, owner }: WaitingFilter,
  value: ListFilter['value'],
): Promise<((of: string) => string) | null> {
  const one = ownerId === undefined ? null : value(ownerId);
  const isOne = one === null ? [] : [(of: string) => `${of}.owner_id = ${one}`];
  if (!owner) return isOne[0] ?? null;
  const name = likeContains(owner.toLowerCase());
  const found = await db.query<{ id: string }>(
    `select id from users where lower(name) like $1 limit ${maxOwners + 1}`,
    [name],
  );
  const given = value(found.length > maxOwners ? name : found.map(({ id }) => id));
  const isNamed = (of: string) =>
    found.length > maxOwners
      ? `${of}.owner_id in (select users.id from users where lower(users.name) like ${given})`
      : `${of}.owner_id = any(${given}::uuid[])`;
  return (of) => [...isOne, isNamed].map((condition) => condition(of)).join(' and ');
}

/**
 * A number as a selection, so that the plan for any number is no dearer than that for this one, and is kept: among sums and what is read beside
 * them, planning takes longer than reading.
 */
const anyNumber =
  (value: ListFilter['value'], type: 'numeric' | 'int' = 'numeric') =>
  (number: unknown) =>
    `(select ${value(number)}::${type})`;

/** @param number the placeholder of a number */
function ofWeight({ weightFrom, weightTo }: WaitingFilter, number: (value: unknown) => string): string | null {
  const bounds = [
    ...(weightFrom === undefined ? [] : [`packages.weight >= ${number(weightFrom)}`]),
    ...(weightTo === undefined ? [] : [`packages.weight <= ${number(weightTo)}`]),
  ];
  return bounds.length === 0 ? null : bounds.join(' and ');
}

async function filterWaiting(
  ctx: Ctx,
  db: Queryable,
  wanted: WaitingFilter,
  page: { limit?: number; cursor?: string | undefined } = {},
  condition = isWaiting,
): Promise<ListFilter> {
  const { q } = wanted;
  const { all: found } = await findPackages(db, null, q);
  const filter = filterList({ id: 'packages.id', ...(typeof found !== 'object' && { q: found }) }, { ...page, q });
  const { value } = filter;
  // As many as for any ids, says the planner: else it would plan for the ids of each search, which takes longer than reading them.
  if (q && typeof found === 'object')
    filter.where(`packages.id = any(array(select unnest(${value(found.ids)}::uuid[])))`);
  if (condition !== '') filter.where(condition);
  if (wanted.place) {
    const begins = value(likeBegins(wanted.place));
    filter.where(`(lower(packages.address_postal_code) like ${begins} or lower(packages.address_city) like ${begins})`);
    if (condition !== '' && !q) filter.where(await boundsOfPlace(db, wanted.place, value));
  }
  const isOfOwners = await ofOwners(db, wanted, value);
  if (isOfOwners !== null) filter.where(`${isOfOwners('packages')} ${planForValues}`);
  const isOfWeight = ofWeight(wanted, (number) => `${value(number)}::numeric`);
  if (isOfWeight !== null) filter.where(isOfWeight);
  if (wanted.reference) filter.where(`lower(packages.reference) like ${value(likeBegins(wanted.reference))}`);
  if (wanted.attempts === '0') filter.where('packages.failed_at is null');
  if (wanted.attempts === '1' || wanted.attempts === '2') filter.where('packages.failed_at is not null');
  if (wanted.attempts === '2') filter.where(`${failedAttempts} >= 2`);
  if (wanted.window === 'none') filter.where('packages.window_from is null');
  if (!wanted.day && (wanted.window === undefined || wanted.window === 'none')) return filter;
  const zone = value(await zoneOf(ctx.settings, {}));
  const start = `(packages.window_from at time zone ${zone})`;
  if (wanted.day) {
    const day = value(wanted.day);
    filter.where(`(packages.eta is null or packages.eta <= ${day}::date)`);
    filter.where(`(packages.window_from is null or ${start}::date <= ${day}::date)`);
  }
  if (wanted.window === 'morning') filter.where(`${start}::time < '12:00'`);
  if (wanted.window === 'afternoon') filter.where(`${start}::time >= '12:00' and ${start}::time < '17:00'`);
  if (wanted.window === 'evening') filter.where(`${start}::time >= '17:00'`);
  return filter;
}

const failedAttempts = `(select count(*)::int from delivery_attempts attempt
  where attempt.package_id = packages.id and attempt.outcome = 'failed')`;

interface GroupRow {
  postal_code: string | null;
  city: string | null;
  packages: number;
  kilograms: number;
  all_packages: number;
  all_kilograms: number;
}

/** The condition of the groups after one of them. */
function afterGroup(after: string, value: ListFilter['value']): string {
  let key: unknown;
  try {
    key = JSON.parse(after);
  } catch {
    // Refused below.
  }
  const isText = (one: unknown): one is string | null => one === null || typeof one === 'string';
  const [postalCode, city]: unknown[] = Array.isArray(key) ? key : [0];
  if (!isText(postalCode) || !isText(city)) throw invalid({ after: invalidCursor });
  const laterCity = city === null ? 'false' : `(city > ${value(city)} or city is null)`;
  if (postalCode === null) return `postal_code is null and ${laterCity}`;
  const given = value(postalCode);
  return `(postal_code > ${given} or postal_code is null or (postal_code = ${given} and ${laterCity}))`;
}

/** What the tables of a combination of filters have sums by, beside postal code and town. */
interface Kept {
  /** Without windows and ETAs. */
  totals: WaitingSums;
  /** By windows and ETAs, too; null if there are no such sums. */
  counts: WaitingSums | null;
}

/** The sums that are kept, by whether they have owners, kilograms and failed attempts. */
const kept = {
  any: { totals: 'waiting_totals', counts: 'waiting_counts' },
  owner: { totals: 'waiting_by_owner', counts: 'waiting_by_owner_and_window' },
  weight: { totals: 'waiting_by_weight', counts: 'waiting_by_weight_and_window' },
  attempts: { totals: 'waiting_by_attempts', counts: null },
  both: { totals: 'waiting_by_owner_and_weight', counts: null },
} satisfies Record<string, Kept>;

const isGiven = (value: unknown) => value !== undefined;

/** By which kept sums a filter is answered; null for one that needs the packages themselves. */
function keptFor({ place: _place, ...others }: WaitingFilter): Kept | null {
  const { attempts, ...beside } = others;
  if (attempts === '0' || attempts === '1') return Object.values(beside).some(isGiven) ? null : kept.attempts;
  const { window, day, ownerId, owner, weightFrom, weightTo, ...more } = others;
  if (Object.values(more).some(isGiven)) return null;
  const byOwner = [ownerId, owner].some(isGiven);
  const byWeight = [weightFrom, weightTo].some(isGiven);
  const found: Kept = byOwner ? (byWeight ? kept.both : kept.owner) : byWeight ? kept.weight : kept.any;
  return found.counts === null && [window, day].some(isGiven) ? null : found;
}

/** The failed attempts of a filter, as conditions of packages and of what is counted by them. */
function ofAttempts({ attempts }: WaitingFilter): { ofPackages: string; ofSums: string } {
  if (attempts === undefined) return { ofPackages: 'true', ofSums: 'true' };
  return attempts === '0'
    ? { ofPackages: 'packages.failed_at is null', ofSums: 'not has_failed' }
    : { ofPackages: 'packages.failed_at is not null', ofSums: 'has_failed' };
}

/**
 * What waits by postal code and town, counted by whoever writes packages, and what failed on a started route, which is not counted. Its rows
 * have a window and an ETA where the filter still tests them: else they are left out before, and so that most are of the sums without them.
 */
async function countedGroups(
  db: Queryable,
  { totals, counts }: Kept,
  wanted: WaitingFilter,
  zone: string,
  value: ListFilter['value'],
): Promise<string> {
  const { window, day } = wanted;
  const isOfOwners = (await ofOwners(db, wanted, value)) ?? (() => 'true');
  const isOfWeight = ofWeight(wanted, anyNumber(value)) ?? 'true';
  const { whole, parts: partsOfKilograms } = splitKilograms(wanted, value);
  const attempts = ofAttempts(wanted);
  const isOfPackages = `${isOfOwners('packages')} and ${isOfWeight} and ${attempts.ofPackages}`;
  const columns = 'address_postal_code, address_city, window_from, eta';
  const parts = [
    `select ${columns}, 1 as number, weight from packages
      where id = any(array(select id from packages where ${isWaiting} and packages.route_id is not null)) and ${isOfPackages}`,
    ...partsOfKilograms.map(
      (isWithin) =>
        `select ${columns}, 1, weight from packages where ${isCountedAsWaiting('packages')} and ${isOfOwners('packages')} and ${isWithin}`,
    ),
    ...movedGroups(
      (sign) =>
        `packages.address_postal_code, packages.address_city, packages.window_from, packages.eta, ${sign}1, ${sign}packages.weight`,
      isOfPackages,
    ),
  ];
  const readKept = (
    table: WaitingSums | 'waiting_changes',
    sums: string,
    condition = 'true',
    isOfKilograms: string | null = whole,
  ) =>
    parts.push(
      `select nullif(postal_code, ''), nullif(city, ''), ${sums} from ${table} where ${condition} and ${isOfOwners(table)} and ${isOfKilograms} and ${attempts.ofSums}`,
    );
  const ofAny = (sign: '' | '-' = '') => `null::timestamptz, null::date, ${sign}packages, ${sign}kilograms`;
  if (whole === null) return `(${parts.join(' union all ')}) packages`;
  if (window !== undefined && window !== 'none') {
    const ofFilter = `nullif(window_from, '-infinity'), nullif(eta, '-infinity'), packages, kilograms`;
    for (const table of [counts ?? totals, 'waiting_changes'] as const)
      readKept(table, ofFilter, `window_from > '-infinity'`);
    return `(${parts.join(' union all ')}) packages`;
  }
  // Most fit most days and have no window: what does not fit is taken from all.
  const isOfAll = totals === 'waiting_totals' && window === 'none' ? 'not has_window' : 'true';
  const isOfCounts = isOfAll === 'true' ? 'true' : `window_from = '-infinity'`;
  const lighter = totals === kept.both.totals ? lighterThan(wanted, value) : null;
  if (lighter === null) readKept(totals, ofAny(), isOfAll);
  else {
    readKept(kept.owner.totals, ofAny(), isOfAll, 'true');
    readKept(totals, ofAny('-'), isOfAll, lighter);
  }
  readKept('waiting_changes', ofAny(), isOfCounts);
  // The day is a selection, so that the plan for any day is no dearer than that for this one, and is kept: planning takes longer than reading.
  const unfit = [
    ...(window === 'none' && isOfAll === 'true' ? [`window_from > '-infinity'`] : []),
    ...(day
      ? [
          `(eta > '-infinity' and eta > (select ${value(day)}::date))`,
          `(window_from > '-infinity' and window_from >= (select (${value(day)}::date + 1)::timestamp at time zone ${value(zone)}))`,
        ]
      : []),
  ];
  if (unfit.length > 0)
    for (const table of [counts ?? totals, 'waiting_changes'] as const)
      readKept(table, ofAny('-'), `(${unfit.join(' or ')}) and ${isOfCounts}`);
  return `(${parts.join(' union all ')}) packages`;
}

/** The condition of what is of a place among the rows of sums. Without `like`, so that it is not planned for each place. */
function isOfPlaceOfSums(place: string, value: ListFilter['value']): string {
  const begins = value(place.toLowerCase());
  return `(starts_with(lower(address_postal_code), ${begins}) or starts_with(lower(address_city), ${begins}))`;
}

/**
 * The condition of the postal codes and towns between which all that waits of a place is: a range of `packages_waiting_in_order`. They come from
 * the counts, as what begins with a word has no order that every database shares. Without an address there is no order: no bounds.
 */
async function boundsOfPlace(db: Queryable, place: string, value: ListFilter['value']): Promise<string> {
  const { value: given, values } = filterList({}, {});
  const [found] = await db.query<{ first: string[] | null; last: string[] | null; named: boolean | null }>(
    `select min(array[address_postal_code, address_city]) as first, max(array[address_postal_code, address_city]) as last,
       bool_and(address_postal_code is not null and address_city is not null) as named
     from ${await countedGroups(db, kept.any, {}, '', given)} where ${isOfPlaceOfSums(place, given)}`,
    values(),
  );
  if (!found?.first || !found.last || found.named !== true) return 'true';
  const bound = ([postalCode, town]: string[]) => `(${value(postalCode)}, ${value(town)})`;
  const group = '(packages.address_postal_code, packages.address_city)';
  return `${group} >= ${bound(found.first)} and ${group} <= ${bound(found.last)}`;
}

/** What goes back is counted at its recipient's, and moves to where it goes. @param columns with `sign` before 1 and the weight */
const movedGroups = (columns: (sign: '' | '-') => string, condition = 'true') => [
  `select ${columns('-')} from packages where ${isWaiting} and packages.return_due and ${condition}`,
  `select ${columns('')} from ${returning} where ${isWaiting} and ${condition}`,
];

/**
 * The weights of a filter: the condition of the whole kilograms that are within it, which the sums have, or null if there is none, and those of
 * the packages where it begins or ends within a kilogram, from `packages_waiting_by_weight`.
 */
function splitKilograms(
  { weightFrom, weightTo: to }: WaitingFilter,
  value: ListFilter['value'],
): { whole: string | null; parts: string[] } {
  if (weightFrom === undefined && to === undefined) return { whole: 'true', parts: [] };
  const number = anyNumber(value);
  const kilograms = anyNumber(value, 'int');
  const from = weightFrom ?? '0';
  const first = Math.ceil(Number(from));
  /** The first kilogram that is not whole. */
  const end = to === undefined ? null : Math.floor(Number(to));
  const atLeast = () => `packages.weight >= ${number(from)}`;
  const atMost = () => `packages.weight <= ${number(to)}`;
  if (end !== null && end <= first) return { whole: null, parts: [`${atLeast()} and ${atMost()}`] };
  return {
    whole: [
      `whole_kilograms >= ${kilograms(first)}`,
      ...(end === null ? [] : [`whole_kilograms < ${kilograms(end)}`]),
    ].join(' and '),
    parts: [
      ...(first > Number(from) ? [`${atLeast()} and packages.weight < ${number(first)}`] : []),
      ...(end === null ? [] : [`packages.weight >= ${number(end)} and ${atMost()}`]),
    ],
  };
}

/** Up to so many kilograms are taken from all that an owner sends: they are fewer rows than those of all heavier ones. */
const maxLighter = 8;

/** The condition of the whole kilograms below a filter that has no upper bound; null if they are not few. */
function lighterThan({ weightFrom, weightTo }: WaitingFilter, value: ListFilter['value']): string | null {
  const first = Math.ceil(Number(weightFrom ?? 0));
  return weightTo === undefined && first <= maxLighter ? `whole_kilograms < ${anyNumber(value, 'int')(first)}` : null;
}

/**
 * Counts what waits by postal code and town. Where sums are kept for the filter, by these; else in
 * one pass over an index, such as `packages_waiting_referenced`, `packages_failed_and_waiting` or `packages_waiting_in_order`, which have the
 * weights too.
 */
export async function readWaiting(ctx: Ctx, query: WaitingFilter & { after?: string | undefined }): Promise<Waiting> {
  const { after, ...wanted } = query;
  const sums = keptFor(wanted);
  const zone = await zoneOf(ctx.settings, {});
  const { place, window, day } = wanted;
  const rest = sums === null ? wanted : { window, day };
  const filter = await filterWaiting(ctx, ctx.db, rest, { limit: maxWaitingGroups }, sums === null ? isWaiting : '');
  if (sums !== null && place) filter.where(isOfPlaceOfSums(place, filter.value));
  const number = sums === null ? 'count(*)' : 'sum(number)';
  const plain = sums === null && (await hasReturns(ctx.db)) ? anywhere : 'packages';
  const from = sums === null ? plain : await countedGroups(ctx.db, sums, wanted, zone, filter.value);
  const part = after === undefined ? undefined : afterGroup(after, filter.value);
  let where = '';
  const page = filter.page(
    { keys: ['postal_code', 'city'] },
    {
      part,
      of: (conditions) => {
        where = conditions;
        return '';
      },
    },
  );
  const rows = await ctx.db.query<GroupRow>(
    `select postal_code, city, packages, kilograms, all_packages, all_kilograms
     from (
       select address_postal_code as postal_code, address_city as city, ${number}::int as packages, sum(weight)::float8 as kilograms,
         (sum(${number}) over ())::int as all_packages, (sum(sum(weight)) over ())::float8 as all_kilograms
       from ${from} ${where} group by 1, 2 having ${number} > 0
     ) groups ${page}`,
    filter.values(),
  );
  const shown = rows.slice(0, maxWaitingGroups);
  const last = shown.at(-1);
  return {
    groups: shown.map((row) => ({
      postalCode: row.postal_code,
      town: row.city,
      packages: row.packages,
      kilograms: row.kilograms,
    })),
    next: rows.length > maxWaitingGroups && last ? JSON.stringify([last.postal_code, last.city]) : null,
    packages: rows[0]?.all_packages ?? 0,
    kilograms: rows[0]?.all_kilograms ?? 0,
  };
}

interface WaitingRow {
  id: string;
  owner_id: string;
  driver_id: string | null;
  tracking_id: string;
  name: string;
  address_street: string | null;
  address_postal_code: string | null;
  address_city: string | null;
  window_from: Date | null;
  window_to: Date | null;
  owner: string | null;
  weight: number;
  attempts: number;
  reference: string | null;
  eta: string | null;
  in_van: boolean;
  return_due: boolean;
}

const waitingColumns = `packages.id, packages.owner_id, packages.driver_id, packages.tracking_id, packages.name, packages.address_street,
  packages.address_postal_code, packages.address_city, packages.window_from, packages.window_to,
  (select users.name from users where users.id = packages.owner_id) as owner, packages.weight::float8 as weight,
  case when packages.failed_at is null then 0 else ${failedAttempts} end as attempts, packages.reference, packages.eta,
  (packages.route_id is not null or packages.location is not distinct from '${withTheDriver}') as in_van, packages.return_due`;

/** Numbers in a street sort by value: they are padded to six digits. Word for word as in the index `packages_waiting_in_order`. */
const streetOrder = `regexp_replace(regexp_replace(lower(coalesce(packages.address_street, '')), '(\\d+)', '00000\\1', 'g'), '0*(\\d{6})', '\\1', 'g')`;
const byStreet = [streetOrder, 'packages.id'];
const byAddressKeys = ['packages.address_postal_code', 'packages.address_city', ...byStreet];

interface GroupQuery extends WaitingFilter {
  postalCode?: string | undefined;
  town?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  count?: boolean | undefined;
}

const isOne = (column: string, value: string | undefined, filter: ListFilter) =>
  filter.where(value ? `packages.${column} = ${filter.value(value)}` : `packages.${column} is null`);

/**
 * The condition of a group with both names, as two bounds in the order of `packages_waiting_in_order`: by equality the plan for any group would
 * read the whole group and sort it, as the planner takes each for small. It does not know the names, so the plan for any is as good as for these.
 */
const isOfGroup = (postalCode: string, town: string) =>
  ['>=', '<=']
    .map(
      (is) =>
        `(packages.address_postal_code, packages.address_city) ${is} ((select ${postalCode}::text), (select ${town}::text))`,
    )
    .join(' and ');

export async function listWaitingPackages(ctx: Ctx, actor: Actor, query: GroupQuery): Promise<Page<WaitingPackage>> {
  const { postalCode, town, limit, cursor, count: isCounted, ...wanted } = query;
  const filter = await filterWaiting(ctx, ctx.db, wanted, { limit, cursor });
  const isNamed = postalCode && town;
  if (isNamed) filter.where(isOfGroup(filter.value(postalCode), filter.value(town)));
  else {
    isOne('address_postal_code', postalCode, filter);
    isOne('address_city', town, filter);
  }
  const keys = isNamed ? byAddressKeys : byStreet;
  const returns = await hasReturns(ctx.db);
  const from = returns ? anywhere : 'packages';
  const paged = filter.page({ keys, last: keysOf(keys, from) });
  const rows = await ctx.db.query<WaitingRow>(
    pageOfWaiting(returns, { columns: waitingColumns, keys, page: paged, limit }),
    filter.values(),
  );
  const count = isCounted ? await filter.count(ctx.db, from) : null;
  const page = pageOf(
    rows,
    limit,
    count,
    (row) => row.id,
    (row) => row,
  );
  const seesAll = actor.permissions.includes('packages.view_all');
  if (seesAll) await auditContactViews(ctx.db, actor, page.items);
  const proposed = await findProposedDays(
    ctx,
    ctx.db,
    page.items.map(({ id }) => id),
  );
  return { ...page, items: page.items.map((row) => asWaiting(row, seesAll, proposed.get(row.id) ?? null)) };
}

const asWaiting = (row: WaitingRow, seesAll: boolean, proposedDay: string | null): WaitingPackage => ({
  id: row.id,
  trackingId: seesAll ? row.tracking_id : maskTrackingId(row.tracking_id),
  name: row.name,
  postalCode: row.address_postal_code,
  town: row.address_city,
  street: seesAll ? row.address_street : null,
  window:
    row.window_from && row.window_to ? { from: row.window_from.toISOString(), to: row.window_to.toISOString() } : null,
  ownerId: row.owner_id,
  owner: row.owner,
  weight: row.weight,
  attempts: row.attempts,
  reference: row.reference,
  eta: row.eta,
  inVan: row.in_van,
  returns: row.return_due,
  proposedDay,
});

interface MappedRow {
  id: string;
  lon: number | null;
  lat: number | null;
  address_postal_code: string | null;
  address_city: string | null;
  weight: number;
}

/** Where what waits goes, as points of a map. */
export async function mapWaiting(
  ctx: Ctx,
  wanted: WaitingFilter,
): Promise<{ packages: MappedWaiting[]; more: boolean }> {
  const filter = await filterWaiting(ctx, ctx.db, wanted, { limit: maxMappedWaiting });
  filter.where(
    `packages.place_lon is not null and packages.place_lat is not null and packages.place_accuracy is distinct from 'town'`,
  );
  const columns = `packages.id, packages.place_lon as lon, packages.place_lat as lat, packages.address_postal_code, packages.address_city,
    packages.weight::float8 as weight`;
  const keys = ['packages.id'];
  const rows = await ctx.db.query<MappedRow>(
    pageOfWaiting(await hasReturns(ctx.db), { columns, keys, page: filter.page({ keys }), limit: maxMappedWaiting }),
    filter.values(),
  );
  return {
    packages: rows
      .slice(0, maxMappedWaiting)
      .flatMap(({ id, lon, lat, weight, ...row }) =>
        lon === null || lat === null
          ? []
          : [{ id, lon, lat, postalCode: row.address_postal_code, town: row.address_city, weight }],
      ),
    more: rows.length > maxMappedWaiting,
  };
}

interface SelectedRow {
  id: string;
  address_street: string | null;
  address_postal_code: string | null;
  address_city: string | null;
}

/** Orders packages by postal code, town, street and house number of where they go. */
export const inAddressOrder = <T extends SelectedRow & { return_to?: AddressColumns | null }>(rows: Iterable<T>) =>
  [...rows]
    .map((row) => {
      const to = row.return_to ?? row;
      return { row, postalCode: to.address_postal_code, town: to.address_city, street: to.address_street };
    })
    .toSorted((a, b) => byAddress(a, b) || (a.row.id < b.row.id ? -1 : 1));

/** What waits of a selection, whatever day is proposed for it. */
async function filterSelected(
  ctx: Ctx,
  db: Queryable,
  { filter: wanted = {}, all = false, groups = [], packageIds = [], except = [] }: WaitingSelection,
  limit: number,
  condition = isWaiting,
): Promise<ListFilter> {
  const filter = await filterWaiting(ctx, db, wanted, { limit }, condition);
  const { value } = filter;
  if (!all) {
    const codes = value(groups.map(({ postalCode }) => postalCode ?? ''));
    const towns = value(groups.map(({ town }) => town ?? ''));
    const named = `select * from unnest(${codes}::text[], ${towns}::text[])`;
    // The usual selection is of whole groups alone, which an index has.
    if (packageIds.length === 0 && groups.every(({ postalCode, town }) => postalCode && town))
      filter.where(`(packages.address_postal_code, packages.address_city) in (${named})`);
    else
      filter.where(`(packages.id = any(${value(packageIds)}::uuid[])
        or (coalesce(packages.address_postal_code, ''), coalesce(packages.address_city, '')) in (${named}))`);
  }
  if (except.length > 0) filter.where(`packages.id <> all(${value(except)}::uuid[])`);
  return filter;
}

/** All of it is in `packages_waiting_in_order`. */
const selectedColumns = 'packages.id, packages.address_street, packages.address_postal_code, packages.address_city';

/** Whether the first of a selection are those of a place, and of nothing that has an index by which few are found. */
const isOfPlace = ({ filter: { place, q, reference, attempts = '0' } = {}, all }: WaitingSelection) =>
  all === true && place !== undefined && q === undefined && reference === undefined && attempts === '0';

/**
 * What waits of a place, row by row in the order of delivery until there are enough: the planner takes a place for a few packages, and
 * would read and sort all that match, up to half a second.
 */
async function readInOrder(ctx: Ctx, db: Queryable, selection: WaitingSelection, limit: number) {
  const filter = await filterSelected(ctx, db, selection, limit, '');
  const isBetween = await boundsOfPlace(db, selection.filter?.place ?? '', filter.value);
  return {
    filter,
    from: `(select packages.*, ${streetOrder} as street_order from packages
      where ${isWaiting} and ${isBetween} order by ${byAddressKeys.join(', ')} offset 0) packages`,
    keys: ['packages.address_postal_code', 'packages.address_city', 'packages.street_order', 'packages.id'],
    returns: false,
  };
}

/** How the first of a selection are read. */
async function readSelected(ctx: Ctx, db: Queryable, selection: WaitingSelection, limit: number) {
  const returns = await hasReturns(db);
  if (!returns && isOfPlace(selection)) return readInOrder(ctx, db, selection, limit);
  const filter = await filterSelected(ctx, db, selection, limit);
  return { filter, from: returns ? anywhere : 'packages', keys: byAddressKeys, returns };
}

/** The first of a selection. What goes back is in no order of an index: its first are merged with those of the rest, which are. */
const pageOfSelected = (returns: boolean, { from, page, limit }: { from: string; page: string; limit: number }) =>
  returns
    ? pageOfWaiting(true, { columns: selectedColumns, keys: byAddressKeys, page, limit })
    : `select ${selectedColumns} from ${from} ${page}`;

/** Those of packages that `dueBy` leaves out: they are proposed for a later day, and nobody names them. */
async function findProposedLater(
  ctx: Ctx,
  db: Queryable,
  { dueBy, packageIds = [] }: WaitingSelection,
  ids: string[],
): Promise<string[]> {
  if (dueBy === undefined) return [];
  const named = new Set(packageIds.map((id) => id.toLowerCase()));
  const days = await findProposedDays(
    ctx,
    db,
    ids.filter((id) => !named.has(id)),
  );
  return [...days].flatMap(([id, day]) => (day > dueBy ? id : []));
}

/** The packages of a selection that `dueBy` leaves out. `more`: of the first that were tried; there are others. */
async function findLater(ctx: Ctx, db: Queryable, selection: WaitingSelection) {
  if (selection.dueBy === undefined) return { ids: [], more: false };
  const filter = await filterSelected(ctx, db, selection, maxTried);
  filter.where(wasTried(filter.value(ctx.now())));
  const keys = ['packages.id'];
  const tried = await db.query<{ id: string }>(
    pageOfWaiting(await hasReturns(db), { columns: 'packages.id', keys, page: filter.page({ keys }), limit: maxTried }),
    filter.values(),
  );
  const ids = await findProposedLater(
    ctx,
    db,
    selection,
    tried.slice(0, maxTried).map(({ id }) => id),
  );
  return { ids, more: tried.length > maxTried };
}

/**
 * The selection without what `dueBy` leaves out. `onlyDue` takes out of the first of it what was not among those that were looked at: then
 * they are fewer than there may be, but nothing is planned before its day.
 */
async function withoutLater(ctx: Ctx, db: Queryable, selection: WaitingSelection) {
  const { ids, more } = await findLater(ctx, db, selection);
  const onlyDue = async (rows: SelectedRow[]) => {
    if (!more) return rows;
    const found = rows.map(({ id }) => id);
    const late = new Set(await findProposedLater(ctx, db, selection, found));
    return rows.filter(({ id }) => !late.has(id));
  };
  const due = { ...selection, except: [...(selection.except ?? []), ...ids] };
  return { later: more ? maxTried + 1 : ids.length, due, onlyDue };
}

/** Those of a selection that wait, by postal code. At most `limit`, and one more that shows that there are more. */
export async function findSelected(
  ctx: Ctx,
  db: Queryable,
  selection: WaitingSelection,
  limit: number,
): Promise<SelectedRow[]> {
  const { due, onlyDue } = await withoutLater(ctx, db, selection);
  const { filter, from, keys, returns } = await readSelected(ctx, db, due, limit);
  const page = filter.page({ keys });
  return onlyDue(await db.query<SelectedRow>(pageOfSelected(returns, { from, page, limit }), filter.values()));
}

/** How many of a selection are counted. */
const maxSelected = 5000;

/** The number of a selection that is all of a filter, if counts are kept for it. */
async function countKept(ctx: Ctx, { all, filter = {}, except = [] }: WaitingSelection): Promise<number | null> {
  if (!all || except.length > 0 || keptFor(filter) === null) return null;
  return (await readWaiting(ctx, filter)).packages;
}

/** The first of a selection, as many as a route has, and the number of all. */
async function findFirstSelected(ctx: Ctx, selection: WaitingSelection) {
  const { later, due, onlyDue } = await withoutLater(ctx, ctx.db, selection);
  const limit = maxStops - 1;
  const { filter, from, keys, returns } = await readSelected(ctx, ctx.db, due, limit);
  let where = '';
  const page = filter.page({ keys }, { of: (conditions) => (where = conditions) });
  const first = await ctx.db.query<SelectedRow>(pageOfSelected(returns, { from, page, limit }), filter.values());
  const rows = await onlyDue(first);
  if (first.length < maxStops) return { rows, packages: rows.length, later };
  const kept = await countKept(ctx, due);
  if (kept !== null) return { rows, packages: Math.max(rows.length, Math.min(kept, maxSelected + 1)), later };
  const [counted] = await ctx.db.query<{ packages: number }>(
    `select count(*)::int as packages from (select from ${from} ${where} limit ${maxSelected + 1}) counted`,
    filter.values(),
  );
  return { rows, packages: counted?.packages ?? rows.length, later };
}

export async function selectWaiting(
  ctx: Ctx,
  selection: WaitingSelection,
): Promise<{ packageIds: string[]; packages: number; later: number }> {
  const { rows, ...counts } = await findFirstSelected(ctx, selection);
  return { packageIds: inAddressOrder(rows).map(({ row }) => row.id), ...counts };
}
