import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@tanstack/react-query';

/** The query parameters of one page: page size, cursor, and whether to return the total count. */
interface PageQuery {
  limit: number;
  cursor: string | undefined;
  count: boolean;
}

/** A list with cursor pagination: `next` of a page is the cursor of the following one. Only the first page requests the total count. */
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
