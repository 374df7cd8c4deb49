import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Package } from '@waybill/contract';
import { useEffect, useEffectEvent } from 'react';
import { useToday } from '../platform/clock.ts';
import { useSession } from '../platform/session.ts';
import { totalOf, usePages } from '../platform/usePages.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { TableBox } from '../ui/TableBox.tsx';
import { TableSkeleton } from '../ui/TableSkeleton.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { useSelection } from '../ui/useSelection.ts';
import type { SaveLabels } from './bulk.ts';
import { CancelPackageDialog } from './CancelPackageDialog.tsx';
import { DeletePackageDialog } from './DeletePackageDialog.tsx';
import { isFiltered, sortOf } from './filters.ts';
import type { PackageSearch } from './search.ts';
import { groupsOf } from './groups.ts';
import { packageHref } from './links.ts';
import { NoPackages } from './NoPackages.tsx';
import { packageColumns } from './package-columns.tsx';
import { PackageMenu } from './PackageMenu.tsx';
import { PackageSelectionBar } from './PackageSelectionBar.tsx';
import { packageListQuery, packageSummaryQuery } from './queries.ts';

interface PackageListProps {
  ownerId: string;
  search: PackageSearch;
  onPages: (pages: number) => void;
  onClearFilters: () => void;
  onSort: (sort: PackageSearch['sort']) => void;
  /** Opens a package beside the list. `replace`: another one is open already. */
  onOpen: (id: string, replace: boolean) => void;
  onPrint: (id: string) => void;
  saveLabels: SaveLabels;
  /** Gets the ids of the loaded packages, in the order of the rows, and how many the whole list has. */
  onShown: (shown: { ids: readonly string[]; total: number | null }) => void;
}

/** The owner's packages, grouped by when they arrive. */
export function PackageList({
  ownerId,
  search,
  onPages,
  onClearFilters,
  onSort,
  onOpen,
  onShown,
  onPrint,
  saveLabels,
}: PackageListProps) {
  const session = useSession();
  const now = useToday();
  const list = useInfiniteQuery(packageListQuery(ownerId, search));
  const { data: summary } = useQuery(packageSummaryQuery(ownerId));
  const pending = useDelayedPending(list.isPending);
  const more = usePages(list, search.pages, onPages);
  const deleting = useDialogState<Package>();
  const cancelling = useDialogState<Package>();
  const filtered = isFiltered(search);
  const packages = list.data?.pages.flatMap((page) => page.items) ?? [];
  const groups = search.sort
    ? ungrouped(packages)
    : groupsOf({ packages, hasMore: list.hasNextPage, summary: filtered ? null : (summary ?? null), now });
  const shown = groups.flatMap(({ rows }) => rows);
  const selection = useSelection(
    shown.map(({ id }) => id),
    more.total,
    JSON.stringify({ ...search, pages: undefined, open: undefined }),
  );
  const order = shown.map(({ id }) => id).join();
  const total = totalOf(list.data);
  const report = useEffectEvent((ids: readonly string[], total: number | null) => onShown({ ids, total }));
  useEffect(() => report(order === '' ? [] : order.split(','), total), [order, total]);
  if (pending) {
    return <TableSkeleton visible label="Loading packages..." />;
  }
  if (list.isError && !list.data) {
    return (
      <Card>
        <QueryError query={list} message={`Error loading packages: ${list.error.message}`} />
        {search.sort && (
          <div className="flex justify-center">
            <Button variant="ghost" onClick={() => onSort(undefined)}>
              Back to the usual order
            </Button>
          </div>
        )}
      </Card>
    );
  }
  return (
    <>
      {shown.length === 0 ? (
        <Card flush>
          <NoPackages filtered={filtered} onClearFilters={onClearFilters} />
        </Card>
      ) : (
        <TableBox stale={list.isPlaceholderData}>
          <DataTable
            label="Packages"
            columns={packageColumns}
            groups={groups}
            idOf={(pkg) => pkg.id}
            nameOf={(pkg) => pkg.name}
            selection={selection}
            sort={search.sort}
            onSort={(sort) => onSort(sortOf(sort))}
            openId={search.open}
            onOpen={onOpen}
            hrefOf={(pkg) => packageHref(pkg, session)}
            renderMenu={(pkg) => (
              <PackageMenu
                pkg={pkg}
                onPrint={() => onPrint(pkg.id)}
                onSelect={() => selection.toggle(pkg.id)}
                onCancel={() => cancelling.show(pkg)}
                onDelete={() => deleting.show(pkg)}
              />
            )}
            more={{ shown: shown.length, ...more }}
          />
        </TableBox>
      )}
      <PackageSelectionBar
        ownerId={ownerId}
        selection={selection}
        shown={shown}
        search={search}
        total={more.total}
        isCapped={more.isCapped}
        saveLabels={saveLabels}
      />
      {deleting.shown && (
        <DeletePackageDialog
          key={deleting.opening}
          pkg={deleting.shown}
          open={deleting.open}
          onClose={deleting.close}
        />
      )}
      {cancelling.shown && (
        <CancelPackageDialog
          key={cancelling.opening}
          pkg={cancelling.shown}
          open={cancelling.open}
          onClose={cancelling.close}
        />
      )}
    </>
  );
}
