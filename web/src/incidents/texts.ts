import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';
import { addFaults } from '../platform/texts.ts';

/** Of the page of reported issues, in the language of the page: loaded before it. */
export let texts: Texts['issues'];

const files = import.meta.glob<{ texts: Texts['issues'] }>('../../../contract/src/texts/*.ts', { query: '?issues' });

export async function loadIssueTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
  addFaults(texts.faults);
}
