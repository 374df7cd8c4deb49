import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Language } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { texts as english } from '@waybill/contract/texts/en';
import Negotiator from 'negotiator';

const folder = new URL('./', import.meta.resolve('@waybill/contract/texts/en'));

/** The texts of each language by its code, English first. A language is a file in `contract/src/texts`. */
export const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', english],
  ...(await Promise.all(
    readdirSync(fileURLToPath(folder))
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((code) => code !== 'en')
      .map(async (code) => {
        const { texts } = (await import(new URL(`${code}.ts`, folder).href)) as { texts: Texts };
        return [code, texts] as const;
      }),
  )),
]);

export const offeredLanguages: readonly Language[] = [...languages].map(([code, { language: name }]) => ({
  code,
  name,
}));

const codes = [...languages.keys()];

/** The language that a request prefers, by `Accept-Language`; else English. */
export const languageOf = (request: { headers: Record<string, string | string[] | undefined> }): string =>
  new Negotiator(request).language(codes) ?? 'en';

export const textsFor = (request: Parameters<typeof languageOf>[0]): Texts =>
  languages.get(languageOf(request)) ?? english;
