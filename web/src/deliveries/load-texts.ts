import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';
import { addFaults } from '../platform/texts.ts';
import { setDriverTexts } from './texts.ts';

const files = import.meta.glob<{ texts: Texts['driver'] }>('../../../contract/src/texts/*.ts', { query: '?driver' });

const loaded = new Map<string, Texts['driver']>();

/** Loads the texts of the driver's screens. @param language that of the page, or English for the pages of others */
export async function loadDriverTexts(language = currentLanguage()): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(language)] ?? files[pathOf('en')];
  if (!loaded.has(language) && load) loaded.set(language, (await importWithRetry(load)).texts);
  showDriverTexts(language);
}

/** Goes back to texts that were loaded before. */
export function showDriverTexts(language = currentLanguage()): void {
  const next = loaded.get(language);
  if (!next) return;
  setDriverTexts(next);
  addFaults(next.faults);
}
