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
 * A change that can give or take rights, of accounts and of roles. One at a time, so that no two of them together take what
 * neither takes alone; and none may leave the product without an active administrator who may do as much as the fullest one could.
 *
 * @param work gets the permissions that the caller holds now in this session, in case they were just taken
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
    const fullest = fullestOf(await listAdminRights(tx));
    const result = await work(tx, permissionsInSession(effectivePermissions(asHolder(caller)), actor.openedWith));
    if (fullest.length > 0 && !isCovered(fullest, await listAdminRights(tx))) {
      throw new AppError(
        'conflict',
        'The last active administrator cannot be deleted, demoted or suspended, nor lose permissions',
      );
    }
    return result;
  });
}

type Rights = readonly Permission[];

/** What each active administrator may do. */
async function listAdminRights(tx: Tx): Promise<Rights[]> {
  const admins = await listActiveAdmins(tx);
  return admins.map((admin) => permissions.filter((permission) => permissionsOf(asHolder(admin)).includes(permission)));
}

/**
 * Whoever lacks a permission cannot give it back to anybody, so the rights of the fullest administrator must stay with one. These are
 * all permissions, but where a new version brought another one and every administrator has a list of their own, which cannot have it.
 */
function fullestOf(all: Rights[]): Rights[] {
  const most = Math.max(0, ...all.map((rights) => rights.length));
  return all.filter((rights) => rights.length === most && most > 0);
}

const isCovered = (fullest: Rights[], left: Rights[]): boolean =>
  fullest.some((wanted) => left.some((rights) => lacking(wanted, rights).length === 0));

export const lacking = (wanted: readonly Permission[], held: readonly Permission[]): Permission[] =>
  wanted.filter((permission) => !held.includes(permission));

/** Nobody grants permissions that they do not hold themselves. */
export function refuseGrant(added: readonly Permission[], held: readonly Permission[]): void {
  if (lacking(added, held).length > 0)
    throw new AppError('forbidden', 'You cannot grant permissions that you do not hold yourself');
}

/**
 * What an account can do while active that a caller has to hold to hand it out. What owners and drivers have by their built-in role
 * reaches only what is their own, so whoever manages accounts may give that, or a part of it.
 */
export function grantedBy(user: Pick<UserRow, 'role' | 'permissions' | 'custom_role_permissions'>): Rights {
  const held = permissionsOf({ ...user, customRolePermissions: user.custom_role_permissions });
  return user.role !== 'admin' && lacking(held, rolePermissions[user.role]).length === 0 ? [] : held;
}

/** Nobody acts on an account that could do more than they can, were it active. Equal is allowed. */
export function refuseGreater(actor: Actor, user: UserRow, held: Rights): void {
  if (lacking(grantedBy(user), held).length === 0) return;
  throw new AppError(
    'forbidden',
    user.id === actor.id ? messages.signInForNewRights : 'This account can do more than you can. You cannot change it.',
  );
}
