import { useInfiniteQuery } from '@tanstack/react-query';
import { ListX, X } from 'lucide-react';
import { usePages } from '../platform/usePages.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { Panel } from '../ui/Panel.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { InventoryPackageItem } from './InventoryPackageItem.tsx';
import { inventoryPackagesQuery } from './queries.ts';
import type { InventorySearch } from './search.ts';

interface PackageRowsProps {
  title: string;
  search: InventorySearch;
  onPages: (pages: number) => void;
  onDispatch: (dispatch: Dispatch) => void;
  onClose: () => void;
}

/** The packages behind a count or a search. */
export function PackageRows({ title, search, onPages, onDispatch, onClose }: PackageRowsProps) {
  const list = useInfiniteQuery(inventoryPackagesQuery(search));
  const more = usePages(list, search.pages, onPages);
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
        if (rows.length === 0) return <EmptyState icon={<ListX />} title="No packages here" />;
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
