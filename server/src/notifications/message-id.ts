import { createHash } from 'node:crypto';
import type { SlowChannel } from '@waybill/contract';

/**
 * A UUID of version 7 with the time of the event, whose other bits are a hash of event, person and channel: the same message has the same
 * id whoever queues it, and however often.
 */
export function messageId(at: Date, eventId: string, person: string, channel: SlowChannel): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(`${eventId} ${person} ${channel}`).digest('hex');
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
