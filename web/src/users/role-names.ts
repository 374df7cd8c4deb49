import type { Role } from '@waybill/contract';
import type { Tone } from '../ui/tone.ts';

export const roleNames: Record<Role, string> = {
  owner: 'Package Owner',
  driver: 'Delivery Driver',
  admin: 'Administrator',
};

/** Where there is little room: in tables and filters. */
export const shortRoleNames: Record<Role, string> = { owner: 'Owner', driver: 'Driver', admin: 'Admin' };

export const roleTones: Record<Role, Tone> = { owner: 'blue', driver: 'yellow', admin: 'purple' };
