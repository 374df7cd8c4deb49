import { queryOptions, useMutation } from '@tanstack/react-query';
import { byChannel, channels } from '@waybill/contract';
import type { Channel, NotificationKind, Digest, NotificationPreferences, QuietHours } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { queryClient } from '../platform/query-client.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

const all = ['notifications', 'own'];

export const notificationListQuery = (unread: boolean) =>
  pagedQuery([...all, { unread }], (page, signal) =>
    api.notifications.list({ query: { ...page, unread: unread || undefined }, signal }),
  );

/** The number of unread notifications. */
export const unreadCountQuery = () =>
  queryOptions({
    queryKey: [...all, 'unread count'],
    queryFn: async ({ signal }) =>
      (await api.notifications.list({ query: { limit: 1, count: true, unread: true }, signal })).total ?? 0,
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

/** Refetches the list and the unread count on live updates. */
export const useLiveNotifications = () => useInvalidation('notification', () => refresh(all));

const preferences = ['notifications', 'preferences'];

export const preferencesQuery = () =>
  queryOptions({
    queryKey: preferences,
    queryFn: ({ signal }) => api.notifications.preferences({ signal }),
    meta: { showsError: true },
  });

/** Optimistic; the refetch undoes what the server refused. Requests are serialized, so that the last change of a kind arrives last. */
export const useSetPreference = () =>
  useMutation({
    mutationKey: preferences,
    scope: { id: 'notification preferences' },
    mutationFn: ({ channel, kind, on }: { channel: Channel; kind: NotificationKind; on: boolean }) =>
      api.notifications.setPreferences({ body: byChannel((one) => (one === channel ? [{ kind, on }] : [])) }),
    onMutate: ({ channel, kind, on }) =>
      queryClient.setQueryData<NotificationPreferences>(preferences, (before) => {
        const field = channels[channel].preferences;
        return before && { ...before, [field]: before[field].map((one) => (one.kind === kind ? { ...one, on } : one)) };
      }),
    // A refetch earlier would overwrite optimistic changes that are still in flight.
    onSettled: () => void (queryClient.isMutating({ mutationKey: preferences }) === 1 && refresh(preferences)),
  });

/** What the recipients of the user's packages are told. */
export const useSetRecipientPreference = () =>
  useMutation({
    mutationKey: preferences,
    scope: { id: 'notification preferences' },
    mutationFn: (changed: { kind: NotificationKind; on: boolean }) =>
      api.notifications.setPreferences({ body: { recipient: [changed] } }),
    onMutate: ({ kind, on }) =>
      queryClient.setQueryData<NotificationPreferences>(
        preferences,
        (before) =>
          before && { ...before, recipient: before.recipient.map((one) => (one.kind === kind ? { ...one, on } : one)) },
      ),
    onSettled: () => void (queryClient.isMutating({ mutationKey: preferences }) === 1 && refresh(preferences)),
  });

/** Null: none. */
export const useSetQuietHours = () =>
  useMutation({
    mutationKey: preferences,
    scope: { id: 'notification preferences' },
    mutationFn: (quietHours: QuietHours | null) => api.notifications.setPreferences({ body: { quietHours } }),
    onMutate: (quietHours) =>
      queryClient.setQueryData<NotificationPreferences>(preferences, (before) => before && { ...before, quietHours }),
    onSettled: () => void (queryClient.isMutating({ mutationKey: preferences }) === 1 && refresh(preferences)),
  });

/** Null: each email comes at once. */
export const useSetDigest = () =>
  useMutation({
    mutationKey: preferences,
    scope: { id: 'notification preferences' },
    mutationFn: (digest: Digest | null) => api.notifications.setPreferences({ body: { digest } }),
    onMutate: (digest) =>
      queryClient.setQueryData<NotificationPreferences>(preferences, (before) => before && { ...before, digest }),
    onSettled: () => void (queryClient.isMutating({ mutationKey: preferences }) === 1 && refresh(preferences)),
  });
