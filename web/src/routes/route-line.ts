import type { Depot, Route, Stop } from '@waybill/contract';
import type { LonLat } from '../maps/map-types.ts';

export const positionOf = ({ lon, lat }: LonLat): LonLat => ({ lon, lat });

/** Where a stop is; null unless its place is known better than by its town. */
export const positionOfStop = ({ place }: Pick<Stop['delivery'], 'place'>): LonLat | null =>
  place && place.accuracy !== 'town' ? positionOf(place) : null;

/** The way of a route: from where its driver sets out, through its stops in order, to where they end. At the depot unless they have a place of their own. */
export function lineOf({ start, end, stops }: Pick<Route, 'start' | 'end' | 'stops'>, depot: Depot['place']): LonLat[] {
  const base = depot && depot.accuracy !== 'town' ? positionOf(depot) : null;
  const along = stops.flatMap(({ delivery }) => positionOfStop(delivery) ?? []);
  if (along.length === 0) return [];
  return [start ?? base, ...along, end ?? base].filter((at) => at !== null);
}
