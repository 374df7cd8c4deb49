import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { notActiveDriver, requireActiveDriver } from '../users/active-driver.ts';
import type { CarriedDeliveries } from '../users/service.ts';
import { packageEvent, recordPackages } from './package-event.ts';
import { lockCarried } from './transition-queries.ts';
import { changePackages, type Transition } from './transitions.ts';

/** Handles the deliveries on the road of a driver who is suspended, deleted or reactivated, in the same transaction. */
export const carriedDeliveries: CarriedDeliveries = {
  async handOver(ctx, tx, actorId, driverId, to) {
    if (to !== 'release') {
      if (to.driverId === driverId) throw notActiveDriver('deliveries.driverId');
      await requireActiveDriver(tx, to.driverId, 'deliveries.driverId');
    }
    const carried = await lockCarried(tx, driverId);
    if (carried.length === 0) return;
    const transition: Transition = to === 'release' ? { kind: 'release' } : { kind: 'assign', driverId: to.driverId };
    const changed = await changePackages(
      ctx,
      tx,
      carried.map((pkg) => ({ pkg, to: transition, actorId })),
    );
    await recordPackages(
      tx,
      changed.map(({ event }) => event),
    );
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
    await recordPackages(
      tx,
      carried.map((pkg) => packageEvent(type, at, pkg, actorId)),
    );
}
