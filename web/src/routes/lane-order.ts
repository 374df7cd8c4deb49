import type { Depot, Route } from '@waybill/contract';
import { endOf, openStops } from './plan.ts';
import { latenessOf } from './timeline.ts';

/** By what the lanes and the timeline can be sorted; otherwise they stand in the order in which the routes were made. */
export const laneOrders = ['driver', 'end', 'stops', 'kilograms', 'late'] as const;
export type LaneOrder = (typeof laneOrders)[number];

/** The routes as a dispatcher wants to see them. Names in their alphabet, all else with what presses most first: the last end, the most. */
export function inLaneOrder(
  routes: readonly Route[],
  order: LaneOrder | undefined,
  nameOf: (driverId: string | null) => string,
  { timeZone }: Pick<Depot, 'timeZone'>,
): readonly Route[] {
  if (!order) return routes;
  // Routes without a driver are to be given one: they come first.
  if (order === 'driver')
    return routes.toSorted(
      (a, b) =>
        Number(a.driverId !== null) - Number(b.driverId !== null) ||
        nameOf(a.driverId).localeCompare(nameOf(b.driverId)),
    );
  const amount = {
    end: (route: Route) => Date.parse(endOf(route) ?? '1970-01-01T00:00:00Z'),
    stops: (route: Route) => openStops(route).length,
    kilograms: (route: Route) => route.kilograms,
    late: ({ stops }: Route) => stops.filter((stop) => latenessOf(stop, timeZone) !== null).length,
  }[order];
  const amounts = new Map(routes.map((route) => [route.id, amount(route)]));
  return routes.toSorted((a, b) => (amounts.get(b.id) ?? 0) - (amounts.get(a.id) ?? 0));
}
