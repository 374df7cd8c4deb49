import type { Texts } from '@waybill/contract/texts/en';

/** The texts of the page's language, without those of notifications, which the server renders: set before the first render, and never changed after it. */
export let texts: Omit<Texts, 'notifications'>;

export function setTexts(next: Omit<Texts, 'notifications'>): void {
  texts = next;
}

/** A message of a form or of the server in the page's language, if it has one. */
export const translated = (message: string): string =>
  (texts.faults as Partial<Record<string, string>>)[message] ?? message;
