import type { IncomingMessage } from 'node:http';
import { trackingIdPattern, type TrackMessageInput } from '@waybill/contract';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { withheldBefore } from '../packages/public-view.ts';
import { stopMs } from '../packages/rounds.ts';
import { recordMessage } from '../packages/service.ts';
import type { Queryable } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';
import { bearerToken } from '../platform/http/http.ts';
import { openLookupLimits, type LookupLimits } from './lookup-limits.ts';
import { openLookup, type Lookup } from './queries.ts';

export { composeViews, openLookup } from './queries.ts';

export interface PublicLookup extends Lookup {
  limits: LookupLimits;
  /** What was looked up already for requests that the fast lookup has handed to Fastify. */
  found: WeakMap<IncomingMessage, Promise<string | null>>;
}

/** Minimum length of an ID in the tracking form. */
export const minTrackingIdLength = 5;

export const openPublicLookup = (
  db: Queryable,
  { settings, now, config }: Pick<Ctx, 'settings' | 'now' | 'config'>,
): PublicLookup => ({
  ...openLookup(db, {
    recipient: async () => (await settings.find()).publicRecipient,
    withheldBefore: () => withheldBefore(now()),
    arrivals: { now, msPerStop: stopMs({ config }) },
  }),
  limits: openLookupLimits(config.RATE_LIMITS, config.WORKERS),
  found: new WeakMap(),
});

/** Normalizes an ID to upper case; '' if malformed. That is looked up as well, so that both kinds of miss take the same time. */
export function asTrackingId(given: string): string {
  const id = given.trim().toUpperCase();
  return trackingIdPattern.test(id) ? id : '';
}

/** Returns the public view as JSON text. Unknown, malformed and purged IDs all answer the same 404. */
export async function trackPackage(
  ctx: Ctx,
  lookup: PublicLookup,
  given: string,
  request: FastifyRequest,
): Promise<string> {
  const id = asTrackingId(given);
  const find = () => (id === '' ? lookup.find(id) : findWithinLimits(ctx, lookup, id, request));
  const view = await (lookup.found.get(request.raw) ?? find());
  if (view === null) throw new AppError('not_found', 'Package not found');
  return view;
}

function findWithinLimits(
  { sessions }: Ctx,
  lookup: PublicLookup,
  id: string,
  request: FastifyRequest,
): Promise<string | null> {
  const isSignedIn = async () => {
    const token = bearerToken(request);
    return token !== null && (await sessions.find(token)) !== null;
  };
  return lookup.limits.lookUp(networkOf(request.ip), id, isSignedIn, () => lookup.find(id));
}

/**
 * Sends a message to the owner of a package. Unknown IDs answer as a lookup does, within its limits. A bot that fills in the honeypot gets
 * the same confirmation.
 */
export async function sendTrackMessage(
  ctx: Ctx,
  lookup: PublicLookup,
  given: string,
  input: TrackMessageInput,
  request: FastifyRequest,
): Promise<{ message: string }> {
  await ctx.rateLimits.take('packageMessage', networkOf(request.ip));
  await trackPackage(ctx, lookup, given, request);
  const confirmation = { message: 'Your message has been sent to the sender.' };
  if (input.website) return confirmation;
  const id = asTrackingId(given);
  await ctx.rateLimits.take('packageMessageInAll', id, {
    message: 'This package has had too many messages. Please try again tomorrow.',
  });
  await recordMessage(ctx, id, input);
  return confirmation;
}
