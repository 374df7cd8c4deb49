import { fill } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { Play, Printer } from 'lucide-react';
import { useState } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatDayWord, formatLongDay, formatTime, formatWeight } from '../platform/formats.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { useCan } from '../users/useCan.ts';
import { useDayOf, useDepotOf, useStartRound } from './rounds.ts';
import { faultText, RoundFault } from './RoundFault.tsx';
import { counted, texts } from './round-texts.ts';
import { nameOf, TickList } from './TickList.tsx';
import { setTicks, useTicks } from './ticks.ts';

interface PlannedRoundProps {
  route: Route;
  /** Planned after it. */
  others: Route[];
  /** There are deliveries on the road that are on no round. */
  hasOthersOpen: boolean;
  onStarted: () => void;
}

/** A planned round before it starts: its stops, what is in the van, and the start, with what is missing. */
export function PlannedRound({ route, others, hasOthersOpen, onStarted }: PlannedRoundProps) {
  const now = useToday();
  const depot = useDepotOf(route);
  const today = useDayOf(route, now);
  const mayStart = useCan({ permissions: ['deliveries.claim'] });
  const [confirming, setConfirming] = useState(false);
  const start = useStartRound(route.id);
  const count = `load ${route.id}`;
  const { ticked } = useTicks(count);
  const { stops, startsAt, day } = route;
  // Before the day nothing but the town is shown, and nothing can be ticked.
  const isShown = stops.some(({ delivery }) => delivery.recipientAddress !== null || delivery.recipientName !== null);
  const missing = stops.filter(({ packageId }) => !ticked.includes(packageId));
  const isUnchecked = missing.length === stops.length;
  const isAnotherDay = day > today;
  const absent = isUnchecked ? [] : missing;

  const send = () =>
    start.mutate(
      absent.map(({ packageId }) => packageId),
      {
        onSuccess: () => {
          setConfirming(false);
          setTicks(count, null);
          onStarted();
        },
      },
    );
  const press = () => {
    start.reset();
    if (missing.length > 0 || isAnotherDay) setConfirming(true);
    else send();
  };
  const question = isAnotherDay
    ? { title: fill(texts.anotherDayTitle, { day: formatLongDay(day) }), text: texts.anotherDayText }
    : isUnchecked
      ? { title: texts.uncheckedTitle, text: texts.uncheckedText }
      : { title: counted(texts.missingTitle, absent.length), text: texts.missingText };
  const verb = absent.length > 0 ? counted(texts.startWithout, absent.length) : texts.start;
  const facts = [
    formatDayWord(day, now),
    startsAt && fill(texts.startsAt, { time: formatTime(startsAt) }),
    depot?.name,
    formatWeight(route.kilograms),
  ];

  return (
    <section aria-labelledby="planned-round" className="flex grow flex-col">
      <div className="flex grow flex-col gap-4 px-4 pt-2 pb-4 md:px-0">
        <div>
          <h2 id="planned-round" className="text-[1.75rem]/[2.125rem] font-semibold tracking-[-0.03em]">
            {fill(texts.yourRound, { stops: counted(texts.stops, stops.length) })}
          </h2>
          <p className="mt-1 text-body text-ink-2 figures first-letter:uppercase">
            {facts.filter(Boolean).join(' · ')}
          </p>
        </div>
        {hasOthersOpen && <Banner tone="yellow">{texts.openStopsFirst}</Banner>}
        {isShown ? (
          <>
            <div>
              <h3 className="text-section font-semibold">{texts.loadCheck}</h3>
              <p className="text-body text-ink-2">{texts.loadHint}</p>
              <span className="-ml-4 flex high-contrast:mt-2 high-contrast:ml-0">
                <LinkButton
                  variant="ghost"
                  href={`/driver/routes/${route.id}/manifest`}
                  icon={<Printer aria-hidden="true" className="size-4" />}
                >
                  {texts.sheet.printManifest}
                </LinkButton>
              </span>
            </div>
            <TickList name={count} stops={stops} label={texts.tick} progress={texts.inTheVan} />
          </>
        ) : (
          <>
            <Banner tone="blue">{texts.whenShown}</Banner>
            <ol className="divide-y divide-line rounded-card border border-line bg-surface">
              {stops.map((stop) => (
                <li key={stop.packageId} className="flex min-h-14 items-center gap-3 px-4 py-2">
                  <span className="w-7 shrink-0 text-right text-ui text-ink-2 figures">{stop.position}</span>
                  <span className="min-w-0">
                    <span className="block text-body font-semibold wrap-anywhere">{nameOf(stop)}</span>
                    <span className="block text-ui text-ink-2 wrap-anywhere">{stop.delivery.packageName}</span>
                  </span>
                </li>
              ))}
            </ol>
          </>
        )}
        {others.length > 0 && (
          <div>
            <h3 className="text-body font-semibold">{texts.alsoPlanned}</h3>
            <ul className="text-body text-ink-2">
              {others.map((other) => (
                <li key={other.id}>
                  {fill(texts.plannedDay, {
                    day: formatDayWord(other.day, now),
                    stops: counted(texts.stops, other.stops.length),
                  })}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {isShown && mayStart && (
        <div className="thumb-zone bottom-0 z-20 bg-canvas px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:px-0">
          {!confirming && <RoundFault error={start.error} />}
          <Button
            size="verb"
            fullWidth
            icon={<Play aria-hidden="true" className="size-6" />}
            loading={start.isPending}
            loadingText={texts.starting}
            onClick={press}
          >
            {verb}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={question.title}
        description={question.text}
        cancelLabel={texts.cancel}
        confirmLabel={verb}
        act={start}
        loadingText={texts.starting}
        error={faultText(start.error)}
        onConfirm={send}
      >
        {absent.length > 0 && (
          <ul className="text-ui text-ink">
            {absent.map((stop) => (
              <li key={stop.packageId} className="wrap-anywhere">
                {nameOf(stop)}, {stop.delivery.packageName}
              </li>
            ))}
          </ul>
        )}
      </ConfirmDialog>
    </section>
  );
}
