import * as z from 'zod/mini';

// Inputs hold strings. These wrap the contract's schemas so that they accept them.

/** For a schema that accepts strings itself: one that maps blank to null, or an enum. */
export const fromText = <S extends z.ZodMiniType>(rule: S) => rule as unknown as z.ZodMiniType<z.output<S>, string>;

/** For a number; a blank input is null. */
export const numberFromText = <Out>(rule: z.ZodMiniType<Out, number | null | undefined>) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text): number | null | undefined => (text.trim() === '' ? null : Number(text))),
    ),
    rule,
  );

export const isBlank = (group: Record<string, string>) => Object.values(group).every((value) => value.trim() === '');

/** For a group of fields that is null while all of them are blank. */
export const groupFromText = <S extends z.ZodMiniType>(rule: S) =>
  z.pipe(
    z.transform((group: Record<string, string>) => (isBlank(group) ? null : group)),
    z.nullable(rule as unknown as z.ZodMiniType<z.output<S>, Record<string, string>>),
  ) as unknown as z.ZodMiniType<z.output<S> | null, Record<keyof z.input<S>, string>>;
