import { useInfiniteQuery } from '@tanstack/react-query';
import type { WaitingFilter } from '@waybill/contract';
import { queryClient } from '../platform/query-client.ts';
import { waitingQuery, nameOfOwner } from './queries.ts';

/** The loaded groups of what waits, and the sum of all. */
export function useWaiting(filter: WaitingFilter) {
  const { data } = useInfiniteQuery(waitingQuery(filter));
  return {
    groups: data?.pages.flatMap((page) => page.groups) ?? [],
    matching: data?.pages[0] ?? { packages: 0, kilograms: 0 },
    ownerName: filter.ownerId === undefined ? null : nameOfOwner(queryClient, filter.ownerId),
  };
}
