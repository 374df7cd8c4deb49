import { texts } from '../platform/texts.ts';
import { pages } from './pages.ts';
import type { PageName } from './pages.ts';

/** The title of a page's tab, in the language of the texts where the page has them. */
export const titleOfPage = (name: PageName): string => translatedTitles()[name] ?? pages[name].title;

const translatedTitles = (): Partial<Record<PageName, string>> => ({
  login: texts.frame.signIn,
  register: texts.frame.register,
  forgot: texts.titles.forgot,
  reset: texts.titles.newPassword,
  newPassword: texts.titles.newPassword,
  about: texts.about.title,
  contact: texts.contact.title,
});
