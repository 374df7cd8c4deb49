import * as z from 'zod/mini';
import { Instant, PageQuery, notACursor } from './common.ts';
import { invalidationTypes, typesWhere } from './event-rules.ts';

/** Event types shown on the public tracker: no incidents and no ratings. */
export const publicEventTypes = /* @__PURE__ */ typesWhere({ timeline: 'public' });

/** Everything that can happen to a package. Facts in the past tense, kept for ever, never edited. */
export const PackageEventType = z.enum(typesWhere({ about: 'package' }));
export type PackageEventType = z.output<typeof PackageEventType>;

/** One line of a package's timeline: what, when, where (the package is with it), who, note. */
export const TrackingEvent = z.object({
  id: z.string(),
  type: PackageEventType,
  status: z.string(),
  at: Instant,
  location: z.nullable(z.string()),
  /** The name of who did it; null where the account is gone. */
  actor: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /**
   * Of `package.updated`: what each field of the package was and became, `images` as how many. Both are null where it was told of the
   * recipient and has been removed since. Null for other events.
   */
  changes: z.nullable(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
});
export type TrackingEvent = z.output<typeof TrackingEvent>;

/**
 * What the signed-in stream (`GET /live`) sends: what changed, never its content. The page refetches it through the guarded endpoint.
 * `package`, `delivery`, `incident`, `import`: that object, or without an id many of them. `deliveries`: the list of unclaimed ones. `notification`: the caller's. `user`: the caller's own account.
 * `sent`: what is sent to anybody, for who looks after it. `message`: one of the contact form. `shift`: shifts, or who is on duty. `settings`: also the organisation's name and logo, so everybody
 * hears of it.
 */
export const LiveInvalidation = z.object({
  type: z.enum(invalidationTypes),
  id: z.nullable(z.string()),
});
export type LiveInvalidation = z.output<typeof LiveInvalidation>;

/** Why the server ended a stream, in its last event, `bye`. After `drain` reconnect; after the others sign in again. */
export const CloseReason = z.enum(['drain', 'session_ended', 'not_active']);
export type CloseReason = z.output<typeof CloseReason>;

export const EventsQuery = z.extend(PageQuery, {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,18}$/, notACursor))),
});
