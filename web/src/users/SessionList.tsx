import { useQuery } from '@tanstack/react-query';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { sessionsQuery, useEndSession } from './account-queries.ts';
import { accountTexts } from './account-texts.ts';
import { SessionItem } from './SessionItem.tsx';

/** The user's own sessions; each but the current one can be ended here. */
export function SessionList() {
  const { sessions: words } = accountTexts();
  const sessions = useQuery(sessionsQuery());
  const pending = useDelayedPending(sessions.isPending);
  const end = useEndSession();
  if (pending) {
    return (
      <SkeletonGroup label={words.loading}>
        <Skeleton height="h-24" />
      </SkeletonGroup>
    );
  }
  if (!sessions.data) return <QueryError query={sessions} />;
  return (
    <ul className="divide-y divide-line">
      {sessions.data.map((session) => (
        <SessionItem
          key={session.id}
          words={words}
          session={session}
          ending={end.isPending && end.variables === session.id}
          onEnd={() => end.mutate(session.id)}
        />
      ))}
    </ul>
  );
}
