import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { useForm as useHookForm } from 'react-hook-form';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { findDraft, useKeepDraft } from './drafts.ts';
import { faultsOf } from './faults.ts';
import { useUnsaved } from './unsaved.ts';

interface FormOptions<Typed, File> {
  initial: Typed;
  /** What the server answered the last time; its message for a field is shown there. */
  refusal?: Error | null;
  /** Where the form shows a field of the server, by its path; null: nowhere. The same function at every render. */
  fieldOf?: (path: string) => string | null;
  /** The name under which what was typed outlives its session, in memory. Without one nothing does: passwords are kept nowhere. */
  draft?: string;
  /** Of a dialog: what is closed is done with. */
  open?: boolean;
  /** Whether leaving asks first while something is typed that is not saved, or only while it has not been sent. A dialog asks by itself. */
  unsaved?: boolean | 'until it is sent';
  /** Files beside what is typed, as they are saved. */
  files?: readonly File[];
  mode?: 'onSubmit' | 'onTouched';
}

interface Form<Typed extends FieldValues, Checked, File> extends UseFormReturn<Typed, unknown, Checked> {
  onSubmit: (event: FormEvent) => void;
  /** Something differs from what is saved. */
  changed: boolean;
  /** All is saved: leaving does not ask. To be called before leading away. */
  saved: () => void;
  files: File[];
  chooseFiles: (files: File[]) => void;
  filesChanged: boolean;
}

const asItIs = (path: string) => path;
const noFiles: readonly never[] = [];

/**
 * A form by a schema, which is the contract's or refines it. Faults stand at their fields, the first one gets the focus, and what was
 * typed stays.
 *
 * @param submit gets what the schema made of what was typed
 */
export function useForm<Typed extends FieldValues, Checked, File = never>(
  schema: ZodMiniType<Checked, Typed>,
  submit: (checked: Checked) => unknown,
  options: FormOptions<Typed, File>,
): Form<Typed, Checked, File> {
  const {
    initial,
    refusal = null,
    fieldOf = asItIs,
    draft,
    open = true,
    unsaved = true,
    files: saved = noFiles,
    mode,
  } = options;
  const form = useHookForm<Typed, unknown, Checked>({
    resolver: standardSchemaResolver(schema),
    defaultValues: initial as DefaultValues<Typed>,
    mode,
  });
  const { setError, reset, getValues, handleSubmit } = form;
  const [kept] = useState(() => (draft ? (findDraft(draft) as { typed: Typed; files: File[] } | null) : null));
  const [files, chooseFiles] = useState<File[]>(() => kept?.files ?? [...saved]);
  const filesChanged = files.length !== saved.length || files.some((file, at) => file !== saved[at]);
  const { isDirty, isSubmitSuccessful } = form.formState;
  const changed = isDirty || filesChanged;
  const forget = useUnsaved(changed && (unsaved === true || (unsaved !== false && !isSubmitSuccessful)));
  useKeepDraft(draft ?? null, () => (open && changed ? { typed: getValues(), files } : null));

  useEffect(() => {
    if (kept) reset(kept.typed, { keepDefaultValues: true });
  }, [kept, reset]);

  useEffect(() => {
    let isFirst = true;
    for (const [path, message] of Object.entries(faultsOf(refusal))) {
      const field = fieldOf(path);
      if (field === null) continue;
      setError(field as FieldPath<Typed>, { message }, { shouldFocus: isFirst });
      isFirst = false;
    }
  }, [refusal, fieldOf, setError]);

  const onSubmit = (event: FormEvent) => void handleSubmit(submit)(event);
  return { ...form, onSubmit, changed, saved: forget, files, chooseFiles, filesChanged };
}
