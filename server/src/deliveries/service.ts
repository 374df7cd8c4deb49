import {
  isFinal,
  isOnTheRoad,
  messages,
  missingProofMessage,
  statusAfter,
  type CompleteInput,
  type Delivery,
  type DriverInfo,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { processUpload, attachImages } from '../images/service.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { findPackage, forecastOf, lockPackage, type PackageRow } from '../packages/row.ts';
import { findAccessiblePackage } from '../packages/service.ts';
import {
  assignPackage,
  completePackage,
  failPackage,
  locatePackage,
  makeNextStop,
  startPackage,
} from '../packages/transitions.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import { requireActive } from '../users/service.ts';
import { canSeeDriver, findDriver, insertProof } from './queries.ts';
import { asDelivery, hasStarted } from './view.ts';

export async function startDelivery(ctx: Ctx, driver: Actor, id: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    // Guards against a concurrent suspension of the driver.
    const [, pkg] = await Promise.all([requireActive(tx, driver.id), lockPackage(tx, id)]);
    if (!pkg) throw notFound('delivery');
    // Phones retry requests on bad networks, so a second start by the same driver is idempotent.
    if (pkg.driver_id === driver.id && hasStarted(pkg.status)) return asDelivery(pkg);
    if (!statusAfter('start', pkg.status)) throw cannotStart(pkg);
    return asDelivery(await startPackage(ctx, tx, pkg, driver.id));
  });
}

function cannotStart(pkg: PackageRow): AppError {
  const isWithdrawn = pkg.status === 'cancelled' || pkg.status === 'inactive';
  return isWithdrawn
    ? new AppError('no_longer_available', messages.noLongerAvailable)
    : new AppError('already_started', messages.alreadyStarted);
}

/** Other drivers' deliveries answer 404 to this driver, as if they did not exist. */
const isOwn = (pkg: PackageRow | null, driver: Actor): pkg is PackageRow => pkg !== null && pkg.driver_id === driver.id;

/** The error for a delivery that is not the driver's: `illegal_step` if the driver could claim it, else `not_found`. */
function notOwnError(pkg: PackageRow | null, driver: Actor, consequence: string): AppError {
  const claimable = pkg?.status === 'processing' && driver.permissions.includes('deliveries.claim');
  return claimable ? illegalStep(pkg, consequence) : notFound('delivery');
}

/**
 * Checked before a stored reply is replayed for its Idempotency-Key: the delivery must still be this driver's, or be as unclaimed as in
 * the reply. Users with `deliveries.view_all` may see every delivery.
 * @throws not_found otherwise: another driver may have it by now
 */
export async function requireVisible(tx: Tx, actor: Actor, reply: unknown): Promise<void> {
  const { id, status } = reply as Delivery;
  const pkg = await findPackage(tx, id, null);
  if (pkg?.driver_id === actor.id || actor.permissions.includes('deliveries.view_all')) return;
  if (pkg?.status !== 'processing' || status !== 'pending') throw notFound('delivery');
}

export async function markNext(ctx: Ctx, driver: Actor, id: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, 'it cannot become the next stop');
    if (pkg.status === 'out for delivery') return asDelivery(pkg);
    if (!statusAfter('next', pkg.status)) throw illegalStep(pkg, 'it cannot become the next stop');
    return asDelivery(await makeNextStop(ctx, tx, pkg, driver.id));
  });
}

/** Sets where the package is now, as reported by its driver. Idempotent. */
export async function reportLocation(ctx: Ctx, driver: Actor, id: string, location: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, notOnTheRoadYet);
    if (!isOnTheRoad(pkg.status)) throw illegalStep(pkg, 'it is on the road no more');
    // A retry with the same location changes nothing and records no event.
    if (pkg.location === location) return asDelivery(pkg);
    return asDelivery(await locatePackage(ctx, tx, pkg, location, driver.id));
  });
}

const notOnTheRoadYet = 'it is not on the road yet';

export async function completeDelivery(
  ctx: Ctx,
  driver: Actor,
  id: string,
  proof: z.output<typeof CompleteInput>,
): Promise<Delivery> {
  const { photo, signature } = await processProof(ctx, driver, id, proof);
  const { timeZone } = await ctx.settings.find();
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, 'it cannot be completed');
    if (pkg.status === 'delivered') return asDelivery(pkg);
    if (!statusAfter('complete', pkg.status)) throw illegalStep(pkg, 'it cannot be completed');
    if (pkg.handling.signatureRequired && !proof?.receivedBy && !signature) {
      throw invalid({ receivedBy: missingProofMessage });
    }

    const note = proof?.note || null;
    const completed = await completePackage(
      ctx,
      tx,
      pkg,
      { receivedBy: proof?.receivedBy || null, note, timeZone },
      driver.id,
    );
    const images = [photo, signature].filter((path) => path !== null);
    await attachImages(tx, driver, `delivery:${id}`, images, photo ? 'photo' : 'signature');
    await insertProof(tx, id, { note, photo, signature });
    return asDelivery(completed);
  });
}

/** Processes the proof's images. @returns their storage paths, null for an image that was not sent */
async function processProof(ctx: Ctx, driver: Actor, id: string, proof: z.output<typeof CompleteInput>) {
  const none = { photo: null, signature: null };
  if (!proof?.photo && !proof?.signature) return none;
  // Authorize before the expensive re-encoding, and skip it when the delivery already has its proof.
  const pkg = await findPackage(ctx.db, id, null);
  if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, 'it cannot be completed');
  if (pkg.status === 'delivered') return none;
  const process = async (field: 'photo' | 'signature') =>
    proof[field] ? processUpload(ctx, driver, proof[field], 'proofs', `delivery:${id}`, field) : null;
  return { photo: await process('photo'), signature: await process('signature') };
}

/** Ends the attempt and makes the package claimable again. For its driver, or with `deliveries.assign`. */
export async function failDelivery(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { reason, location }: { reason: string; location?: string | null | undefined },
): Promise<Delivery> {
  const { timeZone } = await ctx.settings.find();
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    const mayFail = isOwn(pkg, actor) || actor.permissions.includes('deliveries.assign');
    if (!pkg || !mayFail) throw notOwnError(pkg, actor, 'it cannot fail');
    if (!statusAfter('fail', pkg.status)) throw illegalStep(pkg, 'it cannot fail');
    return asDelivery(await failPackage(ctx, tx, pkg, { reason, location: location ?? null, timeZone }, actor.id));
  });
}

export async function assignDelivery(ctx: Ctx, actor: Actor, id: string, driverId: string): Promise<Delivery> {
  const delivery = await assign(ctx, actor, id, driverId);
  // Audit outside of the transaction: for a repeated Idempotency-Key it returns the stored reply, which shows the contact as well,
  // without running its work.
  const pkg = await findPackage(ctx.db, id, null);
  if (pkg) await auditContactViews(ctx.db, actor, [pkg]);
  return delivery;
}

function assign(ctx: Ctx, actor: Actor, id: string, driverId: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!pkg) throw notFound('delivery');
    if (!statusAfter('assign', pkg.status)) throw illegalStep(pkg, 'it cannot be assigned');
    await requireActiveDriver(tx, driverId);
    if (pkg.driver_id === driverId && pkg.status === 'in transit') return asDelivery(pkg);
    return asDelivery(await assignPackage(ctx, tx, pkg, driverId, actor.id));
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
