import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery } from '@waybill/contract';
import { openScanned } from '../../app/labels.ts';
import { DeliveryCards } from '../../deliveries/DeliveryCards.tsx';
import { DeliveryList } from '../../deliveries/DeliveryList.tsx';
import { DeliveryTabs } from '../../deliveries/DeliveryTabs.tsx';
import type { OnAction, DeliveryAction } from '../../deliveries/delivery-dialogs.ts';
import { NextStop } from '../../deliveries/NextStop.tsx';
import { nextStopQuery, useLiveDeliveries } from '../../deliveries/queries.ts';
import type { DeliverySearch } from '../../deliveries/search.ts';
import { listOf } from '../../deliveries/search.ts';
import { setStopPhase } from '../../deliveries/stop-progress.ts';
import type { HandedOver } from '../../deliveries/SuccessMoment.tsx';
import { texts } from '../../deliveries/texts.ts';
import { usePhone } from '../../deliveries/usePhone.ts';
import { ScanButton } from '../../labels/ScanButton.tsx';
import { useChangeToasts } from '../../notifications/useChangeToasts.ts';
import { formatMoment } from '../../platform/formats.ts';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';
import { toast } from '../../platform/toasts.ts';
import { useWakeLock } from '../../platform/wake-lock.ts';
import { MyShift } from '../../shifts/MyShift.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { QueryNote } from '../../ui/QueryNote.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { useDialogState } from '../../ui/useDialogState.ts';
import { DriverPhone } from './DriverPhone.tsx';

/** Loaded beside the page, and not with it: the next stop is on the screen before the forms are. */
const DriverDialogs = lazyComponent(() =>
  importWithRetry(() => import('./DriverDialogs.tsx')).then((module) => module.DriverDialogs),
);

interface DriverWorkspaceProps {
  search: DeliverySearch;
  onSearch: (change: DeliverySearch) => void;
}

const announce = ({ recipientName, completedAt, updatedAt }: Delivery) =>
  toast({
    title: 'Delivery Completed',
    description: `Delivered to ${recipientName ?? texts.theRecipient} on ${formatMoment(completedAt ?? updatedAt)}`,
  });

/** A driver's next stop and delivery lists, with the dialogs of all actions. A phone shows one stop, or the lists. */
export function DriverWorkspace({ search, onSearch }: DriverWorkspaceProps) {
  useLiveDeliveries();
  useChangeToasts();
  const navigate = useNavigate();
  const phone = usePhone();
  const next = useQuery(nextStopQuery());
  const nextStop = next.data;
  useWakeLock(Boolean(nextStop));
  const dialog = useDialogState<{ action: DeliveryAction; delivery: Delivery }>();
  const openDialog: OnAction = (action, delivery) => dialog.show({ action, delivery });
  const { q = '', show } = search;
  const list = listOf(show);

  const [done, setDone] = useState<HandedOver | null>(null);
  const completed = (what: HandedOver) => {
    setStopPhase(what.delivery.id, 'ahead');
    if (!phone) return announce(what.delivery);
    onSearch({ stop: undefined });
    setDone(what);
  };
  const lists = (
    <DeliveryTabs list={list} onList={(next) => onSearch({ show: next })}>
      <div className="mb-4 flex items-center gap-1">
        <SearchInput label="Search deliveries" value={q} onSearch={(words) => onSearch({ q: words || undefined })} />
        <ScanButton look="icon" onFound={(id) => openScanned(id, (href) => void navigate({ href }))} />
      </div>
      <DeliveryList
        key={list}
        list={list}
        q={q}
        onTheRoad={show === 'active'}
        shownAbove={!phone && list === 'mine' && !q ? (nextStop?.id ?? null) : null}
        phone={phone}
        pages={search.pages}
        onPages={(pages) => onSearch({ pages })}
        onAction={openDialog}
        onClearSearch={() => onSearch({ q: undefined })}
        onShowPending={() => onSearch({ show: 'pending' })}
      />
    </DeliveryTabs>
  );

  return (
    <>
      {phone ? (
        <DriverPhone
          search={search}
          next={next}
          done={done}
          onMomentOver={() => {
            if (done) announce(done.delivery);
            setDone(null);
          }}
          lists={lists}
          onSearch={onSearch}
          onAction={openDialog}
        />
      ) : (
        <div className="page py-6 md:py-8">
          <PageTitle title="Driver Dashboard" subtitle={<MyShift />} />
          {nextStop && <NextStop delivery={nextStop} onAction={openDialog} />}
          <QueryNote query={next} title="The next stop could not be loaded" />
          <DeliveryCards show={show} onShow={(next) => onSearch({ show: next })} />
          <div className="mt-6">{lists}</div>
        </div>
      )}

      <DriverDialogs
        shown={dialog.shown}
        opening={dialog.opening}
        open={dialog.open}
        phone={phone}
        onClose={dialog.close}
        onStart={(delivery) => openDialog('start', delivery)}
        onCompleted={completed}
      />
    </>
  );
}
