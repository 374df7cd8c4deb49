import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useEffect, useMemo, useState } from 'react';
import type { FormEvent } from 'react';
import { useForm as useHookForm } from 'react-hook-form';
import type { DefaultValues, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { findDraft, useSaveDraft } from './drafts.ts';
import { fieldErrorsOf } from './form-errors.ts';
import { useUnsavedChanges } from './unsaved-changes.ts';

interface FormOptions<Typed> {
  initial: Typed;
  /** What the server answered the last time; its message for a field is shown there. */
  refusal?: Error | null;
  /** Where the form shows a field of the server, by its path; null: nowhere. The same function at every render. */
  fieldOf?: (path: string) => string | null;
  /** The name under which what was typed outlives its session, in memory and without passwords. Without one nothing does. */
  draft?: string;
  /** The draft outlives a reload as well, in the tab's own storage: what cannot be typed again, such as a signature. Photos do not. */
  draftOverReload?: boolean;
  /** Of a dialog: what is closed is done with. */
  open?: boolean;
  /** Whether leaving asks first while something is typed that is not saved, or only while it has not been sent. A dialog asks by itself. */
  unsaved?: boolean | 'until it is sent';
  mode?: 'onSubmit' | 'onTouched';
}

interface Form<Typed extends FieldValues, Checked> extends UseFormReturn<Typed, unknown, Checked> {
  /** Without an event for a button outside of it. */
  onSubmit: (event?: FormEvent) => void;
  /** For what is no control of the browser's, such as stars or a picture. */
  choose: <Name extends FieldPath<Typed>>(field: Name, value: FieldPathValue<Typed, Name>) => void;
  /** Something differs from what is saved. */
  changed: boolean;
  /** All is saved, with `after` as what the form shows of it: leaving does not ask. To be called before leading away. */
  saved: (after?: Partial<Typed>) => void;
  /** What the server refused, where no field shows it. */
  formError: string | undefined;
}

const asItIs = (path: string) => path;

/**
 * A form by a schema, which is the contract's or refines it. Faults stand at their fields, the first one gets the focus, and what was
 * typed stays.
 *
 * @param submit gets what the schema made of what was typed
 */
export function useForm<Typed extends FieldValues, Checked>(
  schema: ZodMiniType<Checked, Typed>,
  submit: (checked: Checked) => unknown,
  {
    initial,
    refusal = null,
    fieldOf = asItIs,
    draft,
    draftOverReload = false,
    open = true,
    unsaved = true,
    mode,
  }: FormOptions<Typed>,
): Form<Typed, Checked> {
  const [names] = useState(() => Object.keys(initial));
  const form = useHookForm<Typed, unknown, Checked>({
    resolver: standardSchemaResolver(schema),
    defaultValues: initial as DefaultValues<Typed>,
    mode,
  });
  const { setError, setValue, reset, getValues, handleSubmit } = form;
  const [kept] = useState(() => (draft ? (findDraft(draft) as Partial<Typed> | null) : null));
  const { isDirty: changed, isSubmitSuccessful, isSubmitted } = form.formState;
  const forget = useUnsavedChanges(changed && (unsaved === true || (unsaved !== false && !isSubmitSuccessful)));
  useSaveDraft({
    name: draft ?? null,
    typed: () => (open && changed ? withoutPasswords(getValues()) : null),
    overReload: draftOverReload,
  });

  useEffect(() => {
    if (kept) reset({ ...getValues(), ...kept }, { keepDefaultValues: true });
  }, [kept, reset, getValues]);

  const faults = useMemo(
    () =>
      Object.entries(fieldErrorsOf(refusal)).flatMap(([path, message]) => {
        const field = fieldOf(path);
        return field !== null && names.includes(field.split('.')[0] ?? '') ? { field, message } : [];
      }),
    [refusal, fieldOf, names],
  );
  useEffect(() => {
    let isFirst = true;
    for (const { field, message } of faults) {
      setError(field as FieldPath<Typed>, { message }, { shouldFocus: isFirst });
      isFirst = false;
    }
  }, [faults, setError]);

  return {
    ...form,
    onSubmit(event) {
      // A dialog lies inside the form that it was opened from, for React.
      event?.stopPropagation();
      void handleSubmit(submit)(event);
    },
    choose: (field, value) => setValue(field, value, { shouldDirty: true, shouldValidate: isSubmitted }),
    changed,
    saved(after) {
      reset({ ...getValues(), ...after });
      forget();
    },
    formError: faults.length === 0 ? refusal?.message : undefined,
  };
}

/** Passwords are kept nowhere. */
const withoutPasswords = (typed: FieldValues) =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !/password/i.test(name)));
