import { packageStatuses, type InventoryPackage, type PackageStatus } from '@waybill/contract';
import { asDestination, destinationColumns, type DestinationRow } from '../packages/destination.ts';
import type { Queryable } from '../platform/database/db.ts';

/** The normalized place of a package, the same expression as in its index. '' if there is no location. */
export const placeOf = "lower(coalesce(btrim(location), ''))";

/** Since when a processing package has been waiting, the same expression as in its index. */
export const waitingSince = 'coalesce(failed_at, created_at)';

type Counts = Record<PackageStatus, number> & { total: number };

export interface PlaceRow extends Counts {
  place: string;
  name: string;
}

const pivot = packageStatuses
  .map((status) => `coalesce(sum(packages) filter (where status = '${status}'), 0)::float8 as "${status}"`)
  .join(', ');

/**
 * Sums the rolled-up counts and the deltas that are not yet rolled up. One statement, so one snapshot: a row that is being rolled up is
 * seen in exactly one of the two tables.
 * @param where filters by `place`
 */
export const places = (where: string) => `
  counted as (
    select location, status, sum(packages) as packages
    from (select * from inventory union all select * from inventory_changes) kept
    group by location, status having sum(packages) > 0
  ),
  places as (
    select lower(location) as place, (array_agg(location order by packages desc, location))[1] as name,
      ${pivot}, sum(packages)::float8 as total
    from counted group by 1
  ),
  matching as (select * from places ${where})`;

interface CurrentCounts extends Counts {
  matching: number;
  places: PlaceRow[];
  waiting: PackageRow[];
}

/**
 * Reads the totals, one page of places and the longest waiting packages from one snapshot, in one statement.
 * @param term a `like` pattern for the place's name, or null; @param after the last place of the previous page, or null
 */
export async function readCurrentCounts(
  db: Queryable,
  { term, after, limit, waiting }: { term: string | null; after: string | null; limit: number; waiting: number },
): Promise<CurrentCounts> {
  const [row] = await db.query<CurrentCounts>(
    `with ${places('where $1::text is null or place like $1')},
     page as (select * from matching where $2::text is null or place > $2 order by place limit $3)
     select ${packageStatuses.map((status) => `coalesce(sum("${status}"), 0)::float8 as "${status}"`).join(', ')},
       coalesce(sum(total), 0)::float8 as total,
       (select count(*)::int from matching) as matching,
       (select coalesce(json_agg(page order by place), '[]') from page) as places,
       (select coalesce(json_agg(waiting order by "waitingSince", id), '[]') from (
         select ${packageColumns} from packages where status = 'processing' order by ${waitingSince}, id limit $4
       ) waiting) as waiting
     from places`,
    [term, after, limit, waiting],
  );
  if (!row) throw new Error('a count without a row');
  return row;
}

type PlainFields = Omit<
  InventoryPackage,
  'createdAt' | 'lastUpdate' | 'waitingSince' | 'recipientAddress' | 'window' | 'owner'
>;

export interface PackageRow extends PlainFields, DestinationRow {
  owner_id: string;
  createdAt: string | Date;
  lastUpdate: string | Date;
  waitingSince: string | Date | null;
}

export const packageColumns = `id, tracking_id as "trackingId", name, status, location, driver_id as "driverId",
  (select u.name from users u where u.id = driver_id and u.deleted_at is null) as driver, ${destinationColumns('packages')},
  created_at as "createdAt", updated_at as "lastUpdate", case when status = 'processing' then ${waitingSince} end as "waitingSince"`;

const instant = (value: string | Date) => new Date(value).toISOString();

/** Times need converting: JSON built by the database has them in PostgreSQL's notation. */
export const asInventoryPackage = (row: PackageRow): InventoryPackage => ({
  id: row.id,
  trackingId: row.trackingId,
  name: row.name,
  status: row.status,
  location: row.location,
  driverId: row.driverId,
  driver: row.driver,
  ...asDestination(row),
  createdAt: instant(row.createdAt),
  lastUpdate: instant(row.lastUpdate),
  waitingSince: row.waitingSince && instant(row.waitingSince),
});

/** Rolls the appended deltas up into the counts. Safe to run concurrently: each row is moved exactly once. */
export async function rollUpInventory(db: Queryable): Promise<void> {
  await db.query(`
    with moved as (delete from inventory_changes returning *)
    insert into inventory as kept (location, status, packages)
    select location, status, sum(packages) from moved group by location, status order by location, status
    on conflict (location, status) do update set packages = kept.packages + excluded.packages`);
  await db.query('delete from inventory where packages = 0');
}
