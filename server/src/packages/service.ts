import type { EventsQuery, FailedAttempt, Package, PackageSummary, TrackingEvent } from '@waybill/contract';
import type * as z from 'zod/mini';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { recordPackage } from './package-event.ts';
import { withheldBefore } from './public-view.ts';
import { countPackages, setIssue } from './queries.ts';
import { withArrivals } from './rounds.ts';
import { asPackageFor, type PackageRow, findPackage, isWithdrawnStatus, lockPackage, type OwnerScope } from './row.ts';
import {
  asFailedAttempt,
  asTrackingEvent,
  countEvents,
  findFailedAttempts,
  findIdByTrackingId,
  hasMessage,
  listEvents,
} from './timeline-queries.ts';

/** The packages that the caller can access. Others answer 404, as if they did not exist. */
export const scopeOf = (actor: Actor): OwnerScope =>
  actor.permissions.includes('packages.view_all') ? null : actor.id;

/** @throws not_found if there is no such package, or the caller may not access it */
export async function findAccessiblePackage(ctx: Ctx, actor: Actor, id: string): Promise<PackageRow> {
  const pkg = await findPackage(ctx.db, id, scopeOf(actor));
  if (!pkg) throw notFound('package');
  return pkg;
}

export async function readPackage(ctx: Ctx, actor: Actor, id: string): Promise<Package> {
  const pkg = await findAccessiblePackage(ctx, actor, id);
  await auditContactViews(ctx.db, actor, [pkg]);
  const [shown] = await withArrivals(ctx, ctx.db, [pkg], [asPackageFor(ctx, actor, pkg)]);
  if (!shown) throw notFound('package');
  return shown;
}

export async function summarize(ctx: Ctx, actor: Actor, ownerId: string): Promise<PackageSummary> {
  if (ownerId !== actor.id && !actor.permissions.includes('packages.view_all')) throw notFound('user');
  return countPackages(ctx.db, ownerId);
}

export async function timeline(
  ctx: Ctx,
  actor: Actor,
  id: string,
  query: z.output<typeof EventsQuery>,
): Promise<Page<TrackingEvent>> {
  const pkg = await findAccessiblePackage(ctx, actor, id);
  const rows = await listEvents(ctx.db, id, query.cursor ?? null, query.limit + 1);
  if (rows.some(({ reply_to: replyTo }) => replyTo !== null)) await auditContactViews(ctx.db, actor, [pkg]);
  const count = query.count ? await countEvents(ctx.db, id) : null;
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => row.id,
    (row) => asTrackingEvent(ctx, pkg, row),
  );
}

/** The failed attempts of a package, the newest first. */
export async function listFailedAttempts(ctx: Ctx, actor: Actor, id: string): Promise<FailedAttempt[]> {
  const pkg = await findAccessiblePackage(ctx, actor, id);
  return (await findFailedAttempts(ctx.db, pkg.id)).map((row) => asFailedAttempt(ctx, row));
}

/** @param trackingId in capital letters */
export async function findByTrackingId(db: Queryable, trackingId: string): Promise<PackageRow | null> {
  const id = await findIdByTrackingId(db, trackingId);
  return id === null ? null : findPackage(db, id, null);
}

/** Locks the owner's own package. @throws not_found also for another owner's */
export async function lockOwnPackage(tx: Tx, owner: Actor, id: string): Promise<PackageRow> {
  const pkg = await lockPackage(tx, id, owner.id);
  if (!pkg) throw notFound('package');
  return pkg;
}

/** Copies the latest unresolved issue to the package, or clears it. The incident is the source of truth. */
export async function setPackageIssue(ctx: Ctx, tx: Tx, pkg: PackageRow, issue: string | null): Promise<PackageRow> {
  if (issue === pkg.issue) return pkg;
  const changed = await setIssue(tx, pkg.id, issue, ctx.now());
  if (!changed) throw notFound('package');
  return changed;
}

/**
 * Stores a message of somebody who holds the tracking ID: an event on the owner's timeline, in the package's transaction. An equal one of
 * the last 24 hours is stored once.
 * @throws conflict once the public page withholds the recipient, whose data is erased then
 */
export async function recordMessage(
  ctx: Ctx,
  trackingId: string,
  { text, replyTo }: { text: string; replyTo: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const id = await findIdByTrackingId(tx, trackingId);
    const pkg = id === null ? null : await lockPackage(tx, id);
    if (!pkg) throw notFound('package');
    const isWithheld = pkg.completed_at !== null && pkg.completed_at < withheldBefore(ctx.now());
    if (isWithheld || isWithdrawnStatus(pkg.status))
      throw new AppError('conflict', 'The sender of this package takes no messages about it any more.');
    const since = new Date(ctx.now().getTime() - 86_400_000);
    if (await hasMessage(tx, pkg.id, { text, replyTo, since })) return;
    const changes = { replyTo: { from: null, to: replyTo } };
    await recordPackage(tx, ctx, 'package.messaged', pkg, null, { note: text, changes });
  });
}
