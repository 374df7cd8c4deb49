import type { Route } from '@waybill/contract';
import { skillsFor } from '@waybill/contract';
import { formatCountOf, formatWeight } from '../platform/formats.ts';
import { openStops } from './plan.ts';

/** By how much a route exceeds what its driver's vehicle can carry; 0 where it does not. */
export interface Excess {
  kilograms: number;
  stops: number;
  /** The open stops that need to be kept cold, in a vehicle that does not. */
  warm: number;
}

export function exceededBy(route: Route): Excess {
  const { vehicle, kilograms } = route;
  if (!vehicle) return { kilograms: 0, stops: 0, warm: 0 };
  const open = openStops(route);
  const lacks = open.filter(({ delivery }) =>
    skillsFor(delivery.handling).some((skill) => !vehicle.skills.includes(skill)),
  );
  return {
    kilograms: Math.max(0, Math.round((kilograms - (vehicle.capacityKg ?? Infinity)) * 1000) / 1000),
    stops: Math.max(0, open.length - (vehicle.maxStops ?? Infinity)),
    warm: lacks.length,
  };
}

/** Each excess as a sentence. */
export const warningsOf = (route: Route, { kilograms, stops, warm }: Excess): string[] =>
  [
    kilograms > 0 && `${formatWeight(kilograms)} too heavy for this vehicle`,
    stops > 0 && `${formatCountOf(stops, 'stop')} more than the ${route.vehicle?.maxStops} of this vehicle`,
    warm > 0 && `${formatCountOf(warm, 'package')} must be kept cold: this vehicle is not refrigerated`,
  ].filter((warning) => warning !== false);
