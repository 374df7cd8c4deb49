import {
  dayIn,
  isFinal,
  isOnTheRoad,
  statusAfter,
  type Delivery,
  type DoorReply,
  type DriverInfo,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackage, recordPackages } from '../packages/package-event.ts';
import { setAcknowledged } from '../packages/recipient-wishes.ts';
import { findPackage, forecastOf, lockPackage, type PackageRow } from '../packages/row.ts';
import { auditShownContact } from '../packages/shown-contact.ts';
import { findAccessiblePackage } from '../packages/service.ts';
import { changePackages, type Transition } from '../packages/transitions.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import { requireOnDuty } from '../users/on-duty.ts';
import { canSeeDriver, findDriver } from './queries.ts';
import { isOwn, notOwnError } from './steps.ts';
import { asDelivery } from './view.ts';

/**
 * Checked before a stored reply is replayed for its Idempotency-Key: the delivery must still be this driver's, or be as unclaimed as in
 * the reply. Users with `deliveries.view_all` may see every delivery.
 * @throws not_found otherwise: another driver may have it by now
 */
export async function requireVisible(tx: Tx, actor: Actor, reply: unknown): Promise<void> {
  if ('deliveries' in (reply as Delivery | DoorReply)) {
    for (const delivery of (reply as DoorReply).deliveries) await requireVisible(tx, actor, delivery);
    return;
  }
  const { id, status } = reply as Delivery;
  const pkg = await findPackage(tx, id, null);
  if (pkg?.driver_id === actor.id || actor.permissions.includes('deliveries.view_all')) return;
  if (pkg?.status !== 'processing' || status !== 'pending') throw notFound('delivery');
}

/** Sets where the package is now, as reported by its driver. Idempotent. */
export async function reportLocation(ctx: Ctx, driver: Actor, id: string, location: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, notOnTheRoadYet);
    if (!isOnTheRoad(pkg.status)) throw illegalStep(pkg, 'it is on the road no more');
    // A retry with the same location changes nothing and records no event.
    if (pkg.location === location) return asDelivery(pkg);
    return change(ctx, tx, pkg, { kind: 'locate', location }, driver.id);
  });
}

/** Its driver has taken note of what the recipient changed. A repeat changes nothing. */
export async function acknowledgeChanges(ctx: Ctx, driver: Actor, id: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, notOnTheRoadYet);
    const changes = pkg.recipient_changes ?? [];
    if (changes.every(({ acknowledgedAt }) => acknowledgedAt !== null)) return asDelivery(pkg);
    const at = ctx.now().toISOString();
    const changed = await setAcknowledged(
      tx,
      pkg.id,
      changes.map((one) => ({ ...one, acknowledgedAt: one.acknowledgedAt ?? at })),
    );
    if (!changed) throw notFound('delivery');
    await recordPackage(tx, ctx, 'package.change-acknowledged', changed, driver.id);
    return asDelivery(changed);
  });
}

async function change(ctx: Ctx, tx: Tx, pkg: PackageRow, to: Transition, actorId: string): Promise<Delivery> {
  const [changed] = await changePackages(ctx, tx, [{ pkg, to, actorId }]);
  if (!changed) throw notFound('delivery');
  await recordPackages(tx, [changed.event]);
  return asDelivery(changed.row);
}

const notOnTheRoadYet = 'it is not on the road yet';

interface Assignment {
  driverId: string;
  confirm?: boolean | undefined;
}

export async function assignDelivery(ctx: Ctx, actor: Actor, id: string, assignment: Assignment): Promise<Delivery> {
  const delivery = await assign(ctx, actor, id, assignment);
  await auditShownContact(ctx, actor, id);
  return delivery;
}

async function assign(ctx: Ctx, actor: Actor, id: string, { driverId, confirm }: Assignment): Promise<Delivery> {
  const { timeZone } = await ctx.settings.find();
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!pkg) throw notFound('delivery');
    if (!statusAfter('assign', pkg.status)) throw illegalStep(pkg, 'it cannot be assigned');
    await requireActiveDriver(tx, driverId);
    if (pkg.driver_id === driverId && pkg.status === 'in transit') return asDelivery(pkg);
    const now = ctx.now();
    if (!confirm) await requireOnDuty(tx, driverId, { day: dayIn(timeZone, now), from: now, timeZone });
    return change(ctx, tx, pkg, { kind: 'assign', driverId }, actor.id);
  });
}

/** Reads the driver of a package that the caller can access. @throws no_carrier with the reason when there is none */
export async function driverOfPackage(ctx: Ctx, actor: Actor, packageId: string): Promise<DriverInfo> {
  const pkg = await findAccessiblePackage(ctx, actor, packageId);
  const driver =
    pkg.driver_id && (await findDriver(ctx.db, pkg.driver_id, isOnTheRoad(pkg.status) ? forecastOf(pkg) : null));
  if (!driver) throw new AppError('no_carrier', whyNoCarrier(pkg));
  return driver;
}

function whyNoCarrier({ driver_id: driverId, status }: PackageRow): string {
  if (driverId === null) return "This package doesn't have an assigned carrier yet.";
  return isFinal(status)
    ? 'The account of the driver who brought this package no longer exists.'
    : 'The driver of this package is no longer available. An administrator decides who brings it.';
}

/** Reads a driver. @throws not_found also when the caller may not see them */
export async function readDriver(ctx: Ctx, actor: Actor, id: string): Promise<DriverInfo> {
  const seesAll = actor.permissions.includes('admin.manage_users');
  const driver = (await canSeeDriver(ctx.db, actor.id, seesAll, id)) && (await findDriver(ctx.db, id, null));
  if (!driver) throw notFound('driver');
  return driver;
}

const nothingToReport = 'nothing can be reported on it yet';

/** Finds the driver's own delivery. @throws not_found for another driver's, illegal_step for one that the driver could claim */
export async function findOwnDelivery(ctx: Ctx, driver: Actor, id: string): Promise<PackageRow> {
  const pkg = await findPackage(ctx.db, id, null);
  if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, nothingToReport);
  return pkg;
}

/** Locks the driver's own delivery. @throws illegal_step when it is in a final status */
export async function lockOwnDelivery(tx: Tx, driver: Actor, id: string): Promise<PackageRow> {
  const pkg = await lockPackage(tx, id);
  if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, nothingToReport);
  if (isFinal(pkg.status)) throw illegalStep(pkg, 'nothing can be reported on it any more');
  return pkg;
}
