import { useInfiniteQuery } from '@tanstack/react-query';
import type { Notification } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { formatDayWord, localDay } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { linkOf } from './link.ts';
import { NotificationItem } from './NotificationItem.tsx';
import { NotificationListSkeleton } from './NotificationListSkeleton.tsx';
import { notificationListQuery, useReadNotification } from './queries.ts';
import type { NotificationSearch } from './search.ts';
import { noticeTexts } from './texts.ts';

interface NotificationListProps {
  search: NotificationSearch;
  onPages: (pages: number) => void;
}

/** 'Today' above the first one of today; null where the one above is of the same day. */
function newDay({ createdAt }: Notification, above: Notification | undefined, today: Date): string | null {
  const dayOf = (at: string) => localDay(new Date(at));
  return above && dayOf(above.createdAt) === dayOf(createdAt) ? null : formatDayWord(createdAt, today);
}

export function NotificationList({ search, onPages }: NotificationListProps) {
  const unread = search.show === 'unread';
  const session = useSession();
  const words = noticeTexts();
  const list = useInfiniteQuery(notificationListQuery(unread));
  const read = useReadNotification();
  const today = useToday();
  const empty = unread ? (
    <EmptyState
      drawing={<ParcelDrawing kind="done" />}
      title={words.nothingUnread}
      description={words.nothingUnreadText}
    />
  ) : (
    <EmptyState drawing={<ParcelDrawing kind="open" />} title={words.none} description={words.noneText} />
  );
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      skeleton={<NotificationListSkeleton label={words.loading} />}
      empty={empty}
    >
      {(shown) => (
        <ul aria-label={words.title} className="divide-y divide-line">
          {shown.map((notification, index) => (
            <NotificationItem
              key={notification.id}
              notification={notification}
              day={newDay(notification, shown[index - 1], today)}
              isToday={localDay(new Date(notification.createdAt)) === localDay(today)}
              href={linkOf(notification, session)}
              onRead={() => read.mutate(notification.id)}
            />
          ))}
        </ul>
      )}
    </ListCard>
  );
}
