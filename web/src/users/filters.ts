import { roles, userStatuses } from '@waybill/contract';
import {
  choiceParam,
  FlagParam,
  IdParam,
  PagesParam,
  searchOf,
  sortsOf,
  TextParam,
} from '../platform/search-params.ts';

/** What the list can be sorted by. */
export const userSorts = sortsOf(['name', 'email', 'role', 'status', 'lastLogin']);

/** The filters of the user list in the URL. An absent one does not filter. */
export const UserSearch = searchOf({
  q: TextParam,
  role: choiceParam(roles),
  status: choiceParam(userStatuses),
  /** Only accounts that await approval. */
  awaitsApproval: FlagParam,
  sort: choiceParam(userSorts),
  pages: PagesParam,
  /** The id of the account whose permissions are shown. */
  open: IdParam,
});
export type UserSearch = ReturnType<typeof UserSearch>;
