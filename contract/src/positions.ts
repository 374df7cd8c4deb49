import * as z from 'zod/mini';
import { Instant, InstantInput } from './common.ts';
import { group } from './endpoint.ts';
import { PositionInput } from './places.ts';

/** The most points of one request: a phone keeps more while it is offline, and sends them in turn. */
export const maxPositions = 300;

/** A point is stored if the device's time is at most this much ahead of the server's, and no more than a day behind. */
export const positionTolerance = { aheadMs: 60_000, behindMs: 86_400_000 };

const measured = (label: string, max: number) => {
  const error = `${label} must be from 0 to ${max}`;
  return z.optional(
    z.nullable(z.number(`${label} must be a number`).check(z.minimum(0, error), z.maximum(max, error))),
  );
};

/** Where a device was at a time of its own. `accuracy` in m, `speed` in m/s, `heading` in degrees from north. */
export const DevicePosition = z.extend(PositionInput, {
  at: InstantInput,
  accuracy: measured('Accuracy', 1_000_000),
  speed: measured('Speed', 1000),
  heading: measured('Heading', 360),
});
export type DevicePosition = z.output<typeof DevicePosition>;

export const PositionsInput = z.strictObject({
  positions: z
    .array(DevicePosition)
    .check(
      z.minLength(1, 'Please send at least one position'),
      z.maxLength(maxPositions, `At most ${maxPositions} positions at a time`),
    ),
});
export type PositionsInput = z.output<typeof PositionsInput>;

/**
 * `accepted`: newer than what was known. `late`: from before that, so the driver is not moved; a point that is sent again is one. `refused`: not stored, since it is from the
 * future, older than a day, from before the driver agreed, or from a time off duty.
 */
export const PositionsReply = z.object({ accepted: z.int(), late: z.int(), refused: z.int() });
export type PositionsReply = z.output<typeof PositionsReply>;

/** Where a driver who is on duty or has packages was last. */
export const DriverPosition = z.object({
  driverId: z.string(),
  name: z.string(),
  lon: z.number(),
  lat: z.number(),
  at: Instant,
  /** How long ago that was by the server's clock, in s. */
  ageSeconds: z.int(),
  accuracy: z.nullable(z.number()),
  speed: z.nullable(z.number()),
  heading: z.nullable(z.number()),
  /** How many packages the driver has on the road. */
  carrying: z.int(),
  /** The started route; null without one. */
  routeId: z.nullable(z.string()),
  /** The package that is delivered next; null where none is chosen. */
  next: z.nullable(z.object({ packageId: z.string(), trackingId: z.string(), name: z.string() })),
});
export type DriverPosition = z.output<typeof DriverPosition>;

/** The most drivers and stops of the map of Live Operations. */
export const maxLiveDrivers = 2000;
export const maxLiveStops = 10_000;

/**
 * How much is on the map of Live Operations, read every few seconds. The versions say when to read drivers and stops again, which are
 * thousands.
 */
export const LiveMap = z.object({
  drivers: z.int(),
  /** Drivers whose position is older than 3 minutes. */
  stale: z.int(),
  /** Changes with any position. */
  driversVersion: z.string(),
  stops: z.int(),
  stopsVersion: z.string(),
  /** West, south, east and north of everything; null without anything. */
  bounds: z.nullable(z.array(z.number())),
  /** There are more drivers or stops than the map shows. */
  more: z.boolean(),
});
export type LiveMap = z.output<typeof LiveMap>;

const pointOf = <T extends z.ZodMiniType>(properties: T) =>
  z.object({
    type: z.literal('Feature'),
    geometry: z.object({
      type: z.literal('Point'),
      /** Longitude and latitude. */
      coordinates: z.array(z.number()),
    }),
    properties,
  });

/** Drivers at work, as GeoJSON. `text`: initials, where there are not too many. `stale`: seen more than 3 minutes ago. */
export const LiveDrivers = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(pointOf(z.object({ id: z.string(), name: z.string(), text: z.string(), stale: z.boolean() }))),
});
export type LiveDrivers = z.output<typeof LiveDrivers>;

/** The open stops of the routes on the road, as GeoJSON: the map's thread reads it, so that the page does not handle thousands of stops. */
export const LiveStops = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    pointOf(z.object({ id: z.string(), state: z.enum(['open', 'next', 'arrived']), routeId: z.string() })),
  ),
});
export type LiveStops = z.output<typeof LiveStops>;

/** `keptDays`: how long positions are kept. */
export const PositionConsent = z.object({ agreedAt: z.nullable(Instant), keptDays: z.int() });
export type PositionConsent = z.output<typeof PositionConsent>;

export const PositionConsentInput = z.strictObject({ agreed: z.boolean('Please say yes or no') });

const driver = { access: { role: 'driver' }, scope: 'self' } as const;

export const positions = group({
  /** Of drivers who have agreed, and carry packages or are on duty. At once, without pages. */
  list: {
    method: 'GET',
    path: '/positions',
    summary: 'Where the drivers are who are on duty or carry packages',
    failure: 'Failed to fetch positions.',
    access: { anyOf: ['deliveries.view_all'] },
    scope: 'everything',
    reply: z.array(DriverPosition),
  },
  live: {
    method: 'GET',
    path: '/positions/map',
    summary: 'How much is on the map of Live Operations, and whether it has changed',
    failure: 'Failed to fetch positions.',
    access: { anyOf: ['deliveries.view_all'] },
    scope: 'everything',
    reply: LiveMap,
  },
  drivers: {
    method: 'GET',
    path: '/positions/drivers',
    summary: 'The drivers at work as GeoJSON',
    failure: 'Failed to fetch positions.',
    access: { anyOf: ['deliveries.view_all'] },
    scope: 'everything',
    reply: LiveDrivers,
  },
  stops: {
    method: 'GET',
    path: '/positions/stops',
    summary: 'The open stops of the routes on the road as GeoJSON',
    failure: 'Failed to fetch the stops.',
    access: { anyOf: ['deliveries.view_all'] },
    scope: 'everything',
    reply: LiveStops,
  },
  /** In any order, and as often as a phone repeats it: a point is stored once. */
  report: {
    method: 'POST',
    path: '/positions',
    summary: 'Report where the driver has been, while on duty or carrying packages',
    load: 'actions',
    ...driver,
    body: PositionsInput,
    reply: PositionsReply,
    status: 202,
    repeats: 'are deduplicated by the use case',
    limit: 'own',
    errors: ['no_consent', 'off_duty'],
  },
  consent: {
    method: 'GET',
    path: '/positions/consent',
    summary: 'Whether the driver has agreed that their position is used',
    failure: 'Failed to fetch your choice.',
    ...driver,
    reply: PositionConsent,
  },
  /** Taken back, everything that was stored is deleted. */
  agree: {
    method: 'PUT',
    path: '/positions/consent',
    summary: 'Agree that the position is used, or take that back',
    failure: 'Failed to save your choice.',
    ...driver,
    body: PositionConsentInput,
    reply: PositionConsent,
  },
});
