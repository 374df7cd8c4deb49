import * as z from 'zod/mini';
import { Instant, PageQuery, invalidCursor } from './common.ts';
import { invalidationTypes, typesWhere } from './event-rules.ts';

/** Event types shown on the public tracker: no incidents and no ratings. */
export const publicEventTypes = /* @__PURE__ */ typesWhere({ timeline: 'public' });

/** Event types of packages: facts in the past tense, stored forever. */
/** Those of a timeline. */
export const PackageEventType = z.enum([
  ...typesWhere({ about: 'package', timeline: 'public' }),
  ...typesWhere({ about: 'package', timeline: 'private' }),
]);
export type PackageEventType = z.output<typeof PackageEventType>;

/** An entry of a package's timeline. `location` and `status` are those after the event. */
export const TrackingEvent = z.object({
  id: z.string(),
  type: PackageEventType,
  status: z.string(),
  /** For an arrival, a completion and a failed attempt, when it happened by the driver's device. */
  at: Instant,
  /** When the server got to know of it, if its time is that of the driver's device; else null. */
  recordedAt: z.nullable(Instant),
  location: z.nullable(z.string()),
  /** The actor's name; null if the account is deleted. */
  actor: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Only for `package.messaged`, else null: where the writer wants the answer. Erased with the recipient's data, as is its `note`. */
  replyTo: z.nullable(z.string()),
  /**
   * Only for `package.updated` and `delivery.reopened`, else null: old and new value by field, for `images` their number; of a reopened
   * delivery what its proof was, with URLs of photo and signature that expire after an hour. Both are null where they held the
   * recipient's data and were erased since.
   */
  changes: z.nullable(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
});
export type TrackingEvent = z.output<typeof TrackingEvent>;

/**
 * A cache invalidation of the signed-in stream (`GET /live`): what changed, never its content. The page refetches it through the endpoint
 * that checks access.
 * `package`, `delivery`, `incident`, `import`: the object with this id; without an id, many of them. `deliveries`: the list of unclaimed
 * deliveries. `notification`: the caller's notifications. `user`: that account. `sent`: the delivery log of notifications, for
 * administrators. `message`: contact messages. `shift`: shifts, or who is on duty. `settings`: also the organisation's name and logo, so
 * everybody gets it. `map`: what the map is made of, and uploads of extracts.
 */
export const LiveInvalidation = z.object({
  type: z.enum(invalidationTypes),
  id: z.nullable(z.string()),
  /** For how many ms it has been so, at least, if that is known: what was fetched later has the change. */
  age: z.optional(z.number()),
});
export type LiveInvalidation = z.output<typeof LiveInvalidation>;

/** Why the server closed a stream, sent in its last event, `bye`. After `drain` reconnect; after the others sign in again. */
export const CloseReason = z.enum(['drain', 'session_ended', 'not_active']);
export type CloseReason = z.output<typeof CloseReason>;

export const EventsQuery = z.extend(PageQuery, {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,18}$/, invalidCursor))),
});
