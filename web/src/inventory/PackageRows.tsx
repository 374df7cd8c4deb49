import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { ChosenPackagesBar } from '../packages/ChosenPackagesBar.tsx';
import type { SaveLabels } from '../packages/bulk.ts';
import { packageHref } from '../packages/links.ts';
import { useSession } from '../platform/session.ts';
import { usePages } from '../platform/usePages.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchMenu } from '../shifts/DispatchMenu.tsx';
import { Button } from '../ui/Button.tsx';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useSelection } from '../ui/useSelection.ts';
import { packageColumnsOf } from './package-columns.tsx';
import { inventoryPackagesQuery } from './queries.ts';
import type { InventorySearch } from './search.ts';

interface PackageRowsProps {
  title: string;
  search: InventorySearch;
  onPages: (pages: number) => void;
  onOpen: (id: string, replace: boolean) => void;
  onDispatch: (dispatch: Dispatch) => void;
  saveLabels: SaveLabels;
  onClose: () => void;
}

/** The packages behind a count or a search. */
export function PackageRows({ title, search, onPages, onOpen, onDispatch, saveLabels, onClose }: PackageRowsProps) {
  const session = useSession();
  const list = useInfiniteQuery(inventoryPackagesQuery(search));
  const more = usePages(list, search.pages, onPages);
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const selection = useSelection(
    rows.map(({ id }) => id),
    null,
    JSON.stringify({ ...search, pages: undefined, open: undefined }),
  );
  return (
    <>
      <Panel
        title={title}
        query={list}
        loadingHeight="h-40"
        flush
        actions={
          <span className="-mr-3">
            <Button variant="ghost" size="sm" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose}>
              Clear Filter
            </Button>
          </span>
        }
      >
        {() =>
          rows.length === 0 ? (
            <EmptyState drawing={<ParcelDrawing kind="missing" />} title="No packages here" />
          ) : (
            <div className="@container border-t border-line">
              <DataTable
                label={title}
                columns={packageColumnsOf(search)}
                groups={ungrouped(rows)}
                idOf={({ id }) => id}
                nameOf={({ name }) => name}
                selection={selection}
                openId={search.open}
                onOpen={onOpen}
                hrefOf={(pkg) => packageHref(pkg, session)}
                renderMenu={(pkg) => (
                  <span className="max-md:ml-2">
                    <DispatchMenu pkg={pkg} onAction={onDispatch} />
                  </span>
                )}
                more={{ shown: rows.length, ...more }}
              />
            </div>
          )
        }
      </Panel>
      <ChosenPackagesBar selection={selection} shown={rows} saveLabels={saveLabels} />
    </>
  );
}
