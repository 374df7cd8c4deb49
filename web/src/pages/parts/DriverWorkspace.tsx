import { fill } from '@waybill/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Delivery } from '@waybill/contract';
import { openScanned } from '../../app/labels.ts';
import { DeliveryCards } from '../../deliveries/DeliveryCards.tsx';
import { DeliveryList } from '../../deliveries/DeliveryList.tsx';
import { DeliveryTabs } from '../../deliveries/DeliveryTabs.tsx';
import type { OnAction, DeliveryAction } from '../../deliveries/delivery-dialogs.ts';
import {
  deliveryListQuery,
  deliverySummaryQuery,
  nextOf,
  nextStopQuery,
  useLiveDeliveries,
} from '../../deliveries/queries.ts';
import type { DeliverySearch } from '../../deliveries/search.ts';
import { listOf } from '../../deliveries/search.ts';
import { forgetStop } from '../../deliveries/stop-progress.ts';
import type { HandedOver } from '../../deliveries/SuccessMoment.tsx';
import { texts } from '../../deliveries/texts.ts';
import { usePhone } from '../../deliveries/usePhone.ts';
import { ScanButton } from '../../labels/ScanButton.tsx';
import { useRoundChanges } from '../../routes/round-changes.ts';
import { atDoorOf, deliveryOf, openStops, useDayOf, useLiveRounds, useOwnRound } from '../../routes/rounds.ts';
import { useChangeToasts } from '../../notifications/useChangeToasts.ts';
import { useToday } from '../../platform/clock.ts';
import { formatMoment } from '../../platform/formats.ts';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';
import { toast } from '../../platform/toasts.ts';
import { useWakeLock } from '../../platform/wake-lock.ts';
import { ownShiftQuery } from '../../shifts/queries.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { QueryNote } from '../../ui/QueryNote.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { useDialogState } from '../../ui/useDialogState.ts';
import { DriverPhone } from './DriverPhone.tsx';
import {
  FinishedRounds,
  FinishRound,
  MyShift,
  Offers,
  PlannedRound,
  RecipientWishes,
  RoundChanges,
  RoundList,
  RoundNote,
  ShiftOver,
} from './RoundParts.tsx';

/** Loaded beside the page, and not with it: the next stop is on the screen before the forms are. */
const DriverDialogs = lazyComponent(() =>
  importWithRetry(() => import('./DriverDialogs.tsx')).then((module) => module.DriverDialogs),
);

/** Of wide screens alone. */
const NextStop = lazyComponent(() =>
  importWithRetry(() => import('./DriverDialogs.tsx')).then((module) => module.NextStop),
);
const PositionSharing = lazyComponent(() =>
  importWithRetry(() => import('./DriverDialogs.tsx')).then((module) => module.PositionSharing),
);

interface DriverWorkspaceProps {
  search: DeliverySearch;
  onSearch: (change: DeliverySearch) => void;
}

function announce({ delivery: { recipientName, completedAt, updatedAt }, returnedTo }: HandedOver): void {
  const moment = formatMoment(completedAt ?? updatedAt);
  if (returnedTo !== null)
    return toast({ title: texts.broughtBack, description: fill(texts.broughtBackOn, { owner: returnedTo, moment }) });
  toast({
    title: texts.completeDialog.done,
    description:
      recipientName === null
        ? fill(texts.completeDialog.doneTextUnnamed, { moment })
        : fill(texts.completeDialog.doneText, { name: recipientName, moment }),
  });
}

/** The load check or the end of a round, on a wide screen above everything else. */
function WideRound({ children }: { children: ReactNode }) {
  return (
    <div className="mb-6 rounded-card border border-brand/50 bg-surface p-4 [&_.thumb-zone]:static [&_.thumb-zone]:bg-transparent md:p-6">
      {children}
    </div>
  );
}

/** A driver's next stop and delivery lists, with the dialogs of all actions. A phone shows one stop, or the lists. */
export function DriverWorkspace({ search, onSearch }: DriverWorkspaceProps) {
  useLiveDeliveries();
  useLiveRounds();
  useChangeToasts();
  const navigate = useNavigate();
  const round = useOwnRound();
  useRoundChanges(round.started);
  const phone = usePhone();
  const summary = useQuery({ ...deliverySummaryQuery(), enabled: !phone });
  const { data: shift } = useQuery({ ...ownShiftQuery(), enabled: round.started !== null });
  const onTheRoad = useInfiniteQuery({
    ...deliveryListQuery('mine', '', true),
    enabled: phone || round.started !== null,
  });
  const listed = onTheRoad.data?.pages.flatMap((page) => page.items);
  // A phone has the next stop and their number in its list: two requests less. What the driver marks is known before the list.
  const next = useQuery({ ...nextStopQuery(), enabled: !phone });
  const nextStop = phone && listed && onTheRoad.dataUpdatedAt >= next.dataUpdatedAt ? nextOf(listed) : next.data;
  const active = phone ? onTheRoad.data?.pages[0]?.total : summary.data?.active;
  useWakeLock(Boolean(nextStop));
  const dialog = useDialogState<{ action: DeliveryAction; delivery: Delivery }>();
  const openDialog: OnAction = (action, delivery) => dialog.show({ action, delivery });
  const { q = '', show } = search;
  const list = listOf(show);

  const [done, setDone] = useState<HandedOver | null>(null);
  const completed = (what: HandedOver) => {
    forgetStop(what.delivery.id);
    if (!phone) return announce(what);
    onSearch({ stop: undefined });
    setDone(what);
  };
  const [planned] = round.planned;
  const comesNext = !round.started && nextStop === null && active === 0 ? planned : undefined;
  const today = useDayOf(comesNext ?? null, useToday());
  // On its day a round comes by itself, as on a phone.
  const isDue = comesNext && comesNext.day <= today && !show && !q;
  const showsPlanned = !round.started && planned && (isDue || search.view === 'round');
  const closeRound = () => onSearch({ view: undefined, stop: undefined });
  const showsRound = round.started !== null && list === 'mine' && q === '';
  const lists = (
    <DeliveryTabs list={list} onList={(next) => onSearch({ show: next })}>
      {/* The icon of the scanner ends where the list does. */}
      <div className="-mr-3 mb-4 flex items-center gap-1">
        <SearchInput label={texts.search} value={q} onSearch={(words) => onSearch({ q: words || undefined })} />
        <ScanButton look="icon" onFound={(id) => openScanned(id, (href) => void navigate({ href }))} />
      </div>
      {round.started && showsRound ? (
        <RoundList
          route={round.started}
          others={(listed ?? []).filter(({ id }) => !round.started?.stops.some(({ packageId }) => packageId === id))}
          phone={phone}
          onAction={openDialog}
        />
      ) : (
        <DeliveryList
          key={list}
          list={list}
          q={q}
          onTheRoad={show === 'active'}
          shownAbove={!phone && list === 'mine' && !q ? (nextStop?.id ?? null) : null}
          phone={phone}
          hasNext={Boolean(nextStop)}
          pages={search.pages}
          onPages={(pages) => onSearch({ pages })}
          onAction={openDialog}
          onClearSearch={() => onSearch({ q: undefined })}
          onShowPending={() => onSearch({ show: 'pending' })}
        />
      )}
    </DeliveryTabs>
  );

  // The shift is known where a screen shows it.
  const works = (active ?? 0) > 0 || shift?.onDuty === true;
  return (
    <>
      {phone && works && <PositionSharing working />}
      {phone ? (
        <DriverPhone
          search={search}
          next={nextStop ?? null}
          round={round}
          shift={shift ?? null}
          done={done}
          onMomentOver={() => {
            if (done) announce(done);
            setDone(null);
          }}
          lists={lists}
          onSearch={onSearch}
          onAction={openDialog}
        />
      ) : (
        <div className="page py-6 md:py-8">
          <PageTitle title={texts.title} subtitle={<MyShift />} />
          <QueryNote query={round.query} title={texts.stopsNotLoaded} />
          {round.started && <Offers />}
          {round.started && <RoundChanges route={round.started} />}
          <RecipientWishes
            stops={round.started ? openStops(round.started).map(deliveryOf) : nextStop ? [nextStop] : []}
          />
          {round.started && <ShiftOver route={round.started} shift={shift ?? null} />}
          {search.view === 'round' && round.started && (
            <WideRound>
              <FinishRound key={round.started.id} route={round.started} onFinished={closeRound} />
            </WideRound>
          )}
          {showsPlanned && (
            <WideRound>
              <PlannedRound
                key={planned.id}
                route={planned}
                others={round.planned.slice(1)}
                hasOthersOpen={Boolean(nextStop)}
                onStarted={closeRound}
              />
            </WideRound>
          )}
          {!showsPlanned && !round.started && planned && (
            <div className="mb-4">
              <RoundNote route={planned} />
            </div>
          )}
          {round.finished.length > 0 && (
            <div className="mb-4">
              <FinishedRounds routes={round.finished} />
            </div>
          )}
          {nextStop && (
            <NextStop delivery={nextStop} door={atDoorOf(round.started, nextStop.id).door} onAction={openDialog} />
          )}
          <QueryNote query={next} title={texts.nextNotLoaded} />
          <DeliveryCards show={show} onShow={(next) => onSearch({ show: next })} />
          {!isDue && <div className="mt-6">{lists}</div>}
        </div>
      )}

      <DriverDialogs
        shown={dialog.shown}
        opening={dialog.opening}
        open={dialog.open}
        phone={phone}
        round={round.started}
        onClose={dialog.close}
        onStart={(delivery) => openDialog('start', delivery)}
        onCompleted={completed}
      />
    </>
  );
}
