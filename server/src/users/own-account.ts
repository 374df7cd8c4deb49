import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { verifyPassword } from '../platform/auth/passwords.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { eraseAccount } from './accounts.ts';
import { countUnderWay, findUser, lockUser } from './queries.ts';
import { changeRights } from './rights.ts';
import { wrongPassword } from './second-factor.ts';
import { throttleAttempt } from './sign-in-attempts.ts';

/** Deletes the caller's own account, after checking its password. Refused while deliveries are under way: they need their driver. */
export async function deleteOwnAccount(ctx: Ctx, actor: Actor, password: string, address: string): Promise<void> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  await throttleAttempt(
    ctx,
    { email: user.email, userId: user.id, address },
    async () => ((await verifyPassword(user.password_hash, password, networkOf(address))) ? 'right' : 'wrong'),
    wrongPassword,
  );
  await changeRights(ctx, actor, async (tx) => {
    // Starting a delivery locks the account too, so no delivery can start concurrently.
    const locked = await lockUser(tx, actor.id);
    if (!locked) throw notFound('account');
    const carried = await countUnderWay(tx, actor.id);
    if (carried > 0) {
      const deliveries = carried === 1 ? '1 delivery' : `${carried} deliveries`;
      throw new AppError(
        'conflict',
        `You still have ${deliveries} under way. Please complete or give back what you carry first.`,
      );
    }
    await eraseAccount(tx, locked, { actorId: actor.id, at: ctx.now() });
  });
}
