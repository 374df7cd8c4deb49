import { setTimeout as sleep } from 'node:timers/promises';
import {
  messages,
  rolePermissions,
  roles,
  type Permission,
  type Role,
  type Session,
  type SignedIn,
  type SignUpPolicy,
  type User,
  type UserUpdateInput,
  type ProfileInput,
  type UserExportQuery,
  type UserListQuery,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';
import { AppError, forbidden, invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Listed } from '../platform/http.ts';
import { filterList, type ListFilter } from '../platform/lists.ts';
import { hashPassword, verifyPassword } from '../platform/passwords.ts';
import { openSession, type Actor } from '../platform/sessions.ts';
import {
  asUser,
  deleteSessions,
  findUser,
  findUserByEmail,
  hasAdmin,
  insertUser,
  listHolders,
  listSessions,
  lockActiveAdmins,
  lockUser,
  setAccount,
  setLastLogin,
  setPasswordHash,
  setProfile,
  type UserRow,
} from './queries.ts';

interface Caller {
  address: string;
  userAgent: string | undefined;
}

/** Which roles may sign up, and what follows: open, after an administrator's approval, or not at all. */
export const signUpPolicy = (config: Config): Record<Role, SignUpPolicy> => ({
  owner: 'open',
  driver: config.DRIVER_SIGNUP,
  admin: config.ADMIN_SIGNUP,
});

export async function register(
  ctx: Ctx,
  input: { name: string; email: string; password: string; role: Role },
  caller: Caller,
): Promise<SignedIn> {
  const policy = signUpPolicy(ctx.config)[input.role];
  if (policy === 'closed') throw new AppError('sign_up_closed', `Registration as ${input.role} is closed.`);
  if (!(ctx.config.onlyLocal && ctx.config.DEMO)) await ctx.rateLimits.take('register', caller.address);
  const passwordHash = await hashPassword(input.password);
  return ctx.db.transaction(async (tx) => {
    const user = await insertUser(tx, {
      id: uuid(),
      name: input.name,
      email: input.email,
      passwordHash,
      role: input.role,
      status: policy === 'open' ? 'active' : 'inactive',
    });
    if (!user) throw emailTaken();
    await record(tx, { type: 'user.created', at: ctx.now(), actorId: user.id, userId: user.id });
    return signIn(tx, user.id, caller);
  });
}

const emailTaken = () => {
  const message = 'This email address is already registered';
  return new AppError('email_taken', message, { fields: { email: message } });
};

async function signIn(tx: Tx, userId: string, caller: Caller): Promise<SignedIn> {
  const token = await openSession(tx, userId, caller.userAgent);
  const user = await setLastLogin(tx, userId);
  if (!user) throw notFound('account');
  return { ...asUser(user), token };
}

export async function login(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
  caller: Caller,
): Promise<SignedIn> {
  const who = `${email} ${caller.address}`;
  await ctx.rateLimits.take('login', who);
  // From the sixth failure on each further try waits, before it learns anything; never a lock, which anybody could put on others.
  const excess = await ctx.rateLimits.excess('loginFailure', who);
  if (excess > 0) await sleep(Math.min(250 * 2 ** (excess - 1), 4000));
  const found = await findUserByEmail(ctx.db, email);
  const fits = await verifyPassword(found?.password_hash ?? null, password);
  if (!found || !fits) {
    await ctx.rateLimits.count('loginFailure', who);
    throw new AppError('invalid_credentials', messages.invalidCredentials);
  }
  await ctx.rateLimits.forget('loginFailure', who);
  return ctx.db.transaction((tx) => signIn(tx, found.id, caller));
}

export async function logout(ctx: Ctx, actor: Actor): Promise<void> {
  await ctx.db.transaction((tx) => endSessions(ctx, tx, actor.id, { only: actor.sessionId }));
}

async function endSessions(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  which: { only?: string; except?: string },
): Promise<number> {
  const ended = await deleteSessions(tx, userId, which);
  for (const sessionId of ended) {
    await record(tx, { type: 'session.ended', at: ctx.now(), actorId: userId, userId, sessionId });
  }
  return ended.length;
}

export async function currentUser(ctx: Ctx, actor: Actor): Promise<User> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  return asUser(user);
}

export async function updateProfile(ctx: Ctx, actor: Actor, profile: ProfileInput): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const user = await setProfile(tx, actor.id, profile);
    if (!user) throw notFound('account');
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: actor.id, userId: actor.id });
    return asUser(user);
  });
}

/** Changes the caller's own password and signs out every other place. */
export async function changePassword(
  ctx: Ctx,
  actor: Actor,
  current: string,
  next: string,
  caller: Caller,
): Promise<void> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  await ctx.rateLimits.take('login', `${user.email} ${caller.address}`);
  if (!(await verifyPassword(user.password_hash, current))) {
    throw invalid({ currentPassword: 'The current password is not right' });
  }
  const passwordHash = await hashPassword(next);
  await ctx.db.transaction(async (tx) => {
    await setPasswordHash(tx, actor.id, passwordHash);
    await endSessions(ctx, tx, actor.id, { except: actor.sessionId });
    // The streams of the session that stays end too and come back by themselves: whoever listened on it has to show the token again.
    await record(tx, {
      type: 'session.ended',
      at: ctx.now(),
      actorId: actor.id,
      userId: actor.id,
      sessionId: actor.sessionId,
    });
  });
}

export async function ownSessions(ctx: Ctx, actor: Actor): Promise<Session[]> {
  const rows = await listSessions(ctx.db, actor.id);
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    userAgent: row.user_agent,
    current: row.id === actor.sessionId,
  }));
}

export async function endOwnSession(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  const ended = await ctx.db.transaction((tx) => endSessions(ctx, tx, actor.id, { only: id }));
  if (ended === 0) throw notFound('session');
}

/** A list and its export are filtered alike. */
export function filterUsers(query: z.output<typeof UserListQuery> | z.output<typeof UserExportQuery>): ListFilter {
  const filter = filterList({ q: "lower(name || ' ' || email)", day: 'updated_at' }, query);
  if (query.role) filter.where(`role = ${filter.value(query.role)}`);
  if (query.status) filter.where(`status = ${filter.value(query.status)}`);
  return filter;
}

export async function listUsers(ctx: Ctx, query: z.output<typeof UserListQuery>): Promise<Listed<User>> {
  const filter = filterUsers(query);
  const rows = await ctx.db.query<UserRow>(`select * from users ${filter.page()}`, filter.values());
  const total = query.count ? await filter.count(ctx.db, 'users') : null;
  return pageOf(rows, query.limit, total, (row) => row.id, asUser);
}

/** An administrator's change of an account. A new role or permissions need `users.manage_roles` as well. */
export async function updateUser(ctx: Ctx, actor: Actor, id: string, input: UserUpdateInput): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const admins = await lockActiveAdmins(tx);
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    const next = {
      name: input.name ?? user.name,
      role: input.role ?? user.role,
      status: input.status ?? user.status,
      permissions: input.permissions === undefined ? user.permissions : input.permissions,
    };
    const newRights = next.role !== user.role || JSON.stringify(next.permissions) !== JSON.stringify(user.permissions);
    if (newRights && !actor.permissions.includes('users.manage_roles')) throw forbidden();
    const staysAdmin = next.role === 'admin' && next.status === 'active';
    if (!staysAdmin && admins.length === 1 && admins[0] === id) {
      throw new AppError('conflict', 'The last active administrator cannot be demoted or suspended');
    }
    const changed = await setAccount(tx, id, next);
    if (!changed) throw notFound('user');
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: actor.id, userId: id });
    return asUser(changed);
  });
}

/** Active users who have this permission in force. */
export const usersWith = (db: Queryable, permission: Permission): Promise<string[]> =>
  listHolders(
    db,
    permission,
    roles.filter((role) => rolePermissions[role].includes(permission)),
  );

/** Makes an active account without signing anybody in: the command line, the first administrator, demo data. */
export async function createAccount(
  db: Db,
  { name, email, password, role }: { name: string; email: string; password: string; role: Role },
): Promise<User> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const user = await insertUser(tx, { id: uuid(), name, email, passwordHash, role, status: 'active' });
    if (!user) throw emailTaken();
    return asUser(user);
  });
}

/** Makes the administrator of ADMIN_EMAIL at a start that finds none. */
export async function ensureFirstAdmin(db: Db, config: Config): Promise<boolean> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (!email || !password || (await hasAdmin(db))) return false;
  await createAccount(db, { name: 'Administrator', email: email.toLowerCase(), password, role: 'admin' });
  return true;
}

export const hasUsers = async (db: Db): Promise<boolean> => (await db.query('select from users limit 1')).length > 0;
