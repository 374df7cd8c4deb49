import {
  messages,
  permissions,
  effectivePermissions,
  permissionsInSession,
  permissionsOf,
  rolePermissions,
  type Permission,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, forbidden } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { asHolder, findUser, listActiveAdmins, lockRights, type UserRow } from './queries.ts';

/**
 * Runs a change that can grant or revoke rights of accounts or roles. Serialized by an advisory lock, so that two concurrent changes
 * cannot together break what each alone preserves: an active administrator with as many permissions as the most privileged one had.
 *
 * @param work gets the permissions that the caller has now in this session: they may just have been revoked
 * @throws forbidden when the caller is no longer active; conflict when no such administrator would be left
 */
export async function changeRights<T>(
  ctx: Pick<Ctx, 'db'>,
  actor: Actor,
  work: (tx: Tx, held: readonly Permission[]) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction(async (tx) => {
    await lockRights(tx);
    const caller = await findUser(tx, actor.id);
    if (caller?.status !== 'active') throw forbidden();
    const mostPrivileged = largestSets(await listAdminRights(tx));
    const result = await work(tx, permissionsInSession(effectivePermissions(asHolder(caller)), actor.openedWith));
    if (mostPrivileged.length > 0 && !isCovered(mostPrivileged, await listAdminRights(tx))) {
      throw new AppError(
        'conflict',
        'The last active administrator cannot be deleted, demoted or suspended, nor lose permissions',
      );
    }
    return result;
  });
}

type Rights = readonly Permission[];

/** The permissions of each active administrator. */
async function listAdminRights(tx: Tx): Promise<Rights[]> {
  const admins = await listActiveAdmins(tx);
  return admins.map((admin) => permissions.filter((permission) => permissionsOf(asHolder(admin)).includes(permission)));
}

/**
 * The largest permission sets. Nobody can grant a permission that no one has, so one administrator must keep such a set. It is the
 * set of all permissions, unless an upgrade added one and every administrator has a list of their own, which cannot include it.
 */
function largestSets(all: Rights[]): Rights[] {
  const max = Math.max(0, ...all.map((rights) => rights.length));
  return all.filter((rights) => rights.length === max && max > 0);
}

const isCovered = (required: Rights[], remaining: Rights[]): boolean =>
  required.some((wanted) => remaining.some((rights) => missingFrom(rights, wanted).length === 0));

/** The `wanted` permissions that are not in `held`. */
export const missingFrom = (held: readonly Permission[], wanted: readonly Permission[]): Permission[] =>
  wanted.filter((permission) => !held.includes(permission));

/** Users can grant only permissions that they hold themselves. @throws forbidden */
export function assertCanGrant(added: readonly Permission[], held: readonly Permission[]): void {
  if (missingFrom(held, added).length > 0)
    throw new AppError('forbidden', 'You cannot grant permissions that you do not hold yourself');
}

/**
 * The permissions of an account, while active, that a caller must hold in order to grant them. Empty for owners and drivers with no
 * more than their built-in role: these permissions apply only to their own objects, so anybody who manages accounts may grant them.
 */
export function elevatedPermissions(user: Pick<UserRow, 'role' | 'permissions' | 'custom_role_permissions'>): Rights {
  const held = permissionsOf({ ...user, customRolePermissions: user.custom_role_permissions });
  return user.role !== 'admin' && missingFrom(rolePermissions[user.role], held).length === 0 ? [] : held;
}

/** Users cannot change an account that has, while active, permissions that they lack. Equal is allowed. @throws forbidden */
export function assertCanManage(actor: Actor, user: UserRow, held: Rights): void {
  if (missingFrom(held, elevatedPermissions(user)).length === 0) return;
  throw new AppError(
    'forbidden',
    user.id === actor.id ? messages.signInForNewRights : 'This account can do more than you can. You cannot change it.',
  );
}
