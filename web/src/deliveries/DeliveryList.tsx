import { texts } from './texts.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { usePages } from '../platform/usePages.ts';
import { Card } from '../ui/Card.tsx';
import { classes } from '../ui/classes.ts';
import { LoadMore } from '../ui/LoadMore.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { DeliveryItem } from './DeliveryItem.tsx';
import { DeliveryListSkeleton } from './DeliveryListSkeleton.tsx';
import { DoneToday } from './DoneToday.tsx';
import type { OnAction } from './delivery-dialogs.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { deliveryListQuery, deliverySummaryQuery, useDoneToday } from './queries.ts';
import type { DeliveryListName } from './queries.ts';
import { StopRow } from './StopRow.tsx';

const NoDeliveries = lazyComponent(() =>
  importWithRetry(() => import('./NoDeliveries.tsx')).then((module) => module.NoDeliveries),
);

interface DeliveryListProps {
  list: DeliveryListName;
  q: string;
  /** Only deliveries on the road. */
  onTheRoad: boolean;
  /** Id of the next stop, shown above the list. */
  shownAbove: string | null;
  /** Something is to be delivered first: nothing else asks for the eye. */
  hasNext: boolean;
  /** Open stops as rows that lead to the stop. */
  phone: boolean;
  pages: number | undefined;
  onPages: (pages: number) => void;
  onAction: OnAction;
  onClearSearch: () => void;
  onShowPending: () => void;
}

export function DeliveryList({
  list,
  q,
  onTheRoad,
  shownAbove,
  hasNext,
  phone,
  pages,
  onPages,
  onAction,
  onClearSearch,
  onShowPending,
}: DeliveryListProps) {
  // 'mine' lists open deliveries only: completed ones are in DoneToday. A search covers both.
  const openOnly = list === 'mine' && q === '';
  const deliveries = useInfiniteQuery(deliveryListQuery(list, q, onTheRoad || openOnly));
  const { data: summary } = useQuery(deliverySummaryQuery());
  const done = openOnly && !onTheRoad && summary?.completed ? summary.completed : 0;
  const doneToday = useDoneToday({ enabled: phone && openOnly });
  const pending = useDelayedPending(deliveries.isPending);
  const more = usePages(deliveries, pages, onPages);
  const shown = deliveries.data?.pages.flatMap((page) => page.items) ?? [];

  if (pending) return <DeliveryListSkeleton />;
  if (deliveries.isError && !deliveries.data) {
    return (
      <Card>
        <QueryError query={deliveries} />
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {shown.length === 0 ? (
        <Card>
          <NoDeliveries
            list={list}
            searching={q !== ''}
            onlyDone={done > 0}
            onClearSearch={onClearSearch}
            onShowPending={onShowPending}
          />
        </Card>
      ) : (
        <Card flush>
          <h2 className="sr-only">{texts.deliveries}</h2>
          <ul
            aria-label={texts.deliveries}
            aria-busy={deliveries.isPlaceholderData}
            className={classes('divide-y divide-line transition-opacity', deliveries.isPlaceholderData && 'opacity-60')}
          >
            {shown.map((delivery, index) =>
              phone && delivery.status === 'in transit' ? (
                <StopRow
                  key={delivery.id}
                  delivery={delivery}
                  position={openOnly ? doneToday.count + index + 1 : null}
                />
              ) : (
                <DeliveryItem
                  key={delivery.id}
                  delivery={delivery}
                  shownAbove={delivery.id === shownAbove}
                  hasNext={hasNext}
                  onAction={onAction}
                />
              ),
            )}
          </ul>
          <LoadMore shown={shown.length} {...more} />
        </Card>
      )}
      {done > 0 && <DoneToday completed={done} onAction={onAction} />}
    </div>
  );
}
