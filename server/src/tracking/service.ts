import { publicForDays, trackingIdPattern } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Pool } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { openLookup, type Lookup } from './queries.ts';

export type { Lookup } from './queries.ts';

/** What the form takes for an ID at all. */
export const shortestTrackingId = 5;

export const openPublicLookup = (pool: Pool, { settings, now }: Pick<Ctx, 'settings' | 'now'>): Lookup =>
  openLookup(pool, {
    recipient: async () => (await settings.find()).publicRecipient,
    oldBefore: () => new Date(now().getTime() - publicForDays * 86_400_000),
  });

/** Upper case, or '' for what cannot be an ID: looked up all the same, so that both kinds of miss take the same time. */
export function asTrackingId(given: string): string {
  const id = given.trim().toUpperCase();
  return trackingIdPattern.test(id) ? id : '';
}

/** The public view as JSON text. One answer for unknown, malformed and purged IDs. */
export async function trackPackage(ctx: Ctx, lookup: Lookup, given: string, address: string): Promise<string> {
  await ctx.rateLimits.check('trackMiss', address);
  const view = await lookup.find(asTrackingId(given));
  if (view !== null) {
    await ctx.rateLimits.take('trackHit', address);
    return view;
  }
  await ctx.rateLimits.take('trackMiss', address);
  await ctx.rateLimits.take('trackMissInAll', 'all');
  throw new AppError('not_found', 'Package not found');
}
