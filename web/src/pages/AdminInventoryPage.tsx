import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import { columnOf, columns, noLocation } from '../inventory/columns.ts';
import { InventoryPackageItem } from '../inventory/InventoryPackageItem.tsx';
import { PackageRows } from '../inventory/PackageRows.tsx';
import { PlaceTable } from '../inventory/PlaceTable.tsx';
import { inventoryPackagesQuery, inventoryQuery, refreshInventory, useLiveInventory } from '../inventory/queries.ts';
import type { InventorySearch } from '../inventory/search.ts';
import { loadPrint } from '../labels/load-print.ts';
import { useLivePackages } from '../packages/queries.ts';
import { PinsNote } from '../packages/PinsNote.tsx';
import { TroubleFilters } from '../packages/TroubleFilters.tsx';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { formatCount } from '../platform/formats.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { totalOf, usePages } from '../platform/usePages.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchDialog } from '../shifts/LazyDispatchDialog.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import { DensityButton } from '../ui/DensityButton.tsx';
import { neighboursOf } from '../ui/neighbours.ts';
import { useDialogState } from '../ui/useDialogState.ts';
import { tellHiddenEnds } from '../ui/scrollable.ts';
import { PackagePanel } from './parts/LazyPackagePanel.tsx';
import { AdminPage } from '../app/AdminPage.tsx';

/** One option per column of the table. */
const statusOptions = columns.map(({ label, status }) => ({
  value: status ?? 'all',
  label: status === null ? 'All Statuses' : label,
}));

export function AdminInventoryPage() {
  useLiveInventory();
  useLivePackages();
  const search = usePageSearch('adminInventory');
  const navigate = useNavigate();
  const list = useInfiniteQuery(inventoryQuery(search.q));
  const { place, status, find, failed, overdue, atRisk, needsPin } = search;
  const isChosen = [place, status, find, failed, overdue, atRisk, needsPin].some((one) => one !== undefined);
  const dispatching = useDialogState<Dispatch>();
  const change = (next: InventorySearch, resetScroll = false) =>
    void navigate({
      to: '/admin/inventory',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next) || 'find' in next,
      resetScroll,
    });
  const row = useOpenRow(
    (open, step) => void navigate({ to: '/admin/inventory', search: { ...search, open }, resetScroll: false, ...step }),
  );
  const onPages = (pages: number) => change({ pages });
  const more = usePages(list, isChosen ? undefined : search.pages, onPages);
  // Reset the scroll position: the packages are shown above the table.
  const choose = (place: string | null, status: string | null) =>
    change({ place: place ?? undefined, status: status ?? undefined }, true);
  const exportCounts = useSingleMutation({
    mutationFn: async () => saveResponse(await api.inventory.exportCounts({ query: { q: search.q } }), 'inventory.csv'),
  });
  const first = list.data?.pages[0];
  const waiting = first?.totals.counts.processing ?? 0;
  const placeName = (place: string) =>
    list.data?.pages.flatMap(({ places }) => places).find((one) => one.place === place)?.name ?? (place || noLocation);

  return (
    <AdminPage
      panel={
        search.open !== undefined && (
          <OpenPackage
            id={search.open}
            search={isChosen ? search : null}
            onOpen={(id) => row.open(id, true)}
            onClose={row.close}
          />
        )
      }
    >
      <PageTitle
        title="Inventory"
        subtitle="How many packages are where, and what waits longest"
        actions={
          <Button
            variant="secondary"
            icon={<Download aria-hidden="true" className="size-4" />}
            loading={exportCounts.isPending}
            onClick={() => exportCounts.mutate()}
          >
            Export CSV
          </Button>
        }
      />
      <div className="@container flex flex-col gap-4">
        <FilterBar label="Search packages" q={find} onSearch={({ q }) => change({ find: q })}>
          <div ref={tellHiddenEnds} className="filter-line fading-ends sm:contents">
            <Select
              aria-label="Status"
              options={statusOptions}
              value={columnOf(status)?.status ?? 'all'}
              onValueChange={(chosen) => change({ status: chosen === 'all' ? undefined : chosen })}
            />
            <TroubleFilters search={search} onSearch={change} />
          </div>
          <span className="ml-auto max-md:hidden">
            <DensityButton />
          </span>
        </FilterBar>
        {needsPin && <PinsNote ownerId={null} />}
        <div className="flex flex-col gap-4 md:gap-6">
          {isChosen && (
            <PackageRows
              title={`${place === undefined ? 'All places' : placeName(place)}: ${columnOf(status)?.label ?? 'Packages'}`}
              search={search}
              onPages={onPages}
              onOpen={row.open}
              onDispatch={dispatching.show}
              saveLabels={async (ids, signal) => (await loadPrint()).saveLabels(ids, signal)}
              onClose={() =>
                change({
                  place: undefined,
                  status: undefined,
                  find: undefined,
                  failed: undefined,
                  overdue: undefined,
                  atRisk: undefined,
                  needsPin: undefined,
                })
              }
            />
          )}
          <Panel
            title="Packages by place"
            query={list}
            loadingHeight="h-96"
            flush
            actions={
              <search className="w-full sm:w-72 md:pointer-fine:[&_input]:min-h-9 md:pointer-fine:[&_input]:text-ui">
                <SearchInput
                  label="Search places"
                  placeholder="Search places..."
                  value={search.q ?? ''}
                  onSearch={(q) => change({ q: q || undefined })}
                />
              </search>
            }
          >
            {({ pages }) => {
              const places = pages.flatMap((page) => page.places);
              const [page] = pages;
              if (!page || places.length === 0) {
                return (
                  <EmptyState
                    drawing={<ParcelDrawing kind="missing" />}
                    title={search.q ? 'No places found' : 'There are no packages yet'}
                    description={search.q ? undefined : 'Places appear here with their packages.'}
                    action={
                      search.q && (
                        <Button variant="secondary" onClick={() => change({ q: undefined })}>
                          Clear Search
                        </Button>
                      )
                    }
                  />
                );
              }
              return (
                <div className="border-t border-line">
                  <PlaceTable
                    places={places}
                    totals={page.totals}
                    search={search}
                    onChoose={choose}
                    more={{ shown: places.length, ...more, total: page.matching }}
                  />
                </div>
              );
            }}
          </Panel>
          {/* Not while packages are chosen above: among them they would stand twice. */}
          {!isChosen && (
            <Panel
              title="Waiting longest"
              query={list}
              loadingHeight="h-72"
              flush
              actions={
                waiting > 0 && (
                  <span className="-mr-3">
                    <Button variant="ghost" size="sm" onClick={() => choose(null, 'processing')}>
                      Show all {formatCount(waiting)}
                    </Button>
                  </span>
                )
              }
            >
              {({ pages }) => {
                const longest = pages[0]?.waitingLongest ?? [];
                if (longest.length === 0)
                  return <EmptyState drawing={<ParcelDrawing kind="done" />} title="Nothing waits for a driver" />;
                return (
                  <ul
                    aria-label="Waiting longest"
                    // Lines above, not between: an odd one does not stand below nothing.
                    className="grid grid-cols-[minmax(0,1fr)] [&>li]:border-t [&>li]:border-line @min-[60rem]:grid-cols-2 @min-[60rem]:[&>li:nth-child(odd)]:border-r"
                  >
                    {longest.map((pkg) => (
                      <InventoryPackageItem key={pkg.id} pkg={pkg} onDispatch={dispatching.show} />
                    ))}
                  </ul>
                );
              }}
            </Panel>
          )}
        </div>
      </div>
      {dispatching.shown && (
        <DispatchDialog
          key={dispatching.opening}
          dispatch={dispatching.shown}
          open={dispatching.open}
          onClose={dispatching.close}
          onSettled={refreshInventory}
        />
      )}
    </AdminPage>
  );
}

interface OpenPackageProps {
  id: string;
  /** The list beside it; null while none is shown. */
  search: InventorySearch | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

function OpenPackage({ id, search, ...panel }: OpenPackageProps) {
  const { data } = useInfiniteQuery({ ...inventoryPackagesQuery(search ?? {}), enabled: search !== null });
  const ids = (search && data?.pages.flatMap((page) => page.items.map((pkg) => pkg.id))) ?? [];
  return <PackagePanel {...panel} id={id} neighbours={neighboursOf(id, ids, totalOf(data))} />;
}
