import { useInfiniteQuery } from '@tanstack/react-query';
import type { BookAddress } from '@waybill/contract';
import { MapPin, MapPinOff, Pencil, Trash2 } from 'lucide-react';
import { toast } from '../platform/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { isExact, lineOf, townOf } from '../users/suggestion-texts.ts';
import { addressListQuery, useDeleteAddress, useRestoreAddress } from './queries.ts';
import type { AddressSearch } from './search.ts';

const skeleton = (
  <SkeletonGroup label="Loading addresses">
    <div className="divide-y divide-line">
      {['a', 'b', 'c', 'd'].map((place) => (
        <div key={place} className="flex flex-col gap-3 px-5 py-4">
          <Skeleton width="w-48" />
          <Skeleton width="w-72" />
        </div>
      ))}
    </div>
  </SkeletonGroup>
);

interface AddressListProps {
  search: AddressSearch;
  onPages: (pages: number) => void;
  onEdit: (address: BookAddress) => void;
}

export function AddressList({ search, onPages, onEdit }: AddressListProps) {
  const list = useInfiniteQuery(addressListQuery(search));
  const remove = useDeleteAddress();
  const restore = useRestoreAddress();
  const removeNow = (address: BookAddress) =>
    remove.mutate(address, {
      onSuccess: () =>
        toast({
          title: 'Address deleted',
          description: lineOf(address),
          action: {
            label: 'Undo',
            act: () =>
              restore.mutate(address, {
                onSuccess: () => toast({ title: 'Address restored', description: lineOf(address) }),
                onError: (error) =>
                  toast({ title: 'Address not restored', description: error.message, variant: 'destructive' }),
              }),
          },
        }),
      onError: (error) => toast({ title: 'Address not deleted', description: error.message, variant: 'destructive' }),
    });
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      skeleton={skeleton}
      empty={
        search.q ? (
          <EmptyState
            drawing={<ParcelDrawing kind="missing" />}
            title="No address has these words"
            description="Try fewer or shorter ones."
          />
        ) : (
          <EmptyState
            drawing={<ParcelDrawing kind="open" />}
            title="Your address book is empty"
            description="Addresses come here when a package is delivered to them, or when you add one."
          />
        )
      }
    >
      {(shown) => (
        <ul aria-label="Addresses" className="divide-y divide-line">
          {shown.map((address) => (
            <li key={address.id} className="flex items-center gap-3 px-5 py-3.5">
              {isExact(address.place) ? (
                <MapPin aria-hidden="true" className="size-5 shrink-0 text-brand" />
              ) : (
                <MapPinOff aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
              )}
              <div className="min-w-0 grow">
                <div className="flex flex-wrap items-baseline gap-x-2">
                  <p className="text-ui font-semibold wrap-anywhere">{address.name ?? address.street}</p>
                  {!isExact(address.place) && <p className="text-table text-ink-3">No pin yet</p>}
                </div>
                <p className="mt-0.5 text-ui text-ink-2 wrap-anywhere">
                  {address.name === null ? townOf(address) : lineOf(address)}
                </p>
              </div>
              <span className="-mx-2 flex">
                <IconButton
                  size="sm"
                  label={`Edit ${lineOf(address)}`}
                  icon={<Pencil aria-hidden="true" />}
                  onClick={() => onEdit(address)}
                />
                <IconButton
                  size="sm"
                  label={`Delete ${lineOf(address)}`}
                  icon={<Trash2 aria-hidden="true" />}
                  onClick={() => removeNow(address)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </ListCard>
  );
}
