import type { Depot, DepotInput, Place } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface DepotRow {
  id: string;
  name: string;
  address_street: string | null;
  address_postal_code: string | null;
  address_city: string | null;
  address_country: string | null;
  place_lon: number | null;
  place_lat: number | null;
  place_accuracy: Place['accuracy'] | null;
  place_source: string | null;
  opens_at: string | null;
  closes_at: string | null;
  time_zone: string;
  version: number;
}

const columns =
  'id, name, address_street, address_postal_code, address_city, address_country, place_lon, place_lat, place_accuracy, place_source, opens_at, closes_at, time_zone, version';

export const asDepot = (row: DepotRow): Depot => ({
  id: row.id,
  name: row.name,
  address:
    row.address_street === null || row.address_city === null
      ? null
      : {
          street: row.address_street,
          postalCode: row.address_postal_code,
          city: row.address_city,
          country: row.address_country,
        },
  place:
    row.place_lon === null || row.place_lat === null || row.place_accuracy === null
      ? null
      : { lon: row.place_lon, lat: row.place_lat, accuracy: row.place_accuracy, source: row.place_source ?? '' },
  opensAt: row.opens_at,
  closesAt: row.closes_at,
  timeZone: row.time_zone,
  version: row.version,
});

/** By name. */
export const listDepotRows = (db: Queryable) =>
  db.query<DepotRow>(`select ${columns} from depots where deleted_at is null order by lower(name), id`);

/** Locks all depots, so that two callers cannot delete the last two at once. */
export const lockDepots = (tx: Tx) =>
  tx.query<DepotRow>(`select ${columns} from depots where deleted_at is null order by id for update`);

/** Guards a depot against its deletion. */
export async function lockDepot(tx: Tx, id: string): Promise<{ name: string } | null> {
  const [row] = await tx.query<{ name: string }>(
    'select name from depots where id = $1 and deleted_at is null for share',
    [id],
  );
  return row ?? null;
}

const valuesOf = (input: DepotInput) => [
  input.name,
  input.address?.street ?? null,
  input.address?.postalCode ?? null,
  input.address?.city ?? null,
  input.address?.country ?? null,
  input.opensAt ?? null,
  input.closesAt ?? null,
  input.timeZone,
  input.place?.lon ?? null,
  input.place?.lat ?? null,
];

export async function insertDepot(tx: Tx, id: string, input: DepotInput, at: Date): Promise<DepotRow | null> {
  const [row] = await tx.query<DepotRow>(
    `insert into depots (id, created_at, updated_at, name, address_street, address_postal_code, address_city, address_country, opens_at,
       closes_at, time_zone, place_lon, place_lat, place_accuracy, place_source)
     values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::float8, $12::float8, case when $11::float8 is not null then 'pin' end,
       case when $11::float8 is not null then 'pin' end)
     returning ${columns}`,
    [id, at, ...valuesOf(input)],
  );
  return row ?? null;
}

export async function setDepot(tx: Tx, id: string, input: DepotInput, at: Date): Promise<DepotRow | null> {
  const [row] = await tx.query<DepotRow>(
    `update depots set updated_at = $2, version = version + 1, name = $3, address_street = $4, address_postal_code = $5, address_city = $6,
       address_country = $7, opens_at = $8, closes_at = $9, time_zone = $10, place_searched_at = null,
       (place_lon, place_lat, place_accuracy, place_source) = (
         select case when is_given then $11::float8 when is_kept then place_lon end,
           case when is_given then $12::float8 when is_kept then place_lat end,
           case when is_given then 'pin' when is_kept then place_accuracy end,
           case when is_given then 'pin' when is_kept then place_source end
         from (select
           $11::float8 is not null and (place_lon, place_lat) is distinct from ($11, $12) as is_given,
           (address_street, address_postal_code, address_city) is not distinct from ($4, $5, $6) as is_kept
         ) of
       )
     where id = $1 returning ${columns}`,
    [id, at, ...valuesOf(input)],
  );
  return row ?? null;
}

/** Whether a route that is not finished begins at the depot. */
export async function isInUse(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query("select from routes where depot_id = $1 and state <> 'finished' limit 1", [id]);
  return rows.length > 0;
}

export async function hideDepot(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query('update depots set deleted_at = $2, updated_at = $2, version = version + 1 where id = $1', [id, at]);
}

/** The id of the depot that the first start creates: several servers that start at once create one. */
const firstDepotId = '00000000-0000-7000-8000-000000000011';

export async function insertFirstDepot(db: Queryable, name: string, timeZone: string, at: Date): Promise<void> {
  await db.query(
    `insert into depots (id, name, time_zone, created_at, updated_at)
     select $1, $2, $3, $4, $4 where not exists (select from depots) on conflict do nothing`,
    [firstDepotId, name, timeZone, at],
  );
}

/** Depots whose address was not looked up in the last hour and has no exact place. Few, so they need no index. */
export const claimDepotsToPlace = (tx: Queryable): Promise<DepotRow[]> =>
  tx.query<DepotRow>(
    `update depots set place_searched_at = now() where deleted_at is null and address_street is not null
       and (place_accuracy is null or place_accuracy = 'town')
       and (place_searched_at is null or place_searched_at < now() - interval '1 hour')
     returning ${columns}`,
  );

/** Unless the depot was changed meanwhile. */
export async function placeDepot(
  tx: Tx,
  { id, version }: Pick<DepotRow, 'id' | 'version'>,
  place: Place,
): Promise<boolean> {
  const rows = await tx.query(
    `update depots set place_lon = $3, place_lat = $4, place_accuracy = $5, place_source = $6 where id = $1 and version = $2 returning id`,
    [id, version, place.lon, place.lat, place.accuracy, place.source],
  );
  return rows.length > 0;
}
