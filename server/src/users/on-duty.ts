import type { AbsenceKind } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';

/**
 * The absence of a driver on a day, with the first day after it, and after absences that go on from it. Its words are those of the refusal.
 */
const absenceSql = `
  select a.kind, (select upper(whole)::text from unnest((
      select range_agg(daterange(first_day, last_day, '[]')) from absences where driver_id = $1)) whole where whole @> $2::date) as back
  from absences a where a.driver_id = $1 and $2::date between a.first_day and a.last_day`;

const absenceWords: Record<AbsenceKind, string> = { sick: 'sick', holiday: 'on holiday', other: 'absent' };

/**
 * When a driver without a shift from $2, or else from midnight, until the end of the day $3 in the zone $4 has the next one, as local time;
 * null if there is none. No row for a driver who has a shift then, or none at all.
 */
const nextShiftSql = `
  select to_char(min(starts_at) filter (where starts_at >= begins) at time zone $4, 'YYYY-MM-DD HH24:MI') as back
  from (select s.* from shifts s where s.driver_id = $1 and not exists (
      select from absences a where a.driver_id = $1 and a.starts_at <= s.starts_at and s.starts_at < a.ends_at)) shifts, (select greatest($2::timestamptz, $3::date::timestamp at time zone $4) as begins,
    ($3::date + 1)::timestamp at time zone $4 as ends) work
  having count(*) > 0 and not bool_or(starts_at < ends and ends_at > begins)`;

/** The rest of a day, in the zone of those who plan it. */
export interface WorkingTime {
  day: string;
  /** Null: from the day's midnight. */
  from: Date | null;
  timeZone: string;
}

/** @throws off_duty for a driver who is absent on that day, or has shifts, but none at this time: with when they are back */
export async function requireOnDuty(tx: Tx, driverId: string, { day, from, timeZone }: WorkingTime): Promise<void> {
  const [absent] = await tx.query<{ kind: AbsenceKind; back: string }>(absenceSql, [driverId, day]);
  if (absent) {
    const back = `They are back on ${absent.back}.`;
    throw new AppError('off_duty', `This driver is ${absenceWords[absent.kind]} on ${day}. ${back}`, {
      fields: { driverId: back },
    });
  }
  const [off] = await tx.query<{ back: string | null }>(nextShiftSql, [driverId, from, day, timeZone]);
  if (!off) return;
  const back = off.back ? `The next shift begins at ${off.back} (${timeZone}).` : 'No later shift is planned.';
  throw new AppError('off_duty', `This driver has no shift on ${day}. ${back}`, { fields: { driverId: back } });
}

/** Which of these drivers have got an absence on a day since then. */
export async function findNewlyAbsent(tx: Tx, driverIds: string[], day: string, since: Date): Promise<string[]> {
  const rows = await tx.query<{ driver_id: string }>(
    `select driver_id from absences where driver_id = any($1::uuid[]) and $2::date between first_day and last_day and updated_at > $3`,
    [driverIds, day, since],
  );
  return rows.map(({ driver_id: id }) => id);
}
