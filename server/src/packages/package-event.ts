import { ruleOf } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events/record.ts';
import type { PackageEvent } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import type { PackageRow } from './row.ts';
import { storeViews } from './stored-views.ts';

/** Builds an event of this package from its present state. */
export const packageEvent = (
  type: PackageEvent['type'],
  at: Date,
  pkg: PackageRow,
  actorId: string | null,
): PackageEvent => ({
  type,
  at,
  actorId,
  packageId: pkg.id,
  status: pkg.status,
  location: pkg.location,
  ownerId: pkg.owner_id,
  driverId: pkg.driver_id,
  reachesRecipient: pkg.recipient_email !== null || pkg.recipient_phone !== null,
});

type Details = Partial<
  Pick<
    PackageEvent,
    | 'at'
    | 'recordedAt'
    | 'note'
    | 'previousDriverId'
    | 'incidentNumber'
    | 'previousStatus'
    | 'attempt'
    | 'stars'
    | 'lostRatings'
    | 'changes'
    | 'shown'
  >
>;

/**
 * Builds an event of a package from its state after the change. An event on the public timeline has changed the row, so it takes the
 * row's `updated_at` as its time rather than a moment some milliseconds later.
 */
export const packageEventNow = (
  ctx: Pick<Ctx, 'now'>,
  type: PackageEvent['type'],
  pkg: PackageRow,
  actorId: string | null,
  details: Details = {},
): PackageEvent => ({
  ...packageEvent(type, ruleOf(type)?.timeline === 'public' ? pkg.updated_at : ctx.now(), pkg, actorId),
  ...details,
});

/** Appends an event of this package with its present state. */
export const recordPackage = (
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  type: PackageEvent['type'],
  pkg: PackageRow,
  actorId: string | null,
  details: Details = {},
): Promise<void> => recordPackages(tx, [packageEventNow(ctx, type, pkg, actorId, details)]);

/**
 * Appends events of packages, and stores the public views of those with a public event, or with another next step, which is in the view
 * without being on its timeline. The transaction has changed the rows, so it holds their locks.
 */
export async function recordPackages(tx: Tx, events: PackageEvent[]): Promise<void> {
  const isShown = ({ type }: PackageEvent) => ruleOf(type)?.timeline === 'public' || type === 'package.next-step';
  const shown = new Set(events.filter(isShown).map(({ packageId }) => packageId));
  // `recordAll` sends the events before it waits for anything, so the views' statement comes after them, without a round trip of its own.
  await Promise.all([recordAll(tx, events), storeViews(tx, [...shown])]);
}
