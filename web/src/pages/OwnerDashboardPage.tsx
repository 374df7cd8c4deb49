import { useNavigate } from '@tanstack/react-router';
import { Download, Plus } from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { toQuery } from '../packages/filters.ts';
import type { PackageSearch } from '../packages/filters.ts';
import { PackageCards } from '../packages/PackageCards.tsx';
import { PackageFilters } from '../packages/PackageFilters.tsx';
import { PackageList } from '../packages/PackageList.tsx';
import { useLivePackages } from '../packages/queries.ts';
import { QuickActions } from '../packages/QuickActions.tsx';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { useSession } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useCan } from '../users/useCan.ts';

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
  const clear = () => void navigate({ search: {}, resetScroll: false });

  // The guard admits only owners, but during sign-out there is one render without a user.
  if (!user) return null;
  return (
    <div className="page py-6 md:py-8">
      <PageTitle
        title="Package Owner Dashboard"
        actions={
          <>
            <Button
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={save.isPending}
              onClick={() => save.mutate(user.id)}
            >
              Export CSV
            </Button>
            {mayCreate && (
              <LinkButton
                href="/owner/create-package"
                aria-keyshortcuts="c"
                icon={<Plus aria-hidden="true" className="size-5" />}
              >
                Add Package
              </LinkButton>
            )}
          </>
        }
      />
      <PackageCards ownerId={user.id} status={search.status} onStatus={(status) => filter({ status })} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <section aria-labelledby="packages" className="flex min-w-0 flex-col gap-4">
          <h2 id="packages" className="sr-only">
            Packages
          </h2>
          <PackageFilters search={search} onSearch={filter} onClear={clear} />
          <PackageList
            ownerId={user.id}
            search={search}
            onPages={(pages) => filter({ pages })}
            onClearFilters={clear}
          />
        </section>
        <QuickActions />
      </div>
    </div>
  );
}
