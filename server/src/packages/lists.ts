import type { Package, PackageExportQuery, PackageListQuery, PackageStatus } from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList, type ListFilter } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { asPackage, packageColumns, type PackageRow, type OwnerScope } from './row.ts';
import { isToldByTexts, searchPackages, searchTexts } from './search.ts';

/**
 * Whether a package is under way past the end of its window, or of its eta's day in the zone, as SQL. The first condition is what the
 * index `packages_due` knows: days in UTC, which end at most 14 hours before those of any zone, or after.
 */
export const isOverdue = (now: string, zone: string): string =>
  `coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC') <= ${now}::timestamptz + interval '14 hours'
   and coalesce(window_to, (eta + 1)::timestamp at time zone ${zone}) <= ${now}
   and status in ('processing', 'in transit', 'out for delivery')`;

/** Adds the filters for what needs looking after. */
export async function filterTrouble(
  ctx: Pick<Ctx, 'now' | 'settings'>,
  filter: Pick<ListFilter, 'where' | 'value'>,
  { failed, overdue }: { failed: boolean; overdue: boolean },
): Promise<void> {
  if (failed) filter.where('failed_at is not null');
  if (overdue) filter.where(isOverdue(filter.value(ctx.now()), filter.value(await zoneOf(ctx.settings, {}))));
}

/** Adds the status filter of a list: single statuses, or `active`. */
export function filterStatus(filter: ListFilter, wanted: readonly string[] | undefined): void {
  if (!wanted) return;
  const statuses = new Set(wanted.flatMap((status) => (status === 'active' ? activeStatuses : [status])));
  const [only] = statuses;
  filter.where(statuses.size === 1 ? `status = ${filter.value(only)}` : `status = any(${filter.value([...statuses])})`);
}

const activeStatuses: PackageStatus[] = ['processing', 'in transit', 'out for delivery', 'cancelled'];

/**
 * Whose packages, and which of them. A list and its export are filtered alike.
 * @param ownerId null for everybody's
 */
export async function filterPackages(
  ctx: Pick<Ctx, 'now' | 'settings'>,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery | PackageExportQuery,
): Promise<ListFilter> {
  if (ownerId !== null && ownerId !== actor.id && !actor.permissions.includes('packages.view_all'))
    throw notFound('user');
  const filter = filterList({ q: searchPackages(ownerId), day: 'updated_at' }, query);
  if (ownerId !== null) filter.where(`owner_id = ${filter.value(ownerId)}`);
  filterStatus(filter, query.status);
  await filterTrouble(ctx, filter, query);
  return filter;
}

export async function listPackages(
  ctx: Ctx,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery,
): Promise<Page<Package>> {
  const filter = await filterPackages(ctx, actor, ownerId, query);
  const rows = await (listFound(ctx.db, ownerId, query) ??
    ctx.db.query<PackageRow>(`select ${packageColumns} from packages ${filter.page()}`, filter.values()));
  const total = query.count ? await filter.count(ctx.db, 'packages') : null;
  await auditContactViews(ctx.db, actor, rows.slice(0, query.limit));
  return pageOf(
    rows,
    query.limit,
    total,
    (row) => row.id,
    (row) => asPackage(ctx, row),
  );
}

/**
 * The same page by the texts alone, where nothing but a search among one owner's packages narrows it: otherwise the database takes an
 * owner's packages and the packages found for independent of each other, and so expects next to none of those that are all found, and
 * joins all of them for a page of fifty.
 * @returns null where that is not so
 */
function listFound(db: Queryable, ownerId: OwnerScope, query: PackageListQuery): Promise<PackageRow[]> | null {
  const { q, status, failed, overdue, from, to } = query;
  if (ownerId === null || !q || !isToldByTexts(q.toLowerCase())) return null;
  if (status || failed || overdue || from || to) return null;
  const texts = filterList({ q: searchTexts, day: '', id: 'package_id' }, { ...query, q });
  const owner = texts.value(ownerId);
  texts.where(`owner_id = ${owner}`);
  return db.query<PackageRow>(
    `select ${packageColumns} from packages
     where owner_id = ${owner} and id = any(array(select package_id from package_search found ${texts.page()}))
     order by id desc`,
    texts.values(),
  );
}
