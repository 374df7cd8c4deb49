import {
  estimateDelivery,
  isOnTheRoad,
  mayChange,
  reachedBy,
  type Package,
  type PackageContent,
  type UpdatePackageInput,
} from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { attachImages } from '../images/service.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { assertCurrent } from '../platform/http/optimistic-lock.ts';
import { asContent, type ContentInput } from './content.ts';
import { changesOf, type ContentChanges } from './content-changes.ts';
import { setContent } from './content-queries.ts';
import { assertCanEnd, cancelOrDeletePackages, mayDelete } from './cancel-and-delete.ts';
import { processPackageImages } from './images.ts';
import { illegalStep, rethrowReferenceTaken, tooLate } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { assertNotPast } from './past-dates.ts';
import { withheldBefore, readPublicFields } from './public-view.ts';
import { withArrivals } from './rounds.ts';
import { asPackage, asPackageFor, type PackageRow, lockPackage } from './row.ts';
import { findAccessiblePackage, scopeOf } from './service.ts';

/**
 * Edits a package as its owner or an administrator: the content that its status allows, or the status to cancelled or inactive.
 * @param ifMatch the request's `If-Match` header, or null
 */
export async function updatePackage(
  ctx: Ctx,
  actor: Actor,
  id: string,
  input: UpdatePackageInput,
  ifMatch: string | null,
): Promise<Package> {
  // Authorize before the expensive re-encoding of images.
  if (input.images) await findAccessiblePackage(ctx, actor, id);
  const uploaded = input.images && (await processPackageImages(ctx, actor, id, input.images));
  const { publicRecipient, timeZone } = await ctx.settings.find();
  const terms = { recipient: publicRecipient, withheldBefore: withheldBefore(ctx.now()) };
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id, scopeOf(actor));
    if (!pkg) throw notFound('package');
    const { version } = input;
    assertCurrent(pkg.version, { version, ifMatch }, 'This package was changed in the meantime. Please load it again.');
    const current = asPackage(ctx, pkg);
    const provided = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const before = asContent(current as ContentInput, pkg.images);
    const content = asContent(
      { ...current, ...provided, ...reachOf(current, input) } as ContentInput,
      uploaded ?? pkg.images,
    );
    const changes = changesOf(before, content);
    let changed = pkg;
    if (Object.keys(changes).length > 0) {
      assertChangeable(pkg, changes);
      // On the road the window may move past the eta, which can no longer be changed.
      const dates = isOnTheRoad(pkg.status) ? { window: content.window, eta: null } : content;
      assertNotPast(dates, { now: ctx.now(), timeZone }, before);
      const shownBefore = await readPublicFields(tx, id, terms);
      const expectedAt = changes.window ? forecastWithin(pkg, content.window) : null;
      if (uploaded) await attachImages(tx, actor, `package:${id}`, uploaded);
      changed = (await setContent(tx, id, content, ctx.now(), expectedAt).catch(rethrowReferenceTaken)) ?? changed;
      await recordPackage(tx, ctx, 'package.updated', changed, actor.id, {
        changes,
        shown: (await readPublicFields(tx, id, terms)) !== shownBefore,
      });
    }
    if (input.status === 'inactive' && input.status !== pkg.status && !mayDelete(actor)) throw forbidden();
    if (input.status && input.status !== pkg.status) {
      assertCanEnd(changed, input.status);
      changed = (await cancelOrDeletePackages(ctx, tx, actor, [changed], input.status))[0] ?? changed;
    }
    await auditContactViews(tx, actor, [changed]);
    const [shown] = await withArrivals(ctx, tx, [changed], [asPackageFor(ctx, actor, changed)]);
    if (!shown) throw notFound('package');
    return shown;
  });
}

/** Where the recipient is told after an edit: what came from the contact that is replaced goes with it, also if a client sends it back. */
function reachOf(current: Package, input: UpdatePackageInput) {
  const typed = reachedBy(current.recipientContact);
  const kept = (given: string | null | undefined, stored: string | null, old: string | null) => {
    const value = given === undefined ? stored : given;
    return value === old ? null : value;
  };
  return {
    recipientEmail: kept(input.recipientEmail, current.recipientEmail, typed.email),
    recipientPhone: kept(input.recipientPhone, current.recipientPhone, typed.phone),
  };
}

/** Recomputes the forecast for a new window, as at the start of the delivery; null while not on the road. */
const forecastWithin = (pkg: PackageRow, window: Package['window']): Date | null =>
  isOnTheRoad(pkg.status) && pkg.started_at ? estimateDelivery(pkg.started_at, window) : null;

/** @throws illegal_step if a changed field is locked in the package's status */
function assertChangeable(pkg: PackageRow, changes: ContentChanges): void {
  const fields = Object.keys(changes) as PackageContent[];
  if (fields.every((field) => mayChange(field, pkg.status))) return;
  const consequence = isOnTheRoad(pkg.status) ? 'only contact, window and instructions can still be changed' : tooLate;
  throw illegalStep(pkg, consequence);
}
