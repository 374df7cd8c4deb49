import type { Role, RoleDefinition } from '@waybill/contract';
import type { Tone } from '../ui/tone.ts';

export const roleNames: Record<Role, string> = {
  owner: 'Package Owner',
  driver: 'Delivery Driver',
  admin: 'Administrator',
};

/** Short names for tables and filters. */
export const shortRoleNames: Record<Role, string> = { owner: 'Owner', driver: 'Driver', admin: 'Admin' };

export const roleTones: Record<Role, Tone> = { owner: 'blue', driver: 'yellow', admin: 'purple' };

export function countUsers(count: number): string {
  if (count === 0) return 'Nobody has';
  return count === 1 ? '1 user has' : `${count} users have`;
}

/** The display name of a built-in role, or the name of a custom one. */
export const nameOfRole = ({ name, isBuiltIn }: Pick<RoleDefinition, 'name' | 'isBuiltIn'>): string =>
  isBuiltIn ? roleNames[name as Role] : name;
