import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';
import { addFaults } from '../platform/texts.ts';

const loaded = new Map<string, Texts['notices']>();

const files = import.meta.glob<{ texts: Texts['notices'] }>('../../../contract/src/texts/*.ts', { query: '?notices' });

/** Awaited before they are read. @param language 'en' for what the outbox, in English, shares with these pages */
export async function loadNoticeTexts(language = currentLanguage()): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(language)] ?? files[pathOf('en')];
  if (!load || loaded.has(language)) return;
  const { texts } = await importWithRetry(load);
  loaded.set(language, texts);
  if (language === currentLanguage()) addFaults(texts.faults);
}

/** Of the notifications of an account and of what it chooses of them. */
export function noticeTexts(language = currentLanguage()): Texts['notices'] {
  const texts = loaded.get(language);
  if (!texts) throw new Error('The texts of notifications have not been loaded');
  return texts;
}
