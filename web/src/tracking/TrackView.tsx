import { fill } from '@waybill/contract';
import type { MessageFormState, PublicView } from '@waybill/contract';
import { Search } from 'lucide-react';
import type { ComponentType } from 'react';
import { useNow } from '../platform/clock.ts';
import { texts, translated } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Filled } from '../ui/Filled.tsx';
import { MissingParcel } from '../ui/MissingParcel.tsx';
import { TrackMap } from './LazyTrackMap.tsx';
import type { Lookup } from './lookup.ts';
import { Scene } from './scene/Scene.tsx';
import { isNight, sceneOf } from './scene/state.ts';
import { Ticket } from './Ticket.tsx';
import { Fold } from './Fold.tsx';
import { MessageForm, takesMessages } from './MessageForm.tsx';
import { TrackDetails } from './TrackDetails.tsx';
import { TrackForm } from './TrackForm.tsx';
import { TrackHistory } from './TrackHistory.tsx';
import { TrackResult } from './TrackResult.tsx';
import { TrackSkeleton } from './TrackSkeleton.tsx';

interface TrackViewProps {
  id?: string;
  /** Rejected input that is no valid ID. */
  typed?: string;
  lookup: Lookup;
  /** The form for a message to the sender, after a submission without JavaScript. */
  message?: MessageFormState;
  onTrack: (id: string) => void;
  /** What the recipient's link adds. */
  Recipient: ComponentType<{ view: PublicView }>;
  /** The organisation's zone, used by server-side rendering until the viewer's is known. */
  dayZone?: string;
}

/** The whole tracker from plain props, without router and queries, so that the server can render it. */
export function TrackView({ id = '', typed, lookup, message, onTrack, Recipient, dayZone }: TrackViewProps) {
  const now = useNow();
  const reader = { now: now === null ? null : new Date(now), isRecipient: true, ...(dayZone && { dayZone }) };
  const scene = sceneOf(lookup);
  const form = (
    <TrackForm
      id={lookup.state === 'found' ? '' : id}
      typed={typed}
      loading={lookup.state === 'loading'}
      // Where nothing was found, another ID is the next step.
      isMain={lookup.state === 'missing'}
      onTrack={onTrack}
    />
  );
  return (
    <div className={classes('track', `track-${scene.tint}`)}>
      {/* The band is a room of its own: the map takes the place of the drawing while the driver is shown. */}
      <div className={classes('track-band', now !== null && isNight(new Date(now)) && 'track-night')}>
        <Scene state={scene} />
        {lookup.state === 'found' && lookup.view.driverPosition && <TrackMap at={lookup.view.driverPosition} />}
      </div>
      <div className="track-paper">
        {lookup.state === 'none' && (
          <Ticket>
            <div className="mx-auto max-w-[40rem] py-2 wide:py-5">
              <h1 className="text-title font-semibold wide:text-stat">{texts.track.title}</h1>
              <p className="mt-1.5 mb-6 text-body text-ink-2">{texts.track.subtitle}</p>
              <TrackForm id={id} typed={typed} isMain onTrack={onTrack} />
            </div>
          </Ticket>
        )}
        {lookup.state === 'loading' && <TrackSkeleton />}
        {lookup.state === 'found' && <TrackResult view={lookup.view} live={lookup.live ?? 'off'} reader={reader} />}
        {lookup.state === 'found' && <Recipient view={lookup.view} />}
        {lookup.state === 'missing' && (
          <Ticket>
            <div role="alert" className="flex flex-col items-center px-2 py-3 text-center wide:py-5">
              <MissingParcel />
              <h1 className="text-section font-semibold text-ink">{texts.track.notFound}</h1>
              <p className="mt-2 max-w-prose text-body text-balance text-ink-2 wrap-anywhere">
                <Filled
                  text={texts.track.notFoundDetail}
                  values={{ id: <span className={classes(id.length <= 24 && 'whitespace-nowrap')}>{id}</span> }}
                />
              </p>
            </div>
          </Ticket>
        )}
        {lookup.state === 'failed' && (
          <Ticket>
            <ErrorState
              message={translated(lookup.message)}
              requestLabel={lookup.requestId ? fill(texts.track.request, { id: lookup.requestId }) : undefined}
              onRetry={lookup.onRetry}
              retryLabel={texts.track.retry}
            />
          </Ticket>
        )}
        {lookup.state === 'found' && lookup.view.events.length > 0 && (
          <section className="mt-7 px-4 wide:hidden print:block">
            <h2 className="mb-3 text-body font-semibold text-ink">{texts.track.history}</h2>
            <TrackHistory view={lookup.view} />
          </section>
        )}
        {lookup.state !== 'none' && (
          <div className="track-more">
            {lookup.state === 'found' && (
              <div>
                <TrackDetails view={lookup.view} reader={reader} />
                {takesMessages(lookup.view) && (
                  <MessageForm key={lookup.view.trackingId} trackingId={lookup.view.trackingId} initial={message} />
                )}
              </div>
            )}
            <Fold
              icon={<Search />}
              title={texts.track.trackAnother}
              // Where there is no answer, the next step is another ID.
              open={lookup.state === 'missing' || typed !== undefined}
              className="track-another"
            >
              <div className="track-form">
                <div>
                  <h2 className="text-[1.0625rem] leading-6 font-semibold text-ink">{texts.track.title}</h2>
                  <p className="text-ui text-ink-2">{texts.track.subtitle}</p>
                </div>
                {form}
              </div>
            </Fold>
          </div>
        )}
      </div>
    </div>
  );
}
