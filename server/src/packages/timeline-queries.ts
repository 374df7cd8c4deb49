import type { PackageEventType, TrackingEvent } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { countRows, type Count } from '../platform/database/keyset-lists.ts';
import { locationOf, type PackageRow } from './row.ts';

export interface EventRow {
  id: string;
  type: PackageEventType;
  status: string;
  at: Date;
  location: string | null;
  actor: string | null;
  note: string | null;
  changes: TrackingEvent['changes'];
}

/** Shows the address as the place of the delivery: readers of this timeline may see it. */
export const asTrackingEvent = (pkg: PackageRow, row: EventRow): TrackingEvent => ({
  ...row,
  at: row.at.toISOString(),
  location: row.status === 'delivered' ? locationOf(pkg) : row.location,
});

export const listEvents = (db: Queryable, packageId: string, before: string | null, limit: number) =>
  db.query<EventRow>(
    `select e.id, e.type, e.status, e.at, e.location, u.name as actor, e.note, e.changes
     from package_events e left join users u on u.id = e.actor_id
     where e.package_id = $1 and ($2::bigint is null or e.id < $2)
     order by e.id desc limit $3`,
    [packageId, before, limit],
  );

export const countEvents = (db: Queryable, packageId: string): Promise<Count> =>
  countRows(db, 'package_events where package_id = $1', [packageId]);
