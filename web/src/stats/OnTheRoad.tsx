import { useInfiniteQuery } from '@tanstack/react-query';
import { Truck } from 'lucide-react';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { DutyBadge } from '../shifts/DutyBadge.tsx';
import { useDuty } from '../shifts/useDuty.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Panel } from './Panel.tsx';
import { figureRowsQuery } from './queries.ts';

/** The drivers who carry something, each with their stops, and those who are on duty without any, live. */
export function OnTheRoad() {
  const duty = useDuty();
  const dutyOf = new Map(duty.map((driver) => [driver.id, driver]));
  const list = useInfiniteQuery(figureRowsQuery('inTransitPackages'));
  return (
    <Panel title="Live Operations" query={list} loadingHeight="h-48" flush>
      {({ pages }) => {
        const stops = pages.flatMap((page) => page.items);
        const drivers = [...Map.groupBy(stops, ({ driverId }) => driverId)];
        const free = duty.filter(({ onDuty, stops: carried }) => onDuty && carried === 0);
        if (drivers.length === 0 && free.length === 0) {
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
            <ul className="divide-y divide-line border-t border-line">
              {drivers.map(([id, own]) => (
                <li key={id} className="px-5 py-4">
                  <DriverLine
                    name={own[0]?.driver ?? 'Driver gone'}
                    stops={own.length}
                    duty={dutyOf.get(id ?? '') ?? null}
                  />
                  <ul className="mt-2 flex flex-col gap-2 pl-6">
                    {own.map((stop) => (
                      <li key={stop.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                        <span className="min-w-0 text-ui wrap-anywhere">
                          {stop.name}{' '}
                          <span className="text-ink-3">{stop.trackingId && <TrackingId id={stop.trackingId} />}</span>
                        </span>
                        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table text-ink-3">
                          <RelativeTime value={stop.startedAt ?? stop.at} align="end" />
                          <StatusBadge status={stop.status} />
                        </span>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
              {free.map((driver) => (
                <li key={driver.id} className="px-5 py-4">
                  <DriverLine name={driver.name} stops={0} duty={driver} />
                </li>
              ))}
            </ul>
            {list.hasNextPage && (
              <div className="border-t border-line">
                <LoadMore
                  shown={stops.length}
                  total={pages[0]?.total ?? null}
                  hasMore
                  loading={list.isFetchingNextPage}
                  onLoad={() => void list.fetchNextPage()}
                />
              </div>
            )}
          </>
        );
      }}
    </Panel>
  );
}

interface DriverLineProps {
  name: string;
  stops: number;
  /** Null where it is not known. */
  duty: { onDuty: boolean; until: string | null } | null;
}

function DriverLine({ name, stops, duty }: DriverLineProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui font-semibold">
      <Truck aria-hidden="true" className="size-4 text-blue-dot" />
      <span className="wrap-anywhere">{name}</span>
      <span className="grow figures font-normal text-ink-3">
        {stops} {stops === 1 ? 'stop' : 'stops'}
      </span>
      {duty && <DutyBadge onDuty={duty.onDuty} until={duty.until} />}
    </p>
  );
}
