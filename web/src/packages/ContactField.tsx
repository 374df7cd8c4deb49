import { useFormContext } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import type { PackageFormInput } from './package-form.ts';

export function ContactField() {
  const { register, getFieldState, formState } = useFormContext<PackageFormInput>();
  return (
    <Field label="Contact Number" required error={getFieldState('recipientContact', formState).error?.message}>
      <Input {...register('recipientContact')} type="tel" autoComplete="off" maxLength={200} />
    </Field>
  );
}
