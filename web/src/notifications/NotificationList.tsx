import { useInfiniteQuery } from '@tanstack/react-query';
import { BellOff, CheckCheck } from 'lucide-react';
import { useSession } from '../platform/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
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

export function NotificationList({ search, onPages }: NotificationListProps) {
  const unread = search.show === 'unread';
  const session = useSession();
  const words = noticeTexts();
  const list = useInfiniteQuery(notificationListQuery(unread));
  const read = useReadNotification();
  const empty = unread ? (
    <EmptyState icon={<CheckCheck />} title={words.nothingUnread} description={words.nothingUnreadText} />
  ) : (
    <EmptyState icon={<BellOff />} title={words.none} description={words.noneText} />
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
          {shown.map((notification) => (
            <NotificationItem
              key={notification.id}
              notification={notification}
              href={linkOf(notification, session)}
              onRead={() => read.mutate(notification.id)}
            />
          ))}
        </ul>
      )}
    </ListCard>
  );
}
