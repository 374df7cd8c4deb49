import { fill } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { formatLocale } from '../platform/format-language.ts';
import { formatCount } from '../platform/formats.ts';

/** The texts of the driver's screens in the language of the page: loaded with the page, see ../pages/parts/load-driver-texts.ts. */
export let texts: Texts['driver'];

export function setDriverTexts(next: Texts['driver']): void {
  texts = next;
}

/** A text in the plural form of a number: '1 package', '18 packages'. */
export function counted(forms: { one: string; other: string }, count: number): string {
  const isOne = new Intl.PluralRules(formatLocale ?? 'en').select(count) === 'one';
  return fill(isOne ? forms.one : forms.other, { count: formatCount(count) });
}

/** What is done with a return. */
export const bringBackTo = (owner: string | null): string =>
  owner === null ? texts.bringBackToSender : fill(texts.bringBackTo, { owner });
