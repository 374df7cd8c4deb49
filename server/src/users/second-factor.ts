import { createHash } from 'node:crypto';
import type { RecoveryCodes, TotpSecret } from '@waybill/contract';
import { Secret, TOTP } from 'otpauth';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Db, Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { generatePassword, verifyPassword } from '../platform/auth/passwords.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { findUser, findUserByEmail, lockUser, setSecondFactor, type UserRow } from './queries.ts';
import { assertCanManage, changeRights } from './rights.ts';
import { throttleAttempt } from './sign-in-attempts.ts';

// The parameters that every authenticator app supports (RFC 6238): SHA-1, 6 digits, 30 seconds.
const stepSeconds = 30;
const totpOf = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: stepSeconds, secret: Secret.fromBase32(secret) });

/** Generates a new TOTP secret for the caller. It is not required at sign-in before `confirmTotp`. */
export async function startTotp(ctx: Ctx, actor: Actor): Promise<TotpSecret> {
  const secret = new Secret({ size: 20 }).base32;
  const { organisationName } = await ctx.settings.find();
  return ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.id);
    if (!user) throw notFound('account');
    if (user.second_factor) throw alreadySetUp();
    await tx.query(
      `insert into second_factors (user_id, secret) values ($1, $2)
       on conflict (user_id) do update set secret = excluded.secret, confirmed_at = null, last_step = 0`,
      [actor.id, secret],
    );
    return { secret, url: totpOf(secret, organisationName, user.email).toString() };
  });
}

const alreadySetUp = () => new AppError('conflict', 'A second factor is set up already');
const notSetUp = () => new AppError('conflict', 'No second factor is being set up');
const wrongCode = () => invalid({ code: 'This code is not right. Please try again.' });

/** Enables the second factor: from now on signing in requires a code. @returns the recovery codes */
export async function confirmTotp(ctx: Ctx, actor: Actor, code: string, address: string): Promise<RecoveryCodes> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  if (user.second_factor) throw alreadySetUp();
  await throttleAttempt(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => ((await consumeTotp(ctx, user.id, code)) ? 'right' : 'wrong'),
    wrongCode,
  );
  return ctx.db.transaction(async (tx) => {
    if ((await lockUser(tx, actor.id))?.second_factor !== false) throw alreadySetUp();
    const confirmed = await tx.query(
      'update second_factors set confirmed_at = $2 where user_id = $1 and last_step > 0 returning 1',
      [actor.id, ctx.now()],
    );
    if (confirmed.length === 0) throw notSetUp();
    await setSecondFactor(tx, actor.id, true);
    await record(tx, { type: 'second-factor.enabled', at: ctx.now(), actorId: actor.id, userId: actor.id });
    await recordUserChanged(ctx, tx, actor.id, actor.id);
    return { recoveryCodes: await generateRecoveryCodes(tx, actor.id) };
  });
}

/** Forgets a secret that is not confirmed. */
export async function cancelTotp(ctx: Ctx, actor: Actor): Promise<void> {
  await ctx.db.query('delete from second_factors where user_id = $1 and confirmed_at is null', [actor.id]);
}

/** Cached sessions hold whether their user has a second factor: this event invalidates them. */
const recordUserChanged = (ctx: Pick<Ctx, 'now'>, tx: Tx, actorId: string | null, userId: string) =>
  record(tx, { type: 'user.changed', at: ctx.now(), actorId, userId });

interface Credentials {
  password: string;
  code: string;
}

/** Checks password and code of the caller. @throws too_many_requests; invalid for the wrong one of the two */
async function reauthenticate(
  ctx: Ctx,
  actor: Actor,
  { password, code }: Credentials,
  address: string,
): Promise<UserRow> {
  const user = await findUser(ctx.db, actor.id);
  if (!user?.second_factor) throw notSetUp();
  let refusal = wrongPassword();
  await throttleAttempt(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => {
      if (!(await verifyPassword(user.password_hash, password, networkOf(address)))) return 'wrong';
      refusal = wrongCode();
      return (await consumeCode(ctx, user.id, code)) ? 'right' : 'wrong';
    },
    () => refusal,
  );
  return user;
}

export const wrongPassword = () => invalid({ password: 'The password is not right' });

export async function removeTotp(ctx: Ctx, actor: Actor, credentials: Credentials, address: string): Promise<void> {
  await reauthenticate(ctx, actor, credentials, address);
  await ctx.db.transaction((tx) => removeSecondFactor(ctx, tx, actor.id, actor.id));
}

/** Removes the second factor of another user, who has lost phone and recovery codes. */
export async function removeTotpOf(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    assertCanManage(actor, user, held);
    if (user.second_factor) await removeSecondFactor(ctx, tx, actor.id, id);
  });
}

/** Removes the second factor from the command line. @returns whether there was one */
export async function removeTotpByEmail(db: Db, email: string): Promise<boolean> {
  const user = await findUserByEmail(db, email.toLowerCase());
  if (!user) throw notFound('user');
  if (!user.second_factor) return false;
  await db.transaction((tx) => removeSecondFactor({ now: () => new Date() }, tx, null, user.id));
  return true;
}

async function removeSecondFactor(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actorId: string | null,
  userId: string,
): Promise<void> {
  await tx.query('delete from second_factors where user_id = $1', [userId]);
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await setSecondFactor(tx, userId, false);
  await record(tx, { type: 'second-factor.removed', at: ctx.now(), actorId, userId });
  await recordUserChanged(ctx, tx, actorId, userId);
}

export async function makeRecoveryCodes(
  ctx: Ctx,
  actor: Actor,
  credentials: Credentials,
  address: string,
): Promise<RecoveryCodes> {
  await reauthenticate(ctx, actor, credentials, address);
  return ctx.db.transaction(async (tx) => {
    await record(tx, { type: 'recovery-codes.made', at: ctx.now(), actorId: actor.id, userId: actor.id });
    return { recoveryCodes: await generateRecoveryCodes(tx, actor.id) };
  });
}

const hashOf = (code: string) => createHash('sha256').update(code).digest();

/** Replaces the recovery codes by ten new ones. Each has 79 random bits, enough to be stored as a fast hash. */
async function generateRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: 10 }, generatePassword);
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await tx.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::bytea[])', [
    userId,
    codes.map((code) => hashOf(normalize(code))),
  ]);
  return codes;
}

const normalize = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();
const isTotp = (code: string) => /^\d{6}$/.test(code);

/** Whether a TOTP code or a recovery code is right. A right one cannot be used again. */
export async function consumeCode(ctx: Pick<Ctx, 'db' | 'now'>, userId: string, code: string): Promise<boolean> {
  if (isTotp(normalize(code))) return consumeTotp(ctx, userId, code);
  const used = await ctx.db.query('delete from recovery_codes where user_id = $1 and hash = $2 returning 1', [
    userId,
    hashOf(normalize(code)),
  ]);
  return used.length > 0;
}

/** Accepts one step (30 s) early or late, for clock skew and typing time. */
async function consumeTotp({ db, now }: { db: Queryable; now: Ctx['now'] }, userId: string, code: string) {
  const [row] = await db.query<{ secret: string }>('select secret from second_factors where user_id = $1', [userId]);
  if (!row) throw notSetUp();
  // The library throws when six characters are more than six bytes.
  if (!isTotp(normalize(code))) return false;
  const timestamp = now().getTime();
  const delta = totpOf(row.secret).validate({ token: normalize(code), timestamp, window: 1 });
  if (delta === null) return false;
  // Prevent replay: `last_step` only grows, so each code is accepted once and no older one after it.
  const accepted = await db.query(
    'update second_factors set last_step = $2 where user_id = $1 and last_step < $2 returning 1',
    [userId, Math.floor(timestamp / 1000 / stepSeconds) + delta],
  );
  return accepted.length > 0;
}

/** Reauthenticates by password, for endpoints that require one given within the last 15 minutes. */
export async function confirmPassword(ctx: Ctx, actor: Actor, password: string, address: string): Promise<void> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  await throttleAttempt(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => ((await verifyPassword(user.password_hash, password, networkOf(address))) ? 'right' : 'wrong'),
    wrongPassword,
  );
  await ctx.db.query('update sessions set proved_at = now() where id = $1', [actor.sessionId]);
}
