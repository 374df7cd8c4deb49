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
import { changeRights, refuseGreater } from './rights.ts';
import { trySecret } from './sign-in-attempts.ts';

// What every authenticator app knows, RFC 6238: SHA-1, 6 digits, 30 seconds.
const stepSeconds = 30;
const totpOf = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: stepSeconds, secret: Secret.fromBase32(secret) });

/** Draws a new secret for the caller. Until it is confirmed nothing changes. */
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

/** From now on signing in asks for a code. */
export async function confirmTotp(ctx: Ctx, actor: Actor, code: string, address: string): Promise<RecoveryCodes> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  if (user.second_factor) throw alreadySetUp();
  await trySecret(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => ((await takeTotp(ctx, user.id, code)) ? 'right' : 'wrong'),
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
    await changed(ctx, tx, actor.id, actor.id);
    return { recoveryCodes: await generateRecoveryCodes(tx, actor.id) };
  });
}

/** Sessions know whether their user has a second factor. */
const changed = (ctx: Pick<Ctx, 'now'>, tx: Tx, actorId: string | null, userId: string) =>
  record(tx, { type: 'user.changed', at: ctx.now(), actorId, userId });

interface Proof {
  password: string;
  code: string;
}

/** @throws too_many_requests, and invalid with what is wrong of the two */
async function requireProof(ctx: Ctx, actor: Actor, { password, code }: Proof, address: string): Promise<UserRow> {
  const user = await findUser(ctx.db, actor.id);
  if (!user?.second_factor) throw notSetUp();
  let fault = wrongPassword();
  await trySecret(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => {
      if (!(await verifyPassword(user.password_hash, password, networkOf(address)))) return 'wrong';
      fault = wrongCode();
      return (await takeCode(ctx, user.id, code)) ? 'right' : 'wrong';
    },
    () => fault,
  );
  return user;
}

export const wrongPassword = () => invalid({ password: 'The password is not right' });

export async function removeTotp(ctx: Ctx, actor: Actor, proof: Proof, address: string): Promise<void> {
  await requireProof(ctx, actor, proof, address);
  await ctx.db.transaction((tx) => removeSecondFactor(ctx, tx, actor.id, actor.id));
}

/** For whoever has lost phone and recovery codes. */
export async function removeTotpOf(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    refuseGreater(actor, user, held);
    if (user.second_factor) await removeSecondFactor(ctx, tx, actor.id, id);
  });
}

/** By the command line. @returns whether there was one */
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
  await changed(ctx, tx, actorId, userId);
}

export async function makeRecoveryCodes(ctx: Ctx, actor: Actor, proof: Proof, address: string): Promise<RecoveryCodes> {
  await requireProof(ctx, actor, proof, address);
  return ctx.db.transaction(async (tx) => {
    await record(tx, { type: 'recovery-codes.made', at: ctx.now(), actorId: actor.id, userId: actor.id });
    return { recoveryCodes: await generateRecoveryCodes(tx, actor.id) };
  });
}

const hashOf = (code: string) => createHash('sha256').update(code).digest();

/** Ten, each of 79 random bits: so many that a fast hash keeps them. */
async function generateRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: 10 }, generatePassword);
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await tx.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::bytea[])', [
    userId,
    codes.map((code) => hashOf(plain(code))),
  ]);
  return codes;
}

const plain = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();
const isTotp = (code: string) => /^\d{6}$/.test(code);

/** Whether a code of the app or a recovery code is right. It is used up by that. */
export async function takeCode(ctx: Pick<Ctx, 'db' | 'now'>, userId: string, code: string): Promise<boolean> {
  if (isTotp(plain(code))) return takeTotp(ctx, userId, code);
  const used = await ctx.db.query('delete from recovery_codes where user_id = $1 and hash = $2 returning 1', [
    userId,
    hashOf(plain(code)),
  ]);
  return used.length > 0;
}

/** One step early or late is right too: clocks differ, and people type. */
async function takeTotp({ db, now }: { db: Queryable; now: Ctx['now'] }, userId: string, code: string) {
  const [row] = await db.query<{ secret: string }>('select secret from second_factors where user_id = $1', [userId]);
  if (!row) throw notSetUp();
  // The library throws where six characters are more than six bytes.
  if (!isTotp(plain(code))) return false;
  const timestamp = now().getTime();
  const delta = totpOf(row.secret).validate({ token: plain(code), timestamp, window: 1 });
  if (delta === null) return false;
  // Whoever looked over a shoulder comes too late: in these seconds, too, a code is taken once.
  const taken = await db.query(
    'update second_factors set last_step = $2 where user_id = $1 and last_step < $2 returning 1',
    [userId, Math.floor(timestamp / 1000 / stepSeconds) + delta],
  );
  return taken.length > 0;
}

/** Renews the session's proof that its user is still there. */
export async function confirmPassword(ctx: Ctx, actor: Actor, password: string, address: string): Promise<void> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  await trySecret(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => ((await verifyPassword(user.password_hash, password, networkOf(address))) ? 'right' : 'wrong'),
    wrongPassword,
  );
  await ctx.db.query('update sessions set proved_at = now() where id = $1', [actor.sessionId]);
}
