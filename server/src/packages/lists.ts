import {
  invalidCursor,
  isFinal,
  packageStatuses,
  type Package,
  type PackageExportQuery,
  type PackageListQuery,
  type PackageStatus,
} from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { planForValues, type Db, type Queryable } from '../platform/database/db.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import {
  filterList,
  keysOf,
  maxCounted,
  type Count,
  type Grouping,
  type ListFilter,
  type ListOrder,
  type Search,
} from '../platform/database/keyset-lists.ts';
import {
  cursorAfter,
  idOfCursor,
  sortedPage,
  type SortBy,
  type SortField,
  type SortedRow,
} from '../platform/database/sorted-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { countKept } from './kept-counts.ts';
import { withArrivals } from './rounds.ts';
import { readPage, readRows } from './page-rows.ts';
import { asPackageFor, type PackageRow, type OwnerScope } from './row.ts';
import {
  findAmongAll,
  findAmongNewest,
  findPackages,
  isTextSearchOnly,
  newestLimit,
  searchPackages,
  searchTexts,
} from './search.ts';

/**
 * SQL condition: the package is unfinished past the end of its time window, or else of its eta's day in the zone. The first line can use
 * the index `packages_due`, which has days in UTC: in no zone does a day end more than 14 hours before it ends in UTC. A plan for any time
 * and owner expects few packages, so it reads and sorts all that the owner has under way.
 */
export const isOverdue = (now: string, zone: string): string =>
  `${planForValues} coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC') <= ${now}::timestamptz + interval '14 hours'
   and coalesce(window_to, (eta + 1)::timestamp at time zone ${zone}) <= ${now}
   and status in ('processing', 'in transit', 'out for delivery')`;

/**
 * Adds the filters for packages that need attention: those with a failed attempt, the overdue ones, those that will be late, and those that wait for a pin.
 */
export async function filterTroubles(
  ctx: Pick<Ctx, 'now' | 'settings'>,
  filter: Pick<ListFilter, 'where' | 'value'>,
  { failed = false, overdue = false, atRisk = false, needsPin: isForPins = false }: Troubles,
): Promise<void> {
  if (failed) filter.where('failed_at is not null');
  if (overdue) filter.where(isOverdue(filter.value(ctx.now()), filter.value(await zoneOf(ctx.settings, {}))));
  if (atRisk) filter.where(isAtRisk(filter.value(ctx.now()), filter.value(await zoneOf(ctx.settings, {}))));
  if (isForPins) filter.where(needsPin);
}

interface Troubles {
  failed?: boolean;
  overdue?: boolean;
  atRisk?: boolean;
  needsPin?: boolean;
}

/** SQL condition: forecast to be late, on the road or planned, and not late yet. */
const isAtRisk = (now: string, zone: string) =>
  `(status in ('in transit', 'out for delivery') or (status = 'processing' and route_id is not null))
   and packages.id in (select package_id from packages_at_risk)
   and coalesce(window_to, (eta + 1)::timestamp at time zone ${zone}) > ${now}`;

/** SQL condition: unfinished, and nothing more exact than the town was found for its address. */
const needsPin = `status in ('processing', 'in transit', 'out for delivery') and address_street is not null
  and (place_accuracy is null or place_accuracy = 'town')
  and exists (select from place_searches where package_id = packages.id and due_at is null)`;

/** Adds the status filter of a list. */
export function filterStatus(filter: ListFilter, wanted: readonly string[] | undefined): void {
  const statuses = statusesOf(wanted);
  if (!statuses) return;
  const [only] = statuses;
  filter.where(statuses.length === 1 ? `status = ${filter.value(only)}` : `status = any(${filter.value(statuses)})`);
}

/** The statuses that a filter names, each once. `active` stands for every status but delivered and inactive. */
export const statusesOf = (wanted: readonly string[] | undefined): string[] | undefined =>
  wanted && [...new Set(wanted.flatMap((status) => (status === 'active' ? activeStatuses : [status])))];

export const activeStatuses: PackageStatus[] = ['processing', 'in transit', 'out for delivery', 'cancelled'];

const unfinishedStatuses: ReadonlySet<string> = new Set(packageStatuses.filter((status) => !isFinal(status)));

/** Whether the counts that are kept answer how many packages a filter has: it has nothing but owner, place and statuses. */
export const isCountKept = ({
  q,
  failed,
  overdue,
  atRisk,
  needsPin: isForPins,
  from,
  to,
}: Partial<Pick<PackageListQuery, 'q' | 'failed' | 'overdue' | 'atRisk' | 'needsPin' | 'from' | 'to'>>): boolean =>
  !q && !failed && !overdue && !atRisk && !isForPins && !from && !to;

/** The time that lists of packages are filtered by, which is never before the one in the package's id. */
export const updated = { day: 'updated_at', createdBefore: 'packages.id' };

/** @throws not_found for another owner's packages without `packages.view_all` */
function requireVisible(actor: Actor, ownerId: OwnerScope): void {
  if (ownerId !== null && ownerId !== actor.id && !actor.permissions.includes('packages.view_all'))
    throw notFound('user');
}

/**
 * The filter that a list and its export share.
 * @param ownerId null for the packages of all owners
 * @param search how the list finds the matches of `q`; without it, as an export does
 * @throws not_found for another owner's packages without `packages.view_all`
 */
export async function filterPackages(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery | PackageExportQuery,
  search?: Search,
): Promise<ListFilter> {
  requireVisible(actor, ownerId);
  const q = search ?? (await findPackages(ctx.db, ownerId, query.q)).all;
  const filter = filterList({ q, ...updated }, query);
  if (ownerId !== null) filter.where(`owner_id = ${filter.value(ownerId)}`);
  filterStatus(filter, query.status);
  await filterTroubles(ctx, filter, query);
  return filter;
}

export async function listPackages(
  ctx: Ctx,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery,
): Promise<Page<Package>> {
  if (query.byStage && !query.sort) return listByStage(ctx, actor, ownerId, query);
  const { sort = newestFirst } = query;
  requireVisible(actor, ownerId);
  const isNewestFirst = sort === newestFirst;
  const listed = isNewestFirst ? await listByTextSearch(ctx.db, ownerId, query) : null;
  let rows: (PackageRow & Partial<SortedRow>)[] | null = listed === 'many' ? null : listed;
  let count: Count | null = null;
  if (!rows || query.count) {
    const newest = isNewestFirst && !query.count ? await searchNewest(ctx, actor, ownerId, query) : null;
    const one = newest ?? (listed === 'many' ? searchPackages(ownerId) : null);
    const search = one ? { first: one, all: one } : await findPackages(ctx.db, ownerId, query.q);
    const filters = isByCreation(sort) ? unlessMerged(ownerId, query) : query;
    const all = await filterPackages(ctx, actor, ownerId, filters, search.all);
    const page = isNewestFirst ? await filterPackages(ctx, actor, ownerId, filters, search.first) : all;
    rows ??= await listSorted(ctx.db, ownerId, query, sort, page);
    if (query.count) count = await countList(ctx.db, ownerId, query, all);
  }
  await auditContactViews(ctx.db, actor, rows.slice(0, query.limit));
  const page = pageOf(
    rows,
    query.limit,
    count,
    (row) => cursorAfter(sort, row),
    (row) => asPackageFor(ctx, actor, row),
  );
  return { ...page, items: await withRisks(ctx.db, rows, await withArrivals(ctx, ctx.db, rows, page.items)) };
}

/** Marks planned packages that are forecast to be late. Of those on the road the arrival says it. */
async function withRisks(db: Queryable, rows: PackageRow[], items: Package[]): Promise<Package[]> {
  const planned = rows.flatMap(({ id, status, route_id: routeId }) =>
    status === 'processing' && routeId !== null ? id : [],
  );
  if (planned.length === 0) return items;
  const risks = await db.query<{ package_id: string }>(
    'select package_id from packages_at_risk where package_id = any($1::uuid[])',
    [planned],
  );
  const atRisk = new Set(risks.map(({ package_id: id }) => id));
  return items.map((item) => (atRisk.has(item.id) ? { ...item, atRisk: true } : item));
}

/** @returns the search for the page's matches if they are among the first rows of an owner's list, else null */
async function searchNewest(
  ctx: Ctx,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery,
): Promise<Search | null> {
  const { q, limit, ...others } = query;
  if (ownerId === null || !q) return null;
  const newest = await filterPackages(ctx, actor, ownerId, { ...others, limit: newestLimit });
  return findAmongNewest(ctx.db, ownerId, q, newest, limit);
}

const newestFirst = '-createdAt';
const isByCreation = (sort: string) => sort === newestFirst || sort === 'createdAt';

/** When the package should arrive: the end of its window, or else of its eta's day in UTC; packages without either are last. */
const due = "coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC', 'infinity')";

const sortFields: Record<string, SortField> = {
  lastUpdate: { key: 'updated_at', type: 'timestamptz' },
  due: { key: due, type: 'timestamptz' },
  name: { key: 'lower(name)', type: 'text' },
  recipientName: { key: 'lower(recipient_name)', type: 'text' },
  status: { type: 'group', column: 'status', values: packageStatuses },
};

/** @throws invalid for more packages than can be sorted, if no index has them in this order */
async function listSorted(
  db: Db,
  ownerId: OwnerScope,
  query: PackageListQuery,
  sort: string,
  filter: ListFilter,
): Promise<(PackageRow & SortedRow)[]> {
  const by = await howToSort(db, ownerId, query, sort, filter);
  const { source, sortKey } = sortedPage({
    table: 'packages',
    filter,
    sort,
    fields: sortFields,
    limit: query.limit,
    by,
  });
  return readPage(db, source, filter.values(), sortKey);
}

/**
 * The indexes of an owner's packages in an order, `packages_owner_updated` and `packages_owner_due`, have the status before it. They serve a
 * list without other filters; of a filter's matches, an index in another order would have to be searched for each.
 */
async function howToSort(
  db: Queryable,
  ownerId: OwnerScope,
  query: PackageListQuery,
  sort: string,
  filter: ListFilter,
): Promise<SortBy> {
  const field = sort.replace(/^-/, '');
  if (ownerId === null) return 'index';
  if (isByCreation(sort)) return mergedStatuses(ownerId, query) ?? 'index';
  const statuses = statusesOf(query.status) ?? [...packageStatuses];
  const hasIndex =
    field === 'lastUpdate' ||
    field === 'status' ||
    (field === 'due' && statuses.every((status) => unfinishedStatuses.has(status)));
  const byStatus = { merge: { column: 'status', values: statuses } };
  if (hasIndex && isCountKept(query)) return byStatus;
  const { total, isCapped } = await countList(db, ownerId, query, filter);
  if (!isCapped && total <= maxCounted) return 'all';
  if (hasIndex) return byStatus;
  throw invalid({
    sort: `More than ${maxCounted.toLocaleString('en')} packages cannot be sorted by ${field}: filter them first`,
  });
}

/** Several statuses of an owner without other filters: `packages_owner_status` has the newest of each. */
function mergedStatuses(ownerId: OwnerScope, query: PackageListQuery): { merge: Grouping } | null {
  const statuses = statusesOf(query.status) ?? [];
  return ownerId !== null && statuses.length > 1 && isCountKept(query)
    ? { merge: { column: 'status', values: statuses } }
    : null;
}

/**
 * The filters of a page whose statuses are merged: these name the statuses, and the count is kept. With the same condition once more PostgreSQL
 * would plan the page for each request.
 */
function unlessMerged(ownerId: OwnerScope, query: PackageListQuery): PackageListQuery {
  if (!mergedStatuses(ownerId, query)) return query;
  const { status: _status, ...others } = query;
  return others;
}

const countList = (db: Queryable, ownerId: OwnerScope, query: PackageListQuery, filter: ListFilter): Promise<Count> =>
  isCountKept(query) ? countKept(db, { ownerId, statuses: statusesOf(query.status) }) : filter.count(db, 'packages');

const arrivalKeys = ["coalesce(estimated_delivery_at, 'infinity')", 'id'];

/** In a list by stage: on the road, waiting, done. `order` and `where`: those of the index `packages_owner_arriving`. */
const stages: { statuses: PackageStatus[]; order?: ListOrder; where?: string }[] = [
  {
    statuses: ['in transit', 'out for delivery'],
    order: { keys: arrivalKeys, last: keysOf(arrivalKeys, 'packages') },
    where: "status in ('in transit', 'out for delivery')",
  },
  { statuses: ['processing'] },
  { statuses: ['delivered', 'cancelled', 'inactive'] },
];

const stageOf = (status: string) => stages.findIndex(({ statuses }) => statuses.some((one) => one === status));

/**
 * One query per stage, until the page is full. The cursor names the stage, because its package may have moved on since.
 * @throws invalid for a cursor of another list
 */
async function listByStage(
  ctx: Ctx,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery,
): Promise<Page<Package>> {
  const [, first, last] = /^([0-2])-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.exec(query.cursor ?? '') ?? [];
  if (query.cursor && last === undefined) throw invalid({ cursor: invalidCursor });
  requireVisible(actor, ownerId);
  const search = await findPackages(ctx.db, ownerId, query.q);
  const wanted = statusesOf(query.status);
  const rows: PackageRow[] = [];
  for (let stage = Number(first ?? 0); stage < stages.length && rows.length <= query.limit; stage++) {
    const { statuses = [], order, where } = stages[stage] ?? {};
    const status = wanted ? statuses.filter((one) => wanted.includes(one)) : statuses;
    if (status.length === 0) continue;
    const cursor = stage === Number(first) ? last : undefined;
    const page = { ...query, status, cursor, limit: query.limit - rows.length };
    const filters = order
      ? { ...page, status: status.length < statuses.length ? status : undefined }
      : unlessMerged(ownerId, page);
    const filter = await filterPackages(ctx, actor, ownerId, filters, search.first);
    if (where) filter.where(where);
    const merged = order ? undefined : mergedStatuses(ownerId, page)?.merge;
    rows.push(...(await readPage(ctx.db, `packages ${filter.pageByIds('packages', order, merged)}`, filter.values())));
  }
  const all = await filterPackages(ctx, actor, ownerId, query, search.all);
  const count = query.count ? await countList(ctx.db, ownerId, query, all) : null;
  await auditContactViews(ctx.db, actor, rows.slice(0, query.limit));
  const page = pageOf(
    rows,
    query.limit,
    count,
    (row) => `${stageOf(row.status)}-${row.id}`,
    (row) => asPackageFor(ctx, actor, row),
  );
  return { ...page, items: await withRisks(ctx.db, rows, await withArrivals(ctx, ctx.db, rows, page.items)) };
}

/**
 * Fast path for a list filtered by nothing but a text search: pages through `package_search` alone. For the usual statement the planner takes
 * 'of this owner' and 'found' as independent, so it expects almost no rows and joins all matches for a page of 50.
 * @returns null if the query does not qualify, 'many' if it does but matches too many of all packages
 */
async function listByTextSearch(
  db: Queryable,
  ownerId: OwnerScope,
  query: PackageListQuery,
): Promise<PackageRow[] | 'many' | null> {
  const { q, status, failed, overdue, atRisk, needsPin: isForPins, from, to, cursor, limit } = query;
  if (!q || !isTextSearchOnly(q.toLowerCase())) return null;
  if (status || failed || overdue || atRisk || isForPins || from || to) return null;
  const ids =
    ownerId === null
      ? await findAmongAll(db, q, cursor ? (value) => idOfCursor(cursor, value) : null, limit)
      : await findTextsOfOwner(db, ownerId, { ...query, q });
  if (!ids) return 'many';
  return (await readRows(db, ids)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

async function findTextsOfOwner(
  db: Queryable,
  ownerId: string,
  query: PackageListQuery & { q: string },
): Promise<string[]> {
  const texts = filterList({ q: searchTexts, day: '' }, query);
  const owner = texts.value(ownerId);
  texts.where(`owner_id = ${owner}`);
  const page = texts.page({ keys: ['package_id'], descending: true, last: idOfCursor });
  const found = await db.query<{ package_id: string }>(
    `select package_id from package_search found ${page}`,
    texts.values(),
  );
  return found.map((row) => row.package_id);
}
