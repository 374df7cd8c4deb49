import type { Queryable } from '../platform/database/db.ts';

/**
 * SQL of stored events, of packages and of accounts. Who offers stops to a colleague is the driver before.
 * @param packages SQL of an array: the only packages whose events are looked for, so that PostgreSQL plans for their partitions alone
 */
export const storedEvents = (packages?: string): string => `(
  select id, type, at, actor_id, package_id, note, owner_id, driver_id, previous_driver_id, incident_number, changes,
    null::uuid as user_id, null::integer as message_number
  from package_events ${packages ? `where package_id = any(${packages})` : ''}
  union all
  select id, type, at, actor_id, null::uuid, null::text, null::uuid, null::uuid, (changes #>> '{offeredBy,0}')::uuid, null::integer,
    changes, user_id, message_number
  from account_events)`;

/** The user and the actor of an account event. `actorId` is null where restoring a backup repeats the event. */
export async function findAccountEvent(
  db: Queryable,
  id: string,
): Promise<{ userId: string; actorId: string | null } | null> {
  const [row] = await db.query<{ userId: string; actorId: string | null }>(
    'select user_id as "userId", actor_id as "actorId" from account_events where id = $1 and user_id is not null',
    [id],
  );
  return row ?? null;
}
