import type { TrackingEvent } from '@waybill/contract';
import { classes } from '../ui/classes.ts';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { ChangeList } from './ChangeList.tsx';
import { nameOfEvent } from './event-names.ts';

type Line = Pick<TrackingEvent, 'type' | 'at' | 'location'> &
  Partial<Pick<TrackingEvent, 'id' | 'actor' | 'note' | 'changes' | 'replyTo'>>;

const isGood: ReadonlySet<Line['type']> = new Set<Line['type']>(['delivery.completed', 'package.collected']);
const isBad: ReadonlySet<Line['type']> = new Set<Line['type']>([
  'delivery.failed',
  'package.cancelled',
  'package.deleted',
]);

/** The latest event has the colour of what it led to. */
const latestDot = ({ type }: Line) =>
  isGood.has(type)
    ? 'bg-green-dot ring-4 ring-green-bg'
    : isBad.has(type)
      ? 'bg-red-dot ring-4 ring-red-bg'
      : 'bg-brand ring-4 ring-brand-soft';

/** The place of an event, unless it is still that of the event before. */
const newPlace = (events: readonly Line[], index: number) =>
  events[index]?.location === events[index + 1]?.location ? null : events[index]?.location;

/** The events of a package, newest first; the latest is highlighted, and a place is named where it changes. */
export function Timeline({ events }: { events: readonly Line[] }) {
  return (
    <ol className="flex flex-col">
      {events.map((event, index) => (
        <li key={event.id ?? `${event.type} ${event.at}`} className="relative flex gap-4 pb-6 last:pb-0">
          <span aria-hidden="true" className="flex w-3 shrink-0 flex-col items-center">
            <span
              className={classes(
                'z-10 mt-1.5 size-2.5 shrink-0 rounded-full',
                index === 0 ? latestDot(event) : 'bg-control',
              )}
            />
            {index < events.length - 1 && <span className="absolute top-3 bottom-[-0.375rem] w-px bg-line" />}
          </span>
          <div className="min-w-0 grow">
            <div className="flex flex-col justify-between gap-x-4 sm:flex-row sm:items-baseline">
              <p className={classes('text-ui', index === 0 ? 'font-semibold text-ink' : 'font-medium text-ink-2')}>
                {nameOfEvent(event.type)}
              </p>
              <span className="text-table text-ink-3">
                <RelativeTime value={event.at} align="end" />
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
