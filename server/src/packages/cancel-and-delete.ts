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

export async function endPackage(
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
  await withdrawImages(tx, `package:${pkg.id}`);
  await recordPackage(tx, ctx, action === 'cancel' ? 'package.cancelled' : 'package.deleted', ended, actor.id, {
    previousStatus: pkg.status,
  });
  return ended;
}

/** Nobody is left to hand these over: what a deleted user had waiting for a driver is cancelled. What is under way arrives. */
export async function cancelPackagesOfDeletedUser(ctx: Pick<Ctx, 'db' | 'now'>, eventId: string): Promise<void> {
  const event = await findAccountEvent(ctx.db, eventId);
  if (!event) throw new Error(`event ${eventId} is about no user`);
  const cancelSome = () =>
    ctx.db.transaction(async (tx) => {
      const waiting = await lockWaitingPackages(tx, event.userId, 100);
      for (const pkg of waiting) await endPackage(ctx, tx, { id: event.actorId ?? event.userId }, pkg, 'cancelled');
      return waiting.length;
    });
  while ((await cancelSome()) > 0);
}
