import { createHash, randomBytes } from 'node:crypto';
import type { ResetLink } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { networkOf } from '../platform/addresses.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { hashPassword } from '../platform/passwords.ts';
import type { Actor } from '../platform/sessions.ts';
import {
  findPasswordReset,
  findUserByEmail,
  lockUser,
  setPasswordHash,
  setPasswordReset,
  setPasswordResetRequested,
  takePasswordReset,
} from './queries.ts';
import { changeRights, grantedBy, lacking } from './rights.ts';
import { endSessions, passwordChanged } from './service.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Takes note that somebody forgot a password. The same statements run for a known and for an unknown address; what is done
 * about it is a job, so neither the answer nor its time tells which it was.
 */
export async function forgotPassword(ctx: Ctx, email: string, address: string): Promise<{ message: string }> {
  await ctx.rateLimits.take('forgot', networkOf(address));
  const user = await findUserByEmail(ctx.db, email);
  await ctx.db.transaction((tx) => tx.enqueue('request-password-reset', { userId: user?.id ?? null }));
  return {
    message: 'If there is an account with this email address, an administrator has been asked to send you a link.',
  };
}

/**
 * The job behind `forgotPassword`, for nobody (null) as well. Here a mail with a link will leave once there is a transport;
 * until then administrators see who waits, and hand the link out.
 */
export async function requestPasswordReset(ctx: Pick<Ctx, 'db' | 'now'>, userId: string | null): Promise<void> {
  if (userId === null) return;
  await ctx.db.transaction(async (tx) => {
    if (!(await setPasswordResetRequested(tx, userId))) return;
    await record(tx, { type: 'password.reset-requested', at: ctx.now(), actorId: null, userId });
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: null, userId });
  });
}

/**
 * A link that sets a new password, good for an hour and for once. Whoever holds it becomes that user, so nobody gets one for
 * an account that can do more than they can.
 *
 * @param origin where people reach the product
 */
export async function createResetLink(ctx: Ctx, actor: Actor, id: string, origin: string): Promise<ResetLink> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    if (lacking(grantedBy(user), held).length > 0) throw forbidden();
    await record(tx, { type: 'password.link-made', at: ctx.now(), actorId: actor.id, userId: id });
    return setPasswordReset(tx, id, hashOf(token));
  });
  // In the fragment it stays in the browser: no server, log or Referer gets to see it.
  return { url: `${origin}/reset#token=${token}`, expiresAt: expiresAt.toISOString() };
}

/** Sets the password of whoever the link was made for, once, and ends every session of theirs. */
export async function resetPassword(ctx: Ctx, token: string, password: string, address: string): Promise<void> {
  await ctx.rateLimits.take('reset', networkOf(address));
  const tokenHash = hashOf(token);
  // Before the costly hash: guesses get no work out of the server.
  if (!(await findPasswordReset(ctx.db, tokenHash))) throw linkGone();
  const passwordHash = await hashPassword(password);
  await ctx.db.transaction(async (tx) => {
    const userId = await takePasswordReset(tx, tokenHash);
    if (!userId || !(await setPasswordHash(tx, userId, passwordHash, null))) throw linkGone();
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: userId, userId, changes: passwordChanged });
    await endSessions(ctx, tx, userId, {});
  });
}

const linkGone = () => invalid({ token: 'This link has expired or has been used already. Please ask for a new one.' });
