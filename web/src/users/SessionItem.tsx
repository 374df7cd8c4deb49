import type { Session } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { fill } from '@waybill/contract';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { nameOfBrowser } from '../platform/browser-name.ts';

interface SessionItemProps {
  words: Texts['account']['sessions'];
  session: Session;
  /** Whether the session is being ended. */
  ending: boolean;
  onEnd: () => void;
}

/** One session of an account. The current session has no button: signing out ends it. */
export function SessionItem({ words, session, ending, onEnd }: SessionItemProps) {
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p className="text-ui font-medium">{nameOfBrowser(session.userAgent, words)}</p>
        <p className="text-table text-ink-3">
          {filledWith(words.signedIn, <RelativeTime value={session.createdAt} />)}
          {session.address && <span className="wrap-anywhere"> {fill(words.from, { address: session.address })}</span>}
          {!session.current && (
            <>
              {', '}
              {filledWith(words.lastUsed, <RelativeTime value={session.lastUsedAt} />)}
            </>
          )}
        </p>
      </div>
      {session.current ? (
        <span className="text-ui text-ink-2">{words.thisDevice}</span>
      ) : (
        <Button variant="secondary" loading={ending} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

/** 'Signed in {when}' with an element in place of the placeholder. */
function filledWith(text: string, when: ReactNode): ReactNode {
  const [before, after] = text.split('{when}');
  return (
    <>
      {before}
      {when}
      {after}
    </>
  );
}
