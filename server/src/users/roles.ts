import {
  builtInRoles,
  permissionsOf,
  rolePermissions,
  roles,
  type Role,
  type RoleDefinition,
  type RoleInput,
  type RoleUpdateInput,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record, recordAll } from '../events/record.ts';
import type { Changes } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { assertCanGrant, assertCanManage, changeRights, missingFrom } from './rights.ts';
import { asHolder, deletePasswordResets, fillSessionRights, type UserRow } from './queries.ts';
import {
  countHolders,
  deleteRole,
  findRole,
  insertRole,
  listHolders,
  listRoles,
  setRole,
  type RoleRow,
} from './role-queries.ts';

/** Few enough for one page without pagination. */
const maxCustomRoles = 100;

export async function listRoleDefinitions(ctx: Ctx): Promise<RoleDefinition[]> {
  const [custom, holders] = await Promise.all([listRoles(ctx.db), countHolders(ctx.db)]);
  return [
    ...roles.map((role) => asBuiltIn(role, holders.get(role) ?? 0)),
    ...custom.map((role) => asDefinition(role, holders.get(role.id) ?? 0)),
  ];
}

const asBuiltIn = (role: Role, userCount: number): RoleDefinition => ({
  ...builtInRoles[role],
  name: role,
  permissions: [...rolePermissions[role]],
  isActive: true,
  isBuiltIn: true,
  userCount,
});

const asDefinition = (row: RoleRow, userCount: number): RoleDefinition => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: row.permissions,
  isActive: row.is_active,
  isBuiltIn: false,
  userCount,
});

export async function createRole(ctx: Ctx, actor: Actor, input: RoleInput): Promise<RoleDefinition> {
  return changeRights(ctx, actor, async (tx, held) => {
    assertCanGrant(input.permissions, held);
    if (isBuiltInName(input.name)) throw nameTaken();
    if ((await listRoles(tx)).length >= maxCustomRoles)
      throw new AppError('conflict', `There can be at most ${maxCustomRoles} roles`);
    const role = await insertRole(tx, { id: uuid(), ...input });
    if (!role) throw nameTaken();
    await recordRole(ctx, tx, actor, 'role.created', null, role);
    return asDefinition(role, 0);
  });
}

/**
 * Updates a custom role. Takes effect with the next request of its holders: revoked permissions in every session, granted ones only in
 * sessions opened afterwards.
 */
export async function updateRole(ctx: Ctx, actor: Actor, id: string, input: RoleUpdateInput): Promise<RoleDefinition> {
  return changeRights(ctx, actor, async (tx, held) => {
    const role = await findCustomRole(tx, id, 'changed');
    const next = {
      id,
      name: input.name ?? role.name,
      description: input.description ?? role.description,
      permissions: input.permissions ?? role.permissions,
      isActive: input.isActive ?? role.is_active,
    };
    // Activating a role grants all its permissions; any other change grants only the new ones.
    const before = role.is_active || !next.isActive ? role.permissions : [];
    assertCanGrant(missingFrom(before, next.permissions), held);
    const holders = await listHolders(tx, id);
    for (const holder of holders) assertCanManage(actor, holder, held);
    const changesRights = next.isActive !== role.is_active || !isSameSet(next.permissions, role.permissions);
    const affected = changesRights ? holders.filter((holder) => holder.permissions === null) : [];
    await prepareRightsChange(tx, affected);
    const changed = isBuiltInName(next.name) ? null : await setRole(tx, next);
    if (!changed) throw nameTaken();
    await recordRole(ctx, tx, actor, 'role.changed', role, changed);
    const notified = affected.filter((holder) => holder.id !== actor.id);
    const at = ctx.now();
    await recordAll(tx, [
      ...holders.map(({ id: userId }) => ({ type: 'user.changed' as const, at, actorId: actor.id, userId })),
      ...notified.map(({ id: userId }) => ({ type: 'rights.changed' as const, at, actorId: actor.id, userId })),
    ]);
    return asDefinition(changed, holders.length);
  });
}

/** As for a single account: invalidates password reset links, and stores the permissions in sessions that an older server opened. */
async function prepareRightsChange(tx: Tx, holders: UserRow[]): Promise<void> {
  const userIds = holders.map((holder) => holder.id);
  await deletePasswordResets(tx, userIds);
  for (const holder of holders) await fillSessionRights(tx, holder.id, permissionsOf(asHolder(holder)));
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

/** Deletes a role without holders. With holders it is refused: somebody has to choose their new role first. @throws conflict */
export async function removeRole(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await changeRights(ctx, actor, async (tx) => {
    const role = await findCustomRole(tx, id, 'deleted');
    const { length } = await listHolders(tx, id);
    if (length > 0) {
      const holders = length === 1 ? '1 user holds' : `${length} users hold`;
      throw new AppError('conflict', `${holders} this role. Give them another one first.`);
    }
    await deleteRole(tx, id);
    await recordRole(ctx, tx, actor, 'role.deleted', role, null);
  });
}

async function findCustomRole(tx: Tx, id: string, what: 'changed' | 'deleted'): Promise<RoleRow> {
  if (roles.some((role) => builtInRoles[role].id === id))
    throw new AppError('conflict', `The built-in roles cannot be ${what}`);
  const role = await findRole(tx, id);
  if (!role) throw notFound('role');
  return role;
}

const isBuiltInName = (name: string) => roles.some((role) => role === name.toLowerCase());

const nameTaken = () => {
  const message = 'There is a role of this name already';
  return new AppError('conflict', message, { fields: { name: message } });
};

function recordRole(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  type: 'role.created' | 'role.changed' | 'role.deleted',
  before: RoleRow | null,
  after: RoleRow | null,
) {
  const changes: Changes = { role: [before, after] };
  return record(tx, { type, at: ctx.now(), actorId: actor.id, changes });
}
