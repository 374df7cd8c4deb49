import type { PackageStatus } from '@waybill/contract';
import { dateQuery, packageSorts } from './search.ts';
import type { PackageSearch } from './search.ts';

export const dateOptions = [
  { value: 'last-30-days', label: 'Last 30 Days' },
  { value: 'last-7-days', label: 'Last 7 Days' },
  { value: 'today', label: 'Today' },
  { value: 'all', label: 'All Time' },
] as const;

export const isFiltered = ({ q, status, date, failed, overdue, atRisk, needsPin }: PackageSearch) =>
  Boolean(q || status || date || failed || overdue || atRisk || needsPin);

/** The default list. Deleted packages (inactive) have a filter of their own. */
const notDeleted: readonly PackageStatus[] = ['processing', 'in transit', 'out for delivery', 'delivered', 'cancelled'];

/** The filters as the API's query. 'in transit' includes the next stop ('out for delivery'). */
export function toQuery({ q, status, date, failed, overdue, atRisk, needsPin }: PackageSearch, now = new Date()) {
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
    atRisk,
    needsPin,
    ...dateQuery(date, now),
  };
}

/** The value of a sort parameter; undefined for the usual groups. */
export const sortOf = (text: string | undefined): PackageSearch['sort'] => packageSorts.find((sort) => sort === text);
