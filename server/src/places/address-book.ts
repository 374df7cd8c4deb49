import type { Address, Place } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { addressKey } from './address-key.ts';

/**
 * Adds an address to the address book of an owner, or renews its entry. A place replaces the one that is there, and its absence keeps it.
 */
export async function rememberAddress(
  tx: Tx,
  ownerId: string,
  { address, name, place }: { address: Address; name: string | null; place: Place | null },
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into addresses (id, owner_id, name, street, postal_code, city, country, key, place_lon, place_lat, place_accuracy, place_source,
       created_at, used_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
     on conflict (owner_id, key) do update set name = coalesce(excluded.name, addresses.name), used_at = excluded.used_at,
       place_lon = coalesce(excluded.place_lon, addresses.place_lon), place_lat = coalesce(excluded.place_lat, addresses.place_lat),
       place_accuracy = coalesce(excluded.place_accuracy, addresses.place_accuracy),
       place_source = coalesce(excluded.place_source, addresses.place_source)`,
    [
      uuid(),
      ownerId,
      name,
      address.street,
      address.postalCode,
      address.city,
      address.country,
      addressKey(address),
      place?.lon ?? null,
      place?.lat ?? null,
      place?.accuracy ?? null,
      place?.source ?? null,
      at,
    ],
  );
}

export interface OwnedAddress {
  /** Null for what has no owner, such as a depot. */
  ownerId: string | null;
  address: Address;
}

/** The place that the address book of its owner has for each address; null for those without one. */
export async function placesInBooks(db: Queryable, wanted: OwnedAddress[]): Promise<(Place | null)[]> {
  const keyed = wanted.map(({ ownerId, address }) => ({ owner_id: ownerId, key: addressKey(address) }));
  const rows = await db.query<{
    owner_id: string;
    key: string;
    lon: number | null;
    lat: number | null;
    accuracy: Place['accuracy'] | null;
  }>(
    `select owner_id, key, place_lon as lon, place_lat as lat, place_accuracy as accuracy
     from json_to_recordset($1) as wanted (owner_id uuid, key text) join addresses using (owner_id, key)
     where place_accuracy <> 'town'`,
    [JSON.stringify(keyed)],
  );
  const found = new Map(rows.map((row) => [`${row.owner_id} ${row.key}`, row]));
  return keyed.map(({ owner_id: ownerId, key }) => {
    const row = found.get(`${ownerId} ${key}`);
    if (!row || row.lon === null || row.lat === null || row.accuracy === null) return null;
    return { lon: row.lon, lat: row.lat, accuracy: row.accuracy, source: 'address book' };
  });
}
