import type { DevicePosition } from '@waybill/contract';
import { logRouteChanges, startedRoutesOf } from '../events/route-changes.ts';
import { goesTo } from '../places/going-to.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

/** What a driver's phone reports. */
export interface Report {
  driverId: string;
  points: readonly DevicePosition[];
}

export interface ReportRow {
  driver_id: string;
  /** Whether the driver has agreed. */
  agreed: boolean;
  /** Whether the driver works at present. */
  works: boolean;
  accepted: number;
  late: number;
}

/** SQL conditions on a driver `driver`; $2 is the present time. */
const carries = (driver: string) =>
  `exists (select from packages p where p.driver_id = ${driver} and p.status in ('in transit', 'out for delivery'))`;
const isWorked = `not exists (
  select from absences a where a.driver_id = s.driver_id and a.starts_at <= s.starts_at and s.starts_at < a.ends_at)`;
const isOnDuty = (driver: string) =>
  `exists (select from shifts s where s.driver_id = ${driver} and tstzrange(s.starts_at, s.ends_at) @> $2::timestamptz and ${isWorked})`;

/**
 * Stores points of some drivers, and moves each to the newest, in one statement. $1: the drivers; $2: now; $3 and $4: the bounds of
 * times that are believed; $5 to $11: the columns of the points.
 *
 * Points of a driver who has gone off duty count if they are from a shift or a route: a phone without a network sends them later. The lock
 * on the consent makes whoever takes it back wait, so that nothing is stored after that. Rows are locked in the order of the drivers.
 */
const reportSql = `
  with consent as (
    select user_id as driver_id, agreed_at from position_consents where user_id = any($1::uuid[]) order by user_id for key share
  ), terms as (
    select driver_id, agreed_at, ${carries('consent.driver_id')} or ${isOnDuty('consent.driver_id')} as works from consent
  ), given as (
    select * from unnest($5::uuid[], $6::timestamptz[], $7::float8[], $8::float8[], $9::real[], $10::real[], $11::real[])
      as point (driver_id, at, lon, lat, accuracy, speed, heading)
  ), believed as (
    select given.* from given join terms using (driver_id) where at >= $3::timestamptz and at <= $4::timestamptz and at >= agreed_at
      and (works
        or exists (select from shifts s where s.driver_id = given.driver_id and tstzrange(s.starts_at, s.ends_at) @> at and ${isWorked})
        or exists (select from routes r where r.driver_id = given.driver_id and r.started_at <= at and r.finished_at >= at))
  ), before as (
    select driver_id, at from driver_positions where driver_id = any($1::uuid[])
  ), kept as (
    insert into positions (driver_id, at, lon, lat, accuracy, speed, heading)
    select driver_id, at, lon, lat, accuracy, speed, heading from believed on conflict do nothing
  ), moved as (
    insert into driver_positions (driver_id, at, lon, lat, accuracy, speed, heading)
    select distinct on (driver_id) driver_id, at, lon, lat, accuracy, speed, heading from believed order by driver_id, at desc, lon, lat
    on conflict (driver_id) do update set at = excluded.at, lon = excluded.lon, lat = excluded.lat, accuracy = excluded.accuracy,
      speed = excluded.speed, heading = excluded.heading
    where excluded.at > driver_positions.at
    returning driver_id
  ), to_routes as (
    ${logRouteChanges(startedRoutesOf('select driver_id from moved'))}
  ), counted as (
    select believed.driver_id, (count(*) filter (where before.at is null or believed.at > before.at))::integer as accepted,
      (count(*) filter (where believed.at <= before.at))::integer as late
    from believed left join before using (driver_id) group by 1
  )
  select driver.id as driver_id, terms.driver_id is not null as agreed, coalesce(terms.works, false) as works,
    coalesce(counted.accepted, 0) as accepted, coalesce(counted.late, 0) as late
  from unnest($1::uuid[]) as driver (id) left join terms on terms.driver_id = driver.id left join counted on counted.driver_id = driver.id`;

/** The values of a column as PostgreSQL writes arrays. Numbers, ids and checked times need no quotes; the driver of the database looks at each character. */
const arrayOf = (values: readonly (string | number | null)[]) =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;

/** @param reports of different drivers. @returns a row of each, in any order */
export async function insertPositions(
  db: Queryable,
  reports: readonly Report[],
  { now, from, to }: { now: Date; from: Date; to: Date },
): Promise<ReportRow[]> {
  const points = reports.flatMap(({ driverId, points }) => points.map((point) => ({ ...point, driverId })));
  const column = (valueOf: (point: (typeof points)[number]) => string | number | null) => arrayOf(points.map(valueOf));
  return db.query<ReportRow>(reportSql, [
    reports.map(({ driverId }) => driverId),
    now,
    from,
    to,
    column(({ driverId }) => driverId),
    column(({ at }) => at),
    column(({ lon }) => lon),
    column(({ lat }) => lat),
    column(({ accuracy }) => accuracy ?? null),
    column(({ speed }) => speed ?? null),
    column(({ heading }) => heading ?? null),
  ]);
}

export interface LastRow {
  driver_id: string;
  name: string;
  at: Date;
  lon: number;
  lat: number;
  accuracy: number | null;
  speed: number | null;
  heading: number | null;
  carrying: number;
  route_id: string | null;
  next_id: string | null;
  next_tracking_id: string | null;
  next_name: string | null;
}

/** The last positions of drivers who have agreed and work at present, by name. $1: the oldest that is shown; $2: now. */
export const listLastPositions = (db: Queryable, from: Date, now: Date): Promise<LastRow[]> =>
  db.query<LastRow>(
    `select l.driver_id, u.name, l.at, l.lon, l.lat, l.accuracy, l.speed, l.heading, carried.carrying, route.id as route_id,
       next.id as next_id, next.tracking_id as next_tracking_id, next.name as next_name
     from driver_positions l
     join position_consents c on c.user_id = l.driver_id
     join users u on u.id = l.driver_id and u.role = 'driver' and u.status = 'active' and u.deleted_at is null
     cross join lateral (
       select count(*)::integer as carrying from packages p where p.driver_id = l.driver_id and p.status in ('in transit', 'out for delivery')
     ) carried
     left join routes route on route.driver_id = l.driver_id and route.state = 'started'
     left join lateral (
       select p.id, p.tracking_id, p.name from packages p where p.driver_id = l.driver_id and p.status = 'out for delivery' order by p.id limit 1
     ) next on true
     where l.at >= $1 and (carried.carrying > 0 or ${isOnDuty('l.driver_id')})
     order by lower(u.name), l.driver_id`,
    [from, now],
  );

export interface LiveDriverRow {
  driver_id: string;
  name: string;
  at: Date;
  lon: number;
  lat: number;
}

/** As `listLastPositions`, without what the map does not show. */
export const findLiveDrivers = (db: Queryable, from: Date, now: Date, limit: number): Promise<LiveDriverRow[]> =>
  db.query<LiveDriverRow>(
    `select l.driver_id, u.name, l.at, l.lon, l.lat
     from driver_positions l
     join position_consents c on c.user_id = l.driver_id
     join users u on u.id = l.driver_id and u.role = 'driver' and u.status = 'active' and u.deleted_at is null
     where l.at >= $1 and (${carries('l.driver_id')} or ${isOnDuty('l.driver_id')})
     order by l.driver_id limit $3`,
    [from, now, limit],
  );

export interface LiveStopRow {
  id: string;
  lon: number;
  lat: number;
  route_id: string;
  state: string;
}

/** The open stops of the routes on the road whose place is known. The states are those of `stateOf` in `server/src/routes/stop-rows.ts`. */
export const findLiveStops = (db: Queryable, limit: number): Promise<LiveStopRow[]> =>
  db.query<LiveStopRow>(
    `select p.id, ${goesTo('p', 'lon')} as lon, ${goesTo('p', 'lat')} as lat, r.id as route_id,
       case when p.status = 'in transit' then 'open' when p.arrived_at >= p.started_at then 'arrived' else 'next' end as state
     from routes r join packages p on p.route_id = r.id and p.driver_id = r.driver_id
     where r.state = 'started' and p.status in ('in transit', 'out for delivery')
       and ${goesTo('p', 'lon')} is not null
     order by p.id limit $1`,
    [limit],
  );

export async function findConsent(db: Queryable, driverId: string): Promise<Date | null> {
  const [row] = await db.query<{ agreed_at: Date }>('select agreed_at from position_consents where user_id = $1', [
    driverId,
  ]);
  return row?.agreed_at ?? null;
}

/** @returns whether the driver had not agreed before */
export async function insertConsent(tx: Tx, driverId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'insert into position_consents (user_id, agreed_at) values ($1, $2) on conflict do nothing returning 1',
    [driverId, at],
  );
  return rows.length > 0;
}

/** Deletes the consent of a driver, and what was stored by it. @returns whether there was one */
export async function deleteConsent(tx: Tx, driverId: string): Promise<boolean> {
  const rows = await tx.query('delete from position_consents where user_id = $1 returning 1', [driverId]);
  await tx.query('delete from driver_positions where driver_id = $1', [driverId]);
  await tx.query('delete from positions where driver_id = $1', [driverId]);
  await tx.query('delete from door_stays where driver_id = $1', [driverId]);
  // One that is just being started, too.
  await tx.query(logRouteChanges("select id from routes where driver_id = $1 and state <> 'finished'"), [driverId]);
  return rows.length > 0;
}
