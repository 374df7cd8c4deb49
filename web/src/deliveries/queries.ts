import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { newIdempotencyKey, useIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { uploadImages } from '../platform/uploads.ts';
import { useLoginOnUnauthorized } from './useRequireDriver.ts';

const quickSearchLimit = 5;

const keys = {
  all: ['deliveries'],
  summary: ['deliveries', 'summary'],
  pending: ['deliveries', 'pending'],
  mine: ['deliveries', 'mine'],
  completed: ['deliveries', 'completed'],
  next: ['deliveries', 'next'],
  ofOwner: ['deliveries', 'of owner'],
  driverOf: (packageId: string) => ['deliveries', 'driver of', packageId],
};

/** The three lists of a driver. */
export const deliveryLists = ['mine', 'pending', 'completed'] as const;
export type DeliveryListName = (typeof deliveryLists)[number];

/** Who brings a package; while nobody does, why: as text. */
export const carrierQuery = (packageId: string) =>
  queryOptions({
    queryKey: keys.driverOf(packageId),
    queryFn: ({ signal }) =>
      api.deliveries.driverOfPackage({ params: { id: packageId }, signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'no_carrier') return error.message;
        throw error;
      }),
    meta: { showsError: true },
  });

export const deliverySummaryQuery = () =>
  queryOptions({
    queryKey: keys.summary,
    queryFn: ({ signal }) => api.deliveries.summary({ signal }),
    meta: { showsError: true },
  });

/**
 * One's own in the order of the stops: what is open, unless something is searched for, the others the newest first.
 * @param onTheRoad only what the driver carries now
 */
export const deliveryListQuery = (list: DeliveryListName, q: string, onTheRoad: boolean) =>
  pagedQuery([...keys[list], q, onTheRoad], (page, signal) => {
    const query = { q: q || undefined, ...page };
    return list === 'mine'
      ? api.deliveries.mine({
          query: { ...query, status: onTheRoad ? 'in transit' : undefined, order: 'stops' },
          signal,
        })
      : api.deliveries[list]({ query, signal });
  });

/** What the driver has delivered since then. */
export const completedSinceQuery = (from: string) =>
  pagedQuery([...keys.completed, 'since', from], (page, signal) =>
    api.deliveries.completed({ query: { from, ...page }, signal }),
  );

/** The first few of what a driver searches for among their own. */
export const deliveryQuickSearchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.mine, 'found', q],
    queryFn: async ({ signal }) => (await api.deliveries.mine({ query: { q, limit: quickSearchLimit }, signal })).items,
    meta: { showsError: true },
  });

/** The first few of what a driver searches for among the packages that nobody has yet. */
export const availableQuickSearchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.pending, 'found', q],
    queryFn: async ({ signal }) =>
      (await api.deliveries.available({ query: { q, limit: quickSearchLimit }, signal })).items,
    meta: { showsError: true },
  });

/** The stop that was marked as next, the last one when there are several; null when none is. */
export const nextStopQuery = () =>
  queryOptions({
    queryKey: keys.next,
    queryFn: async ({ signal }) => {
      const { items } = await api.deliveries.mine({ query: { status: 'out for delivery', limit: 20 }, signal });
      return items.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0] ?? null;
    },
    meta: { showsError: true },
  });

/** What of an owner's is not delivered yet. */
export const openDeliveriesQuery = () =>
  queryOptions({
    queryKey: keys.ofOwner,
    queryFn: async ({ signal }) =>
      (await api.deliveries.ofOwner({ query: { status: 'pending,in transit', limit: 200 }, signal })).items,
    meta: { showsError: true },
  });

export const useLiveOpenDeliveries = () => useInvalidation('package', () => refresh(keys.ofOwner));

/** After a step of the driver's own, done or refused: every list may have changed. */
export const refreshDeliveries = () => refresh(keys.all);

const step = { onSettled: refreshDeliveries, meta: { showsError: true } };

export function useStartDelivery(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...step,
    onError: useLoginOnUnauthorized(),
    mutationFn: (_, signal) => api.deliveries.start({ params: { id }, idempotencyKey: keyOf('start'), signal }),
  });
}

/** A toast tells a failure: there is no dialog to show it in. */
export const useMarkNext = (id: string) =>
  useSingleMutation({
    mutationFn: () => api.deliveries.next({ params: { id }, idempotencyKey: newIdempotencyKey() }),
    onSettled: refreshDeliveries,
  });

export function useReportLocation(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...step,
    mutationFn: (location: string, signal) =>
      api.deliveries.reportLocation({ params: { id }, body: { location }, idempotencyKey: keyOf(location), signal }),
  });
}

/** What a driver brings back from the door. */
interface Proof {
  receivedBy: string | undefined;
  note: string | undefined;
  photo: File | null;
  signature: File | null;
}

export function useCompleteDelivery(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...step,
    onError: useLoginOnUnauthorized(),
    mutationFn: async ({ photo, signature, ...text }: Proof, signal) => {
      const images = {
        photo: photo ? (await uploadImages([photo], signal))[0] : undefined,
        signature: signature ? (await uploadImages([signature], signal))[0] : undefined,
      };
      const body = { ...text, ...images };
      return api.deliveries.complete({ params: { id }, body, idempotencyKey: keyOf(body), signal });
    },
  });
}

export function useFailDelivery(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...step,
    mutationFn: (body: { reason: string; location: string | null | undefined }, signal) =>
      api.deliveries.fail({ params: { id }, body, idempotencyKey: keyOf(body), signal }),
  });
}

/** Keeps the driver's lists and figures up to date while the screen is open. */
export function useLiveDeliveries(): void {
  useInvalidation('delivery', () => {
    for (const key of [keys.summary, keys.mine, keys.completed, keys.next]) refresh(key);
  });
  useInvalidation('deliveries', () => {
    refresh(keys.summary);
    refresh(keys.pending);
  });
}

/** Follows who brings a package, for its owner. */
export const useLiveCarrier = (packageId: string) =>
  useInvalidation('package', () => refresh(keys.driverOf(packageId)));

export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'receipt', id],
    queryFn: ({ signal }) => api.deliveries.receipt({ params: { id }, signal }),
    retry: (failures, error) =>
      failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    meta: { showsError: true },
  });
