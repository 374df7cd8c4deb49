import type { DeliveriesInput, DeliverySummary } from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events/record.ts';
import type { PackageEvent } from '../events/event-types.ts';
import { packageEvent } from '../packages/package-event.ts';
import type { PackageRow } from '../packages/row.ts';
import type { Tx } from '../platform/database/db.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { findUser, type CarriedDeliveries } from '../users/service.ts';
import { countDeliveries, lockActiveDriver, lockCarried, setReleased, setStarted } from './queries.ts';
import { estimate } from './service.ts';

/** What becomes of the deliveries of a driver whose account changes, in the transaction that changes it. */
export const carriedDeliveries: CarriedDeliveries = {
  async handOver(ctx, tx, actorId, driverId, to) {
    if (to !== 'release' && !(to.driverId !== driverId && (await lockActiveDriver(tx, to.driverId))))
      throw invalid({ 'deliveries.driverId': 'This is not an active driver' });
    const events: PackageEvent[] = [];
    for (const pkg of await lockCarried(tx, driverId)) events.push(await handOverOne(ctx, tx, actorId, pkg, to));
    if (events.length > 0) await recordAll(tx, events);
  },
  strand: (ctx, tx, actorId, driverId) => tellOfCarried(ctx, tx, actorId, driverId, 'delivery.stranded'),
  resume: (ctx, tx, actorId, driverId) => tellOfCarried(ctx, tx, actorId, driverId, 'delivery.resumed'),
};

async function tellOfCarried(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actorId: string,
  driverId: string,
  type: 'delivery.stranded' | 'delivery.resumed',
): Promise<void> {
  const carried = await lockCarried(tx, driverId);
  const at = ctx.now();
  if (carried.length > 0)
    await recordAll(
      tx,
      carried.map((pkg) => packageEvent(type, at, pkg, actorId)),
    );
}

async function handOverOne(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actorId: string,
  pkg: PackageRow,
  to: Exclude<DeliveriesInput, 'keep'>,
): Promise<PackageEvent> {
  const at = ctx.now();
  const changed =
    to === 'release' ? await setReleased(tx, pkg.id, at) : await setStarted(tx, pkg.id, to.driverId, estimate(pkg, at));
  if (!changed) throw notFound('delivery');
  const type = to === 'release' ? 'delivery.released' : 'delivery.assigned';
  return { ...packageEvent(type, at, changed, actorId), previousDriverId: pkg.driver_id };
}

export async function summarizeDeliveriesOf(ctx: Ctx, userId: string): Promise<z.output<typeof DeliverySummary>> {
  if (!(await findUser(ctx.db, userId))) throw notFound('user');
  return countDeliveries(ctx.db, userId);
}
