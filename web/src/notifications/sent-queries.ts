import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { notificationKinds } from '@waybill/contract';
import { dateQuery } from '../packages/filters.ts';
import { api } from '../platform/api.ts';
import { saveAnswer } from '../platform/download.ts';
import { newKey } from '../platform/idempotency.ts';
import { refresh } from '../platform/refresh.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { AdminNotificationSearch } from './search.ts';

const lists = ['notifications', 'sent'];
/** What becomes of a job is no event, so the list is read again: soon while something is on its way. */
const restMs = 10_000;
const onTheWayMs = 2000;

const filtersOf = ({ q, state, kind, date }: AdminNotificationSearch) => ({
  q: q || undefined,
  state,
  kind: notificationKinds.find((known) => known === kind),
  ...dateQuery(date),
});

export const sentListQuery = (search: AdminNotificationSearch) =>
  infiniteQueryOptions({
    queryKey: [...lists, filtersOf(search)],
    queryFn: ({ signal, pageParam }) =>
      api.notifications.sent({
        query: { ...filtersOf(search), limit: 20, cursor: pageParam ?? undefined, count: pageParam === null },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.items.some(({ state }) => state === 'waiting')) ? onTheWayMs : restMs,
    meta: { showsError: true },
  });

export const useRetryNotification = () =>
  useSingleMutation({
    mutationFn: (id: string) => api.notifications.retry({ params: { id }, idempotencyKey: newKey() }),
    onSettled: () => refresh(lists),
    meta: { showsError: true },
  });

export const useExportSent = () =>
  useSingleMutation({
    mutationFn: async (search: AdminNotificationSearch) =>
      saveAnswer(await api.notifications.exportSent({ query: filtersOf(search) }), 'notifications.csv'),
  });
