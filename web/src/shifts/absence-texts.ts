import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';
import { addFaults } from '../platform/texts.ts';

/** The texts about absences: of the driver's page in its language, of the planners' pages in English. Loaded with the dialogs. */
export let texts: Texts['absences'];

const files = import.meta.glob<{ texts: Texts['absences'] }>('../../../contract/src/texts/*.ts', {
  query: '?absences',
});

const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;

export async function loadAbsenceTexts(of: 'driver' | 'planner'): Promise<void> {
  const load = (of === 'driver' ? files[pathOf(currentLanguage())] : undefined) ?? files[pathOf('en')];
  if (!load) return;
  ({ texts } = await importWithRetry(load));
  // They speak to the driver.
  if (of === 'driver') addFaults(texts.faults);
}
