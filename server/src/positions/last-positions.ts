import type { Queryable } from '../platform/database/db.ts';

/** Where a driver was last. */
export interface LastPosition {
  lon: number;
  lat: number;
  at: Date;
}

/** An older position misleads whoever waits. */
const publicMs = 15 * 60_000;

/** The time since which positions are shown to the public. */
export const publicSince = (now: Date): Date => new Date(now.getTime() - publicMs);

interface PublicRow extends LastPosition {
  id: string;
}

/**
 * Where the drivers of these packages are, as the public may know it: only while a package is the next stop, and never more exact than about
 * 100 m. Without a route a driver may have several packages out for delivery; then it is not known which is the next.
 * Read with each answer, so that nothing of it is left when the stop is done, the consent taken back or the driver suspended.
 */
export async function findPublicPositions(
  db: Queryable,
  packageIds: readonly string[],
  now: Date,
): Promise<Map<string, LastPosition>> {
  if (packageIds.length === 0) return new Map();
  const rows = await db.query<PublicRow>(
    `select p.id, round(l.lon::numeric, 3)::float8 as lon, round(l.lat::numeric, 3)::float8 as lat, l.at
     from packages p
     join driver_positions l on l.driver_id = p.driver_id
     join position_consents c on c.user_id = l.driver_id
     join users u on u.id = p.driver_id and u.role = 'driver' and u.status = 'active' and u.deleted_at is null
     where p.id = any($1::uuid[]) and p.status = 'out for delivery' and l.at >= $2
       and not exists (
         select from packages o where o.driver_id = p.driver_id and o.status = 'out for delivery' and o.id <> p.id
           and (p.route_id is null or o.route_id is distinct from p.route_id))`,
    [packageIds, publicSince(now)],
  );
  return new Map(rows.map(({ id, ...position }) => [id, position]));
}
