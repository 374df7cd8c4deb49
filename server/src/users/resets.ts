import { createHash, randomBytes } from 'node:crypto';
import { effectivePermissions, type ResetLink } from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { currentOrigin, type Origin } from '../platform/origin/request-origin.ts';
import { hashPassword } from '../platform/auth/passwords.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { refuseCommon } from './common-passwords.ts';
import {
  asHolder,
  findPasswordReset,
  findUser,
  findUserByEmail,
  lockUser,
  setPasswordHash,
  setPasswordReset,
  setPasswordResetRequested,
  takePasswordReset,
  type UserRow,
} from './queries.ts';
import { changeRights, grantedBy, lacking, refuseGreater } from './rights.ts';
import { endSessions, passwordChanged } from './service.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Takes note that somebody forgot a password. The same statements run for a known and for an unknown address; what is done
 * about it is a job, so neither the answer nor its time tells which it was.
 */
export async function forgotPassword(ctx: Ctx, email: string, address: string): Promise<{ message: string }> {
  await ctx.rateLimits.take('forgot', networkOf(address));
  const user = await findUserByEmail(ctx.db, email);
  await ctx.db.transaction((tx) =>
    tx.enqueue('request-password-reset', { userId: user?.id ?? null, origin: currentOrigin() }),
  );
  return {
    message: 'If there is an account with this email address, an administrator has been asked to send you a link.',
  };
}

/**
 * The job behind `forgotPassword`, for nobody (null) as well. Here a mail with a link will leave once there is a transport;
 * until then administrators see who waits, and hand the link out.
 */
export async function requestPasswordReset(
  ctx: Pick<Ctx, 'db' | 'now'>,
  userId: string | null,
  origin: Origin | null,
): Promise<void> {
  if (userId === null) return;
  await ctx.db.transaction(async (tx) => {
    if (!(await setPasswordResetRequested(tx, userId))) return;
    await record(tx, { type: 'password.reset-requested', at: ctx.now(), actorId: null, userId });
    await audit(tx, { act: 'password.reset-requested', actorId: null, subjectId: userId, origin });
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: null, userId });
  });
}

/**
 * A link that sets a new password, good for an hour and for once. Whoever holds it becomes that user, so nobody gets one for
 * an account that can do more than they can, and it ends with any change of what the account can do.
 *
 * @param origin where people reach the product; null: not known
 */
export async function createResetLink(ctx: Ctx, actor: Actor, id: string, origin: string | null): Promise<ResetLink> {
  if (origin === null)
    throw new AppError('public_url_missing', 'No link can be made: PUBLIC_URL is not set on the server.');
  const token = randomBytes(32).toString('base64url');
  const expiresAt = await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    refuseGreater(actor, user, held);
    await record(tx, { type: 'password.link-made', at: ctx.now(), actorId: actor.id, userId: id });
    return setPasswordReset(tx, id, hashOf(token), actor.id);
  });
  // In the fragment it stays in the browser: no server, log or Referer gets to see it.
  return { url: `${origin}/reset#token=${token}`, expiresAt: expiresAt.toISOString() };
}

/** Sets the password of whoever the link was made for, once, and ends every session of theirs. */
export async function resetPassword(ctx: Ctx, token: string, password: string, address: string): Promise<void> {
  await ctx.rateLimits.take('reset', networkOf(address));
  const tokenHash = hashOf(token);
  // Before the costly hash: guesses get no work out of the server.
  const whose = await findPasswordReset(ctx.db, tokenHash);
  if (!whose) throw linkGone();
  await refuseCommon(password, (await findUser(ctx.db, whose))?.email ?? '');
  const passwordHash = await hashPassword(password, networkOf(address));
  await ctx.db.transaction(async (tx) => {
    // The account first, as changes of rights do: these end the link, and neither waits for the other in a circle.
    const userId = await findPasswordReset(tx, tokenHash);
    const user = userId && (await lockUser(tx, userId));
    const madeBy = user && (await takePasswordReset(tx, tokenHash));
    if (!userId || !madeBy || !(await couldMake(tx, madeBy, user))) throw linkGone();
    await setPasswordHash(tx, userId, passwordHash, null);
    await audit(tx, { act: 'password.link-used', actorId: userId, subjectId: userId });
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: userId, userId, changes: passwordChanged });
    await record(tx, { type: 'password.changed', at: ctx.now(), actorId: userId, userId });
    await endSessions(ctx, tx, userId, {});
  });
}

/** Whether somebody could make a link for this account now. */
async function couldMake(tx: Tx, makerId: string, user: UserRow): Promise<boolean> {
  const maker = await findUser(tx, makerId);
  const held = maker ? effectivePermissions(asHolder(maker)) : [];
  return held.includes('users.update') && lacking(grantedBy(user), held).length === 0;
}

const linkGone = () => invalid({ token: 'This link has expired or has been used already. Please ask for a new one.' });
