import { queryOptions } from '@tanstack/react-query';
import type { Permission, RoleDefinition, User } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { userLists } from './admin-queries.ts';

const roleLists = ['roles'];

export const rolesQuery = () =>
  queryOptions({
    queryKey: roleLists,
    queryFn: ({ signal }) => api.roles.list({ signal }),
    meta: { showsError: true },
  });

/** Refetches the roles when a role, or a user's role, changes. */
export function useLiveRoles(): void {
  useInvalidation('role', () => refresh(roleLists));
  useInvalidation('user', () => refresh(roleLists));
}

export interface RoleContent {
  name: string;
  description: string;
  permissions: Permission[];
  isActive: boolean;
}

/** Creates a custom role, or updates the given one. */
export function useSaveRole(role: Pick<RoleDefinition, 'id'> | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: RoleContent, signal) =>
      role
        ? api.roles.update({ params: { id: role.id }, body, signal })
        : api.roles.create({ body, idempotencyKey: keyOf(body), signal }),
    onSuccess: () => {
      refresh(roleLists);
      // It may be the user's own role.
      void refreshUser();
    },
    meta: { showsError: true },
  });
}

export const useDeleteRole = (id: string) =>
  useSingleMutation({
    mutationFn: (_, signal) => api.roles.remove({ params: { id }, signal }),
    onSuccess: () => refresh(roleLists),
    meta: { showsError: true },
  });

/** Assigns an account a role and a permission list of its own; null for no list. */
export const useSaveRights = (user: Pick<User, 'id'>) =>
  useSingleMutation({
    mutationFn: (body: { roleId: string | undefined; permissions: Permission[] | null }, signal) =>
      api.users.update({ params: { id: user.id }, body, signal }),
    onSuccess: () => {
      refresh(userLists);
      refresh(roleLists);
      void refreshUser();
    },
    meta: { showsError: true },
  });
