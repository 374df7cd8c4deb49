import type { Notification } from '@waybill/contract';
import { Check } from 'lucide-react';
import { EventMark } from '../events/EventMark.tsx';
import { formatTime } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { noticeTexts } from './texts.ts';

interface NotificationItemProps {
  notification: Notification;
  /** The day, above the first one of it. */
  day: string | null;
  /** How long ago it was says more than the hour. */
  isToday: boolean;
  /** The page of its subject; null if the reader may not see it. */
  href: string | null;
  onRead: () => void;
}

/** Links to the notification's subject. Following the link marks it as read. */
export function NotificationItem({
  notification: { type, title, body, createdAt, readAt },
  day,
  isToday,
  href,
  onRead,
}: NotificationItemProps) {
  const unread = readAt === null;
  const words = noticeTexts();
  return (
    <li className="group/item">
      {day !== null && (
        <h2 className="border-b border-line bg-canvas px-4 py-1.5 text-table group-first/item:rounded-t-card font-semibold text-ink-2 sm:px-5">
          {day}
        </h2>
      )}
      <div className="relative flex items-start gap-3 px-4 py-3.5 transition-colors hover:bg-sunken/50 sm:px-5">
        <span className="relative mt-0.5">
          <EventMark type={type} coloured size="md" />
          {unread && (
            <span className="absolute -top-0.5 -right-0.5 size-2.5 rounded-full border-2 border-surface bg-brand" />
          )}
        </span>
        <div className="min-w-0 grow">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className={classes('text-ui', unread ? 'font-semibold text-ink' : 'font-medium text-ink-2')}>
              {href ? (
                <a
                  href={href}
                  onClick={unread ? onRead : undefined}
                  className="after:absolute after:inset-0 after:content-['']"
                >
                  {title}
                </a>
              ) : (
                title
              )}
              {unread && <span className="sr-only"> {words.isUnread}</span>}
            </h3>
            <span className="text-table text-ink-3">
              {isToday ? (
                <RelativeTime value={createdAt} align="end" />
              ) : (
                <time dateTime={createdAt} className="figures">
                  {formatTime(createdAt)}
                </time>
              )}
            </span>
          </div>
          <p className={classes('mt-0.5 text-ui text-ink-2 wrap-anywhere', unread && 'max-sm:pr-8')}>{body}</p>
        </div>
        {/* Keeps its width without the button, so that all times are aligned; on a phone it is below the time. */}
        <span className="relative -my-1.5 -mr-2 size-9 shrink-0 max-sm:absolute max-sm:right-4 max-sm:bottom-3 max-sm:empty:hidden">
          {unread && <IconButton size="sm" label={words.read} icon={<Check aria-hidden="true" />} onClick={onRead} />}
        </span>
      </div>
    </li>
  );
}
