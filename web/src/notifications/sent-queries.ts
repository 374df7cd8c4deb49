import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { notificationKinds } from '@waybill/contract';
import { dateQuery } from '../packages/search.ts';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { newIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { AdminNotificationSearch } from './search.ts';

const lists = ['notifications', 'sent'];
/** New and delivered rows are pushed by the stream. Failed attempts are no events, so the list is polled while a row waits. */
const waitingPollMs = 2000;

const filtersOf = ({ q, state, channel, kind, date }: AdminNotificationSearch) => ({
  q: q || undefined,
  state,
  channel,
  kind: notificationKinds.find((known) => known === kind),
  ...dateQuery(date),
});

export const sentListQuery = (search: AdminNotificationSearch) =>
  infiniteQueryOptions({
    ...pagedQuery([...lists, filtersOf(search)], (page, signal) =>
      api.notifications.sent({ query: { ...filtersOf(search), ...page }, signal }),
    ),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.items.some(({ state }) => state === 'queued')) ? waitingPollMs : false,
  });

/** One with its text. */
export const sentMessageQuery = (id: string) =>
  queryOptions({
    queryKey: [...lists, 'message', id],
    queryFn: ({ signal }) => api.notifications.sentMessage({ params: { id }, signal }),
  });

export const refreshSent = () => refresh(lists);
export const useLiveSent = () => useInvalidation('sent', refreshSent);

export const retryNotification = (id: string) =>
  api.notifications.retry({ params: { id }, idempotencyKey: newIdempotencyKey() });

export const useRetryNotification = () =>
  useSingleMutation({
    mutationFn: (id: string) => retryNotification(id),
    onSettled: refreshSent,
    meta: { showsError: true },
  });

export const useExportSent = () =>
  useSingleMutation({
    mutationFn: async (search: AdminNotificationSearch) =>
      saveResponse(await api.notifications.exportSent({ query: filtersOf(search) }), 'notifications.csv'),
  });
