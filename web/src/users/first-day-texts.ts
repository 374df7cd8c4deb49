import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';

let texts: Texts['firstDay'];

const files = import.meta.glob<{ texts: Texts['firstDay'] }>('../../../contract/src/texts/*.ts', {
  query: '?firstDay',
});

export async function loadFirstDayTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
}

/** Of a driver's first day, in the language of the page. */
export const firstDayTexts = (): Texts['firstDay'] => texts;
