import { queryOptions } from '@tanstack/react-query';
import type { Depot, DepotInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

const key = ['depots'];

/** All depots, by name. */
export const depotsQuery = () =>
  queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => api.depots.list({ signal }),
    meta: { showsError: true },
  });

export const useLiveDepots = () => useInvalidation('depot', () => refresh(key));

/** Adds a depot, or changes the given one (optimistic lock on its version). */
export function useSaveDepot(depot: Depot | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: DepotInput, signal) =>
      depot
        ? api.depots.update({ params: { id: depot.id }, body: { ...body, version: depot.version }, signal })
        : api.depots.create({ body, idempotencyKey: keyOf(body), signal }),
    onSettled: () => refresh(key),
    meta: { showsError: true },
  });
}

export const useDeleteDepot = (id: string) =>
  useSingleMutation({
    mutationFn: (_, signal) => api.depots.remove({ params: { id }, signal }),
    onSettled: () => refresh(key),
    meta: { showsError: true },
  });
