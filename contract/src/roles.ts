import * as z from 'zod/mini';
import { ById, text } from './common.ts';
import { group } from './endpoint.ts';
import { Permission, PermissionList } from './permission-schemas.ts';

/** A named set of permissions: built in (the three that also determine a user's screens), or created by an administrator. */
export const RoleDefinition = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  permissions: z.array(Permission),
  /** An inactive role grants no permissions. */
  isActive: z.boolean(),
  isBuiltIn: z.boolean(),
  /** The number of users who have it. */
  userCount: z.number(),
});
export type RoleDefinition = z.output<typeof RoleDefinition>;

const content = {
  name: text('Name', { min: 2, max: 120, tooShort: 'Name must be at least 2 characters' }),
  description: text('Description', { max: 200 }),
  permissions: PermissionList,
  isActive: z.boolean(),
};

/** Read-only fields: accepted from clients that send the whole role back, and ignored. */
const serverOwned = {
  id: z.optional(z.unknown()),
  isBuiltIn: z.optional(z.unknown()),
  userCount: z.optional(z.unknown()),
};

export const RoleInput = z.extend(z.strictObject(content), {
  description: z._default(content.description, ''),
  isActive: z._default(content.isActive, true),
});
export type RoleInput = z.output<typeof RoleInput>;

export const RoleUpdateInput = z.extend(z.strictObject(serverOwned), {
  name: z.optional(content.name),
  description: z.optional(content.description),
  permissions: z.optional(content.permissions),
  isActive: z.optional(content.isActive),
});
export type RoleUpdateInput = z.output<typeof RoleUpdateInput>;

export const roleDefinitions = group({
  /** The built-in roles, then the others by name. There are at most 100, so there is no pagination. */
  list: {
    method: 'GET',
    path: '/roles',
    access: { anyOf: ['roles.read'] },
    scope: 'everything',
    reply: z.array(RoleDefinition),
  },
  create: {
    method: 'POST',
    path: '/roles',
    access: { anyOf: ['roles.create'] },
    scope: 'everything',
    body: RoleInput,
    reply: RoleDefinition,
    status: 201,
    reauthenticate: true,
    errors: ['conflict'],
  },
  update: {
    method: 'PUT',
    path: '/roles/:id',
    access: { anyOf: ['roles.update'] },
    scope: 'everything',
    params: ById,
    body: RoleUpdateInput,
    reply: RoleDefinition,
    reauthenticate: true,
    errors: ['conflict'],
  },
  remove: {
    method: 'DELETE',
    path: '/roles/:id',
    access: { anyOf: ['roles.delete'] },
    scope: 'everything',
    params: ById,
    reply: 'none',
    reauthenticate: true,
    errors: ['conflict'],
  },
});
