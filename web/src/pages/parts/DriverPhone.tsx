import { useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery, Shift } from '@waybill/contract';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ConnectionState, ConnectionStrip } from '../../deliveries/ConnectionState.tsx';
import type { OnAction } from '../../deliveries/delivery-dialogs.ts';
import { DeliveryCards } from '../../deliveries/DeliveryCards.tsx';
import { deliveryListQuery, useDoneToday } from '../../deliveries/queries.ts';
import type { DeliverySearch } from '../../deliveries/search.ts';
import { useToday } from '../../platform/clock.ts';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';
import { atDoorOf, openStops, useDayOf } from '../../routes/rounds.ts';
import type { useOwnRound } from '../../routes/rounds.ts';
import { StopHead, StopScreen } from '../../deliveries/StopScreen.tsx';
import { StopsSheet, useStopsSheet } from '../../deliveries/StopsSheet.tsx';
import type { HandedOver } from '../../deliveries/SuccessMoment.tsx';
import { texts } from '../../deliveries/texts.ts';
import { classes } from '../../ui/classes.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { QueryNote } from '../../ui/QueryNote.tsx';
import { DriverMenu } from './DriverMenu.tsx';
import {
  FinishedRounds,
  FinishRound,
  MyShift,
  Offers,
  PlannedRound,
  RecipientWishes,
  RoundChanges,
  RoundNote,
  ShiftOver,
} from './RoundParts.tsx';
import { inOrder, numbersOf } from './open-stops.ts';

/** They come with the forms, which whoever hands something over has. */
const load = () => importWithRetry(() => import('./DriverDialogs.tsx'));
const AllDone = lazyComponent(() => load().then((module) => module.AllDone));
const SuccessMoment = lazyComponent(() => load().then((module) => module.SuccessMoment));

interface DriverPhoneProps {
  search: DeliverySearch;
  /** The stop marked as next. */
  next: Delivery | null;
  round: ReturnType<typeof useOwnRound>;
  /** The driver's current or next one. */
  shift: Shift | null;
  /** Handed over a moment ago: shows the moment of success. */
  done: HandedOver | null;
  onMomentOver: () => void;
  /** Tabs, search and list. */
  lists: ReactNode;
  onSearch: (change: DeliverySearch) => void;
  onAction: OnAction;
}

/** The driver's phone: one stop, or with `show` in the URL the lists. */
export function DriverPhone({
  search,
  next,
  round,
  shift,
  done,
  onMomentOver,
  lists,
  onSearch,
  onAction,
}: DriverPhoneProps) {
  const list = useInfiniteQuery(deliveryListQuery('mine', '', true));
  // A route knows its own.
  const { count: finished } = useDoneToday({ enabled: !round.query.isPending && round.started === null });
  /** The version that a stop got by being handed over: the loaded list may still hold the one before. */
  const [doneVersions, setDoneVersions] = useState<Readonly<Record<string, number>>>({});
  if (done && doneVersions[done.delivery.id] !== done.delivery.version)
    setDoneVersions({
      ...doneVersions,
      ...Object.fromEntries([done.delivery, ...done.others].map(({ id, version }) => [id, version])),
    });

  const isOpen = ({ id, version }: Delivery) => version >= (doneVersions[id] ?? 0);
  const listed = list.data?.pages.flatMap((page) => page.items) ?? [];
  const { started } = round;
  const stops = inOrder(started, next, listed).filter(isOpen);
  const stop = stops.find(({ id }) => id === search.stop) ?? stops[0];
  const { door } = atDoorOf(started, stop?.id ?? '');
  const following = stops.find(({ id }) => id !== stop?.id && !door.some((other) => other.id === id));
  const loading = list.isPending || round.query.isPending;
  const { at, moving, showsStop, peek, sheet } = useStopsSheet(search.show !== undefined, search.stop, (full) =>
    onSearch({ show: full ? 'mine' : undefined, ...(!full && { q: undefined }) }),
  );
  // On a round its stops are counted, also those that failed.
  const onRound = started ? openStops(started).filter(({ delivery }) => isOpen(delivery)).length : 0;
  const head = {
    done: started ? started.stops.length - onRound : finished,
    open: started ? stops.length : Math.max(stops.length, list.data?.pages[0]?.total ?? 0),
    numbers: started ? numbersOf(started.stops, stops) : undefined,
    menu: <DriverMenu stop={stop} onAction={onAction} />,
  };
  const [planned] = round.planned;
  // The day where the route begins is asked for once nothing else is to do.
  const comesNext = !loading && stops.length === 0 && !started ? planned : undefined;
  const today = useDayOf(comesNext ?? null, useToday());
  const notes = (
    <div className="mx-2 mb-2 flex flex-col gap-2 empty:hidden">
      <QueryNote query={round.query} title={texts.stopsNotLoaded} />
      {started && <ShiftOver route={started} shift={shift} />}
      {planned && !started && <RoundNote route={planned} />}
    </div>
  );
  const changes = (
    <>
      {started && <Offers />}
      {started && <RoundChanges route={started} />}
      <RecipientWishes stops={stops} />
    </>
  );
  const moment = done && <SuccessMoment done={done} following={stop} onOver={onMomentOver} />;

  const toStop = () => onSearch({ view: undefined, show: undefined, stop: undefined });
  // At the end of a round, and on the day of one that is planned, it comes by itself.
  const isDue = comesNext ? comesNext.day <= today : stops.length === 0 && started !== null;
  if (!loading && search.show === undefined && (started || planned) && (search.view === 'round' || isDue))
    return (
      <div className="stop-screen flex grow flex-col">
        <StopHead {...head} {...(!started && { done: 0, open: 0 })} />
        <ConnectionStrip />
        {changes}
        {started ? (
          <FinishRound key={started.id} route={started} onFinished={toStop} />
        ) : (
          planned && (
            <PlannedRound
              key={planned.id}
              route={planned}
              others={round.planned.slice(1)}
              hasOthersOpen={stops.length > 0}
              onStarted={toStop}
            />
          )
        )}
        {moment}
      </div>
    );
  if (search.show === undefined && !loading && !stop && !list.isError)
    return (
      <div className="stop-screen flex grow flex-col">
        <StopHead {...head} />
        <ConnectionStrip />
        {notes}
        <AllDone
          onAction={onAction}
          summary={round.finished.length > 0 && <FinishedRounds routes={round.finished} />}
        />
        {moment}
      </div>
    );
  const shown = search.show ?? 'mine';
  return (
    <>
      {showsStop && (
        <div inert={at !== 'peek'} className="flex grow flex-col">
          <StopScreen
            {...head}
            stop={loading ? undefined : stop}
            following={following}
            door={door}
            note={
              <>
                <div className="mx-2 empty:hidden">
                  <QueryNote query={list} title={texts.stopsNotLoaded} />
                </div>
                {changes}
                {notes}
              </>
            }
            peek={peek}
            onAction={onAction}
          />
        </div>
      )}
      {(at !== 'peek' || moving) && (
        <StopsSheet {...sheet} hasStop={stop !== undefined}>
          <div className={classes('px-4 pb-1', !stop && 'pt-2')}>
            <div className="flex items-center justify-between gap-3">
              <h1 className="min-w-0 text-section font-semibold">{texts.title}</h1>
              <span className="-mr-3 flex items-center gap-1">
                <ConnectionState />
                {head.menu}
              </span>
            </div>
            <MyShift />
          </div>
          {!showsStop && (
            <>
              <ConnectionStrip />
              {changes}
              {notes}
            </>
          )}
          <div className="grow px-4 pt-2 pb-4">
            <DeliveryCards compact show={shown} onShow={(show) => onSearch({ show: show ?? 'mine' })} />
            <div className="mt-2">{lists}</div>
          </div>
          {!showsStop && (
            <div className="thumb-zone bottom-0 z-20 bg-canvas px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
              <LinkButton
                size="verb"
                fullWidth
                href={stop && search.stop ? `/driver/dashboard?stop=${stop.id}` : '/driver/dashboard'}
                icon={<ChevronDown aria-hidden="true" className="size-6" />}
              >
                {stop ? texts.backToStop : texts.backToStart}
              </LinkButton>
            </div>
          )}
        </StopsSheet>
      )}
      {moment}
    </>
  );
}
