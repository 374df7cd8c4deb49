import type { Package } from '@waybill/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { Card } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { InstructionsField } from './InstructionsField.tsx';
import type { PackageFormInput } from './package-form.ts';
import { WindowFields } from './WindowFields.tsx';

/** Time window, instructions and special handling. All optional. */
export function PreferenceFields({ window = null }: { window?: Package['window'] }) {
  const { register, control, getFieldState, formState } = useFormContext<PackageFormInput>();
  const safePlace = useWatch({ control, name: 'handling.safePlace' });
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <Card title="Delivery preferences">
      <WindowFields present={window} />
      <div className="mt-6">
        <InstructionsField />
      </div>
      <fieldset className="mt-6 border-t border-line pt-5">
        <legend className="sr-only">Special handling</legend>
        <p aria-hidden="true" className="mb-1 text-ui font-medium">
          Special handling <span className="font-normal text-ink-3">(optional)</span>
        </p>
        <div className="grid gap-x-6 sm:grid-cols-2">
          <Checkbox {...register('handling.fragile')} label="Fragile" />
          <Checkbox {...register('handling.keepUpright')} label="Keep upright" />
          <Checkbox {...register('handling.refrigerated')} label="Refrigerated" />
          <Checkbox
            {...register('handling.signatureRequired')}
            label="Signature required"
            hint="The driver asks who took it."
          />
          <Checkbox {...register('handling.safePlace')} label="Leave in a safe place" hint="Without handing it over." />
        </div>
        {safePlace && (
          <div className="mt-2">
            <Field label="Where it may be left" required error={errorOf('handling.safePlaceNote')}>
              <Input {...register('handling.safePlaceNote')} autoComplete="off" maxLength={200} />
            </Field>
          </div>
        )}
      </fieldset>
    </Card>
  );
}
