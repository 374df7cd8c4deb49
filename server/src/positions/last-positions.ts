import type { Queryable } from '../platform/database/db.ts';
import { instant } from '../platform/database/json-text.ts';

/** An older position misleads whoever waits. */
const publicMs = 15 * 60_000;

/** The time since which positions are shown to the public. */
export const publicSince = (now: Date): Date => new Date(now.getTime() - publicMs);

/** SQL: a row of `driver_positions` in JSON as the public may know it, no more exact than about 100 m. */
const publicJson = (position: string) =>
  `concat('{"lon":', round(${position}.lon::numeric, 3)::float8, ',"lat":', round(${position}.lat::numeric, 3)::float8, ',"at":"', ${instant(`date_trunc('milliseconds', ${position}.at)`)}, '"}')`;

/**
 * SQL of the position of the driver of a route, as JSON that the public may see at the next stop: null while the driver is on the way to a
 * package of no route, or of another one.
 * @param position a row of `driver_positions` whose driver has agreed
 * @param route a row of `routes`
 */
export const publicPositionOnRoute = (position: string, route: string): string => `
  case when ${position}.driver_id is not null and not exists (
    select from packages o where o.driver_id = ${route}.driver_id and o.status = 'out for delivery' and o.route_id is distinct from ${route}.id
  ) then ${publicJson(position)} end`;

/**
 * Where the drivers of these packages are, as the public may know it: only while a package is the next stop. Without a route a driver may
 * have several packages out for delivery; then it is not known which is the next. Of stops on started routes, `findRounds` tells the same.
 * Read with each answer, so that nothing of it is left when the stop is done, the consent taken back or the driver suspended.
 * @returns JSON by package
 */
export async function findPublicPositions(
  db: Queryable,
  packageIds: readonly string[],
  now: Date,
): Promise<Map<string, string>> {
  if (packageIds.length === 0) return new Map();
  const rows = await db.query<{ id: string; position: string }>(
    `select p.id, ${publicJson('l')} as position
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
  return new Map(rows.map(({ id, position }) => [id, position]));
}
