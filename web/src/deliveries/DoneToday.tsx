import { fill } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';
import { texts } from './texts.ts';
import { ChevronRight } from 'lucide-react';
import { Card } from '../ui/Card.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { DeliveryItem } from './DeliveryItem.tsx';
import type { OnAction } from './delivery-dialogs.ts';
import { useDoneToday } from './queries.ts';

/** Completed deliveries, kept out of the open list: today's are collapsed under their count, earlier ones are on their own tab. */
export function DoneToday({ completed, onAction }: { completed: number; onAction: OnAction }) {
  const { list, done, count: today } = useDoneToday();
  const earlier = completed - today;
  if (!list.data || (today === 0 && earlier <= 0)) return null;
  return (
    <Card flush>
      {today > 0 && (
        <details className="group">
          <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 px-5 py-3 text-ui font-semibold focus-visible:-outline-offset-2">
            <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
            {fill(texts.doneTodayCount, { count: formatCount(today) })}
          </summary>
          <ul aria-label={texts.doneToday} className="divide-y divide-line border-t border-line">
            {done.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} onAction={onAction} />
            ))}
          </ul>
          {list.hasNextPage && (
            <LoadMore
              shown={done.length}
              total={today}
              hasMore
              loading={list.isFetchingNextPage}
              onLoad={() => void list.fetchNextPage()}
            />
          )}
        </details>
      )}
      {earlier > 0 && (
        <p className="border-t border-line px-5 py-3 text-ui text-ink-2 first:border-0">
          <TextLink href="/driver/dashboard?show=completed">
            {fill(texts.doneEarlier, { count: formatCount(earlier) })}
          </TextLink>
        </p>
      )}
    </Card>
  );
}
