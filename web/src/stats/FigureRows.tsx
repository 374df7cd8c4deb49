import { useInfiniteQuery } from '@tanstack/react-query';
import { permissionForRows } from '@waybill/contract';
import type { FigureRow, PeriodFigure, PresentFigure } from '@waybill/contract';
import { ListX, Lock, X } from 'lucide-react';
import { LinkedIncident } from '../incidents/LinkedIncident.tsx';
import { packageHref } from '../packages/links.ts';
import { useSession } from '../platform/session.ts';
import type { Session } from '../platform/session.ts';
import { usePages } from '../platform/usePages.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchDialog } from '../shifts/DispatchDialog.tsx';
import { DispatchMenu } from '../shifts/DispatchMenu.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { useCan } from '../users/useCan.ts';
import { figureColumns } from './figure-columns.tsx';
import { Panel } from '../ui/Panel.tsx';
import { figureRowsQuery, refreshStats } from './queries.ts';
import type { RowsOf } from './queries.ts';
import { packageOf, timeLabels } from './rows.ts';

interface FigureRowsProps {
  figure: PresentFigure | PeriodFigure;
  title: string;
  period?: RowsOf;
  pages: number | undefined;
  onPages: (pages: number) => void;
  /** The id of the package that is open beside the list, and what opens one; without it rows lead to their page. */
  openId?: string;
  onOpen?: (packageId: string, replace: boolean) => void;
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

function RowsOfFigure({ figure, title, period, pages: wanted, onPages, openId, onOpen, onClose }: FigureRowsProps) {
  const session = useSession();
  const maySeeUsers = useCan({ permissions: ['admin.manage_users'] });
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
            <span className="-mx-3 flex sm:-my-2">
              <Button variant="ghost" size="sm" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose}>
                Clear Filter
              </Button>
            </span>
          )
        }
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0) return <EmptyState icon={<ListX />} title="No data yet" />;
          return (
            <div className="@container border-t border-line">
              <DataTable
                label={title}
                columns={figureColumns(rows, timeLabels[figure], period?.by === 'driver')}
                groups={ungrouped(rows)}
                idOf={({ id }) => id}
                nameOf={({ name }) => name}
                openId={openId && rows.find(({ packageId }) => packageId === openId)?.id}
                onOpen={
                  onOpen && rows.every(({ packageId }) => packageId !== null)
                    ? (id, replace) => {
                        const packageId = rows.find((row) => row.id === id)?.packageId;
                        if (packageId) onOpen(packageId, replace);
                      }
                    : undefined
                }
                hrefOf={(row) => hrefOf(row, session, maySeeUsers)}
                renderMenu={(row) => (
                  <span className="flex empty:hidden max-md:pl-2">
                    <NextAct row={row} onDispatch={dispatching.show} onIncident={incident.show} />
                  </span>
                )}
                more={{ shown: rows.length, ...more }}
              />
            </div>
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

interface NextActProps {
  row: FigureRow;
  onDispatch: (dispatch: Dispatch) => void;
  onIncident: (id: number) => void;
}

function NextAct({ row, onDispatch, onIncident }: NextActProps) {
  const { issue } = row;
  const pkg = packageOf(row);
  if (!issue) return pkg && <DispatchMenu pkg={pkg} onAction={onDispatch} />;
  return (
    <PermissionButton
      permissions={['admin.access']}
      size="sm"
      variant="secondary"
      aria-label={`View incident ${issue.id}`}
      onClick={() => onIncident(issue.id)}
    >
      View
    </PermissionButton>
  );
}

function hrefOf({ trackingId, packageId, name }: FigureRow, session: Session, maySeeUsers: boolean) {
  if (trackingId && packageId) return packageHref({ id: packageId, trackingId }, session);
  return packageId === null && maySeeUsers ? `/admin/users?q=${encodeURIComponent(name)}` : undefined;
}
