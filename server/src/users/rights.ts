import { permissions, permissionsInForce, permissionsOf, type Permission } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/db.ts';
import { AppError, forbidden } from '../platform/errors.ts';
import type { Actor } from '../platform/sessions.ts';
import { asHolder, findUser, listActiveAdmins, lockRights, type UserRow } from './queries.ts';

/**
 * A change that can give or take rights, of accounts and of roles. One at a time, so that no two of them together take what
 * neither takes alone; and none may leave the product without an active administrator who may do everything.
 *
 * @param work gets the permissions that the caller holds now, in case they were just taken
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
    const hadAdmin = await hasFullAdmin(tx);
    const result = await work(tx, permissionsInForce(asHolder(caller)));
    if (hadAdmin && !(await hasFullAdmin(tx))) {
      throw new AppError(
        'conflict',
        'The last active administrator cannot be deleted, demoted or suspended, nor lose permissions',
      );
    }
    return result;
  });
}

/** Whoever lacks a permission cannot give it back to anybody: so there is always one who holds all of them. */
async function hasFullAdmin(tx: Tx): Promise<boolean> {
  const admins = await listActiveAdmins(tx);
  return admins.some((admin) => lacking(permissions, permissionsOf(asHolder(admin))).length === 0);
}

export const lacking = (wanted: readonly Permission[], held: readonly Permission[]): Permission[] =>
  wanted.filter((permission) => !held.includes(permission));

/** Nobody grants permissions that they do not hold themselves. */
export function refuseGrant(added: readonly Permission[], held: readonly Permission[]): void {
  if (lacking(added, held).length > 0)
    throw new AppError('forbidden', 'You cannot grant permissions that you do not hold yourself');
}

/**
 * What an account can do that a caller has to hold to hand it out. The built-in owner and driver reach only what is their own,
 * so whoever manages accounts may give these.
 */
export const grantedBy = (user: Pick<UserRow, 'role' | 'permissions' | 'custom_role_permissions'>) =>
  user.role !== 'admin' && !user.permissions && !user.custom_role_permissions
    ? []
    : permissionsOf({ ...user, customRolePermissions: user.custom_role_permissions });
