import type { NotificationKind, RecipientLanguage, SlowChannel } from '@waybill/contract';
import type { ToldEvents } from '../events/event-jobs.ts';
import type { Queryable } from '../platform/database/db.ts';

/** An event that the recipient of its package may be told of, with the addresses of now. */
export interface ToldEvent {
  id: string;
  type: string;
  at: Date;
  note: string | null;
  actor_id: string | null;
  previous_driver_id: string | null;
  changes: Record<string, unknown> | null;
  package_id: string;
  package_name: string;
  tracking_id: string;
  owner_id: string;
  recipient_email: string | null;
  recipient_phone: string | null;
  recipient_language: RecipientLanguage | null;
  /** A package that was deleted: whether it had been cancelled before. */
  was_ended: boolean;
}

/** In the order in which they happened. */
export const findToldEvents = (db: Queryable, { eventIds, packageIds }: ToldEvents): Promise<ToldEvent[]> =>
  db.query<ToldEvent>(
    `select e.id, e.type, e.at, e.note, e.actor_id, e.previous_driver_id, e.changes, p.id as package_id, p.name as package_name, p.tracking_id,
       p.owner_id, p.recipient_email, p.recipient_phone, p.recipient_language,
       e.type = 'package.deleted' and exists (select from package_events before where before.package_id = p.id ${packageIds ? 'and before.package_id = any($2)' : ''} and before.id < e.id
         and before.type in ('package.cancelled', 'package.returned')) as was_ended
     from package_events e join packages p on p.id = e.package_id where e.id = any($1) ${packageIds ? 'and e.package_id = any($2)' : ''} order by e.id`,
    packageIds ? [eventIds, packageIds] : [eventIds],
  );

/** The owners' choices of what recipients are told, as `<owner> <kind>`. */
export async function findRecipientChoices(db: Queryable, owners: string[]): Promise<Map<string, boolean>> {
  const rows = await db.query<{ user_id: string; kind: NotificationKind; enabled: boolean }>(
    "select user_id, kind, enabled from notification_preferences where user_id = any($1) and channel = 'recipient'",
    [owners],
  );
  return new Map(rows.map(({ user_id: owner, kind, enabled }) => [`${owner} ${kind}`, enabled]));
}

/** How many messages the recipients of packages have had since then, as `<package> <channel>`. Parameters are selections: the plan is kept. */
export async function findToldBefore(db: Queryable, packages: string[], since: Date): Promise<Map<string, number>> {
  const rows = await db.query<{ package_id: string | null; channel: SlowChannel; sent: string }>(
    `select package_id, channel, count(*) as sent from messages
     where package_id = any((select $1::uuid[])::uuid[]) and at > (select $2::timestamptz) and audience = 'recipient' and state <> 'suppressed' group by 1, 2`,
    [packages, since],
  );
  return new Map(rows.map(({ package_id: id, channel, sent }) => [`${id} ${channel}`, Number(sent)]));
}
