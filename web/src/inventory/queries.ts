import type { InventorySearch } from './search.ts';
import { api } from '../platform/api.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';

const keys = { all: ['inventory'], places: ['inventory', 'places'], packages: ['inventory', 'packages'] };

/** Totals, the longest waiting packages, and a page of places. Each page is a snapshot of its own; the first one's totals are shown. */
export const inventoryQuery = (q = '') =>
  pagedQuery(
    [...keys.places, q],
    ({ limit, cursor }, signal) => api.inventory.read({ query: { q: q || undefined, limit, cursor }, signal }),
    50,
  );

/** The packages of a place and status, or of a search. Without `place`: all places; '': packages without a location. */
export const inventoryPackagesQuery = ({ place, status, find, failed, overdue, atRisk, needsPin }: InventorySearch) =>
  pagedQuery([...keys.packages, { place, status, find, failed, overdue, atRisk, needsPin }], (page, signal) =>
    api.inventory.packages({ query: { place, status, q: find, failed, overdue, atRisk, needsPin, ...page }, signal }),
  );

export const refreshInventory = () => refresh(keys.all);

export const useLiveInventory = () => useInvalidation('package', refreshInventory);
