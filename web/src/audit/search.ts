import { object } from 'zod/mini';
import type { output } from 'zod/mini';
import { DayParam, PagesParam, TextParam, choiceParam } from '../platform/search-params.ts';

/** URL parameters of the audit log. `q` is a person; `package` filters contact views, `act` the log. */
export const AuditSearch = object({
  tab: choiceParam(['contacts']),
  q: TextParam,
  act: TextParam,
  package: TextParam,
  from: DayParam,
  to: DayParam,
  pages: PagesParam,
  /** The number of the entry that is open beside the log. */
  open: TextParam,
});
export type AuditSearch = output<typeof AuditSearch>;
