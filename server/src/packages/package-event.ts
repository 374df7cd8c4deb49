import { ruleOf } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { PackageEvent } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import type { PackageRow } from './row.ts';

/** What happened to this package, as it is now. */
export const packageEvent = (type: PackageEvent['type'], at: Date, pkg: PackageRow, actorId: string): PackageEvent => ({
  type,
  at,
  actorId,
  packageId: pkg.id,
  status: pkg.status,
  location: pkg.location,
  ownerId: pkg.owner_id,
  driverId: pkg.driver_id,
});

/**
 * Appends what happened to this package, as it is now. What the public timeline shows has changed the row: it happened when the row says
 * so, not some milliseconds later.
 */
export const recordPackage = (
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  type: PackageEvent['type'],
  pkg: PackageRow,
  actorId: string,
  more: Pick<
    PackageEvent,
    'note' | 'previousDriverId' | 'incidentNumber' | 'previousStatus' | 'attempt' | 'stars' | 'changes' | 'shown'
  > = {},
): Promise<void> => {
  const at = ruleOf(type)?.timeline === 'public' ? pkg.updated_at : ctx.now();
  return record(tx, { ...packageEvent(type, at, pkg, actorId), ...more });
};
