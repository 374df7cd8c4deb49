import {
  estimateDelivery,
  isFinal,
  isOnTheRoad,
  messages,
  needsSignatureOrName,
  statusAfter,
  type CompleteInput,
  type Delivery,
  type DeliverySummary,
  type DriverInfo,
  type DeliveryListQuery,
  type OwnDeliveryListQuery,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import { noteContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { claimImage, keepImages } from '../images/service.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { pageOf, type Listed } from '../platform/http/http.ts';
import { filterList, type ListFilter, type ListOrder, type Search } from '../platform/database/lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { filterStatus } from '../packages/lists.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackage } from '../packages/package-event.ts';
import { asWindow, forecastOf, packageColumns, type PackageRow } from '../packages/row.ts';
import { searchPackages } from '../packages/search.ts';
import { findPackage, findReachablePackage, lockPackage } from '../packages/service.ts';
import { requireActive } from '../users/service.ts';
import {
  asAvailablePackage,
  asDelivery,
  asOwnersDelivery,
  countDeliveries,
  findDriver,
  hasStarted,
  insertAttempt,
  insertProof,
  lockActiveDriver,
  reachesDriver,
  searchDeliveries,
  stopOrder,
  setCompleted,
  setFailed,
  setLocation,
  setNext,
  setStarted,
} from './queries.ts';

export { asDelivery, lockActiveDriver } from './queries.ts';

export const estimate = (pkg: PackageRow, startedAt: Date) => ({
  startedAt,
  estimatedDeliveryAt: estimateDelivery(startedAt, asWindow(pkg)),
});

async function listDeliveries<T>(
  ctx: Ctx,
  query: DeliveryListQuery,
  search: Search,
  restrict: (filter: ListFilter) => void,
  present: (row: PackageRow) => T,
  order?: ListOrder,
): Promise<Listed<T>> {
  const filter = filterList({ q: search, day: 'updated_at' }, query);
  restrict(filter);
  filterStatus(filter, query.status);
  const rows = await ctx.db.query<PackageRow>(
    `select ${packageColumns} from packages ${filter.page(order)}`,
    filter.values(),
  );
  const total = query.count ? await filter.count(ctx.db, 'packages') : null;
  return pageOf(rows, query.limit, total, (row) => row.id, present);
}

const listUnclaimed = <T>(ctx: Ctx, query: DeliveryListQuery, present: (row: PackageRow) => T) =>
  listDeliveries(ctx, query, searchDeliveries, (filter) => filter.where("status = 'processing'"), present);

/** Unclaimed deliveries; whoever oversees all of them reaches the others by `status`, as they may fail or assign them. */
export async function listPending(ctx: Ctx, actor: Actor, query: DeliveryListQuery): Promise<Listed<Delivery>> {
  if (!query.status || !actor.permissions.includes('deliveries.view_all')) return listUnclaimed(ctx, query, asDelivery);
  const search = query.status.every(hasStarted) ? searchPackages(null) : searchDeliveries;
  const contactsShown: PackageRow[] = [];
  const listed = await listDeliveries(
    ctx,
    query,
    search,
    () => {},
    (row) => {
      if (hasStarted(row.status)) contactsShown.push(row);
      return asDelivery(row);
    },
  );
  await noteContactViews(ctx.db, actor, contactsShown);
  return listed;
}

export const listAvailable = (ctx: Ctx, query: DeliveryListQuery) => listUnclaimed(ctx, query, asAvailablePackage);

/** Everything this driver carries or has delivered; `status` narrows it. */
export const listOwn = (ctx: Ctx, driver: Actor, query: OwnDeliveryListQuery) =>
  listDeliveries(
    ctx,
    query,
    searchPackages(null),
    (filter) => filter.where(`driver_id = ${filter.value(driver.id)}`),
    asDelivery,
    query.order === 'stops' ? stopOrder : undefined,
  );

export const listCompleted = (ctx: Ctx, driver: Actor, query: DeliveryListQuery) =>
  listDeliveries(
    ctx,
    query,
    searchPackages(null),
    (filter) => {
      filter.where(`driver_id = ${filter.value(driver.id)}`);
      filter.where("status = 'delivered'");
    },
    asDelivery,
  );

export const listOfOwner = (ctx: Ctx, owner: Actor, query: DeliveryListQuery) =>
  listDeliveries(
    ctx,
    query,
    searchPackages(owner.id),
    (filter) => filter.where(`owner_id = ${filter.value(owner.id)}`),
    asOwnersDelivery,
  );

export const summarizeDeliveries = (ctx: Ctx, driver: Actor): Promise<z.output<typeof DeliverySummary>> =>
  countDeliveries(ctx.db, driver.id);

export async function startDelivery(ctx: Ctx, driver: Actor, id: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    // One who is being suspended in this moment starts nothing more.
    const [, pkg] = await Promise.all([requireActive(tx, driver.id), lockPackage(tx, id)]);
    if (!pkg) throw notFound('delivery');
    // Phones repeat requests on bad networks: a second start by the same driver is an answer, not an error.
    if (pkg.driver_id === driver.id && hasStarted(pkg.status)) return asDelivery(pkg);
    if (!statusAfter('start', pkg.status)) throw cannotStart(pkg);

    const started = await setStarted(tx, id, driver.id, estimate(pkg, ctx.now()));
    if (!started) throw notFound('delivery');
    await recordPackage(tx, ctx, 'delivery.started', started, driver.id);
    return asDelivery(started);
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

    const next = await setNext(tx, id, ctx.now());
    if (!next) throw notFound('delivery');
    await recordPackage(tx, ctx, 'delivery.next', next, driver.id);
    return asDelivery(next);
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

    const located = await setLocation(tx, id, location, ctx.now());
    if (!located) throw notFound('delivery');
    await recordPackage(tx, ctx, 'delivery.located', located, driver.id);
    return asDelivery(located);
  });
}

const nowhereYet = 'it is not on the road yet';

export async function completeDelivery(
  ctx: Ctx,
  driver: Actor,
  id: string,
  proof: z.output<typeof CompleteInput>,
): Promise<Delivery> {
  const { photo, signature } = await claimProof(ctx, driver, id, proof);
  const { timeZone } = await ctx.settings.find();
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, 'it cannot be completed');
    if (pkg.status === 'delivered') return asDelivery(pkg);
    if (!statusAfter('complete', pkg.status)) throw illegalStep(pkg, 'it cannot be completed');
    if (pkg.handling.signatureRequired && !proof?.receivedBy && !signature) {
      throw invalid({ receivedBy: needsSignatureOrName });
    }

    const at = ctx.now();
    const completed = await setCompleted(tx, id, at, proof?.receivedBy || null);
    if (!completed) throw notFound('delivery');
    const images = [photo, signature].filter((path) => path !== null);
    await keepImages(tx, driver, `delivery:${id}`, images, photo ? 'photo' : 'signature');
    await insertProof(tx, id, {
      note: proof?.note || null,
      photo,
      signature,
    });
    const attempt = await insertAttempt(tx, pkg, 'completed', { endedAt: at, timeZone });
    await recordPackage(tx, ctx, 'delivery.completed', completed, driver.id, { note: proof?.note || null, attempt });
    return asDelivery(completed);
  });
}

/** The paths of the proof's pictures, none for what is not there. */
async function claimProof(ctx: Ctx, driver: Actor, id: string, proof: z.output<typeof CompleteInput>) {
  const none = { photo: null, signature: null };
  if (!proof?.photo && !proof?.signature) return none;
  // Looked at first: nobody's images are worked on for another's delivery, nor for one whose proof is there already.
  const pkg = await findPackage(ctx.db, id, null);
  if (!isOwn(pkg, driver)) throw notOwn(pkg, driver, 'it cannot be completed');
  if (pkg.status === 'delivered') return none;
  const claim = async (field: 'photo' | 'signature') =>
    proof[field] ? claimImage(ctx, driver, proof[field], 'proofs', `delivery:${id}`, field) : null;
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

    const at = ctx.now();
    const failed = await setFailed(tx, id, at, location ?? null);
    if (!failed) throw notFound('delivery');
    const attempt = await insertAttempt(tx, pkg, 'failed', { endedAt: at, timeZone });
    await recordPackage(tx, ctx, 'delivery.failed', failed, actor.id, {
      note: reason,
      previousDriverId: pkg.driver_id,
      attempt,
    });
    return asDelivery(failed);
  });
}

export async function assignDelivery(ctx: Ctx, actor: Actor, id: string, driverId: string): Promise<Delivery> {
  const delivery = await assign(ctx, actor, id, driverId);
  // Outside of the transaction: a repeat by the same Idempotency-Key is answered without one, with the contact all the same.
  const pkg = await findPackage(ctx.db, id, null);
  if (pkg) await noteContactViews(ctx.db, actor, [pkg]);
  return delivery;
}

function assign(ctx: Ctx, actor: Actor, id: string, driverId: string): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!pkg) throw notFound('delivery');
    if (!statusAfter('assign', pkg.status)) throw illegalStep(pkg, 'it cannot be assigned');
    if (!(await lockActiveDriver(tx, driverId))) throw invalid({ driverId: 'This is not an active driver' });
    if (pkg.driver_id === driverId && pkg.status === 'in transit') return asDelivery(pkg);

    const assigned = await setStarted(tx, id, driverId, estimate(pkg, ctx.now()));
    if (!assigned) throw notFound('delivery');
    await recordPackage(tx, ctx, 'delivery.assigned', assigned, actor.id, { previousDriverId: pkg.driver_id });
    return asDelivery(assigned);
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
