import { useQuery } from '@tanstack/react-query';
import { builtInRoles } from '@waybill/contract';
import type { RoleDefinition, User } from '@waybill/contract';
import { useSession } from '../platform/session.ts';
import { rolesQuery } from './role-queries.ts';

/** All roles there are; none until they are read, or for those who may not see them. */
export function useRoles(): readonly RoleDefinition[] {
  const { permissions } = useSession();
  const { data } = useQuery({ ...rolesQuery(), enabled: permissions.includes('roles.read') });
  return data ?? [];
}

/** The custom role that takes the place of a user's built-in one: its name where that may be known. Null: there is none. */
export function nameOfCustomRole(user: Pick<User, 'role' | 'roleId'>, roles: readonly RoleDefinition[]): string | null {
  if (user.roleId === builtInRoles[user.role].id) return null;
  const role = roles.find(({ id }) => id === user.roleId);
  return role?.isBuiltIn ? null : (role?.name ?? 'Custom role');
}
