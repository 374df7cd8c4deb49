import { goesTo } from '../places/going-to.ts';
import type { Point } from '../travel/estimate.ts';
import type { Queryable } from '../platform/database/db.ts';

interface PlaceRow {
  id: string;
  lon: number;
  lat: number;
}

/** Nobody is sent to the middle of a town: it counts as no place. */
const isExact = "place_lon is not null and place_lat is not null and place_accuracy <> 'town'";

const byId = (rows: PlaceRow[]): Map<string, Point> => new Map(rows.map(({ id, lon, lat }) => [id, { lon, lat }]));

/** Where these packages go, as far as that is known well enough to drive there. */
export const findStopPlaces = async (db: Queryable, ids: string[]): Promise<Map<string, Point>> =>
  byId(
    await db.query<PlaceRow>(
      `select id, lon, lat from (
         select p.id, ${goesTo('p', 'lon')} as lon, ${goesTo('p', 'lat')} as lat from packages p where p.id = any($1::uuid[])
       ) going where lon is not null and lat is not null`,
      [ids],
    ),
  );

export const findDepotPlace = async (db: Queryable, depotId: string): Promise<Point | null> => {
  const rows = await db.query<PlaceRow>(
    `select id, place_lon as lon, place_lat as lat from depots where id = $1 and ${isExact}`,
    [depotId],
  );
  return byId(rows).get(depotId) ?? null;
};
