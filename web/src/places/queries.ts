import { queryOptions } from '@tanstack/react-query';
import type { BookAddress, BookAddressInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh } from '../platform/invalidation.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { AddressSearch } from './search.ts';

const all = ['addresses'];

const refreshAll = () => {
  refresh(all);
  // Suggestions of forms are among them.
  refresh(['places']);
};

export const addressListQuery = ({ q }: AddressSearch) =>
  pagedQuery([...all, 'list', { q }], (page, signal) =>
    api.addresses.list({ query: { q: q || undefined, ...page }, signal }),
  );

/** Where the map of an address without a place begins. */
export const depotPlacesQuery = () =>
  queryOptions({
    queryKey: ['depots'],
    queryFn: ({ signal }) => api.depots.list({ signal }),
    meta: { showsError: true },
  });

/** Adds an entry, or replaces the given one. */
export function useSaveAddress(address: BookAddress | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: BookAddressInput, signal) =>
      address
        ? api.addresses.update({ params: { id: address.id }, body, signal })
        : api.addresses.create({ body, idempotencyKey: keyOf(body), signal }),
    onSettled: refreshAll,
    meta: { showsError: true },
  });
}

/** Deletes an entry at once; `useRestoreAddress` puts it back. */
export const useDeleteAddress = () =>
  useSingleMutation({
    mutationFn: ({ id }: BookAddress, signal) => api.addresses.remove({ params: { id }, signal }),
    onSettled: refreshAll,
    meta: { showsError: true },
  });

/** Puts a deleted entry back. Its place becomes a pin, where it was exact. */
export const useRestoreAddress = () =>
  useSingleMutation({
    mutationFn: ({ name, street, postalCode, city, country, place }: BookAddress, signal) =>
      api.addresses.create({
        body: {
          name,
          street,
          postalCode,
          city,
          country,
          ...(place &&
            (place.accuracy === 'pin' || place.accuracy === 'rooftop') && {
              place: { lon: place.lon, lat: place.lat },
            }),
        },
        signal,
      }),
    onSettled: refreshAll,
    meta: { showsError: true },
  });
