import { useNavigate } from '@tanstack/react-router';
import type { BookAddress } from '@waybill/contract';
import { ArrowLeft, Plus } from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { AddressList } from '../places/AddressList.tsx';
import type { AddressSearch } from '../places/search.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { replacesHistory } from '../platform/search-params.ts';
import { Button } from '../ui/Button.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { useDialogState } from '../ui/useDialogState.ts';

const AddressDialog = lazyComponent(() =>
  importWithRetry(() => import('../places/AddressDialog.tsx')).then((code) => code.AddressDialog),
);

/** The addresses that forms suggest to this owner. */
export function AddressesPage() {
  const search = usePageSearch('addresses');
  const navigate = useNavigate();
  const editing = useDialogState<{ address: BookAddress | null }>();
  const change = (next: AddressSearch) =>
    void navigate({
      to: '/owner/addresses',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto flex lg:max-w-[46rem] flex-col gap-4 md:gap-6">
        <PageTitle
          title="Address Book"
          subtitle="The addresses that are suggested to you when you create a package"
          before={
            <a
              href="/account"
              className="inline-flex min-h-9 items-center gap-1.5 rounded-control text-ui font-medium text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden="true" className="size-4" />
              Account
            </a>
          }
          actions={
            <Button
              icon={<Plus aria-hidden="true" className="size-5" />}
              onClick={() => editing.show({ address: null })}
            >
              Add Address
            </Button>
          }
        />
        <SearchInput
          label="Search addresses"
          placeholder="Name, street, postal code or city"
          value={search.q ?? ''}
          onSearch={(q) => change({ q })}
        />
        <AddressList
          search={search}
          onPages={(pages) => change({ pages })}
          onEdit={(address) => editing.show({ address })}
        />
      </div>
      {editing.shown && (
        <AddressDialog
          key={editing.opening}
          address={editing.shown.address}
          open={editing.open}
          onClose={editing.close}
        />
      )}
    </div>
  );
}
