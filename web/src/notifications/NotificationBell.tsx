import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rememberCounts, useLastSession } from '../platform/last-session.ts';
import { BellLink } from './BellLink.tsx';
import { unreadCountQuery, useLiveNotifications } from './queries.ts';

/** Links to the notifications and shows the unread count, which is updated live. Until it is known, that of the last session. */
export function NotificationBell() {
  useLiveNotifications();
  const { data } = useQuery(unreadCountQuery());
  const last = useLastSession();
  useEffect(() => {
    if (data !== undefined) rememberCounts({ unread: data });
  }, [data]);
  return <BellLink unread={data ?? last?.counts.unread ?? 0} />;
}
