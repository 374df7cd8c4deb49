import { useInfiniteQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { notificationListQuery, useReadAllNotifications } from './queries.ts';

/** There while something on the screen is unread. */
export function ReadAllButton() {
  const { data } = useInfiniteQuery(notificationListQuery());
  const readAll = useReadAllNotifications();
  const unread = data?.pages.some((page) => page.items.some((notification) => notification.readAt === null));
  if (!unread && !readAll.isPending) return null;
  return (
    <Button
      variant="secondary"
      icon={<CheckCheck aria-hidden="true" className="size-4" />}
      loading={readAll.isPending}
      onClick={() => readAll.mutate()}
    >
      Mark all as read
    </Button>
  );
}
