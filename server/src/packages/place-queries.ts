import type { Address, Place } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { isReturning } from '../places/going-to.ts';
import type { AddressColumns, PackageRow } from './row.ts';
import { packageUpdate } from './store.ts';

const placeSet = { place_lon: '$2', place_lat: '$3', place_accuracy: '$4', place_source: '$5' };

export async function storePlace(
  tx: Tx,
  id: string,
  { lon, lat, accuracy, source }: Place,
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(packageUpdate({ where: 'id = $1', set: placeSet }), [
    id,
    lon,
    lat,
    accuracy,
    source,
  ]);
  return row ?? null;
}

/** Nothing needs to be looked up for the package any more. */
export async function forgetSearch(tx: Tx, packageId: string): Promise<void> {
  await tx.query('delete from place_searches where package_id = $1', [packageId]);
}

/** The other packages of the owner to this address are looked up once more: the address book has its place now. */
export async function searchAgain(tx: Tx, ownerId: string, { street, postalCode, city }: Address): Promise<void> {
  await tx.query(
    `update place_searches set due_at = now(), attempts = 0
     where due_at is null and package_id in (
       select id from packages where owner_id = $1 and address_street = $2 and address_city = $3
         and address_postal_code is not distinct from $4 and status in ('processing', 'in transit', 'out for delivery'))`,
    [ownerId, street, city, postalCode],
  );
  await tx.query('update users set return_searched_at = null where id = $1 and return_searched_at is not null', [
    ownerId,
  ]);
}

/** More addresses are known: all that waits for a pin is looked up once more. */
export async function searchAllAgain(db: Queryable): Promise<void> {
  await db.query('update place_searches set due_at = now(), attempts = 0 where due_at is null');
  await db.query('update users set return_searched_at = null where return_searched_at is not null');
}

export interface SoughtReturn extends AddressColumns {
  id: string;
}

/**
 * Owners to whom something goes back, and whose return address was not looked up in the last hour and has no exact place. Taken for two
 * minutes: then they are looked up again, unless that was settled.
 */
export const claimReturns = (db: Queryable, limit: number): Promise<SoughtReturn[]> =>
  db.query<SoughtReturn>(
    `update users set return_searched_at = now() - interval '58 minutes' where id = any(array(
       select sender.id from users sender where sender.id in (select p.owner_id from packages p where ${isReturning('p')})
         and sender.return_street is not null and (sender.return_accuracy is null or sender.return_accuracy = 'town')
         and (sender.return_searched_at is null or sender.return_searched_at < now() - interval '1 hour') limit $1 for update skip locked
     )) returning id, return_street as address_street, return_postal_code as address_postal_code, return_city as address_city,
       return_country as address_country`,
    [limit],
  );

/**
 * Says when they are looked up again: in a minute where the geocoder did not answer, else in an hour. A return address that is another one
 * meanwhile is looked up at once.
 */
export const settleReturns = (db: Queryable, unanswered: string[], answered: string[]): Promise<unknown> =>
  db.query(
    `update users set return_searched_at = case when id = any($1::uuid[]) then now() - interval '59 minutes' else now() end
     where id = any($1::uuid[] || $2::uuid[]) and return_searched_at is not null`,
    [unanswered, answered],
  );

/**
 * Stores where an owner's return address is, unless it is another one meanwhile.
 * @param isFound by a search, which replaces no exact place
 * @returns what goes back there
 */
export async function storeReturnPlace(
  tx: Tx,
  ownerId: string,
  { street, postalCode, city }: Address,
  { lon, lat, accuracy, source }: Place,
  isFound: boolean,
): Promise<PlacedPackage[]> {
  const changed = await tx.query(
    `update users set return_lon = $5, return_lat = $6, return_accuracy = $7, return_source = $8
     where id = $1 and (return_street, return_city) = ($2, $4) and return_postal_code is not distinct from $3
       and (not $9 or return_accuracy is null or (return_accuracy = 'town' and $7 <> 'town')) returning id`,
    [ownerId, street, postalCode, city, lon, lat, accuracy, source, isFound],
  );
  if (changed.length === 0) return [];
  return tx.query<PlacedPackage>(
    `select p.id, p.owner_id, p.driver_id, p.status, p.location from packages p where p.owner_id = $1 and ${isReturning('p')}`,
    [ownerId],
  );
}

export interface DueSearch {
  package_id: string;
  attempts: number;
}

/** Takes searches that are due for `leaseSeconds`; then they are due again, unless they were finished. */
export const claimSearches = (db: Queryable, limit: number, leaseSeconds: number): Promise<DueSearch[]> =>
  db.query<DueSearch>(
    `update place_searches set attempts = attempts + 1, due_at = now() + make_interval(secs => $2)
     where package_id = any(array(
       select package_id from place_searches where due_at <= now() order by due_at limit $1 for update skip locked
     )) returning package_id, attempts`,
    [limit, leaseSeconds],
  );

export interface SoughtPackage extends AddressColumns {
  id: string;
  owner_id: string;
}

/** Those that still need a place. */
export const findSought = (db: Queryable, ids: string[]): Promise<SoughtPackage[]> =>
  db.query<SoughtPackage>(
    `select id, owner_id, address_street, address_postal_code, address_city, address_country from packages
     where id = any($1) and address_street is not null and (place_accuracy is null or place_accuracy = 'town')
       and status in ('processing', 'in transit', 'out for delivery')`,
    [ids],
  );

export interface FoundPlace extends Place {
  id: string;
  street: string;
  postal_code: string | null;
  city: string;
}

export interface PlacedPackage {
  id: string;
  owner_id: string;
  driver_id: string | null;
  status: PackageRow['status'];
  location: string | null;
}

/** Stores what was found, unless the address is another one meanwhile, somebody set a pin, or somebody changes the package just now. */
export async function storeFound(tx: Tx, found: FoundPlace[]): Promise<PlacedPackage[]> {
  const free = await tx.query<{ id: string }>(
    'select id from packages where id = any($1) order by id for no key update skip locked',
    [found.map(({ id }) => id)],
  );
  const ids = new Set(free.map(({ id }) => id));
  return tx.query<PlacedPackage>(
    packageUpdate({
      given:
        'given_id uuid, street text, postal_code text, city text, lon float8, lat float8, accuracy text, source text',
      where: `id = given_id and (address_street, address_postal_code, address_city) is not distinct from (street, postal_code, city)
        and (place_accuracy is null or place_accuracy = 'town')`,
      set: { place_lon: 'lon', place_lat: 'lat', place_accuracy: 'accuracy', place_source: 'source' },
      returning: 'id, owner_id, driver_id, status, location',
    }),
    [JSON.stringify(found.filter(({ id }) => ids.has(id)).map(({ id, ...place }) => ({ given_id: id, ...place })))],
  );
}

export async function endSearches(tx: Tx, packageIds: string[]): Promise<void> {
  await tx.query('delete from place_searches where package_id = any($1)', [packageIds]);
}

/** Nothing more exact can be found: these wait for a pin. An edit makes them due again. */
export async function settleSearches(tx: Tx, due: DueSearch[]): Promise<void> {
  await tx.query(
    `update place_searches s set due_at = null from json_to_recordset($1) as settled (package_id uuid, attempts integer)
     where s.package_id = settled.package_id and s.attempts = settled.attempts`,
    [JSON.stringify(due)],
  );
}

/** What waits for a pin of a package that is done. */
export const removeObsoleteSearches = (db: Queryable): Promise<unknown> =>
  db.query(
    `delete from place_searches where due_at is null and package_id in (
       select id from packages where id = package_id and status in ('delivered', 'cancelled', 'inactive'))`,
  );

/** Tries again later. */
export async function postponeSearches(tx: Tx, packageIds: string[], seconds: number): Promise<void> {
  await tx.query('update place_searches set due_at = now() + make_interval(secs => $2) where package_id = any($1)', [
    packageIds,
    seconds,
  ]);
}
