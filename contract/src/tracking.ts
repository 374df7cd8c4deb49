import * as z from 'zod/mini';
import { Day, Email, Instant, text, wholeNumber } from './common.ts';
import { group } from './endpoint.ts';
import { publicEventTypes } from './events.ts';
import { ArrivalWindow, NextStep, PackageStatus, StopsAway } from './packages.ts';

/**
 * How the recipient's name is shown on the public page: in full, as first name and initial ('Anna B.'; of a single word only the
 * initial), or not at all.
 */
export const PublicRecipient = z.enum(['full', 'masked', 'hidden'], 'must be full, masked or hidden');
export type PublicRecipient = z.output<typeof PublicRecipient>;

/**
 * The public tracker's view of a package, the same for every viewer with the tracking ID.
 * `location` is where the package is, see Package; once delivered it is the recipient's town, never the address.
 * `recipientName` is null when hidden. It, `sender` and every `location` become null 30 days after delivery, and immediately when the
 * package is cancelled or deleted.
 */
export const PublicView = z.object({
  trackingId: z.string(),
  name: z.string(),
  status: PackageStatus,
  location: z.nullable(z.string()),
  eta: z.nullable(Day),
  /** Null before the start, and on the road while it has no active driver: see Package. */
  estimatedDeliveryTime: z.nullable(Instant),
  arrivalWindow: ArrivalWindow,
  stopsAway: StopsAway,
  /** Where the driver was at that time, to about 100 m: only while this package is the next stop, and the driver shares it. */
  driverPosition: z.nullable(z.object({ lon: z.number(), lat: z.number(), at: Instant })),
  completedAt: z.nullable(Instant),
  /** What was decided while it waits, as its owner does after a failed attempt. `return` also on the way back to its sender. */
  nextStep: z.nullable(NextStep),
  /** The time of the latest of `events`. The package's own last update is newer if something that is not public changed since. */
  lastUpdate: Instant,
  recipientName: z.nullable(z.string()),
  /** The owner's name, if the owner shows it. */
  sender: z.nullable(z.string()),
  /** The driver, while it is on the road. */
  carrier: z.nullable(z.object({ firstName: z.string() })),
  category: z.string(),
  weight: z.number(),
  /** Newest first, without names and notes. */
  events: z.array(z.object({ type: z.enum(publicEventTypes), at: Instant, location: z.nullable(z.string()) })),
});
export type PublicView = z.output<typeof PublicView>;

/** A message to the sender of a package, from whoever holds its tracking ID. The fields match the HTML form. */
export const TrackMessageInput = z.strictObject({
  text: text('Message', { min: 10, max: 2000, tooShort: 'Message must be at least 10 characters', multiline: true }),
  /** Only the sender sees it, and answers to it. */
  replyTo: Email,
  /** A honeypot, as in the contact form. */
  website: z.optional(text('Website')),
});
export type TrackMessageInput = z.output<typeof TrackMessageInput>;

const trackAccess = {
  method: 'GET',
  access: 'public',
  scope: 'whoever holds the tracking ID',
  load: 'lookups',
  params: z.strictObject({ id: z.string() }),
} as const;

export const tracking = group({
  view: { ...trackAccess, path: '/track/:id', reply: PublicView },
  /** Server-sent events: `view` with the whole PublicView as data, on connect and on every change; `recipient` when the recipient's part changed alone. */
  live: { ...trackAccess, path: '/track/:id/live', reply: 'stream' },
  /** Writes to the owner of the package: on its timeline, and as a notification. An equal message of the last day is stored once. */
  message: {
    method: 'POST',
    path: '/track/:id/message',
    limit: 'own',
    summary: 'Send a message to the sender of a package',
    access: 'public',
    scope: 'whoever holds the tracking ID',
    params: trackAccess.params,
    body: TrackMessageInput,
    reply: z.object({ message: z.string() }),
    status: 201,
    errors: ['conflict'],
    failure: 'The message could not be sent. Please try again.',
  },
});

export const LiveQuery = z.strictObject({
  /** For how long, in ms, the caller may have missed changes: since the last bytes of its former stream, or since its page began to load. */
  missedMs: z.optional(wholeNumber('missedMs', 0, 999_999_999)),
});

export const live = group({
  /**
   * Server-sent events: first `hello` with `{ organisation, resumed }`, then `hint` events with a LiveInvalidation as data. `resumed`: the
   * first hints are those of the last `missedMs`, so that nothing has to be fetched again. Else everything may have changed.
   */
  stream: { method: 'GET', path: '/live', access: 'active', scope: 'self', query: LiveQuery, reply: 'stream' },
});
