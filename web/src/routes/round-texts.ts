import { fill } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { formatCount } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';

/** The texts of the round in the language of the page: loaded with its screens. */
export let texts: Texts['round'];

const files = import.meta.glob<{ texts: Texts['round'] }>('../../../contract/src/texts/*.ts', { query: '?round' });

export async function loadRoundTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
}

/** A text in the plural form of a number: '1 stop', '18 stops'. */
export function counted(forms: { one: string; other: string }, count: number): string {
  const isOne = new Intl.PluralRules(currentLanguage()).select(count) === 'one';
  return fill(isOne ? forms.one : forms.other, { count: formatCount(count) });
}

/** What is done with a return. */
export const bringBackTo = (owner: string | null): string =>
  owner === null ? texts.bringBackToSender : fill(texts.bringBackTo, { name: owner });
