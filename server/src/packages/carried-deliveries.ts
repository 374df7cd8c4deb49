import type { DeliveriesInput } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events/record.ts';
import type { PackageEvent } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import { notActiveDriver, requireActiveDriver } from '../users/active-driver.ts';
import type { CarriedDeliveries } from '../users/service.ts';
import { packageEvent } from './package-event.ts';
import type { PackageRow } from './row.ts';
import { lockCarried, setReleased, setStarted } from './transition-queries.ts';
import { deliveryTimes } from './transitions.ts';

/** Handles the deliveries on the road of a driver who is suspended, deleted or reactivated, in the same transaction. */
export const carriedDeliveries: CarriedDeliveries = {
  async handOver(ctx, tx, actorId, driverId, to) {
    if (to !== 'release') {
      if (to.driverId === driverId) throw notActiveDriver('deliveries.driverId');
      await requireActiveDriver(tx, to.driverId, 'deliveries.driverId');
    }
    const events: PackageEvent[] = [];
    for (const pkg of await lockCarried(tx, driverId)) events.push(await handOverPackage(ctx, tx, actorId, pkg, to));
    if (events.length > 0) await recordAll(tx, events);
  },
  strand: (ctx, tx, actorId, driverId) => recordForCarried(ctx, tx, actorId, driverId, 'delivery.stranded'),
  resume: (ctx, tx, actorId, driverId) => recordForCarried(ctx, tx, actorId, driverId, 'delivery.resumed'),
};

async function recordForCarried(
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

async function handOverPackage(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actorId: string,
  pkg: PackageRow,
  to: Exclude<DeliveriesInput, 'keep'>,
): Promise<PackageEvent> {
  const at = ctx.now();
  const changed =
    to === 'release'
      ? await setReleased(tx, pkg.id, at)
      : await setStarted(tx, pkg.id, to.driverId, deliveryTimes(pkg, at));
  const type = to === 'release' ? 'delivery.released' : 'delivery.assigned';
  return { ...packageEvent(type, at, changed, actorId), previousDriverId: pkg.driver_id };
}
