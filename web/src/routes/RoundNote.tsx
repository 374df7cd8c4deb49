import { fill } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { formatDayWord, formatTime } from '../platform/formats.ts';
import { Banner } from '../ui/Banner.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { counted, texts } from './round-texts.ts';

/** A planned round in a line, with the way to it. */
export function RoundNote({ route: { day, startsAt, stops } }: { route: Route }) {
  const now = useToday();
  const when = [formatDayWord(day, now), startsAt && fill(texts.startsAt, { time: formatTime(startsAt) })];
  return (
    <Banner
      title={fill(texts.yourRound, { stops: counted(texts.stops, stops.length) })}
      action={
        <LinkButton size="md" variant="secondary" href="/driver/dashboard?view=round">
          {texts.open}
        </LinkButton>
      }
    >
      <span className="figures">{when.filter(Boolean).join(', ')}</span>
    </Banner>
  );
}
