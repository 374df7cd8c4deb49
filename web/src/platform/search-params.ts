// URL parameters are untrusted input: an invalid value is treated as absent. Without the library of the forms' schemas, which would be a
// twentieth of what every page loads: these are a handful of texts, numbers and words.

/** Reads one URL parameter. Undefined where it is absent or invalid. */
type Param<Value = unknown> = (given: unknown) => Value | undefined;

type Search<Params extends Record<string, Param>> = { [Name in keyof Params]?: ReturnType<Params[Name]> };

/** Reads the URL parameters of a page: only those that are valid. */
export const searchOf =
  <Params extends Record<string, Param>>(params: Params) =>
  (given: object): Search<Params> =>
    Object.fromEntries(
      Object.entries(params)
        .map(([name, read]) => [name, read((given as Record<string, unknown>)[name])])
        .filter(([, value]) => value !== undefined),
    ) as Search<Params>;

/** Also a number, because the router parses digits as one. */
export const TextParam: Param<string> = (given) =>
  typeof given === 'string' || typeof given === 'number' ? String(given) : undefined;

export const NumberParam: Param<number> = (given) => (typeof given === 'number' ? given : undefined);

/** Present or not. */
export const FlagParam: Param<true> = (given) => (given === true ? true : undefined);

/** A text that passes the check. */
export const checkedParam =
  <Text extends string>(isValid: (text: string) => text is Text): Param<Text> =>
  (given) =>
    typeof given === 'string' && isValid(given) ? given : undefined;
const matchParam = (pattern: RegExp) => checkedParam((text): text is string => pattern.test(text));

/** The id of the row that is open beside a list. */
export const IdParam = matchParam(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);

/** A calendar day `YYYY-MM-DD`. */
export const DayParam = matchParam(/^\d{4}-\d{2}-\d{2}$/);

export const maxPages = 20;

/** The number of loaded pages of a list; absent for one. Bounded, or a link could request thousands. */
export const PagesParam: Param<number> = (given) =>
  typeof given === 'number' && Number.isInteger(given) && given > 1 && given <= maxPages ? given : undefined;

/** What a list can be sorted by: each field, and with a `-` before it in descending order. */
export const sortsOf = <const Field extends string>(fields: readonly Field[]) =>
  fields.flatMap((field) => [field, `-${field}`] as const);

/** One of these words, such as the order of a list; absent for the usual one. */
export const choiceParam =
  <const Choice extends string>(choices: readonly Choice[]): Param<Choice> =>
  (given) =>
    choices.find((choice) => choice === TextParam(given));

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
