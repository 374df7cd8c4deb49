import type { PublicView } from '@waybill/contract';
import { useState } from 'react';
import { Timeline } from '../events/Timeline.tsx';
import { arrivalItem, arrivalOf, longerHeadline } from '../packages/arrival.ts';
import { ArrivalTime } from '../packages/ArrivalTime.tsx';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useNow } from '../platform/clock.ts';
import { Card } from '../ui/Card.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { arrivalOfView } from './arrival.ts';
import { LiveIndicator } from './LiveIndicator.tsx';
import type { LiveIndicatorState } from './LiveIndicator.tsx';
import { TrackDescriptionItem } from './TrackDescriptionItem.tsx';
import { TrackProgress } from './TrackProgress.tsx';

interface TrackResultProps {
  view: PublicView;
  /** State of the live connection; default 'off'. */
  live?: LiveIndicatorState;
  /** The organisation's zone, used until the viewer's is known. */
  dayZone?: string;
}

/** The arrival first, then progress, details and history. */
export function TrackResult({ view, live = 'off', dayZone }: TrackResultProps) {
  const now = useNow();
  const arrival = arrivalOfView(view);
  const reader = { now: now === null ? null : new Date(now), isRecipient: true, ...(dayZone && { dayZone }) };
  const { headline, detail } = arrivalOf(arrival, reader);
  const item = arrivalItem(arrival, reader);
  // Server-side rendering does not know the viewer's day: reserve the space that the headline may need after hydration.
  const [placeholder] = useState(now === null ? longerHeadline(arrival, reader) : '');
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <TrackingId id={view.trackingId} size="body" />
          <span className="flex flex-wrap items-center gap-3">
            <LiveIndicator state={live} />
            <StatusBadge status={view.status} />
          </span>
        </div>
        <div aria-live="polite" className="mt-5">
          <h2 className="grid grid-cols-[minmax(0,1fr)] text-[2rem] leading-[2.375rem] font-semibold tracking-[-0.02em] text-ink hyphens-auto wrap-anywhere sm:text-eta sm:leading-[2.75rem]">
            <span className="[grid-area:1/1]">{headline}</span>
            {placeholder.length > headline.length && (
              <span aria-hidden="true" suppressHydrationWarning className="invisible [grid-area:1/1]">
                {placeholder}
              </span>
            )}
          </h2>
          {detail && <p className="mt-1 text-section text-ink-2">{detail}</p>}
        </div>
        <p className="mt-1.5 text-body text-ink-2 wrap-anywhere">{view.name}</p>
        <div className="mt-7">
          <TrackProgress status={view.status} />
        </div>
        <dl className="mt-7 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,28%)),1fr))] gap-x-6 gap-y-5 border-t border-line pt-6">
          <TrackDescriptionItem name="Current Location">{view.location ?? 'Not specified'}</TrackDescriptionItem>
          {item && (
            <TrackDescriptionItem name={item.name}>
              <ArrivalTime item={item} />
            </TrackDescriptionItem>
          )}
          <TrackDescriptionItem name="Last Update">
            <LocalTime value={view.lastUpdate} />
          </TrackDescriptionItem>
          {view.recipientName && <TrackDescriptionItem name="Recipient">{view.recipientName}</TrackDescriptionItem>}
          {view.sender && <TrackDescriptionItem name="Sender">{view.sender}</TrackDescriptionItem>}
          {view.carrier && <TrackDescriptionItem name="Carrier">{view.carrier.firstName}</TrackDescriptionItem>}
          {view.category && <TrackDescriptionItem name="Category">{view.category}</TrackDescriptionItem>}
          {view.weight > 0 && (
            <TrackDescriptionItem name="Weight">
              <span className="figures">{view.weight} kg</span>
            </TrackDescriptionItem>
          )}
        </dl>
      </Card>
      {view.events.length > 0 && (
        <Card title="History">
          <Timeline events={view.events} />
        </Card>
      )}
    </div>
  );
}
