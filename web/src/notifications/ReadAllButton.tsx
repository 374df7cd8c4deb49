import { useQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { unreadCountQuery, useReadAllNotifications } from './queries.ts';
import { noticeTexts } from './texts.ts';

/** Shown only while there are unread notifications. */
export function ReadAllButton() {
  const { data: unread = 0 } = useQuery(unreadCountQuery());
  const readAll = useReadAllNotifications();
  if (unread === 0 && !readAll.isPending) return null;
  return (
    <Button
      variant="secondary"
      icon={<CheckCheck aria-hidden="true" className="size-4" />}
      loading={readAll.isPending}
      onClick={() => readAll.mutate()}
    >
      {noticeTexts().readAll}
    </Button>
  );
}
