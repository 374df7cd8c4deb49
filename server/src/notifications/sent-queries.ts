import type { Channel, Role, SentNotification, SentState } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { DeliveryState } from './deliveries.ts';
import { shownTrackingId } from './queries.ts';

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

/** The states by their names on the wire. */
const onWire = { queued: 'waiting', delivered: 'delivered', failed: 'failed' } as const satisfies Record<
  DeliveryState,
  SentState
>;
const states: Record<SentState, DeliveryState> = { waiting: 'queued', delivered: 'delivered', failed: 'failed' };
export const stateNamed = (state: SentState): DeliveryState => states[state];

export const asSent = (reader: Actor, row: SentRow): SentNotification => ({
  id: row.id,
  at: row.at.toISOString(),
  type: row.type,
  recipient: { id: row.recipient_id, name: row.recipient_name, role: row.recipient_role ?? 'admin' },
  packageId: row.package_id,
  trackingId: shownTrackingId(reader, row.tracking_id, false),
  incidentId: row.incident_number,
  channel: row.channel,
  state: onWire[row.state],
  attempts: row.attempts,
  error: row.error,
});

const columns = `sent.id, sent.at, sent.type, sent.channel, sent.user_id as recipient_id, sent.package_id, sent.incident_number,
  sent.state, sent.attempts, sent.error, u.name as recipient_name, u.role as recipient_role, p.tracking_id`;
const more = 'left join users u on u.id = sent.user_id left join packages p on p.id = sent.package_id';

/** @param page which, in what order; names are looked up for what is on it only */
export const selectSent = (page: string): string =>
  `select ${columns} from (select * from notification_deliveries ${page}) sent ${more} order by sent.id desc`;

export async function findSent(db: Queryable, id: string): Promise<SentRow | null> {
  const [row] = await db.query<SentRow>(selectSent('where id = $1'), [id]);
  return row ?? null;
}
