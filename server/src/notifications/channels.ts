import type { Channel } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import { insertNotifications, type NewNotification } from './queries.ts';

/**
 * Delivers notifications, all of which their users want by this channel, in the transaction of the channel's job. If it throws, the queue
 * retries the job. Must be idempotent per user and event: a job may also run again after it succeeded.
 *
 * @returns the notifications that this run delivered
 */
type Deliver = (tx: Tx, notifications: NewNotification[]) => Promise<NewNotification[]>;

export const deliverBy: Record<Channel, Deliver> = {
  'in-app': insertNotifications,
};
