import { localStorageItem } from './local-storage.ts';
import { pageData } from './page-data.ts';

/** The language that was chosen in this browser. `public/theme.js` opens public pages in it before they are painted. */
const storedLanguage = localStorageItem('language');

/** The language of this page: the one that was chosen, else the browser's. */
export const currentLanguage = (): string =>
  offeredLanguages().find(({ code }) => code === storedLanguage.read())?.code ?? pageData?.language ?? 'en';

export const offeredLanguages = () => pageData?.languages ?? [];

/** Shows all pages of this browser in a language from now on, beginning with this one. */
export function chooseLanguage(code: string): void {
  storedLanguage.write(code);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  if (url.href === location.href) location.reload();
  else location.replace(url);
}
