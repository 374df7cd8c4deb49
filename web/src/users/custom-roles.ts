import { useQuery } from '@tanstack/react-query';
import { builtInRoles } from '@waybill/contract';
import type { RoleDefinition, User } from '@waybill/contract';
import { useSession } from '../platform/session.ts';
import { rolesQuery } from './role-queries.ts';

/** All roles; empty while loading, or if the user may not see them. */
export function useRoles(): readonly RoleDefinition[] {
  const { permissions } = useSession();
  const { data } = useQuery({ ...rolesQuery(), enabled: permissions.includes('roles.read') });
  return data ?? [];
}

/** The name of the user's custom role ('Custom role' if the viewer may not see it); null without one. */
export function nameOfCustomRole(user: Pick<User, 'role' | 'roleId'>, roles: readonly RoleDefinition[]): string | null {
  if (user.roleId === builtInRoles[user.role].id) return null;
  const role = roles.find(({ id }) => id === user.roleId);
  return role?.isBuiltIn ? null : (role?.name ?? 'Custom role');
}
