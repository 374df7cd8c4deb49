import { statusAfter, type PackageStatus } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findAccountEvent } from '../events/history.ts';
import { withdrawImages } from '../images/service.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { illegalStep } from './package-errors.ts';
import { packageEventNow, recordPackages } from './package-event.ts';
import { lockWaitingPackages, setStatus } from './queries.ts';
import type { PackageRow } from './row.ts';

/** Deleting needs a permission of its own, except for those who may edit all packages anyway. */
export const mayDelete = ({ permissions }: Pick<Actor, 'permissions'>): boolean =>
  permissions.includes('packages.delete') || permissions.includes('packages.view_all');

type EndStatus = Extract<PackageStatus, 'cancelled' | 'inactive'>;

/** @throws illegal_step where the status does not allow to cancel or delete the package */
export function assertCanEnd(pkg: PackageRow, status: PackageStatus): asserts status is EndStatus {
  const action = status === 'cancelled' ? 'cancel' : status === 'inactive' ? 'remove' : null;
  if (!action || statusAfter(action, pkg.status) !== status) throw illegalStep(pkg, `it cannot become ${status} here`);
}

/**
 * Cancels or deletes packages, any number in the same few round trips: others wait at most 2 s for the locks of their rows. Requires the row
 * locks, and `assertCanEnd` of each.
 * @returns the changed rows, in the order of the packages
 */
export async function cancelOrDeletePackages(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  packages: PackageRow[],
  status: EndStatus,
): Promise<PackageRow[]> {
  if (packages.length === 0) return [];
  const ids = packages.map(({ id }) => id);
  // Sent together, and carried out in this order.
  const [rows] = await Promise.all([setStatus(tx, ids, status, ctx.now()), ...ids.map((id) => withdrawImages(tx, id))]);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const type = status === 'cancelled' ? 'package.cancelled' : 'package.deleted';
  const ended = packages.map(({ id, status: previousStatus }) => {
    const row = rowOf.get(id);
    if (!row) throw notFound('package');
    return { row, event: packageEventNow(ctx, type, row, actor.id, { previousStatus }) };
  });
  await recordPackages(
    tx,
    ended.map(({ event }) => event),
  );
  return ended.map(({ row }) => row);
}

/** Cancels the unstarted packages of a deleted user: there is no sender left to hand them over. Deliveries on the road continue. */
export async function cancelPackagesOfDeletedUser(ctx: Pick<Ctx, 'db' | 'now'>, eventId: string): Promise<void> {
  const event = await findAccountEvent(ctx.db, eventId);
  if (!event) throw new Error(`event ${eventId} is about no user`);
  const cancelBatch = () =>
    ctx.db.transaction(async (tx) => {
      const waiting = await lockWaitingPackages(tx, event.userId, 100);
      await cancelOrDeletePackages(ctx, tx, { id: event.actorId ?? event.userId }, waiting, 'cancelled');
      return waiting.length;
    });
  while ((await cancelBatch()) > 0);
}
