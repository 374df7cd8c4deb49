import type { ContactView, ContactViewQuery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { findPeople } from './queries.ts';

interface SeenPackage {
  id: string;
  owner_id: string;
  driver_id: string | null;
}

/**
 * Records who sees a recipient's contact or address without being the package's owner or driver: one row per viewer, package and hour.
 * Inserts in the order of package ids, so that concurrent lists cannot deadlock.
 */
export async function auditContactViews(on: Queryable, viewer: Pick<Actor, 'id'>, seen: SeenPackage[]): Promise<void> {
  const foreign = seen.filter((pkg) => pkg.owner_id !== viewer.id && pkg.driver_id !== viewer.id);
  if (foreign.length === 0) return;
  await on.query(
    `insert into contact_views as view (package_id, viewer_id, hour)
     select id, $2, date_trunc('hour', now(), 'UTC') from unnest($1::uuid[]) id group by id order by id
     on conflict (package_id, viewer_id, hour) do update set times = view.times + 1, last_at = clock_timestamp()`,
    [foreign.map(({ id }) => id), viewer.id],
  );
}

interface ViewRow {
  id: string;
  package_id: string;
  tracking_id: string | null;
  viewer_id: string;
  viewer_name: string | null;
  first_at: Date;
  last_at: Date;
  times: number;
}

const asView = (row: ViewRow): ContactView => ({
  id: Number(row.id),
  packageId: row.package_id,
  trackingId: row.tracking_id,
  viewerId: row.viewer_id,
  viewerName: row.viewer_name,
  firstAt: row.first_at.toISOString(),
  lastAt: row.last_at.toISOString(),
  times: row.times,
});

/** The recorded views, newest first. */
export async function listContactViews(ctx: Ctx, query: ContactViewQuery): Promise<Page<ContactView>> {
  const filter = filterList({ q: 'id::text', day: 'last_at' }, query);
  if (query.package) filter.where(`package_id = any(${filter.value(await findPackages(ctx.db, query.package))})`);
  if (query.person) filter.where(`viewer_id = any(${filter.value(await findPeople(ctx.db, query.person))})`);
  const rows = await ctx.db.query<ViewRow>(
    `select id, package_id, viewer_id, first_at, last_at, times, (select tracking_id from packages where id = package_id) as tracking_id,
       (select name from users where id = viewer_id) as viewer_name
     from contact_views ${filter.page()}`,
    filter.values(),
  );
  const count = query.count ? await filter.count(ctx.db, 'contact_views') : null;
  return pageOf(rows, query.limit, count, (row) => row.id, asView);
}

/** @param text an id or a tracking ID */
async function findPackages(db: Queryable, text: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    text.length === 36
      ? 'select id from packages where id::text = lower($1)'
      : 'select id from packages where tracking_id = upper($1)',
    [text],
  );
  return rows.map(({ id }) => id);
}
