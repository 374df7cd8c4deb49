import type { Channel, Role, SentNotification, SentState, SlowChannel, SuppressionReason } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { MessageContent } from './mail.ts';
import type { MessageState } from './message-queries.ts';
import type { TextSource } from './message-text.ts';
import type { DeliveryState } from './notification-deliveries.ts';
import { visibleTrackingId } from './queries.ts';

export interface SentRow {
  id: string;
  at: Date;
  type: string;
  recipient_id: string | null;
  recipient_name: string | null;
  recipient_role: Role | null;
  package_id: string | null;
  tracking_id: string | null;
  incident_number: number | null;
  channel: Channel;
  state: DeliveryState | MessageState;
  reason: SuppressionReason | null;
  audience: string | null;
  attempts: number;
  error: string | null;
}

export const storedStateOf = (state: SentState | 'waiting'): SentState => (state === 'waiting' ? 'queued' : state);

/** The recipient of a package has no account: their name is that of the package, for those who see all packages. */
function recipientOf(
  reader: Actor,
  { recipient_id: id, recipient_name: name, ...row }: SentRow,
): SentNotification['recipient'] {
  if (row.audience !== 'recipient') return { id, name, role: row.recipient_role ?? 'admin' };
  return { id, name: reader.permissions.includes('packages.view_all') ? name : null, role: 'recipient' };
}

export const asSent = (reader: Actor, row: SentRow): SentNotification => ({
  id: row.id,
  at: row.at.toISOString(),
  type: row.type,
  recipient: recipientOf(reader, row),
  packageId: row.package_id,
  trackingId: visibleTrackingId(reader, row.tracking_id, false),
  incidentId: row.incident_number,
  channel: row.channel,
  state: row.state,
  reason: row.reason,
  attempts: row.attempts,
  error: row.error,
});

const rowColumns = 'id, at, type, channel, user_id, package_id, tracking_id, incident_number, state, attempts, error';
/** Deliveries in the app and messages by other channels. The conditions and the order of a list reach both tables, and their indexes. */
export const sentRows = `(
  select ${rowColumns}, null::text as reason, null::text as audience from notification_deliveries
  union all select ${rowColumns}, reason, audience from messages) sent`;

const columns = `sent.id, sent.at, sent.type, sent.channel, sent.user_id as recipient_id, sent.package_id, sent.tracking_id, sent.incident_number,
  sent.state, sent.reason, sent.audience, sent.attempts, sent.error, coalesce(u.name, p.recipient_name) as recipient_name, u.role as recipient_role`;
const joins = `left join users u on u.id = sent.user_id
  left join packages p on p.id = sent.package_id and sent.audience = 'recipient'`;

/** @param page SQL that selects and orders one page. Names are joined for these rows only. */
export const selectSent = (page: string): string =>
  `select ${columns} from (select * from ${sentRows} ${page}) sent ${joins} order by sent.id desc`;

export async function findSent(db: Queryable, id: string): Promise<SentRow | null> {
  const [row] = await db.query<SentRow>(selectSent('where id = $1'), [id]);
  return row ?? null;
}

interface MessageTextRow extends Omit<TextSource, 'recipient'> {
  channel: SlowChannel;
  content: MessageContent | null;
}

/** What the text of a message is made of, and the text if it was sent. */
export async function findMessageText(db: Queryable, id: string): Promise<MessageTextRow | null> {
  const [row] = await db.query<MessageTextRow>(
    `select m.channel, m.type, m.audience, m.parameters, m.language, m.package_id, m.incident_number, m.content, u.role
     from messages m left join users u on u.id = m.user_id where m.id = $1`,
    [id],
  );
  return row ?? null;
}

interface NotificationTextRow {
  type: string;
  audience: string | null;
  parameters: object | null;
  title: string;
  body: string;
}

/** The text of the notification that a delivery in the app has made. */
export async function findNotificationText(db: Queryable, deliveryId: string): Promise<NotificationTextRow | null> {
  const [row] = await db.query<NotificationTextRow>(
    `select n.type, n.audience, n.parameters, n.title, n.body
     from notification_deliveries d join notifications n on n.user_id = d.user_id and n.id = d.notification_id where d.id = $1`,
    [deliveryId],
  );
  return row ?? null;
}
