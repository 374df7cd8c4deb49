import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';
import { addFaults } from '../platform/texts.ts';

const loaded = new Map<string, Texts['account']>();

const files = import.meta.glob<{ texts: Texts['account'] }>('../../../contract/src/texts/*.ts', { query: '?account' });

/** Awaited before they are read. @param language 'en' for what administrators' dialogs, in English, share with the account page */
export async function loadAccountTexts(language = currentLanguage()): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(language)] ?? files[pathOf('en')];
  if (!load || loaded.has(language)) return;
  const { texts } = await importWithRetry(load);
  loaded.set(language, texts);
  if (language === currentLanguage()) addFaults(texts.faults);
}

/** Of the page of one's own account. */
export function accountTexts(language = currentLanguage()): Texts['account'] {
  const texts = loaded.get(language);
  if (!texts) throw new Error('The texts of the account have not been loaded');
  return texts;
}
