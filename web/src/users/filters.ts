import { roles, userStatuses } from '@waybill/contract';
import { catch as caught, enum as oneOf, number, object, optional, pipe, string, transform, union } from 'zod/mini';
import type { output } from 'zod/mini';

/** The filters of the user list, as they stand in the URL. What is left out does not filter. */
export const UserSearch = object({
  q: caught(optional(pipe(union([string(), number()]), transform(String))), undefined),
  role: caught(optional(oneOf(roles)), undefined),
  status: caught(optional(oneOf(userStatuses)), undefined),
});
export type UserSearch = output<typeof UserSearch>;
