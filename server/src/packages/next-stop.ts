import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { markNext, type HeldNextStop } from '../events/event-jobs.ts';
import { lockNextStops, untilNextStopIsFree, waitForNextStop } from './on-routes.ts';
import { recordPackages } from './package-event.ts';
import { addressOf, destinationOf, hasArrived, type PackageRow } from './row.ts';
import { changePackages, type TransitionOf } from './transitions.ts';

async function changeAll(ctx: Pick<Ctx, 'now'>, tx: Tx, transitions: TransitionOf[]): Promise<void> {
  if (transitions.length === 0) return;
  const changed = await changePackages(ctx, tx, transitions);
  await recordPackages(
    tx,
    changed.map(({ event }) => event),
  );
}

/**
 * Marks the first stop in transit of each started route as the next one, where no other is: at once, or by a job where another transaction
 * has it.
 * @param actors by route
 */
export async function markNextStops(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actors: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (actors.size === 0) return;
  const { free, held } = await lockNextStops(tx, [...actors.keys()]);
  const actorOf = (routeId: string | null) => actors.get(routeId ?? '') ?? null;
  await changeAll(
    ctx,
    tx,
    free.map((pkg) => ({ pkg, to: { kind: 'next' }, actorId: actorOf(pkg.route_id) })),
  );
  await tx.enqueue(
    held.map((routeId) => ({
      name: markNext,
      payload: { routeId, actorId: actorOf(routeId) } satisfies HeldNextStop,
    })),
  );
}

export const markNextStop = (ctx: Pick<Ctx, 'now'>, tx: Tx, routeId: string, actorId: string | null): Promise<void> =>
  markNextStops(ctx, tx, new Map([[routeId, actorId]]));

/** Marks a next stop that another transaction had when the stop before it ended. Changes nothing if the route has one. */
export async function markHeldNextStop(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { routeId, actorId }: HeldNextStop,
): Promise<void> {
  await untilNextStopIsFree(ctx.db, routeId);
  await ctx.db.transaction(async (tx) => {
    await waitForNextStop(tx, routeId);
    await markNextStop(ctx, tx, routeId, actorId);
  });
}

const lower = (part: string | null) => (part ?? '').replaceAll(/\s+/g, ' ').trim().toLowerCase();

/** Whether both go to the same address text: street with number, postal code and city, without regard to case and blanks. */
function haveSameAddress(one: PackageRow, other: PackageRow): boolean {
  const [here, there] = [addressOf(destinationOf(one)), addressOf(destinationOf(other))];
  if (!here || !there) return false;
  return (['street', 'postalCode', 'city'] as const).every((part) => lower(here[part]) === lower(there[part]));
}

/** A step after which other stops of its route are no longer out for delivery. */
export interface StepAhead {
  pkg: PackageRow;
  kind: 'next' | 'arrive';
  actorId: string | null;
}

/**
 * Puts other stops of the routes that are out for delivery back to in transit: all when a package becomes the next stop; when the driver
 * arrives at it, all but those at the same address where the driver has arrived as well.
 * @param steps one of a route
 * @param locked packages that are locked, of the routes and others
 */
export async function deferOthers(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  steps: StepAhead[],
  locked: Iterable<PackageRow>,
): Promise<void> {
  const ahead = new Map(steps.map((step) => [step.pkg.route_id ?? '', step]));
  await changeAll(
    ctx,
    tx,
    [...locked].flatMap((other) => {
      const step = other.route_id === null ? undefined : ahead.get(other.route_id);
      return step && isDeferredBy(step, other) ? { pkg: other, to: { kind: 'defer' }, actorId: step.actorId } : [];
    }),
  );
}

const isDeferredBy = ({ pkg, kind }: StepAhead, other: PackageRow): boolean =>
  other.id !== pkg.id &&
  other.driver_id === pkg.driver_id &&
  other.status === 'out for delivery' &&
  !(kind === 'arrive' && hasArrived(other) && haveSameAddress(pkg, other));
