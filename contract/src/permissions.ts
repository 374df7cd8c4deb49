import { z } from 'zod';

export const roles = ['owner', 'driver', 'admin'] as const;
export const Role = z.enum(roles);
export type Role = z.output<typeof Role>;

export const permissions = [
  'users.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.manage_roles',
  'packages.read',
  'packages.create',
  'packages.update',
  'packages.delete',
  'packages.track',
  'packages.view_all',
  'deliveries.read',
  'deliveries.claim',
  'deliveries.update',
  'deliveries.complete',
  'deliveries.view_all',
  'deliveries.assign',
  'admin.access',
  'admin.manage_users',
  'admin.manage_roles',
  'admin.view_analytics',
  'admin.system_config',
  'roles.read',
  'roles.create',
  'roles.update',
  'roles.delete',
] as const;
export const Permission = z.enum(permissions);
export type Permission = z.output<typeof Permission>;

/** What each built-in role may do unless the user has a list of their own. */
export const rolePermissions: Record<Role, readonly Permission[]> = {
  owner: [
    'packages.read',
    'packages.create',
    'packages.update',
    'packages.delete',
    'packages.track',
    'deliveries.read',
    'users.read',
  ],
  driver: [
    'packages.read',
    'packages.track',
    'deliveries.read',
    'deliveries.claim',
    'deliveries.update',
    'deliveries.complete',
    'users.read',
  ],
  admin: permissions,
};

interface Holder {
  role: Role;
  permissions: readonly Permission[] | null;
  status: string;
}

/** Permissions in force: the user's own list when set, else the role's. Only active users have any. */
export function permissionsInForce(user: Holder): readonly Permission[] {
  if (user.status !== 'active') return [];
  return user.permissions ?? rolePermissions[user.role];
}
