import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Delivery } from '@waybill/contract';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { AllDone } from '../../deliveries/AllDone.tsx';
import { ConnectionState, ConnectionStrip } from '../../deliveries/ConnectionState.tsx';
import type { OnAction } from '../../deliveries/delivery-dialogs.ts';
import { DeliveryCards } from '../../deliveries/DeliveryCards.tsx';
import {
  completedSinceQuery,
  deliveryListQuery,
  deliverySummaryQuery,
  startOfToday,
} from '../../deliveries/queries.ts';
import type { DeliverySearch } from '../../deliveries/search.ts';
import { StopHead, StopScreen } from '../../deliveries/StopScreen.tsx';
import { SuccessMoment } from '../../deliveries/SuccessMoment.tsx';
import type { HandedOver } from '../../deliveries/SuccessMoment.tsx';
import { texts } from '../../deliveries/texts.ts';
import { MyShift } from '../../shifts/MyShift.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { QueryNote } from '../../ui/QueryNote.tsx';
import { DriverMenu } from './DriverMenu.tsx';

interface DriverPhoneProps {
  search: DeliverySearch;
  /** The stop marked as next. */
  next: UseQueryResult<Delivery | null>;
  /** Handed over a moment ago: shows the moment of success. */
  done: HandedOver | null;
  onMomentOver: () => void;
  /** Tabs, search and list. */
  lists: ReactNode;
  onSearch: (change: DeliverySearch) => void;
  onAction: OnAction;
}

/** The driver's phone: one stop, or with `show` in the URL the lists. */
export function DriverPhone({ search, next, done, onMomentOver, lists, onSearch, onAction }: DriverPhoneProps) {
  const [from] = useState(startOfToday);
  const list = useInfiniteQuery(deliveryListQuery('mine', '', true));
  const doneToday = useInfiniteQuery(completedSinceQuery(from));
  const summary = useQuery(deliverySummaryQuery());
  /** The version that a stop got by being handed over: the loaded list may still hold the one before. */
  const [doneVersions, setDoneVersions] = useState<Readonly<Record<string, number>>>({});
  if (done && doneVersions[done.delivery.id] !== done.delivery.version)
    setDoneVersions({ ...doneVersions, [done.delivery.id]: done.delivery.version });

  const isOpen = ({ id, version }: Delivery) => version >= (doneVersions[id] ?? 0);
  const marked = next.data && isOpen(next.data) ? next.data : null;
  const others = (list.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (stop) => isOpen(stop) && stop.id !== marked?.id,
  );
  const stops = marked ? [marked, ...others] : others;
  const stop = stops.find(({ id }) => id === search.stop) ?? stops[0];
  const following = stops.find(({ id }) => id !== stop?.id);
  const loading = next.isPending || list.isPending;
  const finished = doneToday.data?.pages[0]?.total ?? doneToday.data?.pages[0]?.items.length ?? 0;
  const head = {
    done: finished,
    open: Math.max(stops.length, summary.data?.active ?? 0),
    menu: <DriverMenu stop={stop} onAction={onAction} />,
  };
  const moment = done && <SuccessMoment done={done} following={stop} onOver={onMomentOver} />;

  if (search.show !== undefined)
    return (
      <div className="stop-screen flex min-h-dvh animate-sheet-in flex-col">
        <div className="flex items-start justify-between gap-3 px-4 pt-3">
          <div className="min-w-0">
            <h1 className="text-section font-semibold">{texts.title}</h1>
            <MyShift />
          </div>
          <span className="-mr-3 flex items-center gap-1">
            <ConnectionState />
            {head.menu}
          </span>
        </div>
        <ConnectionStrip />
        <div className="grow px-4 pt-2 pb-4">
          <DeliveryCards compact show={search.show} onShow={(show) => onSearch({ show: show ?? 'mine' })} />
          <div className="mt-2">{lists}</div>
        </div>
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
        {moment}
      </div>
    );
  if (!loading && !stop && !next.isError && !list.isError)
    return (
      <div className="stop-screen flex min-h-dvh flex-col">
        <StopHead {...head} />
        <ConnectionStrip />
        <AllDone onAction={onAction} />
        {moment}
      </div>
    );
  return (
    <>
      <StopScreen
        {...head}
        stop={loading ? undefined : stop}
        following={following}
        note={
          <div className="mx-2 empty:hidden">
            <QueryNote query={next} title={texts.nextNotLoaded} />
            <QueryNote query={list} title={texts.stopsNotLoaded} />
          </div>
        }
        onAction={onAction}
      />
      {moment}
    </>
  );
}
