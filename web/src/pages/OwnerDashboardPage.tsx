import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Plus } from 'lucide-react';
import { useState } from 'react';
import { openScanned } from '../app/labels.ts';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import { toQuery } from '../packages/filters.ts';
import type { PackageSearch } from '../packages/search.ts';
import { loadPrint } from '../labels/load-print.ts';
import { ScanButton } from '../labels/ScanButton.tsx';
import { OwnerFirstDay } from '../packages/OwnerFirstDay.tsx';
import { PackageCards } from '../packages/PackageCards.tsx';
import { PinsNote } from '../packages/PinsNote.tsx';
import { PackageFilters } from '../packages/PackageFilters.tsx';
import { PackageList } from '../packages/PackageList.tsx';
import { packageSummaryQuery, useLivePackages } from '../packages/queries.ts';
import { QuickActions } from '../packages/QuickActions.tsx';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { useSession } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { classes } from '../ui/classes.ts';
import { neighboursOf } from '../ui/neighbours.ts';
import { useCan } from '../users/useCan.ts';
import { PackagePanel } from './parts/LazyPackagePanel.tsx';

export function OwnerDashboardPage() {
  useLivePackages();
  const { user } = useSession();
  const mayCreate = useCan({ permissions: ['packages.create'] });
  const search = usePageSearch('ownerDashboard');
  const navigate = useNavigate({ from: '/owner/dashboard' });
  const filter = (change: PackageSearch) =>
    void navigate({
      search: (before) => ({ ...before, pages: undefined, ...change }),
      replace: replacesHistory(change),
      resetScroll: false,
    });
  const save = useSingleMutation({
    mutationFn: async (id: string) =>
      saveResponse(await api.packages.exportOfUser({ params: { id }, query: toQuery(search) }), 'packages.csv'),
  });
  const clear = () => void navigate({ search: ({ open, sort }) => ({ open, sort }), resetScroll: false });
  const { open } = search;
  const row = useOpenRow(
    (id, step) => void navigate({ search: (before) => ({ ...before, open: id }), resetScroll: false, ...step }),
  );
  // Nothing to sort out yet: no acts on packages beside the one that creates the first.
  const { data: summary } = useQuery({ ...packageSummaryQuery(user?.id ?? ''), enabled: user !== null });
  const isNew = summary?.active === 0 && summary.delivered === 0;
  const [shown, setShown] = useState<{ ids: readonly string[]; total: number | null }>({ ids: [], total: null });

  // The guard admits only owners, but during sign-out there is one render without a user.
  if (!user) return null;
  return (
    <div className={classes('grow', open !== undefined && 'lg:grid lg:grid-cols-[minmax(0,1fr)_30rem]')}>
      <div className="min-w-0 px-4 py-3 max-md:flex max-md:flex-col md:px-6 md:py-4">
        <div className="@container max-md:contents">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 max-md:contents">
            <h1 className="text-section leading-9 font-semibold tracking-[-0.015em] max-md:mb-2 max-md:text-[1.375rem]">
              Package Owner Dashboard
            </h1>
            <OwnerFirstDay />
            <div className="flex flex-wrap gap-2 max-md:mb-3">
              {!isNew && (
                <Button
                  variant="secondary"
                  size="sm"
                  icon={<Download aria-hidden="true" className="size-4" />}
                  loading={save.isPending}
                  onClick={() => save.mutate(user.id)}
                >
                  Export CSV
                </Button>
              )}
              {mayCreate && (
                <LinkButton
                  size="sm"
                  variant={isNew ? 'secondary' : 'primary'}
                  href="/owner/create-package"
                  aria-keyshortcuts="c"
                  icon={<Plus aria-hidden="true" className="size-4" />}
                >
                  Add Package
                </LinkButton>
              )}
            </div>
          </div>
        </div>
        <PackageCards ownerId={user.id} status={search.status} onStatus={(status) => filter({ status })} />
        <section aria-labelledby="packages" className="mt-3 flex min-w-0 flex-col gap-3">
          <h2 id="packages" className="sr-only">
            Packages
          </h2>
          <PinsNote ownerId={user.id} />
          <PackageFilters
            search={search}
            onSearch={filter}
            onClear={clear}
            isNew={isNew}
            scan={<ScanButton look="icon" onFound={(id) => openScanned(id, (href) => void navigate({ href }))} />}
          />
          <PackageList
            ownerId={user.id}
            search={search}
            onPages={(pages) => filter({ pages })}
            onClearFilters={clear}
            onSort={(sort) => filter({ sort })}
            onOpen={row.open}
            onPrint={(id) =>
              void loadPrint().then(
                (print) => print.saveLabelsWithToast([id]),
                () => {},
              )
            }
            saveLabels={async (ids, signal) => (await loadPrint()).saveLabels(ids, signal)}
            onShown={setShown}
          />
        </section>
        <QuickActions />
      </div>
      {open !== undefined && (
        <PackagePanel
          id={open}
          neighbours={neighboursOf(open, shown.ids, shown.total)}
          onOpen={(id) => row.open(id, true)}
          onClose={row.close}
        />
      )}
    </div>
  );
}
