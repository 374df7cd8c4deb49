import { statusAfter, type PackageStatus } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findAccountEvent } from '../events/history.ts';
import { withdrawImages } from '../images/service.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { illegalStep } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { lockWaitingPackages, setStatus } from './queries.ts';
import type { PackageRow } from './row.ts';

/** Deleting needs a permission of its own, except for those who may edit all packages anyway. */
export const mayDelete = ({ permissions }: Pick<Actor, 'permissions'>): boolean =>
  permissions.includes('packages.delete') || permissions.includes('packages.view_all');

/** Cancels or deletes a package. Requires the package's row lock. @throws illegal_step where the status does not allow it */
export async function cancelOrDeletePackage(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  pkg: PackageRow,
  status: PackageStatus,
): Promise<PackageRow> {
  const action = status === 'cancelled' ? 'cancel' : status === 'inactive' ? 'remove' : null;
  const next = action && statusAfter(action, pkg.status);
  if (!next) throw illegalStep(pkg, `it cannot become ${status} here`);
  const ended = await setStatus(tx, pkg.id, next, ctx.now());
  if (!ended) throw notFound('package');
  await withdrawImages(tx, pkg.id);
  await recordPackage(tx, ctx, action === 'cancel' ? 'package.cancelled' : 'package.deleted', ended, actor.id, {
    previousStatus: pkg.status,
  });
  return ended;
}

/** Cancels the unstarted packages of a deleted user: there is no sender left to hand them over. Deliveries on the road continue. */
export async function cancelPackagesOfDeletedUser(ctx: Pick<Ctx, 'db' | 'now'>, eventId: string): Promise<void> {
  const event = await findAccountEvent(ctx.db, eventId);
  if (!event) throw new Error(`event ${eventId} is about no user`);
  const cancelBatch = () =>
    ctx.db.transaction(async (tx) => {
      const waiting = await lockWaitingPackages(tx, event.userId, 100);
      for (const pkg of waiting)
        await cancelOrDeletePackage(ctx, tx, { id: event.actorId ?? event.userId }, pkg, 'cancelled');
      return waiting.length;
    });
  while ((await cancelBatch()) > 0);
}
