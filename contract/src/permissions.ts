// Without schemas, which are in permission-schemas.ts: every page loads these lists, and only forms need the library of schemas.

export const roles = ['owner', 'driver', 'admin'] as const;
export type Role = (typeof roles)[number];

export const userStatuses = ['active', 'inactive', 'suspended'] as const;

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
export type Permission = (typeof permissions)[number];

/** The permissions of each built-in role, unless the user has an own list. */
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

/** The built-in roles as `/roles` shows them. Their ids never change. */
export const builtInRoles: Record<Role, { id: string; description: string }> = {
  owner: {
    id: '00000000-0000-7000-8000-000000000001',
    description: 'package owners who create and manage their packages',
  },
  driver: {
    id: '00000000-0000-7000-8000-000000000002',
    description: 'delivery drivers who claim and complete deliveries',
  },
  admin: { id: '00000000-0000-7000-8000-000000000003', description: 'system administrators with full access' },
};

export interface PermissionHolder {
  role: Role;
  /** The user's own list, or null. */
  permissions: readonly Permission[] | null;
  /** What the user's custom role grants now (nothing while it is not active), or null for a user without one. */
  customRolePermissions: readonly Permission[] | null;
  status: (typeof userStatuses)[number];
}

/** What a user may do while active: the own list if set, else the custom role's, else the built-in role's. */
export const permissionsOf = (user: Omit<PermissionHolder, 'status'>): readonly Permission[] =>
  user.permissions ?? user.customRolePermissions ?? rolePermissions[user.role];

/** The account's effective permissions, regardless of the session: only active users have any. */
export const effectivePermissions = (user: PermissionHolder): readonly Permission[] =>
  user.status === 'active' ? permissionsOf(user) : [];

/**
 * The account's current permissions, without those it gained after the session was opened.
 * @param openedWith the account's permissions while active when the session was opened; null: unknown, so all of `held`
 */
export const permissionsInSession = (
  held: readonly Permission[],
  openedWith: readonly Permission[] | null,
): readonly Permission[] => (openedWith ? held.filter((permission) => openedWith.includes(permission)) : held);
