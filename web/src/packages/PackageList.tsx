import { useInfiniteQuery } from '@tanstack/react-query';
import type { Package } from '@waybill/contract';
import { usePages } from '../platform/usePages.ts';
import { Card } from '../ui/Card.tsx';
import { classes } from '../ui/classes.ts';
import { LoadMore } from '../ui/LoadMore.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { DeletePackageDialog } from './DeletePackageDialog.tsx';
import { isFiltered } from './filters.ts';
import type { PackageSearch } from './filters.ts';
import { NoPackages } from './NoPackages.tsx';
import { PackageListSkeleton } from './PackageListSkeleton.tsx';
import { PackageRow } from './PackageRow.tsx';
import { packageListQuery } from './queries.ts';

interface PackageListProps {
  ownerId: string;
  search: PackageSearch;
  onPages: (pages: number) => void;
  onClearFilters: () => void;
}

export function PackageList({ ownerId, search, onPages, onClearFilters }: PackageListProps) {
  const list = useInfiniteQuery(packageListQuery(ownerId, search));
  const pending = useDelayedPending(list.isPending);
  const more = usePages(list, search.pages, onPages);
  const deleting = useDialogState<Package>();
  const shown = list.data?.pages.flatMap((page) => page.items) ?? [];

  if (pending) {
    return (
      <Card flush>
        <PackageListSkeleton />
      </Card>
    );
  }
  if (list.isError && !list.data) {
    return (
      <Card>
        <QueryError query={list} message={`Error loading packages: ${list.error.message}`} />
      </Card>
    );
  }
  return (
    <Card flush>
      {shown.length === 0 ? (
        <NoPackages filtered={isFiltered(search)} onClearFilters={onClearFilters} />
      ) : (
        <>
          <ul
            aria-label="Packages"
            aria-busy={list.isPlaceholderData}
            className={classes('divide-y divide-line transition-opacity', list.isPlaceholderData && 'opacity-60')}
          >
            {shown.map((pkg) => (
              <PackageRow key={pkg.id} pkg={pkg} onDelete={() => deleting.show(pkg)} />
            ))}
          </ul>
          <div className="border-t border-line">
            <LoadMore shown={shown.length} {...more} />
          </div>
        </>
      )}
      {deleting.shown && (
        <DeletePackageDialog
          key={deleting.opening}
          pkg={deleting.shown}
          open={deleting.open}
          onClose={deleting.close}
        />
      )}
    </Card>
  );
}
