import { useInfiniteQuery } from '@tanstack/react-query';
import { Truck } from 'lucide-react';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Panel } from './Panel.tsx';
import { figureRowsQuery } from './queries.ts';

/** The drivers who carry something, each with their stops, live. */
export function OnTheRoad() {
  const list = useInfiniteQuery(figureRowsQuery('inTransitPackages'));
  return (
    <Panel title="Live Operations" query={list} loadingHeight="h-48" flush>
      {({ pages }) => {
        const stops = pages.flatMap((page) => page.items);
        const drivers = [...Map.groupBy(stops, ({ driver }) => driver ?? 'Driver gone')];
        if (drivers.length === 0) {
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
              {drivers.map(([driver, own]) => (
                <li key={driver} className="px-5 py-4">
                  <p className="flex items-center gap-2 text-ui font-semibold">
                    <Truck aria-hidden="true" className="size-4 text-blue-dot" />
                    <span className="wrap-anywhere">{driver}</span>
                    <span className="figures font-normal text-ink-3">
                      {own.length} {own.length === 1 ? 'stop' : 'stops'}
                    </span>
                  </p>
                  <ul className="mt-2 flex flex-col gap-2 pl-6">
                    {own.map((stop) => (
                      <li key={stop.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                        <span className="min-w-0 text-ui wrap-anywhere">
                          {stop.name}{' '}
                          <span className="text-ink-3">{stop.trackingId && <TrackingId id={stop.trackingId} />}</span>
                        </span>
                        <span className="flex items-center gap-3 text-table text-ink-3">
                          <RelativeTime value={stop.startedAt ?? stop.at} align="end" />
                          <StatusBadge status={stop.status} />
                        </span>
                      </li>
                    ))}
                  </ul>
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
