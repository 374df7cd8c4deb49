import * as z from 'zod/mini';
import { Email } from './common.ts';

/** Languages that recipients are written to in, with their own names. */
export const recipientLanguages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type RecipientLanguage = keyof typeof recipientLanguages;
export const RecipientLanguage = z.enum(['en', 'de', 'fr', 'es'], 'Language must be en, de, fr or es');

/** A phone number as it is dialled from anywhere (E.164). */
const internationalPhone = /^\+[1-9]\d{6,14}$/;
const phoneMessage = 'Phone must be in international form, like +4915112345678';
export const InternationalPhone = z.string(phoneMessage).check(z.trim(), z.regex(internationalPhone, phoneMessage));

/**
 * The e-mail address or the international phone number (E.164) in a contact as it was typed. A national number is neither: its country is
 * not known.
 */
export function reachedBy(contact: string | null): { email: string | null; phone: string | null } {
  const typed = contact?.trim() ?? '';
  if (typed.includes('@')) return { email: Email.safeParse(typed).data ?? null, phone: null };
  const phone = typed.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');
  return { email: null, phone: internationalPhone.test(phone) ? phone : null };
}
