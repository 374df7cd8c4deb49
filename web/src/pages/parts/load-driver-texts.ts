import type { Texts } from '@waybill/contract/texts/en';
import { setDriverTexts } from '../../deliveries/texts.ts';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { currentLanguage } from '../../platform/language.ts';
import { addFaults } from '../../platform/texts.ts';
import { setRoundTexts } from '../../routes/round-texts.ts';

const files = import.meta.glob<{ texts: Texts['driver'] }>('../../../../contract/src/texts/*.ts', { query: '?driver' });

/** Loads the texts of the driver's screens in the language of the page, with the messages of their forms. */
export async function loadDriverTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (!load) return;
  const { texts } = await importWithRetry(load);
  setDriverTexts(texts);
  setRoundTexts(texts.round);
  addFaults(texts.faults);
}
