import {
  maxStops,
  shiftLimits,
  type AbsenceKind,
  type DriverOnDuty,
  type Shift,
  type UserStatus,
} from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface ShiftRow {
  id: string;
  driver_id: string;
  driver: string | null;
  driver_active: boolean;
  starts_at: Date;
  ends_at: Date;
  note: string | null;
  absence: AbsenceKind | null;
  version: number;
}

/** The columns of a shift `s` with its driver `u`. */
export const shiftColumns = `s.id, s.driver_id, case when u.deleted_at is null then u.name end as driver,
  u.role = 'driver' and u.status = 'active' and u.deleted_at is null as driver_active, s.starts_at, s.ends_at, s.note,
  (select kind from absences a where a.driver_id = s.driver_id and a.starts_at <= s.starts_at and s.starts_at < a.ends_at) as absence, s.version`;

export const asShift = (row: ShiftRow, now: Date): Shift => ({
  id: row.id,
  driverId: row.driver_id,
  driver: row.driver,
  driverActive: row.driver_active,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  note: row.note,
  onDuty: row.driver_active && row.absence === null && row.starts_at <= now && now < row.ends_at,
  absence: row.absence,
  version: row.version,
});

export async function findShift(db: Queryable, id: string): Promise<ShiftRow | null> {
  const [row] = await db.query<ShiftRow>(
    `select ${shiftColumns} from shifts s join users u on u.id = s.driver_id where s.id = $1`,
    [id],
  );
  return row ?? null;
}

export async function lockShift(tx: Tx, id: string): Promise<ShiftRow | null> {
  const [row] = await tx.query<ShiftRow>(
    `select ${shiftColumns} from shifts s join users u on u.id = s.driver_id where s.id = $1 for update of s`,
    [id],
  );
  return row ?? null;
}

/**
 * Whoever enters shifts or absences of the same drivers waits here. Without this, concurrent ones that overlap would each insert a row and
 * then wait for the others at the exclusion constraint, which ends in a deadlock after a second.
 */
export async function lockSchedules(tx: Tx, driverIds: string[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('waybill schedule ' || id, 0))
     from (select distinct unnest($1::uuid[]) as id order by 1) ids`,
    [driverIds],
  );
}

export interface NewShift {
  driverId: string;
  startsAt: string;
  endsAt: string;
  note?: string | null | undefined;
}

export async function insertShift(tx: Tx, id: string, shift: NewShift, at: Date): Promise<void> {
  await tx.query(
    `insert into shifts (id, driver_id, starts_at, ends_at, note, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`,
    [id, shift.driverId, new Date(shift.startsAt), new Date(shift.endsAt), shift.note ?? null, at],
  );
}

export async function setShift(tx: Tx, id: string, shift: NewShift, at: Date): Promise<void> {
  await tx.query(
    `update shifts set driver_id = $2, starts_at = $3, ends_at = $4, note = $5, updated_at = $6, version = version + 1
     where id = $1`,
    [id, shift.driverId, new Date(shift.startsAt), new Date(shift.endsAt), shift.note ?? null, at],
  );
}

export async function deleteShift(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from shifts where id = $1', [id]);
}

/** Deletes the driver's future shifts, ends running ones, and clears all notes. @returns how many were affected */
export async function endShiftsOf(tx: Tx, driverId: string, at: Date): Promise<number> {
  const deleted = await tx.query('delete from shifts where driver_id = $1 and starts_at >= $2 returning id', [
    driverId,
    at,
  ]);
  const ended = await tx.query(
    `update shifts set ends_at = least(ends_at, $2), note = null, updated_at = $2, version = version + 1
     where driver_id = $1 and (ends_at > $2 or note is not null) returning id`,
    [driverId, at],
  );
  return deleted.length + ended.length;
}

export interface CopyRow {
  driver_id: string;
  driver: string | null;
  driver_active: boolean;
  starts_at: Date;
  ends_at: Date;
  note: string | null;
}

/**
 * Computes copies of the shifts that start in the seven days from `day`, one week later at the same local times in the zone. If a change
 * of the clocks would make a copy shorter or longer than a shift may be, it keeps the original length. Locks the drivers against a
 * concurrent suspension.
 */
export const listWeekCopies = (tx: Tx, day: string, zone: string) =>
  tx.query<CopyRow>(
    `select s.driver_id, case when u.deleted_at is null then u.name end as driver,
       u.role = 'driver' and u.status = 'active' and u.deleted_at is null as driver_active, later.starts_at,
       case when later.ends_at - later.starts_at between interval '1 minute' and interval '16 hours' then later.ends_at
         else later.starts_at + (s.ends_at - s.starts_at) end as ends_at, s.note
     from shifts s join users u on u.id = s.driver_id
     cross join lateral (
       select (s.starts_at at time zone $2 + interval '7 days') at time zone $2 as starts_at,
         (s.ends_at at time zone $2 + interval '7 days') at time zone $2 as ends_at
     ) later
     where s.starts_at >= $1::date::timestamp at time zone $2 and s.starts_at < ($1::date + 7)::timestamp at time zone $2
     order by s.starts_at, s.id for share of u`,
    [day, zone],
  );

/** Inserts the shifts that overlap with no other. @returns the ids of the inserted ones */
export async function insertShifts(tx: Tx, copies: (CopyRow & { id: string })[], at: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `insert into shifts (id, driver_id, starts_at, ends_at, note, created_at, updated_at)
     select id, driver_id, starts_at, ends_at, note, $2, $2
     from json_to_recordset($1) as copy (id uuid, driver_id uuid, starts_at timestamptz, ends_at timestamptz, note text)
     on conflict do nothing returning id`,
    [JSON.stringify(copies), at],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface DutyRow {
  id: string;
  name: string;
  status: UserStatus;
  until: Date | null;
  next: Date | null;
  absence: AbsenceKind | null;
  absent_to: string | null;
}

/** SQL condition: the shift `s` is worked. */
const isWorked = `not exists (
  select from absences a where a.driver_id = s.driver_id and a.starts_at <= s.starts_at and s.starts_at < a.ends_at)`;

/** $1 as a selection, so that the plan for any time is no dearer than that for this one, and is kept: planning takes as long as reading. */
const at = '(select $1::timestamptz)';

/**
 * SQL subquery: the shift of driver `u` that is running at $1, if the account is active and the driver not absent. No shift is longer than
 * 16 hours, so an index has the few that may be.
 */
export const runningShift = `select s.ends_at from shifts s
  where s.driver_id = u.id and u.status = 'active' and s.starts_at > ${at} - interval '${shiftLimits.maxHours} hours' and s.starts_at <= ${at}
    and s.ends_at > ${at} and ${isWorked}`;

/** SQL condition: the absence of driver `u` at $1, one at most. */
const presentAbsence = `driver_id = u.id and starts_at <= ${at} and ${at} < ends_at`;

export const dutyColumns = `u.id, u.name, u.status, (${runningShift}) as until,
  (select min(s.starts_at) from shifts s where s.driver_id = u.id and u.status = 'active' and s.starts_at > ${at} and ${isWorked}) as next,
  (select kind from absences where ${presentAbsence}) as absence, (select last_day from absences where ${presentAbsence}) as absent_to`;

/** How many packages each of these drivers has on the road. Drivers without any are not in the map. */
export async function countStops(db: Queryable, driverIds: string[]): Promise<Map<string | null, number>> {
  const rows = await db.query<{ driver_id: string | null; stops: string }>(
    `select driver_id, count(*) as stops from packages
     where driver_id = any($1) and status in ('in transit', 'out for delivery') group by driver_id`,
    [driverIds],
  );
  return new Map(rows.map(({ driver_id: id, stops }) => [id, Number(stops)]));
}

export const asDriverOnDuty = (row: DutyRow, stops: number): DriverOnDuty => ({
  id: row.id,
  name: row.name,
  status: row.status,
  onDuty: row.until !== null,
  until: row.until?.toISOString() ?? null,
  next: row.next?.toISOString() ?? null,
  absence: row.absence && row.absent_to ? { kind: row.absence, to: row.absent_to } : null,
  stops,
});

/** Of the routes of a day, those with the fewest stops are asked for room: so many. */
const emptiestRoutes = 20;

const workingShift = `s.ends_at > $5::timestamptz + interval '1 hour'
  and s.starts_at >= days.day at time zone $2 and s.starts_at < (days.day + interval '1 day') at time zone $2 and not exists (
    select from absences a where a.driver_id = s.driver_id and a.starts_at <= s.starts_at and s.starts_at < a.ends_at)`;

/** What the vehicles carry whose drivers have no route on that day. */
const ofFreeDrivers = `select max(coalesce(u.vehicle_capacity_kg, 'infinity')) from shifts s
  join users u on u.id = s.driver_id and u.role = 'driver' and u.status = 'active' and u.deleted_at is null
  where ${workingShift}
    and not exists (select from routes r where r.driver_id = s.driver_id and r.day = days.day::date and r.state <> 'finished')`;

const ofRoute = `r.day = days.day::date and r.state <> 'finished' and ($1::uuid is null or r.depot_id = $1)`;

/** What the emptiest routes leave free; nothing where they have as many stops as they may. */
const ofRoutes = `select max(case
    when emptiest.stops >= coalesce(emptiest.vehicle_max_stops, ${maxStops}) then 0
    when emptiest.vehicle_capacity_kg is null then 'infinity'
    else emptiest.vehicle_capacity_kg - coalesce((select sum(p.weight) from packages p where p.route_id = emptiest.id), 0)::float8 end)
  from (
    select r.id, cardinality(r.stop_ids) as stops, u.vehicle_max_stops, u.vehicle_capacity_kg
    from routes r left join users u on u.id = r.driver_id where ${ofRoute} order by 2 limit ${emptiestRoutes}
  ) emptiest`;

interface DaysQuery {
  depotId: string | null;
  timeZone: string;
  from: string;
  to: string;
  now: Date;
}

export const listWorkingDays = (db: Queryable, { depotId, timeZone, from, to, now }: DaysQuery) =>
  db.query<{ day: string; kilograms: number }>(
    `select days.day::date as day, case when free.kilograms = 'infinity' then free.kilograms
         else greatest(free.kilograms, (${ofRoutes}), 0) end::float8 as kilograms
     from generate_series($3::timestamp, $4::timestamp, '1 day') as days (day)
     cross join lateral (select (${ofFreeDrivers}) as kilograms) free
     where free.kilograms is not null or exists (
       select from shifts s join users u on u.id = s.driver_id and u.role = 'driver' and u.status = 'active' and u.deleted_at is null
       where ${workingShift}
     ) or exists (select from routes r where ${ofRoute}) order by 1`,
    [depotId, timeZone, from, to, now],
  );
