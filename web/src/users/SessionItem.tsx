import type { Session } from '@waybill/contract';
import { Button } from '../ui/Button.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { nameOfBrowser } from '../platform/browser-name.ts';

interface SessionItemProps {
  session: Session;
  /** Whether the session is being ended. */
  ending: boolean;
  onEnd: () => void;
}

/** One session of an account. The current session has no button: signing out ends it. */
export function SessionItem({ session, ending, onEnd }: SessionItemProps) {
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p className="text-ui font-medium">{nameOfBrowser(session.userAgent)}</p>
        <p className="text-table text-ink-3">
          Signed in <RelativeTime value={session.createdAt} />
          {session.address && <span className="wrap-anywhere"> from {session.address}</span>}, last used{' '}
          <RelativeTime value={session.lastUsedAt} />
        </p>
      </div>
      {session.current ? (
        <span className="text-ui text-ink-2">This device</span>
      ) : (
        <Button variant="secondary" loading={ending} onClick={onEnd}>
          End session
        </Button>
      )}
    </li>
  );
}
