import type { Channel, SentState } from '@waybill/contract';
import { dateRanges } from '../packages/search.ts';
import { choiceParam, IdParam, PagesParam, searchOf, TextParam } from '../platform/search-params.ts';

// Repeated here: every page loads this file, and the contract's list would add its schema to the bundle.
const states = ['queued', 'held', 'sent', 'delivered', 'failed', 'suppressed'] as const satisfies readonly SentState[];
const channels = ['in-app', 'email', 'sms', 'push'] as const satisfies readonly Channel[];

/** The search parameters of the user's own list. */
export const NotificationSearch = searchOf({ show: choiceParam(['unread']), pages: PagesParam });
export type NotificationSearch = ReturnType<typeof NotificationSearch>;

/** The filters of the notifications that were sent. */
export const AdminNotificationSearch = searchOf({
  /** Links of earlier versions: messages have had a page of their own since 0.3. */
  tab: choiceParam(['messages']),
  q: TextParam,
  state: choiceParam(states),
  channel: choiceParam(channels),
  kind: TextParam,
  date: choiceParam(dateRanges),
  pages: PagesParam,
  /** The id of the one that is open beside the list. */
  open: IdParam,
});
export type AdminNotificationSearch = ReturnType<typeof AdminNotificationSearch>;
