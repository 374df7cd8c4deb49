import { useInfiniteQuery } from '@tanstack/react-query';
import type { SentNotification } from '@waybill/contract';
import { RotateCw } from 'lucide-react';
import { formatCountOf } from '../platform/formats.ts';
import { BulkActDialog } from '../ui/BulkActDialog.tsx';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { BarButton, SelectionBar } from '../ui/SelectionBar.tsx';
import { TableSkeleton } from '../ui/TableSkeleton.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useSelection } from '../ui/useSelection.ts';
import { canRetry, RetryButton } from './RetryButton.tsx';
import type { AdminNotificationSearch } from './search.ts';
import { labelOf, sentColumns } from './sent-columns.tsx';
import { refreshSent, retryNotification, sentListQuery, useLiveSent } from './sent-queries.ts';

interface SentListProps {
  search: AdminNotificationSearch;
  onPages: (pages: number) => void;
  onOpen: (id: string, replace: boolean) => void;
  onClearFilters: () => void;
}

/** The notifications that were sent; failed ones can be retried, one or several. */
export function SentList({ search, onPages, onOpen, onClearFilters }: SentListProps) {
  useLiveSent();
  const list = useInfiniteQuery(sentListQuery(search));
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const retrying = useDialogState<readonly SentNotification[]>();
  const selection = useSelection(
    rows.map(({ id }) => id),
    null,
    JSON.stringify({ ...search, pages: undefined, open: undefined }),
  );
  const { q, state, channel, kind, date } = search;
  const isFiltered = Boolean(q || state || channel || kind || date);
  const chosen = rows.filter(({ id }) => selection.has(id));
  return (
    <>
      <ListCard
        table
        list={list}
        pages={search.pages}
        onPages={onPages}
        skeleton={<TableSkeleton label="Loading notifications" />}
        empty={
          <EmptyState
            drawing={<ParcelDrawing kind={isFiltered ? 'missing' : 'open'} />}
            title="No notifications found"
            description={
              isFiltered
                ? 'Nothing was sent that matches these filters.'
                : 'What is sent to users and recipients appears here.'
            }
            action={
              isFiltered && (
                <Button variant="secondary" onClick={onClearFilters}>
                  Clear filters
                </Button>
              )
            }
          />
        }
      >
        {(shown, more) => (
          <DataTable
            label="Sent notifications"
            columns={sentColumns}
            groups={ungrouped(shown)}
            idOf={({ id }) => id}
            nameOf={labelOf}
            selection={selection}
            openId={search.open}
            onOpen={onOpen}
            more={more}
            renderMenu={(sent) =>
              canRetry(sent) && (
                <span className="max-md:ml-3">
                  <RetryButton sent={sent} />
                </span>
              )
            }
          />
        )}
      </ListCard>
      <SelectionBar selection={selection} loaded={rows.length} total={null}>
        <BarButton icon={<RotateCw aria-hidden="true" />} onClick={() => retrying.show(chosen)}>
          Retry...
        </BarButton>
      </SelectionBar>
      {retrying.shown && (
        <RetryDialog
          key={retrying.opening}
          sent={retrying.shown}
          open={retrying.open}
          onClose={retrying.close}
          onDone={selection.clear}
        />
      )}
    </>
  );
}

interface RetryDialogProps {
  /** Those that have not failed are left out. */
  sent: readonly SentNotification[];
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

function RetryDialog({ sent, open, onClose, onDone }: RetryDialogProps) {
  const failed = sent.filter(canRetry);
  const leftOut = sent.length - failed.length;
  return (
    <BulkActDialog
      title="Retry notifications"
      button="Retry"
      running="Retrying..."
      items={failed}
      idOf={({ id }) => id}
      renderItem={labelOf}
      done={(count) => `${formatCountOf(count, 'notification')} retried`}
      act={({ id }) => retryNotification(id)}
      open={open}
      onClose={onClose}
      onDone={onDone}
      onSettled={refreshSent}
    >
      <p>
        {failed.length === 0
          ? 'None of the chosen notifications has failed.'
          : `Send ${formatCountOf(failed.length, 'failed notification')} again?`}
      </p>
      {leftOut > 0 && failed.length > 0 && (
        <p className="text-ink-2">{formatCountOf(leftOut, 'notification')} left out: not failed.</p>
      )}
    </BulkActDialog>
  );
}
