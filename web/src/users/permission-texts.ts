import { permissions } from '@waybill/contract';
import type { Permission, Role } from '@waybill/contract';

export const permissionTexts: Record<Permission, string> = {
  'users.read': 'See their own account, and the drivers of their own packages',
  'users.create': 'Create accounts',
  'users.update': 'Change accounts',
  'users.delete': 'Delete accounts',
  'users.manage_roles': 'Change the role and permissions of accounts',
  'packages.read': 'See their own packages',
  'packages.create': 'Register packages',
  'packages.update': 'Change packages that have not been picked up',
  'packages.delete': 'Delete packages that have not been picked up',
  'packages.track': 'Track packages',
  'packages.view_all': 'See all packages',
  'deliveries.read': 'See their own deliveries',
  'deliveries.claim': 'See pending deliveries and start them',
  'deliveries.update': 'Report on their deliveries',
  'deliveries.complete': 'Complete their deliveries',
  'deliveries.view_all': 'See all deliveries',
  'deliveries.assign': 'Assign deliveries to drivers, or take them back',
  'admin.access': 'Open the administration',
  'admin.manage_users': 'See and manage accounts',
  'admin.manage_roles': 'See and manage roles',
  'admin.view_analytics': 'See figures and reports',
  'admin.system_config': 'Change the settings of this server',
  'roles.read': 'See roles',
  'roles.create': 'Create roles',
  'roles.update': 'Change roles',
  'roles.delete': 'Delete roles',
};

const about = (prefix: string) => permissions.filter((name) => name.startsWith(prefix));

/** Permissions grouped by subject, for forms. */
export const permissionGroups: readonly { title: string; names: readonly Permission[] }[] = [
  { title: 'Accounts', names: about('users.') },
  { title: 'Packages', names: about('packages.') },
  { title: 'Deliveries', names: about('deliveries.') },
  { title: 'Administration', names: about('admin.') },
  { title: 'Roles', names: about('roles.') },
];

export const roleDescriptions: Record<Role, string> = {
  owner: 'Package owners who create and manage their packages',
  driver: 'Delivery drivers who claim and complete deliveries',
  admin: 'System administrators with full access',
};
