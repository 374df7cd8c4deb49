import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliveriesInput, Role, User, UserStatus } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { UserSearch } from './filters.ts';

const quickSearchLimit = 5;
/** More than one looks through. */
const candidateLimit = 50;
export const userLists = ['users', 'list'];

export const userListQuery = (search: UserSearch) =>
  pagedQuery(
    [...userLists, { ...search, pages: undefined }],
    (page, signal) => api.users.list({ query: { ...search, pages: undefined, ...page }, signal }),
    50,
  );

/** How many await approval. */
export const awaitingCountQuery = () =>
  queryOptions({
    queryKey: [...userLists, 'awaiting approval'],
    queryFn: async ({ signal }) =>
      (await api.users.list({ query: { awaitsApproval: true, limit: 1, count: true }, signal })).total ?? 0,
    meta: { showsError: true },
  });

/** Keeps lists of accounts up to date while one is shown. */
export const useLiveUsers = () => useInvalidation('user', () => refresh(userLists));

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => api.users.get({ params: { id }, signal }),
    meta: { showsError: true },
  });

/** The first few of what is searched for. */
export const foundUsersQuery = (q: string) =>
  queryOptions({
    queryKey: [...userLists, 'found', q],
    queryFn: async ({ signal }) => (await api.users.list({ query: { q, limit: quickSearchLimit }, signal })).items,
    meta: { showsError: true },
  });

interface UserInput {
  name: string;
  email: string;
  role: Role;
  status: UserStatus;
  /** Of a new account; blank or null: a one-time password. */
  password: string | null | undefined;
  /** Of a new account; null: none but the built-in one. */
  roleId: string | null;
  deliveries: DeliveriesInput | undefined;
}

/** Creates an account, or changes the given one. @returns the one-time password of a new account that was given none */
export function useSaveUser(user: Pick<User, 'id'> | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: async (
      { name, email, role, roleId, status, password, deliveries }: UserInput,
      signal,
    ): Promise<string | null> => {
      if (user) {
        await api.users.update({ params: { id: user.id }, body: { name, role, status, deliveries }, signal });
        return null;
      }
      const body = { name, email, role, roleId: roleId ?? undefined, status, password: password || undefined };
      const created = await api.users.create({ body, idempotencyKey: keyOf(body), signal });
      return created.temporaryPassword;
    },
    onSuccess: () => {
      refresh(userLists);
      // It may have been the own account.
      void refreshUser();
    },
    meta: { showsError: true },
  });
}

export const useDeleteUser = (id: string) =>
  useSingleMutation({
    mutationFn: (deliveries: DeliveriesInput | undefined, signal) =>
      api.users.remove({ params: { id }, body: deliveries && { deliveries }, signal }),
    onSuccess: () => refresh(userLists),
    meta: { showsError: true },
  });

/** How much a driver has under way. */
export const activeDeliveryCountQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'carried', id],
    queryFn: async ({ signal }) => (await api.deliveries.summaryOf({ params: { id }, signal })).active,
    // Asked for a decision, so never an old answer.
    staleTime: 0,
    meta: { showsError: true },
  });

/** Whom else deliveries can be given to, by name: the first of them, or of those that are searched for. */
export const candidateDriversQuery = (q: string) =>
  queryOptions({
    queryKey: ['users', 'takers', q],
    queryFn: ({ signal }) =>
      api.shifts.drivers({
        query: { status: 'active', order: 'name', q: q || undefined, limit: candidateLimit },
        signal,
      }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

const sessionsOf = (id: string) => ['users', 'sessions of', id];

/** Where somebody is signed in. */
export const userSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: sessionsOf(id),
    queryFn: ({ signal }) => api.users.sessionsOf({ params: { id }, signal }),
    meta: { showsError: true },
  });

/** Ends one session of somebody, or without it all of them. */
export const useEndSessionsOf = (id: string) =>
  useSingleMutation({
    mutationFn: (sessionId: string | null) =>
      sessionId === null
        ? api.users.endSessionsOf({ params: { id } })
        : api.users.endSessionOf({ params: { id, sessionId } }),
    onSettled: () => refresh(sessionsOf(id)),
    meta: { showsError: true },
  });

/** A link for a new password. Each is another one: none before it works any longer. */
export const useMakeResetLink = (id: string) =>
  useSingleMutation({
    mutationFn: () => api.users.resetLink({ params: { id } }),
    meta: { showsError: true },
  });
