import { catch as caught, number, optional, pipe, string, transform, union } from 'zod/mini';

// What stands in the URL is typed by anybody: whatever makes no sense counts as left out.

/** A text; the router reads digits as a number. */
export const TextParam = caught(optional(pipe(union([string(), number()]), transform(String))), undefined);

export const maxPages = 20;

/** How many pages of a list are on the screen, when it is more than one. Bounded, or a link could ask for thousands. */
export const PagesParam = caught(
  optional(
    pipe(
      number(),
      transform((pages) => (Number.isInteger(pages) && pages > 1 && pages <= maxPages ? pages : undefined)),
    ),
  ),
  undefined,
);

/** Typing and 'Load more' change an entry of the history; a filter or a tab makes one, so that Back takes it off again. */
export const replacesHistory = (change: object): boolean => 'q' in change || 'pages' in change;

/**
 * A text as the router writes it into the URL, when it would read it back as something else: in quotes, but digits bare.
 * `?days=30` is what people type and read; every choice that can be digits takes them as a number, too.
 * @returns what the text reads as; throws for what needs no quotes
 */
export function parseTextParam(text: string): unknown {
  if (String(Number(text)) === text) throw new Error('digits are read back as they are');
  return JSON.parse(text);
}
