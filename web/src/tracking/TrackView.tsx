import type { PublicView } from '@waybill/contract';
import { PackageX } from 'lucide-react';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { classes } from '../ui/classes.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import type { LiveIndicatorState } from './LiveIndicator.tsx';
import { TrackForm } from './TrackForm.tsx';
import { TrackResult } from './TrackResult.tsx';
import { TrackSkeleton } from './TrackSkeleton.tsx';

/** State of a lookup. */
export type Lookup =
  | { state: 'none' }
  | { state: 'loading' }
  | { state: 'found'; view: PublicView; live?: LiveIndicatorState }
  | { state: 'missing' }
  | { state: 'failed'; message: string; requestId?: string | null; onRetry?: () => void };

interface TrackViewProps {
  id?: string;
  /** Rejected input that is no valid ID. */
  typed?: string;
  lookup: Lookup;
  onTrack: (id: string) => void;
  /** The organisation's zone, used by server-side rendering until the viewer's is known. */
  dayZone?: string;
}

/** The whole tracker from plain props, without router and queries, so that the server can render it. */
export function TrackView({ id = '', typed, lookup, onTrack, dayZone }: TrackViewProps) {
  return (
    <div className="page py-10 md:py-16 print:p-0">
      <div className="mx-auto max-w-[46rem]">
        {/* Print only the result. */}
        <div className={classes('mb-8', lookup.state === 'found' && 'print:hidden')}>
          <h1 className="text-title font-semibold md:text-stat">Track Your Package</h1>
          <p className="mt-2 mb-7 text-body text-ink-2">
            Enter your tracking ID to get real-time updates on your package status.
          </p>
          <TrackForm id={id} typed={typed} loading={lookup.state === 'loading'} onTrack={onTrack} />
        </div>
        <div>
          {lookup.state === 'loading' && <TrackSkeleton />}
          {lookup.state === 'found' && <TrackResult view={lookup.view} live={lookup.live} dayZone={dayZone} />}
          {lookup.state === 'missing' && (
            <div role="alert">
              <Card>
                <EmptyState
                  icon={<PackageX />}
                  title="Package not found"
                  description={`We couldn't find a package with the tracking ID: ${id}. Please check the ID and try again.`}
                />
              </Card>
            </div>
          )}
          {lookup.state === 'failed' && (
            <Card>
              <ErrorState message={lookup.message} requestId={lookup.requestId} onRetry={lookup.onRetry} />
            </Card>
          )}
        </div>
      </div>
    </div>
  );
}
