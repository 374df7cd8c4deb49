import {
  isOnTheRoad,
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
import { record, recordAll } from '../events/record.ts';
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
  findReturning,
  findUserByEmail,
  hasAdmin,
  insertUser,
  lockActiveUser,
  lockActiveUsers,
  lockUser,
  listUsersWith,
  listSessions,
  setLastLogin,
  setPasswordHash,
  setProfile,
  type SessionRow,
  type UserRow,
} from './queries.ts';
import { isCommonPassword, rejectCommonPassword } from './common-passwords.ts';
import { consumeCode } from './second-factor.ts';
import { isAdminWithoutSecondFactor, openSession } from './sessions.ts';
import { recordKnownAddress, throttleAttempt } from './sign-in-attempts.ts';

/** Implemented by the deliveries and injected here: they depend on accounts, not the other way round. */
export interface CarriedDeliveries {
  /** Takes all deliveries under way from a driver: back to pending, or to another driver. */
  handOver(
    ctx: Pick<Ctx, 'now'>,
    tx: Tx,
    actorId: string,
    driverId: string,
    to: Exclude<DeliveriesInput, 'keep'>,
  ): Promise<void>;
  /** Notifies owners of packages that remain with a driver who can no longer deliver. */
  strand(ctx: Pick<Ctx, 'now'>, tx: Tx, actorId: string, driverId: string): Promise<void>;
  /** Notifies them that this driver can deliver again. */
  resume(ctx: Pick<Ctx, 'now'>, tx: Tx, actorId: string, driverId: string): Promise<void>;
}

interface Caller {
  address: string;
  /** Whether the request was made on this machine. */
  isLocal: boolean;
  userAgent: string | undefined;
  /** That the request prefers; null if it names none. */
  language: string | null;
}

export type SignUpPolicies = Record<Role, SignUpPolicy>;

/**
 * The sign-up policy by role: `open`, `approval` (by an administrator) or `closed`. A policy that is open only by default applies to
 * requests from this machine: a request from elsewhere shows that others can reach the server after all, and needs approval.
 */
export async function signUpPolicy(
  { settings }: Pick<Ctx, 'settings'>,
  { isLocal }: Pick<Caller, 'isLocal'>,
): Promise<SignUpPolicies> {
  const { driverSignUp, adminSignUp, openByDefault } = await settings.find();
  const policyFor = (name: SettingName, policy: SignUpPolicy) =>
    !isLocal && openByDefault.includes(name) ? 'approval' : policy;
  return {
    owner: 'open',
    driver: policyFor('driverSignUp', driverSignUp),
    admin: policyFor('adminSignUp', adminSignUp),
  };
}

/**
 * Creates an account by self-registration, and signs it in. It is inactive where the sign-up policy requires approval.
 * @throws sign_up_closed, email_taken, too_many_requests; invalid for a common password
 */
export async function register(
  ctx: Ctx,
  input: { name: string; email: string; password: string; role: Role },
  caller: Caller,
): Promise<SignedIn> {
  if (ctx.config.onlyLocal && !caller.isLocal) {
    ctx.log.warn(
      'somebody registered under another host name or through a proxy, though HOST, TRUST_PROXY and PUBLIC_URL say that only this ' +
        'machine reaches the server: set PUBLIC_URL, and TRUST_PROXY to the address of the proxy',
    );
  }
  const policy = (await signUpPolicy(ctx, caller))[input.role];
  if (policy === 'closed') throw new AppError('sign_up_closed', `Registration as ${input.role} is closed.`);
  await rejectCommonPassword(input.password, input.email);
  if (!(ctx.config.onlyLocal && caller.isLocal && ctx.config.DEMO))
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
    const ofThemselves = { at: ctx.now(), actorId: user.id, userId: user.id };
    if (policy === 'approval') await record(tx, { type: 'account.waiting', ...ofThemselves });
    if (ctx.config.SMTP_URL) await record(tx, { type: 'account.registered', ...ofThemselves });
    return signIn(ctx, tx, user, caller);
  });
}

export const emailTaken = () => {
  const message = 'This email address is already registered';
  return new AppError('email_taken', message, { fields: { email: message } });
};

/** More than a user has devices; bounds the sessions that a stolen password can create. */
const maxSessions = 50;

/** Opens a session, unless the password has changed since it was checked: that change has ended all sessions. */
async function signIn(
  ctx: Ctx,
  tx: Tx,
  { id, password_hash: passwordHash }: UserRow,
  caller: Caller,
): Promise<SignedIn> {
  const at = ctx.now();
  const user = await setLastLogin(tx, id, passwordHash, caller.language);
  if (!user) throw invalidCredentials();
  const token = await openSession(tx, { ...asHolder(user), id }, caller);
  const unfamiliar = await recordKnownAddress(tx, id, caller.address, at);
  if (unfamiliar) await record(tx, { type: 'session.unfamiliar', at, actorId: id, userId: id });
  await record(tx, { type: 'session.started', at, actorId: id, userId: id });
  const displaced = await deleteIdleSessions(tx, id, maxSessions);
  for (const sessionId of displaced)
    await record(tx, { type: 'session.ended', at, actorId: id, userId: id, sessionId });
  if (displaced.length > 0) await record(tx, { type: 'sessions.displaced', at, actorId: id, userId: id });
  return { ...asUser(user), ...(await secondFactorRequirement(ctx, user)), token };
}

/** Whether the user must set up a second factor, for the page to redirect there. */
async function secondFactorRequirement({ settings }: Ctx, row: UserRow): Promise<{ mustSetUpSecondFactor?: true }> {
  const isAffected = isAdminWithoutSecondFactor({
    role: row.role,
    permissions: effectivePermissions(asHolder(row)),
    secondFactor: row.second_factor,
  });
  return isAffected && (await settings.find()).adminTotp === 'required' ? { mustSetUpSecondFactor: true } : {};
}

const invalidCredentials = () => new AppError('invalid_credentials', messages.invalidCredentials);

/**
 * Signs in with password and, for accounts with a second factor, a TOTP or recovery code.
 * @throws invalid_credentials, totp_required, totp_wrong, too_many_requests
 */
export async function login(
  ctx: Ctx,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
  caller: Caller,
): Promise<SignedIn> {
  const found = await findUserByEmail(ctx.db, email);
  let refusal = invalidCredentials();
  let finished = true;
  await throttleAttempt(
    ctx,
    { email, userId: found?.id ?? null, address: caller.address },
    async () => {
      const isValid = await verifyPassword(found?.password_hash ?? null, password, networkOf(caller.address));
      if (!found || !isValid) return 'wrong';
      if (!found.second_factor) return 'right';
      finished = code !== undefined;
      if (code === undefined) return 'unfinished';
      refusal = new AppError('totp_wrong', messages.totpWrong);
      return (await consumeCode(ctx, found.id, code)) ? 'right' : 'wrong';
    },
    () => {
      auditRefusal(ctx, found?.id ?? null);
      return refusal;
    },
  );
  if (!finished) throw new AppError('totp_required', messages.totpRequired);
  if (!found) throw invalidCredentials();
  return ctx.db.transaction((tx) => signIn(ctx, tx, found, caller));
}

/**
 * Not awaited, against a timing side channel: the first refusal of an account in a minute takes more work than one of an unknown email
 * address. Unknown addresses share one counter, since an attacker can make up any number of them.
 */
function auditRefusal(ctx: Ctx, userId: string | null): void {
  const refused = { act: 'session.refused', actorId: null, subjectId: userId } as const;
  auditCounted(ctx.db, refused, 'minute', userId ?? 'nobody').catch((error: unknown) =>
    ctx.log.error({ reason: String(error) }, 'a refused sign-in could not be written down'),
  );
}

export async function logout(ctx: Ctx, actor: Actor): Promise<void> {
  await ctx.db.transaction((tx) => endAndAudit(ctx, tx, actor, actor.sessionId));
}

/** Ends one of the caller's own sessions and audits it. @returns 0 when it is not the caller's */
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

/** The account with the permissions of this session, which may lack those granted after it was opened. */
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
    ...(await secondFactorRequirement(ctx, row)),
  };
}

export async function updateProfile(ctx: Ctx, actor: Actor, profile: ProfileInput): Promise<User> {
  const attachedTo = `user:${actor.id}` as const;
  const sent = profile.profilePicture;
  const picture = sent && (await processUpload(ctx, actor, sent, 'profiles', attachedTo, 'profilePicture'));
  return ctx.db.transaction(async (tx) => {
    const before = await lockUser(tx, actor.id);
    const user = await setProfile(tx, actor.id, profile, picture);
    if (!before || !user) throw notFound('account');
    if (picture !== undefined) await attachImages(tx, actor, attachedTo, picture ? [picture] : []);
    // Events are never deleted: record none if nothing changed.
    if (!isDeepStrictEqual({ ...asUser(before), updatedAt: null }, { ...asUser(user), updatedAt: null }))
      await record(tx, { type: 'user.changed', at: ctx.now(), actorId: actor.id, userId: actor.id });
    if (!isDeepStrictEqual(asUser(before).returnAddress, asUser(user).returnAddress)) await moveReturns(ctx, tx, user);
    return asUser(user);
  });
}

/**
 * What goes back to this owner goes to the return address that the profile has now, also on the road: the screens of all who see it show it.
 * @throws illegal_step for an address that is taken away while a driver is on the way to it
 */
async function moveReturns(ctx: Pick<Ctx, 'now'>, tx: Tx, owner: UserRow): Promise<void> {
  const returning = await findReturning(tx, owner.id);
  if (asUser(owner).returnAddress === null && returning.some(({ status }) => isOnTheRoad(status)))
    throw new AppError(
      'illegal_step',
      'A driver is on the way back to you. Please change this address instead of removing it.',
    );
  if (returning.length === 0) return;
  await recordAll(
    tx,
    returning.map(({ id, owner_id: ownerId, driver_id: driverId, status, location }) => ({
      type: 'package.located' as const,
      at: ctx.now(),
      actorId: owner.id,
      packageId: id,
      ownerId,
      driverId,
      status,
      location,
    })),
  );
}

/** Records that the password changed, without old or new value. */
export const passwordChanged: Changes = { password: ['hidden', 'hidden'] };

/** Changes the caller's own password and ends all their other sessions. */
export async function changePassword(
  ctx: Ctx,
  actor: Actor,
  current: string,
  next: string,
  caller: Caller,
): Promise<void> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  await throttleAttempt(
    ctx,
    { email: user.email, userId: user.id, address: caller.address },
    async () => ((await verifyPassword(user.password_hash, current, networkOf(caller.address))) ? 'right' : 'wrong'),
    notCurrent,
  );
  if (user.must_change_password && next === current) throw invalid({ newPassword: 'Please choose another password' });
  await rejectCommonPassword(next, user.email, 'newPassword');
  const passwordHash = await hashPassword(next, networkOf(caller.address));
  await ctx.db.transaction(async (tx) => {
    // Optimistic lock: the password may have been replaced meanwhile, for example to lock out a thief who is calling here.
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
    // Streams of the remaining session end too, and reconnect by themselves: this makes every listener present its token again.
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
 * Locks an active user against a race with a suspension or deletion: a concurrent one waits until the transaction ends.
 * @throws not_active when the suspension or deletion was first
 */
export async function requireActive(tx: Tx, id: string): Promise<void> {
  if (!(await lockActiveUser(tx, id))) throw notActive();
}

/** Returns which of these accounts are active, with their rows locked; without those that another transaction has locked. */
export const whichAreActive = (tx: Tx, ids: string[]): Promise<Set<string>> => lockActiveUsers(tx, ids);

/** The IDs of active users who effectively have this permission. */
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

/** Inserts an active account. @throws conflict when the address is taken */
export async function insertActive(
  tx: Tx,
  { name, email, role }: Omit<NewAccount, 'password'>,
  passwordHash: string,
): Promise<UserRow> {
  const user = await insertUser(tx, { id: uuid(), name, email, passwordHash, role, status: 'active' });
  if (!user) throw emailTaken();
  return user;
}

/** Creates an active account without a session, for demo data. */
export async function createAccount(db: Db, account: NewAccount): Promise<User> {
  const passwordHash = await hashPassword(account.password);
  return db.transaction(async (tx) => asUser(await insertActive(tx, account, passwordHash)));
}

/** Creates an active administrator from the command line or ADMIN_EMAIL. The audit entry has no actor. */
export async function createAdmin(db: Db, account: Omit<NewAccount, 'role'>): Promise<void> {
  await rejectCommonPassword(account.password, account.email);
  const passwordHash = await hashPassword(account.password);
  await db.transaction(async (tx) => {
    const { id, role, status } = await insertActive(tx, { ...account, role: 'admin' }, passwordHash);
    const changes: Changes = { role: [null, role], status: [null, status] };
    await record(tx, { type: 'user.created', at: new Date(), actorId: null, userId: id, changes });
  });
}

/** On start-up, creates the administrator of ADMIN_EMAIL if there is none. @returns whether it was created */
export async function ensureFirstAdmin(db: Db, config: Config): Promise<boolean> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (!email || !password || (await hasAdmin(db))) return false;
  if (await isCommonPassword(password, email))
    throw new Error('ADMIN_PASSWORD is too common: please choose another one');
  await createAdmin(db, { name: 'Administrator', email: email.toLowerCase(), password });
  return true;
}

export { findUser } from './queries.ts';

export const hasUsers = async (db: Db): Promise<boolean> => (await db.query('select from users limit 1')).length > 0;
