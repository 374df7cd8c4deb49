import { roles, userStatuses } from '@waybill/contract';
import { catch as caught, enum as oneOf, literal, object, optional } from 'zod/mini';
import type { output } from 'zod/mini';
import { IdParam, PagesParam, choiceParam, sortsOf, TextParam } from '../platform/search-params.ts';

/** What the list can be sorted by. */
export const userSorts = sortsOf(['name', 'email', 'role', 'status', 'lastLogin']);

/** The filters of the user list in the URL. An absent one does not filter. */
export const UserSearch = object({
  q: TextParam,
  role: caught(optional(oneOf(roles)), undefined),
  status: caught(optional(oneOf(userStatuses)), undefined),
  /** Only accounts that await approval. */
  awaitsApproval: caught(optional(literal(true)), undefined),
  sort: choiceParam(userSorts),
  pages: PagesParam,
  /** The id of the account whose permissions are shown. */
  open: IdParam,
});
export type UserSearch = output<typeof UserSearch>;
