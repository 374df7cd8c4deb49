import type { Absence, AbsenceKind, AffectedRoute } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface AbsenceRow {
  id: string;
  driver_id: string;
  driver: string | null;
  kind: AbsenceKind;
  first_day: string;
  last_day: string;
  note: string | null;
  version: number;
}

/** The columns of an absence `a` with its driver `u`. */
export const absenceColumns = `a.id, a.driver_id, case when u.deleted_at is null then u.name end as driver, a.kind, a.first_day, a.last_day,
  a.note, a.version`;

export const asAbsence = (row: AbsenceRow): Absence => ({
  id: row.id,
  driverId: row.driver_id,
  driver: row.driver,
  kind: row.kind,
  from: row.first_day,
  to: row.last_day,
  note: row.note,
  version: row.version,
});

export async function findAbsence(tx: Tx, id: string): Promise<AbsenceRow | null> {
  const [row] = await tx.query<AbsenceRow>(
    `select ${absenceColumns} from absences a join users u on u.id = a.driver_id where a.id = $1`,
    [id],
  );
  return row ?? null;
}

/** @param driverId null: of any driver */
export async function lockAbsence(tx: Tx, id: string, driverId: string | null): Promise<AbsenceRow | null> {
  const [row] = await tx.query<AbsenceRow>(
    `select ${absenceColumns} from absences a join users u on u.id = a.driver_id
     where a.id = $1 and ($2::uuid is null or a.driver_id = $2::uuid) for update of a`,
    [id, driverId],
  );
  return row ?? null;
}

export interface AbsenceContent {
  kind: AbsenceKind;
  from: string;
  to: string;
  note?: string | null | undefined;
}

export async function insertAbsence(
  tx: Tx,
  { id, driverId, kind, from, to, note }: AbsenceContent & { id: string; driverId: string },
  timeZone: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into absences (id, driver_id, kind, first_day, last_day, starts_at, ends_at, note, created_at, updated_at)
     values ($1, $2, $3, $4::date, $5::date, $4::date::timestamp at time zone $6, ($5::date + 1)::timestamp at time zone $6, $7, $8, $8)`,
    [id, driverId, kind, from, to, timeZone, note ?? null, at],
  );
}

export async function setAbsence(
  tx: Tx,
  id: string,
  { kind, from, to, note }: AbsenceContent,
  timeZone: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `update absences set kind = $2, first_day = $3::date, last_day = $4::date, starts_at = $3::date::timestamp at time zone $5,
       ends_at = ($4::date + 1)::timestamp at time zone $5, note = $6, updated_at = $7, version = version + 1
     where id = $1`,
    [id, kind, from, to, timeZone, note ?? null, at],
  );
}

export async function deleteAbsence(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from absences where id = $1', [id]);
}

export async function deleteAbsencesOf(tx: Tx, driverId: string): Promise<void> {
  await tx.query('delete from absences where driver_id = $1', [driverId]);
}

/** Open stops of a day whose driver is away on it. */
export interface AbandonedRow {
  driver_id: string;
  driver: string;
  day: string;
  depot_id: string;
  stops: number;
}

/** The routes of a day and later ones whose drivers are away on them, by driver, day and depot. A route without open stops is none. */
export const findAbandoned = (db: Queryable, today: string, limit: number) =>
  db.query<AbandonedRow>(
    `select a.driver_id, u.name as driver, r.day, r.depot_id, count(*)::integer as stops
     from absences a
     join routes r on r.driver_id = a.driver_id and r.day between a.first_day and a.last_day and r.state <> 'finished'
     join packages p on p.route_id = r.id
       and (p.status in ('in transit', 'out for delivery') or (r.state = 'planned' and p.status = 'processing'))
     join users u on u.id = r.driver_id and u.deleted_at is null
     where a.last_day >= $1::date and r.day >= $1::date
     group by a.driver_id, u.name, r.day, r.depot_id
     order by r.day, u.name, a.driver_id, r.depot_id limit $2`,
    [today, limit],
  );

interface AffectedRow {
  id: string;
  day: string;
  depot_id: string;
  state: 'planned' | 'started';
  stops: number;
}

/** The unfinished routes of a driver in these days that have open stops. */
export async function findAffectedRoutes(
  db: Queryable,
  driverId: string,
  from: string,
  to: string,
): Promise<AffectedRoute[]> {
  const rows = await db.query<AffectedRow>(
    `select * from (
       select r.id, r.day, r.depot_id, r.state, (
         select count(*)::integer from packages p where p.route_id = r.id
           and (p.status in ('in transit', 'out for delivery') or (r.state = 'planned' and p.status = 'processing'))) as stops
       from routes r where r.driver_id = $1 and r.day between $2::date and $3::date and r.state <> 'finished'
     ) affected where stops > 0 order by day, id`,
    [driverId, from, to],
  );
  return rows.map(({ depot_id: depotId, ...row }) => ({ ...row, depotId }));
}
