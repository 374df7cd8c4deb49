import { randomBytes } from 'node:crypto';
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
import { rejectCommonPassword } from './common-passwords.ts';
import { hashOfToken, mailedToken, mailsLinks } from './mailed-links.ts';
import {
  asHolder,
  findPasswordReset,
  findUser,
  findUserByEmail,
  lockUser,
  setPasswordHash,
  setPasswordReset,
  setPasswordResetRequested,
  consumePasswordReset,
  type UserRow,
} from './queries.ts';
import { assertCanManage, changeRights, elevatedPermissions, missingFrom } from './rights.ts';
import { endSessions, passwordChanged } from './service.ts';

/**
 * Requests a password reset. Runs the same statements for known and unknown email addresses and leaves the work to a job, so that
 * neither the answer nor its timing reveals whether the account exists.
 */
export async function forgotPassword(ctx: Ctx, email: string, address: string): Promise<{ message: string }> {
  await ctx.rateLimits.take('forgot', networkOf(address));
  const user = await findUserByEmail(ctx.db, email);
  await ctx.db.transaction((tx) =>
    tx.enqueue([{ name: 'request-password-reset', payload: { userId: user?.id ?? null, origin: currentOrigin() } }]),
  );
  return {
    message: mailsLinks(ctx.config)
      ? 'If there is an account with this email address, we have sent it a link.'
      : 'If there is an account with this email address, an administrator has been asked to send you a link.',
  };
}

/** Another email with a link is sent no sooner. */
const mailAgainMinutes = 5;

/**
 * The job behind `forgotPassword`: sends a link by email. Where that is not set up, administrators see the request and hand out the link.
 * @param userId null for an unknown email address
 */
export async function requestPasswordReset(
  ctx: Pick<Ctx, 'config' | 'db' | 'now' | 'urlKey'>,
  userId: string | null,
  origin: Origin | null,
): Promise<void> {
  if (userId === null) return;
  await ctx.db.transaction(async (tx) => {
    const mailed = mailsLinks(ctx.config);
    if (!(await setPasswordResetRequested(tx, userId, mailed ? mailAgainMinutes : 60))) return;
    const at = ctx.now();
    if (mailed) {
      await setPasswordReset(tx, userId, hashOfToken(mailedToken(ctx, userId, at)), userId);
      await record(tx, { type: 'password.link-sent', at, actorId: null, userId });
    } else {
      await record(tx, { type: 'password.reset-requested', at, actorId: null, userId });
    }
    await audit(tx, { act: 'password.reset-requested', actorId: null, subjectId: userId, origin });
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: null, userId });
  });
}

/**
 * Creates a reset link: valid once, for an hour. Its holder can sign in as that user, so callers get no link for an account with more
 * permissions than they have, and any change of the account's permissions invalidates it.
 *
 * @param origin the public origin of the product; null when unknown
 */
export async function createResetLink(ctx: Ctx, actor: Actor, id: string, origin: string | null): Promise<ResetLink> {
  if (origin === null)
    throw new AppError('public_url_missing', 'No link can be made: PUBLIC_URL is not set on the server.');
  const token = randomBytes(32).toString('base64url');
  const expiresAt = await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    assertCanManage(actor, user, held);
    await record(tx, { type: 'password.link-made', at: ctx.now(), actorId: actor.id, userId: id });
    return setPasswordReset(tx, id, hashOfToken(token), actor.id);
  });
  // The fragment stays in the browser: the token is in no request, log or Referer header.
  return { url: `${origin}/reset#token=${token}`, expiresAt: expiresAt.toISOString() };
}

/** Sets the password of the link's user, once, and ends all their sessions. @throws invalid when the link is no longer valid */
export async function resetPassword(ctx: Ctx, token: string, password: string, address: string): Promise<void> {
  await ctx.rateLimits.take('reset', networkOf(address));
  const tokenHash = hashOfToken(token);
  // Check the token before the expensive hashing, so that guesses cost the server little.
  const linkUserId = await findPasswordReset(ctx.db, tokenHash);
  if (!linkUserId) throw linkExpired();
  await rejectCommonPassword(password, (await findUser(ctx.db, linkUserId))?.email ?? '');
  const passwordHash = await hashPassword(password, networkOf(address));
  await ctx.db.transaction(async (tx) => {
    // Lock the account before the link, in the same order as changes of rights, which delete links: the other order could deadlock.
    const userId = await findPasswordReset(tx, tokenHash);
    const user = userId && (await lockUser(tx, userId));
    const madeBy = user && (await consumePasswordReset(tx, tokenHash));
    if (!userId || !madeBy || !(await mayCreateLink(tx, madeBy, user))) throw linkExpired();
    await setPasswordHash(tx, userId, passwordHash, null);
    await audit(tx, { act: 'password.link-used', actorId: userId, subjectId: userId });
    await record(tx, { type: 'user.changed', at: ctx.now(), actorId: userId, userId, changes: passwordChanged });
    await record(tx, { type: 'password.changed', at: ctx.now(), actorId: userId, userId });
    await endSessions(ctx, tx, userId, {});
  });
}

/** Whether the maker would still be allowed to create a link for this account now. One that was sent by email is the user's own. */
async function mayCreateLink(tx: Tx, makerId: string, user: UserRow): Promise<boolean> {
  if (makerId === user.id) return true;
  const maker = await findUser(tx, makerId);
  const held = maker ? effectivePermissions(asHolder(maker)) : [];
  return held.includes('users.update') && missingFrom(held, elevatedPermissions(user)).length === 0;
}

const linkExpired = () =>
  invalid({ token: 'This link has expired or has been used already. Please ask for a new one.' });
