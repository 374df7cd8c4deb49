import { useInfiniteQuery } from '@tanstack/react-query';
import { usePages } from '../platform/usePages.ts';
import { Card } from '../ui/Card.tsx';
import { classes } from '../ui/classes.ts';
import { LoadMore } from '../ui/LoadMore.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { useHeldPending } from '../ui/useHeldPending.ts';
import { DeliveryItem } from './DeliveryItem.tsx';
import { DeliveryListSkeleton } from './DeliveryListSkeleton.tsx';
import type { Ask } from './delivery-dialogs.ts';
import { NoDeliveries } from './NoDeliveries.tsx';
import { deliveryListQuery } from './queries.ts';
import type { DeliveryListName } from './queries.ts';

interface DeliveryListProps {
  list: DeliveryListName;
  q: string;
  /** Only what the driver carries now. */
  onTheRoad: boolean;
  /** The delivery that stands on the screen already, as the next stop. */
  shownAbove: string | null;
  pages: number | undefined;
  onPages: (pages: number) => void;
  onAsk: Ask;
  onClearSearch: () => void;
  onShowPending: () => void;
}

export function DeliveryList({
  list,
  q,
  onTheRoad,
  shownAbove,
  pages,
  onPages,
  onAsk,
  onClearSearch,
  onShowPending,
}: DeliveryListProps) {
  const deliveries = useInfiniteQuery(deliveryListQuery(list, q, onTheRoad));
  const pending = useHeldPending(deliveries.isPending);
  const more = usePages(deliveries, pages, onPages);
  const all = deliveries.data?.pages.flatMap((page) => page.items) ?? [];
  const shown = all.filter((delivery) => delivery.id !== shownAbove);

  if (pending) return <DeliveryListSkeleton />;
  if (deliveries.isError && !deliveries.data) {
    return (
      <Card>
        <QueryError query={deliveries} />
      </Card>
    );
  }
  if (all.length === 0) {
    return (
      <Card>
        <NoDeliveries list={list} searching={q !== ''} onClearSearch={onClearSearch} onShowPending={onShowPending} />
      </Card>
    );
  }
  return (
    <Card flush>
      <h2 className="sr-only">Deliveries</h2>
      {shown.length === 0 ? (
        <p className="px-5 pt-6 text-center text-ui text-ink-2">Your next stop above is the only one.</p>
      ) : (
        <ul
          aria-label="Deliveries"
          aria-busy={deliveries.isPlaceholderData}
          className={classes('divide-y divide-line transition-opacity', deliveries.isPlaceholderData && 'opacity-60')}
        >
          {shown.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} onAsk={onAsk} />
          ))}
        </ul>
      )}
      <div className={classes(shown.length > 0 && 'border-t border-line')}>
        <LoadMore shown={all.length} {...more} />
      </div>
    </Card>
  );
}
