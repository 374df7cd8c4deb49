type Values = Record<string, unknown>;

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A draft over the values of a form. In its groups too, since a draft of an older version lacks the fields that came later. */
export const withDraft = (values: Values, draft: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(draft).map(([name, typed]) => {
      const present = values[name];
      return [name, isGroup(typed) && isGroup(present) ? withDraft(present, typed) : typed];
    }),
  ),
});
