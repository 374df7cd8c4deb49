import { estimateLeg, type Point } from '../travel/estimate.ts';

/** A small day with one best plan: two drivers, of whom one sets out elsewhere, and six stops. The fourth has a window of 10 min. */
export const smallDay = {
  depot: { lon: 9.99, lat: 53.55 },
  /** Where the second driver begins, so that no other plan is as good by swapping the drivers. */
  home: { lon: 10.04, lat: 53.56 },
  stops: [
    { lon: 10.01, lat: 53.551 },
    { lon: 10.03, lat: 53.562 },
    { lon: 10.018, lat: 53.541 },
    { lon: 9.97, lat: 53.549 },
    { lon: 9.955, lat: 53.556 },
    { lon: 9.962, lat: 53.538 },
  ],
  withWindow: 3,
  windowSeconds: 600,
  serviceSeconds: 180,
} as const;

/** What it costs to serve stops of the small day in this order, or Infinity after the window. */
export function costOfOrder(
  start: Point,
  order: readonly number[],
  until: number = smallDay.windowSeconds,
  stops: readonly Point[] = smallDay.stops,
): number {
  if (order.length === 0) return 0;
  const { depot, withWindow, serviceSeconds } = smallDay;
  let [cost, clock] = [0, 0];
  let at = start;
  for (const stop of order) {
    const next = stops[stop] ?? depot;
    const { seconds, metres } = estimateLeg(at, next);
    cost += seconds + 0.02 * metres;
    clock += seconds;
    if (stop === withWindow && clock > until) return Infinity;
    clock += serviceSeconds;
    at = next;
  }
  const back = estimateLeg(at, depot);
  return cost + back.seconds + 0.02 * back.metres;
}

const ordersOf = (stops: readonly number[]): number[][] =>
  stops.length === 0
    ? [[]]
    : stops.flatMap((first) => ordersOf(stops.filter((stop) => stop !== first)).map((rest) => [first, ...rest]));

/** Every way to share and order the stops of the small day, the cheapest first: counted without the optimizer. */
export function everyPlan(): { near: number[]; far: number[]; cost: number }[] {
  const { depot, home, stops } = smallDay;
  const all = stops.map((_, stop) => stop);
  return Array.from({ length: 2 ** stops.length }, (_, mask) => {
    const mine = all.filter((stop) => mask & (1 << stop));
    const rest = all.filter((stop) => !(mask & (1 << stop)));
    // A plan gives nobody more than 1.4 times the mean.
    if (mine.length > 5 || rest.length > 5) return [];
    return ordersOf(mine).flatMap((near) =>
      ordersOf(rest).map((far) => ({ near, far, cost: costOfOrder(depot, near) + costOfOrder(home, far) })),
    );
  })
    .flat()
    .toSorted((one, other) => one.cost - other.cost);
}
