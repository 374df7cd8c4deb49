import { fill } from '@waybill/contract';
import type { Handling } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { handlingLabels } from '../packages/handling.ts';
import { formatCount } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';

// Apart from round-texts.ts: what it shared with the driver's dashboard would be loaded with that page.
let texts: Texts['driver'];

const files = import.meta.glob<{ texts: Texts['driver'] }>('../../../contract/src/texts/*.ts', { query: '?driver' });

/** Loads the texts of the manifest in the language of the page. */
export async function loadManifestTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
}

export const sheetTexts = (): Texts['driver']['round']['sheet'] => texts.round.sheet;

export const handlingText = (handling: Handling): string => handlingLabels(handling, texts).join(', ');

export function packagesText(count: number): string {
  const isOne = new Intl.PluralRules(currentLanguage()).select(count) === 'one';
  const { one, other } = texts.round.packages;
  return fill(isOne ? one : other, { count: formatCount(count) });
}

export const returnText = (owner: string | null): string =>
  owner === null ? texts.round.bringBackToSender : fill(texts.round.bringBackTo, { name: owner });
