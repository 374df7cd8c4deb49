import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { unreadCountQuery, useLiveNotifications } from './queries.ts';

const maxShown = 99;

/** Links to the notifications and shows the unread count, which is updated live. */
export function NotificationBell() {
  useLiveNotifications();
  const { data: unread = 0 } = useQuery(unreadCountQuery());
  return (
    <a
      href="/notifications"
      title="Your notifications"
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
    >
      <Bell aria-hidden="true" className="size-5" />
      <span className="sr-only">Your notifications{unread > 0 && `, ${unread} unread`}</span>
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-1.5 left-1/2 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-brand px-1 text-[0.6875rem] leading-none font-semibold text-on-brand ring-2 ring-canvas figures"
        >
          {unread > maxShown ? `${maxShown}+` : unread}
        </span>
      )}
    </a>
  );
}
