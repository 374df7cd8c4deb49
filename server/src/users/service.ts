import {
  messages,
  permissionsInSession,
  effectivePermissions,
  rolePermissions,
  roles,
  type CurrentUser,
  type DeliveriesInput,
  type Permission,
  type Role,
  type Session,
  type SettingName,
  type SignedIn,
  type SignUpPolicy,
  type User,
  type ProfileInput,
} from '@waybill/contract';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuid } from 'uuid';
import { audit, auditCounted } from '../audit/service.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Changes } from '../events/event-types.ts';
import { processUpload, attachImages } from '../images/service.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Db, Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, notActive, notFound } from '../platform/errors.ts';
import { hashPassword, verifyPassword } from '../platform/auth/passwords.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asHolder,
  asUser,
  deleteIdleSessions,
  deleteSessions,
  findUser,
  findUserByEmail,
  hasAdmin,
  insertUser,
  lockActiveUser,
  lockUser,
  listUsersWith,
  listSessions,
  setLastLogin,
  setPasswordHash,
  setProfile,
  type SessionRow,
  type UserRow,
} from './queries.ts';
import { isCommon, refuseCommon } from './common-passwords.ts';
import { takeCode } from './second-factor.ts';
import { administersByPassword, openSession } from './sessions.ts';
import { rememberAddress, trySecret } from './sign-in-attempts.ts';

/** What deliveries have to do with a change of an account. They know of accounts, not accounts of them. */
export interface CarriedDeliveries {
  /** Takes everything that a driver has on the road from them: to wait again, or to another driver. */
  handOver(
    ctx: Pick<Ctx, 'now'>,
    tx: Tx,
    actorId: string,
    driverId: string,
    to: Exclude<DeliveriesInput, 'keep'>,
  ): Promise<void>;
  /** Tells the owners of what stays with a driver who can bring it no longer. */
  strand(ctx: Pick<Ctx, 'now'>, tx: Tx, actorId: string, driverId: string): Promise<void>;
  /** Tells them that this driver can bring it again. */
  resume(ctx: Pick<Ctx, 'now'>, tx: Tx, actorId: string, driverId: string): Promise<void>;
}

interface Caller {
  address: string;
  /** Whether the request was made on this machine. */
  fromHere: boolean;
  userAgent: string | undefined;
}

export type SignUpPolicies = Record<Role, SignUpPolicy>;

/**
 * Which roles may sign up, and what follows: open, after an administrator's approval, or not at all. What is open by default only is
 * so for who is on this machine: a request that came from elsewhere shows that others can reach the server after all.
 */
export async function signUpPolicy(
  { settings }: Pick<Ctx, 'settings'>,
  { fromHere }: Pick<Caller, 'fromHere'>,
): Promise<SignUpPolicies> {
  const { driverSignUp, adminSignUp, openByDefault } = await settings.find();
  const ask = (name: SettingName, policy: SignUpPolicy) =>
    !fromHere && openByDefault.includes(name) ? 'approval' : policy;
  return { owner: 'open', driver: ask('driverSignUp', driverSignUp), admin: ask('adminSignUp', adminSignUp) };
}

export async function register(
  ctx: Ctx,
  input: { name: string; email: string; password: string; role: Role },
  caller: Caller,
): Promise<SignedIn> {
  if (ctx.config.onlyLocal && !caller.fromHere) {
    ctx.log.warn(
      'somebody registered under another host name or through a proxy, though HOST, TRUST_PROXY and PUBLIC_URL say that only this ' +
        'machine reaches the server: set PUBLIC_URL, and TRUST_PROXY to the address of the proxy',
    );
  }
  const policy = (await signUpPolicy(ctx, caller))[input.role];
  if (policy === 'closed') throw new AppError('sign_up_closed', `Registration as ${input.role} is closed.`);
  await refuseCommon(input.password, input.email);
  if (!(ctx.config.onlyLocal && caller.fromHere && ctx.config.DEMO))
    await ctx.rateLimits.take('register', networkOf(caller.address));
  const passwordHash = await hashPassword(input.password, networkOf(caller.address));
  return ctx.db.transaction(async (tx) => {
    const user = await insertUser(tx, {
      id: uuid(),
      name: input.name,
      email: input.email,
      passwordHash,
      role: input.role,
      status: policy === 'open' ? 'active' : 'inactive',
      awaitingApproval: policy === 'approval',
    });
    if (!user) throw emailTaken();
    await record(tx, {
      type: 'user.created',
      at: ctx.now(),
      actorId: user.id,
      userId: user.id,
      changes: { role: [null, user.role], status: [null, user.status] },
    });
    if (policy === 'approval')
      await record(tx, { type: 'account.waiting', at: ctx.now(), actorId: user.id, userId: user.id });
    return signIn(ctx, tx, user, caller);
  });
}

export const emailTaken = () => {
  const message = 'This email address is already registered';
  return new AppError('email_taken', message, { fields: { email: message } });
};

/** More than anybody's devices, and a bound to what a stolen password can leave behind. */
const maxSessions = 50;

/** For the account as it was when its password was checked: one that was replaced since has ended all sessions, and opens none. */
async function signIn(
  ctx: Ctx,
  tx: Tx,
  { id, password_hash: passwordHash }: UserRow,
  caller: Caller,
): Promise<SignedIn> {
  const at = ctx.now();
  const user = await setLastLogin(tx, id, passwordHash);
  if (!user) throw invalidCredentials();
  const token = await openSession(tx, { ...asHolder(user), id }, caller);
  const unfamiliar = await rememberAddress(tx, id, caller.address, at);
  if (unfamiliar) await record(tx, { type: 'session.unfamiliar', at, actorId: id, userId: id });
  await record(tx, { type: 'session.started', at, actorId: id, userId: id });
  const displaced = await deleteIdleSessions(tx, id, maxSessions);
  for (const sessionId of displaced)
    await record(tx, { type: 'session.ended', at, actorId: id, userId: id, sessionId });
  if (displaced.length > 0) await record(tx, { type: 'sessions.displaced', at, actorId: id, userId: id });
  return { ...asUser(user), ...(await secondFactorDue(ctx, user)), token };
}

/** What the page has to know to lead there. */
async function secondFactorDue({ settings }: Ctx, row: UserRow): Promise<{ mustSetUpSecondFactor?: true }> {
  const due = administersByPassword({
    role: row.role,
    permissions: effectivePermissions(asHolder(row)),
    secondFactor: row.second_factor,
  });
  return due && (await settings.find()).adminTotp === 'required' ? { mustSetUpSecondFactor: true } : {};
}

const invalidCredentials = () => new AppError('invalid_credentials', messages.invalidCredentials);

export async function login(
  ctx: Ctx,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
  caller: Caller,
): Promise<SignedIn> {
  const found = await findUserByEmail(ctx.db, email);
  let refusal = invalidCredentials();
  let finished = true;
  await trySecret(
    ctx,
    { email, userId: found?.id ?? null, address: caller.address },
    async () => {
      const fits = await verifyPassword(found?.password_hash ?? null, password, networkOf(caller.address));
      if (!found || !fits) return 'wrong';
      if (!found.second_factor) return 'right';
      finished = code !== undefined;
      if (code === undefined) return 'unfinished';
      refusal = new AppError('totp_wrong', messages.totpWrong);
      return (await takeCode(ctx, found.id, code)) ? 'right' : 'wrong';
    },
    () => {
      noteRefusal(ctx, found?.id ?? null);
      return refusal;
    },
  );
  if (!finished) throw new AppError('totp_required', messages.totpRequired);
  if (!found) throw invalidCredentials();
  return ctx.db.transaction((tx) => signIn(ctx, tx, found, caller));
}

/**
 * Not waited for: an account's first refusal in a minute is more work than one of a name that nobody has, and the answer's time would
 * tell which it was. Those names are counted together: they would be as many as somebody can make up.
 */
function noteRefusal(ctx: Ctx, userId: string | null): void {
  const refused = { act: 'session.refused', actorId: null, subjectId: userId } as const;
  auditCounted(ctx.db, refused, 'minute', userId ?? 'nobody').catch((error: unknown) =>
    ctx.log.error({ reason: String(error) }, 'a refused sign-in could not be written down'),
  );
}

export async function logout(ctx: Ctx, actor: Actor): Promise<void> {
  await ctx.db.transaction((tx) => endAndAudit(ctx, tx, actor, actor.sessionId));
}

/** Ends one session of the caller's own, if it is one, and writes that down. */
async function endAndAudit(ctx: Ctx, tx: Tx, actor: Actor, sessionId: string): Promise<number> {
  const ended = await endSessions(ctx, tx, actor.id, { only: sessionId });
  const details = { session: sessionId === actor.sessionId ? 'own' : 'another' };
  if (ended > 0) await audit(tx, { act: 'session.ended', actorId: actor.id, subjectId: actor.id, details });
  return ended;
}

export async function endSessions(
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

/** The account as this session has it, which may be older than some of its rights. */
export async function currentUser(ctx: Ctx, actor: Actor): Promise<CurrentUser> {
  const row = await findUser(ctx.db, actor.id);
  if (!row) throw notFound('account');
  const user = asUser(row);
  const held = [...permissionsInSession(user.permissionsInForce, actor.openedWith)];
  const gainedRights = held.length < user.permissionsInForce.length;
  return {
    ...user,
    permissionsInForce: held,
    ...(gainedRights && { gainedRights }),
    ...(await secondFactorDue(ctx, row)),
  };
}

export async function updateProfile(ctx: Ctx, actor: Actor, profile: ProfileInput): Promise<User> {
  const keeper = `user:${actor.id}` as const;
  const sent = profile.profilePicture;
  const picture = sent && (await processUpload(ctx, actor, sent, 'profiles', keeper, 'profilePicture'));
  return ctx.db.transaction(async (tx) => {
    const before = await lockUser(tx, actor.id);
    const user = await setProfile(tx, actor.id, profile, picture);
    if (!before || !user) throw notFound('account');
    if (picture !== undefined) await attachImages(tx, actor, keeper, picture ? [picture] : []);
    // Events stay for good: what changes nothing is none.
    if (!isDeepStrictEqual({ ...asUser(before), updatedAt: null }, { ...asUser(user), updatedAt: null }))
      await record(tx, { type: 'user.changed', at: ctx.now(), actorId: actor.id, userId: actor.id });
    return asUser(user);
  });
}

/** That it is another one, never which. */
export const passwordChanged: Changes = { password: ['hidden', 'hidden'] };

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
  await trySecret(
    ctx,
    { email: user.email, userId: user.id, address: caller.address },
    async () => ((await verifyPassword(user.password_hash, current, networkOf(caller.address))) ? 'right' : 'wrong'),
    notCurrent,
  );
  if (user.must_change_password && next === current) throw invalid({ newPassword: 'Please choose another password' });
  await refuseCommon(next, user.email, 'newPassword');
  const passwordHash = await hashPassword(next, networkOf(caller.address));
  await ctx.db.transaction(async (tx) => {
    // Perhaps replaced while this was being checked, by somebody who wants whoever is calling here out.
    if (!(await setPasswordHash(tx, actor.id, passwordHash, user.password_hash))) throw notCurrent();
    await record(tx, {
      type: 'user.changed',
      at: ctx.now(),
      actorId: actor.id,
      userId: actor.id,
      changes: passwordChanged,
    });
    await record(tx, { type: 'password.changed', at: ctx.now(), actorId: actor.id, userId: actor.id });
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

const notCurrent = () => invalid({ currentPassword: 'The current password is not right' });

export async function ownSessions(ctx: Ctx, actor: Actor): Promise<Session[]> {
  const rows = await listSessions(ctx.db, actor.id);
  return rows.map((row) => asSession(actor, row));
}

export const asSession = (actor: Actor, row: SessionRow): Session => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  userAgent: row.user_agent,
  address: row.address,
  current: row.id === actor.sessionId,
});

export async function endOwnSession(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  const ended = await ctx.db.transaction((tx) => endAndAudit(ctx, tx, actor, id));
  if (ended === 0) throw notFound('session');
}

/**
 * For what must not come after its user: one who is being suspended or deleted in this moment waits until the transaction ends, or
 * else it was over before and the transaction must not go on.
 */
export async function requireActive(tx: Tx, id: string): Promise<void> {
  if (!(await lockActiveUser(tx, id))) throw notActive();
}

/** Active users who have this permission in force. */
export const usersWith = (db: Queryable, permission: Permission): Promise<string[]> =>
  listUsersWith(
    db,
    permission,
    roles.filter((role) => rolePermissions[role].includes(permission)),
  );

interface NewAccount {
  name: string;
  email: string;
  password: string;
  role: Role;
}

async function insertActive(tx: Tx, { name, email, role }: NewAccount, passwordHash: string): Promise<UserRow> {
  const user = await insertUser(tx, { id: uuid(), name, email, passwordHash, role, status: 'active' });
  if (!user) throw emailTaken();
  return user;
}

/** Makes an active account without signing anybody in, for demo data. */
export async function createAccount(db: Db, account: NewAccount): Promise<User> {
  const passwordHash = await hashPassword(account.password);
  return db.transaction(async (tx) => asUser(await insertActive(tx, account, passwordHash)));
}

/** Makes an active administrator from outside: by the command line, or by ADMIN_EMAIL. The audit log has it as nobody's act. */
export async function createAdmin(db: Db, account: Omit<NewAccount, 'role'>): Promise<void> {
  await refuseCommon(account.password, account.email);
  const passwordHash = await hashPassword(account.password);
  await db.transaction(async (tx) => {
    const { id, role, status } = await insertActive(tx, { ...account, role: 'admin' }, passwordHash);
    const changes: Changes = { role: [null, role], status: [null, status] };
    await record(tx, { type: 'user.created', at: new Date(), actorId: null, userId: id, changes });
  });
}

/** Makes the administrator of ADMIN_EMAIL at a start that finds none. */
export async function ensureFirstAdmin(db: Db, config: Config): Promise<boolean> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (!email || !password || (await hasAdmin(db))) return false;
  if (await isCommon(password, email)) throw new Error('ADMIN_PASSWORD is too common: please choose another one');
  await createAdmin(db, { name: 'Administrator', email: email.toLowerCase(), password });
  return true;
}

export { findUser } from './queries.ts';

export const hasUsers = async (db: Db): Promise<boolean> => (await db.query('select from users limit 1')).length > 0;
