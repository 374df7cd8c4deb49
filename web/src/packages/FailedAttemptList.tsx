import { useQuery } from '@tanstack/react-query';
import type { FailedAttempt, Package } from '@waybill/contract';
import { ChevronRight } from 'lucide-react';
import { Card } from '../ui/Card.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { FailedAttemptPhoto } from './FailedAttemptPhoto.tsx';
import { failedAttemptsQuery } from './queries.ts';

/** The failed attempts that the page does not tell of elsewhere, a line each, which opens to note and photo. */
export function FailedAttemptList({ pkg }: { pkg: Package }) {
  const told = pkg.failedAttempt ? 1 : 0;
  const query = useQuery({ ...failedAttemptsQuery(pkg.id), enabled: pkg.attempts > told });
  if (pkg.attempts <= told) return null;
  return (
    <Card title={told ? 'Earlier attempts' : 'Failed attempts'} flush>
      {query.data ? (
        <ul className="divide-y divide-line border-t border-line">
          {query.data.slice(told).map((attempt) => (
            <Line key={attempt.number} attempt={attempt} />
          ))}
        </ul>
      ) : query.isError ? (
        <QueryError query={query} />
      ) : (
        <SkeletonGroup label="Loading attempts">
          <div className="border-t border-line px-5 py-4">
            <Skeleton width="w-64" />
          </div>
        </SkeletonGroup>
      )}
    </Card>
  );
}

function Line({ attempt: { number, at, driver, reason, photo, cardLeft } }: { attempt: FailedAttempt }) {
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-12 cursor-pointer list-none items-start gap-2 px-5 py-3 text-ui focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="mt-0.5 size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
          />
          <span className="flex min-w-0 grow flex-wrap gap-x-3">
            <span className="font-medium text-ink">Attempt {number}</span>
            <span className="text-ink-2">
              <LocalTime value={at} />
            </span>
            {driver && <span className="text-ink-2 wrap-anywhere">{driver}</span>}
            {reason && <span className="min-w-0 max-w-full truncate text-ink group-open:hidden">{reason}</span>}
          </span>
        </summary>
        <div className="pr-5 pb-4 pl-11 text-ui text-ink-2">
          <p className="wrap-anywhere whitespace-pre-line text-ink">{reason ?? 'No reason was given.'}</p>
          {cardLeft && <p>A card was left at the door.</p>}
          {photo ? (
            <FailedAttemptPhoto photo={photo} alt={`What the driver found at attempt ${number}`} />
          ) : (
            <p>No photo</p>
          )}
        </div>
      </details>
    </li>
  );
}
