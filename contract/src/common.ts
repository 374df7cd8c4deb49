import * as z from 'zod/mini';

/** A UUID of any version; ids made by the server are version 7, so they sort by time. */
export const Id = z.uuid();

/** A point in time, ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 });

/** What a client may send as a point in time: any ISO 8601 instant with a zone. */
export const InstantInput = z.iso
  .datetime({ offset: true, error: 'Must be an ISO 8601 date and time with a zone' })
  .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'Must be a real date and time'));

const isRealDay = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && day >= '1900-01-01';
};

/** A calendar day `YYYY-MM-DD`, without a time zone. */
export const Day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** A calendar day, or an instant truncated to its day as written, never converted to another zone. */
export const DayInput = z
  .pipe(
    z.string().check(
      z.regex(/^\d{4}-\d{2}-\d{2}(T[0-9:.]{4,30}(Z|[+-]\d{2}:\d{2})?)?$/, 'Must be a date like 2026-01-31'),
      z.refine((text) => !Number.isNaN(Date.parse(text)), 'Must be a real date'),
    ),
    z.transform((text) => text.slice(0, 10)),
  )
  .check(z.refine(isRealDay, 'Must be a real date'));

// Control characters and lone surrogates are rejected everywhere: PostgreSQL stores neither NUL nor invalid UTF-8, and the others
// are never typed on purpose.
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
/**
 * Invisible characters allow spoofing: bidi overrides make 'Admin\u202Etxt.exe' read 'Adminexe.txt', and zero-width characters make two
 * names that look the same differ. Joiners (U+200C, U+200D) are allowed: Persian, Indic scripts and emoji need them. So are directional
 * marks (U+200E, U+200F), which only position neutral characters.
 */
const invisibleCharacters = /[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff]/;
// oxlint-disable-next-line no-control-regex
const lineBreaks = /[\t\n\r]/;

/**
 * The schema of every text input. White space is trimmed before lengths are checked.
 *
 * @param label the field's name in messages ('Name must be at most 120 characters')
 * @param min,max length in UTF-16 code units
 */
export function text(label: string, { min = 0, max = 200, tooShort = '', multiline = false } = {}) {
  return z.string(tooShort || `${label} must be text`).check(
    z.trim(),
    z.minLength(min, tooShort || `${label} must be at least ${min} characters`),
    z.maxLength(max, `${label} must be at most ${max} characters`),
    z.refine(
      (value) => value.isWellFormed() && !controlCharacters.test(value) && (multiline || !lineBreaks.test(value)),
      `${label} contains characters that are not allowed`,
    ),
    z.refine(
      (value) => !invisibleCharacters.test(value),
      `${label} contains invisible characters that are not allowed`,
    ),
  );
}

/** Email addresses are compared and stored in lower case. */
export const Email = z.pipe(
  z
    .string('Please enter a valid email address')
    .check(z.trim(), z.toLowerCase(), z.maxLength(254, 'Please enter a valid email address')),
  z.email('Please enter a valid email address'),
);

/** Turns an empty text into null: forms send one for a blank field. */
export const blankToNull = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : value)),
    z.nullable(schema),
  );

/** Gives work to a driver outside of their shifts, which is refused as `off_duty` otherwise. Drivers without any shift are always free. */
export const Confirm = z.optional(z.boolean());

/** The longest time after which a live stream still sends what a caller has missed, in ms. */
export const maxMissedMs = 60_000;

export const ById = z.strictObject({ id: Id });

/** A numeric `id`, as lists return it: in a URL it is text. */
export const ByNumber = z.strictObject({
  id: z.union([
    z.int().check(z.minimum(1), z.maximum(999_999_999)),
    z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number)),
  ]),
});

/** A number in a query string. */
export const wholeNumber = (label: string, min: number, max: number) =>
  z
    .pipe(z.string().check(z.regex(/^\d{1,9}$/, `${label} must be a whole number`)), z.transform(Number))
    .check(z.refine((value) => value >= min && value <= max, `${label} must be from ${min} to ${max}`));

/** A boolean in a query string. */
export const trueOrFalse = (label: string) =>
  z.stringbool({ truthy: ['true'], falsy: ['false'], error: `${label} must be true or false` });

/** The message for a malformed cursor. */
export const invalidCursor = 'cursor must be the one that the page before gave';

/** Keyset pagination of every list: `limit` (50, at most 200), `cursor` (from the `Link` header), `count=true` for `X-Total-Count`. */
export const PageQuery = z.strictObject({
  limit: z._default(wholeNumber('limit', 1, 200), 50),
  cursor: z.optional(z.uuid(invalidCursor)),
  count: z._default(trueOrFalse('count'), false),
});

const Bound = z.union(
  [InstantInput, Day.check(z.refine(isRealDay))],
  'Must be a day like 2026-01-31, or a date and time with a zone',
);

/** `from` and `to` filter by the last update: a day means the whole day in UTC, an instant means itself. */
export const ListQuery = z.extend(PageQuery, {
  q: z.optional(text('Search', { max: 120 })),
  from: z.optional(Bound),
  to: z.optional(Bound),
});
export type ListQuery = z.output<typeof ListQuery>;

/** A filter that takes one or more values, separated by commas. An error names the filter, not an index within it. */
export const severalOf = <T extends string>(values: readonly T[]) =>
  z.pipe(
    z.string(),
    z.transform((list, context): T[] => {
      const parsed = z.array(z.enum(values)).check(z.maxLength(values.length)).safeParse(list.split(','));
      if (parsed.success) return parsed.data;
      context.issues.push({ code: 'custom', input: list, message: parsed.error.issues[0]?.message ?? 'Invalid' });
      return z.NEVER;
    }),
  );

/** `sort`: one of these fields, ascending, or descending with a `-` before it. */
export const sortOf = <Field extends string>(fields: readonly Field[]) =>
  z.optional(
    z.enum(
      fields.flatMap((field) => [field, `-${field}`] as const),
      `sort must be one of ${fields.join(', ')}, or one of them after a -`,
    ),
  );

/** The cursor of a list that can be sorted: an id, or the sorted field's value with it. */
export const SortedCursor = z.optional(z.string().check(z.regex(/^[\w-]{1,1000}$/, invalidCursor)));

/** The parameters of pagination. An export takes the filters of its list without these. */
export const paging = { limit: true, cursor: true, count: true } as const;
