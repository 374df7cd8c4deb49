import { useInfiniteQuery } from '@tanstack/react-query';
import { ListX, X } from 'lucide-react';
import { usePages } from '../platform/usePages.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { Panel } from '../stats/Panel.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { InventoryPackageItem } from './InventoryPackageItem.tsx';
import { inventoryPackagesQuery } from './queries.ts';

interface PackageRowsProps {
  title: string;
  place: string | null;
  status: string | null;
  pages: number | undefined;
  onPages: (pages: number) => void;
  onDispatch: (dispatch: Dispatch) => void;
  onClose: () => void;
}

/** What a count counts, package by package. */
export function PackageRows({ title, place, status, pages: wanted, onPages, onDispatch, onClose }: PackageRowsProps) {
  const list = useInfiniteQuery(inventoryPackagesQuery(place, status));
  const more = usePages(list, wanted, onPages);
  return (
    <Panel
      title={title}
      query={list}
      loadingHeight="h-40"
      flush
      actions={
        <Button variant="ghost" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose}>
          Clear Filter
        </Button>
      }
    >
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.items);
        if (rows.length === 0) return <EmptyState icon={<ListX />} title="No packages here any more" />;
        return (
          <>
            <ul aria-label={title} className="divide-y divide-line border-t border-line">
              {rows.map((pkg) => (
                <InventoryPackageItem key={pkg.id} pkg={pkg} onDispatch={onDispatch} />
              ))}
            </ul>
            <div className="border-t border-line">
              <LoadMore shown={rows.length} {...more} />
            </div>
          </>
        );
      }}
    </Panel>
  );
}
