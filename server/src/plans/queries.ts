import type { Plan, PlanFault, PlanReason, PlanState } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

/** A route of a plan as it is stored: ids and times. */
export interface StoredRoute {
  driverId: string;
  routeId: string | null;
  startsAt: string;
  endsAt: string;
  metres: number;
  seconds: number;
  kilograms: number;
  stops: { packageId: string; arrivesAt: string }[];
  /** Absent in plans from before they could be changed. */
  faults?: PlanFault[];
}

export interface PlanResult {
  routes: StoredRoute[];
  unassigned: { packageId: string; reason: PlanReason }[];
  cost: number | null;
  split: Plan['split'];
  present?: Plan['present'];
  /** Absent in plans from before there were engines. */
  travelTimes?: Plan['travelTimes'];
  optimizer?: Plan['optimizer'];
  missed?: Plan['missed'];
}

export interface PlanRow {
  id: string;
  day: string;
  depot_id: string;
  state: PlanState;
  limit_seconds: number;
  driver_ids: string[];
  package_ids: string[];
  route_ids: string[];
  route_versions: number[];
  version: number;
  result: PlanResult | null;
  best: Plan['best'];
  failure: string | null;
  attempts: number;
  created_at: Date;
}

const columns =
  'id, day, depot_id, state, limit_seconds, driver_ids, package_ids, route_ids, route_versions, version, result, best, failure, attempts, created_at';

export interface NewPlan {
  id: string;
  day: string;
  depotId: string;
  createdBy: string;
  limitSeconds: number;
  driverIds: string[];
  packageIds: string[];
  /** Planned anew, with their versions. */
  routes: { id: string; version: number }[];
}

export async function insertPlan(tx: Tx, plan: NewPlan, at: Date): Promise<void> {
  await tx.query(
    `insert into plans (id, day, depot_id, created_by, limit_seconds, driver_ids, package_ids, created_at, route_ids, route_versions)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      plan.id,
      plan.day,
      plan.depotId,
      plan.createdBy,
      plan.limitSeconds,
      plan.driverIds,
      plan.packageIds,
      at,
      plan.routes.map(({ id }) => id),
      plan.routes.map(({ version }) => version),
    ],
  );
}

/** Plans are looked at for a day or two. Removed by whoever makes another one. */
export async function deleteOldPlans(tx: Tx, before: Date): Promise<void> {
  await tx.query("delete from plans where created_at < $1 and state <> 'solving'", [before]);
}

export async function findPlan(db: Queryable, id: string): Promise<PlanRow | null> {
  const [row] = await db.query<PlanRow>(`select ${columns} from plans where id = $1`, [id]);
  return row ?? null;
}

export async function lockPlan(tx: Tx, id: string): Promise<PlanRow | null> {
  const [row] = await tx.query<PlanRow>(`select ${columns} from plans where id = $1 for update`, [id]);
  return row ?? null;
}

export async function deletePlan(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('delete from plans where id = $1 returning id', [id])).length > 0;
}

/** How many plans wait for their turn or are being solved. */
export async function countSolving(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>("select count(*)::int as count from plans where state = 'solving'");
  return row?.count ?? 0;
}

/**
 * Takes the oldest plan that waits, unless another one is being solved: by any process, as the lock makes sure.
 * @returns it, with the number of this attempt
 */
export async function claimPlan(tx: Tx, leaseSeconds: number): Promise<PlanRow | null> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('waybill plans', 0))");
  const [row] = await tx.query<PlanRow>(
    `update plans set attempts = attempts + 1, lease_until = now() + make_interval(secs => $1)
     where id = (select id from plans where state = 'solving' order by created_at, id limit 1)
       and not exists (select from plans busy where busy.state = 'solving' and busy.lease_until > now())
     returning ${columns}`,
    [leaseSeconds],
  );
  return row ?? null;
}

/** Renews the lease. @returns false if the plan was deleted, or another process has it */
export async function renewLease(db: Queryable, { id, attempts }: PlanRow, leaseSeconds: number): Promise<boolean> {
  const rows = await db.query(
    `update plans set lease_until = now() + make_interval(secs => $3) where id = $1 and attempts = $2 and state = 'solving' returning id`,
    [id, attempts, leaseSeconds],
  );
  return rows.length > 0;
}

/** The search is given up without an outcome, and begins again elsewhere. */
export async function releasePlan(db: Queryable, { id, attempts }: PlanRow): Promise<void> {
  await db.query(
    "update plans set attempts = attempts - 1, lease_until = null where id = $1 and attempts = $2 and state = 'solving'",
    [id, attempts],
  );
}

interface Progress {
  state: PlanState;
  result: PlanResult | null;
  best: Plan['best'];
  failure?: string | null;
}

/** Stores what was found so far, unless the plan was deleted or another process has it. */
export async function storeProgress(db: Queryable, { id, attempts }: PlanRow, progress: Progress): Promise<void> {
  await db.query(
    `update plans set state = $3, result = $4::jsonb, best = $5::jsonb, failure = $6
     where id = $1 and attempts = $2 and state = 'solving'`,
    [
      id,
      attempts,
      progress.state,
      progress.result && JSON.stringify(progress.result),
      JSON.stringify(progress.best),
      progress.failure ?? null,
    ],
  );
}

export async function setApplied(tx: Tx, id: string, result: PlanResult): Promise<void> {
  await tx.query("update plans set state = 'applied', result = $2::jsonb where id = $1", [id, JSON.stringify(result)]);
}

/** Stores what was changed by hand. */
export async function setChanged(tx: Tx, id: string, result: PlanResult): Promise<void> {
  await tx.query('update plans set version = version + 1, result = $2::jsonb where id = $1', [
    id,
    JSON.stringify(result),
  ]);
}

/** The zone of a depot; null if there is none. */
export async function findDepotZone(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<{ time_zone: string }>(
    'select time_zone from depots where id = $1 and deleted_at is null',
    [id],
  );
  return row?.time_zone ?? null;
}

/** A driver and when they can work on a day. */
export interface DriverOfDay {
  id: string;
  starts_at: Date;
  ends_at: Date;
  has_shift: boolean;
  /** They have a route on that day that is not finished, and is not planned anew. */
  has_route: boolean;
  name: string;
  vehicle_capacity_kg: number | null;
  vehicle_max_stops: number | null;
  vehicle_skills: string[];
  /** Where their routes begin and end; null: at the depot. */
  start_lon: number | null;
  start_lat: number | null;
  end_lon: number | null;
  end_lat: number | null;
}

/**
 * The active drivers among these, or all who are not absent: with their shifts of a day, else with the hours of the depot (08:00 to 18:00 without
 * hours).
 * @param replanned routes that do not count
 */
export const findDriversOfDay = (
  db: Queryable,
  day: string,
  depotId: string,
  driverIds: string[] | null,
  replanned: string[],
): Promise<DriverOfDay[]> =>
  db.query<DriverOfDay>(
    `select u.id, coalesce(own.starts_at, ($1::date + coalesce(d.opens_at, '08:00')::time) at time zone d.time_zone) as starts_at,
       coalesce(own.ends_at, ($1::date + coalesce(d.closes_at, '18:00')::time) at time zone d.time_zone) as ends_at,
       own.starts_at is not null as has_shift,
       exists (select from routes r where r.driver_id = u.id and r.day = $1::date and r.state <> 'finished'
         and r.id <> all($4::uuid[])) as has_route, u.name,
       u.vehicle_capacity_kg, u.vehicle_max_stops, u.vehicle_skills, u.start_lon, u.start_lat, u.end_lon, u.end_lat
     from users u join depots d on d.id = $2
       left join lateral (
         select min(shifts.starts_at) as starts_at, max(shifts.ends_at) as ends_at from shifts where shifts.driver_id = u.id
           and shifts.starts_at >= $1::date::timestamp at time zone d.time_zone
           and shifts.starts_at < ($1::date + 1)::timestamp at time zone d.time_zone
       ) own on true
     where u.role = 'driver' and u.status = 'active' and u.deleted_at is null and ($3::uuid[] is null or u.id = any($3::uuid[]))
       and ($3::uuid[] is not null
         or not exists (select from absences a where a.driver_id = u.id and $1::date between a.first_day and a.last_day))
     order by u.id`,
    [day, depotId, driverIds, replanned],
  );

type DriverEnds = Pick<DriverOfDay, 'id' | 'start_lon' | 'start_lat' | 'end_lon' | 'end_lat'>;

/** Where these drivers' routes begin and end. */
export const findEnds = (db: Queryable, driverIds: string[]): Promise<DriverEnds[]> =>
  db.query<DriverEnds>('select id, start_lon, start_lat, end_lon, end_lat from users where id = any($1)', [driverIds]);

export interface PlannedPackage {
  id: string;
  name: string;
  address_street: string | null;
  address_postal_code: string | null;
  address_city: string | null;
  /** Null where it is no more than the town. */
  lon: number | null;
  lat: number | null;
  window_from: Date | null;
  window_to: Date | null;
}

export const findPlannedPackages = (db: Queryable, ids: string[]): Promise<PlannedPackage[]> =>
  db.query<PlannedPackage>(
    `select p.id, p.name, p.address_street, p.address_postal_code, p.address_city, p.window_from, p.window_to,
       case when p.place_accuracy <> 'town' then p.place_lon end as lon, case when p.place_accuracy <> 'town' then p.place_lat end as lat
     from packages p where p.id = any($1::uuid[]) and not p.return_due
     union all
     select p.id, p.name, u.return_street, u.return_postal_code, u.return_city, null, null,
       case when u.return_accuracy <> 'town' then u.return_lon end, case when u.return_accuracy <> 'town' then u.return_lat end
     from packages p join users u on u.id = p.owner_id where p.id = any($1::uuid[]) and p.return_due`,
    [ids],
  );
