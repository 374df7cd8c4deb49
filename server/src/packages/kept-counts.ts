import type { Queryable } from '../platform/database/db.ts';
import type { Count } from '../platform/database/keyset-lists.ts';
import { countNotOffered } from './on-routes.ts';
import type { OwnerScope } from './row.ts';

/** What packages are counted by: an owner or a place, and some statuses. */
interface Counted {
  ownerId?: OwnerScope;
  /** In lower case, as `placeOf` gives it. */
  place?: string | undefined;
  /** All if omitted. */
  statuses?: readonly string[] | undefined;
}

// Rolled-up counts, and the deltas that are not yet rolled up. One statement, so one snapshot: a row that is being rolled up is seen in
// exactly one of the two tables.
const ofOwner = `select status, packages from owner_counts where owner_id = $1
  union all select status, packages from owner_count_changes where owner_id = $1`;
const ofPlace = `select status, packages from inventory where $1::text is null or lower(location) = $1
  union all select status, packages from inventory_changes where $1::text is null or lower(location) = $1`;

/** The number of packages from the counts that every write keeps: exact, however many they are. */
export async function countKept(db: Queryable, { ownerId = null, place, statuses }: Counted): Promise<Count> {
  const [row] = await db.query<{ total: number }>(
    `select coalesce(sum(packages), 0)::float8 as total from (${ownerId === null ? ofPlace : ofOwner}) kept
     where $2::text[] is null or status = any($2)`,
    [ownerId ?? place ?? null, statuses ?? null],
  );
  return { total: row?.total ?? 0, isCapped: false };
}

/** The number of packages that are offered to drivers: without those that are planned, or held for a return or a collection. */
export async function countWaiting(db: Queryable): Promise<Count> {
  const [processing, planned] = await Promise.all([countKept(db, { statuses: ['processing'] }), countNotOffered(db)]);
  // Two snapshots: a package that is registered and planned in between must not make this negative.
  return { ...processing, total: Math.max(0, processing.total - planned) };
}

/** The number of packages in each status, of one owner or of all. */
export async function countByStatus(db: Queryable, ownerId: OwnerScope): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ status: string; packages: number }>(
    `select status, sum(packages)::float8 as packages from (${ownerId === null ? ofPlace : ofOwner}) kept group by status`,
    [ownerId],
  );
  return new Map(rows.map(({ status, packages }) => [status, packages]));
}
