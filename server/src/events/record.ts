import type { PackageEventType } from '@waybill/contract';
import type { Tx } from '../platform/db.ts';
import { reactions } from './reactions.ts';

/** What happened to a package. The ids say whom it concerns; `status` is the one after it. */
export interface PackageEvent {
  type: PackageEventType;
  at: Date;
  actorId: string;
  packageId: string;
  status: string;
  location: string | null;
  note?: string | null;
  ownerId: string;
  driverId: string | null;
  previousDriverId?: string | null;
  /** The incident it is about. */
  incidentNumber?: number;
}

/** What happened to an account, or to what is the user's own. */
export interface UserEvent {
  type: 'session.ended' | 'user.created' | 'user.changed' | 'notification.created' | 'notification.read';
  at: Date;
  actorId: string | null;
  userId: string;
  sessionId?: string;
}

/**
 * Appends the fact and puts the jobs it causes into the queue, all in the caller's transaction; listeners wake after its commit.
 * @returns the event's id
 */
export async function record(tx: Tx, event: PackageEvent | UserEvent): Promise<string> {
  const about = 'packageId' in event ? event : null;
  const user = 'userId' in event ? event : null;
  const [row] = await tx.query<{ id: string }>(
    `insert into events
       (type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id, incident_number, user_id,
        session_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id`,
    [
      event.type,
      event.at,
      event.actorId,
      about?.packageId ?? null,
      about?.status ?? null,
      about?.location ?? null,
      about?.note ?? null,
      about?.ownerId ?? null,
      about?.driverId ?? null,
      about?.previousDriverId ?? null,
      about?.incidentNumber ?? null,
      user?.userId ?? null,
      user?.sessionId ?? null,
    ],
  );
  if (!row) throw new Error('the event was not written');
  for (const job of reactions[event.type] ?? []) await tx.enqueue(job, { eventId: row.id });
  tx.wakeListeners();
  return row.id;
}
