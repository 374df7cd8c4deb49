import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@tanstack/react-query';

/** What a page is asked for by: how many rows, from where, and whether the count of all is wanted. */
interface PageQuery {
  limit: number;
  cursor: string | undefined;
  count: boolean;
}

/** A list that is read page by page, each by the cursor that the one before gave; the first brings the count. */
export const pagedQuery = <P extends { next: string | null }>(
  queryKey: QueryKey,
  read: (page: PageQuery, signal: AbortSignal) => Promise<P>,
  limit = 20,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam: cursor }) =>
      read({ limit, cursor: cursor ?? undefined, count: cursor === null }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });
