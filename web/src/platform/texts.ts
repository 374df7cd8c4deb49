import type { Texts } from '@waybill/contract/texts/en';
import { formatLocale } from './format-language.ts';

/** Without the texts of notifications, which the server renders, and of areas that are loaded by whoever opens them. */
type PageTexts = Omit<
  Texts,
  | 'notifications'
  | 'driver'
  | 'map'
  | 'recipient'
  | 'positions'
  | 'absences'
  | 'firstDay'
  | 'account'
  | 'issues'
  | 'notices'
>;

/** The texts of the page's language: set before the first render, and never changed after it. */
export let texts: PageTexts;

export function setTexts(next: PageTexts): void {
  texts = next;
}

/** Of areas that are loaded later. */
let moreFaults: Partial<Record<string, string>> = {};

export function addFaults(faults: typeof moreFaults): void {
  moreFaults = { ...moreFaults, ...faults };
}

/** A message of a form or of the server in the page's language, if it has one. Those of areas are for pages that are translated. */
export const translated = (message: string): string =>
  (texts.faults as typeof moreFaults)[message] ?? (formatLocale === null ? undefined : moreFaults[message]) ?? message;
