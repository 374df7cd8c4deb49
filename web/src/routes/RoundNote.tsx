import { fill } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { ChevronRight, ListChecks } from 'lucide-react';
import { useToday } from '../platform/clock.ts';
import { formatDayWord, formatTime } from '../platform/formats.ts';
import { counted, texts } from './round-texts.ts';

/** A planned round as one line that leads to it: whatever else is on the screen comes first. */
export function RoundNote({ route: { day, startsAt, stops } }: { route: Route }) {
  const now = useToday();
  const when = [formatDayWord(day, now), startsAt && fill(texts.startsAt, { time: formatTime(startsAt) })];
  return (
    <a
      href="/driver/dashboard?view=round"
      className="flex min-h-12 items-center gap-3 rounded-card bg-blue-bg px-4 py-2 text-ui text-blue-ink no-underline focus-visible:-outline-offset-2"
    >
      <ListChecks aria-hidden="true" className="size-5 shrink-0" />
      <span className="min-w-0 grow wrap-anywhere">
        <span className="font-semibold">{fill(texts.yourRound, { stops: counted(texts.stops, stops.length) })}</span> ·{' '}
        <span className="figures">{when.filter(Boolean).join(', ')}</span>
        <span className="sr-only">, {texts.open}</span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0" />
    </a>
  );
}
