import type { MapQuery, MappedPackage, PackageStatus, Place, Position } from '@waybill/contract';
import { isReturning } from '../places/going-to.ts';
import type { Queryable } from '../platform/database/db.ts';

/** SQL: a place in metres of the Web Mercator projection. Word for word as in the index `packages_shown_on_map`, which has all columns that are shown. */
const mercator = (lon: string, lat: string) => `point(${lon} * 111319.49079327358,
  6378137 * ln(tan(radians(45 + least(greatest(${lat}, -85.0511), 85.0511) / 2))))`;
/** What goes back is where it goes. */
const isMapped = `status in ('processing', 'in transit', 'out for delivery') and place_lon is not null and place_lat is not null
  and id not in (select p.id from packages p where ${isReturning('p')})`;
const columns =
  'id, tracking_id, status, driver_id, route_id, place_lon as lon, place_lat as lat, place_accuracy as accuracy';
const returning = `(select p.id, p.tracking_id, p.status, p.driver_id, p.route_id, u.return_lon as lon, u.return_lat as lat, u.return_accuracy as accuracy
  from packages p join users u on u.id = p.owner_id where ${isReturning('p')} and u.return_lon is not null and u.return_lat is not null) returning_packages`;

const box = `box(${mercator('$1::float8', '$2::float8')}, ${mercator('$3::float8', '$4::float8')})`;

/** More are no points on a map any more. */
const maxShown = 5000;
const maxNearest = 20;

interface MappedRow extends Position {
  id: string;
  tracking_id: string;
  status: PackageStatus;
  driver_id: string | null;
  route_id: string | null;
  accuracy: Place['accuracy'] | null;
}

const asMapped = (row: MappedRow): MappedPackage => ({
  id: row.id,
  trackingId: row.tracking_id,
  status: row.status,
  driverId: row.driver_id,
  routeId: row.route_id,
  lon: row.lon,
  lat: row.lat,
  accuracy: row.accuracy ?? 'pin',
});

/** The unfinished packages in a part of the map, in any order; or those nearest to a place, the nearest first. */
export async function findOnMap(
  db: Queryable,
  { bbox, near }: MapQuery,
): Promise<{ packages: MappedPackage[]; more: boolean }> {
  if (near) {
    const rows = await db.query<MappedRow>(
      `select * from (
         (select ${columns} from packages where ${isMapped}
          order by ${mercator('place_lon', 'place_lat')} <-> ${mercator('$1::float8', '$2::float8')} limit ${maxNearest})
         union all select * from ${returning}
       ) nearest order by ${mercator('lon', 'lat')} <-> ${mercator('$1::float8', '$2::float8')} limit ${maxNearest}`,
      [near.lon, near.lat],
    );
    return { packages: rows.map(asMapped), more: false };
  }
  const rows = await db.query<MappedRow>(
    `select ${columns} from packages where ${isMapped} and ${mercator('place_lon', 'place_lat')} <@ ${box}
     union all select * from ${returning} where ${mercator('lon', 'lat')} <@ ${box} limit ${maxShown + 1}`,
    bbox ?? [0, 0, 0, 0],
  );
  return { packages: rows.slice(0, maxShown).map(asMapped), more: rows.length > maxShown };
}
