import type { RatePackageInput, Rating } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { recordPackage } from './package-event.ts';
import { setRating, setRecipientRating } from './queries.ts';
import { asRating, asRecipientRating, lockPackage } from './row.ts';
import { lockOwnPackage } from './service.ts';

/** Rates a delivery. Final, because ratings count for the driver and nobody should be talked into changing one. */
export async function ratePackage(
  ctx: Ctx,
  owner: Actor,
  id: string,
  { stars, comment = null }: RatePackageInput,
): Promise<Rating> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockOwnPackage(tx, owner, id);
    if (pkg.status !== 'delivered')
      throw new AppError('not_delivered', `This package is ${pkg.status}: it can be rated once it is delivered`);
    if (asRating(pkg)) throw new AppError('already_rated', 'This delivery has already been rated');
    const rating = { stars, comment, at: ctx.now().toISOString() };
    const rated = await setRating(tx, id, rating);
    if (!rated) throw notFound('package');
    await recordPackage(tx, ctx, 'package.rated', rated, owner.id, { note: `${stars} of 5 stars`, stars });
    return rating;
  });
}

/** Rates a delivery as its recipient, whose rating counts for the driver in place of the owner's. Final, as the owner's. */
export async function rateAsRecipient(
  ctx: Ctx,
  id: string,
  { stars, comment = null }: RatePackageInput,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!pkg) throw notFound('package');
    if (pkg.status !== 'delivered')
      throw new AppError('not_delivered', `This package is ${pkg.status}: it can be rated once it is delivered`);
    if (asRecipientRating(pkg)) throw new AppError('already_rated', 'This delivery has already been rated');
    const rated = await setRecipientRating(tx, id, { stars, comment, at: ctx.now().toISOString() });
    if (!rated) throw notFound('package');
    await recordPackage(tx, ctx, 'package.rated-by-recipient', rated, null, { note: `${stars} of 5 stars`, stars });
  });
}
