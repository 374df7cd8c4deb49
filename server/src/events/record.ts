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

/**
 * What happened to an account, or to what is the user's own. Whatever touches somebody's rights is a `user.changed` (or
 * `user.deleted`) of theirs: sessions and streams go by these.
 */
export interface UserEvent {
  type:
    | 'session.started'
    | 'session.ended'
    | 'user.created'
    | 'user.changed'
    | 'user.deleted'
    | 'password.reset-requested'
    | 'password.link-made'
    | 'notification.created'
    | 'notification.read';
  at: Date;
  actorId: string | null;
  userId: string;
  sessionId?: string;
  changes?: Changes;
}

/** Field -> [before, after], for the record. No personal data: it outlives the account. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** What happened to a custom role; whom it concerns is told by a `user.changed` of each. */
export interface RoleEvent {
  type: 'role.created' | 'role.changed' | 'role.deleted';
  at: Date;
  actorId: string;
  changes: Changes;
}

/**
 * Appends the fact and puts the jobs it causes into the queue, all in the caller's transaction; listeners wake after its commit.
 * @returns the event's id
 */
export async function record(tx: Tx, event: PackageEvent | UserEvent | RoleEvent): Promise<string> {
  const about = 'packageId' in event ? event : null;
  const user = 'userId' in event ? event : null;
  const [row] = await tx.query<{ id: string }>(
    `insert into events
       (type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id, incident_number, user_id,
        session_id, changes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning id`,
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
      'changes' in event ? event.changes : null,
    ],
  );
  if (!row) throw new Error('the event was not written');
  for (const job of reactions[event.type] ?? []) await tx.enqueue(job, { eventId: row.id });
  tx.wakeListeners();
  return row.id;
}

/** The same `user.changed` for many users in one statement: a role can have thousands of holders. */
export async function recordChangeOfUsers(
  tx: Tx,
  { at, actorId, userIds }: { at: Date; actorId: string; userIds: string[] },
): Promise<void> {
  await tx.query("insert into events (type, at, actor_id, user_id) select 'user.changed', $1, $2, unnest($3::uuid[])", [
    at,
    actorId,
    userIds,
  ]);
  tx.wakeListeners();
}
