import type { TrackingEvent } from '@waybill/contract';
import { useNow } from '../platform/clock.ts';
import { classes } from '../ui/classes.ts';
import { LocalTime } from '../ui/LocalTime.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { ChangeList } from './ChangeList.tsx';
import { nameOfEvent } from './event-names.ts';
import { EventMark } from './EventMark.tsx';

type Line = Pick<TrackingEvent, 'type' | 'at' | 'location'> &
  Partial<Pick<TrackingEvent, 'id' | 'actor' | 'note' | 'changes' | 'replyTo'>>;

/** The place of an event, unless it is still that of the last event before it that has one. */
function newPlace(events: readonly Line[], index: number): string | null {
  const before = events.slice(index + 1).find(({ location }) => location !== null);
  const location = events[index]?.location ?? null;
  return location === before?.location ? null : location;
}

/** The events of a package, newest first; the latest has the colour of what it led to, and a place is named where it changes. */
export function Timeline({ events }: { events: readonly Line[] }) {
  const now = useNow();
  // 'yesterday' does not say when.
  const isOld = ({ at }: Line) => now !== null && now - Date.parse(at) >= 86_400_000;
  return (
    <ol className="flex flex-col">
      {events.map((event, index) => (
        <li key={event.id ?? `${event.type} ${event.at}`} className="relative flex gap-3 pb-5 last:pb-0">
          <span className="-mt-0.5">
            <EventMark type={event.type} coloured={index === 0} />
          </span>
          {index < events.length - 1 && <span className="absolute top-6.5 bottom-1 left-3 w-px bg-line" />}
          <div className="min-w-0 grow">
            <div className="flex flex-col justify-between gap-x-4 sm:flex-row sm:items-baseline">
              <p className={classes('text-ui', index === 0 ? 'font-semibold text-ink' : 'font-medium text-ink-2')}>
                {nameOfEvent(event.type)}
              </p>
              <span className="text-table text-ink-3">
                {isOld(event) ? <LocalTime value={event.at} /> : <RelativeTime value={event.at} align="end" />}
              </span>
            </div>
            {(newPlace(events, index) || event.actor) && (
              <p className="text-table text-ink-3 wrap-anywhere">
                {[newPlace(events, index), event.actor].filter(Boolean).join(' · ')}
              </p>
            )}
            {event.changes && <ChangeList changes={event.changes} />}
            {event.note && <p className="mt-1 text-ui text-ink-2 wrap-anywhere whitespace-pre-line">{event.note}</p>}
            {event.replyTo && (
              <p className="text-table text-ink-2 wrap-anywhere">
                Answer to <TextLink href={`mailto:${encodeURIComponent(event.replyTo)}`}>{event.replyTo}</TextLink>
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
