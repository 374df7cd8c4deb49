import type { Colleague, OfferState } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface OfferRow {
  id: string;
  route_id: string;
  from_driver_id: string;
  from_name: string | null;
  to_driver_id: string;
  to_name: string | null;
  package_ids: string[];
  /** As stored: an open one may have expired. */
  state: OfferState;
  created_at: Date;
  expires_at: Date;
}

const offerColumns = `o.id, o.route_id, o.from_driver_id, o.to_driver_id, o.package_ids, o.state, o.created_at, o.expires_at,
  (select u.name from users u where u.id = o.from_driver_id and u.deleted_at is null) as from_name,
  (select u.name from users u where u.id = o.to_driver_id and u.deleted_at is null) as to_name`;

/** The open offers to and from a driver, and those of the driver's started route that nobody has answered lately. */
export const findOffersOf = (db: Queryable, driverId: string, now: Date) =>
  db.query<OfferRow>(
    `select * from (
       select ${offerColumns} from route_offers o
       where o.state = 'open' and o.expires_at > $2 and (o.to_driver_id = $1 or o.from_driver_id = $1)
       union all
       select ${offerColumns} from route_offers o
       where o.route_id in (select id from routes where driver_id = $1 and state = 'started') and o.from_driver_id = $1
         and o.state = 'expired' and o.expires_at > $2::timestamptz - interval '1 hour'
     ) offers order by id`,
    [driverId, now],
  );

/** The open offers of all drivers: an offer is open for minutes, so they are few. */
export const findAllOpenOffers = (db: Queryable, now: Date) =>
  db.query<OfferRow>(
    `select ${offerColumns} from route_offers o where o.state = 'open' and o.expires_at > $1 order by o.id limit 200`,
    [now],
  );

/** The active drivers of the other started routes, by name; none for whom has no started route. */
export const findColleagues = (db: Queryable, driverId: string) =>
  db.query<Colleague>(
    `select u.id, u.name from routes r join users u on u.id = r.driver_id
     where r.state = 'started' and r.driver_id <> $1 and u.status = 'active' and u.deleted_at is null
       and exists (select from routes own where own.driver_id = $1 and own.state = 'started')
     order by u.name, u.id limit 500`,
    [driverId],
  );

export async function findOffer(db: Queryable, id: string): Promise<OfferRow | null> {
  const [row] = await db.query<OfferRow>(`select ${offerColumns} from route_offers o where o.id = $1`, [id]);
  return row ?? null;
}

/** Locks an offer. Offers are locked before routes. */
export async function lockOffer(tx: Tx, id: string): Promise<OfferRow | null> {
  const [row] = await tx.query<OfferRow>(`select ${offerColumns} from route_offers o where o.id = $1 for update of o`, [
    id,
  ]);
  return row ?? null;
}

/** Locks offers that have run out, with those of their stops that the offering driver still has to deliver. */
export const lockExpiredOffers = (tx: Tx, now: Date, limit: number) =>
  tx.query<OfferRow & { carried: string[] }>(
    `select ${offerColumns}, array(
       select p.id from packages p
       where p.id = any(o.package_ids) and p.route_id = o.route_id and p.status in ('in transit', 'out for delivery')) as carried
     from route_offers o where o.state = 'open' and o.expires_at <= $1
     order by o.expires_at limit $2 for update of o skip locked`,
    [now, limit],
  );

/** Which of these packages are in an open offer of the route. */
export async function findOffered(tx: Tx, routeId: string, packageIds: string[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select unnest(package_ids) as id from route_offers
     where route_id = $1 and state = 'open' and expires_at > $3 and package_ids && $2::uuid[]`,
    [routeId, packageIds, now],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface NewOffer {
  id: string;
  routeId: string;
  fromDriverId: string;
  toDriverId: string;
  packageIds: string[];
  createdAt: Date;
  expiresAt: Date;
}

export async function insertOffer(tx: Tx, offer: NewOffer): Promise<void> {
  await tx.query(
    `insert into route_offers (id, route_id, from_driver_id, to_driver_id, package_ids, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [offer.id, offer.routeId, offer.fromDriverId, offer.toDriverId, offer.packageIds, offer.createdAt, offer.expiresAt],
  );
}

export async function setOfferState(tx: Tx, id: string, state: OfferState): Promise<void> {
  await tx.query('update route_offers set state = $2 where id = $1', [id, state]);
}

/** The route that the driver has started. */
export async function findStartedRoute(tx: Tx, driverId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>("select id from routes where driver_id = $1 and state = 'started'", [
    driverId,
  ]);
  return row?.id ?? null;
}
