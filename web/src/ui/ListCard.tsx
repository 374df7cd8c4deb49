import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Page } from '@waybill/contract';
import type { ReactNode } from 'react';
import { usePages } from '../platform/usePages.ts';
import { Card } from './Card.tsx';
import { classes } from './classes.ts';
import { LoadMore } from './LoadMore.tsx';
import type { LoadMoreProps } from './LoadMore.tsx';
import { QueryError } from './QueryError.tsx';
import { TableBox } from './TableBox.tsx';
import { useDelayedPending } from './useDelayedPending.ts';

interface ListCardProps<T> {
  list: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  /** The number of pages in the URL. */
  pages: number | undefined;
  onPages: (pages: number) => void;
  /** Shown while the first page loads, in the shape of the rows: of a table a TableSkeleton. */
  skeleton: ReactNode;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** The rows are a DataTable, which shows `more` at its foot. */
  table?: boolean;
  children: (items: T[], more: LoadMoreProps) => ReactNode;
}

/** A paged list: loading, error and empty state, or its rows with 'Load more'. */
export function ListCard<T>({ list, pages, onPages, skeleton, empty, table = false, children }: ListCardProps<T>) {
  const pending = useDelayedPending(list.isPending);
  const more = usePages(list, pages, onPages);
  if (pending) return table ? skeleton : <Card flush>{skeleton}</Card>;
  if (!list.data) {
    return (
      <Card>
        <QueryError query={list} />
      </Card>
    );
  }
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <Card>{empty}</Card>;
  const end = { shown: items.length, ...more };
  if (table) return <TableBox stale={list.isPlaceholderData}>{children(items, end)}</TableBox>;
  return (
    <Card flush>
      <div aria-busy={list.isPlaceholderData} className={classes(list.isPlaceholderData && 'opacity-60')}>
        {children(items, end)}
        <LoadMore {...end} />
      </div>
    </Card>
  );
}
