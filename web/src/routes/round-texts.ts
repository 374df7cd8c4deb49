import { fill } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { formatCount } from '../platform/formats.ts';
import { currentLanguage } from '../platform/language.ts';

/** The texts of the round in the language of the page: loaded with the driver's others, see ../pages/parts/load-driver-texts.ts. */
export let texts: Texts['driver']['round'];

export function setRoundTexts(next: Texts['driver']['round']): void {
  texts = next;
}

/** A text in the plural form of a number: '1 stop', '18 stops'. */
export function counted(forms: { one: string; other: string }, count: number): string {
  const isOne = new Intl.PluralRules(currentLanguage()).select(count) === 'one';
  return fill(isOne ? forms.one : forms.other, { count: formatCount(count) });
}

/** What is done with a return. */
export const bringBackTo = (owner: string | null): string =>
  owner === null ? texts.bringBackToSender : fill(texts.bringBackTo, { name: owner });
