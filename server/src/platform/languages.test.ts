import type { Texts } from '@waybill/contract/texts/en';
import { texts as english } from '@waybill/contract/texts/en';
import { expect, test } from 'vitest';
import { languageOf, languages } from './languages.ts';

/** Every text by its path, for example `notifications.reason`. */
function flatten(texts: object, path = ''): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) => {
    const at = path ? `${path}.${key}` : key;
    return typeof value === 'string' ? [[at, value] as [string, string]] : flatten(value as object, at);
  });
}

const placeholdersOf = (text: string): string => (text.match(/\{\w+\}/g) ?? ['none']).toSorted().join(' ');

/** What a translation lacks or has too much, one sentence each. */
function faultsOf(texts: object): string[] {
  const translated = new Map(flatten(texts));
  const source = new Map(flatten(english));
  const lacking = [...source].flatMap(([path, text]) => {
    const translation = translated.get(path)?.trim();
    if (!translation) return [`${path} is missing`];
    const [expected, found] = [placeholdersOf(text), placeholdersOf(translation)];
    return expected === found ? [] : [`${path} has the placeholders ${found}, not ${expected}`];
  });
  const unknown = [...translated.keys()].filter((path) => !source.has(path));
  return [...lacking, ...unknown.map((path) => `${path} is not in English`)];
}

test.each([...languages])('%s has every text, with the placeholders of the English one', (code, texts: Texts) => {
  expect(new Intl.Locale(texts.locale).language).toBe(code);
  expect(faultsOf(texts)).toEqual([]);
});

test('a text that is missing, empty, unknown or has another placeholder is named', () => {
  const { reason: _, ...rest } = english.notifications;
  const broken = { ...english, locale: ' ', notifications: { ...rest, another: 'x', noLongerVisible: 'y {z}' } };
  expect(faultsOf(broken)).toEqual([
    'locale is missing',
    'notifications.noLongerVisible has the placeholders {z}, not none',
    'notifications.reason is missing',
    'notifications.another is not in English',
  ]);
});

test('French keeps its marks on the line of their word', () => {
  const texts = flatten(languages.get('fr') ?? {});
  expect(texts.filter(([, text]) => / [?!;:»]|« /.test(text))).toEqual([]);
  expect(texts.filter(([, text]) => /\w[?!;»]|«\S/.test(text.replaceAll('\u00a0', ' ')))).toEqual([]);
});

test.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['nl,fr-CA;q=0.7,en;q=0.5', 'fr'],
  ['es;q=0, de;q=0.1', 'de'],
  ['nl', 'en'],
  ['\u0000;;q=,,;', 'en'],
])('Accept-Language %s is answered in %s', (header, code) => {
  expect(languageOf({ headers: { 'accept-language': header } })).toBe(code);
});

/** Whoever reads them looks for exactly these words on the screen. */
test.each([...languages])(
  '%s: the help of a first day names the buttons of a round as they are called',
  (_, texts: Texts) => {
    const plain = (text: string) => text.replaceAll('’', "'").toLowerCase();
    const { door, problem } = texts.firstDay.steps;
    const { driver } = texts;
    const named = [
      ...[driver.navigate, driver.arrived, driver.handOver].map((button) => [door.text, button] as const),
      ...[driver.problem, driver.deliveryFailed].map((button) => [problem.text, button] as const),
    ];
    expect(named.filter(([text, button]) => !plain(text).includes(plain(button))).map(([, button]) => button)).toEqual(
      [],
    );
  },
);
