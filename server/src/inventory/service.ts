import {
  packageStatuses,
  type Inventory,
  type InventoryExportQuery,
  type InventoryPackage,
  type InventoryPackagesQuery,
  type InventoryPlace,
  type InventoryQuery,
  type PackageStatus,
} from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import { countKept } from '../packages/kept-counts.ts';
import { filterTroubles, isCountKept } from '../packages/lists.ts';
import { findPackages } from '../packages/search.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import {
  likeContains,
  filterList,
  keysOf,
  type ListFilter,
  type ListOrder,
} from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asInventoryPackage,
  packageColumns,
  placeOf,
  places,
  readCurrentCounts,
  waitingSince,
  type PackageRow,
  type PlaceRow,
} from './queries.ts';

export { rollUpInventory } from './queries.ts';

/** Number of longest waiting packages returned with the counts. */
const maxWaiting = 10;

export async function readInventory(ctx: Ctx, actor: Actor, query: InventoryQuery): Promise<Inventory> {
  const current = await readCurrentCounts(ctx.db, {
    term: termOf(query),
    after: query.cursor ?? null,
    limit: query.limit + 1,
    waiting: maxWaiting,
  });
  await auditContactViews(ctx.db, actor, current.waiting.filter(hasAddress).map(asContactView));
  const page = pageOf(current.places, query.limit, null, ({ place }) => place, asPlace);
  return {
    asOf: ctx.now().toISOString(),
    totals: { counts: countsOf(current), total: current.total },
    matching: current.matching,
    places: page.items,
    next: page.next,
    waitingLongest: current.waiting.map(asInventoryPackage),
  };
}

const hasAddress = ({ address_street: street }: PackageRow) => street !== null;
const asContactView = ({ id, owner_id, driverId }: PackageRow) => ({ id, owner_id, driver_id: driverId });

const termOf = ({ q }: { q?: string | undefined }) => (q ? likeContains(q.toLowerCase()) : null);

const countsOf = (row: Record<PackageStatus, number>) =>
  Object.fromEntries(packageStatuses.map((status) => [status, row[status]])) as Record<PackageStatus, number>;

const asPlace = (row: PlaceRow): InventoryPlace => ({
  place: row.place,
  name: row.name || null,
  counts: countsOf(row),
  total: row.total,
});

const waitKeys = [waitingSince, 'id'];
const longestWaitFirst: ListOrder = { keys: waitKeys, last: keysOf(waitKeys, 'packages') };

/**
 * SQL for a page of several statuses at one place, from a page of each: the index has the packages of a place by status and then by id, so
 * an ordered page of all of them would be searched for among the packages of all places.
 */
const ofEachStatus = (filter: ListFilter, page: string, limit: number, statuses: readonly string[] = packageStatuses) =>
  `unnest(${filter.value(statuses)}::text[]) as listed (in_status)
     cross join lateral (select * from packages ${page}) packages
   order by id desc limit ${limit}`;

/** Lists the packages behind a count, newest first; with the status `processing` alone, longest waiting first. */
export async function listInventoryPackages(
  ctx: Ctx,
  actor: Actor,
  query: InventoryPackagesQuery,
): Promise<Page<InventoryPackage>> {
  const filter = filterList({ q: (await findPackages(ctx.db, null, query.q)).all }, query);
  if (query.place !== undefined) filter.where(`${placeOf} = ${filter.value(query.place)}`);
  const statuses = query.status && [...new Set(query.status)];
  const only = statuses?.length === 1 ? statuses[0] : undefined;
  const isPlaceAlone = query.place !== undefined && only === undefined && isCountKept(query);
  // `processing` is a literal because it has a partial index, which a plan for a parameter could not use.
  if (only) filter.where(only === 'processing' ? `status = 'processing'` : `status = ${filter.value(only)}`);
  else if (isPlaceAlone) filter.where('status = in_status');
  else if (statuses) filter.where(`status = any(${filter.value(statuses)})`);
  await filterTroubles(ctx, filter, query);
  const page = filter.page(only === 'processing' ? longestWaitFirst : undefined);
  const rows = await ctx.db.query<PackageRow>(
    `select ${packageColumns} from ${isPlaceAlone ? ofEachStatus(filter, page, query.limit + 1, statuses) : `packages ${page}`}`,
    filter.values(),
  );
  await auditContactViews(ctx.db, actor, rows.slice(0, query.limit).filter(hasAddress).map(asContactView));
  const kept = isCountKept(query) ? { place: query.place, statuses } : null;
  const count = query.count ? await (kept ? countKept(ctx.db, kept) : filter.count(ctx.db, 'packages')) : null;
  return pageOf(rows, query.limit, count, (row) => row.id, asInventoryPackage);
}

const columns: Record<string, (place: InventoryPlace) => Cell> = {
  place: (place) => place.name,
  ...Object.fromEntries(packageStatuses.map((status) => [status, (place: InventoryPlace) => place.counts[status]])),
  total: (place) => place.total,
};

export async function exportInventory(ctx: Ctx, actor: Actor, query: InventoryExportQuery): Promise<CsvFile> {
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'inventory.exported', actorId: actor.id });
  const sql = `with ${places('where $1::text is null or place like $1')} select * from matching order by place`;
  return {
    name: `inventory-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) => csvOf(columns, asPlace, ctx.longRunning.streamRows<PlaceRow>(sql, [termOf(query)], signal)),
  };
}
