import { estimateDelivery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { recordPackage } from './package-event.ts';
import { asWindow, type PackageRow } from './row.ts';
import { insertAttempt, setCompleted, setFailed, setLocation, setNext, setStarted } from './transition-queries.ts';

/**
 * The state transitions of a delivery. Each one requires the package's row lock, updates the row, records the attempt that it ends, and
 * records the event. Callers check permissions and whether the status allows the transition.
 */
type StepCtx = Pick<Ctx, 'now'>;

export const deliveryTimes = (pkg: PackageRow, startedAt: Date) => ({
  startedAt,
  estimatedDeliveryAt: estimateDelivery(startedAt, asWindow(pkg)),
});

export async function startPackage(ctx: StepCtx, tx: Tx, pkg: PackageRow, driverId: string): Promise<PackageRow> {
  const started = await setStarted(tx, pkg.id, driverId, deliveryTimes(pkg, ctx.now()));
  await recordPackage(tx, ctx, 'delivery.started', started, driverId);
  return started;
}

export async function assignPackage(
  ctx: StepCtx,
  tx: Tx,
  pkg: PackageRow,
  driverId: string,
  actorId: string,
): Promise<PackageRow> {
  const assigned = await setStarted(tx, pkg.id, driverId, deliveryTimes(pkg, ctx.now()));
  await recordPackage(tx, ctx, 'delivery.assigned', assigned, actorId, { previousDriverId: pkg.driver_id });
  return assigned;
}

export async function makeNextStop(ctx: StepCtx, tx: Tx, pkg: PackageRow, actorId: string): Promise<PackageRow> {
  const next = await setNext(tx, pkg.id, ctx.now());
  await recordPackage(tx, ctx, 'delivery.next', next, actorId);
  return next;
}

export async function locatePackage(
  ctx: StepCtx,
  tx: Tx,
  pkg: PackageRow,
  location: string,
  actorId: string,
): Promise<PackageRow> {
  const located = await setLocation(tx, pkg.id, location, ctx.now());
  await recordPackage(tx, ctx, 'delivery.located', located, actorId);
  return located;
}

/** @param timeZone the zone of the eta's day, by which the delivery is on time or late */
export async function completePackage(
  ctx: StepCtx,
  tx: Tx,
  pkg: PackageRow,
  { receivedBy, note, timeZone }: { receivedBy: string | null; note: string | null; timeZone: string },
  actorId: string,
): Promise<PackageRow> {
  const at = ctx.now();
  const completed = await setCompleted(tx, pkg.id, at, receivedBy);
  const attempt = await insertAttempt(tx, pkg, 'completed', { endedAt: at, timeZone });
  await recordPackage(tx, ctx, 'delivery.completed', completed, actorId, { note, attempt });
  return completed;
}

/** Returns the package to the pool, for any driver to claim. @param location where it is now; null keeps the last one */
export async function failPackage(
  ctx: StepCtx,
  tx: Tx,
  pkg: PackageRow,
  { reason, location, timeZone }: { reason: string; location: string | null; timeZone: string },
  actorId: string,
): Promise<PackageRow> {
  const at = ctx.now();
  const failed = await setFailed(tx, pkg.id, at, location);
  const attempt = await insertAttempt(tx, pkg, 'failed', { endedAt: at, timeZone });
  await recordPackage(tx, ctx, 'delivery.failed', failed, actorId, {
    note: reason,
    previousDriverId: pkg.driver_id,
    attempt,
  });
  return failed;
}
