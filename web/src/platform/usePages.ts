import { useEffect, useEffectEvent } from 'react';
import { maxPages } from './search-params.ts';

type Pages = { pages: readonly { next: string | null; total?: number | null; isCapped?: boolean }[] } | undefined;

/** The part of an infinite query's result that is used here. */
interface PagedList {
  data: Pages;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** How many rows the whole list has; null while unknown, and where the server stopped counting. */
export function totalOf(data: Pages): number | null {
  const first = data?.pages[0];
  return first?.isCapped ? null : (first?.total ?? null);
}

/**
 * Loads as many pages of a list as the URL says, so that a reload and Back show as much as before.
 * @param target the page count in the URL
 * @param onTarget writes a new page count to the URL
 * @returns the props of `LoadMore`
 */
export function usePages(list: PagedList, target: number | undefined, onTarget: (pages: number) => void) {
  const loaded = list.data?.pages.length ?? 0;
  const isLoadingMore = loaded > 0 && loaded < (target ?? 1) && list.hasNextPage && !list.isFetchNextPageError;
  const loadNext = useEffectEvent(() => void list.fetchNextPage());
  const next = isLoadingMore && !list.isFetching;
  useEffect(() => {
    if (next) loadNext();
  }, [next]);
  return {
    total: list.data?.pages[0]?.total ?? null,
    isCapped: list.data?.pages[0]?.isCapped ?? false,
    hasMore: list.hasNextPage,
    loading: isLoadingMore || list.isFetchingNextPage,
    /** Loads one more page, or retries a failed one. Beyond the URL's maximum, pages are loaded without changing the URL. */
    onLoad: () => (loaded < (target ?? 1) || loaded >= maxPages ? void list.fetchNextPage() : onTarget(loaded + 1)),
  };
}
