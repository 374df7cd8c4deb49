import * as z from 'zod/mini';
import { permissions, roles } from './permissions.ts';

export const Role = z.enum(roles);
export type Role = z.output<typeof Role>;

export const Permission = z.enum(permissions);
export type Permission = z.output<typeof Permission>;

/** A set of permissions from a client, without duplicates and in the order of the list, so that equal sets are equal lists. */
export const PermissionList = z.pipe(
  z.array(Permission).check(z.maxLength(100)),
  z.transform((given) => permissions.filter((permission) => given.includes(permission))),
);
