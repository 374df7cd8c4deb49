import type { ContactStatus } from '@waybill/contract';
import { object } from 'zod/mini';
import type { output } from 'zod/mini';
import { dateRanges } from '../packages/search.ts';
import { PagesParam, TextParam, choiceParam } from '../platform/search-params.ts';

// Repeated here: every page loads this file, and the contract's list would add its schema to the bundle.
const statuses = ['Open', 'Resolved'] as const satisfies readonly ContactStatus[];

/** URL parameters of the message filters. */
export const MessageSearch = object({
  q: TextParam,
  status: choiceParam(statuses),
  date: choiceParam(dateRanges),
  pages: PagesParam,
});
export type MessageSearch = output<typeof MessageSearch>;
