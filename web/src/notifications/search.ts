import type { ContactStatus, SentState } from '@waybill/contract';
import { catch as caught, enum as oneOf, object, optional } from 'zod/mini';
import type { output } from 'zod/mini';
import { dateRanges } from '../packages/filters.ts';
import { PagesParam, TextParam } from '../platform/search-params.ts';

// Repeated here: every page loads this file, and the contract's lists would add their schemas to the bundle.
const states = ['waiting', 'delivered', 'failed'] as const satisfies readonly SentState[];
const statuses = ['Open', 'Resolved'] as const satisfies readonly ContactStatus[];

/** The search parameters of the user's own list. */
export const NotificationSearch = object({ show: caught(optional(oneOf(['unread'])), undefined), pages: PagesParam });
export type NotificationSearch = output<typeof NotificationSearch>;

/** The administrators' tabs and filters: `status` is for messages, `state` and `kind` for deliveries, `q` and `date` for both. */
export const AdminNotificationSearch = object({
  tab: caught(optional(oneOf(['messages'])), undefined),
  q: TextParam,
  state: caught(optional(oneOf(states)), undefined),
  kind: TextParam,
  status: caught(optional(oneOf(statuses)), undefined),
  date: caught(optional(oneOf(dateRanges)), undefined),
  pages: PagesParam,
});
export type AdminNotificationSearch = output<typeof AdminNotificationSearch>;
