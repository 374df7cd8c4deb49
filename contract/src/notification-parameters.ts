import * as z from 'zod/mini';

/** What somebody typed, or less: longer than any text that is taken in. */
const words = z.string().check(z.maxLength(4000));

/** What texts of notifications are made of, by name. Which of these a type has, its rule says. */
export const notificationParameters = {
  packageName: words,
  /** A reason, or what was said of it. */
  note: z.nullable(words),
  incidentNumber: z.int(),
  incidentType: words,
  messageNumber: z.int(),
  stars: z.int().check(z.minimum(1), z.maximum(5)),
  comment: z.nullable(words),
  /** Whether another driver had it before. */
  hadDriver: z.boolean(),
  /** What the owner changed of a delivery. */
  changedFields: z.array(z.enum(['recipientContact', 'window', 'instructions'])).check(z.maxLength(3)),
  /** What an administrator changed of an account. */
  changedParts: z.array(z.enum(['name', 'role', 'status', 'rights'])).check(z.maxLength(4)),
  /** Whether those told have done it themselves. */
  byThemselves: z.boolean(),
  /** Of what strangers can cause as often as they like: nothing more of it is told that day. */
  isLastOfDay: z.boolean(),
} as const;

type Schemas = typeof notificationParameters;
export type NotificationParameter = keyof Schemas;
export type NotificationParameters = { [Name in NotificationParameter]: z.output<Schemas[Name]> };
