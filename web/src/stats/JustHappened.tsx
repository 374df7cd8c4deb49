import { useQuery } from '@tanstack/react-query';
import type { LatestEvent } from '@waybill/contract';
import { Check, Navigation, Package, Pause, Play, RotateCcw, Star, TriangleAlert, Truck, Undo2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { nameOfEvent } from '../events/event-names.ts';
import { packageHref } from '../packages/links.ts';
import { formatBrief, formatCount, formatDayTime } from '../platform/formats.ts';
import { useToday } from '../platform/clock.ts';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Panel } from '../ui/Panel.tsx';
import { latestEventsQuery } from './queries.ts';
import { bundle } from './latest-events.ts';

const icons: Partial<Record<LatestEvent['type'], [icon: LucideIcon, colour: string]>> = {
  'delivery.completed': [Check, 'text-green-dot'],
  'delivery.failed': [RotateCcw, 'text-red-dot'],
  'delivery.started': [Truck, 'text-blue-dot'],
  'delivery.assigned': [Truck, 'text-blue-dot'],
  'delivery.next': [Navigation, 'text-blue-dot'],
  'delivery.arrived': [Navigation, 'text-blue-dot'],
  'delivery.released': [Undo2, 'text-yellow-dot'],
  'delivery.stranded': [TriangleAlert, 'text-red-dot'],
  'issue.reported': [TriangleAlert, 'text-red-dot'],
  'package.rated': [Star, 'text-yellow-dot'],
};

/**
 * The newest events of all packages; each leads to its package. Nothing moves while it is paused, or while the pointer or the focus is on
 * the list: what somebody is about to press stays where it is.
 */
export function JustHappened() {
  const query = useQuery(latestEventsQuery());
  const session = useSession();
  const now = useToday();
  // What was there when the page opened is not announced.
  const [seen, setSeen] = useState<number | null>(null);
  const newest = Number(query.data?.[0]?.id ?? 0);
  if (seen === null && query.data) setSeen(newest);
  const [paused, setPaused] = useState(false);
  const [touched, setTouched] = useState({ pointer: false, focus: false });
  const [held, setHeld] = useState<LatestEvent[] | null>(null);
  const stands = paused || touched.pointer || touched.focus;
  if (stands && held === null && query.data) setHeld(query.data);
  if (!stands && held !== null) setHeld(null);
  const missed = held ? (query.data ?? []).filter(({ id }) => Number(id) > Number(held[0]?.id ?? 0)).length : 0;
  const touch = (by: keyof typeof touched, on: boolean) => setTouched((before) => ({ ...before, [by]: on }));
  return (
    <Panel
      title="Just happened"
      query={query}
      loadingHeight="h-72"
      flush
      actions={
        <span className="-mx-3 flex">
          <Button
            variant="ghost"
            size="sm"
            aria-pressed={paused}
            icon={
              paused ? <Play aria-hidden="true" className="size-4" /> : <Pause aria-hidden="true" className="size-4" />
            }
            onClick={() => setPaused(!paused)}
          >
            {paused && missed > 0 ? `Paused, ${formatCount(missed)} new` : paused ? 'Paused' : 'Pause'}
          </Button>
        </span>
      }
    >
      {(latest) => {
        const events = held ?? latest;
        return events.length === 0 ? (
          <EmptyState icon={<Package />} title="No data yet" />
        ) : (
          // Only stands still: whoever presses something presses a link inside it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <ul
            className="max-h-96 mask-b-from-90% divide-y divide-line overflow-y-auto border-t border-line"
            onPointerEnter={({ pointerType }) => touch('pointer', pointerType === 'mouse')}
            onPointerLeave={() => touch('pointer', false)}
            onFocus={() => touch('focus', true)}
            onBlur={() => touch('focus', false)}
          >
            {bundle(events).map(({ event, count }) => {
              const [Icon, colour] = icons[event.type] ?? [Package, 'text-ink-3'];
              return (
                <li key={event.id} className={classes(Number(event.id) > (seen ?? newest) && 'just-happened')}>
                  <a
                    href={packageHref({ id: event.packageId, trackingId: event.trackingId }, session)}
                    className="flex gap-2.5 px-5 py-2 text-ink no-underline transition-colors hover:bg-sunken focus-visible:-outline-offset-2"
                  >
                    <time
                      dateTime={event.at}
                      title={formatDayTime(event.at)}
                      className="figures w-11 shrink-0 text-meta leading-5 text-ink-3"
                    >
                      {formatBrief(event.at, now)}
                    </time>
                    <Icon aria-hidden="true" className={classes('mt-0.5 size-3.5 shrink-0', colour)} />
                    <span className="min-w-0">
                      <span className="block text-table font-medium wrap-anywhere">
                        {count > 1 ? `${formatCount(count)} packages registered` : nameOfEvent(event.type)}
                      </span>
                      <span className="block text-meta wrap-anywhere text-ink-3">
                        {[count > 1 ? `${event.name}, …` : event.name, event.actor, event.town]
                          .filter(Boolean)
                          .join('\u00a0· ')}
                      </span>
                    </span>
                  </a>
                </li>
              );
            })}
          </ul>
        );
      }}
    </Panel>
  );
}
