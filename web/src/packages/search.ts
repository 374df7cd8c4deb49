import {
  choiceParam,
  FlagParam,
  IdParam,
  PagesParam,
  searchOf,
  sortsOf,
  TextParam,
} from '../platform/search-params.ts';

// Apart from filters.ts: every page loads the parameters of all, and the frame the range of dates.

/** `active` is set by its card only; the others by their cards and the dropdown. */
export const statusFilters = ['processing', 'in transit', 'delivered', 'cancelled', 'inactive', 'active'] as const;
export type StatusFilter = (typeof statusFilters)[number];

export const dateRanges = ['last-30-days', 'last-7-days', 'today'] as const;
export type DateRange = (typeof dateRanges)[number];

/** URL parameters of TroubleFilters, present only while they filter. */
export const troubleParams = {
  failed: FlagParam,
  overdue: FlagParam,
  atRisk: FlagParam,
  needsPin: FlagParam,
};

/** What the list can be sorted by, instead of being grouped. */
export const packageSorts = sortsOf(['name', 'recipientName', 'status', 'due', 'lastUpdate']);

/** The owner's filters as URL parameters. Absent ones do not filter. */
export const PackageSearch = searchOf({
  q: TextParam,
  status: choiceParam(statusFilters),
  date: choiceParam(dateRanges),
  ...troubleParams,
  sort: choiceParam(packageSorts),
  pages: PagesParam,
  /** The id of the package that is open beside the list. */
  open: IdParam,
});
export type PackageSearch = ReturnType<typeof PackageSearch>;

/** A date range as the API's query. */
export const dateQuery = (date: DateRange | undefined, now = new Date()) => ({
  from: date && startOfRange(date, now).toISOString(),
});

/** A range starts at the viewer's midnight. */
function startOfRange(range: DateRange, now: Date): Date {
  const daysBack = { today: 0, 'last-7-days': 7, 'last-30-days': 30 }[range];
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack);
}
