import type { Queryable } from '../platform/database/db.ts';
import type { TrackPoint } from '../travel/coming-near.ts';

/** Where a driver was between two times. */
export interface AskedTrack {
  driverId: string;
  from: Date;
  to: Date;
}

interface TrackRow extends TrackPoint {
  number: number;
}

/**
 * What phones reported in these times, in no order; those of drivers who have not agreed, or not any more, are empty.
 * @returns in the order of what was asked
 */
export async function findTracks(db: Queryable, asked: readonly AskedTrack[]): Promise<TrackPoint[][]> {
  if (asked.length === 0) return [];
  const rows = await db.query<TrackRow>(
    `select given.number::integer as number, (extract(epoch from p.at) * 1000)::float8 as at, p.lon, p.lat, p.accuracy, p.speed
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) with ordinality as given (driver_id, from_at, to_at, number)
     join position_consents c on c.user_id = given.driver_id
     join positions p on p.driver_id = given.driver_id and p.at >= given.from_at and p.at <= given.to_at`,
    [asked.map(({ driverId }) => driverId), asked.map(({ from }) => from), asked.map(({ to }) => to)],
  );
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  return asked.map((_, index) => byNumber.get(index + 1) ?? []);
}

/** Locks a driver's consent, which is not taken back before the transaction ends. @returns whether there is one */
export async function lockConsent(db: Queryable, driverId: string): Promise<boolean> {
  const rows = await db.query('select from position_consents where user_id = $1 for key share', [driverId]);
  return rows.length > 0;
}
