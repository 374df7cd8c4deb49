import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@waybill/contract';
import type { Delivery, DeliverySummary, FailInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { newIdempotencyKey, useIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { queryClient } from '../platform/query-client.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { uploadImages } from '../platform/uploads.ts';
import { answered, refreshDeliveries } from './steps.ts';
import { useLoginOnUnauthorized } from './useRequireDriver.ts';

const quickSearchLimit = 5;

const keys = {
  summary: ['deliveries', 'summary'],
  pending: ['deliveries', 'pending'],
  /** Not below the others: the summary has it after each of the driver's own acts. */
  waiting: ['waiting deliveries'],
  mine: ['deliveries', 'mine'],
  completed: ['deliveries', 'completed'],
  next: ['deliveries', 'next'],
  ofOwner: ['deliveries', 'of owner'],
  driverOf: (packageId: string) => ['deliveries', 'driver of', packageId],
};

/** Lists of the driver dashboard. */
export const deliveryLists = ['mine', 'pending', 'completed'] as const;
export type DeliveryListName = (typeof deliveryLists)[number];

/** The driver of a package; while there is none (`no_carrier`), the server's explanation as a string. */
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
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      const summary = await api.deliveries.summary({ signal });
      const known = queryClient.getQueryState(keys.waiting)?.dataUpdatedAt ?? 0;
      if (known <= askedAt) queryClient.setQueryData(keys.waiting, summary.pending);
      return summary;
    },
    meta: { showsError: true },
  });

/**
 * How many deliveries wait for a driver. It comes with the summary; a hint that this changed does not count the driver's own deliveries
 * again, but asks for what the server answers all drivers with.
 */
export function useWaiting(summary: DeliverySummary | undefined): number | undefined {
  const { data } = useQuery({
    queryKey: keys.waiting,
    queryFn: async ({ signal }) => (await api.deliveries.pending({ query: { limit: 1, count: true }, signal })).total,
    enabled: summary !== undefined,
    staleTime: Infinity,
    meta: { showsError: true },
  });
  return data ?? summary?.pending;
}

/**
 * 'mine' is sorted by the order of the stops, 'pending' by when they are due, 'completed' by when they were done.
 * @param onTheRoad restricts 'mine' to deliveries in transit
 */
export const deliveryListQuery = (list: DeliveryListName, q: string, onTheRoad: boolean) =>
  pagedQuery([...keys[list], q, onTheRoad], async (page, signal) => {
    const query = { q: q || undefined, ...page };
    if (list === 'pending') {
      const listed = await api.deliveries.pending({ query: { ...query, order: 'due' }, signal });
      if (page.count && q === '') queryClient.setQueryData(keys.waiting, listed.total);
      return listed;
    }
    if (list === 'completed') return api.deliveries.completed({ query, signal });
    return api.deliveries.mine({
      query: { ...query, status: onTheRoad ? 'in transit' : undefined, order: 'stops' },
      signal,
    });
  });

/** Midnight in the driver's time zone. */
const startOfToday = (): string => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();

/** The driver's deliveries completed since the midnight before the screen was opened. */
export function useDoneToday({ enabled = true } = {}) {
  const [from] = useState(startOfToday);
  const list = useInfiniteQuery({
    ...pagedQuery([...keys.completed, 'since', from], (page, signal) =>
      api.deliveries.completed({ query: { from, ...page }, signal }),
    ),
    enabled,
  });
  const done = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { list, done, count: Math.max(done.length, list.data?.pages[0]?.total ?? 0) };
}

/** Quick search: the first 5 matches among the driver's own deliveries. */
export const deliveryQuickSearchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.mine, 'found', q],
    queryFn: async ({ signal }) => (await api.deliveries.mine({ query: { q, limit: quickSearchLimit }, signal })).items,
    meta: { showsError: true },
  });

/** Quick search: the first 5 matches among packages without a driver. */
export const availableQuickSearchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.pending, 'found', q],
    queryFn: async ({ signal }) =>
      (await api.deliveries.available({ query: { q, limit: quickSearchLimit }, signal })).items,
    meta: { showsError: true },
  });

/** The stop marked as next, the most recently updated if several are; null without one. */
export const nextStopQuery = () =>
  queryOptions({
    queryKey: keys.next,
    queryFn: async ({ signal }) => {
      const { items } = await api.deliveries.mine({ query: { status: 'out for delivery', limit: 20 }, signal });
      return nextOf(items);
    },
    meta: { showsError: true },
  });

/** The stop that was marked as next last. In the order of the stops those marked are on the first page. */
export const nextOf = (items: readonly Delivery[]): Delivery | null =>
  items.filter(({ next }) => next).toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0] ?? null;

/** An owner's undelivered packages as deliveries, at most 200. */
export const openDeliveriesQuery = () =>
  queryOptions({
    queryKey: keys.ofOwner,
    queryFn: async ({ signal }) =>
      (await api.deliveries.ofOwner({ query: { status: 'pending,in transit', limit: 200 }, signal })).items,
    meta: { showsError: true },
  });

export const useLiveOpenDeliveries = () => useInvalidation('package', () => refresh(keys.ofOwner));

const mutationDefaults = { onSettled: refreshDeliveries, meta: { showsError: true } };

export function useStartDelivery(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...mutationDefaults,
    onError: useLoginOnUnauthorized(),
    mutationFn: (_, signal) =>
      answered(signal, (timed) =>
        api.deliveries.start({ params: { id }, idempotencyKey: keyOf('start'), signal: timed }),
      ),
  });
}

/** @param showsError the screen shows a failure itself: no toast */
export const useMarkNext = (id: string, { showsError = false } = {}) =>
  useSingleMutation({
    mutationFn: (_: void, signal) =>
      answered(signal, (timed) =>
        api.deliveries.next({ params: { id }, idempotencyKey: newIdempotencyKey(), signal: timed }),
      ),
    // Shown at once: the lists follow.
    onSuccess: (next) => queryClient.setQueryData(keys.next, next),
    onSettled: refreshDeliveries,
    meta: { showsError },
  });

/** Tells the server of the arrival. What the driver does next does not wait for it: without a connection nobody else sees it, no more. */
export const useArrive = (id: string) =>
  useSingleMutation({
    mutationFn: (_: void, signal) =>
      answered(signal, (timed) =>
        api.deliveries.arrive({ params: { id }, idempotencyKey: newIdempotencyKey(), signal: timed }),
      ),
    onSettled: refreshDeliveries,
    meta: { showsError: true },
  });

/** Tells the server that the driver is not there after all. */
export const useRetractArrival = (id: string) =>
  useSingleMutation({
    mutationFn: (_: void, signal) =>
      answered(signal, (timed) =>
        api.deliveries.retract({ params: { id }, idempotencyKey: newIdempotencyKey(), signal: timed }),
      ),
    onSettled: refreshDeliveries,
    meta: { showsError: true },
  });

export function useReportLocation(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...mutationDefaults,
    mutationFn: (location: string, signal) =>
      api.deliveries.reportLocation({ params: { id }, body: { location }, idempotencyKey: keyOf(location), signal }),
  });
}

/** Proof of delivery. */
interface Proof {
  receivedBy: string | undefined;
  note: string | undefined;
  photo: File | null;
  signature: File | null;
  /** By id. */
  pins: Readonly<Record<string, string>>;
  ageChecked: boolean | undefined;
  /** Ids of what is handed over with it. */
  others: readonly string[];
}

/** @param id of the stop in view. With others at its door all are completed, or none. Resolves to it as completed. */
export function useCompleteDelivery(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...mutationDefaults,
    onError: useLoginOnUnauthorized(),
    mutationFn: async ({ photo, signature, others, pins, ...text }: Proof, signal) => {
      const images = {
        photo: photo ? (await uploadImages([photo], signal))[0] : undefined,
        signature: signature ? (await uploadImages([signature], signal))[0] : undefined,
      };
      const body = { ...text, ...images };
      const single = { ...body, pin: pins[id] };
      if (others.length === 0)
        return [
          await answered(signal, (timed) =>
            api.deliveries.complete({ params: { id }, body: single, idempotencyKey: keyOf(single), signal: timed }),
          ),
        ];
      const door = { ...body, pins, deliveryIds: [id, ...others] };
      const { deliveries } = await answered(signal, (timed) =>
        api.deliveries.completeDoor({ body: door, idempotencyKey: keyOf(door), signal: timed }),
      );
      return deliveries;
    },
  });
}

type Failure = Omit<FailInput, 'photo' | 'at'> & { photo: File | null };

export function useFailDelivery(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    ...mutationDefaults,
    mutationFn: async ({ photo, ...text }: Failure, signal) => {
      const body = { ...text, photo: photo ? (await uploadImages([photo], signal))[0] : undefined };
      return answered(signal, (timed) =>
        api.deliveries.fail({ params: { id }, body, idempotencyKey: keyOf(body), signal: timed }),
      );
    },
  });
}

/** Hands a waiting package over at the depot. */
export function useCollect(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: async ({ photo, signature, pins, ...text }: Omit<Proof, 'others'>, signal) => {
      const body = {
        ...text,
        pin: pins[id],
        photo: photo ? (await uploadImages([photo], signal))[0] : undefined,
        signature: signature ? (await uploadImages([signature], signal))[0] : undefined,
      };
      return api.deliveries.collected({ params: { id }, body, idempotencyKey: keyOf(body), signal });
    },
    onSettled: refreshDeliveries,
    meta: { showsError: true },
  });
}

/** Takes back a completion. */
export function useReopen(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (reason: string, signal) =>
      api.deliveries.reopen({ params: { id }, body: { reason }, idempotencyKey: keyOf(reason), signal }),
    // Not the receipt, which it has no longer.
    onSettled: () => refresh(keys.driverOf(id)),
    meta: { showsError: true },
  });
}

/** Lets the PIN be tried again, or waives it. */
export function useReleasePin(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (waive: boolean, signal) =>
      api.deliveries.releasePin({ params: { id }, body: { waive }, idempotencyKey: keyOf(waive), signal }),
    onSettled: refreshDeliveries,
    meta: { showsError: true },
  });
}

/** Fetches what waits again, where it is on the screen. The list has its number with it. */
function refreshWaiting(): void {
  refresh(keys.pending);
  const lists = queryClient.getQueryCache().findAll({ queryKey: [...keys.pending, ''], type: 'active' });
  if (lists.length === 0) refresh(keys.waiting);
}

let awaitsSight = false;

/** At once, or when the page is seen again. */
function onceSeen(work: () => void): void {
  if (document.visibilityState !== 'hidden') return work();
  if (awaitsSight) return;
  awaitsSight = true;
  const seen = () => {
    awaitsSight = false;
    work();
  };
  document.addEventListener('visibilitychange', seen, { once: true });
}

/** Invalidates the driver's lists and summary on live events while the screen is open. */
export function useLiveDeliveries(): void {
  useInvalidation('delivery', () => {
    for (const key of [keys.summary, keys.mine, keys.completed, keys.next]) refresh(key);
  });
  // It changes each second where many drivers work: a phone in a pocket does not ask.
  useInvalidation('deliveries', () => onceSeen(refreshWaiting));
}

/** Invalidates a package's driver on live events, for its owner. */
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
