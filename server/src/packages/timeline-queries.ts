import type { PackageEventType, TrackingEvent } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { countRows, type Count } from '../platform/database/keyset-lists.ts';
import { locationOf, type PackageRow } from './row.ts';

export interface EventRow {
  id: string;
  type: PackageEventType;
  status: string;
  at: Date;
  recorded_at: Date | null;
  location: string | null;
  actor: string | null;
  note: string | null;
  changes: TrackingEvent['changes'];
  reply_to: string | null;
}

/** Shows the address as the place of the delivery: readers of this timeline may see it. */
export const asTrackingEvent = (
  pkg: PackageRow,
  { reply_to: replyTo, recorded_at: recordedAt, ...row }: EventRow,
): TrackingEvent => ({
  ...row,
  replyTo,
  changes: row.type === 'package.messaged' ? null : row.changes,
  at: row.at.toISOString(),
  recordedAt: recordedAt?.toISOString() ?? null,
  location: row.status === 'delivered' ? locationOf(pkg) : row.location,
});

export const listEvents = (db: Queryable, packageId: string, before: string | null, limit: number) =>
  db.query<EventRow>(
    `select e.id, e.type, e.status, e.at, e.recorded_at, e.location, u.name as actor, e.note, e.changes, case when e.type = 'package.messaged' then e.changes #>> '{replyTo,to}' end as reply_to
     from package_events e left join users u on u.id = e.actor_id
     where e.package_id = $1 and ($2::bigint is null or e.id < $2)
     order by e.id desc limit $3`,
    [packageId, before, limit],
  );

export const countEvents = (db: Queryable, packageId: string): Promise<Count> =>
  countRows(db, 'package_events where package_id = $1', [packageId]);

/** @returns the id of a package by its tracking ID */
export async function findIdByTrackingId(db: Queryable, trackingId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>('select id from packages where tracking_id = $1', [trackingId]);
  return row?.id ?? null;
}

/** Whether the package got the same message since then. */
export async function hasMessage(
  db: Queryable,
  packageId: string,
  message: { text: string; replyTo: string; since: Date },
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select from package_events where package_id = $1 and type = 'package.messaged' and at > $4
       and note = $2 and changes #>> '{replyTo,to}' = $3) as found`,
    [packageId, message.text, message.replyTo, message.since],
  );
  return row?.found === true;
}
