import type { Texts } from '@waybill/contract/texts/en';
import { setTexts } from './texts.ts';

const files = import.meta.glob<{ texts: Texts }>('../../../contract/src/texts/*.ts');

/** Loads the texts of one language. @param code of a file in `contract/src/texts`; any other gets English */
export async function loadTexts(code: string): Promise<void> {
  const load = files[pathOf(code)] ?? files[pathOf('en')];
  if (load) setTexts((await load()).texts);
}

const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
