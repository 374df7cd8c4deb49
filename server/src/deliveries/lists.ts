import type {
  Delivery,
  DeliveryListQuery,
  DeliverySummary,
  OwnDeliveryListQuery,
  PendingListQuery,
} from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { countKept, countWaiting } from '../packages/kept-counts.ts';
import { filterStatus, isCountKept, statusesOf, updated } from '../packages/lists.ts';
import { withArrivals } from '../packages/rounds.ts';
import { readPage } from '../packages/page-rows.ts';
import { isHeld, isPlanned, type PackageRow } from '../packages/row.ts';
import { findPackages } from '../packages/search.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  filterList,
  type Count,
  type ListFilter,
  type ListOrder,
  type Search,
} from '../platform/database/keyset-lists.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { shareReads } from '../platform/shared-reads.ts';
import { findUser } from '../users/service.ts';
import { countDeliveries, findPreviousInstructions } from './queries.ts';
import {
  asAvailablePackage,
  asDelivery,
  asOwnersDelivery,
  doneOrder,
  dueOrder,
  hasStarted,
  searchDeliveries,
  stopOrder,
} from './view.ts';

async function listDeliveries<T extends { id: string }>(
  ctx: Ctx,
  query: DeliveryListQuery,
  search: Search,
  restrict: (filter: ListFilter) => void,
  asItem: (row: PackageRow) => T,
  {
    order,
    day = updated.day,
    countKept,
  }: { order?: ListOrder | undefined; day?: string; countKept?: (statuses?: string[]) => Promise<Count> } = {},
): Promise<Page<T>> {
  const filter = filterList({ q: search, ...updated, day }, query);
  restrict(filter);
  filterStatus(filter, query.status);
  const rows = await readPage(ctx.db, `packages ${filter.pageByIds('packages', order)}`, filter.values());
  const count = query.count
    ? await (countKept && isCountKept(query) ? countKept(statusesOf(query.status)) : filter.count(ctx.db, 'packages'))
    : null;
  const page = pageOf(rows, query.limit, count, (row) => row.id, asItem);
  return { ...page, items: await withArrivals(ctx, ctx.db, rows, page.items) };
}

type UnclaimedQuery = DeliveryListQuery & Partial<PendingListQuery>;

const listUnclaimed = <T extends { id: string }>(ctx: Ctx, query: UnclaimedQuery, asItem: (row: PackageRow) => T) =>
  listDeliveries(
    ctx,
    query,
    searchDeliveries,
    (filter) => filter.where(`status = 'processing' and not (${isPlanned}) and not (${isHeld})`),
    asItem,
    {
      order: query.order === 'due' ? dueOrder : undefined,
      countKept: (statuses = ['processing']) =>
        statuses.includes('processing') ? countWaiting(ctx.db) : Promise.resolve({ total: 0, isCapped: false }),
    },
  );

/** Whether it is the beginning of the list as every driver sees it. */
const isForAll = ({ limit: _limit, count: _count, order: _order, ...others }: UnclaimedQuery): boolean =>
  Object.values(others).every((value) => value === undefined || value === '');

/**
 * What waits for a driver is the same for all drivers, and all open screens ask for it again when it changes: they share the reads of its
 * beginning and of its number.
 */
export function openUnclaimed(ctx: Ctx) {
  const openList = <T extends { id: string }>(asItem: (row: PackageRow) => T) => {
    const shared = new Map<string, () => Promise<Page<T>>>();
    return (query: UnclaimedQuery): Promise<Page<T>> => {
      if (!isForAll(query)) return listUnclaimed(ctx, query, asItem);
      const key = `${query.limit} ${query.count} ${query.order}`;
      const read = shared.get(key) ?? shareReads(() => listUnclaimed(ctx, query, asItem));
      shared.set(key, read);
      return read();
    };
  };
  return {
    deliveries: openList(asDelivery),
    packages: openList(asAvailablePackage),
    count: shareReads(() => countWaiting(ctx.db)),
  };
}

type Unclaimed = ReturnType<typeof openUnclaimed>;

/** Lists unclaimed deliveries. With `deliveries.view_all`, `status` also selects others, since those users may fail or assign them. */
export async function listPending(
  ctx: Ctx,
  unclaimed: Unclaimed,
  actor: Actor,
  query: PendingListQuery,
): Promise<Page<Delivery>> {
  if (query.status && query.order === 'due') throw invalid({ order: 'A list by status is sorted newest first' });
  if (!query.status || !actor.permissions.includes('deliveries.view_all')) return unclaimed.deliveries(query);
  const search = query.status.every(hasStarted) ? (await findPackages(ctx.db, null, query.q)).all : searchDeliveries;
  const contactsShown: PackageRow[] = [];
  const listed = await listDeliveries(
    ctx,
    query,
    search,
    () => {},
    (row) => {
      if (hasStarted(row.status)) contactsShown.push(row);
      return asDelivery(row);
    },
    { countKept: (statuses) => countKept(ctx.db, { statuses }) },
  );
  await auditContactViews(ctx.db, actor, contactsShown);
  return listed;
}

const searchOwn = async ({ db }: Ctx, driver: Actor, { q }: DeliveryListQuery): Promise<Search> =>
  (await findPackages(db, null, q, (value) => `driver_id = ${value(driver.id)}`)).all;

/** Lists all packages that this driver carries or has delivered, or those with a `status`. */
export async function listOwn(ctx: Ctx, driver: Actor, query: OwnDeliveryListQuery): Promise<Page<Delivery>> {
  const listed = await listDeliveries(
    ctx,
    query,
    await searchOwn(ctx, driver, query),
    (filter) => filter.where(`driver_id = ${filter.value(driver.id)}`),
    asDelivery,
    { order: query.order === 'stops' ? stopOrder : undefined },
  );
  const onTheRoad = listed.items.filter(({ status }) => status === 'in transit').map(({ id }) => id);
  const before = onTheRoad.length > 0 ? await findPreviousInstructions(ctx.db, onTheRoad) : new Map<string, string>();
  const items = listed.items.map((item) => {
    const instructionsBefore = before.get(item.id);
    return instructionsBefore === undefined ? item : { ...item, instructionsBefore };
  });
  return { ...listed, items };
}

export const listCompleted = async (ctx: Ctx, driver: Actor, query: DeliveryListQuery) =>
  listDeliveries(
    ctx,
    query,
    await searchOwn(ctx, driver, query),
    (filter) => {
      filter.where(`driver_id = ${filter.value(driver.id)}`);
      filter.where("status = 'delivered'");
    },
    asDelivery,
    { order: doneOrder, day: 'completed_at' },
  );

export const listOfOwner = async (ctx: Ctx, owner: Actor, query: DeliveryListQuery) =>
  listDeliveries(
    ctx,
    query,
    (await findPackages(ctx.db, owner.id, query.q))[query.count ? 'all' : 'first'],
    (filter) => filter.where(`owner_id = ${filter.value(owner.id)}`),
    asOwnersDelivery,
    { countKept: (statuses) => countKept(ctx.db, { ownerId: owner.id, statuses }) },
  );

export async function summarizeDeliveries(ctx: Ctx, unclaimed: Unclaimed, driver: Actor): Promise<DeliverySummary> {
  const [own, { total }] = await Promise.all([countDeliveries(ctx.db, driver.id), unclaimed.count()]);
  return { ...own, pending: total };
}

export async function summarizeDeliveriesOf(ctx: Ctx, userId: string): Promise<DeliverySummary> {
  if (!(await findUser(ctx.db, userId))) throw notFound('user');
  const [own, { total }] = await Promise.all([countDeliveries(ctx.db, userId), countWaiting(ctx.db)]);
  return { ...own, pending: total };
}
