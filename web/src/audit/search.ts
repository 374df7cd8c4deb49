import { choiceParam, DayParam, PagesParam, searchOf, TextParam } from '../platform/search-params.ts';

/** URL parameters of the audit log. `q` is a person; `package` filters contact views, `act` the log. */
export const AuditSearch = searchOf({
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
export type AuditSearch = ReturnType<typeof AuditSearch>;
