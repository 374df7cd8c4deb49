import * as z from 'zod/mini';

// Browsers hold what is typed as text. These check it by the contract's rules.

/** For a text that the rule itself takes as null where it is blank, or for one of its choices. */
export const fromText = <S extends z.ZodMiniType>(rule: S) => rule as unknown as z.ZodMiniType<z.output<S>, string>;

/** For a number; blank is null. */
export const numberFromText = <Out>(rule: z.ZodMiniType<Out, number | null | undefined>) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text): number | null | undefined => (text.trim() === '' ? null : Number(text))),
    ),
    rule,
  );

export const isBlank = (group: Record<string, string>) => Object.values(group).every((value) => value.trim() === '');

/** For fields that are null while all of them are blank. */
export const groupFromText = <S extends z.ZodMiniType>(rule: S) =>
  z.pipe(
    z.transform((group: Record<string, string>) => (isBlank(group) ? null : group)),
    z.nullable(rule as unknown as z.ZodMiniType<z.output<S>, Record<string, string>>),
  ) as unknown as z.ZodMiniType<z.output<S> | null, Record<keyof z.input<S>, string>>;
