import type { RecipientChange, RecipientView } from '@waybill/contract';
import { fill } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { formatLongDay, formatTime } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { currentLanguage } from '../platform/language.ts';

/** The texts of the recipient's part in the language of the page: loaded with it. */
export let texts: Texts['recipient'];

const files = import.meta.glob<{ texts: Texts['recipient'] }>('../../../contract/src/texts/*.ts', {
  query: '?recipient',
});

export async function loadRecipientTexts(): Promise<void> {
  const pathOf = (code: string) => `../../../contract/src/texts/${code}.ts`;
  const load = files[pathOf(currentLanguage())] ?? files[pathOf('en')];
  if (load) texts = (await importWithRetry(load)).texts;
}

/** A text in the plural form of a number: '1 star', '3 stars'. */
export function counted(forms: { one: string; other: string }, count: number): string {
  const isOne = new Intl.PluralRules(currentLanguage()).select(count) === 'one';
  return fill(isOne ? forms.one : forms.other, { count: String(count) });
}

/** A change in the reader's language; those that were stored without their fields as they were noted. */
export function told({ kind, choice, note }: RecipientChange, { depots }: RecipientView): string {
  const text = texts.told[kind];
  const { day, from, to, depotId, ...words } = choice;
  if (kind === 'collect') {
    const depot = depots.find(({ id }) => id === depotId);
    return depot ? fill(text, { depot: depot.name }) : note;
  }
  if (kind === 'reschedule') return day ? fill(text, { day: formatLongDay(day) }) : note;
  if (kind === 'window')
    return from && to ? fill(text, { day: formatLongDay(from), from: formatTime(from), to: formatTime(to) }) : note;
  return Object.keys(words).length > 0 ? fill(text, words) : note;
}
