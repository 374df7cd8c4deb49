import type { BulkInput, BulkResult } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { AppError, forbidden, notFound } from '../platform/errors.ts';
import { assertCanEnd, cancelOrDeletePackages, mayDelete } from './cancel-and-delete.ts';
import { lockPackages } from './queries.ts';
import type { PackageRow } from './row.ts';
import { scopeOf } from './service.ts';

/** Cancels or deletes packages, in one transaction. What one by one would be refused is reported and left as it is. */
export async function changeInBulk(ctx: Ctx, actor: Actor, { action, packageIds }: BulkInput): Promise<BulkResult> {
  await ctx.rateLimits.take('bulkChanges', actor.id, { points: packageIds.length, message: tooMany });
  if (action === 'delete' && !mayDelete(actor)) throw forbidden();
  const status = action === 'cancel' ? 'cancelled' : 'inactive';
  return ctx.db.transaction(async (tx) => {
    const found = new Map((await lockPackages(tx, packageIds, scopeOf(actor))).map((pkg) => [pkg.id, pkg]));
    const refused: BulkResult['refused'] = [];
    const changing = new Set<PackageRow>();
    for (const packageId of packageIds) {
      const pkg = found.get(packageId.toLowerCase());
      try {
        if (!pkg) throw notFound('package');
        if (pkg.status === status) continue;
        assertCanEnd(pkg, status);
        changing.add(pkg);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.push({ packageId, code: error.code, message: error.message });
      }
    }
    await cancelOrDeletePackages(ctx, tx, actor, [...changing], status);
    return { done: packageIds.length - refused.length, refused };
  });
}

const tooMany = 'Too many packages changed within an hour. Please try again later.';
