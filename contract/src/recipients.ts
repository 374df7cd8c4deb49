import * as z from 'zod/mini';
import { Day, DayInput, Email, Id, Instant, InstantInput, text } from './common.ts';

/** Languages that recipients are written to in, with their own names. */
export const recipientLanguages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type RecipientLanguage = keyof typeof recipientLanguages;
export const RecipientLanguage = z.enum(['en', 'de', 'fr', 'es'], 'Language must be en, de, fr or es');

/** A phone number as it is dialled from anywhere (E.164). */
const internationalPhone = /^\+[1-9]\d{6,14}$/;
const phoneMessage = 'Phone must be in international form, like +4915112345678';
export const InternationalPhone = z.string(phoneMessage).check(z.trim(), z.regex(internationalPhone, phoneMessage));

/**
 * The email address or the international phone number (E.164) in a contact as it was typed. A national number is neither: its country is
 * not known.
 */
export function reachedBy(contact: string | null): { email: string | null; phone: string | null } {
  const typed = contact?.trim() ?? '';
  if (typed.includes('@')) return { email: Email.safeParse(typed).data ?? null, phone: null };
  const phone = typed.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');
  return { email: null, phone: internationalPhone.test(phone) ? phone : null };
}

export const recipientChangeKinds = [
  'reschedule',
  'window',
  'safe_place',
  'neighbour',
  'instructions',
  'collect',
] as const;
export const RecipientChangeKind = z.enum(recipientChangeKinds);
export type RecipientChangeKind = z.output<typeof RecipientChangeKind>;

/** A change of the delivery by its recipient, as everybody sees it who may see the address. */
export const RecipientChange = z.object({
  id: z.string(),
  kind: RecipientChangeKind,
  /** One sentence in English. */
  note: z.string(),
  /** The fields of the input, so that it can be told in any language. */
  choice: z.record(z.string(), z.string()),
  at: Instant,
  /** When its driver took note of it. */
  acknowledgedAt: z.nullable(Instant),
});
export type RecipientChange = z.output<typeof RecipientChange>;

/** For how many days from now another day can be chosen. */
export const maxRescheduleDays = 14;

export const RecipientChangeInput = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reschedule'), day: DayInput }),
  z.strictObject({ kind: z.literal('window'), from: InstantInput, to: InstantInput }).check(
    z.refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
      path: ['to'],
      error: 'The window must end after it starts',
    }),
  ),
  z.strictObject({
    kind: z.literal('safe_place'),
    place: text('Safe place', { min: 2, tooShort: 'Please say where it may be left' }),
  }),
  z.strictObject({
    kind: z.literal('neighbour'),
    name: text('Name', { min: 2, max: 120, tooShort: 'Please enter the name of the neighbour' }),
    address: text('Address', { min: 2, tooShort: 'Please enter where the neighbour lives' }),
  }),
  z.strictObject({
    kind: z.literal('instructions'),
    text: text('Instructions', {
      min: 1,
      max: 500,
      multiline: true,
      tooShort: 'Please write something for the driver',
    }),
  }),
  z.strictObject({ kind: z.literal('collect'), depotId: Id }),
]);
export type RecipientChangeInput = z.output<typeof RecipientChangeInput>;

/** Why nothing can be changed: the sender does not want it, it is too late, it has ended, or it goes back to its sender. */
export const changeRefusals = ['sender', 'late', 'ended', 'returns'] as const;
export const ChangeRefusal = z.enum(changeRefusals);
export type ChangeRefusal = z.output<typeof ChangeRefusal>;

/** What the recipient's link opens. */
export const RecipientView = z.object({
  trackingId: z.string(),
  recipientName: z.string(),
  /** On one line. */
  address: z.nullable(z.string()),
  instructions: z.nullable(z.string()),
  safePlace: z.nullable(z.string()),
  window: z.nullable(z.object({ from: Instant, to: Instant })),
  /** For the driver at the door; null if none is asked, and once it is delivered. */
  pin: z.nullable(z.string()),
  /** Who takes it must show that they are so old. */
  age: z.nullable(z.int()),
  /** The latest last. */
  changes: z.array(RecipientChange),
  /** What can be changed now. */
  mayChange: z.array(RecipientChangeKind),
  refusal: z.nullable(ChangeRefusal),
  /** On a route changes are possible as long as more stops than these are before this one, without a route until it is out for delivery. */
  cutoffStops: z.int(),
  /** The first and the last day that can be chosen. */
  firstDay: Day,
  lastDay: Day,
  /** Where it can be collected. */
  depots: z.array(z.object({ id: z.string(), name: z.string(), address: z.nullable(z.string()) })),
  /** What the recipient has rated; null before. */
  rating: z.nullable(z.object({ stars: z.int(), comment: z.nullable(z.string()), at: Instant })),
  /** Of the delivery; `photo` and `signature` are URLs that expire after an hour. */
  proof: z.nullable(
    z.object({
      at: Instant,
      receivedBy: z.nullable(z.string()),
      note: z.nullable(z.string()),
      photo: z.nullable(z.string()),
      signature: z.nullable(z.string()),
    }),
  ),
});
export type RecipientView = z.output<typeof RecipientView>;
