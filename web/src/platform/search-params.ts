import {
  catch as caught,
  enum as oneOf,
  number,
  optional,
  pipe,
  regex,
  string,
  transform,
  union,
  uuid,
} from 'zod/mini';

// URL parameters are untrusted input: an invalid value is treated as absent.

/** A text. Also accepts a number, because the router parses digits as one. */
export const TextParam = caught(optional(pipe(union([string(), number()]), transform(String))), undefined);

/** The id of the row that is open beside a list. */
export const IdParam = caught(optional(uuid()), undefined);

/** A calendar day `YYYY-MM-DD`. */
export const DayParam = caught(optional(string().check(regex(/^\d{4}-\d{2}-\d{2}$/))), undefined);

export const maxPages = 20;

/** The number of loaded pages of a list; absent for one. Bounded, or a link could request thousands. */
export const PagesParam = caught(
  optional(
    pipe(
      number(),
      transform((pages) => (Number.isInteger(pages) && pages > 1 && pages <= maxPages ? pages : undefined)),
    ),
  ),
  undefined,
);

/** What a list can be sorted by: each field, and with a `-` before it in descending order. */
export const sortsOf = <const Field extends string>(fields: readonly Field[]) =>
  fields.flatMap((field) => [field, `-${field}`] as const);

/** One of these words, such as the order of a list; absent for the usual one. */
export const choiceParam = <const Choice extends string>(choices: readonly Choice[]) =>
  caught(optional(oneOf(choices)), undefined);

/** Typing and 'Load more' replace the history entry; a filter or a tab pushes a new one, so that Back undoes it. */
export const replacesHistory = (change: object): boolean => 'q' in change || 'pages' in change;

/**
 * The router's check whether a text needs quotes in the URL, because it would parse back as another type. Digits stay unquoted:
 * `?days=30` is what people type and read, and every parameter that can be digits also accepts a number.
 * @returns the parsed value; throws if the text needs no quotes
 */
export function parseTextParam(text: string): unknown {
  if (String(Number(text)) === text) throw new Error('digits are read back as they are');
  return JSON.parse(text);
}
