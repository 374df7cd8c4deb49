import { useInfiniteQuery } from '@tanstack/react-query';
import type { FigureRow, PeriodFigure, PresentFigure } from '@waybill/contract';
import { ListX, X } from 'lucide-react';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { usePages } from '../platform/usePages.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Panel } from './Panel.tsx';
import { figureRowsQuery } from './queries.ts';

interface FigureRowsProps {
  figure: PresentFigure | PeriodFigure;
  title: string;
  period?: { from?: string; to?: string };
  pages: number | undefined;
  onPages: (pages: number) => void;
  onClose?: () => void;
}

/** What a figure counts, row by row: so that nobody has to believe it. */
export function FigureRows({ figure, title, period, pages: wanted, onPages, onClose }: FigureRowsProps) {
  const list = useInfiniteQuery(figureRowsQuery(figure, period));
  const { loading, loadMore } = usePages(list, wanted, onPages);
  return (
    <Panel
      title={title}
      query={list}
      loadingHeight="h-40"
      flush
      actions={
        onClose && (
          <Button variant="ghost" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose}>
            Clear Filter
          </Button>
        )
      }
    >
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.items);
        if (rows.length === 0) return <EmptyState icon={<ListX />} title="No data yet" />;
        return (
          <>
            <ul aria-label={title} className="divide-y divide-line border-t border-line">
              {rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </ul>
            <div className="border-t border-line">
              <LoadMore
                shown={rows.length}
                total={pages[0]?.total ?? null}
                hasMore={list.hasNextPage}
                loading={loading}
                onLoad={loadMore}
              />
            </div>
          </>
        );
      }}
    </Panel>
  );
}

function Row({ row }: { row: FigureRow }) {
  const more = [
    row.driver && `Driver: ${row.driver}`,
    row.attempt !== null && `Attempt ${row.attempt}`,
    row.minutes !== null && `${Math.round(row.minutes)} min`,
    row.onTime !== null && (row.onTime ? 'On time' : 'Late'),
    row.issue && `#${row.issue.id}, ${row.issue.status}`,
    row.stars !== null && `${row.stars} of 5 stars`,
  ].filter((part) => typeof part === 'string' && part !== '');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3">
      <div className="min-w-0">
        <p className="text-ui font-medium wrap-anywhere">
          {row.trackingId ? (
            <a href={`/track/${row.trackingId}`} className="hover:underline">
              {row.name}
            </a>
          ) : (
            row.name
          )}
          {row.trackingId && (
            <span className="ml-2 font-normal text-ink-3">
              <TrackingId id={row.trackingId} />
            </span>
          )}
        </p>
        {more.length > 0 && <p className="figures text-table text-ink-3">{more.join(' · ')}</p>}
      </div>
      <div className="flex items-center gap-3">
        <span className="text-table text-ink-3">
          <LocalTime value={row.at} />
        </span>
        {row.packageId && !row.issue && <StatusBadge status={row.status} />}
      </div>
    </li>
  );
}
