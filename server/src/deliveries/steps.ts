import {
  messages,
  missingProofMessage,
  statusAfter,
  type CompleteInput,
  type Delivery,
  type PackageStatus,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { attachImages, processUpload } from '../images/service.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackages } from '../packages/package-event.ts';
import { findPackage, lockFreePackages, lockPackage, type PackageRow } from '../packages/row.ts';
import { findRouteDriver } from '../packages/on-routes.ts';
import { markNextStop } from '../packages/next-stop.ts';
import { changePackages, type Transition } from '../packages/transitions.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { openGroupCommit, type BatchResults } from '../platform/database/group-commit.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { keyedRequestOf, lockNewKeys, storeReplies, type KeyedRequest } from '../platform/http/idempotency.ts';
import { requireActive, whichAreActive } from '../users/service.ts';
import { insertProofs } from './queries.ts';
import { asDelivery, hasStarted } from './view.ts';

type StepKind = 'start' | 'next' | 'complete' | 'fail';

/** A driver's step of one delivery. */
interface Step {
  actor: Actor;
  id: string;
  to: Extract<Transition, { kind: StepKind }>;
  /** Storage paths of the processed images of a proof; null for an image that was not sent. */
  images: { photo: string | null; signature: string | null };
}

const noImages = { photo: null, signature: null };

/** Other drivers' deliveries answer 404 to this driver, as if they did not exist. */
export const isOwn = (pkg: PackageRow | null, driver: Actor): pkg is PackageRow =>
  pkg !== null && pkg.driver_id === driver.id;

/** The error for a delivery that is not the driver's: `illegal_step` if the driver could claim it, else `not_found`. */
export function notOwnError(pkg: PackageRow | null, driver: Actor, consequence: string): AppError {
  const claimable = pkg?.status === 'processing' && driver.permissions.includes('deliveries.claim');
  return claimable ? illegalStep(pkg, consequence) : notFound('delivery');
}

function cannotStart(pkg: PackageRow): AppError {
  const isWithdrawn = pkg.status === 'cancelled' || pkg.status === 'inactive';
  return isWithdrawn
    ? new AppError('no_longer_available', messages.noLongerAvailable)
    : new AppError('already_started', messages.alreadyStarted);
}

const isOnOwnRoute = async (tx: Tx, pkg: PackageRow, driver: Actor): Promise<boolean> =>
  pkg.route_id !== null && (await findRouteDriver(tx, pkg.route_id)) === driver.id;

const refusals = {
  next: 'it cannot become the next stop',
  complete: 'it cannot be completed',
  fail: 'it cannot fail',
};

/** The status that shows a repeated step. A failed delivery can fail again only after it was started again. */
const doneStatus: Partial<Record<StepKind, PackageStatus>> = { next: 'out for delivery', complete: 'delivered' };

/**
 * Decides a step by the locked row.
 * @returns whether the step was taken before: phones repeat requests on bad networks, and get the present state
 * @throws the error for the caller
 */
function decide({ actor, to, images }: Step, pkg: PackageRow | null): { pkg: PackageRow; isRepeated: boolean } {
  if (to.kind === 'start') {
    if (!pkg) throw notFound('delivery');
    if (pkg.planned) throw new AppError('planned', messages.planned);
    const isRepeated = pkg.driver_id === actor.id && hasStarted(pkg.status);
    if (!isRepeated && !statusAfter('start', pkg.status)) throw cannotStart(pkg);
    return { pkg, isRepeated };
  }
  const mayFail = to.kind === 'fail' && actor.permissions.includes('deliveries.assign');
  if (!pkg || (!isOwn(pkg, actor) && !mayFail)) throw notOwnError(pkg, actor, refusals[to.kind]);
  if (pkg.status === doneStatus[to.kind]) return { pkg, isRepeated: true };
  if (!statusAfter(to.kind, pkg.status)) throw illegalStep(pkg, refusals[to.kind]);
  if (to.kind === 'complete' && pkg.handling_signature_required && !to.receivedBy && !images.signature)
    throw invalid({ receivedBy: missingProofMessage });
  return { pkg, isRepeated: false };
}

/** Takes steps that were decided, of a package each. @param store runs with the replies, in the order of the steps */
async function carryOut(
  ctx: Ctx,
  tx: Tx,
  steps: { step: Step; pkg: PackageRow }[],
  store: (deliveries: Delivery[]) => Promise<void> = async () => {},
): Promise<Delivery[]> {
  const proofs = steps.flatMap(({ step: { to, images }, pkg }) =>
    to.kind === 'complete' ? { packageId: pkg.id, note: to.note, ...images } : [],
  );
  const [changed] = await Promise.all([
    changePackages(
      ctx,
      tx,
      steps.map(({ step: { actor, to }, pkg }) => ({ pkg, to, actorId: actor.id })),
    ),
    insertProofs(tx, proofs),
  ]);
  const deliveries = changed.map(({ row }) => asDelivery(row));
  await Promise.all([
    recordPackages(
      tx,
      changed.map(({ event }) => event),
    ),
    store(deliveries),
  ]);
  return deliveries;
}

/** Takes a step in a transaction of its own, which waits for the package. */
async function takeStep(ctx: Ctx, step: Step): Promise<Delivery> {
  const { actor, id, to, images } = step;
  return ctx.db.transaction(async (tx) => {
    // A start guards against a concurrent suspension of the driver.
    const [, locked] = await Promise.all([to.kind === 'start' && requireActive(tx, actor.id), lockPackage(tx, id)]);
    if (to.kind === 'start' && locked?.planned && (await isOnOwnRoute(tx, locked, actor)))
      throw new AppError('planned', messages.startYourRoute);
    const { pkg, isRepeated } = decide(step, locked);
    if (isRepeated) return asDelivery(pkg);
    const paths = [images.photo, images.signature].filter((path) => path !== null);
    if (paths.length > 0) await attachImages(tx, actor, `delivery:${id}`, paths, images.photo ? 'photo' : 'signature');
    const [delivery] = await carryOut(ctx, tx, [{ step, pkg }]);
    if (!delivery) throw notFound('delivery');
    if (pkg.route_id && (to.kind === 'complete' || to.kind === 'fail'))
      await markNextStop(ctx, tx, pkg.route_id, actor.id);
    return delivery;
  });
}

interface SharedStep extends Step {
  /** The request, if it has an Idempotency-Key. */
  request: KeyedRequest | null;
}

/**
 * Takes steps of several requests. Leaves out those that are refused or must wait: packages, accounts and Idempotency-Keys that another
 * transaction has locked, stops of routes, repeated steps, and all but one of the changes of a package. `takeStep` then waits, and finds the error, the
 * stored reply or the present state.
 */
async function takeTogether(ctx: Ctx, tx: Tx, steps: SharedStep[]): Promise<BatchResults<Delivery>> {
  const starters = steps.flatMap(({ actor, to }) => (to.kind === 'start' ? actor.id : []));
  const [newKeys, active, locked] = await Promise.all([
    lockNewKeys(
      tx,
      steps.flatMap(({ request }) => request ?? []),
    ),
    whichAreActive(tx, [...new Set(starters)]),
    lockFreePackages(tx, [...new Set(steps.map(({ id }) => id))]),
  ]);
  const free = new Map(locked.map((pkg) => [pkg.id, pkg]));
  const delivered = new Map<SharedStep, Delivery>();
  const decided: { step: SharedStep; pkg: PackageRow }[] = [];
  for (const step of steps) {
    const found = free.get(step.id);
    // A stop of a route changes the next one as well, so it goes alone.
    if (!found || found.route_id !== null || (step.request && !newKeys.has(step.request))) continue;
    if (step.to.kind === 'start' && !active.has(step.actor.id)) continue;
    const decision = decideOrNull(step, found);
    if (!decision || decision.isRepeated) continue;
    decided.push({ step, pkg: decision.pkg });
    free.delete(step.id);
  }
  const storeAll = (deliveries: Delivery[]) => {
    for (const [index, { step }] of decided.entries()) delivered.set(step, deliveries[index] as Delivery);
    return storeReplies(tx, Array.from(delivered, ([{ request }, reply]) => ({ request, reply })).filter(isKeyed));
  };
  if (decided.length > 0) await carryOut(ctx, tx, decided, storeAll);
  return steps.map((step) => {
    const result = delivered.get(step);
    return result ? { result } : null;
  });
}

const isKeyed = (one: {
  request: KeyedRequest | null;
  reply: Delivery;
}): one is { request: KeyedRequest; reply: Delivery } => one.request !== null;

function decideOrNull(step: Step, pkg: PackageRow): ReturnType<typeof decide> | null {
  try {
    return decide(step, pkg);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

type TakeStep = (ctx: Ctx, step: Step) => Promise<Delivery>;

/** The steps of deliveries, each taken by `take`. */
const stepsBy = (take: TakeStep) => ({
  start: (ctx: Ctx, driver: Actor, id: string) =>
    take(ctx, { actor: driver, id, to: { kind: 'start', driverId: driver.id }, images: noImages }),
  next: (ctx: Ctx, driver: Actor, id: string) =>
    take(ctx, { actor: driver, id, to: { kind: 'next' }, images: noImages }),
  async complete(ctx: Ctx, driver: Actor, id: string, proof: z.output<typeof CompleteInput>) {
    const images = await processProof(ctx, driver, id, proof);
    const { timeZone } = await ctx.settings.find();
    const to = {
      kind: 'complete',
      receivedBy: proof?.receivedBy || null,
      note: proof?.note || null,
      timeZone,
    } as const;
    return take(ctx, { actor: driver, id, to, images });
  },
  /** Ends the attempt and makes the package claimable again. For its driver, or with `deliveries.assign`. */
  async fail(
    ctx: Ctx,
    actor: Actor,
    id: string,
    { reason, location }: { reason: string; location?: string | null | undefined },
  ) {
    const { timeZone } = await ctx.settings.find();
    const to = { kind: 'fail', reason, location: location ?? null, timeZone } as const;
    return take(ctx, { actor, id, to, images: noImages });
  },
});

/** Each step in a transaction of its own. */
export const {
  start: startDelivery,
  next: markNext,
  complete: completeDelivery,
  fail: failDelivery,
} = stepsBy(takeStep);

/**
 * The same, but concurrent steps share transactions. Images are stored outside of the database, so a proof with images has a transaction
 * of its own.
 */
export function openSteps(shared: Ctx): ReturnType<typeof stepsBy> {
  const group = openGroupCommit(shared, (tx, steps: SharedStep[]) => takeTogether(shared, tx, steps));
  return stepsBy((ctx, step) => {
    const alone = () => takeStep(ctx, step);
    if (step.images.photo || step.images.signature) return alone();
    return group.run({ ...step, request: keyedRequestOf(ctx.db) }, alone);
  });
}

/** Processes the proof's images. */
async function processProof(
  ctx: Ctx,
  driver: Actor,
  id: string,
  proof: z.output<typeof CompleteInput>,
): Promise<Step['images']> {
  if (!proof?.photo && !proof?.signature) return noImages;
  // Authorize before the expensive re-encoding, and skip it when the delivery already has its proof.
  const pkg = await findPackage(ctx.db, id, null);
  if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, refusals.complete);
  if (pkg.status === 'delivered') return noImages;
  const process = async (field: 'photo' | 'signature') =>
    proof[field] ? processUpload(ctx, driver, proof[field], 'proofs', `delivery:${id}`, field) : null;
  return { photo: await process('photo'), signature: await process('signature') };
}
