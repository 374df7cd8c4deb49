import { isDeepStrictEqual } from 'node:util';
import {
  builtInRoles,
  permissionsOf,
  roles,
  userStatuses,
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
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, forbidden, invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { countRows, filterList, type Count, type ListFilter } from '../platform/database/keyset-lists.ts';
import { cursorAfter, sortedPage, type SortField, type SortedRow } from '../platform/database/sorted-lists.ts';
import { generatePassword, hashPassword } from '../platform/auth/passwords.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { rejectCommonPassword } from './common-passwords.ts';
import { hashOfToken, mailedToken, mailsLinks } from './mailed-links.ts';
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
  setPasswordReset,
  setVehicle,
  userColumns,
  type UserRow,
} from './queries.ts';
import { assertCanGrant, assertCanManage, changeRights, elevatedPermissions, missingFrom } from './rights.ts';
import { findRole } from './role-queries.ts';
import { emailTaken, type CarriedDeliveries } from './service.ts';

/** The list and its export use the same filter. */
export function filterUsers(query: z.output<typeof UserListQuery> | z.output<typeof UserExportQuery>): ListFilter {
  const filter = filterList({ q: "lower(name || ' ' || email)", day: 'updated_at' }, query);
  filter.where('deleted_at is null');
  if (query.role) filter.where(`role = ${filter.value(query.role)}`);
  if (query.awaitsApproval) filter.where(isAwaitingApproval);
  if (query.status) filter.where(`status = ${filter.value(query.status)}`);
  return filter;
}

/** Counts the accounts that await approval. */
export const countAwaitingApproval = (db: Queryable): Promise<Count> =>
  countRows(db, `users where deleted_at is null and ${isAwaitingApproval}`, []);

const sortFields: Record<string, SortField> = {
  name: { key: 'lower(name)', type: 'text' },
  email: { key: 'email', type: 'text' },
  lastLogin: { key: "coalesce(last_login_at, '-infinity')", type: 'timestamptz' },
  role: { type: 'group', column: 'role', values: roles },
  status: { type: 'group', column: 'status', values: userStatuses },
};

export async function listUsers(ctx: Ctx, query: z.output<typeof UserListQuery>): Promise<Page<User>> {
  const { limit, sort = '-createdAt' } = query;
  const filter = filterUsers(query);
  const { source, sortKey } = sortedPage({ table: 'users', filter, sort, fields: sortFields, limit, by: 'index' });
  const rows = await ctx.db.query<UserRow & SortedRow>(
    `select ${userColumns}, ${sortKey} as sort_key from ${source}`,
    filter.values(),
  );
  const count = query.count ? await filter.count(ctx.db, 'users') : null;
  return pageOf(rows, limit, count, (row) => cursorAfter(sort, row), asUser);
}

/** @throws not_found also for another user's account, unless the caller has `admin.manage_users` */
export async function readUser(ctx: Ctx, actor: Actor, id: string): Promise<User> {
  const mayRead = id === actor.id || actor.permissions.includes('admin.manage_users');
  const user = mayRead ? await findUser(ctx.db, id) : null;
  if (!user) throw notFound('user');
  return asUser(user);
}

/** Creates an account for another person. Without a password it gets a one-time password, which is returned only here. */
export async function createUser(ctx: Ctx, actor: Actor, input: CreateUserInput): Promise<CreatedUser> {
  if (input.password) await rejectCommonPassword(input.password, input.email);
  const invited = input.invite === true;
  if (invited && input.password) throw invalid({ invite: 'An invitation takes the place of a password' });
  if (invited && !mailsLinks(ctx.config)) throw invalid({ invite: noMail });
  const temporaryPassword = input.password || invited ? null : generatePassword();
  // Nobody knows the password of an invited account before it is set.
  const passwordHash = await hashPassword(input.password ?? temporaryPassword ?? generatePassword());
  // A repeated request gets the stored reply, which has another ID and no password: this one-time password was never saved.
  const id = uuid();
  const user = await changeRights(ctx, actor, async (tx, held) => {
    const { name, email, status } = input;
    const role = input.role ?? builtInRoleOf(input.roleId) ?? 'owner';
    const roleId = customRoleId(input.roleId, null);
    if (roleId !== null && !held.includes('users.manage_roles')) throw forbidden();
    if (roleId !== null) await requireActiveRole(tx, roleId);
    const created = await insertUser(tx, {
      id,
      name,
      email,
      passwordHash,
      role,
      roleId,
      status,
      mustChangePassword: temporaryPassword !== null,
    });
    if (!created) throw emailTaken();
    assertCanGrant(elevatedPermissions(created), held);
    const changes: Changes = {
      role: [null, role],
      ...(roleId !== null && { roleId: [null, roleId] }),
      status: [null, status],
    };
    await record(tx, { type: 'user.created', at: ctx.now(), actorId: actor.id, userId: id, changes });
    if (invited) await sendInvitation(ctx, tx, actor, id);
    return asUser(created);
  });
  return { ...user, temporaryPassword: user.id === id ? temporaryPassword : null };
}

const noMail = 'No invitation can be sent: no mail server or no PUBLIC_URL is set up';
const invitationHours = 7 * 24;

async function sendInvitation(ctx: Ctx, tx: Tx, actor: Actor, userId: string): Promise<void> {
  const at = ctx.now();
  await setPasswordReset(tx, userId, hashOfToken(mailedToken(ctx, userId, at)), userId, invitationHours);
  await record(tx, { type: 'account.invited', at, actorId: actor.id, userId });
}

/** Sends an invitation again. @throws conflict if the user has signed in already */
export async function inviteUser(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await ctx.rateLimits.take('invitation', actor.id);
  await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    assertCanManage(actor, user, held);
    if (!mailsLinks(ctx.config)) throw new AppError('conflict', `${noMail}.`);
    if (user.last_login_at !== null)
      throw new AppError('conflict', 'This user has signed in already. A link for a new password helps them.');
    await sendInvitation(ctx, tx, actor, id);
  });
}

/**
 * Updates an account as an administrator. A new role or new permissions also need `users.manage_roles`. Notifies the user of changes
 * by others. A change of role, permissions or status invalidates password reset links.
 */
export async function updateUser(
  ctx: Ctx,
  actor: Actor,
  id: string,
  input: UserUpdateInput,
  deliveries: CarriedDeliveries,
): Promise<User> {
  return changeRights(ctx, actor, async (tx, held) => {
    await handOverDeliveries(ctx, tx, actor, held, id, input.deliveries, deliveries);
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    assertCanManage(actor, user, held);
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
    await setVehicle(tx, id, input);
    const changed = await setAccount(tx, id, next);
    if (!changed) throw notFound('user');
    // Activating an account grants all its permissions; any other change grants only the new ones.
    const before = user.status === 'active' || next.status !== 'active' ? elevatedPermissions(user) : [];
    assertCanGrant(missingFrom(before, elevatedPermissions(changed)), held);
    if (isActiveDriver(user) && !isActiveDriver(next)) await deliveries.strand(ctx, tx, actor.id, id);
    if (!isActiveDriver(user) && isActiveDriver(next)) await deliveries.resume(ctx, tx, actor.id, id);
    // Record that the name changed, not the name: the log outlives the account.
    const isOtherVehicle = !isDeepStrictEqual(vehicleOf(user), vehicleOf(changed));
    const notifiedChanges: Changes = next.name === user.name ? changes : { name: [null, null], ...changes };
    if (Object.keys(changes).length > 0) await deletePasswordResets(tx, [id]);
    if (Object.keys(notifiedChanges).length > 0) {
      const by = { at: ctx.now(), actorId: actor.id, userId: id };
      await record(tx, { type: 'user.changed', ...by, changes });
      const isApproval = user.awaiting_approval && user.status === 'inactive' && next.status === 'active';
      if (isApproval) await record(tx, { type: 'account.approved', ...by });
      else if (id !== actor.id) await record(tx, { type: 'rights.changed', ...by, changes: notifiedChanges });
    } else if (isOtherVehicle) await record(tx, { type: 'user.changed', at: ctx.now(), actorId: actor.id, userId: id });
    return asUser(changed);
  });
}

const vehicleOf = (row: UserRow) => {
  const { vehicleInfo, startPlace, endPlace } = asUser(row);
  return { vehicleInfo, startPlace, endPlace };
};

const isActiveDriver = ({ role, status }: Pick<UserRow, 'role' | 'status'>) => role === 'driver' && status === 'active';

/**
 * Hands over the driver's deliveries. Must run before the account is locked: everywhere else deliveries are locked before their
 * driver, and the other order could deadlock. A delivery started in between stays with the driver, like with `keep`.
 */
async function handOverDeliveries(
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

/** Deletes the account and its personal data. Its packages, deliveries and events stay, without a name. */
export async function deleteUser(
  ctx: Ctx,
  actor: Actor,
  id: string,
  to: DeliveriesInput | undefined,
  deliveries: CarriedDeliveries,
): Promise<void> {
  await changeRights(ctx, actor, async (tx, held) => {
    await handOverDeliveries(ctx, tx, actor, held, id, to, deliveries);
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    assertCanManage(actor, user, held);
    await deliveries.strand(ctx, tx, actor.id, id);
    await eraseAccount(tx, user, { actorId: actor.id, at: ctx.now() });
  });
}

/** Deletes an account within `tx`. Also repeated after a restore, for accounts that were deleted after the backup was made. */
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
