import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../platform/api.ts';
import { refresh, useHints } from '../platform/refresh.ts';

const pageSize = 50;
const rowsPageSize = 20;
const keys = { all: ['inventory'], places: ['inventory', 'places'], packages: ['inventory', 'packages'] };

/** Totals, what waits longest, and the places page by page: each page is of its moment, the totals shown are the first's. */
export const inventoryQuery = (q = '') =>
  infiniteQueryOptions({
    queryKey: [...keys.places, q],
    queryFn: ({ signal, pageParam }) =>
      api.inventory.read({ query: { q: q || undefined, limit: pageSize, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

/** @param place null for all places, '' for what has no location; @param status null for every one */
export const inventoryPackagesQuery = (place: string | null, status: string | null) =>
  infiniteQueryOptions({
    queryKey: [...keys.packages, place, status],
    queryFn: ({ signal, pageParam }) =>
      api.inventory.packages({
        query: {
          place: place ?? undefined,
          status: status ?? undefined,
          limit: rowsPageSize,
          cursor: pageParam ?? undefined,
          count: pageParam === null,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

export const refreshInventory = () => refresh(keys.all);

export const useLiveInventory = () => useHints('package', refreshInventory);
