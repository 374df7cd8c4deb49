import type { PackageStatus } from '@waybill/contract';
import { catch as caught, enum as oneOf, literal, object, optional, uuid } from 'zod/mini';
import type { output } from 'zod/mini';
import { PagesParam, TextParam } from '../platform/search-params.ts';

/** `active` is set by its card only; the others by their cards and the dropdown. */
export const statusFilters = ['processing', 'in transit', 'delivered', 'cancelled', 'inactive', 'active'] as const;
export type StatusFilter = (typeof statusFilters)[number];

export const dateRanges = ['last-30-days', 'last-7-days', 'today'] as const;
export type DateRange = (typeof dateRanges)[number];

export const dateOptions = [
  { value: 'last-30-days', label: 'Last 30 Days' },
  { value: 'last-7-days', label: 'Last 7 Days' },
  { value: 'today', label: 'Today' },
  { value: 'all', label: 'All Time' },
] as const;

/** URL parameters of TroubleFilters, present only while they filter. */
export const troubleParams = {
  failed: caught(optional(literal(true)), undefined),
  overdue: caught(optional(literal(true)), undefined),
};

const sortFields = ['name', 'recipientName', 'status', 'due', 'lastUpdate'] as const;
/** What the list can be sorted by, instead of being grouped; a `-` before it: descending. */
const sorts = sortFields.flatMap((field) => [field, `-${field}`] as const);

/** The owner's filters as URL parameters. Absent ones do not filter. */
export const PackageSearch = object({
  q: TextParam,
  status: caught(optional(oneOf(statusFilters)), undefined),
  date: caught(optional(oneOf(dateRanges)), undefined),
  ...troubleParams,
  sort: caught(optional(oneOf(sorts)), undefined),
  pages: PagesParam,
  /** The id of the package that is open beside the list. */
  open: caught(optional(uuid()), undefined),
});
export type PackageSearch = output<typeof PackageSearch>;

export const isFiltered = ({ q, status, date, failed, overdue }: PackageSearch) =>
  Boolean(q || status || date || failed || overdue);

/** The default list. Deleted packages (inactive) have a filter of their own. */
const notDeleted: readonly PackageStatus[] = ['processing', 'in transit', 'out for delivery', 'delivered', 'cancelled'];

/** The filters as the API's query. 'in transit' includes the next stop ('out for delivery'). */
export function toQuery({ q, status, date, failed, overdue }: PackageSearch, now = new Date()) {
  const statuses = {
    processing: 'processing',
    'in transit': 'in transit,out for delivery',
    delivered: 'delivered',
    cancelled: 'cancelled',
    active: 'active',
    inactive: 'inactive',
  };
  return {
    q: q || undefined,
    status: status ? statuses[status] : notDeleted.join(','),
    failed,
    overdue,
    ...dateQuery(date, now),
  };
}

/** A date range as the API's query. */
export const dateQuery = (date: DateRange | undefined, now = new Date()) => ({
  from: date && startOfRange(date, now).toISOString(),
});

/** A range starts at the viewer's midnight. */
function startOfRange(range: DateRange, now: Date): Date {
  const daysBack = { today: 0, 'last-7-days': 7, 'last-30-days': 30 }[range];
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack);
}

/** The value of a sort parameter; undefined for the usual groups. */
export const sortOf = (text: string | undefined): PackageSearch['sort'] => sorts.find((sort) => sort === text);
