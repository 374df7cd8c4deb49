import * as z from 'zod/mini';

/** Text that a user typed. The limit exceeds that of every text input. */
const typedText = z.string().check(z.maxLength(4000));

/** The parameters of notification texts, by name. Which ones an event type has is declared in its rule. */
export const notificationParameters = {
  packageName: typedText,
  /** A reason or a comment. */
  note: z.nullable(typedText),
  /** What the recipient of a package changed. Missing in what was stored before it was. */
  wish: z.optional(
    z.nullable(z.enum(['reschedule', 'window', 'safe_place', 'neighbour', 'instructions', 'collect', 'withdrawn'])),
  ),
  incidentNumber: z.int(),
  incidentType: typedText,
  messageNumber: z.int(),
  stars: z.int().check(z.minimum(1), z.maximum(5)),
  comment: z.nullable(typedText),
  /** Whether another driver had it before. */
  hadDriver: z.boolean(),
  /** Whether the package goes back to its owner. Missing in what was stored before it was said. */
  goesBack: z.optional(z.boolean()),
  /** The fields of a delivery that the owner changed. */
  changedFields: z.array(z.enum(['recipientContact', 'window', 'instructions'])).check(z.maxLength(3)),
  /** The parts of an account that an administrator changed. */
  changedParts: z.array(z.enum(['name', 'role', 'status', 'rights'])).check(z.maxLength(4)),
  /** Whether the recipient did it. */
  byThemselves: z.boolean(),
  /** Whether a driver who is away has stops in these days. */
  leavesStops: z.boolean(),
  /** For events that strangers can cause at will: there are no further notifications of this kind that day. */
  isLastOfDay: z.boolean(),
} as const;

type Schemas = typeof notificationParameters;
export type NotificationParameter = keyof Schemas;
export type NotificationParameters = { [Name in NotificationParameter]: z.output<Schemas[Name]> };
