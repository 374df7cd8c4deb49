import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useEffect, useMemo, useState } from 'react';
import type { FormEvent } from 'react';
import { useForm as useHookForm } from 'react-hook-form';
import type { DefaultValues, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { withDraft } from './draft-values.ts';
import { findDraft, useSaveDraft } from './drafts.ts';
import { fieldErrorsOf } from './form-errors.ts';
import { useUnsavedChanges } from './unsaved-changes.ts';

interface FormOptions<Typed> {
  initial: Typed;
  /** The error of the last submission; its message for a field is shown at that field. */
  refusal?: Error | null;
  /** Maps the server's field path to a field of the form; null: not shown at a field. Must be the same function on every render. */
  fieldOf?: (path: string) => string | null;
  /** The name of the draft, which keeps the input after the session has ended, in memory and without passwords. Absent: no draft. */
  draft?: string;
  /** The draft also survives a reload, in session storage: for input that cannot be repeated, such as a signature. Excludes photos. */
  draftOverReload?: boolean;
  /** Whether the dialog of the form is open. A closed one saves no draft. */
  open?: boolean;
  /**
   * Whether leaving the page asks first: while there are unsaved changes, or only until they are submitted. False in a Dialog,
   * which asks itself.
   */
  unsaved?: boolean | 'until it is sent';
  mode?: 'onSubmit' | 'onTouched';
}

interface Form<Typed extends FieldValues, Checked> extends UseFormReturn<Typed, unknown, Checked> {
  /** The submit handler; called without an event by a button outside the form. */
  onSubmit: (event?: FormEvent) => void;
  /** Sets a field that has no native control, such as stars or a picture. */
  choose: <Name extends FieldPath<Typed>>(field: Name, value: FieldPathValue<Typed, Name>) => void;
  /** The form is dirty: a value differs from the saved one. */
  changed: boolean;
  /** Marks the form as saved, with `after` as its new values, so that leaving does not ask. Call it before navigating away. */
  saved: (after?: Partial<Typed>) => void;
  /** The server's error message, if no field shows it. */
  formError: string | undefined;
}

const samePath = (path: string) => path;

/**
 * A form validated by a schema of the contract or a refinement of it. Errors are shown at their fields, the first one gets the focus,
 * and the input is kept.
 *
 * @param submit called with the schema's output
 */
export function useForm<Typed extends FieldValues, Checked>(
  schema: ZodMiniType<Checked, Typed>,
  submit: (checked: Checked) => unknown,
  {
    initial,
    refusal = null,
    fieldOf = samePath,
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
  const [restored] = useState(() => (draft ? (findDraft(draft) as Partial<Typed> | null) : null));
  const { isDirty: changed, isSubmitSuccessful, isSubmitted } = form.formState;
  const clearUnsaved = useUnsavedChanges(changed && (unsaved === true || (unsaved !== false && !isSubmitSuccessful)));
  useSaveDraft({
    name: draft ?? null,
    typed: () => (open && changed ? withoutPasswords(getValues()) : null),
    surviveReload: draftOverReload,
  });

  useEffect(() => {
    if (restored) reset(withDraft(getValues(), restored) as Typed, { keepDefaultValues: true });
  }, [restored, reset, getValues]);

  const serverErrors = useMemo(
    () =>
      Object.entries(fieldErrorsOf(refusal)).flatMap(([path, message]) => {
        const field = fieldOf(path);
        return field !== null && names.includes(field.split('.')[0] ?? '') ? { field, message } : [];
      }),
    [refusal, fieldOf, names],
  );
  useEffect(() => {
    let isFirst = true;
    for (const { field, message } of serverErrors) {
      setError(field as FieldPath<Typed>, { message }, { shouldFocus: isFirst });
      isFirst = false;
    }
  }, [serverErrors, setError]);

  return {
    ...form,
    onSubmit(event) {
      // React events bubble through portals: stop them, or the form that opened a dialog would be submitted too.
      event?.stopPropagation();
      void handleSubmit(submit)(event);
    },
    choose: (field, value) => setValue(field, value, { shouldDirty: true, shouldValidate: isSubmitted }),
    changed,
    saved(after) {
      reset({ ...getValues(), ...after });
      clearUnsaved();
    },
    formError: serverErrors.length === 0 ? refusal?.message : undefined,
  };
}

/** Drafts never contain passwords. */
const withoutPasswords = (typed: FieldValues) =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !/password/i.test(name)));
