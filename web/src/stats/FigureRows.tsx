import { useInfiniteQuery } from '@tanstack/react-query';
import { permissionForRows } from '@waybill/contract';
import type { PeriodFigure, PresentFigure } from '@waybill/contract';
import { ListX, Lock, X } from 'lucide-react';
import { LinkedIncident } from '../incidents/LinkedIncident.tsx';
import { usePages } from '../platform/usePages.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchDialog } from '../shifts/DispatchDialog.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useCan } from '../users/useCan.ts';
import { FigureRowItem } from './FigureRowItem.tsx';
import { Panel } from '../ui/Panel.tsx';
import { figureRowsQuery, refreshStats } from './queries.ts';
import { timeLabels } from './rows.ts';

interface FigureRowsProps {
  figure: PresentFigure | PeriodFigure;
  title: string;
  period?: { from?: string; to?: string };
  pages: number | undefined;
  onPages: (pages: number) => void;
  onClose?: () => void;
}

/** The rows behind a figure, so that it can be verified; a note for readers without the permission. */
export function FigureRows(props: FigureRowsProps) {
  if (useCan({ permissions: [permissionForRows(props.figure)] })) return <RowsOfFigure {...props} />;
  return (
    <Card title={props.title}>
      <EmptyState
        icon={<Lock />}
        title="You see the figure, not its rows"
        description="They name packages and people, for which your account has no permission."
      />
    </Card>
  );
}

function RowsOfFigure({ figure, title, period, pages: wanted, onPages, onClose }: FigureRowsProps) {
  const list = useInfiniteQuery(figureRowsQuery(figure, period));
  const more = usePages(list, wanted, onPages);
  const dispatching = useDialogState<Dispatch>();
  const incident = useDialogState<number>();
  return (
    <>
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
                  <FigureRowItem
                    key={row.id}
                    row={row}
                    timeLabel={timeLabels[figure]}
                    onDispatch={dispatching.show}
                    onIncident={incident.show}
                  />
                ))}
              </ul>
              <div className="border-t border-line">
                <LoadMore shown={rows.length} {...more} />
              </div>
            </>
          );
        }}
      </Panel>
      {dispatching.shown && (
        <DispatchDialog
          key={`dispatch ${dispatching.opening}`}
          dispatch={dispatching.shown}
          open={dispatching.open}
          onClose={dispatching.close}
          onSettled={refreshStats}
        />
      )}
      {incident.shown !== null && (
        <LinkedIncident
          key={`incident ${incident.opening}`}
          id={incident.shown}
          open={incident.open}
          onClosed={incident.close}
        />
      )}
    </>
  );
}
