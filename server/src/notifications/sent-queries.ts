import type { Channel, Role, SentNotification, SentState } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import type { Actor } from '../platform/auth/sessions.ts';
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
  state: DeliveryState;
  attempts: number;
  error: string | null;
}

/** The names of the stored states on the wire. */
const wireStates = { queued: 'waiting', delivered: 'delivered', failed: 'failed' } as const satisfies Record<
  DeliveryState,
  SentState
>;
const storedStates: Record<SentState, DeliveryState> = { waiting: 'queued', delivered: 'delivered', failed: 'failed' };
export const storedStateOf = (state: SentState): DeliveryState => storedStates[state];

export const asSent = (reader: Actor, row: SentRow): SentNotification => ({
  id: row.id,
  at: row.at.toISOString(),
  type: row.type,
  recipient: { id: row.recipient_id, name: row.recipient_name, role: row.recipient_role ?? 'admin' },
  packageId: row.package_id,
  trackingId: visibleTrackingId(reader, row.tracking_id, false),
  incidentId: row.incident_number,
  channel: row.channel,
  state: wireStates[row.state],
  attempts: row.attempts,
  error: row.error,
});

const columns = `sent.id, sent.at, sent.type, sent.channel, sent.user_id as recipient_id, sent.package_id, sent.tracking_id, sent.incident_number,
  sent.state, sent.attempts, sent.error, u.name as recipient_name, u.role as recipient_role`;
const joins = 'left join users u on u.id = sent.user_id';

/** @param page SQL that selects and orders one page of deliveries. Names are joined for these rows only. */
export const selectSent = (page: string): string =>
  `select ${columns} from (select * from notification_deliveries ${page}) sent ${joins} order by sent.id desc`;

export async function findSent(db: Queryable, id: string): Promise<SentRow | null> {
  const [row] = await db.query<SentRow>(selectSent('where id = $1'), [id]);
  return row ?? null;
}
