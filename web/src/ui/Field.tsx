import { CircleAlert } from 'lucide-react';
import { useId, useMemo } from 'react';
import type { ReactNode } from 'react';
import { texts, translated } from '../platform/texts.ts';
import { FieldContext } from './field-context.ts';

interface FieldProps {
  label: ReactNode;
  /** Help text under the control; the error takes its place. */
  hint?: ReactNode;
  /** The validation message; marks the control as invalid and is read by screen readers. */
  error?: string;
  required?: boolean;
  /** Shows '(optional)' after the label. */
  optional?: boolean;
  disabled?: boolean;
  /** Something small to the right of the label: a counter, a link. */
  aside?: ReactNode;
  /** A fixed id, for links to the control. */
  id?: string;
  /** The control: Input, Textarea, Select or Slider. It reads its attributes from the context. */
  children: ReactNode;
}

/** A labelled control with hint and error. `<Field label="Email" error={errors.email?.message}><Input {...register('email')} /></Field>` */
export function Field({
  label,
  hint,
  error,
  required = false,
  optional,
  disabled = false,
  aside,
  id,
  children,
}: FieldProps) {
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const describedBy = [hint && !error && hintId, error && errorId].filter(Boolean).join(' ') || undefined;
  const invalid = Boolean(error);
  const wiring = useMemo(
    () => ({ id: controlId, describedBy, invalid, required, disabled }),
    [controlId, describedBy, invalid, required, disabled],
  );
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={controlId} className="text-ui font-medium text-ink">
          {label}
          {optional && <span className="font-normal text-ink-3"> {texts.optional}</span>}
        </label>
        {aside && <span className="figures text-ui text-ink-3">{aside}</span>}
      </div>
      <FieldContext value={wiring}>{children}</FieldContext>
      {hint && !error && (
        <p id={hintId} className="text-table text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-table text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {translated(error)}
        </p>
      )}
    </div>
  );
}
