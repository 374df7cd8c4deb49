import { useEffect, useEffectEvent } from 'react';
import { maxPages } from './search-params.ts';

/** What is asked of an infinite query. */
interface PagedList {
  data: { pages: readonly { next: string | null; total?: number | null }[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/**
 * Shows as many pages of a list as its address says, so that a reload and the way back show as much as before.
 * @param wanted how many that are
 * @param onWanted puts another number into the address
 * @returns what `LoadMore` is given
 */
export function usePages(list: PagedList, wanted: number | undefined, onWanted: (pages: number) => void) {
  const loaded = list.data?.pages.length ?? 0;
  const missing = loaded > 0 && loaded < (wanted ?? 1) && list.hasNextPage && !list.isFetchNextPageError;
  const loadNext = useEffectEvent(() => void list.fetchNextPage());
  const next = missing && !list.isFetching;
  useEffect(() => {
    if (next) loadNext();
  }, [next]);
  return {
    total: list.data?.pages[0]?.total ?? null,
    hasMore: list.hasNextPage,
    loading: missing || list.isFetchingNextPage,
    /** One page more; also again, after one could not be loaded. What is more than an address remembers is loaded all the same. */
    onLoad: () => (loaded < (wanted ?? 1) || loaded >= maxPages ? void list.fetchNextPage() : onWanted(loaded + 1)),
  };
}
