import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/Button.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { useHeldPending } from '../ui/useHeldPending.ts';
import { sessionsQuery, useEndSession } from './account-queries.ts';
import { nameOfBrowser } from './browser-name.ts';

/** Where the account is signed in; each but the present one can be ended from here. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery());
  const pending = useHeldPending(sessions.isPending);
  const end = useEndSession();
  if (pending) {
    return (
      <SkeletonGroup label="Loading sessions">
        <Skeleton height="h-24" />
      </SkeletonGroup>
    );
  }
  if (!sessions.data) return <QueryError query={sessions} />;
  return (
    <ul className="divide-y divide-line">
      {sessions.data.map((session) => (
        <li
          key={session.id}
          className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2 first:pt-0 last:pb-0"
        >
          <div className="min-w-0 flex-[1_1_10rem]">
            <p className="text-ui font-medium">{nameOfBrowser(session.userAgent)}</p>
            <p className="text-table text-ink-3">
              Signed in <RelativeTime value={session.createdAt} />, last used{' '}
              <RelativeTime value={session.lastUsedAt} />
            </p>
          </div>
          {session.current ? (
            <span className="text-ui text-ink-2">This device</span>
          ) : (
            <Button
              variant="secondary"
              loading={end.isPending && end.variables === session.id}
              onClick={() => end.mutate(session.id)}
            >
              End session
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
