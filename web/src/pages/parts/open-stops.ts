import type { Delivery, Route, Stop } from '@waybill/contract';
import { deliveryOf, openStops } from '../../routes/rounds.ts';

/**
 * The open stops as a driver takes them: the one marked as next, then those of the round in its order, then what is on the road besides.
 *
 * @param listed the driver's open deliveries by when they are due, at least the first page
 */
export function inOrder(round: Route | null, next: Delivery | null, listed: Delivery[]): Delivery[] {
  const onRound = round ? openStops(round).map(deliveryOf) : [];
  const known = new Map(listed.map((delivery) => [delivery.id, delivery]));
  // The list knows instructions that have changed, the round when the driver is expected.
  const stops: Delivery[] = onRound.map((stop) => ({ ...stop, ...newer(known.get(stop.id), stop) }));
  const ids = new Set(stops.map(({ id }) => id));
  const ordered = [...stops, ...listed.filter(({ id }) => !ids.has(id))];
  if (!next) return ordered;
  const marked = ordered.find(({ id }) => id === next.id);
  return [{ ...marked, ...newer(next, marked ?? next) }, ...ordered.filter(({ id }) => id !== next.id)];
}

/** The numbers of these stops on the round; what is on the road besides comes after its last. */
export function numbersOf(stops: Pick<Stop, 'packageId' | 'position'>[], taken: { id: string }[]): number[] {
  const positions = new Map(stops.map(({ packageId, position }) => [packageId, position]));
  let last = stops.length;
  return taken.map(({ id }) => positions.get(id) ?? ++last);
}

const newer = (one: Delivery | undefined, other: Delivery): Delivery =>
  one && one.version >= other.version ? one : other;
