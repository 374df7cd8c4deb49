import { estimateDelivery, withTheDriver } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Attempt, PackageEvent } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { packageEventNow } from './package-event.ts';
import { asWindow, failedAttemptsOf, type PackageRow } from './row.ts';
import {
  deleteCompletedAttempt,
  findRatedAt,
  insertAttempts,
  markStaleReturns,
  setArrived,
  setCollected,
  setCompleted,
  setDeferred,
  setFailed,
  setLocation,
  setNext,
  setReleased,
  setReopened,
  setRetracted,
  setReturned,
  setStarted,
} from './transition-queries.ts';

/** A state transition of a delivery. */
export type Transition =
  /** `stop`: as a stop of a started route, with its own forecast. */
  | { kind: 'start'; driverId: string; stop?: RouteStop }
  | { kind: 'assign'; driverId: string; stop?: RouteStop }
  /** `location`: where it is now; null keeps the last one. `depotId`: where it waits. */
  | { kind: 'release'; location?: string | null; depotId?: string }
  | { kind: 'next' }
  /** Another stop of the route is next. */
  | { kind: 'defer' }
  /** `at` of this and the next two: when it happened by the driver's device, no earlier than the start; without it now. */
  | { kind: 'arrive'; at?: Date | null }
  /** Not at the door after all. */
  | { kind: 'retract' }
  | { kind: 'locate'; location: string }
  /** Its owner has it back. */
  | { kind: 'return'; at?: Date | null; receivedBy: string | null; note: string | null }
  /** Handed over at the depot. */
  | { kind: 'collect'; receivedBy: string | null; note: string | null }
  /** In transit with this driver again, or waiting. `voided`: what its completion left, which goes. */
  | { kind: 'reopen'; driverId: string | null; reason: string; voided: VoidedCompletion }
  /** `timeZone`: the zone of the eta's day, by which the delivery is on time or late. */
  | { kind: 'complete'; at?: Date | null; receivedBy: string | null; note: string | null; timeZone: string }
  /** Returns the package to the pool, for any driver to claim. `location`: where it is now; null keeps the last one. */
  | {
      kind: 'fail';
      at?: Date | null;
      /** With the driver's note. */
      reason: string;
      location: string | null;
      timeZone: string;
      /** The path of an image. */
      photo?: string | null;
      cardLeft?: boolean;
      nextDay?: string | null;
      /** With this number of failed attempts it goes back to its owner. */
      maxAttempts: number;
    };

/** What the completion of a reopened delivery left. */
export interface VoidedCompletion {
  /** Its attempt; null if it was collected. */
  attempt: Attempt | null;
  /** By field of the proof; without those that it had not. */
  proof: Record<string, string>;
  /** Those of its owner and its recipient. */
  ratings: { stars: number; at: Date }[];
}

interface RouteStop {
  routeId: string;
  arrivesAt: Date;
  /** The first stop of a route that starts is out for delivery at once. */
  isNext?: boolean;
}

export interface TransitionOf<T extends Transition = Transition> {
  /** As locked. */
  pkg: PackageRow;
  to: T;
  /** Null for the recipient. */
  actorId: string | null;
}

const eventTypes = {
  start: 'delivery.started',
  assign: 'delivery.assigned',
  release: 'delivery.released',
  next: 'delivery.next',
  defer: 'delivery.deferred',
  arrive: 'delivery.arrived',
  retract: 'delivery.arrival-retracted',
  locate: 'delivery.located',
  complete: 'delivery.completed',
  return: 'package.returned',
  collect: 'package.collected',
  reopen: 'delivery.reopened',
  fail: 'delivery.failed',
} as const satisfies Record<Transition['kind'], PackageEvent['type']>;

/**
 * Carries out the transitions of any number of packages, one of each, in one round trip: updates the rows and records the attempts that
 * they end. Requires the row locks. Callers check permissions and whether the status allows the transition, and record the events.
 *
 * @returns the changed rows and their events, in the order of the transitions
 */
export async function changePackages(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  transitions: TransitionOf[],
): Promise<{ row: PackageRow; event: PackageEvent }[]> {
  const at = ctx.now();
  const ofKind = <K extends Transition['kind']>(...kinds: K[]) =>
    transitions.filter((one): one is TransitionOf<Extract<Transition, { kind: K }>> =>
      (kinds as string[]).includes(one.to.kind),
    );
  const changeOf = ({ pkg }: TransitionOf) => ({ given_id: pkg.id, given_at: at });
  const [attempts, ...changed] = await Promise.all([
    insertAttempts(
      tx,
      ofKind('complete', 'fail').map(({ pkg, to }) => ({
        pkg,
        outcome: to.kind === 'complete' ? 'completed' : 'failed',
        endedAt: to.at ?? at,
        recordedAt: to.at ? at : null,
        timeZone: to.timeZone,
        reason: to.kind === 'fail' ? to.reason : null,
        photo: to.kind === 'fail' ? (to.photo ?? null) : null,
        cardLeft: to.kind === 'fail' ? to.cardLeft === true : null,
      })),
    ),
    setStarted(
      tx,
      ofKind('start', 'assign').map((one) => ({
        ...changeOf(one),
        given_driver: one.to.driverId,
        given_forecast: one.to.stop?.arrivesAt ?? estimateDelivery(at, asWindow(one.pkg)),
        given_route: one.to.stop?.routeId ?? null,
        given_status: one.to.stop?.isNext ? 'out for delivery' : 'in transit',
      })),
    ),
    setReleased(
      tx,
      ofKind('release').map((one) => ({
        ...changeOf(one),
        given_place: one.to.location ?? null,
        given_depot: one.to.depotId ?? null,
      })),
    ),
    setNext(tx, ofKind('next').map(changeOf)),
    setDeferred(tx, ofKind('defer').map(changeOf)),
    setArrived(
      tx,
      ofKind('arrive').map((one) => ({ ...changeOf(one), given_time: one.to.at ?? at })),
    ),
    setRetracted(tx, ofKind('retract').map(changeOf)),
    setLocation(
      tx,
      ofKind('locate').map((one) => ({ ...changeOf(one), given_place: one.to.location })),
    ),
    setCompleted(
      tx,
      ofKind('complete').map((one) => ({
        ...changeOf(one),
        given_receiver: one.to.receivedBy,
        given_time: one.to.at ?? at,
      })),
    ),
    setReturned(
      tx,
      ofKind('return').map((one) => ({
        ...changeOf(one),
        given_receiver: one.to.receivedBy,
        given_time: one.to.at ?? at,
      })),
    ),
    setCollected(
      tx,
      ofKind('collect').map((one) => ({ ...changeOf(one), given_receiver: one.to.receivedBy })),
    ),
    setReopened(
      tx,
      ofKind('reopen').map((one) => ({
        ...changeOf(one),
        given_driver: one.to.driverId,
        given_forecast: one.to.driverId === null ? null : estimateDelivery(at, asWindow(one.pkg)),
        given_place: placeOfReopened(one),
      })),
    ),
    setFailed(
      tx,
      ofKind('fail').map((one) => ({
        ...changeOf(one),
        given_place: one.to.location,
        given_time: one.to.at ?? at,
        given_day: one.to.nextDay ?? null,
        given_return: failedAttemptsOf(one.pkg) + 1 >= one.to.maxAttempts,
      })),
    ),
  ]);
  await markStaleReturns(
    tx,
    ofKind('return').map(({ to }) => to.at ?? at),
  );
  const rowOf = new Map(changed.flat().map((row) => [row.id, row]));
  const attemptOf = new Map(attempts.map(({ packageId, ...attempt }) => [packageId, attempt]));
  return transitions.map(({ pkg, to, actorId }) => {
    const row = rowOf.get(pkg.id);
    if (!row) throw notFound('delivery');
    const attempt = attemptOf.get(pkg.id);
    const happenedAt = 'at' in to ? to.at : null;
    const event = packageEventNow(ctx, eventTypes[to.kind], row, actorId, {
      ...(happenedAt && { at: happenedAt, recordedAt: row.updated_at }),
      ...(attempt && { attempt }),
      ...(['complete', 'return', 'collect'].includes(to.kind) && { note: (to as { note: string | null }).note }),
      ...((to.kind === 'fail' || to.kind === 'reopen') && { note: to.reason }),
      ...(to.kind === 'reopen' && detailsOfReopened(pkg, to)),
      ...(['assign', 'release', 'fail'].includes(to.kind) && { previousDriverId: pkg.driver_id }),
    });
    return { row, event };
  });
}

/** Removes the attempt that completed a locked package. @returns it, with the ratings that the transition `reopen` removes */
export async function voidCompletion(tx: Tx, pkg: PackageRow): Promise<Pick<VoidedCompletion, 'attempt' | 'ratings'>> {
  const [attempt, ratedAt] = await Promise.all([deleteCompletedAttempt(tx, pkg.id), findRatedAt(tx, pkg.id)]);
  const ratings = [
    { stars: pkg.rating_stars, at: ratedAt.owner },
    { stars: pkg.recipient_stars, at: ratedAt.recipient },
  ];
  return { attempt, ratings: ratings.flatMap(({ stars, at }) => (stars && at ? { stars, at } : [])) };
}

/** With its driver, or at the depot where it was collected. Else nobody knows. */
function placeOfReopened({ pkg, to: { driverId, voided } }: TransitionOf<Extract<Transition, { kind: 'reopen' }>>) {
  if (driverId !== null) return withTheDriver;
  return voided.attempt === null ? pkg.location : null;
}

const detailsOfReopened = (pkg: PackageRow, { driverId, voided }: Extract<Transition, { kind: 'reopen' }>) => ({
  ...(voided.attempt && { attempt: voided.attempt }),
  lostRatings: voided.ratings,
  previousDriverId: driverId === null ? pkg.driver_id : null,
  changes: Object.fromEntries(Object.entries(voided.proof).map(([field, value]) => [field, { from: value, to: null }])),
});
