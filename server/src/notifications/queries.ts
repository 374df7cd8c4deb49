import {
  maskTrackingId,
  type Audience,
  type Channel,
  type Notification,
  type NotificationKind,
} from '@waybill/contract';
import { storedEvents } from '../events/history.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { countRows, type Count } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { NotifiableEvent } from './parameters.ts';
import { render, type Reader } from './render.ts';

interface NotificationRow {
  id: string;
  type: string;
  audience: string | null;
  parameters: object | null;
  title: string;
  body: string;
  package_id: string | null;
  tracking_id: string | null;
  incident_number: number | null;
  created_at: Date;
  read_at: Date | null;
}

const columns =
  'id, type, audience, parameters, title, body, package_id, tracking_id, incident_number, created_at, read_at';

/** The full tracking ID if the reader may see the package, else a masked one. */
export const visibleTrackingId = (
  reader: Pick<Actor, 'permissions'>,
  id: string | null,
  isTheirs: boolean,
): string | null =>
  id === null || isTheirs || reader.permissions.includes('packages.view_all') ? id : maskTrackingId(id);

/** @param isTheirs whether the reader is the package's owner or driver now */
export const asNotification = (reader: Reader, row: NotificationRow, isTheirs: boolean): Notification => ({
  id: row.id,
  type: row.type,
  ...render(reader, row, isTheirs),
  packageId: row.package_id,
  trackingId: visibleTrackingId(reader, row.tracking_id, isTheirs),
  incidentId: row.incident_number,
  createdAt: row.created_at.toISOString(),
  readAt: row.read_at?.toISOString() ?? null,
});

/** The packages of these notifications whose owner or driver the user is now. */
export async function findOwnPackages(
  db: Queryable,
  userId: string,
  rows: Pick<NotificationRow, 'package_id'>[],
): Promise<Set<string | null>> {
  const ids = [...new Set(rows.flatMap(({ package_id: id }) => (id === null ? [] : [id])))];
  if (ids.length === 0) return new Set();
  const own = await db.query<{ id: string }>(
    'select id from packages where id = any($1) and $2::uuid in (owner_id, driver_id)',
    [ids, userId],
  );
  return new Set(own.map(({ id }) => id));
}

/** @param packages those of the events; null if a job does not name them, so that all partitions are searched */
export const findNotifiableEvents = (db: Queryable, ids: string[], packages: string[] | null) =>
  db.query<NotifiableEvent>(
    `select e.id, e.type, e.note, e.at, e.actor_id, e.owner_id, e.driver_id, e.previous_driver_id, e.user_id, e.changes, e.package_id,
            p.tracking_id, p.name as package_name, p.rating_comment, e.incident_number, i.type as incident_type, i.reporter_id, e.message_number,
            coalesce(p.return_due, false) as return_due
     from ${storedEvents(packages ? '$2' : undefined)} e left join packages p on p.id = e.package_id left join incidents i on i.package_id = e.package_id and i.number = e.incident_number
     where e.id = any($1)`,
    packages ? [ids, packages] : [ids],
  );

export interface NewNotification {
  id: string;
  /** The job that delivers it. */
  job_id: string;
  user_id: string;
  event_id: string;
  package_id: string | null;
  tracking_id: string | null;
  incident_number: number | null;
  type: string;
  /** The audience that the user belongs to. */
  audience: Audience;
  parameters: object;
  /** The rendered text, for servers of 0.2.0, which show the stored text. */
  title: string;
  body: string;
  at: Date;
  /** The kind that the user may have turned off; null if it cannot be turned off. */
  kind: NotificationKind | null;
  attempts: number;
}

/** @returns the notifications that their users have not turned off for the channel. Locks the users' rows against deletion. */
export async function wantedBy(tx: Tx, channel: Channel, notifications: NewNotification[]): Promise<NewNotification[]> {
  const rows = await tx.query<{ id: string }>(
    `select n.id from json_to_recordset($1) as n (id uuid, user_id uuid, kind text) join users u on u.id = n.user_id
     where u.deleted_at is null and not exists (
       select from notification_preferences p
       where p.user_id = u.id and p.channel = $2 and p.kind = n.kind and not p.enabled)
     for share of u`,
    [JSON.stringify(notifications.map(({ id, user_id, kind }) => ({ id, user_id, kind }))), channel],
  );
  return withIds(notifications, rows);
}

/**
 * Delivers by the in-app channel. The key of the table is the user, the event and the time of the event, by whose month it is partitioned.
 * @returns the inserted ones, without those that an earlier run of their job inserted
 */
export async function insertNotifications(tx: Tx, notifications: NewNotification[]): Promise<NewNotification[]> {
  const rows = await tx.query<{ id: string }>(
    `insert into notifications
       (id, user_id, event_id, package_id, tracking_id, incident_number, type, audience, parameters, title, body, created_at, attempts)
     select id, user_id, event_id, package_id, tracking_id, incident_number, type, audience, parameters, title, body, at, attempts
     from json_to_recordset($1) as n (id uuid, user_id uuid, event_id bigint, package_id uuid, tracking_id text, incident_number integer, type text,
       audience text, parameters jsonb, title text, body text, at timestamptz, attempts integer)
     on conflict do nothing returning id`,
    [JSON.stringify(notifications)],
  );
  return withIds(notifications, rows);
}

function withIds(notifications: NewNotification[], rows: { id: string }[]): NewNotification[] {
  const ids = new Set(rows.map(({ id }) => id));
  return notifications.filter(({ id }) => ids.has(id));
}

/** How often the channel has notified each user of each event type since then, by `<user> <type>`. */
export async function countNotified(
  tx: Tx,
  channel: Channel,
  types: string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await tx.query<{ user_id: string | null; type: string; times: string }>(
    `select user_id, type, count(*) as times from notification_deliveries
     where channel = $1 and state = 'delivered' and type = any($2) and at > $3 group by 1, 2`,
    [channel, types, since],
  );
  return new Map(rows.map(({ user_id, type, times }) => [`${user_id} ${type}`, Number(times)]));
}

export const listNotifications = (
  db: Queryable,
  userId: string,
  unread: boolean,
  before: string | null,
  limit: number,
) =>
  db.query<NotificationRow>(
    `select ${columns} from notifications
     where user_id = $1 and (not $2 or read_at is null) and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    [userId, unread, before, limit],
  );

export const countNotifications = (db: Queryable, userId: string, unread: boolean): Promise<Count> =>
  countRows(db, 'notifications where user_id = $1 and (not $2 or read_at is null)', [userId, unread]);

export async function setRead(tx: Tx, userId: string, id: string, at: Date): Promise<NotificationRow | null> {
  const [row] = await tx.query<NotificationRow>(
    `update notifications set read_at = coalesce(read_at, $3) where id = $1 and user_id = $2 returning ${columns}`,
    [id, userId, at],
  );
  return row ?? null;
}

export async function setAllRead(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx.query('update notifications set read_at = $2 where user_id = $1 and read_at is null', [userId, at]);
}
