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
import { filterFailedAndOverdue } from '../packages/lists.ts';
import { searchPackages } from '../packages/search.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { likeContains, filterList, keysOf, type ListOrder } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asInventoryPackage,
  packageColumns,
  placeOf,
  places,
  readCurrentCounts,
  waitOf,
  type PackageRow,
  type PlaceRow,
} from './queries.ts';

export { rollUpInventory } from './queries.ts';

/** How many of those that wait longest are told with the counts. */
const waitingShown = 10;

export async function readInventory(ctx: Ctx, actor: Actor, query: InventoryQuery): Promise<Inventory> {
  const standing = await readCurrentCounts(ctx.db, {
    term: termOf(query),
    after: query.cursor ?? null,
    limit: query.limit + 1,
    waiting: waitingShown,
  });
  await auditContactViews(ctx.db, actor, standing.waiting.filter(tellsAddress).map(asSeen));
  const page = pageOf(standing.places, query.limit, null, ({ place }) => place, asPlace);
  return {
    asOf: ctx.now().toISOString(),
    totals: { counts: countsOf(standing), total: standing.total },
    matching: standing.matching,
    places: page.items,
    next: page.next,
    waitingLongest: standing.waiting.map(asInventoryPackage),
  };
}

const tellsAddress = ({ address }: PackageRow) => address !== null;
const asSeen = ({ id, owner_id, driverId }: PackageRow) => ({ id, owner_id, driver_id: driverId });

const termOf = ({ q }: { q?: string | undefined }) => (q ? likeContains(q.toLowerCase()) : null);

const countsOf = (row: Record<PackageStatus, number>) =>
  Object.fromEntries(packageStatuses.map((status) => [status, row[status]])) as Record<PackageStatus, number>;

const asPlace = (row: PlaceRow): InventoryPlace => ({
  place: row.place,
  name: row.name || null,
  counts: countsOf(row),
  total: row.total,
});

const waitKeys = [waitOf, 'id'];
const longestWaitFirst: ListOrder = { keys: waitKeys, last: keysOf(waitKeys, 'packages') };

/** The packages behind a count, newest first; of what waits alone those first that wait longest. */
export async function listInventoryPackages(
  ctx: Ctx,
  actor: Actor,
  query: InventoryPackagesQuery,
): Promise<Page<InventoryPackage>> {
  const filter = filterList({ q: searchPackages(null) }, query);
  if (query.place !== undefined) filter.where(`${placeOf} = ${filter.value(query.place)}`);
  const [only, ...more] = new Set(query.status ?? []);
  // The status that has an index of its own is spelt out: a plan for any status could not use it.
  if (only && more.length === 0)
    filter.where(only === 'processing' ? `status = 'processing'` : `status = ${filter.value(only)}`);
  else if (only) filter.where(`status = any(${filter.value([only, ...more])})`);
  await filterFailedAndOverdue(ctx, filter, query);
  const waits = only === 'processing' && more.length === 0;
  const rows = await ctx.db.query<PackageRow>(
    `select ${packageColumns} from packages ${filter.page(waits ? longestWaitFirst : undefined)}`,
    filter.values(),
  );
  await auditContactViews(ctx.db, actor, rows.slice(0, query.limit).filter(tellsAddress).map(asSeen));
  const count = query.count ? await filter.count(ctx.db, 'packages') : null;
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
