import { api } from '../platform/api.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useHints } from '../platform/refresh.ts';

const keys = { all: ['inventory'], places: ['inventory', 'places'], packages: ['inventory', 'packages'] };

/** Totals, what waits longest, and the places page by page: each page is of its moment, the totals shown are the first's. */
export const inventoryQuery = (q = '') =>
  pagedQuery(
    [...keys.places, q],
    ({ limit, cursor }, signal) => api.inventory.read({ query: { q: q || undefined, limit, cursor }, signal }),
    50,
  );

/** @param place null for all places, '' for what has no location; @param status null for every one */
export const inventoryPackagesQuery = (place: string | null, status: string | null) =>
  pagedQuery([...keys.packages, place, status], (page, signal) =>
    api.inventory.packages({ query: { place: place ?? undefined, status: status ?? undefined, ...page }, signal }),
  );

export const refreshInventory = () => refresh(keys.all);

export const useLiveInventory = () => useHints('package', refreshInventory);
