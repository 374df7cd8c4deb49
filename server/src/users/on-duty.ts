import type { Tx } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';

/**
 * When a driver without a shift from $2, or else from midnight, until the end of the day $3 in the zone $4 has the next one, as local time;
 * null if there is none. No row for a driver who has a shift then, or none at all.
 */
const nextShiftSql = `
  select to_char(min(starts_at) filter (where starts_at >= begins) at time zone $4, 'YYYY-MM-DD HH24:MI') as back
  from shifts, (select greatest($2::timestamptz, $3::date::timestamp at time zone $4) as begins,
    ($3::date + 1)::timestamp at time zone $4 as ends) work
  where driver_id = $1
  having count(*) > 0 and not bool_or(starts_at < ends and ends_at > begins)`;

/** The rest of a day, in the zone of those who plan it. */
export interface WorkingTime {
  day: string;
  /** Null: from the day's midnight. */
  from: Date | null;
  timeZone: string;
}

/** @throws off_duty for a driver who has shifts, but none at this time: with when they are back */
export async function requireOnDuty(tx: Tx, driverId: string, { day, from, timeZone }: WorkingTime): Promise<void> {
  const [off] = await tx.query<{ back: string | null }>(nextShiftSql, [driverId, from, day, timeZone]);
  if (!off) return;
  const back = off.back ? `The next shift begins at ${off.back} (${timeZone}).` : 'No later shift is planned.';
  throw new AppError('off_duty', `This driver has no shift on ${day}. ${back}`, { fields: { driverId: back } });
}
