import type { UserSearch } from './filters.ts';

/** Not in filters.ts, which every page loads. */
export const isFiltered = ({ q, role, status, awaitsApproval }: UserSearch) =>
  Boolean(q || role || status || awaitsApproval);
