import type { RouteState, VehicleSkill } from '@waybill/contract';
import { logRouteChanges } from '../events/route-changes.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface RouteRow {
  id: string;
  day: string;
  depot_id: string;
  depot: string;
  /** The depot's zone. */
  time_zone: string;
  driver_id: string | null;
  /** Whether that is an active driver. */
  driver_active: boolean;
  depot_lon: number | null;
  depot_lat: number | null;
  vehicle_type: string | null;
  vehicle_grams_per_km: number | null;
  vehicle_capacity_kg: number | null;
  vehicle_max_stops: number | null;
  vehicle_skills: VehicleSkill[] | null;
  /** Where its driver sets out and ends; null: at the depot. */
  start_lon: number | null;
  start_lat: number | null;
  end_lon: number | null;
  end_lat: number | null;
  state: RouteState;
  version: number;
  starts_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  released: boolean;
  stop_ids: string[];
  locked_ids: string[];
  left_ids: string[];
  /** Once it is finished and measured; the distance is null where no place was known. */
  metres: number | null;
  drive_seconds: number | null;
  co2_grams: number | null;
  cost: number | null;
}

/** The columns of a route `r` with its depot `d` and driver `u`. */
export const routeColumns = `r.id, r.day, r.depot_id, d.name as depot, d.time_zone, r.driver_id,
  coalesce(u.role = 'driver' and u.status = 'active' and u.deleted_at is null, false) as driver_active,
  case when d.place_accuracy <> 'town' then d.place_lon end as depot_lon, case when d.place_accuracy <> 'town' then d.place_lat end as depot_lat,
  u.vehicle_type, u.vehicle_grams_per_km, u.vehicle_capacity_kg, u.vehicle_max_stops, u.vehicle_skills, u.start_lon, u.start_lat, u.end_lon, u.end_lat,
  r.state, r.version, r.starts_at, r.started_at, r.finished_at, r.released, r.stop_ids, r.locked_ids, r.left_ids,
  r.metres, r.drive_seconds, r.co2_grams, r.cost`;

export const fromRoutes = 'routes r join depots d on d.id = r.depot_id left join users u on u.id = r.driver_id';

export const findRoutes = (db: Queryable, ids: string[]) =>
  db.query<RouteRow>(`select ${routeColumns} from ${fromRoutes} where r.id = any($1::uuid[])`, [ids]);

export const findRoute = async (db: Queryable, id: string): Promise<RouteRow | null> =>
  (await findRoutes(db, [id]))[0] ?? null;

/** The routes of a day that are not finished, the oldest first. */
export const findRoutesOfDay = (db: Queryable, day: string, depotId: string): Promise<RouteRow[]> =>
  db.query<RouteRow>(
    `select ${routeColumns} from ${fromRoutes} where r.day = $1::date and r.depot_id = $2 and r.state <> 'finished' order by r.id limit 500`,
    [day, depotId],
  );

interface BusyRow {
  driver_id: string;
  route_id: string;
  state: 'planned' | 'started';
  depot_id: string;
  depot: string;
}

/** The routes of a day that have a driver and are not finished, of every depot. */
export const findBusyDrivers = (db: Queryable, day: string): Promise<BusyRow[]> =>
  db.query<BusyRow>(
    `select r.driver_id, r.id as route_id, r.state, r.depot_id, d.name as depot from routes r join depots d on d.id = r.depot_id
     where r.day = $1::date and r.state <> 'finished' and r.driver_id is not null order by r.id`,
    [day],
  );

interface LaneRow extends RouteRow {
  driver_name: string | null;
  shift_from: Date | null;
  shift_to: Date | null;
}

/**
 * The shift in which a route begins, else the first one of its day and driver. Absences are left out: who is away works in none.
 */
const shiftOfRoute = `select s.starts_at, s.ends_at from shifts s
  where s.driver_id = r.driver_id and s.starts_at < (r.day + 1)::timestamp at time zone d.time_zone and s.ends_at > r.day::timestamp at time zone d.time_zone
    and not exists (select from absences a where a.driver_id = s.driver_id and a.starts_at <= s.starts_at and s.starts_at < a.ends_at)
  order by case when s.starts_at <= coalesce(r.started_at, r.starts_at) and coalesce(r.started_at, r.starts_at) < s.ends_at then 0 else 1 end, s.starts_at
  limit 1`;

/** The started routes, then the planned ones of today in their depots' zones that have an active driver and stops. */
export const findLaneRoutes = (db: Queryable, now: Date, limit: number) =>
  db.query<LaneRow>(
    `select ${routeColumns}, case when u.deleted_at is null then u.name end as driver_name,
       shift.starts_at as shift_from, shift.ends_at as shift_to
     from ${fromRoutes} left join lateral (${shiftOfRoute}) shift on true
     where r.id = any(array(
         select id from routes where state = 'started'
         union all
         select id from routes where day between ($1::timestamptz at time zone 'UTC')::date - 1 and ($1::timestamptz at time zone 'UTC')::date + 1
           and state = 'planned' and driver_id is not null and cardinality(stop_ids) > 0))
       and (r.state = 'started' or (r.state = 'planned' and u.status = 'active' and r.day = ($1::timestamptz at time zone d.time_zone)::date))
     order by case r.state when 'started' then 0 else 1 end, r.day, r.id limit $2`,
    [now, limit],
  );

/** Locks routes in the order of their ids. Routes are locked before their driver and their packages. */
export async function lockRoutes(tx: Tx, ids: string[]): Promise<Map<string, RouteRow>> {
  // The second statement sees what the first one waited for.
  const [, rows] = await Promise.all([
    tx.query('select from routes where id = any($1::uuid[]) order by id for update', [ids]),
    findRoutes(tx, ids),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface NewRoute {
  id: string;
  day: string;
  depotId: string;
  driverId: string | null;
  startsAt: Date | null;
}

/** @returns its depot, or null if there is no such depot */
export async function insertRoute(tx: Tx, route: NewRoute, at: Date): Promise<{ time_zone: string } | null> {
  // The lock keeps the depot from being deleted at the same time.
  const [depot] = await tx.query<{ time_zone: string }>(
    'select time_zone from depots where id = $1 and deleted_at is null for share',
    [route.depotId],
  );
  if (!depot) return null;
  await tx.query(
    `insert into routes (id, day, depot_id, driver_id, starts_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`,
    [route.id, route.day, route.depotId, route.driverId, route.startsAt, at],
  );
  return depot;
}

/** Stores a locked route, and raises its version. @param by the id of who changes it; null for a recipient */
export async function setRouteRow(tx: Tx, route: RouteRow, by: string | null, at: Date): Promise<void> {
  await tx.query(
    `with changed as (
       update routes set driver_id = $2, state = $3, starts_at = $4, started_at = $5, finished_at = $6, released = $7, stop_ids = $8,
         locked_ids = $9, left_ids = $10, changed_by = $11, updated_at = $12, version = version + 1
       where id = $1 returning id
     )
     ${logRouteChanges('select id from changed')}`,
    [
      route.id,
      route.driver_id,
      route.state,
      route.starts_at,
      route.started_at,
      route.finished_at,
      route.released,
      route.stop_ids,
      route.locked_ids,
      route.left_ids,
      by,
      at,
    ],
  );
}

/** Who has changed a route last, or null if that is not known any more. */
export async function findLastChange(db: Queryable, id: string): Promise<{ by: string; name: string } | null> {
  const [row] = await db.query<{ by: string; name: string }>(
    `select u.id as by, u.name from routes r join users u on u.id = r.changed_by where r.id = $1 and u.deleted_at is null`,
    [id],
  );
  return row ?? null;
}

export async function deleteRoute(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from routes where id = $1', [id]);
}

/** Whether the driver has a started route. */
export async function hasStartedRoute(tx: Tx, driverId: string): Promise<boolean> {
  const rows = await tx.query("select from routes where driver_id = $1 and state = 'started'", [driverId]);
  return rows.length > 0;
}

/** Which of these routes are still planned. */
export async function whichArePlanned(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    "select id from routes where id = any($1::uuid[]) and state = 'planned'",
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface NamedRoute {
  id: string;
  day: string;
  depot_id: string;
  driver: string | null;
}

/** The unfinished ones of these routes, with the names of their drivers. */
export const findNamedRoutes = (db: Queryable, ids: string[]) =>
  db.query<NamedRoute>(
    `select r.id, r.day, r.depot_id, u.name as driver
     from routes r left join users u on u.id = r.driver_id and u.deleted_at is null
     where r.id = any($1::uuid[]) and r.state <> 'finished'`,
    [ids],
  );

export interface FailedAttempt {
  package_id: string;
  driver_id: string | null;
  ended_at: Date;
}

export const findFailedAttempts = (db: Queryable, packageIds: string[]) =>
  db.query<FailedAttempt>(
    `select package_id, driver_id, ended_at from delivery_attempts where package_id = any($1::uuid[]) and outcome = 'failed'`,
    [packageIds],
  );

/** Finished routes that were not measured yet. */
export const findUnmeasured = (db: Queryable, limit: number): Promise<RouteRow[]> =>
  db.query<RouteRow>(
    `select ${routeColumns} from ${fromRoutes}
     where r.state = 'finished' and r.drive_seconds is null and r.finished_at > now() - interval '7 days' order by r.finished_at limit $1`,
    [limit],
  );

export async function setMeasured(
  db: Queryable,
  id: string,
  {
    metres,
    seconds,
    grams,
    cost,
  }: { metres: number | null; seconds: number; grams: number | null; cost: number | null },
): Promise<void> {
  await db.query(
    "update routes set metres = $2, drive_seconds = $3, co2_grams = $4, cost = $5 where id = $1 and state = 'finished'",
    [id, metres, seconds, grams, cost],
  );
}
