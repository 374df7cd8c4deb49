import type { Channel, SentState } from '@waybill/contract';
import { catch as caught, enum as oneOf, object, optional } from 'zod/mini';
import type { output } from 'zod/mini';
import { dateRanges } from '../packages/search.ts';
import { IdParam, PagesParam, TextParam } from '../platform/search-params.ts';

// Repeated here: every page loads this file, and the contract's list would add its schema to the bundle.
const states = ['queued', 'held', 'sent', 'delivered', 'failed', 'suppressed'] as const satisfies readonly SentState[];
const channels = ['in-app', 'email', 'sms', 'push'] as const satisfies readonly Channel[];

/** The search parameters of the user's own list. */
export const NotificationSearch = object({ show: caught(optional(oneOf(['unread'])), undefined), pages: PagesParam });
export type NotificationSearch = output<typeof NotificationSearch>;

/** The filters of the notifications that were sent. */
export const AdminNotificationSearch = object({
  /** Links of earlier versions: messages have had a page of their own since 0.3. */
  tab: caught(optional(oneOf(['messages'])), undefined),
  q: TextParam,
  state: caught(optional(oneOf(states)), undefined),
  channel: caught(optional(oneOf(channels)), undefined),
  kind: TextParam,
  date: caught(optional(oneOf(dateRanges)), undefined),
  pages: PagesParam,
  /** The id of the one that is open beside the list. */
  open: IdParam,
});
export type AdminNotificationSearch = output<typeof AdminNotificationSearch>;
