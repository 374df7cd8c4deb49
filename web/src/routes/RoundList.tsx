import { doorsOf, fill } from '@waybill/contract';
import type { Delivery, Route, Stop } from '@waybill/contract';
import {
  ArrowUpDown,
  Check,
  ChevronRight,
  Flag,
  Handshake,
  Layers,
  Map as MapIcon,
  Navigation,
  Undo2,
  Waypoints,
  X,
} from 'lucide-react';
import { useState } from 'react';
import type { OnAction } from '../deliveries/delivery-dialogs.ts';
import { DeliveryMenu } from '../deliveries/DeliveryMenu.tsx';
import { dueText } from '../deliveries/due.ts';
import { StopRow } from '../deliveries/StopRow.tsx';
import { texts as driverTexts } from '../deliveries/texts.ts';
import { loadMapTexts } from '../maps/map-texts.ts';
import { useToday } from '../platform/clock.ts';
import { formatTime } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { useCan } from '../users/useCan.ts';
import { hours, kilometres } from './drive-text.ts';
import { useOpenChanges } from './round-changes.ts';
import { OfferStops } from './OfferStops.tsx';
import { useOffers } from './offers.ts';
import { OrderList } from './OrderList.tsx';
import { OptimizedNote } from './OptimizedNote.tsx';
import { RoundFault } from './RoundFault.tsx';
import { deliveryOf, openStops, useOptimizeRound } from './rounds.ts';
import { chooseSound, useSound } from './signal.ts';
import { bringBackTo, counted, texts } from './round-texts.ts';
import { nameOf } from './TickList.tsx';
import { wishText } from './wish.ts';

const RoundMap = lazyComponent(async () => {
  const [code] = await Promise.all([importWithRetry(() => import('./RoundMap.tsx')), loadMapTexts()]);
  return code.RoundMap;
});

interface RoundListProps {
  route: Route;
  /** On the road, but not on the round. */
  others: Delivery[];
  phone: boolean;
  onAction: OnAction;
}

/** A round on the road: its open stops in order, and folded those that are done. */
export function RoundList({ route, others, phone, onAction }: RoundListProps) {
  const [showsMap, setShowsMap] = useState(false);
  const [mode, setMode] = useState<'order' | 'offer' | null>(null);
  const { made } = useOffers(useSession().user?.id);
  const mayChange = useCan({ permissions: ['deliveries.update'] });
  const optimize = useOptimizeRound(route);
  const { added } = useOpenChanges(route);
  const sound = useSound();
  const open = openStops(route);
  const done = route.stops.filter((stop) => !open.includes(stop));
  // The next stop comes first, wherever it stands in the order.
  const last = open
    .flatMap(({ arrivesAt }) => arrivesAt ?? [])
    .toSorted()
    .at(-1);
  const offeredTo = new Map(
    made.flatMap(({ to, deliveries }) => deliveries.map(({ id }) => [id, to ?? texts.aColleague] as const)),
  );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div>
          <h2 className="text-section font-semibold">
            {fill(texts.yourRound, { stops: counted(texts.stops, route.stops.length) })}
          </h2>
          <p className="text-ui text-ink-2 figures">
            {fill(texts.doneOf, { done: done.length, all: route.stops.length })}
            {last && ` · ${fill(texts.lastStopAbout, { time: formatTime(last) })}`}
          </p>
          {route.drive && (
            <p className="text-ui text-ink-2 figures">
              {fill(texts.driveAbout, { distance: kilometres(route.drive.metres), time: hours(route.drive.seconds) })}
            </p>
          )}
        </div>
        {mayChange && mode === null && (
          <div className="flex gap-2 max-md:-mx-4 max-md:w-dvw max-md:overflow-x-auto max-md:px-4 max-md:*:shrink-0 md:flex-wrap">
            <Button
              variant="secondary"
              aria-pressed={showsMap}
              icon={<MapIcon aria-hidden="true" className="size-5" />}
              onClick={() => setShowsMap(!showsMap)}
            >
              {showsMap ? texts.hideMap : texts.showMap}
            </Button>
            {open.length > 1 && (
              <Button
                variant="secondary"
                icon={<Waypoints aria-hidden="true" className="size-5" />}
                loading={optimize.isPending}
                loadingText={texts.optimizing}
                onClick={() => optimize.mutate()}
              >
                {texts.optimize}
              </Button>
            )}
            {open.length > 1 && (
              <Button
                variant="secondary"
                icon={<ArrowUpDown aria-hidden="true" className="size-5" />}
                onClick={() => setMode('order')}
              >
                {texts.changeOrder}
              </Button>
            )}
            {open.length > 0 && (
              <Button
                variant="secondary"
                icon={<Handshake aria-hidden="true" className="size-5" />}
                onClick={() => setMode('offer')}
              >
                {texts.offerToColleague}
              </Button>
            )}
            <LinkButton
              variant="secondary"
              href="/driver/dashboard?view=round"
              icon={<Flag aria-hidden="true" className="size-5" />}
            >
              {texts.finish}
            </LinkButton>
          </div>
        )}
      </div>
      {mode === null && showsMap && <RoundMap route={route} />}
      {mode === null && <RoundFault error={optimize.error} />}
      {mode === null && optimize.data && <OptimizedNote {...optimize.data} onClose={optimize.reset} />}
      {mode === 'order' ? (
        <OrderList route={route} onDone={() => setMode(null)} />
      ) : mode === 'offer' ? (
        <OfferStops route={route} onDone={() => setMode(null)} />
      ) : (
        open.length > 0 && (
          <Card flush>
            <ol aria-label={texts.openStops} className="divide-y divide-line">
              {/* On a phone a door is one line: a tap shows the stop with all its packages. */}
              {(phone ? doorsOf(open) : open.map((stop) => [stop])).map(([stop, ...others]) =>
                stop ? (
                  <OpenStop
                    key={stop.packageId}
                    stop={[stop, ...others].find(isUnderWay) ?? stop}
                    packages={1 + others.length}
                    isNew={[stop, ...others].some(({ packageId }) => added.includes(packageId))}
                    offeredTo={[stop, ...others].map(({ packageId }) => offeredTo.get(packageId)).find(Boolean)}
                    phone={phone}
                    onAction={onAction}
                  />
                ) : null,
              )}
            </ol>
          </Card>
        )
      )}
      {others.length > 0 && (
        <Card flush title={texts.notOnRound}>
          <ul aria-label={texts.notOnRound} className="divide-y divide-line border-t border-line">
            {others.map((delivery) => (
              <StopRow key={delivery.id} delivery={delivery} position={null} />
            ))}
          </ul>
        </Card>
      )}
      {done.length > 0 && (
        <Card flush>
          <details className="group">
            <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 px-5 py-3 text-ui font-semibold focus-visible:-outline-offset-2">
              <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
              {fill(texts.doneStops, { count: done.length })}
            </summary>
            <ul className="divide-y divide-line border-t border-line">
              {done.map((stop) => (
                <DoneStop key={stop.packageId} stop={stop} />
              ))}
            </ul>
          </details>
        </Card>
      )}
      <Checkbox
        label={texts.sound}
        hint={texts.soundHint}
        checked={sound}
        onChange={(event) => chooseSound(event.target.checked)}
      />
    </div>
  );
}

const isUnderWay = ({ state }: Stop): boolean => state === 'next' || state === 'arrived';

interface OpenStopProps {
  stop: Stop;
  /** At its door. */
  packages: number;
  isNew: boolean;
  /** The name of the colleague to whom it is offered. */
  offeredTo: string | undefined;
  phone: boolean;
  onAction: OnAction;
}

/** An open stop: a tap puts it in view on a phone, and opens its details on a wide screen. */
function OpenStop({ stop, packages, isNew, offeredTo, phone, onAction }: OpenStopProps) {
  const now = useToday();
  const delivery = deliveryOf(stop);
  const isNext = isUnderWay(stop);
  const wish = wishText(stop);
  const content = (
    <>
      <span
        aria-hidden="true"
        className={classes(
          'dot flex shrink-0 items-center justify-center rounded-full text-ui font-semibold figures',
          isNext ? 'size-9 bg-brand text-on-brand' : 'mx-[0.1875rem] size-[1.875rem] border border-control text-ink-2',
        )}
      >
        {isNext ? <Navigation className="size-4" /> : stop.position}
      </span>
      <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-[min(100%,9rem)] flex-1">
          <span className="block text-[1.0625rem]/[1.375rem] font-semibold wrap-anywhere">{nameOf(stop)}</span>
          {isNext && <span className="sr-only">{texts.states[stop.state]}</span>}
          <span className="block text-ui text-ink-2 wrap-anywhere">
            {[
              delivery.returnDue ? bringBackTo(delivery.recipientName) : delivery.recipientName,
              packages === 1 && delivery.packageName,
            ]
              .filter(Boolean)
              .join(' · ')}
            {packages > 1 && (
              <span className="block whitespace-nowrap">
                <Layers aria-hidden="true" className="mr-1 inline size-4" />
                {counted(texts.packages, packages)}
              </span>
            )}
          </span>
          {delivery.issue && <span className="block text-ui text-yellow-ink wrap-anywhere">{delivery.issue}</span>}
          {offeredTo !== undefined && (
            <span className="block text-ui font-medium text-blue-ink wrap-anywhere">
              {fill(texts.isOffered, { name: offeredTo })}
            </span>
          )}
        </span>
        <span className="flex flex-col items-end gap-0.5">
          <span className="text-body font-semibold figures">{dueText(delivery, now)}</span>
          {wish && <span className={pill}>{wish}</span>}
          {delivery.attempts > 0 && !delivery.returnDue && (
            <span className={pill}>{fill(driverTexts.attempt, { number: delivery.attempts + 1 })}</span>
          )}
          {isNew && <span className={pill}>{texts.isNew}</span>}
        </span>
      </span>
    </>
  );
  const row = 'flex min-h-19 min-w-0 grow items-center gap-3 py-2 pl-3 text-left focus-visible:-outline-offset-2';
  return (
    <li
      className={classes(
        'flex items-center pr-3',
        isNext && 'bg-brand-soft first:rounded-t-[calc(var(--radius-card)-1px)]',
      )}
    >
      {phone ? (
        <a href={`/driver/dashboard?stop=${stop.packageId}`} className={row}>
          {content}
        </a>
      ) : (
        <>
          <button type="button" className={row} onClick={() => onAction('details', delivery)}>
            {content}
          </button>
          <DeliveryMenu delivery={delivery} onAction={onAction} />
        </>
      )}
    </li>
  );
}

const pill = 'pill rounded-full bg-yellow-bg px-2 py-0.5 text-table text-yellow-ink figures';

function DoneStop({ stop }: { stop: Stop }) {
  const { state, delivery } = stop;
  const isDone = state === 'delivered' || state === 'returned';
  const Icon = state === 'delivered' ? Check : isDone ? Undo2 : X;
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2">
      <span
        aria-hidden="true"
        className={classes(
          'dot flex size-[1.875rem] shrink-0 items-center justify-center rounded-full',
          isDone ? 'bg-green-strong text-on-green' : 'bg-red-bg text-red-ink',
        )}
      >
        <Icon className="size-4" strokeWidth={3} />
      </span>
      <span className="min-w-0 grow">
        <span className="block text-body font-semibold text-ink-2 wrap-anywhere">{nameOf(stop)}</span>
        <span className="block text-ui text-ink-2 wrap-anywhere">
          {[delivery.receivedBy ?? delivery.recipientName, delivery.packageName].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="shrink-0 text-right text-ui text-ink-2 figures">
        <span className="block">{texts.states[state]}</span>
        {state === 'delivered' && delivery.completedAt && formatTime(delivery.completedAt)}
      </span>
    </li>
  );
}
