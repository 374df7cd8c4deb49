import { useInfiniteQuery } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import { BellOff } from 'lucide-react';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { useHeldPending } from '../ui/useHeldPending.ts';
import { NotificationItem } from './NotificationItem.tsx';
import { NotificationListSkeleton } from './NotificationListSkeleton.tsx';
import { notificationListQuery, useReadNotification } from './queries.ts';

export function NotificationList() {
  const list = useInfiniteQuery(notificationListQuery());
  const pending = useHeldPending(list.isPending);
  const read = useReadNotification();
  const shown = list.data?.pages.flatMap((page) => page.items) ?? [];

  if (pending) return <NotificationListSkeleton />;
  if (list.isError && !list.data) {
    return (
      <Card>
        <ErrorState
          message={list.error.message}
          requestId={list.error instanceof ApiError ? list.error.requestId : null}
          retrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      </Card>
    );
  }
  if (shown.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<BellOff />}
          title="No notifications yet"
          description="When the status of a package changes, you read it here."
        />
      </Card>
    );
  }
  return (
    <Card flush>
      <ul aria-label="Notifications" className="divide-y divide-line">
        {shown.map((notification) => (
          <NotificationItem
            key={notification.id}
            notification={notification}
            onRead={() => read.mutate(notification.id)}
          />
        ))}
      </ul>
      <div className="border-t border-line">
        <LoadMore
          shown={shown.length}
          total={list.data?.pages[0]?.total ?? null}
          hasMore={list.hasNextPage}
          loading={list.isFetchingNextPage}
          onLoad={() => void list.fetchNextPage()}
        />
      </div>
    </Card>
  );
}
