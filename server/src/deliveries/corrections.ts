import {
  missingProofMessage,
  reopenableHours,
  statusAfter,
  type CollectInput,
  type Delivery,
  type Package,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { addImages, processUpload } from '../images/service.ts';
import { markNextStop } from '../packages/next-stop.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackages } from '../packages/package-event.ts';
import { asPackage, findPackage, lockPackage, type PackageRow } from '../packages/row.ts';
import { auditShownContact } from '../packages/shown-contact.ts';
import { changePackages, voidCompletion, type Transition } from '../packages/transitions.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { isActiveDriver } from '../users/active-driver.ts';
import { askedOf, checkPins, notAsked, requireAsked } from './asked.ts';
import { insertProofLinks } from './proof-chain.ts';
import { deleteProof, insertProofs } from './queries.ts';
import { asDelivery } from './view.ts';

/** What dispatchers do to a delivery without its driver: a package that is collected, and a completion that was a mistake. */

async function change(ctx: Ctx, tx: Tx, pkg: PackageRow, to: Transition, actor: Actor): Promise<PackageRow> {
  const [changed] = await changePackages(ctx, tx, [{ pkg, to, actorId: actor.id }]);
  if (!changed) throw notFound('package');
  await recordPackages(tx, [changed.event]);
  return changed.row;
}

const cannotCollect = 'it cannot be collected';

/** Without a start it was collected. */
const isCollected = (pkg: PackageRow) => pkg.status === 'delivered' && pkg.started_at === null;

/**
 * Hands a waiting package over at the depot. A repeat gets the present state.
 * @param shared not of this request alone: a wrong PIN counts though the request fails
 */
export async function collectPackage(
  ctx: Ctx,
  shared: Ctx,
  actor: Actor,
  id: string,
  proof: z.output<typeof CollectInput>,
): Promise<Package> {
  const pins = proof?.pin ? [{ id: id.toLowerCase(), pin: proof.pin, field: 'pin' }] : [];
  const asked = { pin: (await checkPins(shared, null, pins)).size > 0, age: proof?.ageChecked === true };
  const images = await processProof(ctx, actor, id, proof);
  const reply = await ctx.db.transaction(async (tx) => {
    const locked = await lockPackage(tx, id);
    if (!locked) throw notFound('package');
    if (isCollected(locked)) return asPackage(ctx, locked);
    if (!statusAfter('collect', locked.status)) throw illegalStep(locked, cannotCollect);
    requireAsked(locked, asked);
    if (locked.handling_signature_required && !proof?.receivedBy && !images.signature)
      throw invalid({ receivedBy: missingProofMessage });
    const paths = [images.photo, images.signature].filter((path) => path !== null);
    if (paths.length > 0) await addImages(tx, actor, `delivery:${id}`, paths, images.photo ? 'photo' : 'signature');
    const note = proof?.note || null;
    await insertProofs(tx, [{ packageId: locked.id, note, ...images, ...askedOf(locked) }]);
    await insertProofLinks(tx, [
      {
        ...factOf(ctx, locked, actor),
        ...askedOf(locked),
        ...images,
        event: 'package.collected',
        receivedBy: proof?.receivedBy || null,
        note,
      },
    ]);
    return asPackage(
      ctx,
      await change(ctx, tx, locked, { kind: 'collect', receivedBy: proof?.receivedBy || null, note }, actor),
    );
  });
  await auditShownContact(ctx, actor, id);
  return reply;
}

const factOf = (ctx: Pick<Ctx, 'now'>, pkg: PackageRow, actor: Actor) => ({
  packageId: pkg.id,
  trackingId: pkg.tracking_id,
  actorId: actor.id,
  deviceTime: null,
  recordedAt: ctx.now(),
  receivedBy: null,
  photo: null,
  signature: null,
  ...notAsked,
});

async function processProof(ctx: Ctx, actor: Actor, id: string, proof: z.output<typeof CollectInput>) {
  const none = { photo: null, signature: null };
  if (!proof?.photo && !proof?.signature) return none;
  // Check before the expensive re-encoding, and skip it when the package already has its proof.
  const pkg = await findPackage(ctx.db, id, null);
  if (!pkg) throw notFound('package');
  if (isCollected(pkg)) return none;
  if (!statusAfter('collect', pkg.status)) throw illegalStep(pkg, cannotCollect);
  const process = async (field: 'photo' | 'signature') =>
    proof[field] ? processUpload(ctx, actor, proof[field], 'proofs', `delivery:${id}`, field) : null;
  return { photo: await process('photo'), signature: await process('signature') };
}

const reopenableMs = reopenableHours * 3_600_000;

/** Takes back a delivery that was completed by mistake. */
export async function reopenDelivery(ctx: Ctx, actor: Actor, id: string, reason: string): Promise<Delivery> {
  const delivery = await ctx.db.transaction(async (tx) => {
    // The driver is locked before the package, as everywhere.
    const seen = await findPackage(tx, id, null);
    const isActive = seen?.driver_id ? await isActiveDriver(tx, seen.driver_id) : false;
    const locked = await lockPackage(tx, id);
    if (!locked) throw notFound('delivery');
    if (!statusAfter('reopen', locked.status) || locked.completed_at === null)
      throw illegalStep(locked, 'it cannot be reopened');
    if (locked.completed_at.getTime() < ctx.now().getTime() - reopenableMs)
      throw illegalStep(locked, `it can be reopened for ${reopenableHours} hours only`);
    // Repeats the transaction: this driver's account is not locked.
    if (locked.driver_id !== seen?.driver_id)
      throw Object.assign(new Error('the package got another driver meanwhile'), { code: '40001' });
    const driverId = isActive ? locked.driver_id : null;
    const [completion, proof] = await Promise.all([voidCompletion(tx, locked), deleteProof(tx, locked.id)]);
    await insertProofLinks(tx, [{ ...factOf(ctx, locked, actor), event: 'delivery.reopened', note: reason }]);
    const kept = { ...proof, receivedBy: locked.received_by, completedAt: locked.completed_at.toISOString() };
    const voided = {
      ...completion,
      proof: Object.fromEntries(Object.entries(kept).flatMap(([field, value]) => (value ? [[field, value]] : []))),
    };
    const row = await change(ctx, tx, locked, { kind: 'reopen', driverId, reason, voided }, actor);
    if (row.route_id) await markNextStop(ctx, tx, row.route_id, actor.id);
    return asDelivery(row);
  });
  await auditShownContact(ctx, actor, id);
  return delivery;
}
