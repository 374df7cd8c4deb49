import type { Channel } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import { insertNotifications, type NewNotification } from './queries.ts';

/**
 * Delivers notifications that their users want by this channel, in the transaction of the channel's job. A fault makes the queue retry the
 * job. A job may run again after it succeeded, too: what was delivered before must not be delivered twice.
 *
 * @returns those that are delivered now
 */
type Deliver = (tx: Tx, notifications: NewNotification[]) => Promise<NewNotification[]>;

export const deliverBy: Record<Channel, Deliver> = {
  'in-app': insertNotifications,
};
