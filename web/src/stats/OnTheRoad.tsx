import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { FigureRow, UserStatus } from '@waybill/contract';
import { Map as MapIcon, Navigation, Truck } from 'lucide-react';
import { useState } from 'react';
import { expectation } from '../packages/arrival.ts';
import { Destination } from '../packages/Destination.tsx';
import { packageHref } from '../packages/links.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useToday } from '../platform/clock.ts';
import { formatCountOf } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useSession } from '../platform/session.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchDialog } from '../shifts/LazyDispatchDialog.tsx';
import { DispatchMenu } from '../shifts/DispatchMenu.tsx';
import { DutyBadge } from '../shifts/DutyBadge.tsx';
import { useDuty } from '../shifts/useDuty.ts';
import { Button } from '../ui/Button.tsx';
import { useCan } from '../users/useCan.ts';
import { Badge } from '../ui/Badge.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { UserStatusBadge } from '../users/UserStatusBadge.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Lanes } from './Lanes.tsx';
import { figureRowsQuery, lanesQuery, refreshStats } from './queries.ts';
import { packageOf } from './rows.ts';

const LiveMap = lazyComponent(() => importWithRetry(async () => (await import('./LiveMap.tsx')).LiveMap));

/**
 * A lane for each driver of today; then those on the road without one, with the packages that are loaded, and drivers on duty without any. The
 * stops of the lanes are folded.
 */
export function OnTheRoad() {
  const duty = useDuty();
  const seesDrivers = useCan({ permissions: ['deliveries.view_all'] });
  const [showsMap, setShowsMap] = useState(false);
  const dutyOf = new Map(duty.map((driver) => [driver.id, driver]));
  const list = useInfiniteQuery(figureRowsQuery('inTransitPackages'));
  // Fetched by the lanes themselves, once somebody is on the road.
  const lanes = useQuery({ ...lanesQuery(), enabled: false });
  const dispatching = useDialogState<Dispatch>();
  return (
    <>
      <Panel
        title="Live Operations"
        query={list}
        loadingHeight="h-48"
        flush
        actions={
          seesDrivers && (
            <Button
              size="sm"
              variant="secondary"
              aria-pressed={showsMap}
              icon={<MapIcon aria-hidden="true" className="size-4" />}
              onClick={() => setShowsMap(!showsMap)}
            >
              Map
            </Button>
          )
        }
      >
        {({ pages }) => {
          const stops = pages.flatMap((page) => page.items);
          const drivers = [...Map.groupBy(stops, ({ driverId }) => driverId)];
          // A board without rounds does not ask for lanes.
          const hasRounds = list.hasNextPage || stops.some(({ stopsAway }) => stopsAway !== null);
          const listed = new Set(drivers.map(([id]) => id));
          const showsLanes = seesDrivers && hasRounds;
          const onLane = new Set<string | null>(showsLanes ? lanes.data?.map(({ driverId }) => driverId) : []);
          const withLane = drivers.filter(([id]) => onLane.has(id));
          const line = ([id, own]: (typeof drivers)[number]) => (
            <li key={id} className="px-5 py-4">
              <DriverLine
                name={own[0]?.driver ?? 'Driver gone'}
                packages={Math.max(own.length, dutyOf.get(id ?? '')?.stops ?? 0)}
                status={id === null ? null : (own[0]?.driverStatus ?? null)}
                duty={dutyOf.get(id ?? '') ?? null}
              />
              <StopItems stops={own} onDispatch={dispatching.show} />
            </li>
          );
          // On duty without stops, and those whose stops are on a later page.
          const others = duty
            .filter(({ id, onDuty, stops: carried }) => !listed.has(id) && !onLane.has(id) && (onDuty || carried > 0))
            .toSorted((one, other) => Number(other.stops > 0) - Number(one.stops > 0));
          if (drivers.length === 0 && others.length === 0) {
            return (
              <EmptyState
                icon={<Truck />}
                title="Nobody is on the road"
                description="Started deliveries appear here by themselves."
              />
            );
          }
          return (
            <>
              {showsMap && <LiveMap />}
              {showsLanes && <Lanes />}
              <ul className="divide-y divide-line border-t border-line empty:hidden">
                {drivers.filter(([id]) => !onLane.has(id)).map(line)}
                {others.map((driver) => (
                  <li key={driver.id} className="px-5 py-4">
                    <DriverLine name={driver.name} packages={driver.stops} status="active" duty={driver} />
                  </li>
                ))}
              </ul>
              {withLane.length > 0 && (
                // The lanes say how it goes; the packages one by one are for who has to act on one.
                <details className="border-t border-line">
                  <summary className="flex min-h-11 cursor-pointer items-center px-5 text-table text-brand">
                    All packages of the drivers above
                  </summary>
                  <ul className="divide-y divide-line border-t border-line">{withLane.map(line)}</ul>
                </details>
              )}
              {list.hasNextPage && (
                <LoadMore
                  shown={stops.length}
                  total={pages[0]?.total ?? null}
                  isCapped={pages[0]?.isCapped ?? false}
                  hasMore
                  loading={list.isFetchingNextPage}
                  onLoad={() => void list.fetchNextPage()}
                />
              )}
            </>
          );
        }}
      </Panel>
      {dispatching.shown && (
        <DispatchDialog
          key={dispatching.opening}
          dispatch={dispatching.shown}
          open={dispatching.open}
          onClose={dispatching.close}
          onSettled={refreshStats}
        />
      )}
    </>
  );
}

const isNext = ({ status }: FigureRow) => status === 'out for delivery';
/** The next stop, then the others as the driver gets to them; last those that are on no round. */
const inOrder = (one: FigureRow, other: FigureRow) =>
  Number(isNext(other)) - Number(isNext(one)) || (one.stopsAway ?? Infinity) - (other.stopsAway ?? Infinity) || 0;

function StopItems({ stops, onDispatch }: { stops: FigureRow[]; onDispatch: (dispatch: Dispatch) => void }) {
  return (
    <ul className="mt-1 pl-6">
      {stops.toSorted(inOrder).map((stop) => (
        <StopItem key={stop.id} stop={stop} onDispatch={onDispatch} />
      ))}
    </ul>
  );
}

/** Every stop here is out for delivery, so its badge shows only which one is next. */
function StopItem({ stop, onDispatch }: { stop: FigureRow; onDispatch: (dispatch: Dispatch) => void }) {
  const pkg = packageOf(stop);
  const session = useSession();
  const now = useToday();
  return (
    <li className="flex items-center gap-2 py-1">
      <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 text-ui wrap-anywhere">
          {pkg ? (
            <a href={packageHref(pkg, session)} className="mr-2 hover:underline">
              {stop.name}
            </a>
          ) : (
            stop.name
          )}
          <span className="text-ink-3">{stop.trackingId && <TrackingId id={stop.trackingId} />}</span>
          <span className="block text-table text-ink-2">
            <Destination {...stop} />
          </span>
          {stop.estimatedDeliveryTime && (
            <span className="figures block text-table text-ink-2">
              {expectation(stop.estimatedDeliveryTime, { now }, stop.arrivalWindow)}
            </span>
          )}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table text-ink-3">
          {isNext(stop) && (
            <Badge tone="blue" icon={<Navigation aria-hidden="true" />}>
              Next stop
            </Badge>
          )}
          <span>
            Started <RelativeTime value={stop.startedAt ?? stop.at} align="end" />
          </span>
        </span>
      </div>
      {pkg && <DispatchMenu pkg={pkg} onAction={onDispatch} />}
    </li>
  );
}

interface DriverLineProps {
  name: string;
  packages: number;
  /** The account's status; null if it was deleted. */
  status: UserStatus | null;
  /** Null when unknown. */
  duty: { onDuty: boolean; until: string | null } | null;
}

function DriverLine({ name, packages, status, duty }: DriverLineProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui font-semibold">
      <Truck aria-hidden="true" className="size-4 text-blue-dot" />
      <span className="wrap-anywhere">{name}</span>
      <span className="grow figures font-normal text-ink-3">
        {packages === 0 ? 'Nothing on the road' : `${formatCountOf(packages, 'package')} on the road`}
      </span>
      {status === null || status === 'active' ? null : <UserStatusBadge status={status} />}
      {duty && <DutyBadge onDuty={duty.onDuty} until={duty.until} />}
    </p>
  );
}
