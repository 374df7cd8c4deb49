import type { Package, PackageExportQuery } from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { filterPackages } from './lists.ts';
import { asPackageFor, packageColumns, type PackageRow, type OwnerScope } from './row.ts';

/** A column per field of the create form, under the names that an import reads, and per field that the server adds. */
const columns: Record<string, (pkg: Package) => Cell> = {
  id: (pkg) => pkg.id,
  trackingId: (pkg) => pkg.trackingId,
  reference: (pkg) => pkg.reference,
  name: (pkg) => pkg.name,
  description: (pkg) => pkg.description,
  category: (pkg) => pkg.category,
  weight: (pkg) => pkg.weight,
  width: (pkg) => pkg.dimensions?.width ?? null,
  height: (pkg) => pkg.dimensions?.height ?? null,
  length: (pkg) => pkg.dimensions?.length ?? null,
  recipientName: (pkg) => pkg.recipientName,
  recipientContact: (pkg) => pkg.recipientContact,
  recipientEmail: (pkg) => pkg.recipientEmail,
  recipientPhone: (pkg) => pkg.recipientPhone,
  recipientLanguage: (pkg) => pkg.recipientLanguage,
  street: (pkg) => pkg.address?.street ?? null,
  postalCode: (pkg) => pkg.address?.postalCode ?? null,
  city: (pkg) => pkg.address?.city ?? null,
  country: (pkg) => pkg.address?.country ?? null,
  windowFrom: (pkg) => pkg.window?.from ?? null,
  windowTo: (pkg) => pkg.window?.to ?? null,
  fragile: (pkg) => pkg.handling.fragile,
  keepUpright: (pkg) => pkg.handling.keepUpright,
  refrigerated: (pkg) => pkg.handling.refrigerated,
  signatureRequired: (pkg) => pkg.handling.signatureRequired,
  pinRequired: (pkg) => pkg.handling.pin,
  ageCheck: (pkg) => pkg.handling.age,
  safePlace: (pkg) => pkg.handling.safePlace,
  instructions: (pkg) => pkg.instructions,
  hideRecipient: (pkg) => pkg.hideRecipient,
  showSender: (pkg) => pkg.showSender,
  allowChanges: (pkg) => pkg.allowChanges,
  status: (pkg) => pkg.status,
  location: (pkg) => pkg.location,
  eta: (pkg) => pkg.eta,
  userId: (pkg) => pkg.userId,
  driverId: (pkg) => pkg.driverId,
  routeId: (pkg) => pkg.routeId,
  depotId: (pkg) => pkg.depotId,
  attempts: (pkg) => pkg.attempts,
  issue: (pkg) => pkg.issue,
  createdAt: (pkg) => pkg.createdAt,
  startTime: (pkg) => pkg.startTime,
  estimatedDeliveryTime: (pkg) => pkg.estimatedDeliveryTime,
  completedAt: (pkg) => pkg.completedAt,
  lastUpdate: (pkg) => pkg.lastUpdate,
  receivedBy: (pkg) => pkg.receivedBy,
  ratingStars: (pkg) => pkg.rating?.stars ?? null,
  ratingComment: (pkg) => pkg.rating?.comment ?? null,
  recipientRatingStars: (pkg) => pkg.recipientRating?.stars ?? null,
  recipientRatingComment: (pkg) => pkg.recipientRating?.comment ?? null,
  version: (pkg) => pkg.version,
};

/** Exports all packages of the list with these filters, newest first, from one snapshot. */
export async function exportPackages(
  ctx: Ctx,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageExportQuery,
): Promise<CsvFile> {
  const filter = await filterPackages(ctx, actor, ownerId, query);
  if (query.ids) filter.where(`id = any(${filter.value(query.ids)}::uuid[])`);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'packages.exported', actorId: actor.id, subjectId: ownerId });
  const sql = `select ${packageColumns} from packages ${filter.all()}`;
  return {
    name: `packages-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) =>
      csvOf(
        columns,
        (row: PackageRow) => asPackageFor(ctx, actor, row),
        ctx.longRunning.streamRows<PackageRow>(sql, filter.values(), signal),
      ),
  };
}
