import { maxInstructionsLength } from '@waybill/contract';
import { useFormContext } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import type { PackageFormInput } from './package-form.ts';

/** Instructions for the driver at the door. */
export function InstructionsField() {
  const { register, getFieldState, formState } = useFormContext<PackageFormInput>();
  return (
    <Field
      label="Instructions for the driver"
      optional
      hint="Shown to the driver once the delivery has started, never on the public page."
      error={getFieldState('instructions', formState).error?.message}
    >
      <Textarea {...register('instructions')} rows={3} maxLength={maxInstructionsLength} />
    </Field>
  );
}
