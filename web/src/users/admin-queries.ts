import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliveriesInput, Role, User, UserStatus, UserUpdateInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { newIdempotencyKey, useIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { UserSearch } from './filters.ts';

const quickSearchLimit = 5;
/** More than a person scans; the rest is found by search. */
const candidateLimit = 50;
export const userLists = ['users', 'list'];

export function userListQuery({ q, role, status, awaitsApproval, sort }: UserSearch) {
  const query = { q, role, status, awaitsApproval, sort };
  return pagedQuery(
    [...userLists, query],
    (page, signal) => api.users.list({ query: { ...query, ...page }, signal }),
    50,
  );
}

/** Activates or suspends one of several chosen accounts. The caller refreshes the lists. */
export const setStatusOf = (
  id: string,
  status: UserStatus,
  deliveries: DeliveriesInput | undefined,
  signal: AbortSignal,
) => api.users.update({ params: { id }, body: { status, deliveries }, signal });

export const refreshUsers = () => refresh(userLists);

/** Saves the accounts that match as CSV. */
export const useExportUsers = () =>
  useSingleMutation({
    mutationFn: async ({ q, role, status, awaitsApproval }: UserSearch) =>
      saveResponse(await api.users.exportAll({ query: { q, role, status, awaitsApproval } }), 'users.csv'),
  });

/** The number of accounts that await approval. */
export const awaitingCountQuery = () =>
  queryOptions({
    queryKey: [...userLists, 'awaiting approval'],
    queryFn: async ({ signal }) =>
      (await api.users.list({ query: { awaitsApproval: true, limit: 1, count: true }, signal })).total ?? 0,
    meta: { showsError: true },
  });

/** Refetches the lists of accounts on invalidation, while mounted. */
export const useLiveUsers = () => useInvalidation('user', () => refresh(userLists));

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => api.users.get({ params: { id }, signal }),
    meta: { showsError: true },
  });

/** The first matches of the quick search. */
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
  /** Only for a new account; blank or null creates a one-time password. */
  password: string | null | undefined;
  /** A link by email sets the password. */
  invite?: boolean;
  /** The custom role of a new account; null for none. */
  roleId: string | null;
  deliveries: DeliveriesInput | undefined;
  /** Of a driver. */
  driving?: Pick<UserUpdateInput, 'vehicleInfo' | 'startPlace' | 'endPlace'>;
}

/** Creates an account, or updates the given one. @returns the one-time password of a new account without a password, otherwise null */
export function useSaveUser(user: Pick<User, 'id'> | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: async (
      { name, email, role, roleId, status, password, invite, deliveries, driving }: UserInput,
      signal,
    ): Promise<string | null> => {
      if (user) {
        await api.users.update({
          params: { id: user.id },
          body: { name, role, status, deliveries, ...driving },
          signal,
        });
        return null;
      }
      const body = {
        name,
        email,
        role,
        roleId: roleId ?? undefined,
        status,
        password: password || undefined,
        ...(invite && { invite }),
      };
      const created = await api.users.create({ body, idempotencyKey: keyOf(body), signal });
      return created.temporaryPassword;
    },
    onSuccess: () => {
      refresh(userLists);
      // It may be the user's own account.
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

/** The number of a driver's deliveries in progress. */
export const activeDeliveryCountQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'active deliveries', id],
    queryFn: async ({ signal }) => (await api.deliveries.summaryOf({ params: { id }, signal })).active,
    // A decision depends on it, so never use a cached count.
    staleTime: 0,
    meta: { showsError: true },
  });

/** The active drivers to whom deliveries can be reassigned, by name: the first 50 of all, or of a search. */
export const candidateDriversQuery = (q: string) =>
  queryOptions({
    queryKey: ['users', 'candidate drivers', q],
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

/** The sessions of a user. */
export const userSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: sessionsOf(id),
    queryFn: ({ signal }) => api.users.sessionsOf({ params: { id }, signal }),
    meta: { showsError: true },
  });

/** Ends one session of a user; null ends all. */
export const useEndSessionsOf = (id: string) =>
  useSingleMutation({
    mutationFn: (sessionId: string | null) =>
      sessionId === null
        ? api.users.endSessionsOf({ params: { id } })
        : api.users.endSessionOf({ params: { id, sessionId } }),
    onSettled: () => refresh(sessionsOf(id)),
    meta: { showsError: true },
  });

/** Creates a password reset link, which revokes the previous one. */
export const useMakeResetLink = (id: string) =>
  useSingleMutation({
    mutationFn: () => api.users.resetLink({ params: { id } }),
    meta: { showsError: true },
  });

/** Sends an invitation again. */
export const useInvite = () =>
  useSingleMutation({
    mutationFn: (id: string, signal) =>
      api.users.invite({ params: { id }, idempotencyKey: newIdempotencyKey(), signal }),
    meta: { showsError: true },
  });
