import {
  builtInRoles,
  permissionsOf,
  roles,
  type CreatedUser,
  type CreateUserInput,
  type DeliveriesInput,
  type Permission,
  type Role,
  type User,
  type UserExportQuery,
  type UserListQuery,
  type UserUpdateInput,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Changes } from '../events/event-types.ts';
import { detachImages, discardUploads } from '../images/service.ts';
import type { Tx } from '../platform/database/db.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList, type ListFilter } from '../platform/database/keyset-lists.ts';
import { generatePassword, hashPassword } from '../platform/auth/passwords.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { refuseCommon } from './common-passwords.ts';
import {
  asHolder,
  asUser,
  deletePasswordResets,
  deleteSessions,
  eraseUser,
  fillSessionRights,
  findUser,
  insertUser,
  isAwaitingApproval,
  lockUser,
  setAccount,
  userColumns,
  type UserRow,
} from './queries.ts';
import { changeRights, grantedBy, lacking, refuseGrant, refuseGreater } from './rights.ts';
import { findRole } from './role-queries.ts';
import { emailTaken, type CarriedDeliveries } from './service.ts';

/** A list and its export are filtered alike. */
export function filterUsers(query: z.output<typeof UserListQuery> | z.output<typeof UserExportQuery>): ListFilter {
  const filter = filterList({ q: "lower(name || ' ' || email)", day: 'updated_at' }, query);
  filter.where('deleted_at is null');
  if (query.role) filter.where(`role = ${filter.value(query.role)}`);
  if (query.awaitsApproval) filter.where(isAwaitingApproval);
  if (query.status) filter.where(`status = ${filter.value(query.status)}`);
  return filter;
}

export async function listUsers(ctx: Ctx, query: z.output<typeof UserListQuery>): Promise<Page<User>> {
  const filter = filterUsers(query);
  const rows = await ctx.db.query<UserRow>(`select ${userColumns} from users ${filter.page()}`, filter.values());
  const count = query.count ? await filter.count(ctx.db, 'users') : null;
  return pageOf(rows, query.limit, count, (row) => row.id, asUser);
}

/** @throws not_found also for somebody else's account, unless the caller manages users */
export async function readUser(ctx: Ctx, actor: Actor, id: string): Promise<User> {
  const reaches = id === actor.id || actor.permissions.includes('admin.manage_users');
  const user = reaches ? await findUser(ctx.db, id) : null;
  if (!user) throw notFound('user');
  return asUser(user);
}

/** Makes an account for somebody else. Without a password it gets a one-time password, which only this answer tells. */
export async function createUser(ctx: Ctx, actor: Actor, input: CreateUserInput): Promise<CreatedUser> {
  if (input.password) await refuseCommon(input.password, input.email);
  const temporaryPassword = input.password ? null : generatePassword();
  const passwordHash = await hashPassword(input.password ?? temporaryPassword ?? '');
  // A repeated request gets the answer that was kept, which holds no password: this one's was never stored then.
  const id = uuid();
  const user = await changeRights(ctx, actor, async (tx, held) => {
    const { name, email, status } = input;
    const role = input.role ?? builtInRoleOf(input.roleId) ?? 'owner';
    const roleId = customRoleId(input.roleId, null);
    if (roleId !== null && !held.includes('users.manage_roles')) throw forbidden();
    if (roleId !== null) await requireActiveRole(tx, roleId);
    const made = await insertUser(tx, {
      id,
      name,
      email,
      passwordHash,
      role,
      roleId,
      status,
      mustChangePassword: temporaryPassword !== null,
    });
    if (!made) throw emailTaken();
    refuseGrant(grantedBy(made), held);
    const changes: Changes = {
      role: [null, role],
      ...(roleId !== null && { roleId: [null, roleId] }),
      status: [null, status],
    };
    await record(tx, { type: 'user.created', at: ctx.now(), actorId: actor.id, userId: id, changes });
    return asUser(made);
  });
  return { ...user, temporaryPassword: user.id === id ? temporaryPassword : null };
}

/**
 * An administrator's change of an account. A new role or permissions need `users.manage_roles` as well. Its user is told of what
 * others change. Links for a new password end with a change of role, rights or status.
 */
export async function updateUser(
  ctx: Ctx,
  actor: Actor,
  id: string,
  input: UserUpdateInput,
  deliveries: CarriedDeliveries,
): Promise<User> {
  return changeRights(ctx, actor, async (tx, held) => {
    await takeDeliveries(ctx, tx, actor, held, id, input.deliveries, deliveries);
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    refuseGreater(actor, user, held);
    const next = {
      name: input.name ?? user.name,
      role: input.role ?? builtInRoleOf(input.roleId) ?? user.role,
      roleId: customRoleId(input.roleId, user),
      status: input.status ?? user.status,
      permissions: input.permissions === undefined ? user.permissions : input.permissions,
    };
    const changes = changesOf(user, next);
    const newRights = 'role' in changes || 'roleId' in changes || 'permissions' in changes;
    if (newRights && !held.includes('users.manage_roles')) throw forbidden();
    if ('roleId' in changes && next.roleId) await requireActiveRole(tx, next.roleId);

    await fillSessionRights(tx, id, permissionsOf(asHolder(user)));
    const changed = await setAccount(tx, id, next);
    if (!changed) throw notFound('user');
    // Who activates an account hands out everything it can do; else only what is new counts.
    const before = user.status === 'active' || next.status !== 'active' ? grantedBy(user) : [];
    refuseGrant(lacking(grantedBy(changed), before), held);
    if (isActiveDriver(user) && !isActiveDriver(next)) await deliveries.strand(ctx, tx, actor.id, id);
    if (!isActiveDriver(user) && isActiveDriver(next)) await deliveries.resume(ctx, tx, actor.id, id);
    // Only that it is another name: the log outlives the account.
    const told: Changes = next.name === user.name ? changes : { name: [null, null], ...changes };
    if (Object.keys(changes).length > 0) await deletePasswordResets(tx, [id]);
    if (Object.keys(told).length > 0) {
      const by = { at: ctx.now(), actorId: actor.id, userId: id };
      await record(tx, { type: 'user.changed', ...by, changes });
      if (id !== actor.id) await record(tx, { type: 'rights.changed', ...by, changes: told });
    }
    return asUser(changed);
  });
}

const isActiveDriver = ({ role, status }: Pick<UserRow, 'role' | 'status'>) => role === 'driver' && status === 'active';

/**
 * Before the account is locked: everybody else locks deliveries first and their driver afterwards. One that is started between stays
 * with its driver, as by `keep`.
 */
async function takeDeliveries(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  held: readonly Permission[],
  driverId: string,
  to: DeliveriesInput | undefined,
  deliveries: CarriedDeliveries,
): Promise<void> {
  if (to === undefined || to === 'keep') return;
  if (!held.includes('deliveries.assign')) throw forbidden();
  await deliveries.handOver(ctx, tx, actor.id, driverId, to);
}

const builtInRoleOf = (roleId: string | null | undefined): Role | undefined =>
  roles.find((role) => builtInRoles[role].id === roleId);

function customRoleId(wanted: string | null | undefined, user: UserRow | null): string | null {
  if (wanted === undefined) return user?.role_id ?? null;
  return builtInRoleOf(wanted) ? null : wanted;
}

async function requireActiveRole(tx: Tx, roleId: string): Promise<void> {
  const role = await findRole(tx, roleId);
  if (!role) throw invalid({ roleId: 'This role does not exist' });
  if (!role.is_active) throw invalid({ roleId: 'This role is not active' });
}

function changesOf(
  user: UserRow,
  next: Pick<UserRow, 'role' | 'status' | 'permissions'> & { roleId: string | null },
): Changes {
  const pairs: Changes = {
    role: [user.role, next.role],
    roleId: [user.role_id, next.roleId],
    status: [user.status, next.status],
    permissions: [user.permissions, next.permissions],
  };
  return Object.fromEntries(
    Object.entries(pairs).filter(([, [before, after]]) => JSON.stringify(before) !== JSON.stringify(after)),
  );
}

/** Takes the account and its personal data; its packages, deliveries and events stay, without a name. */
export async function deleteUser(
  ctx: Ctx,
  actor: Actor,
  id: string,
  to: DeliveriesInput | undefined,
  deliveries: CarriedDeliveries,
): Promise<void> {
  await changeRights(ctx, actor, async (tx, held) => {
    await takeDeliveries(ctx, tx, actor, held, id, to, deliveries);
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    refuseGreater(actor, user, held);
    await deliveries.strand(ctx, tx, actor.id, id);
    await eraseAccount(tx, user, { actorId: actor.id, at: ctx.now() });
  });
}

/** What a deletion does; a restored backup has it done again to whom it would bring back. */
export async function eraseAccount(
  tx: Tx,
  { id, role, status }: Pick<UserRow, 'id' | 'role' | 'status'>,
  by: { actorId: string | null; at: Date },
): Promise<void> {
  await eraseUser(tx, id);
  await detachImages(tx, `user:${id}`);
  await discardUploads(tx, id);
  for (const sessionId of await deleteSessions(tx, id, {}))
    await record(tx, { type: 'session.ended', ...by, userId: id, sessionId });
  const changes = { role: [role, null], status: [status, null] } satisfies Changes;
  await record(tx, { type: 'user.deleted', ...by, userId: id, changes });
}
