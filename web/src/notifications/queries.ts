import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../platform/api.ts';
import { refresh, useHints } from '../platform/refresh.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

const all = ['notifications'];

export const notificationListQuery = () =>
  infiniteQueryOptions({
    queryKey: all,
    queryFn: ({ signal, pageParam }) =>
      api.notifications.list({
        query: { limit: 20, cursor: pageParam ?? undefined, count: pageParam === null },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    meta: { showsError: true },
  });

export const useReadNotification = () =>
  useSingleMutation({
    mutationFn: (id: string) => api.notifications.read({ params: { id } }),
    onSuccess: () => refresh(all),
  });

export const useReadAllNotifications = () =>
  useSingleMutation({
    mutationFn: () => api.notifications.readAll(),
    onSuccess: () => refresh(all),
  });

/** Keeps the list up to date while the screen is open. */
export const useLiveNotifications = () => useHints('notification', () => refresh(all));
