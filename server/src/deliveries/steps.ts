import {
  dayIn,
  isOnTheRoad,
  messages,
  missingProofMessage,
  statusAfter,
  type ArriveInput,
  type CompleteDoorInput,
  type CompleteInput,
  type Delivery,
  type DoorReply,
  type FailInput,
  type PackageStatus,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { addImages, processUpload, withdrawImages } from '../images/service.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackages } from '../packages/package-event.ts';
import {
  addressOf,
  findPackage,
  hasArrived,
  isHeldRow,
  lockPackage,
  placeOf,
  type PackageRow,
} from '../packages/row.ts';
import { findRouteDriver, lockFreeRounds, lockOnRound } from '../packages/on-routes.ts';
import { deferOthers, markNextStop, markNextStops, type StepAhead } from '../packages/next-stop.ts';
import { changePackages, type Transition } from '../packages/transitions.ts';
import { rememberAddresses, type Remembered } from '../places/address-book.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { openGroupCommit, type BatchResults } from '../platform/database/group-commit.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { keyedRequestOf, lockNewKeys, storeReplies, type KeyedRequest } from '../platform/http/idempotency.ts';
import { requireActive, whichAreActive } from '../users/service.ts';
import { askedOf, checkPins, notAsked, requireAsked, type Asked } from './asked.ts';
import { insertProofLinks, type ProofFact } from './proof-chain.ts';
import { insertProofs } from './queries.ts';
import { asDelivery, hasStarted } from './view.ts';

type StepKind = 'start' | 'next' | 'arrive' | 'retract' | 'complete' | 'return' | 'fail';

/** A driver's step of one delivery. */
interface Step {
  actor: Actor;
  id: string;
  to: Extract<Transition, { kind: StepKind }>;
  /** When it happened by the driver's device, as sent. */
  at?: string | null | undefined;
  /** Storage paths of the processed images of a proof; null for an image that was not sent. */
  images: { photo: string | null; signature: string | null };
  /** What was asked at the door; without it nothing. */
  asked?: Asked;
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
  arrive: 'nobody can arrive with it',
  retract: 'nobody is at its door',
  complete: 'it cannot be completed',
  return: 'it cannot be completed',
  fail: 'it cannot fail',
};

/** The status that shows a repeated step. A failed delivery can fail again only after it was started again. */
const doneStatus: Partial<Record<StepKind, PackageStatus>> = {
  next: 'out for delivery',
  arrive: 'out for delivery',
  complete: 'delivered',
};

function isDone(kind: StepKind, pkg: PackageRow): boolean {
  if (kind === 'return') return pkg.returned_at !== null;
  if (kind === 'retract') return isOnTheRoad(pkg.status) && !hasArrived(pkg);
  return pkg.status === doneStatus[kind] && (kind !== 'arrive' || hasArrived(pkg));
}

/** The completion of a package that goes back to its owner is its return. */
const asReturn = (step: Step, pkg: PackageRow | null): Step =>
  step.to.kind === 'complete' && pkg?.return_due
    ? { ...step, to: { kind: 'return', receivedBy: step.to.receivedBy, note: step.to.note } }
    : step;

/** How far the clock of a driver's device may be off. */
const clockToleranceMs = 2 * 60_000;
/** How long a device may have been offline. */
const oldestMs = 24 * 3_600_000;

/** The time of a step by the driver's device; null without one. @throws invalid for a time that cannot be right */
function deviceTime(ctx: Pick<Ctx, 'now'>, { at }: Step, pkg: PackageRow): Date | null {
  if (!at) return null;
  const [given, now, startedAt] = [Date.parse(at), ctx.now().getTime(), pkg.started_at?.getTime() ?? 0];
  if (given > now + clockToleranceMs) throw invalid({ at: 'This time is in the future' });
  if (given < startedAt - clockToleranceMs) throw invalid({ at: 'This time is before the start of the delivery' });
  if (given < now - oldestMs) throw invalid({ at: 'This time is more than 24 hours ago' });
  return new Date(Math.min(Math.max(given, startedAt), now));
}

interface Decided {
  step: Step;
  pkg: PackageRow;
  isRepeated: boolean;
}

/**
 * Decides a step by the locked row.
 * @returns whether the step was taken before: phones repeat requests on bad networks, and get the present state. The step that is to be
 *   taken has the time of the device
 * @throws the error for the caller
 */
function decide(ctx: Pick<Ctx, 'now'>, sent: Step, pkg: PackageRow | null): Decided {
  const step = asReturn(sent, pkg);
  const { actor, to, images } = step;
  if (to.kind === 'start') {
    if (!pkg) throw notFound('delivery');
    if (pkg.planned) throw new AppError('planned', messages.planned);
    if (pkg.status === 'processing' && isHeldRow(pkg))
      throw new AppError('no_longer_available', messages.noLongerAvailable);
    const isRepeated = pkg.driver_id === actor.id && hasStarted(pkg.status);
    if (!isRepeated && !statusAfter('start', pkg.status)) throw cannotStart(pkg);
    return { step, pkg, isRepeated };
  }
  const mayFail = to.kind === 'fail' && actor.permissions.includes('deliveries.assign');
  if (!pkg || (!isOwn(pkg, actor) && !mayFail)) throw notOwnError(pkg, actor, refusals[to.kind]);
  if (isDone(to.kind, pkg)) return { step, pkg, isRepeated: true };
  if (!statusAfter(to.kind, pkg.status)) throw illegalStep(pkg, refusals[to.kind]);
  if (to.kind === 'complete') requireAsked(pkg, step.asked);
  if (to.kind === 'complete' && pkg.handling_signature_required && !to.receivedBy && !images.signature)
    throw invalid({ receivedBy: missingProofMessage });
  if (to.kind === 'next' || to.kind === 'retract') return { step, pkg, isRepeated: false };
  return { step: { ...step, to: { ...to, at: deviceTime(ctx, step, pkg) } }, pkg, isRepeated: false };
}

/** Takes steps that were decided, of a package each. @param store runs with the replies, in the order of the steps */
async function carryOut(
  ctx: Ctx,
  tx: Tx,
  steps: { step: Step; pkg: PackageRow }[],
  store: (deliveries: Delivery[]) => Promise<void> = async () => {},
): Promise<Delivery[]> {
  const proofs = steps.flatMap(({ step, pkg }) => proofOf(ctx, step, pkg) ?? []);
  const [changed] = await Promise.all([
    changePackages(
      ctx,
      tx,
      steps.map(({ step: { actor, to }, pkg }) => ({ pkg, to, actorId: actor.id })),
    ),
    insertProofs(tx, proofs),
    insertProofLinks(tx, proofs),
    ...steps.flatMap(({ step: { to }, pkg }) => (to.kind === 'return' ? withdrawImages(tx, pkg.id) : [])),
  ]);
  const deliveries = changed.map(({ row }) => asDelivery(row));
  await Promise.all([
    recordPackages(
      tx,
      changed.map(({ event }) => event),
    ),
    store(deliveries),
    rememberAddresses(tx, steps.flatMap(doorOf), ctx.now()),
  ]);
  return deliveries;
}

function proofOf(ctx: Pick<Ctx, 'now'>, { actor, to, images }: Step, pkg: PackageRow): ProofFact | null {
  if (to.kind !== 'complete' && to.kind !== 'return') return null;
  return {
    ...images,
    packageId: pkg.id,
    trackingId: pkg.tracking_id,
    event: to.kind === 'return' ? 'package.returned' : 'delivery.completed',
    actorId: actor.id,
    deviceTime: to.at ?? null,
    recordedAt: ctx.now(),
    receivedBy: to.receivedBy,
    note: to.note,
    ...(to.kind === 'complete' ? askedOf(pkg) : notAsked),
  };
}

/** The door that a completed delivery proved to be right, for the address book of the owner. */
function doorOf({ step, pkg }: { step: Step; pkg: PackageRow }): Remembered[] {
  const address = step.to.kind === 'complete' ? addressOf(pkg) : null;
  if (!address) return [];
  const place = placeOf(pkg);
  const isExact = place?.accuracy === 'rooftop' || place?.accuracy === 'pin';
  return [{ ownerId: pkg.owner_id, address, name: pkg.recipient_name, place: isExact ? place : null }];
}

/** Takes a step in a transaction of its own, which waits for the package. */
const takeStep = (ctx: Ctx, step: Step): Promise<Delivery> =>
  ctx.db.transaction((tx) => (step.to.kind === 'start' ? takeStart(ctx, tx, step) : takeOnRound(ctx, tx, step)));

async function takeStart(ctx: Ctx, tx: Tx, step: Step): Promise<Delivery> {
  const { actor, id } = step;
  // Guards against a concurrent suspension of the driver.
  const [, locked] = await Promise.all([requireActive(tx, actor.id), lockPackage(tx, id)]);
  if (locked?.planned && (await isOnOwnRoute(tx, locked, actor)))
    throw new AppError('planned', messages.startYourRoute);
  const decided = decide(ctx, step, locked);
  if (decided.isRepeated) return asDelivery(decided.pkg);
  return only(await carryOut(ctx, tx, [decided]));
}

async function takeOnRound(ctx: Ctx, tx: Tx, step: Step): Promise<Delivery> {
  const { actor, id, to, images } = step;
  const locked = await lockOnRound(tx, [id]);
  const decided = decide(ctx, step, locked.get(id.toLowerCase()) ?? null);
  const { pkg } = decided;
  if (decided.isRepeated) return asDelivery(pkg);
  await attachProof(tx, actor, id, images);
  if (to.kind === 'next' || to.kind === 'arrive')
    await deferOthers(ctx, tx, [{ pkg, kind: to.kind, actorId: actor.id }], locked.values());
  const delivery = only(await carryOut(ctx, tx, [decided]));
  if (pkg.route_id && (to.kind === 'complete' || to.kind === 'fail'))
    await markNextStop(ctx, tx, pkg.route_id, actor.id);
  return delivery;
}

function only(deliveries: Delivery[]): Delivery {
  const [delivery] = deliveries;
  if (!delivery) throw notFound('delivery');
  return delivery;
}

async function attachProof(tx: Tx, actor: Actor, id: string, { photo, signature }: Step['images']): Promise<void> {
  const paths = [photo, signature].filter((path) => path !== null);
  if (paths.length > 0) await addImages(tx, actor, `delivery:${id}`, paths, photo ? 'photo' : 'signature');
}

/**
 * Completes all packages of a door, or none. The images of the proof are stored once, with the first package.
 * @throws the first refusal, with the messages of all in `fields`
 */
function takeDoor(ctx: Ctx, steps: Step[]): Promise<DoorReply> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockOnRound(
      tx,
      steps.map(({ id }) => id),
    );
    const decided = decideDoor(ctx, steps, locked);
    const open = decided.filter(({ isRepeated }) => !isRepeated);
    const [first] = open;
    if (!first) return { deliveries: decided.map(({ pkg }) => asDelivery(pkg)) };
    const { actor, images } = first.step;
    await attachProof(tx, actor, first.pkg.id, images);
    const done = new Map((await carryOut(ctx, tx, open)).map((delivery) => [delivery.id, delivery]));
    await markNextStops(ctx, tx, new Map(open.flatMap(({ pkg }) => (pkg.route_id ? [[pkg.route_id, actor.id]] : []))));
    return { deliveries: decided.map(({ pkg }) => done.get(pkg.id) ?? asDelivery(pkg)) };
  });
}

function decideDoor(ctx: Pick<Ctx, 'now'>, steps: Step[], locked: ReadonlyMap<string, PackageRow>): Decided[] {
  const refusals: { index: number; error: AppError }[] = [];
  const decided = steps.flatMap((step, index) => {
    try {
      return [decide(ctx, step, locked.get(step.id) ?? null)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push({ index, error });
      return [];
    }
  });
  const [first] = refusals;
  if (!first) return decided;
  const fields = refusals.map(({ index, error }) => [`deliveryIds.${index}`, error.message]);
  // The field of the proof itself stays named: the form shows it there.
  throw new AppError(first.error.code, first.error.message, {
    fields: { ...first.error.fields, ...Object.fromEntries(fields) },
  });
}

interface SharedStep extends Step {
  /** The request, if it has an Idempotency-Key. */
  request: KeyedRequest | null;
}

/**
 * Takes steps of several requests. Leaves out those that are refused or must wait: packages, routes, accounts and Idempotency-Keys that
 * another transaction has locked, repeated steps, and all but one of the changes of a package or of a route's stops. `takeStep` then waits,
 * and finds the error, the stored reply or the present state.
 */
async function takeTogether(ctx: Ctx, tx: Tx, steps: SharedStep[]): Promise<BatchResults<Delivery>> {
  const starters = steps.flatMap(({ actor, to }) => (to.kind === 'start' ? actor.id : []));
  const [newKeys, active, { packages, routes }] = await Promise.all([
    lockNewKeys(
      tx,
      steps.flatMap(({ request }) => request ?? []),
    ),
    whichAreActive(tx, [...new Set(starters)]),
    lockFreeRounds(tx, [...new Set(steps.map(({ id }) => id))]),
  ]);
  const delivered = new Map<SharedStep, Delivery>();
  const decided: (Decided & { request: SharedStep })[] = [];
  const ahead: StepAhead[] = [];
  /** The actors of the steps that end a stop, by route. */
  const ended = new Map<string, string>();
  for (const step of steps) {
    const { actor, to } = step;
    const found = packages.get(step.id);
    if (!found || (step.request && !newKeys.has(step.request))) continue;
    const { route_id: routeId } = found;
    const isAhead = to.kind === 'next' || to.kind === 'arrive';
    // A waiting package may be on another driver's route, and the next stop depends on all of the route.
    if (routeId !== null && (to.kind === 'start' || !(isAhead ? routes.get(routeId) : routes.has(routeId)))) continue;
    if (to.kind === 'start' && !active.has(actor.id)) continue;
    const decision = decideOrNull(ctx, step, found);
    if (!decision || decision.isRepeated) continue;
    decided.push({ ...decision, request: step });
    packages.delete(step.id);
    if (routeId === null) continue;
    if (isAhead) ahead.push({ pkg: found, kind: to.kind, actorId: actor.id });
    if (to.kind === 'complete' || to.kind === 'fail') ended.set(routeId, actor.id);
    for (const [id, other] of packages) if (other.route_id === routeId) packages.delete(id);
  }
  const storeAll = (deliveries: Delivery[]) => {
    for (const [index, { request }] of decided.entries()) delivered.set(request, deliveries[index] as Delivery);
    return storeReplies(tx, Array.from(delivered, ([{ request }, reply]) => ({ request, reply })).filter(isKeyed));
  };
  await deferOthers(
    ctx,
    tx,
    ahead,
    ahead.flatMap(({ pkg }) => routes.get(pkg.route_id ?? '') ?? []),
  );
  if (decided.length > 0) await carryOut(ctx, tx, decided, storeAll);
  await markNextStops(ctx, tx, ended);
  return steps.map((step) => {
    const result = delivered.get(step);
    return result ? { result } : null;
  });
}

const isKeyed = (one: {
  request: KeyedRequest | null;
  reply: Delivery;
}): one is { request: KeyedRequest; reply: Delivery } => one.request !== null;

function decideOrNull(ctx: Ctx, step: Step, pkg: PackageRow): Decided | null {
  try {
    return decide(ctx, step, pkg);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function completionOf(ctx: Ctx, proof: z.output<typeof CompleteInput>) {
  const { timeZone } = await ctx.settings.find();
  return { kind: 'complete', receivedBy: proof?.receivedBy || null, note: proof?.note || null, timeZone } as const;
}

const pinsOf = ({ pins }: CompleteDoorInput) =>
  Object.entries(pins ?? {}).map(([id, pin]) => ({ id: id.toLowerCase(), pin, field: `pins.${id}` }));

/**
 * Completes all packages of a door with one proof, or none. A repeat gets the present state.
 * @param shared not of this request alone: a wrong PIN counts though the request fails
 */
export async function completeDoor(ctx: Ctx, shared: Ctx, driver: Actor, input: CompleteDoorInput): Promise<DoorReply> {
  const ids = input.deliveryIds.map((id) => id.toLowerCase());
  const given = await checkPins(shared, driver, pinsOf(input));
  const images = await processProof(ctx, driver, ids, input);
  const to = await completionOf(ctx, input);
  return takeDoor(
    ctx,
    ids.map((id) => {
      const asked = { pin: given.has(id), age: input.ageChecked === true };
      return { actor: driver, id, to, at: input.at, images, asked };
    }),
  );
}

type TakeStep = (ctx: Ctx, step: Step) => Promise<Delivery>;

/** The steps of deliveries, each taken by `take`. */
const stepsBy = (take: TakeStep, shared: Ctx | null = null) => ({
  start: (ctx: Ctx, driver: Actor, id: string) =>
    take(ctx, { actor: driver, id, to: { kind: 'start', driverId: driver.id }, images: noImages }),
  next: (ctx: Ctx, driver: Actor, id: string) =>
    take(ctx, { actor: driver, id, to: { kind: 'next' }, images: noImages }),
  arrive: (ctx: Ctx, driver: Actor, id: string, input: z.output<typeof ArriveInput>) =>
    take(ctx, { actor: driver, id, to: { kind: 'arrive' }, at: input?.at, images: noImages }),
  retract: (ctx: Ctx, driver: Actor, id: string) =>
    take(ctx, { actor: driver, id, to: { kind: 'retract' }, images: noImages }),
  async complete(ctx: Ctx, driver: Actor, id: string, proof: z.output<typeof CompleteInput>) {
    const pins = proof?.pin ? [{ id: id.toLowerCase(), pin: proof.pin, field: 'pin' }] : [];
    const given = await checkPins(shared ?? ctx, driver, pins);
    const images = await processProof(ctx, driver, [id], proof);
    const asked = { pin: given.has(id.toLowerCase()), age: proof?.ageChecked === true };
    return take(ctx, { actor: driver, id, to: await completionOf(ctx, proof), at: proof?.at, images, asked });
  },
  /** Ends the attempt and makes the package claimable again. For its driver, or with `deliveries.assign`. */
  async fail(ctx: Ctx, actor: Actor, id: string, { reason, note, location, cardLeft, nextDay, photo, at }: FailInput) {
    const { timeZone } = await ctx.settings.find();
    if (nextDay && nextDay < dayIn(timeZone, ctx.now())) throw invalid({ nextDay: 'This day is in the past' });
    const images = { ...noImages, photo: photo ? await processFailure(ctx, actor, id, photo) : null };
    const to = {
      kind: 'fail',
      reason: note ? `${reason}: ${note}` : reason,
      location: location ?? null,
      timeZone,
      photo: images.photo,
      cardLeft: cardLeft === true,
      nextDay: nextDay ?? null,
      maxAttempts: ctx.config.MAX_ATTEMPTS,
    } as const;
    return take(ctx, { actor, id, to, at, images });
  },
});

/** Each step in a transaction of its own. */
export const {
  start: startDelivery,
  next: markNext,
  arrive: arriveAt,
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
  }, shared);
}

/** Processes the photo of a failed attempt. @returns its path */
async function processFailure(ctx: Ctx, actor: Actor, id: string, photo: string): Promise<string> {
  // Authorize before the expensive re-encoding.
  const pkg = await findPackage(ctx.db, id, null);
  if (!pkg || (!isOwn(pkg, actor) && !actor.permissions.includes('deliveries.assign')))
    throw notOwnError(pkg, actor, refusals.fail);
  return processUpload(ctx, actor, photo, 'proofs', `delivery:${id}`, 'photo');
}

/** Processes the proof's images, for the first of these deliveries that is not completed yet. */
async function processProof(
  ctx: Ctx,
  driver: Actor,
  ids: string[],
  proof: z.output<typeof CompleteInput>,
): Promise<Step['images']> {
  if (!proof?.photo && !proof?.signature) return noImages;
  // Authorize before the expensive re-encoding, and skip it when the deliveries already have their proof.
  let open: string | null = null;
  for (const id of ids) {
    const pkg = await findPackage(ctx.db, id, null);
    if (!isOwn(pkg, driver)) throw notOwnError(pkg, driver, refusals.complete);
    if (pkg.status !== 'delivered' && pkg.returned_at === null) open ??= id;
  }
  if (open === null) return noImages;
  const attachedTo = `delivery:${open}` as const;
  const process = async (field: 'photo' | 'signature') =>
    proof[field] ? processUpload(ctx, driver, proof[field], 'proofs', attachedTo, field) : null;
  return { photo: await process('photo'), signature: await process('signature') };
}
