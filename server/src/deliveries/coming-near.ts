import type { Ctx } from '../ctx.ts';
import { deferOthers } from '../packages/next-stop.ts';
import { lockOnRound } from '../packages/on-routes.ts';
import { recordPackages } from '../packages/package-event.ts';
import { changePackages } from '../packages/transitions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { findTracks, lockConsent } from '../positions/tracks.ts';
import { staysAt, type Door } from '../travel/coming-near.ts';

/** An older position does not say where the driver is. */
const freshMs = 15 * 60_000;
/** In degrees of latitude, some 300 m: drivers who are farther away are not looked at. */
const around = 0.003;

/** A next stop whose driver is not far. */
interface NearRow {
  id: string;
  version: number;
  driver_id: string;
  lon: number;
  lat: number;
  accuracy: Door['accuracy'];
  /** When it became the next stop: who was there before that was at another door. */
  since: Date;
}

/**
 * The next stops whose drivers are near by their last position. Without those whose driver is at another door, and those whose arrival the driver has taken back. $1: the oldest position that counts.
 */
const findNear = (db: Queryable, from: Date): Promise<NearRow[]> =>
  db.query<NearRow>(
    `select p.id, p.version, l.driver_id, there.lon, there.lat, there.accuracy, became.next_at as since
     from driver_positions l
     join position_consents c on c.user_id = l.driver_id
     join users u on u.id = l.driver_id and u.role = 'driver' and u.status = 'active' and u.deleted_at is null
     join packages p on p.driver_id = l.driver_id and p.status = 'out for delivery'
     left join users sender on sender.id = p.owner_id and p.return_due
     cross join lateral (
       select case when p.return_due then sender.return_lon else p.place_lon end as lon, case when p.return_due then sender.return_lat else p.place_lat end as lat,
         case when p.return_due then sender.return_accuracy else p.place_accuracy end as accuracy
     ) there
     cross join lateral (
       select max(e.at) filter (where e.type <> 'delivery.arrival-retracted') as next_at,
         coalesce(bool_or(e.type = 'delivery.arrival-retracted'), false) as retracted
       from package_events e
       where e.package_id = p.id and e.at >= p.started_at
         and e.type in ('delivery.started', 'delivery.assigned', 'delivery.next', 'delivery.arrival-retracted')
     ) became
     where l.at >= $1 and there.lon is not null and there.lat is not null and there.accuracy is not null and (p.arrived_at >= p.started_at) is not true
       and abs(l.lat - there.lat) < $2 and abs(l.lon - there.lon) * cos(radians(there.lat)) < $2
       and became.next_at is not null and not became.retracted
       and not exists (
         select from packages o where o.driver_id = l.driver_id and o.status = 'out for delivery' and o.arrived_at >= o.started_at)
     order by p.id`,
    [from, around],
  );

/**
 * Takes the arrival at the next stop from the driver's own positions: from coming near and staying. The driver can take it back
 * (`retract`), after which their position says nothing about it. Idempotent.
 * @returns the number of arrivals
 */
export async function noticeArrivals(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const now = ctx.now();
  const near = await findNear(ctx.db, new Date(now.getTime() - freshMs));
  const tracks = await findTracks(
    ctx.db,
    near.map(({ driver_id: driverId, since }) => ({ driverId, from: since, to: now })),
  );
  let count = 0;
  for (const [index, stop] of near.entries()) {
    const [stay] = staysAt(tracks[index] ?? [], stop);
    if (stay && (await arriveBy(ctx, stop, new Date(stay.from)))) count++;
  }
  return count;
}

/** @returns whether the driver arrived by it: not if the stop has changed meanwhile */
const arriveBy = (ctx: Pick<Ctx, 'db' | 'now'>, stop: NearRow, at: Date): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockOnRound(tx, [stop.id]);
    const pkg = locked.get(stop.id);
    if (pkg?.version !== stop.version || !(await lockConsent(tx, stop.driver_id))) return false;
    // Nobody pressed anything.
    const actorId = null;
    await deferOthers(ctx, tx, [{ pkg, kind: 'arrive', actorId }], locked.values());
    const changed = await changePackages(ctx, tx, [{ pkg, to: { kind: 'arrive', at }, actorId }]);
    await recordPackages(
      tx,
      changed.map(({ event }) => event),
    );
    return true;
  });
