import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';

/** The texts about the driver's position in the language of the page: loaded with its component. */
export let texts: Texts['positions'];

const files = import.meta.glob<{ texts: Texts['positions'] }>('../../../contract/src/texts/*.ts', {
  query: '?positions',
});

export async function loadPositionTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
}
