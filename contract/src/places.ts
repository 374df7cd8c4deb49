import * as z from 'zod/mini';

/**
 * How exactly a place is known: `rooftop` the building, `street` somewhere on its street, `town` no more than the middle of the town, which
 * nobody is sent to, `pin` where somebody put a pin.
 */
export const placeAccuracies = ['rooftop', 'street', 'town', 'pin'] as const;
export type PlaceAccuracy = (typeof placeAccuracies)[number];

/** Degrees of longitude and latitude, WGS 84. */
export const Position = z.object({ lon: z.number(), lat: z.number() });
export type Position = z.output<typeof Position>;

/** `source`: who says so, such as `pin`, `address book`, or the name of a geocoder. */
export const Place = z.extend(Position, { accuracy: z.enum(placeAccuracies), source: z.string() });
export type Place = z.output<typeof Place>;

const degrees = (label: string, limit: number) => {
  const error = `${label} must be between -${limit} and ${limit}`;
  return z.number(`${label} must be a number`).check(z.minimum(-limit, error), z.maximum(limit, error));
};

export const PositionInput = z.strictObject({ lon: degrees('Longitude', 180), lat: degrees('Latitude', 90) });
export type PositionInput = z.output<typeof PositionInput>;
