import { dayIn } from '@waybill/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { useToday } from '../platform/clock.ts';
import { formatLongDay } from '../platform/formats.ts';
import { useOrganisation } from '../platform/organisation.ts';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import type { PackageFormInput } from './package-form.ts';

/** Reference, current location and ETA. */
export function ShippingFields() {
  const { register, getFieldState, formState, control } = useFormContext<PackageFormInput>();
  const eta = useWatch({ control, name: 'eta' });
  const { timeZone } = useOrganisation();
  const today = dayIn(timeZone, useToday());
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <div className="grid gap-x-3 gap-y-5 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field
          label="Reference"
          optional
          hint="Your own number for it, such as the number of an order"
          error={errorOf('reference')}
        >
          <Input {...register('reference')} autoComplete="off" maxLength={64} />
        </Field>
      </div>
      <Field label="Current Location" optional error={errorOf('location')}>
        <Input {...register('location')} autoComplete="off" maxLength={200} />
      </Field>
      <Field label="Estimated Arrival" optional hint={eta && formatLongDay(eta)} error={errorOf('eta')}>
        <Input {...register('eta')} type="date" min={today} max="9999-12-31" data-empty={!eta || undefined} />
      </Field>
    </div>
  );
}
