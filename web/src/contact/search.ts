import type { ContactStatus } from '@waybill/contract';
import { dateRanges } from '../packages/search.ts';
import { choiceParam, PagesParam, searchOf, TextParam } from '../platform/search-params.ts';

// Repeated here: every page loads this file, and the contract's list would add its schema to the bundle.
const statuses = ['Open', 'Resolved'] as const satisfies readonly ContactStatus[];

/** URL parameters of the message filters. */
export const MessageSearch = searchOf({
  q: TextParam,
  status: choiceParam(statuses),
  date: choiceParam(dateRanges),
  pages: PagesParam,
});
export type MessageSearch = ReturnType<typeof MessageSearch>;
