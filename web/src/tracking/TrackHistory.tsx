import { withTheDriver } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { Ban, CircleAlert, CircleCheck, MapPin, Navigation, Package, PenLine, Truck, Undo2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { classes } from '../ui/classes.ts';
import { BriefTime } from './BriefTime.tsx';
import { eventText } from './texts.ts';

const icons: Record<PublicView['events'][number]['type'], LucideIcon> = {
  'package.created': Package,
  'package.updated': PenLine,
  'package.changed-by-recipient': PenLine,
  'package.cancelled': Ban,
  'package.deleted': Ban,
  'delivery.started': Truck,
  'delivery.assigned': Truck,
  'delivery.next': Navigation,
  'delivery.deferred': Truck,
  'delivery.arrived': MapPin,
  'delivery.arrival-retracted': Truck,
  'delivery.located': MapPin,
  'delivery.completed': CircleCheck,
  'delivery.failed': CircleAlert,
  'delivery.released': Undo2,
  'package.returned': Undo2,
  'package.collected': CircleCheck,
  'delivery.reopened': Undo2,
};

/** What happened, newest first, one line each; the place only where it changes, and not where the line says it. */
export function TrackHistory({ view }: { view: PublicView }) {
  const { events } = view;
  return (
    <ol className="flex flex-col">
      {events.map((event, index) => {
        const Icon = icons[event.type] ?? Package;
        const before = events.slice(index + 1).find(({ location }) => location !== null);
        const showsPlace =
          event.location !== null && event.location !== withTheDriver && event.location !== before?.location;
        return (
          <li key={`${event.type} ${event.at}`} className="relative flex min-h-11 gap-3 pb-2.5 last:pb-0">
            <span
              aria-hidden="true"
              className={classes('mt-0.5 shrink-0 [&_svg]:size-[18px]', index === 0 ? 'text-(--accent)' : 'text-ink-3')}
            >
              <Icon />
            </span>
            {index < events.length - 1 && <span className="absolute top-7 bottom-1 left-2 w-[1.5px] bg-line" />}
            <div className="min-w-0 grow">
              <p className="text-ui font-medium text-ink wrap-anywhere">{eventText(event.type, view, index === 0)}</p>
              {showsPlace && <p className="text-table text-ink-3 wrap-anywhere">{event.location}</p>}
            </div>
            <span className="shrink-0 text-right text-ui text-ink-3">
              <BriefTime value={event.at} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
