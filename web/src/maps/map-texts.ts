import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';

/** What a map says by itself. */
export type MapWords = Omit<Texts['map'], 'round' | 'driver'>;

/** The texts of maps in the language of the page: loaded with them. */
export let texts: Texts['map'];

const files = import.meta.glob<{ texts: Texts['map'] }>('../../../contract/src/texts/*.ts', { query: '?map' });

export async function loadMapTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
}
