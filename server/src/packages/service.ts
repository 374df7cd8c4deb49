import type { EventsQuery, Package, PackageSummary, TrackingEvent } from '@waybill/contract';
import type * as z from 'zod/mini';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { countPackages, setIssue } from './queries.ts';
import { asPackage, type PackageRow, findPackage, lockPackage, type OwnerScope } from './row.ts';
import { asTrackingEvent, countEvents, listEvents } from './timeline-queries.ts';

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
  return asPackage(ctx, pkg);
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
  const count = query.count ? await countEvents(ctx.db, id) : null;
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => row.id,
    (row) => asTrackingEvent(pkg, row),
  );
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
