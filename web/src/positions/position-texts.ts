import type { Texts } from '@waybill/contract/texts/en';
import { currentLanguage } from '../platform/language.ts';

/** In all languages: fewer bytes than a request has. */
const files = import.meta.glob<Texts['positions']>('../../../contract/src/texts/*.ts', {
  query: '?positions',
  import: 'texts',
  eager: true,
});

const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;

/** The texts about the driver's position in the language of the page. */
export const texts = (files[pathOf(currentLanguage())] ?? files[pathOf('en')]) as Texts['positions'];
