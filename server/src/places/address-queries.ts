import type { BookAddress, BookAddressInput, Place, Position, Suggestion } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { addressKey } from './address-key.ts';

export interface AddressRow {
  id: string;
  name: string | null;
  street: string;
  postal_code: string | null;
  city: string;
  country: string | null;
  place_lon: number | null;
  place_lat: number | null;
  place_accuracy: Place['accuracy'] | null;
  place_source: string | null;
  used_at: Date;
}

const columns =
  'id, name, street, postal_code, city, country, place_lon, place_lat, place_accuracy, place_source, used_at';

const placeOf = (row: AddressRow): Place | null =>
  row.place_lon === null || row.place_lat === null || row.place_accuracy === null
    ? null
    : { lon: row.place_lon, lat: row.place_lat, accuracy: row.place_accuracy, source: row.place_source ?? '' };

export const asBookAddress = (row: AddressRow): BookAddress => ({
  id: row.id,
  name: row.name,
  street: row.street,
  postalCode: row.postal_code,
  city: row.city,
  country: row.country,
  place: placeOf(row),
  usedAt: row.used_at.toISOString(),
});

export const asSuggestion = (row: AddressRow): Suggestion => ({
  name: row.name,
  street: row.street,
  postalCode: row.postal_code,
  city: row.city,
  country: row.country,
  place: placeOf(row),
});

/** What a search looks in. */
export const searchedAddress =
  "lower(coalesce(name, '') || ' ' || street || ' ' || coalesce(postal_code, '') || ' ' || city)";

export const listAddressRows = (db: Queryable, page: string, values: unknown[]) =>
  db.query<AddressRow>(`select ${columns} from addresses ${page}`, values);

const valuesOf = (input: BookAddressInput) => {
  const address = { ...input, postalCode: input.postalCode ?? null };
  return [
    input.name ?? null,
    input.street,
    address.postalCode,
    input.city,
    input.country ?? null,
    addressKey(address),
    input.place?.lon ?? null,
    input.place?.lat ?? null,
  ];
};

export async function countAddresses(tx: Tx, ownerId: string): Promise<number> {
  const [row] = await tx.query<{ total: string }>('select count(*) as total from addresses where owner_id = $1', [
    ownerId,
  ]);
  return Number(row?.total ?? 0);
}

/** @throws a violation of `addresses_key` for an address that the book has */
export async function insertAddress(
  tx: Tx,
  of: { id: string; ownerId: string; at: Date },
  input: BookAddressInput,
): Promise<AddressRow | null> {
  const [row] = await tx.query<AddressRow>(
    `insert into addresses (id, owner_id, created_at, used_at, name, street, postal_code, city, country, key, place_lon, place_lat,
       place_accuracy, place_source)
     values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10::float8, $11::float8, case when $10::float8 is not null then 'pin' end,
       case when $10::float8 is not null then 'pin' end)
     returning ${columns}`,
    [of.id, of.ownerId, of.at, ...valuesOf(input)],
  );
  return row ?? null;
}

/** @returns null without this entry in the owner's book */
export async function setAddress(
  tx: Tx,
  of: { id: string; ownerId: string; at: Date },
  input: BookAddressInput,
): Promise<AddressRow | null> {
  const isKept = 'addresses.key = $9';
  const isGiven = '$10::float8 is not null and (place_lon, place_lat) is distinct from ($10, $11)';
  const [row] = await tx.query<AddressRow>(
    `update addresses set used_at = $3, name = $4, street = $5, postal_code = $6, city = $7, country = $8, key = $9,
       place_lon = case when ${isGiven} then $10 when ${isKept} then place_lon end,
       place_lat = case when ${isGiven} then $11 when ${isKept} then place_lat end,
       place_accuracy = case when ${isGiven} then 'pin' when ${isKept} then place_accuracy end,
       place_source = case when ${isGiven} then 'pin' when ${isKept} then place_source end
     where id = $1 and owner_id = $2 returning ${columns}`,
    [of.id, of.ownerId, of.at, ...valuesOf(input)],
  );
  return row ?? null;
}

export async function deleteAddress(tx: Tx, id: string, ownerId: string): Promise<boolean> {
  const rows = await tx.query('delete from addresses where id = $1 and owner_id = $2 returning id', [id, ownerId]);
  return rows.length > 0;
}

interface GazetteerRow {
  street: string;
  postal_code: string | null;
  city: string;
  country: string | null;
  lon: number;
  lat: number;
  accuracy: Place['accuracy'];
  source: string;
}

const gazetteerColumns = 'street, postal_code, city, country, lon, lat, accuracy, source';

const asKnown = ({ street, postal_code: postalCode, city, country, ...place }: GazetteerRow): Suggestion => ({
  name: null,
  street,
  postalCode,
  city,
  country,
  place,
});

/** @param pattern of `like`, in lower case */
export const searchGazetteer = async (db: Queryable, pattern: string, limit: number): Promise<Suggestion[]> =>
  (
    await db.query<GazetteerRow>(
      `select ${gazetteerColumns} from gazetteer where lower(street || ' ' || city) like $1 order by length(street), street, key limit $2`,
      [pattern, limit],
    )
  ).map(asKnown);

export async function nearestInGazetteer(db: Queryable, { lon, lat }: Position): Promise<Suggestion | null> {
  const [row] = await db.query<GazetteerRow>(
    `select ${gazetteerColumns} from gazetteer order by point(lon, lat) <-> point($1, $2) limit 1`,
    [lon, lat],
  );
  return row ? asKnown(row) : null;
}

/** The places of these keys. */
export const findInGazetteer = (db: Queryable, keys: string[]): Promise<(GazetteerRow & { key: string })[]> =>
  db.query<GazetteerRow & { key: string }>(`select key, ${gazetteerColumns} from gazetteer where key = any($1)`, [
    keys,
  ]);
