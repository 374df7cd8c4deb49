import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { Page, WaitingFilter, WaitingGroup, WaitingPackage, WaitingSelection } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { queryClient } from '../platform/query-client.ts';

const keys = {
  all: ['routes'],
  day: (day: string, depotId: string) => ['routes', 'day', day, depotId],
  waiting: ['waiting'],
};

const maxRoutes = 200;

let acts: Promise<unknown> = Promise.resolve();

/**
 * The routes of a day are not fetched until an act is saved, and what is being fetched is dropped: an answer from before the act would
 * show the old state again.
 */
export function holdRoutes(act: Promise<unknown>): void {
  acts = act;
  void queryClient.cancelQueries({ queryKey: [...keys.all, 'day'] });
}

/** All routes of a day and depot with their stops, the oldest first. */
export const dayRoutesQuery = (day: string, depotId: string) =>
  queryOptions({
    queryKey: keys.day(day, depotId),
    queryFn: async ({ signal }) => {
      await acts;
      return (await api.routes.list({ query: { day, depotId, limit: maxRoutes }, signal })).items.toReversed();
    },
    enabled: depotId !== '',
    meta: { showsError: true },
  });

/** The drivers who have a route of another depot on a day: the depot's name, by driver. Below the keys of routes, whatever refreshes them refreshes it. */
export const elsewhereQuery = (day: string, depotId: string) =>
  queryOptions({
    queryKey: [...keys.all, 'elsewhere', day, depotId],
    queryFn: async ({ signal }) =>
      new Map(
        (await api.dispatch.busy({ query: { day }, signal })).flatMap((busy) =>
          busy.depotId === depotId ? [] : [[busy.driverId, busy.depot] as const],
        ),
      ),
    meta: { showsError: true },
  });

/** The routes of a driver that are not finished, of any day and depot. */
export const unfinishedRoutesQuery = (driverId: string | null) =>
  queryOptions({
    queryKey: [...keys.all, 'unfinished', driverId],
    queryFn: async ({ signal }) => {
      const query = { driverId: driverId ?? undefined, unfinished: true, limit: maxRoutes };
      return (await api.routes.list({ query, signal })).items;
    },
    enabled: driverId !== null,
    meta: { showsError: true },
  });

/** The open offers of all drivers: whom each package is offered to. Below the keys of routes, whatever refreshes them refreshes it. */
export const offeredToQuery = () =>
  queryOptions({
    queryKey: [...keys.all, 'offers'],
    queryFn: async ({ signal }) =>
      new Map(
        (await api.offers.open({ signal })).flatMap(({ to, expiresAt, deliveries }) =>
          deliveries.map(({ id }) => [id, { to: to ?? 'a colleague', expiresAt }] as const),
        ),
      ),
    meta: { showsError: true },
  });

/** What waits to be planned, by postal code and town. While somebody types, what was there stays until the new filter is answered. */
export const waitingQuery = (filter: WaitingFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.waiting, 'groups', filter],
    queryFn: ({ pageParam, signal }) =>
      api.dispatch.waiting({ query: { ...filter, after: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

/**
 * The waiting packages of a group, by street and house number.
 * @param isAnswered whether the groups shown are those of this filter: else the group may not be among them, and its former rows stay
 */
export const waitingRowsQuery = (filter: WaitingFilter, { postalCode, town }: WaitingGroup, isAnswered = true) =>
  infiniteQueryOptions({
    queryKey: [...keys.waiting, 'rows', filter, postalCode, town],
    queryFn: ({ pageParam, signal }) =>
      api.dispatch.waitingPackages({
        query: {
          ...filter,
          postalCode: postalCode ?? '',
          town: town ?? '',
          limit: 100,
          cursor: pageParam ?? undefined,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled: isAnswered,
    meta: { showsError: true },
  });

/** How many of a selection are proposed for a later day. Below the keys of what waits, whatever refreshes it refreshes this. */
export const laterQuery = (selection: WaitingSelection, day: string) =>
  queryOptions({
    queryKey: [...keys.waiting, 'later', selection, day],
    queryFn: async ({ signal }) => (await api.dispatch.select({ body: { ...selection, dueBy: day }, signal })).later,
    meta: { showsError: true },
  });

/** Where what waits goes. Below the keys of what waits, whatever refreshes it refreshes this. */
export const waitingMapQuery = (filter: WaitingFilter) =>
  queryOptions({
    queryKey: [...keys.waiting, 'map', filter],
    queryFn: ({ signal }) => api.dispatch.waitingMap({ query: filter, signal }),
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

/** The rows of all unfolded groups. */
export const loadedRows = (client: QueryClient): WaitingPackage[] =>
  client
    .getQueriesData<{ pages: Page<WaitingPackage>[] }>({ queryKey: [...keys.waiting, 'rows'] })
    .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []);

/** The name of an owner, if a row of theirs has been loaded. */
export const nameOfOwner = (client: QueryClient, ownerId: string): string | null =>
  loadedRows(client).find((row) => row.ownerId === ownerId)?.owner ?? null;

export function refreshDispatch(): void {
  refresh(keys.all);
  refresh(keys.waiting);
}

/** Follows what other dispatchers, drivers and owners change while the screen is open. */
export function useLiveDispatch(): void {
  useInvalidation('route', refreshDispatch);
  useInvalidation('deliveries', refreshDispatch);
  useInvalidation('delivery', refreshDispatch);
  useInvalidation('package', () => refresh(keys.waiting));
}
