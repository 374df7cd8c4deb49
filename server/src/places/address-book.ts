import type { Address, Place } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { addressKey } from './address-key.ts';

export interface Remembered {
  ownerId: string;
  address: Address;
  name: string | null;
  place: Place | null;
}

/**
 * Adds addresses to the address books of their owners, or renews the entries. A place replaces the one that is there, and its absence
 * keeps it. In one order in all transactions, so that none waits for another in a circle.
 */
export async function rememberAddresses(tx: Tx, remembered: Remembered[], at: Date): Promise<void> {
  const entries = new Map(
    remembered.map(({ ownerId, address, name, place }) => {
      const { street, postalCode: postal_code, city, country } = address;
      const key = addressKey(address);
      return [
        `${ownerId} ${key}`,
        { id: uuid(), owner_id: ownerId, name, street, postal_code, city, country, key, ...place },
      ];
    }),
  );
  if (entries.size === 0) return;
  await tx.query(
    `insert into addresses (id, owner_id, name, street, postal_code, city, country, key, place_lon, place_lat, place_accuracy, place_source,
       created_at, used_at)
     select id, owner_id, name, street, postal_code, city, country, key, lon, lat, accuracy, source, $2, $2
     from json_to_recordset($1) as given (id uuid, owner_id uuid, name text, street text, postal_code text, city text, country text, key text,
       lon float8, lat float8, accuracy text, source text)
     order by owner_id, key
     on conflict (owner_id, key) do update set name = coalesce(excluded.name, addresses.name), used_at = excluded.used_at,
       place_lon = coalesce(excluded.place_lon, addresses.place_lon), place_lat = coalesce(excluded.place_lat, addresses.place_lat),
       place_accuracy = coalesce(excluded.place_accuracy, addresses.place_accuracy),
       place_source = coalesce(excluded.place_source, addresses.place_source)`,
    [JSON.stringify([...entries.values()]), at],
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
