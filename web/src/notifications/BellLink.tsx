import { fill } from '@waybill/contract';
import { Bell } from 'lucide-react';
import { texts } from '../platform/texts.ts';
import { CountDot } from '../ui/CountDot.tsx';

/** The link to the user's notifications with the number of unread ones; sized in em, so that it grows with the reader's text. */
export function BellLink({ unread }: { unread: number }) {
  return (
    <a
      href="/notifications"
      title={texts.frame.yourNotifications}
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
    >
      <Bell aria-hidden="true" className="size-5" />
      <span className="sr-only">
        {unread > 0 ? fill(texts.frame.unread, { count: unread }) : texts.frame.yourNotifications}
      </span>
      {unread > 0 && <CountDot count={unread} />}
    </a>
  );
}
