import type { ContactMessage, ContactStatus } from '@waybill/contract';
import { CircleAlert, CircleCheck, Reply, RotateCcw } from 'lucide-react';
import { TrackingId } from '../packages/TrackingId.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';

interface MessageItemProps {
  message: ContactMessage;
  moving: boolean;
  onMove: (status: ContactStatus) => void;
}

/** One message with its two actions: reply, and resolve or reopen. */
export function MessageItem({ message, moving, onMove }: MessageItemProps) {
  const { id, status, name, email, trackingId, resolvedBy } = message;
  const open = status === 'Open';
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex items-start justify-between gap-x-4">
        <div className="min-w-0">
          <h2 className="text-body font-semibold text-ink wrap-anywhere">
            <span className="figures font-normal text-ink-3">#{id}</span> {name}
          </h2>
          <p className="text-table text-ink-3 wrap-anywhere">
            {email} · <RelativeTime value={message.time} />
            {trackingId && (
              <>
                <span className="max-sm:hidden"> · </span>
                <span className="max-sm:block">
                  <TrackingId id={trackingId} href={`/track/${encodeURIComponent(trackingId)}`} />
                </span>
              </>
            )}
          </p>
        </div>
        <Badge
          tone={open ? 'red' : 'green'}
          icon={open ? <CircleAlert aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
        >
          {status}
        </Badge>
      </div>
      <p className="max-w-prose text-ui text-ink-2 whitespace-pre-line wrap-anywhere">{message.message}</p>
      <div className="flex flex-wrap items-center gap-2">
        <LinkButton
          size="sm"
          variant="secondary"
          href={replyHref(message)}
          aria-label={`Reply to message ${id}`}
          icon={<Reply aria-hidden="true" className="size-4" />}
        >
          Reply
        </LinkButton>
        <Button
          size="sm"
          variant={open ? 'secondary' : 'ghost'}
          loading={moving}
          aria-label={`${open ? 'Resolve' : 'Reopen'} message ${id}`}
          icon={
            open ? (
              <CircleCheck aria-hidden="true" className="size-4" />
            ) : (
              <RotateCcw aria-hidden="true" className="size-4" />
            )
          }
          onClick={() => onMove(open ? 'Resolved' : 'Open')}
        >
          {open ? 'Resolve' : 'Reopen'}
        </Button>
        {!open && message.resolvedAt && (
          <span className="text-table text-ink-3">
            Resolved {resolvedBy && `by ${resolvedBy} `}
            <RelativeTime value={message.resolvedAt} />
          </span>
        )}
      </div>
    </li>
  );
}

/** mailto: link. URL-encoded, so that an address cannot inject mail headers. */
const replyHref = ({ id, email }: ContactMessage) =>
  `mailto:${email.split('@').map(encodeURIComponent).join('@')}?subject=${encodeURIComponent(`Re: your message #${id} to Waybill`)}`;
