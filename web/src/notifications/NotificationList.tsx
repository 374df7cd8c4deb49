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

interface NotificationListProps {
  search: NotificationSearch;
  onPages: (pages: number) => void;
}

export function NotificationList({ search, onPages }: NotificationListProps) {
  const unread = search.show === 'unread';
  const session = useSession();
  const list = useInfiniteQuery(notificationListQuery(unread));
  const read = useReadNotification();
  const empty = unread ? (
    <EmptyState icon={<CheckCheck />} title="Nothing is unread" description="What comes in next, you find here." />
  ) : (
    <EmptyState icon={<BellOff />} title="No notifications yet" description="What you are told, you read here." />
  );
  return (
    <ListCard list={list} pages={search.pages} onPages={onPages} skeleton={<NotificationListSkeleton />} empty={empty}>
      {(shown) => (
        <ul aria-label="Notifications" className="divide-y divide-line">
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
