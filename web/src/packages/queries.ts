import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, generateTrackingId } from '@waybill/contract';
import type { NextStepInput, Package, PlaceInput, RatePackageInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { queryClient } from '../platform/query-client.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { uploadImages } from '../platform/uploads.ts';
import { toQuery } from './filters.ts';
import type { PackageSearch } from './search.ts';
import type { PackageChange } from './package-edit.ts';
import type { CreateBody } from './package-form.ts';

const quickSearchLimit = 5;

const keys = {
  all: ['packages'],
  lists: ['packages', 'list'],
  summaries: ['packages', 'summary'],
  one: (id: string) => ['packages', 'one', id],
  events: (id: string) => ['packages', 'events', id],
};

/** One retry, but none after a 4xx: the answer would be the same. */
const retryUnlessClientError = (failures: number, error: Error) =>
  failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

export const packageSummaryQuery = (ownerId: string) =>
  queryOptions({
    queryKey: [...keys.summaries, ownerId],
    queryFn: ({ signal }) => api.packages.summary({ params: { id: ownerId }, signal }),
    meta: { showsError: true },
  });

export const packageListQuery = (ownerId: string, search: PackageSearch) =>
  pagedQuery([...keys.lists, ownerId, { ...search, pages: undefined, open: undefined }], (page, signal) =>
    api.packages.listOfUser({
      params: { id: ownerId },
      query: { ...toQuery(search), ...(search.sort ? { sort: search.sort } : { byStage: true }), ...page },
      signal,
    }),
  );

const pinsAtOnce = 50;

/** What waits for a pin, of an owner, who may set it until the start, or of all (null): how many, and the newest. */
export const pinsQuery = (ownerId: string | null) =>
  queryOptions({
    queryKey: [...keys.lists, 'pins', ownerId],
    queryFn: ({ signal }) => {
      const query = { needsPin: true, count: true, limit: pinsAtOnce };
      return ownerId === null
        ? api.packages.listAll({ query, signal })
        : api.packages.listOfUser({ params: { id: ownerId }, query: { ...query, status: 'processing' }, signal });
    },
    meta: { showsError: true },
  });

/** Quick search: the first 5 matches among an owner's packages, or among all (null). */
export const packageQuickSearchQuery = (ownerId: string | null, q: string) =>
  queryOptions({
    queryKey: [...keys.lists, 'found', ownerId, q],
    queryFn: async ({ signal }) => {
      const query = { q, limit: quickSearchLimit };
      const { items } = await (ownerId === null
        ? api.packages.listAll({ query, signal })
        : api.packages.listOfUser({ params: { id: ownerId }, query, signal }));
      return items;
    },
    meta: { showsError: true },
  });

export const packageQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => api.packages.read({ params: { id }, signal }),
    retry: retryUnlessClientError,
    meta: { showsError: true },
  });

export const packageEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.events(id),
    queryFn: ({ signal, pageParam }) =>
      api.packages.events({ params: { id }, query: { limit: 20, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    retry: retryUnlessClientError,
    meta: { showsError: true },
  });

/** Refreshed with the events of the package. */
/** On which day it could be tried again. Below the keys of events, whatever refreshes them refreshes it. */
export const proposedDayQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.events(id), 'proposed day'],
    queryFn: ({ signal }) => api.dispatch.proposedDay({ params: { id }, signal }),
  });

export const failedAttemptsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.events(id), 'failed attempts'],
    queryFn: ({ signal }) => api.packages.attempts({ params: { id }, signal }),
    retry: retryUnlessClientError,
    meta: { showsError: true },
  });

/** Caches the response of a mutation, the newest version, and invalidates lists, summaries and history. */
export function cachePackage(pkg: Package): void {
  queryClient.setQueryData(packageQuery(pkg.id).queryKey, pkg);
  refresh(keys.lists);
  refresh(keys.summaries);
  refresh(keys.events(pkg.id));
}

/** Invalidates every query that shows a package. */
export function refreshPackage(id: string): void {
  refresh(keys.lists);
  refresh(keys.summaries);
  refresh(keys.one(id));
  refresh(keys.events(id));
}

/** Invalidates every query of packages, after many have changed. */
export const refreshPackages = (): void => refresh(keys.all);

/** Creates a package. If the tracking ID is taken, generates another one, once, and passes it to the form. */
export function useCreatePackage(onTrackingId: (trackingId: string) => void) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: async ({ files, ...content }: CreateBody & { files: readonly File[] }, signal) => {
      const send = (body: CreateBody) => api.packages.create({ body, idempotencyKey: keyOf(body), signal });
      const body = { ...content, images: await uploadImages(files, signal) };
      return send(body).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'tracking_id_taken') throw error;
        const trackingId = generateTrackingId();
        onTrackingId(trackingId);
        return send({ ...body, trackingId });
      });
    },
    onSuccess: cachePackage,
    meta: { showsError: true },
  });
}

/** Sends an edit based on `version` (optimistic lock, If-Match). Images are sent only when they changed. */
export const useEditPackage = (id: string) =>
  useSingleMutation({
    mutationFn: async (
      { version, body, images }: { version: number; body: PackageChange; images: readonly (File | string)[] | null },
      signal,
    ) => {
      const sent = await uploadImages(images?.filter((image) => image instanceof File) ?? [], signal);
      const paths = images?.map((image) => (typeof image === 'string' ? image : (sent.shift() ?? '')));
      return api.packages.update({
        params: { id },
        body: { ...body, images: paths },
        headers: { 'if-match': `"${version}"` },
        signal,
      });
    },
    onSuccess: cachePackage,
    // After a version conflict the form shows the new values beside the typed ones.
    onError: () => refreshPackage(id),
    meta: { showsError: true },
  });

/** All depots: where a package waits to be collected. */
export const depotsOfPackagesQuery = () =>
  queryOptions({
    queryKey: ['depots', 'of packages'],
    queryFn: ({ signal }) => api.depots.list({ signal }),
    staleTime: 10 * 60_000,
    meta: { showsError: true },
  });

/** What happens to a package after a failed attempt. */
export function useChooseNextStep(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: NextStepInput, signal) =>
      api.packages.chooseNextStep({ params: { id }, body, idempotencyKey: keyOf(body), signal }),
    onSuccess: cachePackage,
    onError: () => refreshPackage(id),
    meta: { showsError: true },
  });
}

/** Rates a delivered package, once. */
export function useRatePackage(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: RatePackageInput, signal) =>
      api.packages.rate({ params: { id }, body, idempotencyKey: keyOf(body), signal }),
    onSuccess: () => refresh(keys.one(id)),
    meta: { showsError: true },
  });
}

/** Says where the address of a package is. */
export const useSetPlace = (id: string) =>
  useSingleMutation({
    mutationFn: (body: PlaceInput, signal) => api.packages.setPlace({ params: { id }, body, signal }),
    onSuccess: () => refresh(keys.one(id)),
    meta: { showsError: true },
  });

/** Cancels or deletes a package. */
export const useEndPackage = (id: string) =>
  useSingleMutation({
    mutationFn: (status: 'cancelled' | 'inactive', signal) =>
      api.packages.update({ params: { id }, body: { status }, signal }),
    onSuccess: cachePackage,
    meta: { showsError: true },
  });

/** Invalidates package queries on live events while the screen is open. */
export function useLivePackages(): void {
  useInvalidation('package', (id) => {
    if (id === null) refresh(keys.all);
    else refreshPackage(id);
  });
  useInvalidation('notification', () => refresh(keys.summaries));
}
