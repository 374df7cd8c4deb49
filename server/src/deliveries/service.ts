import {
  isFinal,
  isOnTheRoad,
  messages,
  needsSignatureOrName,
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
import { findReachablePackage } from '../packages/service.ts';
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
import { findDriver, insertProof, reachesDriver } from './queries.ts';
import { asDelivery, hasStarted } from './view.ts';

export async function startDelivery(ctx: Ctx, driver: Actor, id: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    // One who is being suspended in this moment starts nothing more.
    const [, pkg] = await Promise.all([requireActive(tx, driver.id), lockPackage(tx, id)]);
    if (!pkg) throw notFound('delivery');
    // Phones repeat requests on bad networks: a second start by the same driver is an answer, not an error.
    if (pkg.driver_id === driver.id && hasStarted(pkg.status)) return asDelivery(pkg);
    if (!statusAfter('start', pkg.status)) throw cannotStart(pkg);
    return asDelivery(await startPackage(ctx, tx, pkg, driver.id));
  });
}

function cannotStart(pkg: PackageRow): AppError {
  const gone = pkg.status === 'cancelled' || pkg.status === 'inactive';
  return gone
    ? new AppError('no_longer_available', messages.noLongerAvailable)
    : new AppError('already_started', messages.alreadyStarted);
}

/** Somebody else's delivery does not exist for this driver. */
const isOwn = (pkg: PackageRow | null, driver: Actor): pkg is PackageRow => pkg !== null && pkg.driver_id === driver.id;

/** Of what this driver does not have only what waits for them is there to be named: a step that it cannot take yet is illegal. */
function notOwn(pkg: PackageRow | null, driver: Actor, consequence: string): AppError {
  const waits = pkg?.status === 'processing' && driver.permissions.includes('deliveries.claim');
  return waits ? illegalStep(pkg, consequence) : notFound('delivery');
}

/**
 * Before a kept answer is given again: the delivery is still this driver's, or the answer is of one that waits, and so does it.
 * @throws not_found otherwise: somebody else has it by now
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
    if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, 'it cannot become the next stop');
    if (pkg.status === 'out for delivery') return asDelivery(pkg);
    if (!statusAfter('next', pkg.status)) throw illegalStep(pkg, 'it cannot become the next stop');
    return asDelivery(await makeNextStop(ctx, tx, pkg, driver.id));
  });
}

/** Where the package is now, said by its driver. */
export async function reportLocation(ctx: Ctx, driver: Actor, id: string, location: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, nowhereYet);
    if (!isOnTheRoad(pkg.status)) throw illegalStep(pkg, 'it is on the road no more');
    // Phones repeat requests: the same place is no news.
    if (pkg.location === location) return asDelivery(pkg);
    return asDelivery(await locatePackage(ctx, tx, pkg, location, driver.id));
  });
}

const nowhereYet = 'it is not on the road yet';

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
    if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, 'it cannot be completed');
    if (pkg.status === 'delivered') return asDelivery(pkg);
    if (!statusAfter('complete', pkg.status)) throw illegalStep(pkg, 'it cannot be completed');
    if (pkg.handling.signatureRequired && !proof?.receivedBy && !signature) {
      throw invalid({ receivedBy: needsSignatureOrName });
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

/** The paths of the proof's pictures, none for what is not there. */
async function processProof(ctx: Ctx, driver: Actor, id: string, proof: z.output<typeof CompleteInput>) {
  const none = { photo: null, signature: null };
  if (!proof?.photo && !proof?.signature) return none;
  // Looked at first: nobody's images are worked on for another's delivery, nor for one whose proof is there already.
  const pkg = await findPackage(ctx.db, id, null);
  if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, 'it cannot be completed');
  if (pkg.status === 'delivered') return none;
  const claim = async (field: 'photo' | 'signature') =>
    proof[field] ? processUpload(ctx, driver, proof[field], 'proofs', `delivery:${id}`, field) : null;
  return { photo: await claim('photo'), signature: await claim('signature') };
}

/** Gives a delivery back for others to claim: by its driver, or by whoever assigns deliveries. */
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
    if (!pkg || !mayFail) throw notOwn(pkg, actor, 'it cannot fail');
    if (!statusAfter('fail', pkg.status)) throw illegalStep(pkg, 'it cannot fail');
    return asDelivery(await failPackage(ctx, tx, pkg, { reason, location: location ?? null, timeZone }, actor.id));
  });
}

export async function assignDelivery(ctx: Ctx, actor: Actor, id: string, driverId: string): Promise<Delivery> {
  const delivery = await assign(ctx, actor, id, driverId);
  // Outside of the transaction: a repeat by the same Idempotency-Key is answered without one, with the contact all the same.
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

/** Who brings a package, for whoever may read it. */
export async function driverOfPackage(ctx: Ctx, actor: Actor, packageId: string): Promise<DriverInfo> {
  const pkg = await findReachablePackage(ctx, actor, packageId);
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

/** A driver by id, for whoever may see this one. */
export async function readDriver(ctx: Ctx, actor: Actor, id: string): Promise<DriverInfo> {
  const seesAll = actor.permissions.includes('admin.manage_users');
  const driver = (await reachesDriver(ctx.db, actor.id, seesAll, id)) && (await findDriver(ctx.db, id, null));
  if (!driver) throw notFound('driver');
  return driver;
}

const nothingToReport = 'nothing can be reported on it yet';

/** @throws not_found also when it is somebody else's */
export async function findOwnDelivery(ctx: Ctx, driver: Actor, id: string): Promise<PackageRow> {
  const pkg = await findPackage(ctx.db, id, null);
  if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, nothingToReport);
  return pkg;
}

/** The driver's own delivery, locked, while something can still happen to it. */
export async function lockOwnDelivery(tx: Tx, driver: Actor, id: string): Promise<PackageRow> {
  const pkg = await lockPackage(tx, id);
  if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, nothingToReport);
  if (isFinal(pkg.status)) throw illegalStep(pkg, 'nothing can be reported on it any more');
  return pkg;
}
