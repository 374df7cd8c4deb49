import { useFormContext, useWatch } from 'react-hook-form';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import type { PackageFormInput } from './package-form.ts';

/** The tracking ID, which nobody types. */
export function TrackingIdField() {
  const { register, control, getFieldState, formState } = useFormContext<PackageFormInput>();
  const trackingId = useWatch({ control, name: 'trackingId' });
  return (
    <Field
      label="Tracking ID"
      hint="This ID will be used to track your package"
      error={getFieldState('trackingId', formState).error?.message}
    >
      <Input {...register('trackingId')} readOnly code end={<CopyButton text={trackingId} />} />
    </Field>
  );
}
