import { invalid } from '../platform/errors.ts';

/** The 49,000 most common passwords, in lower case. Loaded lazily when the first password is set: start-up and sign-ins do not need it. */
let common: Promise<ReadonlySet<string>> | null = null;
const load = async () =>
  new Set(
    (await import('@zxcvbn-ts/language-common')).dictionary['passwords-common'].map((word) => word.toLowerCase()),
  );

/** Whether a password is easy to guess: a common one, the account's own email address, or the product's name followed by digits. */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const typed = password.toLowerCase();
  const own = [email.toLowerCase(), email.toLowerCase().split('@')[0]];
  return own.includes(typed) || /^waybill[\W\d_]*$/.test(typed) || (await (common ??= load())).has(typed);
}

/**
 * @param field the input field for the error message
 * @throws invalid
 */
export async function rejectCommonPassword(password: string, email: string, field = 'password'): Promise<void> {
  if (await isCommonPassword(password, email))
    throw invalid({ [field]: 'This password is too common. Please choose another one.' });
}
