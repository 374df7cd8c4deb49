import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { audit } from '../audit/service.ts';
import { withheldBefore } from '../packages/public-view.ts';
import { accessSeconds, accessToken, isAccessToken, isKeyOf, recipientLink } from '../packages/recipient-link.ts';
import { raiseLinkVersion } from '../packages/recipient-wishes.ts';
import { isWithdrawnStatus, lockPackage, type PackageRow } from '../packages/row.ts';
import { findAccessiblePackage, findByTrackingId, scopeOf } from '../packages/service.ts';
import { illegalStep } from '../packages/package-errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { AppError, forbidden, notFound, unauthenticated } from '../platform/errors.ts';
import { bearerToken } from '../platform/http/http.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { asTrackingId } from '../tracking/service.ts';

/** A link opens as long as the public page may name the recipient. */
const isOpen = ({ now }: Pick<Ctx, 'now'>, { status, completed_at: at }: PackageRow): boolean =>
  !isWithdrawnStatus(status) && (at === null || at >= withheldBefore(now()));

/** The link of a package for its owner, or staff who see all packages. @throws public_url_missing, illegal_step if it opens nothing */
export async function readLink(ctx: Ctx, actor: Actor, id: string, origin: string | null): Promise<{ url: string }> {
  const pkg = await findAccessiblePackage(ctx, actor, id);
  refuseItsDriver(pkg, actor);
  const url = linkOf(ctx, pkg, origin);
  if (pkg.owner_id !== actor.id)
    await audit(ctx.db, { act: 'recipient-link.read', actorId: actor.id, subjectId: pkg.id });
  return { url };
}

/** The page of the recipient has the PIN that its driver asks for, so not even a driver who may see all packages opens it. */
function refuseItsDriver(
  { handling_pin: hasPin, driver_id: driverId, owner_id: ownerId }: PackageRow,
  actor: Actor,
): void {
  if (hasPin && driverId === actor.id && ownerId !== actor.id) throw forbidden();
}

/** Makes a new link: the old one, and the tokens that it gave, stop. */
export async function renewLink(ctx: Ctx, actor: Actor, id: string, origin: string | null): Promise<{ url: string }> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id, scopeOf(actor));
    if (!pkg) throw notFound('package');
    refuseItsDriver(pkg, actor);
    // Refuse before the old link stops.
    linkOf(ctx, pkg, origin);
    const changed = await raiseLinkVersion(tx, pkg.id);
    if (!changed) throw notFound('package');
    if (pkg.owner_id !== actor.id)
      await audit(tx, { act: 'recipient-link.renewed', actorId: actor.id, subjectId: pkg.id });
    return { url: linkOf(ctx, changed, origin) };
  });
}

function linkOf(ctx: Ctx, pkg: PackageRow, origin: string | null): string {
  if (origin === null)
    throw new AppError('public_url_missing', 'No link can be made: PUBLIC_URL is not set on the server.');
  if (!isOpen(ctx, pkg)) throw illegalStep(pkg, 'its link opens nothing any more');
  return recipientLink(ctx, origin, pkg);
}

/**
 * Exchanges the key of a link for a token. Only wrong keys count against limits, so that the right one always opens; unknown IDs answer
 * the same as wrong keys.
 */
export async function openLink(ctx: Ctx, given: string, key: string, request: FastifyRequest) {
  const trackingId = asTrackingId(given);
  const pkg = await findByTrackingId(ctx.db, trackingId);
  if (pkg && isOpen(ctx, pkg) && isKeyOf(ctx, pkg, key))
    return { token: accessToken(ctx, pkg), expiresIn: accessSeconds };
  const network = networkOf(request.ip);
  // The common limit first: once it is used up, nothing is written for further guesses.
  await ctx.rateLimits.take('recipientKeyInAll', network);
  await ctx.rateLimits.take('recipientKey', `${trackingId} ${network}`);
  throw new AppError('not_found', 'Package not found');
}

/** The package that the request's token opens. @throws unauthenticated */
export async function requireRecipient(
  ctx: Ctx,
  db: Queryable,
  given: string,
  request: FastifyRequest,
): Promise<PackageRow> {
  const token = bearerToken(request);
  const pkg = token === null ? null : await findByTrackingId(db, asTrackingId(given));
  if (!pkg || token === null || !isAccessToken(ctx, pkg, token) || !isOpen(ctx, pkg)) throw unauthenticated();
  return pkg;
}
