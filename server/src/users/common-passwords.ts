import { invalid } from '../platform/errors.ts';

/** 49,000 of those that people choose most, in lower case. Loaded when the first password is set: sign-ins and starts need it not. */
let common: Promise<ReadonlySet<string>> | null = null;
const load = async () =>
  new Set(
    (await import('@zxcvbn-ts/language-common')).dictionary['passwords-common'].map((word) => word.toLowerCase()),
  );

/** Whether it is one that everybody tries first: a common one, the account's own address, or the product's name with figures behind it. */
export async function isCommon(password: string, email: string): Promise<boolean> {
  const typed = password.toLowerCase();
  const own = [email.toLowerCase(), email.toLowerCase().split('@')[0]];
  return own.includes(typed) || /^waybill[\W\d_]*$/.test(typed) || (await (common ??= load())).has(typed);
}

/**
 * @param field the input that it stands in
 * @throws invalid
 */
export async function refuseCommon(password: string, email: string, field = 'password'): Promise<void> {
  if (await isCommon(password, email))
    throw invalid({ [field]: 'This password is too common. Please choose another one.' });
}
