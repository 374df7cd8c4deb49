import * as z from 'zod/mini';
import { Day, Instant } from './common.ts';
import { group } from './endpoint.ts';
import { publicEventTypes } from './events.ts';
import { PackageStatus } from './packages.ts';

/**
 * How the recipient's name is shown on the public page: as it is, as first name and initial ('Anna B.', of a single word only the
 * initial), or not at all.
 */
export const PublicRecipient = z.enum(['full', 'masked', 'hidden'], 'must be full, masked or hidden');
export type PublicRecipient = z.output<typeof PublicRecipient>;

/**
 * What anybody who holds the tracking ID sees, the same for every viewer.
 * `location` is where the package is, see Package; once it is delivered the recipient's town, never the address.
 * `recipientName` is null when hidden; it, `sender` and every `location` disappear 30 days after delivery, and at once from what was
 * cancelled or deleted.
 */
export const PublicView = z.object({
  trackingId: z.string(),
  name: z.string(),
  status: PackageStatus,
  location: z.nullable(z.string()),
  eta: z.nullable(Day),
  /** Null before the start, and on the road while nobody brings it: see Package. */
  estimatedDeliveryTime: z.nullable(Instant),
  completedAt: z.nullable(Instant),
  /** Of what stands here: the latest of `events`, which is older than the package's own where something else changed since. */
  lastUpdate: Instant,
  recipientName: z.nullable(z.string()),
  /** The owner's name, where the owner shows it. */
  sender: z.nullable(z.string()),
  /** Who brings it, while it is on the road. */
  carrier: z.nullable(z.object({ firstName: z.string() })),
  category: z.string(),
  weight: z.number(),
  /** Newest first, without names and notes. */
  events: z.array(z.object({ type: z.enum(publicEventTypes), at: Instant, location: z.nullable(z.string()) })),
});
export type PublicView = z.output<typeof PublicView>;

const trackAccess = {
  method: 'GET',
  access: 'public',
  scope: 'whoever holds the tracking ID',
  load: 'lookups',
  params: z.strictObject({ id: z.string() }),
} as const;

export const tracking = group({
  view: { ...trackAccess, path: '/track/:id', reply: PublicView },
  /** Server-sent events: `view` with the whole PublicView as data, at once and at every change. */
  live: { ...trackAccess, path: '/track/:id/live', reply: 'stream' },
});

export const live = group({
  /** Server-sent events: `hint` with a LiveHint as data; `hello` first. */
  stream: { method: 'GET', path: '/live', access: 'active', scope: 'self', reply: 'stream' },
});
